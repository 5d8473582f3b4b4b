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
from items import schema
from runs.scripted import Scripted, collection
from six_schemas import six, six_file
from tiny_models import llama
from waiting import wait_until
from winoglot import InputError
from winoglot.folders import LOCK
from winoglot.runs.evaluate import evaluate
from winoglot.runs.store import find_runs, load_run, save_run
from winoglot.schemas.model import Collection

OLD = Path(__file__).parent / "old_run"
KINDS = ["switched", "segment-masked"]
FIRST = {"item_id": "s0.1", "item_hash": "x", "choice": 1, "scores": [1.0, 2.0]}
WRONG = [
    ("choice", True),
    ("scores", [1.0, 2.0, 0.0]),  # more than there are candidates
    ("scores", "12"),
    ("fallback", 3),
    ("tokens", "x"),
    ("unknown", -1),
    ("seconds", None),
    ("window", []),
]


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("WINOGLOT_CACHE", str(tmp_path / "cache"))


def test_a_stored_run_is_the_run(tmp_path):
    run = evaluate(collection(), Scripted(), kinds=["switched"], folder=tmp_path / "run")
    again = load_run(tmp_path / "run")
    key = lambda prediction: prediction.item_id  # noqa: E731
    assert sorted(again.predictions, key=key) == sorted(run.predictions, key=key)
    assert (again.signature, again.collection, again.settings) == (run.signature, run.collection, run.settings)
    assert find_runs(tmp_path) == [tmp_path / "run"] == find_runs(tmp_path / "run")
    save_run(run, tmp_path / "copy")
    assert load_run(tmp_path / "copy").predictions == run.predictions


def test_another_run_in_the_folder_is_left_alone(tmp_path):
    evaluate(collection(), Scripted(), folder=tmp_path / "run")
    before = (tmp_path / "run" / "predictions.jsonl").read_bytes()
    with pytest.raises(InputError, match="this run was started with"):
        evaluate(collection(), Scripted(), scoring="full", folder=tmp_path / "run")
    with pytest.raises(InputError, match="this run was started with"):
        evaluate(collection(41), Scripted(), folder=tmp_path / "run")
    assert (tmp_path / "run" / "predictions.jsonl").read_bytes() == before


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
def test_a_killed_run_goes_on_and_ends_the_same(tmp_path, monkeypatch, run_winoglot):
    """Real kills, at three moments."""
    texts = [item.text for item in collection(150).items]
    model = llama(tmp_path / "model", texts)
    wg.save(collection(150), tmp_path / "many.jsonl")
    command = [
        "evaluate",
        str(tmp_path / "many.jsonl"),
        "--model",
        f"causal:{model}",
        "--scoring",
        "partial,full",
        "--readings",
        "naive",
        "--batch-tokens",
        "64",
    ]
    monkeypatch.setenv("WINOGLOT_CACHE", str(tmp_path / "none"))
    assert run_winoglot(*command, "-o", tmp_path / "whole")[0] == 0
    monkeypatch.setenv("WINOGLOT_CACHE", str(tmp_path / "killed-cache"))
    start = [sys.executable, "-c", "from winoglot.cli.main import main; main()"]
    for lines in (1, 100, 200):
        started = subprocess.Popen([*start, *command, "-o", str(tmp_path / "killed")], stdout=subprocess.DEVNULL)
        wait_until(lambda: _lines(tmp_path / "killed") >= lines, f"{lines} lines", started)  # noqa: B023
        started.kill()
        assert started.wait() == -signal.SIGKILL
    assert run_winoglot(*command, "-o", tmp_path / "killed")[0] == 0
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
    program = "import os; os.fsync = lambda _: os.kill(os.getpid(), 9); from winoglot.cli.main import main; main()"
    command = ["evaluate", six_file("pt"), "--model", "longer", "-o", str(tmp_path / "runs")]
    killed = subprocess.run([sys.executable, "-c", program, *command], check=False, capture_output=True)
    left = [path for path in tmp_path.glob("runs/**/.winoglot-*") if path.name != LOCK]
    assert (killed.returncode, len(left)) == (-signal.SIGKILL, 1)
    program = "from winoglot.cli.main import main; main()"
    subprocess.run([sys.executable, "-c", program, *command], check=True, capture_output=True)
    assert len(load_run(find_runs(tmp_path / "runs")[0]).predictions) == len(six("pt").items)


