import pytest

from checks.good import collection_of, findings_of, one
from winoglot.checks.base import NotRun
from winoglot.checks.readings_derived import check

found = findings_of(check)


def test_a_reading_that_grammar_cannot_derive_is_named_unless_it_is_written():
    text, candidates = "Ana viu Eva e falou {consigo} mesma.", ["Ana", "Eva"]
    (finding,) = found(one(text, candidates, [0], language="pt"))
    assert "'Ana', 'Eva'" in finding.message
    assert "{…}" in finding.remedy
    readings = [["Ana viu Eva e falou com {Ana} mesma.", "Ana viu Eva e falou com {Eva} mesma."]]
    assert found(one(text, candidates, [0], language="pt", readings=readings)) == []


@pytest.mark.parametrize(
    "text", ["Ana viu Eva e {_} riu.", "Ana viu Eva porque {} riu.", "Ana viu Eva e {eles} riram."]
)
def test_blanks_zero_pronouns_and_misfits_are_left_to_others(text):
    assert found(one(text, ["Ana", "Eva"], [0], language="pt")) == []


def test_a_language_without_rules_is_not_checked():
    with pytest.raises(NotRun, match="tlh"):
        found(collection_of("tlh", one("Ana viu Eva e {ela} riu.", ["Ana", "Eva"], [0]).schemas))
