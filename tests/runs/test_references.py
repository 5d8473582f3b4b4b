"""What is frozen is read again as it was, and stands beside other runs."""

import lzma
import math
import os
import random
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import winoglot as wg
from metrics.made_runs import Made, run_of
from runs.logic_pairs import logic_pairs, run_over
from winoglot.metrics.base import estimates
from winoglot.models.base import best_of
from winoglot.report.summary import summarise
from winoglot.runs.comparing import compare_all
from winoglot.runs.pairing import names
from winoglot.runs.references import (
    FOLDER,
    _rounded,
    freeze,
    references,
    references_beside,
    stored_references,
)
from winoglot.schemas.bundled import bundled

DATE = "2026-11-19"
SCRIPT = Path(__file__).parents[2] / "scripts" / "freeze_references.py"
KINDS = ("switched", "segment-masked")


def answered(model="solver", seed=1, schemas=20, **keys):
    """A run with random scores, ties, and everything else that is stored."""
    draw = random.Random(seed)

    def item(place):
        scores = (-draw.lognormvariate(3, 1), -draw.lognormvariate(3, 1)) if place % 5 else (-1.0, -1.0)
        choice = best_of(scores, 1e-6)
        variants = tuple((kind, draw.choice([0, 1, None])) for kind in KINDS)
        window = "empty" if place % 7 == 0 else ""
        return Made(place % 2, choice, variants=variants, scores=scores, fallback=place % 3 == 0, window=window)

    run = run_of([[item(2 * at), item(2 * at + 1)] for at in range(schemas)], model, kinds=KINDS, **keys)
    noted = (replace(one, note="tie" if one.choice is None else "") for one in run.predictions)
    return replace(run, predictions=tuple(noted), made_with={"winoglot": "0.1.0"})


def changed(collection, *places):
    """The collection with another text in the schemas at these places."""
    schemas = list(collection.schemas)
    for place in places:
        items = tuple(replace(item, text=f"{item.text} So it was.") for item in schemas[place].items)
        schemas[place] = replace(schemas[place], items=items, variants=())
    return replace(collection, schemas=tuple(schemas), version="9.9")


@pytest.fixture
def folder(tmp_path):
    freeze([(answered("one"), DATE), (answered("two", seed=2), DATE)], tmp_path)
    return tmp_path


def test_every_estimate_is_that_of_the_run(folder):
    run = answered("one")
    stored, _ = references(run.source, folder=folder)
    for kind in (None, *KINDS):
        expected, actual = estimates(run, kind), estimates(stored, kind)
        assert expected.keys() == actual.keys()
        for name, estimate in expected.items():
            if name != "calibration":  # it is computed from the scores, which are rounded
                assert actual[name] == estimate
    kept = {one.item_id: (one.choice, one.note, one.window, one.fallback) for one in run.predictions}
    assert kept == {one.item_id: (one.choice, one.note, one.window, one.fallback) for one in stored.predictions}
    assert run.notes() == stored.notes() == {"tie": 8}


def test_a_reference_says_what_the_run_was(folder):
    run = answered("one")
    [stored] = references(run.source, "one", folder=folder)
    assert (stored.signature, stored.settings) == (run.signature, run.settings)
    assert (stored.made_with, stored.is_baseline) == (run.made_with, run.is_baseline)
    assert (stored.reference.date, stored.reference.missing) == (DATE, 0)
    assert repr(stored).startswith(f"<Run one on made (partial, naive, reference of {DATE}): ")


def test_scores_are_close_to_those_of_the_run(folder):
    run = answered("one")
    [stored] = references(run.source, "one", folder=folder)
    for one in run.predictions:
        assert stored.prediction(one.item_id).scores == pytest.approx(one.scores, abs=0.005)


@given(
    st.lists(st.none() | st.floats(allow_nan=False, width=32), min_size=2, max_size=3),
    st.sampled_from([0.0, 1e-6, 0.01]),
)
def test_rounding_decides_nothing(scores, tolerance):
    rounded = _rounded(scores, tolerance)
    assert best_of(rounded, tolerance) == best_of(scores, tolerance)
    for score, short in zip(scores, rounded, strict=True):
        assert (score is None) == (short is None)
        assert score is None or score == short or math.isclose(score, short, rel_tol=0.001)


def test_infinite_scores_are_kept(tmp_path):
    run = run_of([[Made(choice=0, scores=(-1.5, -math.inf))]])
    freeze([(run, DATE)], tmp_path)
    [stored] = references(run.source, folder=tmp_path)
    assert stored.predictions[0].scores == (-1.5, -math.inf)


def test_of_a_changed_collection_only_what_is_the_same_is_used(folder, caplog):
    run = answered("one")
    [stored] = references(changed(run.source, 0, 3), "one", kinds=[], folder=folder)
    assert len(stored.outcomes()) == len(run.outcomes()) - 4
    assert not {one.item_id for one in stored.predictions} & {"s0.0", "s0.1", "s3.0", "s3.1"}
    assert stored.signature == run.signature
    assert stored.reference.missing == 4
    assert "made 9.9: 4 of 40 items have no answer in some reference run" in caplog.text


