import json
import math
import resource
import shutil

import pytest
import torch

from cases import listed
from corpus.corpus_making import build_small
from training.training_making import LANGUAGE_MODELS, last_step, small
from winoglot.corpus.reading import open_corpus
from winoglot.errors import InputError
from winoglot.training.checkpoint import TrainingFolder, read_log
from winoglot.training.loop import TrainingSettings, train
from winoglot.training.perplexity import measure
from winoglot.training.trained import load_trained


@pytest.mark.parametrize("name", LANGUAGE_MODELS)
def test_a_model_learns_and_is_there_to_be_loaded(name, corpus, models):
    loaded = load_trained(models / name)
    losses = loaded.config["losses"]
    assert min(losses["checks"]) == losses["valid"] < math.log(len(corpus.vocabulary))
    assert loaded.vocabulary.words == corpus.vocabulary.words
    assert loaded.language == "pt"
    assert loaded.config["recipe"]["layers"] == small(name).layers
    found = measure(loaded, corpus, "valid")
    assert found.tokens == len(corpus.split("valid").tokens)
    assert found.loss == pytest.approx(losses["valid"], abs=0.3)  # ten columns start anew there, one here


def test_the_same_seed_gives_the_same_model_and_the_caller_s_generator_is_left_alone(corpus, tmp_path):
    torch.manual_seed(7)
    before = torch.get_rng_state()
    for folder, seed in (("a", 1), ("b", 1), ("c", 2)):
        settings = TrainingSettings(seed=seed, log_every=1)
        ended = train(small("awd-lstm-small", "epochs=2"), corpus, tmp_path / folder, settings)
    a, b, c = ((tmp_path / folder / "model.safetensors").read_bytes() for folder in "abc")
    assert a == b != c
    assert torch.equal(torch.get_rng_state(), before)
    lines = read_log(tmp_path / "c" / "log.jsonl")  # every step is there once
    assert [line["step"] for line in lines if "loss" in line] == list(range(1, ended.state.step + 1))
    assert sum("valid_loss" in line for line in lines) == 2
    assert lines[-1]["tokens"] == 2 * (len(corpus.split("train").tokens) // 3 * 3)


def test_it_stops_early_and_keeps_the_best(corpus, tmp_path):
    ended = train(
        small("lstm-small", "rate=500", "clip=0", "sequence=35", "epochs=60", "patience=2"), corpus, tmp_path / "m"
    )
    losses = ended.config["losses"]["checks"]
    assert ended.why == "patience"
    assert losses.index(min(losses)) == len(losses) - 3
    best = load_trained(tmp_path / "m" / "checkpoints" / "best")
    assert best.config["losses"]["valid"] == min(losses)
    for name, value in load_trained(tmp_path / "m").module.state_dict().items():
        assert torch.equal(value, best.module.state_dict()[name])


def test_a_folder_in_use_is_not_touched_without_force(corpus, copied, tmp_path):
    recipe = small("lstm-small", "epochs=1")
    before = (copied / "model.safetensors").read_bytes()
    with pytest.raises(InputError, match=r"this model already exists. Continue it with --resume, start again with"):
        train(recipe, corpus, copied, TrainingSettings(seed=3))
    assert (copied / "model.safetensors").read_bytes() == before
    (copied / "config.json").unlink()
    with pytest.raises(InputError, match="an unfinished model already exists"):
        train(recipe, corpus, copied, TrainingSettings(seed=3))
    train(recipe, corpus, copied, TrainingSettings(seed=3), force=True)
    assert (copied / "model.safetensors").read_bytes() != before
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.tex").touch()
    with pytest.raises(InputError, match=r"contains something other than a model: thesis.tex"):
        train(recipe, corpus, tmp_path / "other", force=True)


def test_two_trainings_in_one_folder_exclude_each_other(corpus, tmp_path):
    def another(step, *_):
        if step == 1:
            with pytest.raises(InputError, match=r"another process is working here \(process \d+ on "):
                train(small("lstm-small"), corpus, tmp_path / "m", resume=True)

    train(small("lstm-small", "epochs=1"), corpus, tmp_path / "m", progress=another)
    assert {path.name for path in (tmp_path / "m").iterdir()} == {
        *("checkpoints", "config.json", "log.jsonl", "model.safetensors", "vocabulary.txt")
    }


def test_a_loss_that_is_not_a_number_stops_it_names_the_step_and_keeps_the_checkpoint(corpus, copied, tmp_path):
    recipe = small("lstm-small", "rate=3e38", "clip=0", "epochs=5")
    with pytest.raises(InputError, match=r"the loss is not a number at step \d+; there was no checkpoint yet"):
        train(recipe, corpus, tmp_path / "n")
    state = TrainingFolder(copied).state
    info = json.loads(state.read_bytes())
    before = info["course"]["step"]
    info["course"]["rate"] = 3e38
    state.write_text(json.dumps(info))
    files = {path: path.read_bytes() for path in (copied / "checkpoints").rglob("*") if path.is_file()}
    with pytest.raises(InputError, match=rf"at step \d+; the checkpoint of step {before} is kept") as error:
        train(small("lstm-small"), corpus, copied, resume=True)
    step = int(str(error.value).partition("at step ")[2].partition(";")[0])
    assert before < step <= before + 3
    assert {path: path.read_bytes() for path in files} == files


def test_a_corpus_that_changed_is_seen_when_going_on_and_while_training(tmp_path):
    corpus = build_small(tmp_path)
    recipe = small("lstm-small", "epochs=1")
    train(recipe, corpus, tmp_path / "m")
    (tmp_path / "2").mkdir()
    other = build_small(tmp_path / "2", min_count=1)
    with pytest.raises(InputError, match="the checkpoint belongs to another vocabulary"):
        train(recipe, other, tmp_path / "m", resume=True)
    (tmp_path / "3").mkdir()
    third = build_small(tmp_path / "3", seed=4)
    if third.vocabulary.words == corpus.vocabulary.words:
        with pytest.raises(InputError, match="the corpus has changed since the training was started"):
            train(recipe, third, tmp_path / "m", resume=True)

    def replaced(step, *_):
        if step == 3:
            for file in other.path.iterdir():
                shutil.copy(file, corpus.path)

    with pytest.raises(InputError, match="the corpus was changed while a model was trained on it"):
        train(recipe, corpus, tmp_path / "n", progress=replaced)
    train_file = corpus.path / "train.tokens"
    train_file.write_bytes(b"\1\0\0\0" + train_file.read_bytes()[4:])
    with pytest.raises(InputError, match="the files do not match"):
        train(recipe, open_corpus(corpus.path), tmp_path / "o")


@listed
def test_a_checkpoint_whose_description_was_changed_is_refused(corpus, copied, key, value):
    state = TrainingFolder(copied).state
    state.write_text(json.dumps(json.loads(state.read_bytes()) | {key: value}))
    with pytest.raises(InputError, match=str(copied)):
        train(small("lstm-small"), corpus, copied, resume=True)


def test_another_recipe_seed_or_precision_and_cut_weights_are_not_continued(corpus, copied):
    def refused(message, recipe=(), **settings):
        with pytest.raises(InputError, match=message):
            train(small("lstm-small", "epochs=1", *recipe), corpus, copied, TrainingSettings(**settings), resume=True)

    refused("this training was started with batch 3, not 4", ["batch=4"])
    refused("started with seed 0, not 1", seed=1)
    refused("started with precision 'float32', not 'bfloat16'", precision="bfloat16")
    (file,) = TrainingFolder(copied).last.glob("*.safetensors")
    file.write_bytes(file.read_bytes()[:-100])
    refused("the weights cannot be read", ["epochs=2"])


def test_a_resumed_model_is_described_as_one_trained_at_once(corpus, copied, tmp_path):
    train(small("lstm-small"), corpus, copied, resume=True)
    train(small("lstm-small"), corpus, tmp_path / "whole")
    one, other = (json.loads((folder / "config.json").read_bytes()) for folder in (copied, tmp_path / "whole"))
    del one["seconds"], other["seconds"]
    assert one == other
    assert (copied / "model.safetensors").read_bytes() == (tmp_path / "whole" / "model.safetensors").read_bytes()


def test_a_full_disk_loses_nothing(corpus, copied):
    """The largest size of a file stands for the disk's."""
    last = last_step(copied)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))
    try:
        with pytest.raises(InputError, match=r"cannot be written: .*Free some space, then continue with --resume"):
            train(small("lstm-small"), corpus, copied, resume=True)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert last_step(copied) == last
    assert not list(copied.rglob(".*safetensors"))
    assert load_trained(copied / "checkpoints" / "best")
    train(small("lstm-small"), corpus, copied, resume=True)


