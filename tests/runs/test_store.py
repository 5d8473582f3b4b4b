"""Run folders that earlier versions wrote: `old_run` is the folder of a run made by version 0.1, on `seats.yaml`."""

import json
import shutil
from pathlib import Path

import pytest

import winoglot as wg
from winoglot import InputError
from winoglot.runs.store import load_run

OLD = Path(__file__).parent / "old_run"
KINDS = ["switched", "segment-masked"]


@pytest.fixture
def old(tmp_path, monkeypatch):
    """A copy of the folder, without what lies beside the run."""
    monkeypatch.setenv("WINOGLOT_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "run"
    folder.mkdir()
    for name in ("run.json", "collection.jsonl", "predictions.jsonl"):
        shutil.copy(OLD / name, folder / name)
    return folder


def rows(folder):
    lines = (folder / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
    return [{key: value for key, value in json.loads(line).items() if key != "seconds"} for line in lines]


def test_a_finished_old_run_is_loaded(old):
    run = load_run(old)
    assert (run.settings.model, run.settings.kinds) == ("longer", tuple(KINDS))
    assert len(run.predictions) == len(rows(OLD)) == 10
    assert run.is_baseline
    assert (run.accuracy().value, run.accuracy("switched").n) == (0.5, 2)


@pytest.mark.parametrize("lines", [0, 1, 5, 9, 10])
def test_an_interrupted_old_run_is_resumed_and_ends_the_same(old, lines):
    path = old / "predictions.jsonl"
    kept = path.read_text(encoding="utf-8").splitlines(keepends=True)[:lines]
    path.write_text("".join(kept) + '{"item_id": "bus-s', encoding="utf-8")
    run = wg.evaluate(wg.load(OLD / "seats.yaml"), "longer", kinds=KINDS, folder=old)
    assert rows(old) == rows(OLD)
    assert sorted(map(str, load_run(old).predictions)) == sorted(map(str, run.predictions))
    head = json.loads((old / "run.json").read_text(encoding="utf-8"))
    assert head["signature"].rpartition("|v")[0] == run.signature.rpartition("|v")[0]
    assert head["made_with"]["winoglot"] == "0.1.0"


def test_an_old_run_with_other_settings_or_items_is_refused_by_name(old):
    seats = wg.load(OLD / "seats.yaml")
    with pytest.raises(InputError, match=r"this run was started with model 'longer', not 'first'.*another folder"):
        wg.evaluate(seats, "first", kinds=KINDS, folder=old)
    with pytest.raises(InputError, match="this run was started with different kinds"):
        wg.evaluate(seats, "longer", kinds=["switched"], folder=old)
    head = json.loads((old / "run.json").read_text(encoding="utf-8"))
    head["items"]["bus-seat.0"] = "0123456789abcdef"
    (old / "run.json").write_text(json.dumps(head), encoding="utf-8")
    with pytest.raises(InputError, match="this run was started with different items"):
        wg.evaluate(seats, "longer", kinds=KINDS, folder=old)
    assert rows(old) == rows(OLD)
