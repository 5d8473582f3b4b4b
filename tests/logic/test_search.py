"""`logic search`, and what models for pairs refuse."""

import json
import signal
import subprocess
import sys
from dataclasses import replace
from itertools import product

import pytest

from cases import listed
from logic.small_pairs import TASK, pairs_of, write_data
from waiting import wait_until
from winoglot.errors import InputError
from winoglot.logic.pair import read_pairs, write_pairs
from winoglot.logic.solvers import evaluate, train
from winoglot.logic.solvers.encoding import Encoding
from winoglot.logic.solvers.recipes import find_pair_recipe
from winoglot.logic.solvers.search import default_space, search, trial_settings

TREES = ("trees=3..9",)
SMALL = ("hidden=8", "embedding=8", "batch=16")
pytestmark = pytest.mark.usefixtures("quick_training")


@pytest.fixture
def data(tmp_path):
    return write_data(tmp_path / "data", train=80, validation=20, test=20)


def test_what_is_not_installed_is_named(data, tmp_path, monkeypatch):
    made = train("bag", data, tmp_path / "model", settings=["trees=3"])
    file = tmp_path / "pairs.parquet"
    write_pairs(file, pairs_of("test", 4))
    for module, extra, call in (
        ("torch", "train", lambda: evaluate(made.address, data)),
        ("torch", "train", lambda: search("gru", data, tmp_path / "search")),
        ("accelerate", "train", lambda: train("gru", data, tmp_path / "other", device="cpu")),
        ("sklearn", "logic", lambda: train("bag", data, tmp_path / "other", device="cpu")),
        ("pyarrow", "logic", lambda: read_pairs(file)),
        ("pyarrow", "logic", lambda: write_pairs(tmp_path / "more.parquet", pairs_of("test", 4))),
    ):
        monkeypatch.setattr("winoglot.errors.find_spec", lambda name, lacks=module: None if name == lacks else True)
        with pytest.raises(InputError, match=r"not installed|needs pyarrow") as caught:
            call()
        assert caught.value.remedy == f'Run: pip install "winoglot[{extra}]"'


@pytest.mark.slow
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_a_search_which_the_same_command_continues(sent, data, tmp_path, run_winoglot):
    out = tmp_path / "search"
    space = [word for one in (*SMALL, "rate=0.01") for word in ("--space", one)]
    asked = ["logic", "search", "gru", "--data", data, *space, "--epochs", 60, "--trials", 2, "--device", "cpu", "-o"]
    go = "from winoglot.cli.main import main; main()"
    live = f"import signal; signal.signal(signal.SIGINT, signal.default_int_handler); {go}"
    process = subprocess.Popen(
        [sys.executable, "-c", live, *map(str, asked), str(out)], stderr=subprocess.PIPE, text=True
    )
    wait_until((out / "trial-0" / "config.json").exists, "a finished trial", process)
    state = out / "trial-1" / "checkpoints" / "last" / "state.json"
    wait_until(state.exists, "a checkpoint", process)
    process.send_signal(sent)
    said = process.communicate()[1]
    assert process.returncode == 130, said
    assert "Interrupted. Repeat the command to continue" in said
    assert state.exists()
    assert not (out / "trial-1" / "config.json").exists()
    finished = (out / "trial-0" / "config.json").stat().st_mtime_ns
    code, shown, said = run_winoglot(*asked, out, "--json")
    assert code == 0, said
    assert all(one["accuracy"] is not None for one in json.loads(shown))
    assert (out / "trial-0" / "config.json").stat().st_mtime_ns == finished


@pytest.mark.parametrize("split", ["train", "validation"])
def test_a_search_is_not_continued_on_other_pairs(split, data, tmp_path):
    search("bag", data, tmp_path / "search", space=TREES, trials=1, size=40)
    write_pairs(data / "en" / TASK / f"{split}.jsonl", pairs_of(split, 60, seed=1), force=True)
    with pytest.raises(InputError, match=r"the pairs have changed since the search in .* was started") as caught:
        search("bag", data, tmp_path / "search", space=TREES, trials=2, size=40)
    assert caught.value.file == str(data)
    assert "another folder with -o" in caught.value.remedy
    assert not (tmp_path / "search" / "trial-1").exists()


def test_pairs_that_change_during_a_search_stop_it(data, tmp_path):
    def change(_done, _total):
        write_data(data, train=90, seed=1)

    with pytest.raises(InputError, match="the pairs have changed"):
        search("bag", data, tmp_path / "search", space=TREES, trials=2, progress=change)
    assert not (tmp_path / "search" / "trial-1").exists()


