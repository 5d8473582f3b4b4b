"""A training that was ended, however, goes on as if nothing had happened: bit by bit on a processor."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
import torch

from training.training_making import SMALL, small
from winoglot.training.checkpoint import read_tensors
from winoglot.training.folder import Folder
from winoglot.training.log import read_log
from winoglot.training.loop import train
from winoglot.training.settings import Settings

ONE_THREAD = os.environ | {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
MAIN = [sys.executable, "-c", "from winoglot.cli.main import main; main()"]


def curve(folder):
    """The log without what depends on the machine's speed."""
    return [{key: value for key, value in line.items() if key != "seconds"} for line in read_log(Folder(folder).log)]


def assert_same(one, other):
    assert curve(one) == curve(other)
    assert (one / "model.safetensors").read_bytes() == (other / "model.safetensors").read_bytes()
    states = [Folder(folder).read_last() for folder in (one, other)]
    assert states[0][1].keys() == states[1][1].keys()
    for name, value in states[0][1].items():
        assert torch.equal(value, states[1][1][name]), name
    for state, _ in states:
        del state["course"]["seconds"], state["log_bytes"]
    assert states[0][0] == states[1][0]


@pytest.mark.parametrize("name", ["awd-lstm-small", "transformer-small"])
def test_killed_and_resumed_equals_undisturbed_step_by_step(name, corpus, tmp_path):
    recipe = small(name, "epochs=3")
    train(recipe, corpus, tmp_path / "whole", Settings(log_every=1))
    keys = ("embedding", "hidden", "heads", "inner", "batch", "sequence", "rate", "warmup")
    sizes = [f"{key}={getattr(recipe, key)}" for key in keys]
    arguments = ["train", name, "--corpus", corpus.path, "-o", tmp_path / "killed", "--epochs", 3, "--resume"]
    arguments += [part for size in sizes for part in ("--set", size)]
    arguments += ["--log-every", 1, "--checkpoint-minutes", 0, "--device", "cpu"]
    log = Folder(tmp_path / "killed").log
    for lines in (15, 60):  # in the first epoch, and once more later
        process = subprocess.Popen([*MAIN, *map(str, arguments)], env=ONE_THREAD)
        deadline = time.monotonic() + 120
        while process.poll() is None and (not log.exists() or len(log.read_bytes().splitlines()) < lines):
            assert time.monotonic() < deadline
            time.sleep(0.002)
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
        assert not (tmp_path / "killed" / "config.json").exists()
    ended = train(recipe, corpus, tmp_path / "killed", Settings(log_every=1), resume=True)
    assert ended.why == "epochs"
    assert_same(tmp_path / "whole", tmp_path / "killed")


def test_a_training_killed_before_its_first_checkpoint_begins_anew(corpus, tmp_path):
    recipe = small("lstm-small")
    train(recipe, corpus, tmp_path / "whole", Settings(log_every=5))
    (tmp_path / "killed").mkdir()
    (tmp_path / "killed" / "log.jsonl").write_text('{"step": 5, "epo')
    train(recipe, corpus, tmp_path / "killed", Settings(log_every=5), resume=True)
    assert_same(tmp_path / "whole", tmp_path / "killed")


def test_averages_and_rates_are_gone_on_with(corpus, tmp_path):
    numbers = ["rate=90", "clip=2", "patience=90", "sequence=20"]
    train(small("awd-lstm-small", *numbers, "epochs=14"), corpus, tmp_path / "whole")
    train(small("awd-lstm-small", *numbers, "epochs=12"), corpus, tmp_path / "parts")
    assert curve(tmp_path / "parts")[-1]["averaged"] > 0
    train(small("awd-lstm-small", *numbers, "epochs=14"), corpus, tmp_path / "parts", resume=True)
    assert_same(tmp_path / "whole", tmp_path / "parts")


def test_a_limit_of_time_gives_a_model_and_changes_nothing_of_what_comes_after(corpus, tmp_path):
    recipe = small("lstm-small")
    train(recipe, corpus, tmp_path / "whole")
    for _ in range(3):
        ended = train(recipe, corpus, tmp_path / "parts", Settings(max_minutes=0), resume=True)
        assert ended.why == "minutes"
        assert (tmp_path / "parts" / "model.safetensors").exists()
    assert ended.course.step == 3
    train(recipe, corpus, tmp_path / "parts", resume=True)
    assert_same(tmp_path / "whole", tmp_path / "parts")


def test_whoever_asks_it_to_stop_gets_a_checkpoint(corpus, tmp_path):
    arguments = ["train", "lstm-small", "--corpus", corpus.path, "-o", tmp_path / "m", "--epochs", 100_000]
    arguments += [part for size in (*SMALL, "patience=100000") for part in ("--set", size)]
    process = subprocess.Popen([*MAIN, *map(str, arguments)], env=ONE_THREAD, stderr=subprocess.PIPE, encoding="utf-8")
    log = Folder(tmp_path / "m").log
    deadline = time.monotonic() + 120
    while not log.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGTERM)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 1
    step = Folder(tmp_path / "m").last_step()
    assert f"Stopped at step {step}; go on with --resume." in told


def test_processes_together_have_the_curve_of_one_with_all_columns(corpus, tmp_path):
    recipe = small("awd-lstm-small", "batch=6", "rate=2", "epochs=2")  # a rate of 30 would make much of rounding
    train(recipe, corpus, tmp_path / "one", Settings(log_every=1))
    sizes = [part for size in (*SMALL, "rate=2") for part in ("--set", size)]
    arguments = ["train", "awd-lstm-small", "--corpus", corpus.path, "-o", tmp_path / "two", "--epochs", 2, *sizes]
    arguments += ["--log-every", 1, "--device", "cpu"]
    script = tmp_path / "run.py"
    script.write_text("from winoglot.cli.main import main\nmain()\n")
    # Despite its name this starts processes on whatever device they choose; --cpu alone would start one.
    launch = [sys.executable, "-m", "accelerate.commands.launch", "--multi_gpu", "--num_processes", "2"]
    launch += ["--num_machines", "1", "--mixed_precision", "no", "--dynamo_backend", "no"]
    launch += ["--main_process_port", str(free_port()), script]
    done = subprocess.run(
        [*map(str, launch), *map(str, arguments)],
        env=ONE_THREAD | {"HF_HOME": str(tmp_path)},
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    one, two = curve(tmp_path / "one"), curve(tmp_path / "two")
    assert len(one) == len(two)
    for ours, theirs in zip(one, two, strict=True):
        assert ours.keys() == theirs.keys()
        for key in ours:
            assert theirs[key] == pytest.approx(ours[key], rel=1e-4), (ours, theirs)
    config = json.loads((tmp_path / "two" / "config.json").read_bytes())
    assert (config["processes"], config["recipe"]["batch"]) == (2, 3)
    weights = [read_tensors(tmp_path / name / "model.safetensors") for name in ("one", "two")]
    for name, value in weights[0].items():
        assert torch.allclose(value, weights[1][name], atol=1e-3), name


def free_port():
    import socket

    with socket.socket() as opened:
        opened.bind(("127.0.0.1", 0))
        return opened.getsockname()[1]
