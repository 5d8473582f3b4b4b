import json
import math
import resource
import shutil
import subprocess
import sys

import pytest
import torch

from corpus.corpus_making import build_small
from training.training_making import LANGUAGE_MODELS, small
from winoglot.corpus.reading import open_corpus
from winoglot.errors import InputError
from winoglot.training.folder import Folder
from winoglot.training.log import read_log
from winoglot.training.loop import train
from winoglot.training.perplexity import measure
from winoglot.training.settings import Settings
from winoglot.training.trained import load_trained


@pytest.mark.parametrize("name", LANGUAGE_MODELS)
def test_a_model_learns_and_is_there_to_be_loaded(name, corpus, tmp_path):
    ended = train(small(name, "epochs=4", *(["rate=2"] if "awd" in name else [])), corpus, tmp_path / "m")
    losses = ended.config["losses"]["checks"]
    assert min(losses) == ended.config["losses"]["valid"] < math.log(len(corpus.vocabulary))
    loaded = load_trained(tmp_path / "m")
    assert loaded.vocabulary.words == corpus.vocabulary.words
    assert loaded.language == "pt"
    assert loaded.config == json.loads((tmp_path / "m" / "config.json").read_bytes())
    assert loaded.config["recipe"]["layers"] == small(name).layers
    found = measure(loaded, corpus, "valid")
    assert found.tokens == len(corpus.split("valid").tokens)
    assert found.loss == pytest.approx(min(losses), abs=0.3)  # ten columns begin anew there, one here


def test_the_same_seed_gives_the_same_model_and_another_one_another(corpus, tmp_path):
    for folder, seed in (("a", 1), ("b", 1), ("c", 2)):
        train(small("awd-lstm-small", "epochs=1"), corpus, tmp_path / folder, Settings(seed=seed))
    a, b, c = ((tmp_path / folder / "model.safetensors").read_bytes() for folder in "abc")
    assert a == b != c


def test_the_generator_of_whoever_calls_is_left_alone(corpus, tmp_path):
    torch.manual_seed(7)
    before = torch.get_rng_state()
    train(small("lstm-small", "epochs=1"), corpus, tmp_path / "m")
    assert torch.equal(torch.get_rng_state(), before)


def test_it_stops_early_and_keeps_the_best(corpus, tmp_path):
    ended = train(small("lstm-small", "rate=500", "clip=0", "epochs=60", "patience=2"), corpus, tmp_path / "m")
    losses = ended.config["losses"]["checks"]
    assert ended.why == "patience"
    assert losses.index(min(losses)) == len(losses) - 3
    best = load_trained(tmp_path / "m" / "checkpoints" / "best")
    assert best.config["losses"]["valid"] == min(losses)
    for name, value in load_trained(tmp_path / "m").module.state_dict().items():
        assert torch.equal(value, best.module.state_dict()[name])


def test_a_folder_in_use_is_not_touched_without_a_word(corpus, tmp_path):
    recipe = small("lstm-small", "epochs=1")
    train(recipe, corpus, tmp_path / "m")
    before = (tmp_path / "m" / "model.safetensors").read_bytes()
    with pytest.raises(InputError, match=r"a training is here already. Go on with it: --resume"):
        train(recipe, corpus, tmp_path / "m", Settings(seed=3))
    assert (tmp_path / "m" / "model.safetensors").read_bytes() == before
    train(recipe, corpus, tmp_path / "m", Settings(seed=3), force=True)
    assert (tmp_path / "m" / "model.safetensors").read_bytes() != before
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.tex").touch()
    with pytest.raises(InputError, match=r"holds something that is no model: thesis.tex"):
        train(recipe, corpus, tmp_path / "other", force=True)


