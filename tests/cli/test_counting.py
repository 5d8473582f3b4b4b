import json

import pytest

from cases import listed
from corpus.count_making import corpus_of

TEXT = [["the cow grazed in the meadow", "the car rusted", "the cow slept", "rain fell"]] * 3
SCHEMA = """
collection: field
language: en
schemas:
  - id: meadow
    text: "The cow stood by the car while {it} [grazed|rusted]."
    candidates: [the cow, the car]
    answers: [0, 1]
"""


@pytest.fixture
def corpus(tmp_path):
    return corpus_of(tmp_path, TEXT).path


def test_a_corpus_is_counted_and_a_collection_checked_and_solved_by_it(tmp_path, run_winoglot, corpus):
    counts, field = tmp_path / "counts", tmp_path / "field.yaml"
    field.write_text(SCHEMA, encoding="utf-8")
    code, out, _ = run_winoglot("corpus", "count", corpus, "--window", 4, "--memory", "64GB", "-o", counts)
    assert (code, out.split(";")[0]) == (0, "en, window 4: 17 pairs of 10 words in 54 tokens")
    code, out, _ = run_winoglot("check", field, "--counts", counts)
    assert code == 0
    assert "decides 2 of 2 items" in out
    assert "right: meadow.0, meadow.1" in out
    assert "warning association meadow" in out
    code, out, _ = run_winoglot("check", field, "--counts", counts, "--json")
    found = json.loads(out)["association"]
    assert (found["decided"], found["right"], found["share"]["value"]) == (2, ["meadow.0", "meadow.1"], 1.0)
    code, out, _ = run_winoglot("evaluate", field, "--model", f"pmi:{counts}", "--json")
    assert json.loads(out)[0]["accuracy"]["value"] == 1.0


def test_all_that_can_be_chosen_is_recorded(tmp_path, run_winoglot, corpus):
    options = ["--dynamic", "--positional", "--min-count", 2, "--borders", "article", "--split", "all"]
    code, out, _ = run_winoglot("corpus", "count", corpus, "--window", 2, *options, "-o", tmp_path / "counts", "--json")
    assert code == 0
    assert json.loads(out)["settings"] == {
        "window": 2,
        "dynamic": True,
        "positional": True,
        "min_count": 2,
        "borders": "article",
        "split": "all",
    }


@listed
def test_bad_usage_is_one_line(tmp_path, run_winoglot, corpus, arguments, message):
    code, _, err = run_winoglot("corpus", "count", corpus, *arguments, "-o", tmp_path / "counts")
    assert code == 2
    assert message in err
    assert not (tmp_path / "counts").exists()


def test_counts_of_another_language_end_a_check(tmp_path, run_winoglot, corpus):
    counts = tmp_path / "counts"
    run_winoglot("corpus", "count", corpus, "--window", 4, "-o", counts)
    code, _, err = run_winoglot("check", "winoglot-pt", "--counts", counts)
    assert code == 2
    assert "the counts are for en, the collection is in pt-BR" in err
