from dataclasses import replace

import pytest

from cases import for_each, listed
from checks.good import collection_of, findings_of, good_schemas, one, with_items
from winoglot.checks.hypotheses_fit import check

SCHEMAS = good_schemas()
# Where each hypothesis names both candidates, which of the two it is about cannot be told.
OWN = [(of, s) for of, s in SCHEMAS if not all(c.text in s.items[0].hypotheses[0] for c in s.items[0].candidates)]


found = findings_of(check)


def spoilt(language, schema, **changes):
    def spoil(item):
        return replace(item, **{key: change(item) for key, change in changes.items()})

    return found(collection_of(language, [with_items(schema, spoil)]))


def test_hypotheses_in_the_wrong_order_are_found():
    assert len(OWN) >= len(SCHEMAS) - 1
    for language, schema in OWN:
        findings = spoilt(language, schema, hypotheses=lambda item: item.hypotheses[::-1])
        assert {finding.item for finding in findings} == {item.id for item in schema.items}
        assert "hypothesis 0 does not name its candidate" in findings[0].message


@for_each(("language", "schema"), SCHEMAS)
def test_hypotheses_that_are_the_same_or_name_nobody_are_found(language, schema):
    findings = spoilt(language, schema, hypotheses=lambda item: (item.hypotheses[0], item.hypotheses[0].upper()))
    messages = [finding.message for finding in findings]
    assert sum("hypotheses 0 and 1 are the same" in message for message in messages) == len(schema.items)
    findings = spoilt(language, schema, hypotheses=lambda item: (item.hypotheses[0], "Zzz."))
    assert [finding.item for finding in findings] == [item.id for item in schema.items]


@for_each(("language", "schema"), SCHEMAS)
def test_a_question_that_does_not_ask_and_an_explanation_that_explains_nothing_are_found(language, schema):
    findings = spoilt(language, schema, question=lambda item: item.question.rstrip("?？ \u00a0") + ".")
    assert [finding.item for finding in findings] == [item.id for item in schema.items]
    repeats = spoilt(language, schema, question=lambda item: item.text)
    assert sum("repeats the text" in finding.message for finding in repeats) == len(schema.items)
    (finding,) = found(collection_of(language, [replace(schema, explanation=schema.items[0].hypotheses[1])]))
    assert (finding.schema, "only repeats" in finding.message) == (schema.id, True)


@pytest.mark.parametrize("question", ["Quem?", "谁？", "من؟", "Ποιος;", "Ո՞վ", "Who left?»", "ใคร", '"Who?"'])
def test_questions_of_many_scripts_ask(question):
    assert found(one("Ann saw Bea, and {she} left.", ["Ann", "Bea"], [0], question=question)) == []


@listed
def test_a_candidate_may_be_named_in_another_form(language, candidates, hypotheses):
    text = "Ann {she}."
    made = one(text, candidates, [0], language, mentions=[[], []], hypotheses=[hypotheses])
    assert found(made) == []


@listed
def test_candidates_of_one_phrase_are_named(language, text, candidates, expected):
    findings = found(one(text, candidates, [0], language))
    assert len(findings) == expected
    assert all("they are one phrase" in finding.message for finding in findings)
