"""Run folders: stored, resumed, refused; and those of earlier versions.

`old_run` is the folder of a run made by version 0.1, on `seats.yaml`.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import winoglot as wg
from cases import for_each
from forking import MAIN
from items import schema
from runs.scripted import Scripted, collection
from six_schemas import six, six_file
from tiny_models import llama
from waiting import wait_until
from winoglot import InputError
from winoglot.folders import LOCK
from winoglot.models.base import Scores
from winoglot.runs.evaluate import evaluate
from winoglot.runs.store import find_runs, load_run, save_run
from winoglot.schemas.model import Collection

OLD = Path(__file__).parent / "old_run"
KINDS = ["switched", "segment-masked"]
FIRST = {"item_id": "s0.1", "item_hash": "x", "choice": 1, "scores": [1.0, 2.0]}
WRONG = [
    {"choice": True},
    {"scores": [1.0, 2.0, 0.0]},  # more than there are candidates
    {"scores": "12"},
    {"fallback": 3},
    {"tokens": "x"},
    {"unknown": -1},
    {"seconds": None},
    {"window": []},
    {"note": ["x"]},
    {"batch": "x"},
    {"item_id": "s0.0"},  # a second answer
]


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("WINOGLOT_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def stored(tmp_path):
    """The folder of a run."""
    evaluate(collection(3), Scripted(), folder=tmp_path / "run")
    return tmp_path / "run"


def written(folder):
    """The lines that a run's folder has for predictions, as mappings."""
    return [json.loads(line) for line in (folder / "predictions.jsonl").read_text().splitlines()]


def test_a_stored_run_is_the_run(tmp_path):
    run = evaluate(collection(), Scripted(), kinds=["switched"], folder=tmp_path / "run")
    again = load_run(tmp_path / "run")
    key = lambda prediction: prediction.item_id  # noqa: E731
    assert sorted(again.predictions, key=key) == sorted(run.predictions, key=key)
    assert (again.signature, again.collection, again.settings) == (run.signature, run.collection, run.settings)
    assert find_runs(tmp_path) == [tmp_path / "run"] == find_runs(tmp_path / "run")
    save_run(run, tmp_path / "copy")
    assert load_run(tmp_path / "copy").predictions == run.predictions


def test_infinite_scores_are_stored(tmp_path):
    scores = Scores((float("-inf"), -1.0))
    run = evaluate(collection(3), Scripted(scores), folder=tmp_path / "run")
    assert {prediction.scores for prediction in load_run(tmp_path / "run").predictions} == {scores.values}
    assert load_run(tmp_path / "run").predictions == run.predictions


def test_another_run_in_the_folder_is_left_alone(stored, tmp_path):
    before = (stored / "predictions.jsonl").read_bytes()
    for other in ({"scoring": "full"}, {"collection": collection(41)}):
        with pytest.raises(InputError, match="this run was started with"):
            evaluate(**{"collection": collection(3), "model": Scripted(), "folder": stored, **other})
    assert (stored / "predictions.jsonl").read_bytes() == before

    def asked_of(question):
        one = schema("Rui viu Caio e {ele} riu.", ["Rui", "Caio"], answers=[0], question=question)
        return Collection(name="q", language="pt", schemas=(one,))

    evaluate(asked_of("Quem riu?"), Scripted(), folder=tmp_path / "other")
    with pytest.raises(InputError, match="this run was started with"):
        evaluate(asked_of("Quem é que riu?"), Scripted(), folder=tmp_path / "other")


@pytest.mark.parametrize("cut", [0, 1, 100, 5000, 20_000])
def test_a_file_cut_off_anywhere_is_completed(tmp_path, monkeypatch, cut):
    whole = evaluate(collection(120), Scripted(), folder=tmp_path / "run")
    path = tmp_path / "run" / "predictions.jsonl"
    path.write_bytes(path.read_bytes()[:cut])
    monkeypatch.setenv("WINOGLOT_CACHE", str(tmp_path / "empty"))
    solver = Scripted()
    again = evaluate(collection(120), solver, folder=tmp_path / "run")
    assert again.predictions == whole.predictions
    lines = [json.loads(line)["item_id"] for line in path.read_text().splitlines()]
    assert len(lines) == len(set(lines)) == 240
    assert len(set(solver.asked)) == len(solver.asked) <= 240