def test_a_loss_that_is_not_a_number_stops_it_names_the_step_and_keeps_the_checkpoint(corpus, tmp_path):
    recipe = small("lstm-small", "rate=3e38", "clip=0", "epochs=5")
    with pytest.raises(InputError, match=r"the loss is not a number at step \d+; there was no checkpoint yet"):
        train(recipe, corpus, tmp_path / "m")
    good = small("lstm-small", "epochs=1", "schedule=constant")
    train(good, corpus, tmp_path / "n")
    state = Folder(tmp_path / "n").last / "state.json"
    info = json.loads(state.read_bytes())
    before = info["course"]["step"]
    info["course"]["rate"] = 3e38
    state.write_text(json.dumps(info))
    files = {path: path.read_bytes() for path in (tmp_path / "n" / "checkpoints").rglob("*") if path.is_file()}
    with pytest.raises(InputError, match=rf"at step \d+; the checkpoint of step {before} is kept") as error:
        train(small("lstm-small", "epochs=2", "schedule=constant"), corpus, tmp_path / "n", resume=True)
    step = int(str(error.value).partition("at step ")[2].partition(";")[0])
    assert before < step <= before + 3
    assert {path: path.read_bytes() for path in files} == files


def test_a_corpus_that_changed_is_seen_when_going_on_and_while_training(tmp_path):
    corpus = build_small(tmp_path)
    recipe = small("lstm-small", "epochs=1")
    train(recipe, corpus, tmp_path / "m")
    (tmp_path / "2").mkdir()
    other = build_small(tmp_path / "2", min_count=1)
    with pytest.raises(InputError, match="the checkpoint is of another vocabulary"):
        train(recipe, other, tmp_path / "m", resume=True)
    (tmp_path / "3").mkdir()
    third = build_small(tmp_path / "3", seed=4)
    if third.vocabulary.words == corpus.vocabulary.words:
        with pytest.raises(InputError, match="the corpus has changed since the training began"):
            train(recipe, third, tmp_path / "m", resume=True)

    def replaced(step, *_):
        if step == 3:
            for file in other.path.iterdir():
                shutil.copy(file, corpus.path)

    with pytest.raises(InputError, match="the corpus was changed while a model was trained on it"):
        train(recipe, corpus, tmp_path / "n", progress=replaced)
    train_file = corpus.path / "train.tokens"
    train_file.write_bytes(b"\1\0\0\0" + train_file.read_bytes()[4:])
    with pytest.raises(InputError, match="the files do not fit"):
        train(recipe, open_corpus(corpus.path), tmp_path / "o")


def test_another_recipe_seed_or_precision_is_no_going_on(corpus, tmp_path):
    recipe = small("lstm-small", "epochs=1")
    train(recipe, corpus, tmp_path / "m")
    with pytest.raises(InputError, match=r"began with batch 3, not 4"):
        train(small("lstm-small", "epochs=1", "batch=4"), corpus, tmp_path / "m", resume=True)
    with pytest.raises(InputError, match=r"began with seed 0, not 1"):
        train(recipe, corpus, tmp_path / "m", Settings(seed=1), resume=True)
    with pytest.raises(InputError, match=r"began with precision float32, not bfloat16"):
        train(recipe, corpus, tmp_path / "m", Settings(precision="bfloat16"), resume=True)


def test_a_truncated_checkpoint_is_refused(corpus, tmp_path):
    recipe = small("lstm-small", "epochs=1")
    train(recipe, corpus, tmp_path / "m")
    (file,) = Folder(tmp_path / "m").last.glob("*.safetensors")
    file.write_bytes(file.read_bytes()[:-100])
    with pytest.raises(InputError, match="the weights cannot be read"):
        train(small("lstm-small"), corpus, tmp_path / "m", resume=True)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("course", {}),
        ("course", 3),
        ("recipe", 3),
        ("averaged", 7),
        ("log_bytes", "x"),
        ("format", 9),
        ("weights", "x"),
    ],
)
def test_a_checkpoint_whose_description_was_changed_is_refused(corpus, tmp_path, key, value):
    train(small("lstm-small", "epochs=1"), corpus, tmp_path / "m")
    state = Folder(tmp_path / "m").state
    state.write_text(json.dumps(json.loads(state.read_bytes()) | {key: value}))
    with pytest.raises(InputError, match=str(tmp_path)):
        train(small("lstm-small"), corpus, tmp_path / "m", resume=True)


