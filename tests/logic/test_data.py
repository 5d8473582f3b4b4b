"""Pairs of the published corpus as they come: by the names of their files, packed or not."""

import gzip
import json

import pytest

from winoglot.errors import InputError
from winoglot.logic.paper import build, write
from winoglot.logic.solvers.data import PairChoice, chosen_pairs, files_of, load_pairs


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("paper")
    sizes = {"train": 60, "test": 20, "proof": False}
    write([build(task, language, **sizes) for task in ("negation", "counting") for language in ("en", "pt")], folder)
    return folder


def test_the_files_of_the_corpus_are_a_data_set_whose_training_part_has_validation_pairs(folder):
    assert [(file.language, file.task) for file in files_of(folder, "test", PairChoice())] == [
        ("en", "counting"),
        ("en", "negation"),
        ("pt", "counting"),
        ("pt", "negation"),
    ]
    choice = PairChoice(("negation",), ("pt",))
    train, validation, test = (load_pairs(folder, split, choice) for split in ("train", "validation", "test"))
    assert (len(train), len(validation), len(test)) == (54, 6, 20)
    assert not {pair.id for pair in train} & {pair.id for pair in validation}
    assert {(pair.task, pair.language) for pair in (*train, *test)} == {("negation", "pt")}
    assert all(pair.names for pair in train)


def test_a_packed_file_alone_is_the_same(folder, tmp_path):
    path = tmp_path / "counting_train.csv.gz"
    path.write_bytes(gzip.compress((folder / "counting_train.csv").read_bytes()))
    (validation,) = chosen_pairs(path, "validation", PairChoice())
    assert len(validation) == 6
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(InputError, match="cannot be unpacked"):
        load_pairs(path, "train", PairChoice())


def test_a_row_of_another_layout_is_refused_with_its_line(folder, tmp_path):
    path = tmp_path / "counting_test.csv"
    path.write_text((folder / "counting_test.csv").read_text("utf-8").replace(",1,", ",yes,", 1), "utf-8")
    with pytest.raises(InputError, match="not a row of the published corpus") as caught:
        load_pairs(path, "test", PairChoice())
    assert caught.value.line


def test_a_model_learns_from_the_files_and_is_asked_about_them(folder, printed, tmp_path):
    model = tmp_path / "bag"
    assert "54 pairs of negation" in printed(
        "logic", "train", "bag", "--data", folder, "--task", "negation", "--language", "en", "-o", model
    )
    test = folder / "simple_negation_test.csv"
    rows = json.loads(printed("logic", "evaluate", f"logic:{model}", "--data", test, "-o", tmp_path / "runs", "--json"))
    assert rows[0]["accuracy"]["n"] == 20


def test_splits_may_share_names_and_languages_stand_side_by_side(printed, tmp_path):
    options = ["--paper", "--task", "negation", "--language", "en", "--language", "pt", "--train", "40", "--test", "40"]
    printed("logic", "generate", *options, "--overlap", "full", "--no-proof", "-o", tmp_path)
    train, test = (load_pairs(tmp_path, split, PairChoice(languages=("pt",))) for split in ("train", "test"))
    names = [{name for pair in pairs for name in pair.names.values()} for pairs in (train, test)]
    assert names[0] & names[1]
    card = (tmp_path / "README.md").read_text("utf-8")
    assert "--language en --language pt --seed 0 --overlap full" in card
    assert "Train and test draw on the same names." in card


def test_the_published_files_are_read_as_they_are(public_data):
    folder = public_data / "logic"
    files = {split: files_of(folder, split, PairChoice()) for split in ("train", "validation", "test")}
    assert {split: len(found) for split, found in files.items()} == {"train": 14, "validation": 14, "test": 14}
    choice = PairChoice(("comparison",), ("pt",))
    sizes = [len(load_pairs(folder, split, choice)) for split in ("train", "validation", "test")]
    assert sizes == [8997, 999, 996]
