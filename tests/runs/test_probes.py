"""Probes that are collected while a model answers: stored, resumed, and without effect on what it answers."""

import numpy as np
import pytest

import winoglot as wg
from tiny_models import bert, llama
from winoglot import InputError
from winoglot.models import causal, masked
from winoglot.models.base import Options, as_solver, load_model
from winoglot.models.scoring.probes import Distribution, Probe
from winoglot.runs.probes import Probes
from winoglot.runs.session import Session
from winoglot.runs.spec import ModelSpec, RunSpec
from winoglot.runs.store import load_run, save_run

PROBED = ("original", "relative")
REQUEST = {"kinds": ("relative", "synonym"), "limit": 6}


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    """Scores that another test has left would be found again."""
    monkeypatch.setenv("WINOGLOT_CACHE", str(tmp_path / "cache"))


@pytest.fixture(scope="module")
def collection():
    return wg.load("winoglot-en")


@pytest.fixture(scope="module")
def folders(collection, tmp_path_factory):
    root, texts = tmp_path_factory.mktemp("models"), [item.text for item in collection.items]
    return {"causal": llama(root / "causal", texts), "masked": bert(root / "masked", texts)}


def solver_of(folders, family="causal", batch_characters=1500):
    solver = {"causal": causal, "masked": masked}[family].load(folders[family], Options())
    solver.batch_characters = batch_characters
    return solver


def made(collection, solver, folder=None, probes=PROBED, scorings=None):
    spec = RunSpec(
        collections=(collection,),
        models=(ModelSpec.of(solver, Options()),),
        scorings=scorings or solver.scorings[:1],
        probes=probes,
        **REQUEST,
    )
    return Session(spec, folder and (lambda collection, model, scoring, readings: folder / scoring)).runs()[0]


def check_same(one, other, tolerance=0.0):
    """The tolerance is for items that were scored beside others."""
    assert set(one) == set(other)
    for item, probe in one.items():
        assert (probe.note, probe.sees_after) == (other[item].note, other[item].sees_after)
        for a, b in (
            (probe.distribution.tokens, other[item].distribution.tokens),
            (probe.distribution.probabilities, other[item].distribution.probabilities),
            (probe.pooled, other[item].pooled),
        ):
            assert a.size == b.size
            assert np.allclose(a.ravel(), b.ravel(), rtol=0, atol=tolerance)


@pytest.mark.parametrize("family", ["causal", "masked"])
def test_probes_change_no_score_and_are_read_back_as_they_were(collection, folders, family, tmp_path, monkeypatch):
    plain = made(collection, solver_of(folders, family), probes=())
    monkeypatch.setenv("WINOGLOT_CACHE", str(tmp_path / "another"))
    run = made(collection, solver_of(folders, family), tmp_path / "run")
    assert not plain.probes
    assert run.predictions == plain.predictions
    kinds = {outcome.example.id: outcome.example.kind for outcome in run}
    assert set(run.probes) == {item for item, kind in kinds.items() if kind in PROBED}
    assert all(len(probe.distribution.tokens) and probe.pooled.size for probe in run.probes.values())
    stored = load_run(tmp_path / "run" / run.settings.scoring)
    assert stored.signature == plain.signature
    check_same(run.probes, stored.probes)
    monkeypatch.setenv("WINOGLOT_CACHE", str(tmp_path / "third"))
    check_same(made(collection, solver_of(folders, family)).probes, stored.probes)  # without a folder


def test_what_was_interrupted_goes_on_with_equal_probes(collection, folders, tmp_path):
    whole = made(collection, solver_of(folders), tmp_path / "whole")
    broken = solver_of(folders)
    broken.cacheable = False
    scored, original = [], broken.score_and_probe

    def stop_at_the_third(*arguments):
        if len(scored) == 2:
            raise KeyboardInterrupt
        scored.append(arguments)
        return original(*arguments)

    broken.score_and_probe = stop_at_the_third
    with pytest.raises(KeyboardInterrupt):
        made(collection, broken, tmp_path / "run")
    predictions = tmp_path / "run" / "partial" / "predictions.jsonl"
    lines = predictions.read_text("utf-8").splitlines(keepends=True)
    predictions.write_text("".join(lines)[:-20], "utf-8")  # the second batch was being written
    again = solver_of(folders)
    again.cacheable = False
    run = made(collection, again, tmp_path / "run")
    assert run.predictions == whole.predictions
    check_same(run.probes, whole.probes)
    check_same(load_run(tmp_path / "run" / "partial").probes, whole.probes)