class Disturbed(Scripted):
    """A solver that does something else before it scores its third batch."""

    def __init__(self, disturb):
        super().__init__()
        self.disturb, self.batches = disturb, 0

    def score(self, questions, scorings):
        self.batches += 1
        if self.batches == 3:
            self.disturb()
        return super().score(questions, scorings)


def test_what_was_scored_before_an_interruption_is_stored(tmp_path):
    def interrupt():
        raise KeyboardInterrupt

    solver = Disturbed(interrupt)
    with pytest.raises(KeyboardInterrupt):
        evaluate(collection(120), solver, folder=tmp_path / "run")
    stored = [json.loads(line) for line in (tmp_path / "run" / "predictions.jsonl").read_text().splitlines()]
    assert [row["item_id"] for row in stored] == solver.asked
    assert {row["batch"] for row in stored} == {0, 1}
    assert evaluate(collection(120), Scripted(), folder=tmp_path / "run").predictions == (
        evaluate(collection(120), Scripted()).predictions
    )


def test_a_batch_that_cannot_be_stored_ends_the_run(tmp_path, monkeypatch):
    def fail(_number):
        raise OSError(28, "No space left on device")

    solver = Disturbed(lambda: monkeypatch.setattr(os, "fsync", fail))
    with pytest.raises(InputError, match="cannot be written: No space left on device"):
        evaluate(collection(240), solver, folder=tmp_path / "run")
    assert len(solver.asked) < 480
    monkeypatch.undo()
    monkeypatch.setenv("WINOGLOT_CACHE", str(tmp_path / "empty"))
    again = evaluate(collection(240), Scripted(), folder=tmp_path / "run")
    assert again.predictions == evaluate(collection(240), Scripted()).predictions


@pytest.mark.slow
def test_a_killed_run_goes_on_and_ends_the_same(tmp_path, monkeypatch, printed):
    """Real kills, at three moments."""
    texts = [item.text for item in collection(150).items]
    model = llama(tmp_path / "model", texts)
    wg.save(collection(150), tmp_path / "many.jsonl")
    command = ["evaluate", str(tmp_path / "many.jsonl"), "--model", f"causal:{model}"]
    command += ["--scoring", "partial,full", "--readings", "naive", "--batch-tokens", "64"]
    monkeypatch.setenv("WINOGLOT_CACHE", str(tmp_path / "none"))
    printed(*command, "-o", tmp_path / "whole")
    monkeypatch.setenv("WINOGLOT_CACHE", str(tmp_path / "killed-cache"))
    for lines in (1, 100, 200):
        started = subprocess.Popen(
            [sys.executable, "-c", MAIN, *command, "-o", str(tmp_path / "killed")], stdout=subprocess.DEVNULL
        )
        wait_until(lambda: _lines(tmp_path / "killed") >= lines, f"{lines} lines", started)  # noqa: B023
        started.kill()
        assert started.wait() == -signal.SIGKILL
    printed(*command, "-o", tmp_path / "killed")
    for one, other in zip(find_runs(tmp_path / "whole"), find_runs(tmp_path / "killed"), strict=True):
        key = lambda prediction: prediction.item_id  # noqa: E731
        left, right = (sorted(load_run(folder).predictions, key=key) for folder in (one, other))
        assert [(p.item_id, p.choice) for p in left] == [(p.item_id, p.choice) for p in right]
        for a, b in zip(left, right, strict=True):
            assert a.scores == pytest.approx(b.scores, abs=1e-4)
        assert len(right) == 300


