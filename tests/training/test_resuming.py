"""A training that was interrupted in any way continues as if nothing had happened: bit for bit on a processor."""

import json
import os
import signal
import subprocess
import sys
from functools import partial

import pytest
import torch

from processes import PROCESSES
from training.training_making import SMALL, last_checkpoint, last_step, small
from waiting import MOST, has_lines, wait_until
from winoglot.cli.main import main
from winoglot.corpus.reading import open_corpus
from winoglot.training.checkpoint import TrainingFolder, read_log, read_tensors
from winoglot.training.loop import TrainingSettings, train

ONE_THREAD = os.environ | {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


def curve(folder):
    """The log without what depends on the machine's speed."""
    lines = read_log(TrainingFolder(folder).log)
    return [{key: value for key, value in line.items() if key != "seconds"} for line in lines]


def assert_same(one, other):
    assert curve(one) == curve(other)
    assert (one / "model.safetensors").read_bytes() == (other / "model.safetensors").read_bytes()
    states = [last_checkpoint(folder) for folder in (one, other)]
    assert states[0][1].keys() == states[1][1].keys()
    for name, value in states[0][1].items():
        assert torch.equal(value, states[1][1][name]), name
    for state, _ in states:
        del state["course"]["seconds"], state["log_bytes"]
    assert states[0][0] == states[1][0]


def train_slowly(recipe, corpus, folder):
    """With a checkpoint after every step."""
    torch.set_num_threads(1)
    settings = TrainingSettings(log_every=1, checkpoint_minutes=0, device="cpu")
    train(recipe, open_corpus(corpus), folder, settings, resume=True)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["awd-lstm-small", "transformer-small"])
def test_killed_and_resumed_equals_undisturbed_step_by_step(name, corpus, tmp_path):
    recipe = small(name, "epochs=3")
    train(recipe, corpus, tmp_path / "whole", TrainingSettings(log_every=1))
    log = TrainingFolder(tmp_path / "killed").log
    for lines in (15, 60):  # in the first epoch, and once more later
        process = PROCESSES.Process(target=train_slowly, args=(recipe, corpus.path, tmp_path / "killed"))
        process.start()
        wait_until(partial(has_lines, log, lines), f"{lines} steps", process)
        process.kill()
        process.join(MOST)
        assert process.exitcode == -signal.SIGKILL
        assert not (tmp_path / "killed" / "config.json").exists()
    ended = train(recipe, corpus, tmp_path / "killed", TrainingSettings(log_every=1), resume=True)
    assert ended.why == "epochs"
    assert_same(tmp_path / "whole", tmp_path / "killed")


def test_a_training_killed_before_its_first_checkpoint_starts_again(corpus, tmp_path):
    recipe = small("lstm-small")
    train(recipe, corpus, tmp_path / "whole", TrainingSettings(log_every=5))
    (tmp_path / "killed").mkdir()
    (tmp_path / "killed" / "log.jsonl").write_text('{"step": 5, "epo')
    train(recipe, corpus, tmp_path / "killed", TrainingSettings(log_every=5), resume=True)
    assert_same(tmp_path / "whole", tmp_path / "killed")


def test_averages_and_rates_are_resumed(corpus, tmp_path):
    numbers = ["rate=90", "clip=2", "patience=90", "sequence=40"]
    train(small("awd-lstm-small", *numbers, "epochs=14"), corpus, tmp_path / "whole")
    train(small("awd-lstm-small", *numbers, "epochs=12"), corpus, tmp_path / "parts")
    assert curve(tmp_path / "parts")[-1]["averaged"] > 0
    train(small("awd-lstm-small", *numbers, "epochs=14"), corpus, tmp_path / "parts", resume=True)
    assert_same(tmp_path / "whole", tmp_path / "parts")


def test_a_time_limit_gives_a_model_and_changes_nothing_of_what_comes_after(corpus, tmp_path):
    recipe = small("lstm-small")
    train(recipe, corpus, tmp_path / "whole")
    for _ in range(3):
        ended = train(recipe, corpus, tmp_path / "parts", TrainingSettings(max_minutes=0), resume=True)
        assert ended.why == "minutes"
        assert (tmp_path / "parts" / "model.safetensors").exists()
        trained, checked = curve(tmp_path / "parts")
        assert (trained["step"], checked["step"]) == (ended.state.step, ended.state.step)
        assert (trained["loss"] > 0, checked["valid_loss"] > 0) == (True, True)
    assert ended.state.step == 3
    train(recipe, corpus, tmp_path / "parts", resume=True)
    assert_same(tmp_path / "whole", tmp_path / "parts")


def run_command(arguments, errors):
    torch.set_num_threads(1)
    sys.argv = ["winoglot", *map(str, arguments)]
    with errors.open("w", encoding="utf-8") as sys.stderr:
        main()


@pytest.mark.slow
def test_a_process_that_is_asked_to_stop_saves_a_checkpoint(corpus, tmp_path):
    arguments = ["train", "lstm-small", "--corpus", corpus.path, "-o", tmp_path / "m", "--epochs", 100_000]
    arguments += [part for size in (*SMALL, "patience=100000") for part in ("--set", size)]
    process = PROCESSES.Process(target=run_command, args=(arguments, tmp_path / "errors"))
    process.start()
    log = TrainingFolder(tmp_path / "m").log
    wait_until(log.exists, "a log", process)
    process.terminate()
    process.join(MOST)
    assert process.exitcode == 1
    step = last_step(tmp_path / "m")
    assert f"Stopped at step {step}; continue with --resume." in (tmp_path / "errors").read_text(encoding="utf-8")


@pytest.mark.slow
def test_processes_together_have_the_curve_of_one_with_all_columns(corpus, tmp_path):
    recipe = small("awd-lstm-small", "batch=6", "rate=2", "epochs=2")  # a rate of 30 would make much of rounding
    train(recipe, corpus, tmp_path / "one", TrainingSettings(log_every=1))
    sizes = [part for size in (*SMALL, "rate=2") for part in ("--set", size)]
    arguments = ["train", "awd-lstm-small", "--corpus", corpus.path, "-o", tmp_path / "two", "--epochs", 2, *sizes]
    arguments += ["--log-every", 1, "--device", "cpu"]
    script = tmp_path / "run.py"
    script.write_text("from winoglot.cli.main import main\nmain()\n")
    # Despite its name this starts processes on whatever device they choose; --cpu alone would start one.
    launch = [sys.executable, "-m", "accelerate.commands.launch", "--multi_gpu", "--num_processes", "2"]
    launch += ["--num_machines", "1", "--mixed_precision", "no", "--dynamo_backend", "no"]
    launch += ["--main_process_port", str(free_port()), script]
    how = {"env": ONE_THREAD | {"HF_HOME": str(tmp_path)}, "capture_output": True, "encoding": "utf-8", "timeout": 300}
    done = subprocess.run([*map(str, launch), *map(str, arguments)], check=False, **how)
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
