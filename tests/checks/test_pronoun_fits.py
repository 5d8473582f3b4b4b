from dataclasses import replace

import pytest

from cases import for_each, listed
from checks.good import collection_of, findings_of, good_schemas, one, put, with_items
from winoglot.checks.base import NotRun
from winoglot.checks.pronoun_fits import check
from winoglot.schemas.spans import Span

SPOKEN = [(language, schema) for language, schema in good_schemas() if schema.items[0].pronoun_form == "word"]


found = findings_of(check)


@for_each(("language", "schema"), SPOKEN)
@for_each("glue", [True, False])
def test_a_word_that_is_no_pronoun_is_found(language, schema, glue):
    def spoil(item):
        surface = item.pronoun.of(item.text)
        if not glue:
            return put(item, item.pronoun, "朋友" if language == "zh" else "Zoe")
        before, inside = ("其", "他") if language == "zh" else ("x", surface)
        made = put(item, item.pronoun, before + inside)
        return replace(made, pronoun=Span(made.pronoun.start + 1, made.pronoun.end))

    findings = found(collection_of(language, [with_items(schema, spoil)]))
    assert [finding.item for finding in findings] == [item.id for item in schema.items]
    assert ("inside" if glue else "not a pronoun") in findings[0].message


@listed
def test_what_is_wrong_is_said(language, text, fault):
    mentions = [["chat"]] if "chat" in text else [[]]
    (finding,) = found(one(text, ["chat"], [0], language, mentions=mentions))
    assert fault in finding.message


@listed
def test_clitics_blanks_and_zero_pronouns_fit(language, text):
    text = text if "{" in text else text.replace("_", "{_}")
    mentions = [["the book"]] if "the book" in text else [[]]
    assert found(one(text, ["the book"], [0], language, mentions=mentions)) == []


def test_without_a_list_of_pronouns_the_rule_is_not_run():
    with pytest.raises(NotRun, match="tlh"):
        found(one("X {y}.", ["X"], [0], "tlh"))
