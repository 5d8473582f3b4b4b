"""`winoglot finetune`, with data of every kind that it is meant for."""

import json
from dataclasses import replace

import pytest

import winoglot as wg
from cases import listed
from corpus.corpus_making import write_story
from six_schemas import six

QUICK = [part for one in ("batch=8", "epochs=1", "rate=1e-3") for part in ("--set", one)]


@pytest.fixture
def tune(folders, run_winoglot, tmp_path):
    def call(*arguments, out="m"):
        model, folder = f"causal:{folders['causal']}", tmp_path / out
        return run_winoglot("finetune", model, "-o", folder, "--device", "cpu", *QUICK, *arguments)

    return call


@pytest.fixture
def winogrande(twenty, tmp_path):
    """Twenty schemas as WinoGrande stores them."""
    wg.save(twenty, tmp_path / "train.jsonl", "winogrande")
    return tmp_path / "train.jsonl"


def test_a_size_of_winogrande_is_learnt_from_and_another_collection_asked(tune, winogrande, twenty, tmp_path):
    wg.save(replace(twenty, schemas=twenty.schemas[:3], name="three"), tmp_path / "three.yaml")
    arguments = ("--data", winogrande, "--size", 20, "--evaluate", tmp_path / "three.yaml")
    code, out, err = tune(*arguments, "--lora")
    assert code == 0
    assert "6 items not learnt from: overlapping with what is evaluated.\n" in err
    assert "3 steps on 20 items: all epochs done\n" in out
    assert f"on 4 held-out items, at step 3; model: causal:{tmp_path / 'm'}\n" in out
    assert any(line.split()[:1] == ["three"] for line in out.splitlines())
    code, out, _ = tune(*arguments, "--json", "--allow-overlap", out="n")
    assert json.loads(out)["data"]["collections"] == ["train-en 1.0"]
    run = json.loads((tmp_path / "n" / "runs" / "three" / "run.json").read_bytes())
    assert (code, run["settings"]["overlap"]["overlapping"]) == (0, 6)


def test_blocks_as_in_dpr_and_items_made_from_text_are_learnt_from(tune, twenty, run_winoglot, tmp_path):
    blocks = []
    for item in twenty.items:
        names = [candidate.text for candidate in item.candidates]
        before, pronoun, after = item.parts
        blocks.append(f"{before}{pronoun}{after}\n{pronoun}\n{','.join(names)}\n{names[item.answer]}\n")
    (tmp_path / "dpr.txt").write_text("\n".join(blocks), encoding="utf-8")
    story = write_story(tmp_path / "story.txt")
    run_winoglot("corpus", "schemas", story, "--language", "en", "-o", tmp_path / "story.jsonl")
    code, out, err = tune("--data", tmp_path / "dpr.txt", "--data", tmp_path / "story.jsonl", "--json")
    assert (code, err) == (0, "")
    about = json.loads(out)["data"]
    assert about["collections"] == ["dpr-en 1.0", "generated-en 1.0"]
    assert about["items"] + about["held_out"] == 40 + 12


def test_progress_says_loss_held_out_accuracy_and_time_left(tune, winogrande, on_terminal):
    on_terminal()
    # Several epochs, since the bar is drawn ten times a second, and an epoch takes less.
    code, _, err = tune("--data", winogrande, "--log-every", 1, "--set", "epochs=12", "--set", "patience=12")
    assert code == 0
    for part in ("finetune", "tokens/s", "loss ", "held-out accuracy ", "0:00:0"):
        assert part in err


@listed
def test_bad_arguments_are_refused_before_anything_is_written(arguments, message, tune, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for language in ("en", "fr"):
        wg.save(six(language), f"six-{language}.yaml")
    code, _, err = tune(*arguments)
    assert (code, message in err) == (2, True)
    assert not (tmp_path / "m").exists()
