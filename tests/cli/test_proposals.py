"""Review files: what is proposed, decided, merged, and refused; through the command, since that is what people use."""

from __future__ import annotations

import json
import re

import pytest

import winoglot as wg
from cases import listed

COLLECTION = """\
collection: mine  # kept
language: en
schemas:
  - id: cup
    text: "The cup does not fit in the box because {it} is too [big|small]."  # kept too
    candidates: ["the cup", "the box"]
    answers: [0, 1]
  - id: rope
    text: "Ana threw the rope to Bea and {she} [waited|caught it]."
    candidates: ["Ana", "Bea"]
    answers: [0, 1]
  - id: kite
    text: "Carl lent Dan a kite and {he} [wants it back|lost it]."
    candidates: ["Carl", "Dan"]
    answers: [0, 1]
"""
TOY = """
from winoglot.perturb.base import Proposed, variant_of
from winoglot.schemas.spans import Edit, Span

def perturb(schema, context):
    made = tuple(variant_of(item, "toy", "keeps", [Edit(Span(len(item.text) - 1, len(item.text)), "!")])
                 for item in schema.items)
    return made if schema.id == "kite" else Proposed(made, "is it that loud?")
"""


@pytest.fixture
def run(run_winoglot):
    return run_winoglot


@pytest.fixture
def mine(tmp_path, outside):
    outside("perturbations", "toy", TOY)
    path = tmp_path / "mine.yaml"
    path.write_text(COLLECTION, encoding="utf-8")
    return path


@pytest.fixture
def review(mine, run):
    path = mine.parent / "review.yaml"
    assert run("perturb", mine, "--kind", "toy", "--propose", "-o", path)[0] == 0
    return path


def decide(review, *decisions):
    """Write the decisions into a review file, in order."""
    found = iter(decisions)
    text = review.read_text(encoding="utf-8")
    review.write_text(
        re.sub(r"(?m)^    decision:$", lambda _: f"    decision: {next(found, '')}", text), encoding="utf-8"
    )


def test_what_is_sure_is_written_and_the_rest_counted(mine, run):
    out_file = mine.parent / "out.yaml"
    code, out, _ = run("perturb", mine, "--kind", "toy", "-o", out_file)
    assert (code, "toy: 1 produced, 2 proposed, 0 impossible" in out) == (0, True)
    text = out_file.read_text(encoding="utf-8")
    assert "# kept" in text
    assert "# kept too" in text
    assert [variant.text for variant in wg.load(out_file).variants("toy")] == [
        "Carl lent Dan a kite and he wants it back!",
        "Carl lent Dan a kite and he lost it!",
    ]


def test_counts_as_json_name_schemas_and_reasons(mine, run):
    code, out, _ = run("perturb", mine, "--kind", "toy,segment-masked", "--json")
    kinds = json.loads(out)["kinds"]
    assert code == 0
    assert kinds["toy"] == {
        "stored": [],
        "produced": ["kite"],
        "proposed": {"cup": "is it that loud?", "rope": "is it that loud?"},
        "impossible": {},
    }
    assert kinds["segment-masked"]["produced"] == ["cup", "rope", "kite"]
    assert [path.name for path in mine.parent.iterdir() if path.suffix == ".yaml"] == ["mine.yaml"]


def test_accepted_corrected_and_rejected_proposals(mine, review, run):
    decide(review, "accept", "reject")
    text = review.read_text(encoding="utf-8")
    text = text.replace("too [big|small]!", "far too [big|small]!")
    text = text.replace("decision: reject", 'decision: reject\n    because: "nobody shouts here"')
    review.write_text(text, encoding="utf-8")
    code, out, _ = run("perturb", mine, "--accept", review, "-o", mine.parent / "out.yaml")
    assert (code, "1 accepted, 1 rejected, 0 accepted before, 0 undecided" in out) == (0, True)
    merged = wg.load(mine.parent / "out.yaml")
    assert merged["cup.1~toy"].text == "The cup does not fit in the box because it is far too small!"
    assert [(one.kind, one.reason) for one in merged["rope"].impossible] == [("toy", "nobody shouts here")]
    assert "# kept too" in (mine.parent / "out.yaml").read_text(encoding="utf-8")


def test_the_rest_waits_and_can_be_accepted_later(mine, review, run):
    decide(review, "accept")
    first, second = mine.parent / "first.yaml", mine.parent / "second.yaml"
    code, out, _ = run("perturb", mine, "--accept", review, "-o", first, "--json")
    assert code == 0
    assert json.loads(out) == {"added": ["cup~toy"], "rejected": [], "present": [], "waiting": ["rope~toy"]}
    review.write_text(review.read_text(encoding="utf-8").replace("decision: \n", "decision: accept\n"), "utf-8")
    code, out, _ = run("perturb", first, "--accept", review, "-o", second)
    assert (code, "1 accepted, 0 rejected, 1 accepted before" in out) == (0, True)
    assert len(wg.load(second).variants("toy")) == 4