def _lines(folder):
    files = list(folder.glob("*/predictions.jsonl"))
    return min((file.read_bytes().count(b"\n") for file in files), default=0) if files else 0


def test_a_folder_that_cannot_be_written_is_an_input_error(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="cannot be written"):
        evaluate(collection(2), Scripted(), folder=tmp_path / "file" / "run")


def test_a_broken_run_file_is_an_input_error(tmp_path):
    evaluate(collection(2), Scripted(), folder=tmp_path / "run")
    (tmp_path / "run" / "run.json").write_text("{")
    with pytest.raises(InputError, match=r"run\.json"):
        load_run(tmp_path / "run")
    with pytest.raises(InputError, match="there is no run in"):
        find_runs(tmp_path / "nowhere")


def test_runs_deeper_in_a_folder_are_pointed_to(tmp_path):
    for name in ("old", "new"):
        evaluate(collection(2), Scripted(), folder=tmp_path / name / "run")
    with pytest.raises(InputError, match=rf"Name the folders inside it that have runs: {tmp_path}/new {tmp_path}/old"):
        find_runs(tmp_path)
    with pytest.raises(InputError, match="this is a folder of runs, not a run"):
        load_run(tmp_path / "old")


def test_a_run_without_its_description_is_not_left_out_silently(tmp_path):
    for name in ("old", "new"):
        evaluate(collection(2), Scripted(), folder=tmp_path / name)
    (tmp_path / "old" / "run.json").unlink()
    with pytest.raises(InputError, match=r"old: predictions without a description: run\.json is missing"):
        find_runs(tmp_path)


def test_a_run_without_its_items_says_how_to_make_it_again(tmp_path):
    evaluate(collection(2), Scripted(), folder=tmp_path / "run")
    (tmp_path / "run" / "collection.jsonl").unlink()
    with pytest.raises(InputError, match=r"the items of the run are missing\. Remove the folder of this run"):
        load_run(tmp_path / "run")


def test_another_question_or_reading_is_another_run(tmp_path):
    def asked_of(question):
        one = schema("Rui viu Caio e {ele} riu.", ["Rui", "Caio"], answers=[0], question=question)
        return Collection(name="q", language="pt", schemas=(one,))

    evaluate(asked_of("Quem riu?"), Scripted(), folder=tmp_path / "run")
    with pytest.raises(InputError, match="this run was started with"):
        evaluate(asked_of("Quem é que riu?"), Scripted(), folder=tmp_path / "run")


def test_predictions_without_their_run_are_not_adopted(tmp_path):
    evaluate(collection(2), Scripted(), folder=tmp_path / "run")
    (tmp_path / "run" / "run.json").unlink()
    with pytest.raises(InputError, match="something other than a run"):
        evaluate(collection(2), Scripted(), folder=tmp_path / "run")


def test_other_files_are_not_overwritten(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "collection.jsonl").write_text("mine")
    with pytest.raises(InputError, match="something other than a run"):
        evaluate(collection(2), Scripted(), folder=tmp_path / "mine")
    assert (tmp_path / "mine" / "collection.jsonl").read_text() == "mine"


@pytest.mark.parametrize(
    "line",
    [
        "garbage",
        '{"item_id": "s0.0"}',
        '{"item_id": "s0.0", "choice": 99, "scores": []}',
        '{"item_id": 3, "choice": 0, "scores": []}',
        '{"item_id": "s0.0", "choice": 0, "scores": [], "item_hash": "x", "batch": "x"}',
        '{"item_id": "s0.0", "choice": 0, "scores": []}',  # without the hash of the item
        '{"item_id": "s0.0", "choice": 0, "scores": [], "item_hash": "x", "note": ["x"]}',
        *(json.dumps({**FIRST, key: value}) for key, value in WRONG),
        json.dumps(FIRST | {"item_id": "s0.0"}),  # a second answer
        "[" * 100_000,
        "x" * 3_000_000,
    ],
)
def test_a_broken_line_in_the_middle_is_named(tmp_path, line):
    evaluate(collection(3), Scripted(), folder=tmp_path / "run")
    path = tmp_path / "run" / "predictions.jsonl"
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], line, *lines[2:]]) + "\n")
    with pytest.raises(InputError, match="line 2"):
        load_run(tmp_path / "run")
    with pytest.raises(InputError, match="line 2"):
        evaluate(collection(3), Scripted(), folder=tmp_path / "run")
    assert path.read_text().splitlines()[2:] == lines[2:]