def test_a_full_disk_loses_nothing(corpus, tmp_path):
    recipe = small("lstm-small", "epochs=1")
    train(recipe, corpus, tmp_path / "m")
    last = Folder(tmp_path / "m").last_step()
    program = (
        "import resource, sys\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
        "from winoglot.cli.main import main\nmain()\n"
    )
    sizes = ["--set", "embedding=12", "--set", "hidden=18", "--set", "batch=3", "--set", "sequence=7"]
    arguments = [
        "train",
        "lstm-small",
        "--corpus",
        corpus.path,
        "-o",
        tmp_path / "m",
        "--resume",
        "--epochs",
        2,
        *sizes,
    ]
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 4096
    done = subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)], capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 2, done.stderr
    assert "cannot be written: " in done.stderr
    assert "Traceback" not in done.stderr
    assert Folder(tmp_path / "m").last_step() == last
    assert not list((tmp_path / "m").rglob(".*safetensors"))
    train(small("lstm-small"), corpus, tmp_path / "m", resume=True)
    train(small("lstm-small"), corpus, tmp_path / "n")
    assert (tmp_path / "m" / "model.safetensors").read_bytes() == (tmp_path / "n" / "model.safetensors").read_bytes()


def test_a_device_without_memory_left_is_said_and_loses_nothing(corpus, tmp_path):
    def full(step, *_):
        if step == 20:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2 GiB.")

    with pytest.raises(InputError, match=r"CUDA out of memory. Take a smaller batch"):
        train(small("lstm-small"), corpus, tmp_path / "m", Settings(checkpoint_minutes=0), progress=full)
    assert Folder(tmp_path / "m").last_step() == 19
    train(small("lstm-small"), corpus, tmp_path / "m", resume=True)


def test_a_training_that_cannot_begin_does_not_remove_another(corpus, tmp_path):
    train(small("lstm-small", "epochs=1"), corpus, tmp_path / "m")
    before = (tmp_path / "m" / "model.safetensors").read_bytes()
    with pytest.raises(InputError, match="too few for 5000 columns"):
        train(small("lstm-small", "batch=5000"), corpus, tmp_path / "m", force=True)
    assert (tmp_path / "m" / "model.safetensors").read_bytes() == before


def test_too_little_text_is_said(tmp_path):
    corpus = build_small(tmp_path)
    with pytest.raises(InputError, match="too few for 5000 columns"):
        train(small("lstm-small", "batch=5000"), corpus, tmp_path / "m")
    (tmp_path / "2").mkdir()
    with pytest.raises(InputError, match="valid is empty"):
        train(small("lstm-small"), build_small(tmp_path / "2", held_out=0), tmp_path / "m")


def test_the_log_has_the_perplexity_of_a_language_model_alone(corpus, tmp_path):
    """A loss with drawn words has none; null stands for one that is too large for a number."""
    checks = {}
    for name, *changes in (("lstm-small",), ("lstm-small", "rate=100000", "clip=0", "epochs=1"), ("context2vec",)):
        folder = tmp_path / str(len(checks))
        train(small(name, *changes), corpus, folder)
        checks[folder.name] = [line for line in read_log(folder / "log.jsonl") if "valid_loss" in line]
    learnt, large, drawn = checks.values()
    assert [line["perplexity"] for line in learnt] == pytest.approx([math.exp(line["valid_loss"]) for line in learnt])
    assert [(line["valid_loss"] > 700, line["perplexity"]) for line in large] == [(True, None)]
    assert drawn
    assert not any("perplexity" in line for line in drawn)


def test_the_log_has_every_step_once(corpus, tmp_path):
    ended = train(small("awd-lstm-small"), corpus, tmp_path / "m", Settings(log_every=1))
    lines = read_log(tmp_path / "m" / "log.jsonl")
    steps = [line["step"] for line in lines if "loss" in line]
    assert steps == list(range(1, ended.course.step + 1))
    assert sum("valid_loss" in line for line in lines) == 2
    tokens = len(corpus.split("train").tokens) // 3 * 3
    assert lines[-1]["tokens"] == 2 * tokens