@pytest.mark.slow
def test_a_folder_is_written_by_one_process_at_a_time(tmp_path):
    """Two real processes with the same command; the first waits until the second has given up, and is killed."""
    program = (
        "import time; "
        "from winoglot.models.baselines import RuleSolver; score = RuleSolver.score; "
        "RuleSolver.score = lambda *a: (print('scoring', flush=True), {wait}, score(*a))[2]; "
        "from winoglot.cli.main import main; main()"
    )
    command = ["evaluate", "winoglot-pt", "--model", "longer", "-o", str(tmp_path / "runs")]
    slow = [sys.executable, "-c", program.format(wait="time.sleep(60)"), *command]
    plain = [sys.executable, "-c", program.format(wait="0"), *command]
    with subprocess.Popen(slow, stdout=subprocess.PIPE) as first:
        assert first.stdout.readline() == b"scoring\n"
        second = subprocess.run(plain, check=False, capture_output=True, text=True)
        assert (second.returncode, "scoring" in second.stdout) == (2, False)
        assert f"another process is working here (process {first.pid} on " in second.stderr
        first.kill()
    subprocess.run(plain, check=True, capture_output=True)
    (folder,) = find_runs(tmp_path / "runs")
    ids = [json.loads(line)["item_id"] for line in (folder / "predictions.jsonl").read_text().splitlines()]
    assert len(ids) == len(set(ids)) == len(wg.load("winoglot-pt").items)
    assert not (folder / LOCK).exists()


def test_a_run_killed_while_its_first_file_is_written_begins_again(tmp_path):
    command = ["evaluate", six_file("pt"), "--model", "longer", "-o", str(tmp_path / "runs")]
    killing = f"import os; os.fsync = lambda _: os.kill(os.getpid(), 9); {MAIN}"
    killed = subprocess.run([sys.executable, "-c", killing, *command], check=False, capture_output=True)
    left = [path for path in tmp_path.glob("runs/**/.winoglot-*") if path.name != LOCK]
    assert (killed.returncode, len(left)) == (-signal.SIGKILL, 1)
    subprocess.run([sys.executable, "-c", MAIN, *command], check=True, capture_output=True)
    assert len(load_run(find_runs(tmp_path / "runs")[0]).predictions) == len(six("pt").items)


def _lines(folder):
    files = list(folder.glob("*/predictions.jsonl"))
    return min((file.read_bytes().count(b"\n") for file in files), default=0) if files else 0


def test_runs_deeper_in_a_folder_are_pointed_to(tmp_path):
    for name in ("old", "new"):
        evaluate(collection(2), Scripted(), folder=tmp_path / name / "run")
    with pytest.raises(InputError, match=rf"Name the folders inside it that have runs: {tmp_path}/new {tmp_path}/old"):
        find_runs(tmp_path)
    with pytest.raises(InputError, match="Name the folders inside it that have runs"):
        find_runs(tmp_path.parent)
    with pytest.raises(InputError, match="this is a folder of runs, not a run"):
        load_run(tmp_path / "old")
    with pytest.raises(InputError, match="there is no run in"):
        find_runs(tmp_path / "nowhere")


def test_a_run_that_lacks_a_file_is_not_left_out_or_adopted_silently(stored, tmp_path):
    evaluate(collection(3), Scripted(), folder=tmp_path / "other")
    (stored / "collection.jsonl").rename(stored.parent / "items")
    with pytest.raises(InputError, match=r"the items of the run are missing\. Remove the folder of this run"):
        load_run(stored)
    (stored.parent / "items").rename(stored / "collection.jsonl")
    (stored / "run.json").unlink()
    with pytest.raises(InputError, match=r"run: predictions without a description: run\.json is missing"):
        find_runs(tmp_path)
    before = {path: path.read_bytes() for path in stored.iterdir()}
    with pytest.raises(InputError, match="something other than a run"):
        evaluate(collection(3), Scripted(), folder=stored)
    assert {path: path.read_bytes() for path in stored.iterdir()} == before


@for_each(
    "line",
    [
        "garbage",
        '{"item_id": "s0.0"}',
        '{"item_id": "s0.0", "choice": 99, "scores": []}',
        '{"item_id": 3, "choice": 0, "scores": []}',
        '{"item_id": "s0.0", "choice": 0, "scores": []}',  # without the hash of the item
        *(json.dumps(FIRST | change) for change in WRONG),
        "[" * 100_000,
        "x" * 3_000_000,
    ],
)
def test_a_broken_line_in_the_middle_is_named(stored, line):
    path = stored / "predictions.jsonl"
    whole = path.read_text()
    lines = whole.splitlines()
    path.write_text("\n".join([lines[0], line, *lines[2:]]) + "\n")
    for call in (lambda: load_run(stored), lambda: evaluate(collection(3), Scripted(), folder=stored)):
        with pytest.raises(InputError, match="line 2"):
            call()
    assert path.read_text().splitlines()[2:] == lines[2:]
    path.write_text(whole)