def test_a_choice_that_its_scores_do_not_lead_to_is_named(tmp_path):
    evaluate(collection(3), Scripted(), folder=tmp_path / "run")
    path = tmp_path / "run" / "predictions.jsonl"
    first, *rows = map(json.loads, path.read_text().splitlines())
    for other in {None, 0, 1} - {first["choice"]}:
        path.write_text("".join(json.dumps(row) + "\n" for row in ({**first, "choice": other}, *rows)))
        with pytest.raises(InputError, match=f"line 1: .*{first['item_id']}: its scores do not lead to the choice"):
            load_run(tmp_path / "run")
        with pytest.raises(InputError, match="its scores do not lead to the choice"):
            evaluate(collection(3), Scripted(), folder=tmp_path / "run")


@pytest.mark.parametrize("name", ["run.json", "collection.jsonl", "predictions.jsonl"])
def test_only_plain_files_of_a_sensible_size_are_read(tmp_path, name):
    evaluate(collection(2), Scripted(), folder=tmp_path / "run")
    path = tmp_path / "run" / name
    path.unlink()
    os.mkfifo(tmp_path / "pipe")
    for target in (tmp_path / "pipe", "/dev/zero"):
        path.symlink_to(target)
        with pytest.raises(InputError, match=r"this is not a plain file|run\.json is missing"):
            load_run(tmp_path / "run")
        path.unlink()
    with path.open("wb") as file:
        file.truncate(2**30)  # takes no space on the disk
    with pytest.raises(InputError, match="the file has 1024 MiB, and at most 256 were expected"):
        load_run(tmp_path / "run")


def test_a_probe_that_is_not_a_plain_file_is_refused(tmp_path):
    evaluate(collection(2), Scripted(), folder=tmp_path / "run")
    (tmp_path / "run" / "probes").mkdir()
    (tmp_path / "run" / "probes" / "000000.npz").symlink_to("/dev/null")
    with pytest.raises(InputError, match=r"000000\.npz: this is not a plain file"):
        len(load_run(tmp_path / "run").probes)


def test_a_changed_choice_in_an_unfinished_last_line_is_not_dropped(tmp_path):
    evaluate(collection(2), Scripted(), folder=tmp_path / "run")
    path = tmp_path / "run" / "predictions.jsonl"
    *rows, last = map(json.loads, path.read_text().splitlines())
    lines = [*map(json.dumps, rows), json.dumps({**last, "choice": 1 - last["choice"]})]
    path.write_text("\n".join(lines))
    with pytest.raises(InputError, match="its scores do not lead to the choice"):
        load_run(tmp_path / "run")


@pytest.mark.parametrize("name", ["run.json", "collection.jsonl"])
def test_a_file_nested_without_end_is_an_input_error(tmp_path, name):
    evaluate(collection(2), Scripted(), folder=tmp_path / "run")
    (tmp_path / "run" / name).write_text("[" * 1_000_000)
    with pytest.raises(InputError, match=r"nested too deeply|not JSON"):
        load_run(tmp_path / "run")


def test_an_answer_to_an_unknown_item_is_named(tmp_path):
    evaluate(collection(2), Scripted(), folder=tmp_path / "run")
    path = tmp_path / "run" / "predictions.jsonl"
    path.write_text(path.read_text().replace("s1.0", "x9.0"))
    with pytest.raises(InputError, match=r"x9\.0"):
        load_run(tmp_path / "run")


@pytest.mark.parametrize(
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
def test_a_broken_head_is_an_input_error(tmp_path, edit):
    evaluate(collection(2), Scripted(), folder=tmp_path / "run")
    path = tmp_path / "run" / "run.json"
    head = json.loads(path.read_text())
    for key, value in edit.items():
        head[key] = head[key] | value if isinstance(value, dict) else value
    path.write_text(json.dumps(head))
    with pytest.raises(InputError, match=r"run\.json"):
        load_run(tmp_path / "run")


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
