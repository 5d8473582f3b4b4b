import json

import pytest

from cases import listed

SMALL = ("--train", 16, "--validation", 8, "--test", 8)


@pytest.fixture
def made(tmp_path, printed):
    arguments = ("--task", "negation", "--language", "pt", *SMALL, "--depth", "1-2", "--seed", 5)
    assert "Labels and depths proved." in printed("logic", "generate", *arguments, "-o", tmp_path / "data")
    return tmp_path / "data"


def rows(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_files_have_the_columns_that_others_rely_on(made):
    for split, size in (("train", 16), ("validation", 8), ("test", 8)):
        found = rows(made / "pt" / "negation" / f"{split}.jsonl")
        assert len(found) == size
        assert {"premise", "hypothesis", "label", "depth", "family", "twin", "proof", "names"} <= found[0].keys()
        assert sum(row["label"] for row in found) == size // 2
        assert {row["depth"] for row in found} == {1, 2}
        assert all((made / "pt" / "negation" / f"{split}.{kind}").exists() for kind in ("csv", "parquet"))
    assert "config_name: negation-pt" in (made / "README.md").read_text(encoding="utf-8")


def test_files_are_kept_unless_forced(made, printed, refused):
    arguments = ("logic", "generate", "--task", "negation", "--language", "pt", *SMALL, "-o", made)
    refused(*arguments, says="exists already")
    out = printed(*arguments, "--force", "--no-proof", "--json")
    assert json.loads(out)[0]["splits"]["train"]["pairs"] == 16
    assert {row["proof"] for row in rows(made / "pt" / "negation" / "train.jsonl")} == {"not proved"}


def test_check_finds_nothing_in_what_was_made(made, printed):
    found = json.loads(printed("logic", "check", made, "--json", "--no-cues"))
    assert found["faults"] == []
    assert [one["labels"]["from_sentences"] for one in found["files"]] == [8, 16, 8]
    assert [one["people"] for one in found["leakage"]] == [[], []]


def test_all_makes_every_task_and_the_test_may_be_deeper(tmp_path, printed):
    arguments = ("--task", "all", "--language", "en", *SMALL, "--no-proof", "--overlap", "full", "--labels", "nli")
    deeper = ("--depth", "2", "--test-depth", "3-4")
    found = json.loads(printed("logic", "generate", *arguments, *deeper, "-o", tmp_path, "--json"))
    assert len(found) == 11 == len(list(tmp_path.glob("en/*/test.csv")))
    for about in found:
        assert set(about["splits"]["train"]["depths"]) == {"2"}
        assert set(about["splits"]["test"]["depths"]) <= {"3", "4"}


def test_several_tasks_in_several_languages_are_made(tmp_path, printed):
    asked = ("--task", "description", "--task", "negation", "--language", "en,zh", *SMALL, "--no-proof")
    rows = [line.split() for line in printed("logic", "generate", *asked, "-o", tmp_path).splitlines()]
    made = {file.parent.relative_to(tmp_path).as_posix() for file in tmp_path.glob("*/*/test.jsonl")}
    assert made == {"en/description", "en/negation", "zh/description", "zh/negation"}
    assert [row[:3] for row in rows[1:5:3]] == [["en", "description", "train"], ["en", "negation", "train"]]


def test_the_published_tasks_are_made_on_request(tmp_path, printed):
    arguments = ("--task", "all", "--language", "en", "--train", 12, "--test", 6, "--paper")
    assert "published label differs" in printed("logic", "generate", *arguments, "-o", tmp_path)
    head = (tmp_path / "comparative_test.csv").read_text(encoding="utf-8").splitlines()[0]
    assert head == "sentence1,sentence2,label,label_form"
    assert len(list(tmp_path.glob("*.csv"))) == 14


@listed
def test_bad_options_are_refused_and_leave_nothing(tmp_path, refused, arguments, message):
    refused("logic", "generate", *arguments, "-o", tmp_path / "out", says=message)
    assert not (tmp_path / "out").exists()