def test_a_collection_with_nothing_in_common_is_refused(folder):
    run = answered("one")
    with pytest.raises(wg.InputError, match=r"no item of made 9\.9 is unchanged since the reference runs"):
        references(changed(run.source, *range(20)), folder=folder)


def test_what_nobody_answered_is_refused_with_what_there_is(folder):
    run = answered()
    other = replace(run.source, name="other")
    for ask, why in (
        (lambda: references(other, folder=folder), "no reference runs for 'other'. There are some for: made"),
        (lambda: references("winoglot-pt", folder=folder), "no reference runs for 'winoglot-pt'"),
        (lambda: references(run.source, "ones", folder=folder), "no reference runs of 'ones'. Did you mean 'one'?"),
        (lambda: references(run.source, kinds="tense", folder=folder), "no reference run has variants of kind 'tense'"),
        (lambda: references_beside([replace(run, source=other)], folder=folder), "no reference runs for 'other'"),
        (lambda: references(7), "expected the name of a collection"),
        (lambda: references(run.source, 7, folder=folder), "expected names of models"),
        (lambda: references(folder=folder / "none"), "there are no reference runs in the folder"),
    ):
        with pytest.raises(wg.InputError) as refusal:
            ask()
        assert why in str(refusal.value)


def test_kinds_can_be_chosen(folder):
    run = answered("one")
    [stored] = references(run.source, "one", kinds="switched", folder=folder)
    assert stored.kinds == ("switched",)
    assert not stored.outcomes("segment-masked")
    assert stored.accuracy("switched") == run.accuracy("switched")


def test_beside_a_sample_are_its_items_and_kinds(folder, caplog):
    whole = answered("mine", seed=3)
    part = replace(whole.source, schemas=whole.source.schemas[4:9])
    ids = {item.id for item in (*part.items, *part.variants("switched"))}
    mine = replace(
        whole,
        source=part,
        settings=replace(whole.settings, kinds=("switched",), limit=5),
        predictions=tuple(one for one in whole.predictions if one.item_id in ids),
    )
    beside = references_beside([mine], folder=folder)
    assert [{one.item_id for one in run.predictions} for run in beside] == [ids, ids]
    assert [run.kinds for run in beside] == [("switched",)] * 2
    assert caplog.text == ""
    assert {comparison.items for comparison in compare_all([mine, *beside])} == {10}


def test_runs_of_each_version_get_what_is_the_same_in_it(folder):
    run = answered("mine")
    later = replace(run, source=changed(run.source, 0), predictions=run.predictions)
    beside = references_beside([run, later], folder=folder)
    assert [(one.source.version, one.reference.missing) for one in beside] == [
        ("1.0", 0), ("1.0", 0), ("9.9", 2), ("9.9", 2),
    ]  # fmt: skip


def test_a_collection_without_references_among_others_is_named(folder, caplog):
    run = answered("mine")
    elsewhere = run_of([[Made()]], "mine", name="other")
    assert {one.source.name for one in references_beside([run, elsewhere], folder=folder)} == {"made"}
    assert "There are no reference runs for other." in caplog.text


def test_other_scorings_and_readings_are_said(folder, caplog):
    run = answered("mine")
    references_beside([run], folder=folder)
    assert caplog.text == ""
    references_beside([replace(run, settings=replace(run.settings, scoring="full"))], folder=folder)
    assert "Different scoring: full in your runs, partial in reference runs." in caplog.text
    references_beside([replace(run, settings=replace(run.settings, readings="grammatical"))], folder=folder)
    assert "Different readings: grammatical in your runs, naive in reference runs." in caplog.text


def test_a_model_is_not_shown_twice(tmp_path):
    freeze([(answered(model), DATE) for model in ("first", "longer", "mine", "other")], tmp_path)
    beside = references_beside([answered("first"), answered("mine", seed=3)], folder=tmp_path)
    assert [run.settings.model for run in beside] == ["longer", "other"]


def test_two_references_are_compared_only_with_nothing_else(folder):
    mine = answered("mine", seed=3)
    beside = references_beside([mine], folder=folder)
    found = wg.compare(mine, *beside)
    assert [(one.first, one.second) for one in found] == [("mine", "one (reference)"), ("mine", "two (reference)")]
    assert {one.comparisons for one in found} == {2}
    assert (found.passed_over, len(compare_all(beside))) == (0, 1)
    by_hand = wg.compare(mine, replace(answered("one"), reference=None))
    assert (found[0].difference, found[0].test) == (by_hand.difference, by_hand.test)


def test_a_model_and_its_reference_are_told_apart(folder):
    one = answered("one")
    [stored] = references(one.source, "one", folder=folder)
    assert names([one, stored]) == ["one", "one (reference)"]
    found = summarise([one, stored])
    assert {solver.label for solver in found.solvers} == {"one", f"one, reference of {DATE}"}
    assert [run.settings.model for run in found.named] == ["one"]