def test_a_device_without_memory_left_is_said_and_loses_nothing(corpus, tmp_path):
    def full(step, *_):
        if step == 20:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2 GiB.")

    with pytest.raises(InputError, match=r"CUDA out of memory. Use a smaller batch"):
        train(small("lstm-small"), corpus, tmp_path / "m", TrainingSettings(checkpoint_minutes=0), progress=full)
    assert last_step(tmp_path / "m") == 19
    train(small("lstm-small"), corpus, tmp_path / "m", resume=True)


def test_too_little_text_is_said_and_removes_nothing(corpus, copied, tmp_path):
    before = (copied / "model.safetensors").read_bytes()
    with pytest.raises(InputError, match="too few for a batch of 5000 columns"):
        train(small("lstm-small", "batch=5000"), corpus, copied, force=True)
    assert (copied / "model.safetensors").read_bytes() == before
    with pytest.raises(InputError, match="valid is empty"):
        train(small("lstm-small"), build_small(tmp_path, held_out=0), tmp_path / "n")


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


def test_what_no_training_can_be_run_with_is_refused():
    for given, message in (
        ({"seed": -1}, "the seed is -1"),
        ({"seed": 2**63}, "the seed is 9223372036854775808"),
        ({"max_minutes": -1.0}, "--max-minutes is -1"),
        ({"checkpoint_minutes": math.nan}, "--checkpoint-minutes is nan"),
        ({"log_every": 0}, "--log-every is 0"),
    ):
        with pytest.raises(InputError, match=message):
            TrainingSettings(**given)


def test_a_line_not_written_to_its_end_is_left_out_and_a_log_that_is_none_is_an_input_error(tmp_path):
    log = tmp_path / "log.jsonl"
    log.write_text('{"step": 1}\n{"step": 2}\n{"st')
    assert read_log(log) == [{"step": 1}, {"step": 2}]
    log.write_text("{}\nnot JSON\n")
    for path in (log, tmp_path / "none.jsonl"):
        with pytest.raises(InputError, match="cannot be read"):
            read_log(path)
