import json

import pytest


@pytest.fixture
def made(tmp_path, run_winoglot):
    code, out, err = run_winoglot(
        "logic", "generate", "--task", "negation", "--language", "pt", "--train", 60, "--test", 40, "--seed", 5,
        "-o", tmp_path / "pt",
    )  # fmt: skip
    assert (code, err) == (0, "")
    assert "Labels proved." in out
    return tmp_path / "pt"


def rows(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_files_have_the_fields_that_others_rely_on(made):
    for split, size in (("train", 60), ("test", 40)):
        found = rows(made / f"negation_{split}.jsonl")
        assert len(found) == size
        assert {"premise", "hypothesis", "label", "formula_premise", "formula_hypothesis", "proof"} <= found[0].keys()
        assert sum(row["label"] for row in found) == size // 2
        assert (made / f"negation_{split}.csv").exists()


def test_files_are_kept_unless_forced(made, run_winoglot):
    arguments = ("logic", "generate", "--task", "negation", "--language", "pt", "--train", 4, "--test", 2, "-o", made)
    code, _, err = run_winoglot(*arguments)
    assert (code, "exists already" in err) == (2, True)
    assert len(rows(made / "negation_train.jsonl")) == 60
    code, out, _ = run_winoglot(*arguments, "--force", "--no-proof", "--json")
    assert code == 0
    assert json.loads(out)[0]["splits"]["train"]["relations"] == {"not proved": 4}
    assert {row["proof"] for row in rows(made / "negation_train.jsonl")} == {"not proved"}


def test_all_makes_every_task(tmp_path, run_winoglot):
    arguments = ("--task", "all", "--language", "zh", "--train", 4, "--test", 2, "--labels", "cd", "--overlap", "full")
    code, out, _ = run_winoglot("logic", "generate", *arguments, "-o", tmp_path, "--json")
    assert code == 0
    assert len(json.loads(out)) == 11 == len(list(tmp_path.glob("*_test.csv")))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--task", "negatoin", "--language", "en"), "Did you mean 'negation'"),
        (("--task", "negation", "--language", "xx"), "'xx'"),
        (("--task", "temporal", "--language", "en", "--paper"), "Leave out --paper"),
        (("--task", "all", "--language", "en", "--paper", "--labels", "nli"), "use --labels cd"),
        (("--task", "negation", "--language", "en", "--overlap", "half"), "unknown value 'half' for --overlap"),
        (("--task", "negation", "--language", "en", "--train", "1"), "--train 1 is too few"),
    ],
)
def test_bad_options_are_one_line_and_leave_nothing(tmp_path, run_winoglot, arguments, message):
    code, out, err = run_winoglot("logic", "generate", *arguments, "-o", tmp_path / "out")
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert message in err
    assert not (tmp_path / "out").exists()
