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
def mine(tmp_path, outside):
    outside("perturbations", "toy", TOY)
    path = tmp_path / "mine.yaml"
    path.write_text(COLLECTION, encoding="utf-8")
    return path


@pytest.fixture
def review(mine, printed):
    path = mine.parent / "review.yaml"
    printed("perturb", mine, "--kind", "toy", "--propose", "-o", path)
    return path


def decide(review, *decisions):
    """Write the decisions into a review file, in order."""
    found = iter(decisions)
    text = review.read_text(encoding="utf-8")
    review.write_text(
        re.sub(r"(?m)^    decision:$", lambda _: f"    decision: {next(found, '')}", text), encoding="utf-8"
    )


def test_what_is_sure_is_written_and_the_rest_counted(mine, printed):
    out_file = mine.parent / "out.yaml"
    assert "toy: 1 produced, 2 proposed, 0 impossible" in printed("perturb", mine, "--kind", "toy", "-o", out_file)
    text = out_file.read_text(encoding="utf-8")
    assert "# kept" in text
    assert "# kept too" in text
    texts = ["Carl lent Dan a kite and he wants it back!", "Carl lent Dan a kite and he lost it!"]
    assert [variant.text for variant in wg.load(out_file).variants("toy")] == texts


def test_counts_as_json_name_schemas_and_reasons(mine, printed):
    kinds = json.loads(printed("perturb", mine, "--kind", "toy,segment-masked", "--json"))["kinds"]
    doubts = dict.fromkeys(("cup", "rope"), "is it that loud?")
    assert kinds["toy"] == {"stored": [], "produced": ["kite"], "proposed": doubts, "impossible": {}}
    assert kinds["segment-masked"]["produced"] == ["cup", "rope", "kite"]
    assert [path.name for path in mine.parent.iterdir() if path.suffix == ".yaml"] == ["mine.yaml"]


def test_accepted_corrected_and_rejected_proposals(mine, review, printed):
    decide(review, "accept", "reject")
    text = review.read_text(encoding="utf-8")
    text = text.replace("too [big|small]!", "far too [big|small]!")
    text = text.replace("decision: reject", 'decision: reject\n    because: "nobody shouts here"')
    review.write_text(text, encoding="utf-8")
    out_file = mine.parent / "out.yaml"
    out = printed("perturb", mine, "--accept", review, "-o", out_file)
    assert "1 accepted, 1 rejected, 0 accepted before, 0 undecided" in out
    merged = wg.load(out_file)
    assert merged["cup.1~toy"].text == "The cup does not fit in the box because it is far too small!"
    assert [(one.kind, one.reason) for one in merged["rope"].impossible] == [("toy", "nobody shouts here")]
    assert "# kept too" in out_file.read_text(encoding="utf-8")


def test_the_rest_waits_and_can_be_accepted_later_but_nothing_twice(mine, review, printed, refused):
    decide(review, "accept")
    first, second, third = (mine.parent / f"{name}.yaml" for name in ("first", "second", "third"))
    told = json.loads(printed("perturb", mine, "--accept", review, "-o", first, "--json"))
    assert told == {"added": ["cup~toy"], "rejected": [], "present": [], "waiting": ["rope~toy"], "overruled": []}
    review.write_text(review.read_text(encoding="utf-8").replace("decision: \n", "decision: accept\n"), "utf-8")
    out = printed("perturb", first, "--accept", review, "-o", second)
    assert "1 accepted, 0 rejected, 1 accepted before" in out
    assert len(wg.load(second).variants("toy")) == 4
    refused("perturb", second, "--accept", review, "-o", third, says="is in mine already, for example cup~toy")
    assert not third.exists()


@listed
def test_a_badly_edited_file_is_refused_with_its_line_and_nothing_is_lost(mine, review, refused, old, new, message):
    decide(review, "accept")
    text = review.read_text(encoding="utf-8")
    new_text = text.replace("variant:\n      text:", "variant:\n        text:").replace(old, new, 1)
    review.write_text(new_text, encoding="utf-8")
    out_file = mine.parent / "out.yaml"
    refused("perturb", mine, "--accept", review, "-o", out_file, says=[message, "review.yaml, line"])
    assert not out_file.exists()
    assert mine.read_text(encoding="utf-8") == COLLECTION
    assert review.read_text(encoding="utf-8") == new_text


def test_a_file_without_decisions_and_another_file_say_what_to_write(mine, review, refused):
    accept = ("perturb", mine, "-o", mine.parent / "out.yaml", "--accept")
    refused(*accept, review, says=["nothing is decided yet", '"accept" or "reject"'])
    other = mine.parent / "other.yaml"
    for content, message in ((COLLECTION, "it has no 'proposals'"), ("\n", "the file is empty")):
        other.write_text(content, encoding="utf-8")
        refused(*accept, other, says=[message, "--propose -o FILE"])


def test_variants_of_an_author_are_not_replaced(mine, review, refused):
    decide(review, "accept")
    own = COLLECTION.replace(
        "answers: [0, 1]\n  - id: rope",
        "answers: [0, 1]\n    variants: {toy: {text: "
        '"The cup will not fit in the box: {it} is too [big|small]."}}\n  - id: rope',
    )
    mine.write_text(own, encoding="utf-8")
    output = mine.parent / "out.yaml"
    refused("perturb", mine, "--accept", review, "-o", output, says="cup has other variants of kind 'toy'")


@listed
def test_bad_calls_are_explained(mine, refused, arguments, message):
    refused("perturb", mine, *arguments, says=message)


def test_a_kind_without_rules_in_the_language_is_refused_and_stored_variants_of_it_are_counted(mine, printed, refused):
    german = COLLECTION.replace("language: en", "language: de")
    mine.write_text(german, encoding="utf-8")
    out_file = mine.parent / "out.yaml"
    reason = ["there are no rules for 'tense' in the language 'de'", "en, fr, pt, zh"]
    refused("perturb", mine, "--kind", "renamed,tense", "-o", out_file, says=reason)
    assert not out_file.exists()
    own = 'answers: [0, 1]\n    variants: {tense: {text: "The cup did not fit in the box: {it} was too [big|small]."}}'
    mine.write_text(german.replace("answers: [0, 1]", own, 1), encoding="utf-8")
    assert "tense: 1 stored, 0 produced, 0 proposed, 2 impossible" in printed("perturb", mine, "--kind", "tense")


def test_the_next_command_is_named_and_existing_output_is_kept(mine, printed, refused):
    out = printed("perturb", mine, "--kind", "toy")
    assert "To review what is proposed, add --propose -o review.yaml." in out
    review = mine.parent / "review.yaml"
    out = printed("perturb", mine, "--kind", "toy", "--propose", "-o", review)
    assert f"winoglot perturb {mine} --accept {review} -o NEW-COLLECTION" in " ".join(out.split())
    refused("perturb", mine, "--kind", "toy", "-o", mine, says="--force")
    assert mine.read_text(encoding="utf-8") == COLLECTION
