import pytest

from corpus.count_making import counts_of
from six_schemas import six
from winoglot.checks.association import check
from winoglot.checks.base import CheckContext, NotRun
from winoglot.corpus.association import open_association
from winoglot.errors import InputError
from winoglot.languages.base import function_words
from winoglot.schemas.model import Collection
from winoglot.schemas.notation import parse_schema

TEXT = [
    ["the cow grazed in the meadow", "the car rusted", "the cow was tired", "the mule was tired", "a restless mule"]
]
SOLVED = {
    "id": "solved",
    "text": "The cow stood by the car while {it} [grazed|rusted].",
    "candidates": ["the cow", "the car"],
    "answers": [0, 1],
}


def collection(*entries):
    schemas = tuple(parse_schema(entry, function_words("en")) for entry in entries)
    return Collection(name="field", language="en", schemas=schemas)


@pytest.fixture(scope="module")
def context(tmp_path_factory):
    counts = counts_of(tmp_path_factory.mktemp("counts"), TEXT, window=3)
    return CheckContext(association=open_association(counts.path))


def test_it_claims_nothing_without_counts_or_where_they_decide_nothing(context):
    with pytest.raises(NotRun, match="needs co-occurrence counts"):
        list(check(collection(SOLVED), CheckContext()))
    unknown = {**SOLVED, "text": SOLVED["text"].replace("grazed", "hummed").replace("rusted", "sang")}
    with pytest.raises(NotRun, match="do not decide any item"):
        list(check(collection(unknown), context))


def test_a_schema_that_association_solves_is_found_with_the_evidence(context):
    (finding,) = check(collection(SOLVED), context)
    assert finding.schema == "solved"
    assert finding.message.startswith("association alone answers all 2 items: 'grazed' with 'cow' ")
    assert "with 'car' never" in finding.message


def test_a_schema_that_it_gets_wrong_or_leaves_open_is_fine_and_so_is_one_tagged_associative(context):
    reversed_ = {**SOLVED, "id": "reversed", "answers": [1, 0]}
    half = {**SOLVED, "id": "half", "text": SOLVED["text"].replace("rusted", "sang")}
    assert list(check(collection(reversed_, half), context)) == []
    assert list(check(collection({**SOLVED, "tags": ["associative"]}), context)) == []


def test_a_collection_that_is_solved_more_often_than_by_chance_is_found(context):
    many = [{**SOLVED, "id": f"s{number}"} for number in range(24)]
    whole = [finding for finding in check(collection(*many), context) if finding.schema is None]
    assert [finding.message for finding in whole] == [
        "in 24 of 24 schemas that association decides, it is right (by chance: p = 1e-07)"
    ]
    wrong = [{**one, "answers": [1, 0]} for one in many]
    assert list(check(collection(*wrong), context)) == []


def test_counts_of_another_language_are_an_error(context):
    with pytest.raises(InputError, match="the counts are for en"):
        list(check(six("fr"), context))
