"""SNLI and MNLI as they are distributed: JSON Lines, or with tabs, with the gold label and parses of their own."""

import gzip
import json
from collections import Counter

import pytest

from cases import for_each, listed
from winoglot.errors import InputError
from winoglot.logic.audit.files import read_file
from winoglot.logic.solvers.data import PairChoice, load_pairs

TASKS = [("contradiction", "did not visit"), ("entailment", "visited"), ("neutral", "liked"), ("neutral", "saw")]
COLUMNS = ("gold_label", "sentence1_binary_parse", "sentence1_parse", "sentence1", "sentence2", "pairID", "label1")


def rows_of(count):
    """Twice as many neutral pairs as others, and one in ten without a gold label."""
    for number in range(count):
        label, verb = TASKS[number % len(TASKS)]
        premise, hypothesis = f'Ana visited "Rome {number}".', f"She {verb} Rome {number}."
        gold = "-" if number % 10 == 9 else label
        yield dict(zip(COLUMNS, (gold, "( Ana )", "(ROOT Ana)", premise, hypothesis, str(number), label), strict=True))


def write(folder, split, form, count=120):
    path = folder / f"snli_1.0_{split}.{form}"
    if form == "jsonl":
        text = "".join(json.dumps(row) + "\n" for row in rows_of(count))
    else:
        lines = ["\t".join(COLUMNS), *("\t".join(row.values()) for row in rows_of(count))]
        text = "\r\n".join(lines).replace("\t0\tcontradiction", "\t0") + "\n"  # the last cell may be absent
    path.write_bytes(gzip.compress(text.encode()) if form.endswith("gz") else text.encode())
    return path


@for_each("form", ["jsonl", "txt", "tsv", "txt.gz"])
def test_all_forms_are_the_same_pairs(form, tmp_path_factory):
    path = write(tmp_path_factory.mktemp("nli"), "train", form)
    read = read_file(path)
    assert (len(read.pairs), read.unlabelled, read.labels) == (108, 12, "nli")
    assert read.pairs[0].premise == 'Ana visited "Rome 0".'
    assert read.pairs[0].hypothesis == "She did not visit Rome 0."
    assert read.lines[1] == (2 if form == "jsonl" else 3)
    (pair, *_) = load_pairs(path, "train", PairChoice())
    assert (pair.language, pair.label) == ("en", "contradiction")


@listed
def test_other_tables_with_tabs_are_refused(content, message, line, tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text(content.replace("|", "\t"), encoding="utf-8")
    with pytest.raises(InputError, match=message) as caught:
        read_file(path)
    assert (caught.value.file, caught.value.line) == (str(path), line)
    assert caught.value.remedy


def test_labels_are_balanced_and_turned_into_two(tmp_path):
    path = write(tmp_path, "train", "txt")
    all_pairs = load_pairs(path, "train", PairChoice())
    least = min(Counter(pair.label for pair in all_pairs).values())
    sample = load_pairs(path, "train", PairChoice(balanced=True))
    assert Counter(pair.label for pair in sample) == dict.fromkeys(("contradiction", "entailment", "neutral"), least)
    assert len({pair.id for pair in sample}) == len(sample)
    two = load_pairs(path, "train", PairChoice(balanced=True, as_cd=True, size=21), seed=1)
    assert Counter(pair.label for pair in two) == {"1": 10, "0": 10}
    other = load_pairs(path, "train", PairChoice(balanced=True, as_cd=True, size=21), seed=2)
    assert {pair.id for pair in two} != {pair.id for pair in other}


@for_each(
    ("choice", "message"),
    [
        (PairChoice(balanced=True, size=2), "3 labels cannot be balanced: 30 of contradiction.*Use from 3 to 72 pairs"),
        (PairChoice(balanced=True, size=120), "cannot be balanced"),
    ],
)
def test_what_cannot_be_balanced_is_refused(choice, message, tmp_path_factory):
    path = write(tmp_path_factory.mktemp("nli"), "train", "jsonl")
    with pytest.raises(InputError, match=message):
        load_pairs(path, "train", choice)


def test_a_file_without_one_label_cannot_be_balanced(tmp_path):
    path = write(tmp_path, "train", "jsonl", count=2)
    with pytest.raises(InputError, match=r"1 of contradiction, 1 of entailment, 0 of neutral\. Leave out --balanced"):
        load_pairs(path, "train", PairChoice(balanced=True))


def test_models_learn_and_are_asked_about_balanced_labels(tmp_path, printed, refused):
    train, dev = (write(tmp_path, split, "txt") for split in ("train", "dev"))
    asked = ["logic", "train", "bag", "--data", train, "--validation", dev, "--set", "trees=9", "--balanced"]
    assert "60 pairs of snli_1.0_train" in printed(*asked, "--as", "cd", "-o", tmp_path / "bag")
    config = json.loads((tmp_path / "bag/config.json").read_text())
    assert (config["data"]["balanced"], config["data"]["as_cd"]) == (True, True)
    rows = json.loads(
        printed("logic", "evaluate", f"logic:{tmp_path / 'bag'}", "--data", dev, "--balanced", "--as", "cd", "--json")
    )
    assert rows
    trials = printed(
        "logic", "search", *asked[2:7], "--space", "trees=5", "--trials", "1", "--balanced", "-o", tmp_path / "s"
    )
    assert "trees=5" in trials
    refused(*asked, "--as", "nli", "-o", tmp_path / "other", says="Use --as cd")
