import io
import json
import math
import shutil
import sys
from contextlib import redirect_stdout

import pytest

from cases import listed
from corpus.corpus_making import build_small
from winoglot.cli.main import main

SMALL = [part for size in ("embedding=12", "hidden=18", "batch=3", "sequence=7") for part in ("--set", size)]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    return build_small(tmp_path_factory.mktemp("corpus")).path


@pytest.fixture(scope="module")
def trained(corpus, tmp_path_factory):
    """A model, and what was printed when it was trained."""
    folder = tmp_path_factory.mktemp("trained") / "m"
    arguments = ["train", "lstm-small", "--corpus", str(corpus), "--epochs", "2", "-o", str(folder), *SMALL]
    out = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out):
        patch.setattr(sys, "argv", ["winoglot", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
    assert not ended.value.code
    return folder, out.getvalue()


@pytest.fixture
def model(trained):
    return trained[0]


def test_a_training_says_what_it_made_and_draws_its_curves(trained):
    model, out = trained
    assert "parameters, " in out
    assert f"model: {model}" in out
    assert (model / "curves.svg").read_text(encoding="utf-8").startswith("<svg")


def test_a_model_is_measured_and_generates_text(model, corpus, printed):
    found = json.loads(printed("perplexity", model, "--corpus", corpus, "--split", "valid", "--json"))
    assert found.keys() == {"perplexity", "loss", "tokens", "unknown_share"}
    assert found["perplexity"] == pytest.approx(math.exp(found["loss"]))
    known = json.loads((corpus / "corpus.json").read_bytes())["splits"]["valid"]["unknown_share"]
    assert found["unknown_share"] == known > 0
    out = printed("perplexity", f"lm:{model}", "--corpus", corpus)
    assert out.startswith("perplexity ")
    assert out.endswith(" of the words are <unk>\n")
    generate = ("generate", model, "--tokens", 9, "--seed", 3, "--prompt", "O gato")
    assert len(json.loads(printed(*generate, "--json"))["tokens"]) == 9
    again = printed(*generate)
    assert again.startswith("O gato ")
    assert "<eos>" not in again


def test_a_perplexity_too_large_for_a_number_is_infinite(corpus, tmp_path, printed):
    arguments = ("--corpus", corpus, "--epochs", 1, "--set", "rate=100000", "--set", "clip=0", *SMALL)
    out = printed("train", "lstm-small", *arguments, "-o", tmp_path / "m")
    assert ", perplexity infinite, at step " in out
    assert printed("perplexity", tmp_path / "m", "--corpus", corpus).startswith("perplexity infinite over ")
    out = printed("perplexity", tmp_path / "m", "--corpus", corpus, "--json")
    assert "Infinity" not in out
    assert json.loads(out)["perplexity"] is None


@pytest.mark.parametrize(("recipe", "has"), [("lstm-small", True), ("context2vec", False)])
def test_context2vec_has_a_loss_and_no_perplexity(recipe, has, corpus, tmp_path, run_winoglot, on_terminal):
    on_terminal()
    arguments = ("--corpus", corpus, "--epochs", 1, "--log-every", 1, *SMALL, "-o", tmp_path / "m")
    code, out, bar = run_winoglot("train", recipe, *arguments)
    assert code == 0
    assert "validation loss " in out
    assert ", loss " in bar
    assert ("perplexity" in out, "perplexity" in bar) == (has, has)


@pytest.mark.parametrize("name", ["context2vec:m/ls", "gemma-3-270m", "lm:"])
def test_a_name_that_is_no_folder_says_what_would_do(name, corpus, refused):
    remedy = "Only language models trained with `winoglot train`, given as DIR or lm:DIR, can"
    reason = f"{name}: not the folder of a language model. {remedy} be measured."
    refused("perplexity", name, "--corpus", corpus, says=reason)
    refused("generate", name, says=f"{remedy} generate text.")


def test_resuming_and_starting_over_must_be_requested(model, corpus, tmp_path, printed, refused):
    model = shutil.copytree(model, tmp_path / "m")
    arguments = ("train", "lstm-small", "--corpus", corpus, "-o", model, *SMALL)
    refused(*arguments, says="--resume")
    out = printed(*arguments, "--epochs", 3, "--resume", "--json")
    assert len(json.loads(out)["losses"]["checks"]) == 3
    refused(*arguments, "--resume", "--force", says="Give only one of them")


def test_a_dry_run_says_what_it_would_take_and_writes_nothing(corpus, tmp_path, printed, refused):
    arguments = ("train", "lstm-small", "--corpus", corpus, *SMALL)
    found = json.loads(printed(*arguments, "--dry-run", "--json"))
    assert found["parameters"] > 0
    assert found["memory"] > sum(found["parts"].values())
    assert found["tokens_per_second"] > 0
    assert found["minutes_an_epoch"] > 0
    out = printed(*arguments, "--dry-run", "-o", tmp_path / "m")
    assert f"{found['parameters']} parameters" in out
    assert "minutes per epoch" in out
    for more in ((), ("--dry-run",)):
        too_large = ("-o", tmp_path / "m", "--set", "hidden=900000", *more)
        refused(*arguments, *too_large, says=["needs about", "This would fit: the recipes"])
    assert not (tmp_path / "m").exists()


@listed
def test_bad_input_is_refused_before_anything_is_trained(words, says, corpus, tmp_path, refused):
    refused("train", "lstm-small", "--corpus", corpus, "-o", tmp_path / "m", *words.split(), says=says)
    refused("train", "lstm-tiny", "--corpus", corpus, "-o", tmp_path / "m", says="lstm-small")
    refused("train", "lstm-small", "--corpus", tmp_path, "-o", tmp_path / "m", says="no corpus")
    assert not (tmp_path / "m").exists()