def test_people_are_shown_among_references(tmp_path):
    people = wg.evaluate(wg.load("winoglot-fr"), "second", limit=20)
    people = replace(people, settings=replace(people.settings, model="readers"), is_baseline=False)
    found = wg.report([], tmp_path / "report.html", human=people, references=True)
    roles = {solver.name: solver.role for solver in found.solvers}
    assert (roles["people (readers)"], roles["first"]) == ("people", "baseline")
    assert found.has_references


def test_another_model_is_added_and_one_frozen_again_is_replaced(folder):
    larger = answered("three", schemas=25)
    freeze([(larger, DATE), (answered("two", seed=9), "2027-01-01")], folder)
    stored = {run.settings.model: run for run in references(larger.source, folder=folder)}
    assert {name: (run.reference.date, len(run.outcomes())) for name, run in stored.items()} == {
        "one": (DATE, 40), "two": ("2027-01-01", 40), "three": (DATE, 50),
    }  # fmt: skip
    assert stored["one"].accuracy() == answered("one").accuracy()
    freeze([(larger, DATE)], folder, replaces_all=True)
    assert [run.settings.model for run in references(larger.source, folder=folder)] == ["three"]


def test_what_cannot_be_a_reference_is_refused(tmp_path):
    run = answered()
    with pytest.raises(wg.InputError, match="solver has two runs on made with partial scoring and naive readings"):
        freeze([(run, DATE), (run, DATE)], tmp_path)
    with pytest.raises(wg.InputError, match="is not a collection of schemas"):
        freeze([(run_over(logic_pairs(), "solver", 0.5, 1), DATE)], tmp_path)
    with pytest.raises(wg.InputError, match="there are no runs"):
        freeze([], tmp_path)
    assert not list(tmp_path.iterdir())


def test_folders_of_the_machine_are_not_stored(tmp_path):
    run = answered("tiny", address=f"causal:{tmp_path}/weights")
    freeze([(run, DATE)], tmp_path)
    [stored] = stored_references(tmp_path)
    assert stored["settings"]["address"] == "causal:weights"
    assert "|tiny=causal:weights sha:01234567|" in stored["signature"]
    assert str(tmp_path) not in str(stored)


def test_the_script_refuses_bad_input_in_one_line(tmp_path):
    command = [sys.executable, SCRIPT, tmp_path / "nothing", "-o", tmp_path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(r"Error: there is no run in .*nothing\. .*\n", done.stderr)


def spoil(path, change):
    path.write_bytes(lzma.compress(change(lzma.decompress(path.read_bytes()).decode()).encode()))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda text: text.replace('"choices":"', '"choices":"00'), "more answers than items of made"),
        (lambda text: text.replace('"scores":[[', '"scores":[[-1],['), "numbers of scores and choices differ"),
        (lambda text: text.replace('"scores":[[', '"scores":[[-3,'), "s0.0 has 2 candidates"),
        (lambda text: text.replace('"choices":"', '"choices":"7').replace("0", "", 1), "2 candidates|scores|answers"),
        (lambda text: text.replace('"fingerprint"', '"print"'), "its settings"),
        (lambda text: text.replace('"runs"', '"rows"'), "not a file of reference runs"),
        (lambda text: text[:-40], "not a file of reference runs"),
    ],
)
def test_a_damaged_file_is_refused(folder, change, why):
    spoil(folder / "one.json.xz", change)
    with pytest.raises(wg.InputError, match=why) as refusal:
        references(answered().source, folder=folder)
    assert "freeze_references.py" in refusal.value.remedy


@pytest.mark.parametrize("name", ["one.json.xz", "items.json.xz"])
def test_a_file_that_was_cut_off_is_refused(folder, name):
    path = folder / name
    path.write_bytes(path.read_bytes()[:-60])
    with pytest.raises(wg.InputError, match=name):
        references(answered().source, folder=folder)
    path.unlink()
    if name.startswith("items"):
        with pytest.raises(wg.InputError, match=name):
            references(answered().source, folder=folder)


def test_the_bundled_ones_are_small_and_cover_all_collections():
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 3_000_000
    stored = stored_references()
    assert {run["collection"] for run in stored if run["settings"]["model"] == "first"} == {*bundled()}
    assert all(run["signature"].startswith(f"{run['collection']}@{run['version']} sha:") for run in stored)
    assert not [run for run in stored if f":{os.sep}" in run["settings"]["address"]]


def test_a_bundled_rule_answers_now_as_it_did_then():
    [stored] = references("winoglot-fr", "first", kinds="synonym")
    now = wg.evaluate(wg.load("winoglot-fr"), "first", kinds=["synonym"])
    assert stored.settings.fingerprint == now.settings.fingerprint
    assert stored.predictions
    assert all(now[one.item_id].choice == one.choice for one in stored.predictions)


def test_the_package_has_them():
    assert Path(wg.__file__).parent in FOLDER.parents
