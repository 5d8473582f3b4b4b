from dataclasses import replace

from cases import for_each, listed
from checks.good import collection_of, findings_of, good_schemas, one, with_items
from winoglot.checks.candidate_order import check

found = findings_of(check)


def reverse(item):
    answer = None if item.answer is None else len(item.candidates) - 1 - item.answer
    return replace(item, candidates=item.candidates[::-1], answer=answer)


@for_each(("language", "schema"), good_schemas())
def test_candidates_out_of_order_are_found(language, schema):
    (finding,) = found(collection_of(language, [with_items(schema, reverse)]))
    assert (finding.schema, finding.item) == (schema.id, schema.items[0].id)
    assert schema.items[0].candidates[0].text in finding.message


def test_of_three_candidates_the_first_must_come_first():
    (finding,) = found(one("Ann, Bea and Cyn sang, then {she} left.", ["Bea", "Ann", "Cyn"], [0]))
    assert "'Ann' is mentioned before 'Bea'" in finding.message
    assert found(one("Ann, Bea and Cyn sang, then {she} left.", ["Ann", "Cyn", "Bea"], [0])) == []


@listed
def test_where_no_order_is_the_right_one_nothing_is_said(text, mentions):
    assert found(one(text, ["Ann", "Bea"], mentions=mentions)) == []
