import io
import json
import math
import shutil
import sys
from contextlib import redirect_stdout

import pytest

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


def test_a_model_is_measured_and_generates_text(model, corpus, run_winoglot):
    code, out, _ = run_winoglot("perplexity", model, "--corpus", corpus, "--split", "valid", "--json")
    found = json.loads(out)
    assert code == 0
    assert found.keys() == {"perplexity", "loss", "tokens", "unknown_share"}
    assert found["perplexity"] == pytest.approx(math.exp(found["loss"]))
    code, out, _ = run_winoglot("perplexity", f"lm:{model}", "--corpus", corpus)
    assert out.startswith("perplexity ")
    assert out.endswith(" of the words are <unk>\n")
    code, out, _ = run_winoglot("generate", model, "--tokens", 9, "--seed", 3, "--json", "--prompt", "O gato")
    assert len(json.loads(out)["tokens"]) == 9
    again = run_winoglot("generate", model, "--tokens", 9, "--seed", 3, "--prompt", "O gato")[1]
    assert again.startswith("O gato ")
    assert "<eos>" not in again


def test_the_share_of_unknown_words_is_that_of_the_corpus(model, corpus, run_winoglot):
    known = json.loads((corpus / "corpus.json").read_bytes())["splits"]["valid"]["unknown_share"]
    found = json.loads(run_winoglot("perplexity", model, "--corpus", corpus, "--split", "valid", "--json")[1])
    assert found["unknown_share"] == known > 0


def test_a_perplexity_too_large_for_a_number_is_infinite(corpus, tmp_path, run_winoglot):
    arguments = ("--corpus", corpus, "--epochs", 1, "--set", "rate=100000", "--set", "clip=0", *SMALL)
    code, out, _ = run_winoglot("train", "lstm-small", *arguments, "-o", tmp_path / "m")
    assert (code, ", perplexity infinite, at step " in out) == (0, True), out
    out = run_winoglot("perplexity", tmp_path / "m", "--corpus", corpus)[1]
    assert out.startswith("perplexity infinite over ")
    out = run_winoglot("perplexity", tmp_path / "m", "--corpus", corpus, "--json")[1]
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
def test_a_name_that_is_no_folder_says_what_would_do(name, corpus, run_winoglot):
    remedy = "Only language models trained with `winoglot train`, given as DIR or lm:DIR, can"
    code, _, err = run_winoglot("perplexity", name, "--corpus", corpus)
    assert (code, f"{name}: not the folder of a language model. {remedy} be measured." in err) == (2, True), err
    code, _, err = run_winoglot("generate", name)
    assert (code, f"{remedy} generate text." in err) == (2, True), err


def test_resuming_and_starting_over_must_be_requested(model, corpus, tmp_path, run_winoglot):
    model = shutil.copytree(model, tmp_path / "m")
    arguments = ("train", "lstm-small", "--corpus", corpus, "-o", model, *SMALL)
    code, _, err = run_winoglot(*arguments)
    assert (code, "--resume" in err) == (2, True)
    code, out, _ = run_winoglot(*arguments, "--epochs", 3, "--resume", "--json")
    assert code == 0
    assert len(json.loads(out)["losses"]["checks"]) == 3
    code, _, err = run_winoglot(*arguments, "--resume", "--force")
    assert (code, "Give only one of them" in err) == (2, True)


def test_a_dry_run_says_what_it_would_take_and_writes_nothing(corpus, tmp_path, run_winoglot):
    code, out, _ = run_winoglot("train", "lstm-small", "--corpus", corpus, "--dry-run", "--json", *SMALL)
    found = json.loads(out)
    assert code == 0
    assert found["parameters"] > 0
    assert found["memory"] > sum(found["parts"].values())
    assert found["tokens_per_second"] > 0
    assert found["minutes_an_epoch"] > 0
    code, out, _ = run_winoglot("train", "lstm-small", "--corpus", corpus, "--dry-run", "-o", tmp_path / "m", *SMALL)
    assert f"{found['parameters']} parameters" in out
    assert "minutes per epoch" in out
    assert not (tmp_path / "m").exists()


def test_what_does_not_fit_is_refused_before_it_begins(corpus, tmp_path, run_winoglot):
    arguments = ("train", "lstm-small", "--corpus", corpus, "-o", tmp_path / "m", "--set", "hidden=900000")
    for more in ((), ("--dry-run",)):
        code, _, err = run_winoglot(*arguments, *more)
        assert code == 2
        assert "needs about" in err
        assert "This would fit: the recipes" in err
        assert not (tmp_path / "m").exists()


def test_bad_input_is_one_line(corpus, tmp_path, run_winoglot):
    for arguments in (
        ("train", "lstm-tiny", "--corpus", corpus, "-o", tmp_path / "m"),
        ("train", "lstm-small", "--corpus", tmp_path, "-o", tmp_path / "m"),
        ("train", "lstm-small", "--corpus", corpus),
        ("train", "lstm-small", "--corpus", corpus, "-o", tmp_path / "m", "--set", "batch"),
        ("train", "lstm-small", "--corpus", corpus, "-o", tmp_path / "m", "--precision", "int8"),
        ("train", "lstm-small", "--corpus", corpus, "-o", tmp_path / "m", "--device", "tpu"),
        ("train", "lstm-small", "--corpus", corpus, "-o", tmp_path / "m", "--log-every", "0"),
        ("train", "lstm-small", "--corpus", corpus, "-o", tmp_path / "m", "--seed", "-1"),
        ("train", "lstm-small", "--corpus", corpus, "-o", tmp_path / "m", "--max-minutes", "nan"),
        ("train", "lstm-small", "--corpus", corpus, "-o", tmp_path / "m", "--checkpoint-minutes", "-2"),
        ("perplexity", tmp_path / "none", "--corpus", corpus),
        ("generate", tmp_path),
    ):
        code, out, err = run_winoglot(*arguments)
        assert (code, out, err.count("\n")) == (2, "", 1), err
        assert not (tmp_path / "m").exists()