def test_a_choice_that_its_scores_do_not_lead_to_is_named(stored):
    path = stored / "predictions.jsonl"
    *rows, last = written(stored)
    for other in {None, 0, 1} - {rows[0]["choice"]}:
        changed = {**rows[0], "choice": other}
        path.write_text("".join(json.dumps(row) + "\n" for row in (changed, *rows[1:], last)))
        with pytest.raises(InputError, match=f"line 1: .*{changed['item_id']}: its scores do not lead to the choice"):
            load_run(stored)
        with pytest.raises(InputError, match="its scores do not lead to the choice"):
            evaluate(collection(3), Scripted(), folder=stored)
    path.write_text("\n".join(map(json.dumps, [*rows, {**last, "choice": 1 - last["choice"]}])))
    with pytest.raises(InputError, match="its scores do not lead to the choice"):
        load_run(stored)  # an unfinished last line is not dropped if it was changed
    path.write_text("".join(json.dumps(row) + "\n" for row in (*rows, {**last, "item_id": "x9.0"})))
    with pytest.raises(InputError, match=r"x9\.0"):
        load_run(stored)


@pytest.mark.parametrize("name", ["run.json", "collection.jsonl", "predictions.jsonl"])
def test_only_plain_files_of_a_sensible_size_are_read(stored, tmp_path, name):
    path = stored / name
    path.unlink()
    os.mkfifo(tmp_path / "pipe")
    for target in (tmp_path / "pipe", "/dev/zero"):
        path.symlink_to(target)
        with pytest.raises(InputError, match=r"this is not a plain file|run\.json is missing"):
            load_run(stored)
        path.unlink()
    with path.open("wb") as file:
        file.truncate(2**30)  # takes no space on the disk
    with pytest.raises(InputError, match="the file has 1024 MiB, and at most 256 were expected"):
        load_run(stored)
    path.write_text("[" * 1_000_000 + "\n")
    with pytest.raises(InputError, match=r"nested too deeply|not JSON|line 1"):
        load_run(stored)


def test_a_probe_that_is_not_a_plain_file_is_refused(stored):
    (stored / "probes").mkdir()
    (stored / "probes" / "000000.npz").symlink_to("/dev/null")
    with pytest.raises(InputError, match=r"000000\.npz: this is not a plain file"):
        len(load_run(stored).probes)


@for_each(
    "edit",
    [
        {"made_with": [1]},
        {"settings": {"model": None}},
        {"settings": {"tolerance": None}},
        {"settings": {"renamed": 10**9}},
        {"settings": {"limit": "x"}},
        {"format": 9},
    ],
)
def test_a_broken_head_is_an_input_error(stored, edit):
    path = stored / "run.json"
    whole = path.read_text()
    head = json.loads(whole)
    for key, value in edit.items():
        head[key] = head[key] | value if isinstance(value, dict) else value
    path.write_text(json.dumps(head))
    with pytest.raises(InputError, match=r"run\.json"):
        load_run(stored)
    path.write_text(whole)


def test_a_solver_that_fails_leaves_no_empty_run(tmp_path):
    class Failing(Scripted):
        fingerprint = "failing"

        def score(self, questions, scorings):
            raise InputError("no such language", remedy="Use another.")

    with pytest.raises(InputError, match="language"):
        evaluate(collection(2), Failing(), folder=tmp_path / "run")
    assert not (tmp_path / "run").exists()


# folders that version 0.1 wrote


@pytest.fixture
def old(tmp_path):
    """A copy of the folder, without what lies beside the run."""
    folder = tmp_path / "run"
    folder.mkdir()
    for name in ("run.json", "collection.jsonl", "predictions.jsonl"):
        shutil.copy(OLD / name, folder / name)
    return folder


def rows(folder):
    lines = (folder / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
    return [{key: value for key, value in json.loads(line).items() if key not in ("seconds", "of")} for line in lines]


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
