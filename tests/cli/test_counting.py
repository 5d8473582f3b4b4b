import json

import pytest

from cases import listed
from corpus.count_making import corpus_of
from winoglot import load

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


def test_a_corpus_is_counted_and_a_collection_checked_and_solved_by_it(tmp_path, printed, refused, corpus):
    counts, field = tmp_path / "counts", tmp_path / "field.yaml"
    field.write_text(SCHEMA, encoding="utf-8")
    out = printed("corpus", "count", corpus, "--window", 4, "--memory", "64GB", "-o", counts)
    assert out.split(";")[0] == "en, window 4: 17 pairs of 10 words in 54 tokens"
    out = printed("check", field, "--counts", counts)
    for words in ("decides 2 of 2 items", "right: meadow.0, meadow.1", "warning association meadow"):
        assert words in out
    found = json.loads(printed("check", field, "--counts", counts, "--json"))["association"]
    assert (found["decided"], found["right"], found["share"]["value"]) == (2, ["meadow.0", "meadow.1"], 1.0)
    (row,) = json.loads(printed("evaluate", field, "--model", f"pmi:{counts}", "--json"))
    assert row["accuracy"]["value"] == 1.0
    labels, tagged = tmp_path / "labels.json", tmp_path / "tagged.yaml"
    printed("check", field, "--counts", counts, "--write-labels", labels)
    printed("import", field, "--labels", labels, "-o", tagged)
    assert "associative" in load(tagged)["meadow.0"].tags
    refused("check", field, "--write-labels", labels, "--force", says="Name counts with --counts")
    refused("check", "winoglot-pt", "--counts", counts, says="the counts are for en, the collection is in pt-BR")


def test_all_that_can_be_chosen_is_recorded(tmp_path, printed, corpus):
    options = ["--dynamic", "--positional", "--min-count", 2, "--borders", "article", "--split", "all"]
    out = printed("corpus", "count", corpus, "--window", 2, *options, "-o", tmp_path / "counts", "--json")
    chosen = {"dynamic": True, "positional": True, "min_count": 2, "borders": "article", "split": "all"}
    assert json.loads(out)["settings"] == {"window": 2} | chosen


@listed
def test_bad_usage_is_one_line(tmp_path, refused, corpus, arguments, message):
    refused("corpus", "count", corpus, *arguments, "-o", tmp_path / "counts", says=message)
    assert not (tmp_path / "counts").exists()