def test_a_run_that_is_complete_without_probes_is_scored_again_and_keeps_its_predictions(collection, folders, tmp_path):
    plain = made(collection, solver_of(folders), tmp_path, probes=())
    before = (tmp_path / "partial" / "predictions.jsonl").read_text("utf-8")
    run = made(collection, solver_of(folders), tmp_path)
    assert (tmp_path / "partial" / "predictions.jsonl").read_text("utf-8") == before
    assert run.predictions == plain.predictions
    check_same(run.probes, made(collection, solver_of(folders)).probes, 1e-5)
    idle = solver_of(folders)
    idle.score = idle.score_and_probe = None  # nothing is left to ask
    check_same(made(collection, idle, tmp_path).probes, run.probes)


def test_runs_of_one_pass_share_its_probes_which_cached_scores_do_not_replace(collection, folders, tmp_path):
    made(collection, solver_of(folders), probes=())
    solver, asked = solver_of(folders), []
    original = solver.score_and_probe
    solver.score_and_probe = lambda *given: asked.extend(one.item.id for one in given[0]) or original(*given)
    made(collection, solver, tmp_path, scorings=("partial", "full"))
    one, other = (load_run(tmp_path / scoring).probes for scoring in ("partial", "full"))
    check_same(one, other)
    assert set(asked) >= set(one)  # with what is scored together with them


def test_a_model_that_shows_nothing_is_evaluated_as_always(collection, tmp_path):
    run = made(collection, load_model("first", Options()), tmp_path)
    assert len(run.probes) == 0
    assert not (tmp_path / "choice" / "probes").exists()


def test_an_outside_solver_that_shows_nothing_of_an_item_is_named(collection, folders):
    class Outside:
        name, scorings, fingerprint, gives_probes, cacheable = "outside", ("full",), "1", True, False

        def __init__(self, own):
            self.score = own.score
            self.score_and_probe = lambda questions, scorings, _probed: (own.score(questions, scorings), {})

    with pytest.raises(InputError, match=r"outside must return a Probe for .*; found nothing.*score_and_probe"):
        made(collection, as_solver(Outside(solver_of(folders))))


def test_probes_without_distribution_or_states_are_stored_too(tmp_path):
    given = {
        "a.0": Probe(note="too long"),
        "b.0": Probe(Distribution(np.array([4, 2]), np.array([0.6, 0.4], dtype=np.float32)), np.ones((2, 3)), True),
        "c.0": Probe(pooled=np.zeros((1, 3), dtype=np.float32), note="no pronoun"),
    }
    store = Probes(tmp_path)
    store.add(given)
    store.add({"d.0": Probe(note="alone")})
    store.add({})
    check_same(Probes(tmp_path), given | {"d.0": Probe(note="alone")})
    assert len(list((tmp_path / "probes").iterdir())) == 2


def test_a_run_that_replaces_another_has_its_own_probes_only(collection, folders, tmp_path):
    run = made(collection, solver_of(folders), tmp_path / "old")
    save_run(run, tmp_path / "copy")
    check_same(load_run(tmp_path / "copy").probes, run.probes)
    save_run(made(collection, solver_of(folders), probes=()), tmp_path / "copy", force=True)
    assert len(load_run(tmp_path / "copy").probes) == 0


def test_a_damaged_file_is_named(tmp_path):
    store = Probes(tmp_path)
    store.add({"a.0": Probe(note="too long")})
    file = tmp_path / "probes" / "000000.npz"
    file.write_bytes(file.read_bytes()[:-30])
    with pytest.raises(InputError, match=r"000000\.npz.*expected the probes of a run.*asked again"):
        len(Probes(tmp_path))
    np.savez(file, items=np.array([object()], dtype=object))  # what would have to be unpickled
    with pytest.raises(InputError, match="expected the probes of a run"):
        _ = Probes(tmp_path).stored
