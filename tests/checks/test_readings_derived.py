import pytest

from checks.good import collection_of, good_collections, one
from winoglot.checks.base import CheckContext, NotRun
from winoglot.checks.readings_derived import check


def found(collection):
    return list(check(collection, CheckContext()))


@pytest.mark.parametrize("collection", good_collections(), ids=lambda collection: collection.language)
def test_good_schemas_have_grammatical_readings(collection):
    assert found(collection) == []


def test_a_reading_that_grammar_cannot_derive_is_named():
    (finding,) = found(one("Ana viu Eva e falou {consigo} mesma.", ["Ana", "Eva"], [0], language="pt"))
    assert "'Ana', 'Eva'" in finding.message
    assert "{…}" in finding.remedy


def test_a_written_reading_answers_it():
    readings = [["Ana viu Eva e falou com {Ana} mesma.", "Ana viu Eva e falou com {Eva} mesma."]]
    assert (
        found(one("Ana viu Eva e falou {consigo} mesma.", ["Ana", "Eva"], [0], language="pt", readings=readings)) == []
    )


@pytest.mark.parametrize(
    "text", ["Ana viu Eva e {_} riu.", "Ana viu Eva porque {} riu.", "Ana viu Eva e {eles} riram."]
)
def test_blanks_zero_pronouns_and_misfits_are_left_to_others(text):
    assert found(one(text, ["Ana", "Eva"], [0], language="pt")) == []


def test_a_language_without_rules_is_not_checked():
    with pytest.raises(NotRun, match="tlh"):
        found(collection_of("tlh", one("Ana viu Eva e {ela} riu.", ["Ana", "Eva"], [0]).schemas))
