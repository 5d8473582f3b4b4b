from dataclasses import replace

import pytest

from cases import for_each, listed
from checks.good import collection_of as of
from checks.good import findings_of, good_schemas, one, with_items
from winoglot.checks.agreement import check
from winoglot.checks.base import NotRun
from winoglot.languages.agreement import pronoun_analyses
from winoglot.languages.base import function_words
from winoglot.schemas.model import Features

SCHEMAS = good_schemas()
# A determiner that shows a feature, and one that shows another value of it.
DETERMINERS = {
    ("en", "number"): ("these", "this"),
    ("pt", "number"): ("os", "o"),
    ("pt", "gender"): ("o", "a"),
    ("fr", "number"): ("les", "le"),
    ("fr", "gender"): ("ce", "cette"),
}


found = findings_of(check)


def shows(language, schema, feature):
    """Whether the pronoun, or the verb of an unspoken one, shows the feature."""
    item = schema.items[0]
    is_shown = any(traits.of(feature).value for traits in pronoun_analyses(item, language))
    return is_shown or (item.pronoun_form == "zero" and feature == "number" and language != "zh")


@for_each(
    ("language", "schema", "values"),
    [
        (language, schema, values)
        for language, schema in SCHEMAS
        for values in ({"gender": ("masculine", "feminine")}, {"number": ("singular", "plural")})
        if shows(language, schema, *values)
    ],
)
def test_stated_features_that_differ_are_found(language, schema, values):
    ((name, pair),) = values.items()

    def spoil(item):
        stated = zip(item.candidates, pair, strict=True)
        return replace(item, candidates=tuple(replace(c, features=Features(**{name: v})) for c, v in stated))

    findings = found(of(language, [with_items(schema, spoil)]))
    assert findings
    assert all(finding.schema == schema.id and name in finding.message for finding in findings)


@for_each(
    ("language", "schema", "feature"),
    [
        (of, schema, feature)
        for of, schema in SCHEMAS
        for language, feature in DETERMINERS
        if of == language and shows(of, schema, feature)
    ],
)
def test_determiners_that_differ_are_found(language, schema, feature):
    determiners = DETERMINERS[language, feature]
    words = function_words(language)

    def spoil(item):
        pairs = zip(item.candidates, determiners, strict=True)
        made = [replace(c, text=f"{d} {words.without_determiner(c.text)}") for c, d in pairs]
        return replace(item, candidates=tuple(made))

    findings = found(of(language, [with_items(schema, spoil)]))
    assert any(feature in finding.message and "determiner" in finding.message for finding in findings)


@listed
def test_what_shows_a_disagreement_is_said(language, text, candidates, evidence):
    answers = [0, 1] if "|" in text else [0]
    messages = [finding.message for finding in found(one(text, candidates, answers, language))]
    assert any(evidence in message for message in messages)
    assert len(set(messages)) == len(messages)


@listed
def test_what_is_not_sure_is_no_error(language, text, candidates):
    mentions = [[] for _ in candidates]
    if candidates[-1] in text:
        mentions[-1] = [candidates[-1]]
    assert found(one(text, candidates, [0], language, mentions=mentions)) == []


def test_stated_features_win_over_determiners():
    collection = one("A criança viu o pai e {ele} riu.", ["a criança", "o pai"], [0], "pt")
    assert len(found(collection)) == 1
    (schema,) = collection.schemas

    def state(item):
        first, second = item.candidates
        return replace(item, candidates=(replace(first, features=Features(gender="common")), second))

    assert found(of("pt", [with_items(schema, state)])) == []


def test_a_language_that_nobody_described_is_not_run_unless_features_are_stated():
    collection = one("X y {z}.", ["X"], [0], "tlh")
    with pytest.raises(NotRun, match="tlh"):
        found(collection)
    stated = one("X y {z} w.", ["X", "w"], [0], "tlh", features=[{"number": "plural"}, {"number": "dual"}])
    assert found(stated) == []
