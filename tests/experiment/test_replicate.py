"""The experiment files in replicate/ can be read and, with the public collections at hand, pass every other check."""

from dataclasses import replace
from pathlib import Path

import pytest

from winoglot.experiment.file import read_experiment
from winoglot.experiment.plan import make_plan
from winoglot.logic.dataset import task_names
from winoglot.perturb.base import with_kinds
from winoglot.runs.overlap import Fingerprints, overlap

FOLDER = Path(__file__).parents[2] / "replicate"
LOGIC = sorted([*FOLDER.glob("logic-*.yaml"), *FOLDER.glob("salvatore-*.yaml")])
FILES = sorted({*FOLDER.glob("*.yaml")}.difference(LOGIC))
ELSEWHERE = {
    "lm",
    "gguf",
    "causal",
    "pmi",
    "context2vec",
    "next-sentence",
}  # models to be made or downloaded
every_file = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


@every_file
def test_a_file_can_be_read_and_is_explained(path, monkeypatch):
    monkeypatch.setenv("WINOGLOT_DATA", "data")
    monkeypatch.setenv("WINOGLOT_MODELS", "models")
    found = read_experiment(path)
    assert found.published or found.measures or found.metrics
    assert {one.collection for one in found.published} <= {one.name or one.source for one in found.collections}
    assert f"`{path.name}`" in (FOLDER / "README.md").read_text(encoding="utf-8")


@pytest.mark.slow
@every_file
def test_a_file_fits_the_published_collections(path, monkeypatch, public_data, tmp_path):
    monkeypatch.setenv("WINOGLOT_DATA", str(public_data.absolute()))
    monkeypatch.setenv("WINOGLOT_MODELS", "models")
    found = read_experiment(path)
    ready = tuple(one for one in found.models if one.name.family not in ELSEWHERE)
    scorings = found.scorings if ready else ()  # which only the models that are elsewhere have
    plan = make_plan(replace(found, models=ready, scorings=scorings), tmp_path / "results")
    assert all(one.items for one in plan.collections)
    for model in (one for one in ready if one.tuning and one.tuning.kinds):  # variants that are learnt and asked too
        seen = Fingerprints.of(with_kinds(one, model.tuning.kinds) for one in plan.learnt[model.place])
        dev = next(one for one in plan.collections if one.name == "winogrande-dev")
        assert not overlap(seen, with_kinds(dev, plan.kinds[dev.name]))


@pytest.mark.parametrize("path", LOGIC, ids=lambda path: path.stem)
def test_a_file_of_models_for_pairs_can_be_read_and_is_explained(path, monkeypatch, tmp_path):
    for language in ("en", "fr", "pt", "zh"):
        for task in task_names("all"):
            (tmp_path / language / task).mkdir(parents=True)
            (tmp_path / language / task / "test.jsonl").touch()
    for part in ("", "_PAPER", "_OVERLAP", "_TASKS", "_TRANSFER"):
        monkeypatch.setenv(f"WINOGLOT_LOGIC{part}", str(tmp_path))
    monkeypatch.setenv("WINOGLOT_DATA", str(tmp_path))
    monkeypatch.setenv("WINOGLOT_MODELS", "models")
    (tmp_path / "logic").symlink_to(tmp_path)
    found = read_experiment(path).pairs
    assert len({model.name for model in found.models}) == len(found.models) > 0
    assert all(name.rpartition("-")[0] in task_names("all") for _, name, _ in found.published)
    assert f"`{path.name}`" in (FOLDER.parent / "docs" / "logic-models.md").read_text(encoding="utf-8")