def _recipes(model, space):
    return [find_pair_recipe(model, trial_settings(model, space, 0, number)) for number in range(30)]


@pytest.mark.parametrize("space", [default_space("transformer"), ("embedding=5..300", "heads=1,2,3,8")])
def test_all_transformers_drawn_can_divide_their_embedding(space):
    recipes = _recipes("transformer", space)
    assert len({recipe.embedding for recipe in recipes}) > 10
    assert all(recipe.embedding <= 500 and recipe.embedding % (2 * recipe.heads) == 0 for recipe in recipes)


def test_a_listed_embedding_is_not_rounded():
    with pytest.raises(InputError, match="100 units cannot be divided into 4 heads") as caught:
        trial_settings("transformer", ["embedding=100"], 0, 0)
    assert "a multiple of 8" in caught.value.remedy


def test_models_that_are_fine_tuned_are_tried_with_the_usual_values():
    for lora, model in product((False, True), ("masked:bert", "causal:gpt")):
        space = default_space(model, lora=lora)
        drawn = {setting for number in range(20) for setting in trial_settings(model, space, 0, number, lora=lora)}
        assert {"batch=16", "batch=32", "epochs=2", "epochs=4"} <= drawn
        assert ("rank=4" in drawn) == lora


def test_the_space_of_a_bag_is_the_size_of_its_forest():
    recipes = _recipes("bag", default_space("bag"))
    assert len({recipe.trees for recipe in recipes}) > 10
    assert {replace(recipe, trees=1) for recipe in recipes} == {find_pair_recipe("bag", ["trees=1"])}


@listed
def test_a_search_that_cannot_be_is_refused_and_leaves_nothing(change, message, data, tmp_path, refused):
    refused("logic", "search", "gru", "--data", data, *change, "-o", tmp_path / "new" / "search", says=message)
    assert not (tmp_path / "new").exists()


def test_a_file_is_searched_with_a_file_of_validation_pairs(data, tmp_path, printed, refused):
    own, output = data / "en" / TASK, tmp_path / "search"
    asked = ["logic", "search", "bag", "--data", own / "train.jsonl", "--space", "trees=5", "--trials", 1, "-o", output]
    refused(*asked, says="--validation FILE")
    assert not output.exists()
    assert "trees=5" in printed(*asked, "--validation", own / "validation.jsonl")


@pytest.mark.parametrize("setting", ["curriculum=-1", "clip=-1", "warmup=-5", "weight_decay=-1"])
def test_a_negative_setting_is_refused(setting):
    key, _, value = setting.partition("=")
    with pytest.raises(InputError, match=f"{key} is {value}") as caught:
        find_pair_recipe("gru", [setting])
    assert caught.value.remedy.endswith(f"number of at least 0: --set {key}=…")
    assert getattr(find_pair_recipe("gru", [f"{key}=0"]), key) == 0


def test_a_bag_learns_from_pairs_without_one_of_the_labels(data, tmp_path):
    """Of three labels, `contradiction` comes first and does not occur, so the others would be shifted."""
    own = tmp_path / "data3"
    write_data(own, labels="nli", train=80, validation=20, test=20)
    changed = {"contradiction": "neutral"}
    for split in ("train", "validation", "test"):
        file = own / "en" / TASK / f"{split}.jsonl"
        write_pairs(
            file, [replace(pair, label=changed.get(pair.label, pair.label)) for pair in read_pairs(file)], force=True
        )
    made = train("bag", own, tmp_path / "model", settings=["trees=20"])
    assert made.accuracy > 0.9
    (run,) = evaluate(made.address, own)
    assert run.accuracy().value > 0.9
    assert all(one.scores[0] == 0 for one in run.predictions)


def test_a_bag_refuses_another_language(data, tmp_path):
    made = train("bag", data, tmp_path / "model", settings=["trees=3"])
    assert evaluate(made.address, data)
    with pytest.raises(InputError, match=r"is in pt, but logic:.* was trained in en") as caught:
        evaluate(made.address, write_data(tmp_path / "pt", language="pt"))
    assert "tokens=bytes" in caught.value.remedy


@listed
def test_too_many_names_and_names_of_a_new_kind_are_different_mistakes(names, message, remedy):
    pair = replace(
        pairs_of("test", 2)[0], premise="Ana saw Ben.", hypothesis="Ben saw Ana.", names={"p0": "Ana", "p1": "Ben"}
    )
    encoding = Encoding.of([pair], "words", "premise-hypothesis", 2)
    with pytest.raises(InputError, match=message) as caught:
        encoding.encode([replace(pair, premise="Ana saw Ben Eva.", names=names)])
    assert remedy in caught.value.remedy
