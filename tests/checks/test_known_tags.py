from dataclasses import replace

import pytest

from cases import for_each
from checks.good import TAGGED, collection_of, with_items
from winoglot.checks.base import CheckContext, Selection, run_checks
from winoglot.checks.known_tags import check
from winoglot.languages.base import function_words
from winoglot.schemas.model import Candidate, Terms
from winoglot.schemas.notation import parse_schema

good = for_each(("language", "schema"), TAGGED)


def outcome(language, schema):
    return run_checks(collection_of(language, [schema]), CheckContext(), Selection(select=["known-tags"]))


def tagged(schema, *tags):
    return with_items(schema, lambda item: replace(item, tags=tags))


def places(findings):
    return [finding.item for finding in findings]


@good
def test_an_unknown_tag_is_a_warning_with_the_nearest_known(language, schema):
    result = outcome(language, tagged(schema, "switchable", "phisical"))
    assert places(result.warnings) == [item.id for item in schema.items]
    assert not result.errors
    assert all("Did you mean 'physical'?" in finding.remedy for finding in result.warnings)


@good
@pytest.mark.parametrize("both", [("names", "nouns"), ("subject", "object"), ("possessive", "causal", "prepositional")])
def test_tags_that_exclude_each_other_are_a_warning(language, schema, both):
    result = outcome(language, tagged(schema, *both))
    assert places(result.warnings) == [item.id for item in schema.items]
    assert both[0] in result.warnings[0].message
    assert both[-1] in result.warnings[0].message


@good
def test_switchable_without_a_known_mention_is_a_warning(language, schema):
    def unmentioned(item):
        first, second = item.candidates
        return replace(item, tags=("switchable",), candidates=(replace(first, mentions=()), second))

    result = outcome(language, with_items(schema, unmentioned))
    assert places(result.warnings) == [item.id for item in schema.items]
    assert all("is not known" in finding.message for finding in result.warnings)
    assert result.errors == ()


@good
def test_switchable_with_nested_mentions_is_an_error(language, schema):
    def nested(item):
        first, second = item.candidates
        return replace(item, tags=("switchable",), candidates=(first, replace(second, mentions=first.mentions)))

    result = outcome(language, with_items(schema, nested))
    assert places(result.errors) == [item.id for item in schema.items]


@good
def test_switchable_with_three_candidates_is_an_error(language, schema):
    def three(item):
        candidates = (*item.candidates, Candidate("X"))
        return replace(item, tags=("switchable",), candidates=candidates, hypotheses=(), terms=Terms())

    assert len(outcome(language, with_items(schema, three)).errors) == len(schema.items)


@pytest.mark.parametrize("text", ["Ana saw her {her} friend and left.", "Ana saw her{} friend and left."])
def test_switchable_with_the_pronoun_inside_a_mention_is_an_error(text):
    plain = text.replace("{her}", "her").replace("{}", "")
    friend = plain[plain.index("her") : plain.index(" and")]
    entry = {"id": "a", "text": text, "candidates": ["Ana", "friend"], "answers": [0], "tags": ["switchable"]}
    schema = parse_schema({**entry, "mentions": [["Ana"], [friend]]}, function_words("en"))
    (finding,) = check(collection_of("en", [schema]), CheckContext())
    assert finding.severity == "error"
    assert "pronoun overlap" in finding.message


def test_switchable_cannot_be_told_without_a_text():
    items = [{"readings": ["Rita left.", "Ana left."], "answer": 0, "tags": ["switchable"]}]
    schema = parse_schema({"id": "a", "items": items}, function_words("en"))
    assert not list(check(collection_of("en", [schema]), CheckContext()))