def test_a_file_accepted_twice_is_refused_and_nothing_is_written(mine, review, run):
    decide(review, "accept", "accept")
    first, second = mine.parent / "first.yaml", mine.parent / "second.yaml"
    assert run("perturb", mine, "--accept", review, "-o", first)[0] == 0
    code, _, err = run("perturb", first, "--accept", review, "-o", second)
    assert (code, "is in mine already, for example cup~toy" in err, second.exists()) == (2, True, False)


@listed
def test_a_badly_edited_file_is_refused_with_its_line_and_nothing_is_lost(mine, review, run, old, new, message):
    decide(review, "accept")
    text = review.read_text(encoding="utf-8")
    new_text = text.replace("variant:\n      text:", "variant:\n        text:").replace(old, new, 1)
    review.write_text(new_text, encoding="utf-8")
    out_file = mine.parent / "out.yaml"
    code, _, err = run("perturb", mine, "--accept", review, "-o", out_file)
    flat = " ".join(err.split())
    assert (code, out_file.exists()) == (2, False)
    assert message in flat, flat
    assert "review.yaml, line" in flat
    assert mine.read_text(encoding="utf-8") == COLLECTION
    assert review.read_text(encoding="utf-8") == new_text


def test_a_file_without_decisions_says_what_to_write(mine, review, run):
    code, _, err = run("perturb", mine, "--accept", review, "-o", mine.parent / "out.yaml")
    assert (code, "nothing is decided yet" in err, '"accept" or "reject"' in " ".join(err.split())) == (2, True, True)


def test_variants_of_an_author_are_not_replaced(mine, review, run):
    decide(review, "accept")
    own = COLLECTION.replace(
        "answers: [0, 1]\n  - id: rope",
        "answers: [0, 1]\n    variants: {toy: {text: "
        '"The cup will not fit in the box: {it} is too [big|small]."}}\n  - id: rope',
    )
    mine.write_text(own, encoding="utf-8")
    code, _, err = run("perturb", mine, "--accept", review, "-o", mine.parent / "out.yaml")
    assert (code, "cup has other variants of kind 'toy'" in err) == (2, True)


@listed
def test_bad_calls_are_explained(mine, run, arguments, message):
    code, _, err = run("perturb", mine, *arguments)
    assert (code, message in " ".join(err.split())) == (2, True)


@pytest.mark.parametrize(
    ("content", "message"),
    [(COLLECTION, "this is not a review file: it has no 'proposals'"), ("\n", "the file is empty")],
)
def test_another_file_is_no_review_file(mine, run, content, message):
    other = mine.parent / "other.yaml"
    other.write_text(content, encoding="utf-8")
    code, _, err = run("perturb", mine, "--accept", other, "-o", mine.parent / "out.yaml")
    assert (code, message in err, "--propose -o FILE" in " ".join(err.split())) == (2, True, True)


def test_a_kind_without_rules_in_the_language_is_refused_and_nothing_is_written(mine, run):
    mine.write_text(COLLECTION.replace("language: en", "language: de"), encoding="utf-8")
    out_file = mine.parent / "out.yaml"
    code, _, err = run("perturb", mine, "--kind", "renamed,tense", "-o", out_file)
    assert (code, out_file.exists()) == (2, False)
    assert "there are no rules for 'tense' in the language 'de'" in err
    assert "en, fr, pt, zh" in " ".join(err.split())


def test_stored_variants_of_a_kind_without_rules_are_counted(mine, run):
    own = 'answers: [0, 1]\n    variants: {tense: {text: "The cup did not fit in the box: {it} was too [big|small]."}}'
    stored = COLLECTION.replace("language: en", "language: de").replace("answers: [0, 1]", own, 1)
    mine.write_text(stored, encoding="utf-8")
    code, out, _ = run("perturb", mine, "--kind", "tense")
    assert (code, "tense: 1 stored, 0 produced, 0 proposed, 2 impossible" in out) == (0, True)


def test_the_next_command_is_named(mine, run):
    _, out, _ = run("perturb", mine, "--kind", "toy")
    assert "To review what is proposed, add --propose -o review.yaml." in out
    _, out, _ = run("perturb", mine, "--kind", "toy", "--propose", "-o", mine.parent / "review.yaml")
    assert f"winoglot perturb {mine} --accept {mine.parent / 'review.yaml'} -o NEW-COLLECTION" in " ".join(out.split())


def test_existing_output_is_kept(mine, run):
    code, _, err = run("perturb", mine, "--kind", "toy", "-o", mine)
    assert (code, "--force" in err, mine.read_text(encoding="utf-8")) == (2, True, COLLECTION)
