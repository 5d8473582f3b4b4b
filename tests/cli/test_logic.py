import json

import pytest

from cases import listed

SMALL = ("--train", 16, "--validation", 8, "--test", 8)


@pytest.fixture
def made(tmp_path, run_winoglot):
    arguments = ("--task", "negation", "--language", "pt", *SMALL, "--depth", "1-2", "--seed", 5)
    code, out, err = run_winoglot("logic", "generate", *arguments, "-o", tmp_path / "data")
    assert (code, err) == (0, "")
    assert "Labels and depths proved." in out
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


def test_files_are_kept_unless_forced(made, run_winoglot):
    arguments = ("logic", "generate", "--task", "negation", "--language", "pt", *SMALL, "-o", made)
    code, _, err = run_winoglot(*arguments)
    assert (code, "exists already" in err) == (2, True)
    code, out, _ = run_winoglot(*arguments, "--force", "--no-proof", "--json")
    assert code == 0
    assert json.loads(out)[0]["splits"]["train"]["pairs"] == 16
    assert {row["proof"] for row in rows(made / "pt" / "negation" / "train.jsonl")} == {"not proved"}


def test_check_finds_nothing_in_what_was_made(made, run_winoglot):
    code, out, err = run_winoglot("logic", "check", made, "--json", "--no-cues")
    found = json.loads(out)
    assert (code, err, found["faults"]) == (0, "", [])
    assert [one["labels"]["from_sentences"] for one in found["files"]] == [8, 16, 8]
    assert [one["people"] for one in found["leakage"]] == [[], []]


def test_all_makes_every_task_and_the_test_may_be_deeper(tmp_path, run_winoglot):
    arguments = ("--task", "all", "--language", "en", *SMALL, "--no-proof", "--overlap", "full", "--labels", "nli")
    code, out, _ = run_winoglot(
        "logic", "generate", *arguments, "--depth", "2", "--test-depth", "3-4", "-o", tmp_path, "--json"
    )
    assert code == 0
    found = json.loads(out)
    assert len(found) == 11 == len(list(tmp_path.glob("en/*/test.csv")))
    for about in found:
        assert set(about["splits"]["train"]["depths"]) == {"2"}
        assert set(about["splits"]["test"]["depths"]) <= {"3", "4"}


def test_several_tasks_in_several_languages_are_made(tmp_path, run_winoglot):
    asked = ("--task", "description", "--task", "negation", "--language", "en,zh", *SMALL, "--no-proof")
    code, out, _ = run_winoglot("logic", "generate", *asked, "-o", tmp_path)
    assert code == 0
    made = {file.parent.relative_to(tmp_path).as_posix() for file in tmp_path.glob("*/*/test.jsonl")}
    assert made == {"en/description", "en/negation", "zh/description", "zh/negation"}
    assert [line.split()[:3] for line in out.splitlines()[1:5:3]] == [
        ["en", "description", "train"],
        ["en", "negation", "train"],
    ]


def test_the_published_tasks_are_made_on_request(tmp_path, run_winoglot):
    arguments = ("--task", "all", "--language", "en", "--train", 12, "--test", 6, "--paper")
    code, out, _ = run_winoglot("logic", "generate", *arguments, "-o", tmp_path)
    assert code == 0
    assert "published label differs" in out
    head = (tmp_path / "comparative_test.csv").read_text(encoding="utf-8").splitlines()[0]
    assert head == "sentence1,sentence2,label,label_form"
    assert len(list(tmp_path.glob("*.csv"))) == 14


@listed
def test_bad_options_are_one_line_and_leave_nothing(tmp_path, run_winoglot, arguments, message):
    code, out, err = run_winoglot("logic", "generate", *arguments, "-o", tmp_path / "out")
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert message in err
    assert not (tmp_path / "out").exists()
