from cases import for_each, listed
from checks.good import collection_of, findings_of, good_schemas, one
from winoglot.checks.spelling import check

found = findings_of(check)


@for_each(("language", "schema"), good_schemas())
def test_good_schemas_are_spelt_as_their_language_is(language, schema):
    assert found(collection_of(language, [schema])) == []


@listed
def test_what_is_wrong_is_said(language, text, fault, remedy):
    findings = found(one(text, [text[:3]], [0], language, mentions=[[]]))
    assert [(fault in finding.message, remedy in finding.remedy) for finding in findings] == [(True, True)]


@listed
def test_words_that_belong_are_no_fault(language, text):
    assert found(one(text, [text[:3]], [0], language, mentions=[[]])) == []
