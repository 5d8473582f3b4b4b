from dataclasses import replace

import pytest

from cases import for_each
from checks.good import TAGGED, collection_of, single, tagged_schemas, with_items
from six_schemas import LANGUAGES
from winoglot.checks.base import CheckContext, NotRun
from winoglot.checks.length_cue import check
from winoglot.languages.base import function_words
from winoglot.schemas.notation import parse_schema

SIZE = 20


def longer_candidate(language, schema):
    """The index of the longer candidate, None where they are equally long."""
    lengths = [len(function_words(language).without_determiner(c.text)) for c in schema.items[0].candidates]
    return None if lengths[0] == lengths[1] else lengths.index(max(lengths))


LONGER = [(schema, longer_candidate("fr", schema)) for _, schema in TAGGED]  # in one collection there is one language
UNEQUAL = [(schema, longer) for schema, longer in LONGER if longer is not None]
starts = for_each("start", range(len(UNEQUAL)))


def singles(start, is_longer):
    """Single items that begin with this schema; the longer candidate is right where `is_longer` says so."""
    made = []
    for number in range(SIZE):
        schema, longer = UNEQUAL[(start + number) % len(UNEQUAL)]
        made.append(single(schema, longer if is_longer(number) else 1 - longer, f"s{number}"))
    return collection_of("fr", made)


def pairs(is_longer):
    """Pairs whose candidates are equally long; the longer segment goes with candidate 0 where `is_longer` says so."""
    made = []
    for number in range(SIZE):
        answers = [0, 1] if is_longer(number) else [1, 0]
        text = "Rita met Lena when {she} [sang aloud|slept]."
        entry = {"id": f"s{number}", "text": text, "candidates": ["Rita", "Lena"], "answers": answers}
        made.append(parse_schema(entry, function_words("en")))
    return collection_of("en", made)


@pytest.mark.parametrize("language", LANGUAGES)
def test_few_unequal_lengths_are_not_tested(language):
    with pytest.raises(NotRun, match="at least 20 labelled items"):
        list(check(collection_of(language, tagged_schemas(language)), CheckContext()))


def test_good_schemas_of_all_languages_together_have_no_finding():
    schemas = [with_items(schema, lambda item: item, f"s{number}") for number, (_, schema) in enumerate(TAGGED)]
    assert list(check(collection_of("fr", schemas), CheckContext())) == []


@starts
@pytest.mark.parametrize("longer", [True, False])
def test_an_answer_that_length_gives_away_is_found(start, longer):
    (finding,) = check(singles(start, lambda number: longer), CheckContext())
    assert f"in {SIZE if longer else 0} of {SIZE} schemas" in finding.message
    assert finding.schema is None


@starts
def test_lengths_that_say_nothing_are_not(start):
    assert not list(check(singles(start, lambda number: number % 2), CheckContext()))


@pytest.mark.parametrize("longer", [True, False])
def test_a_segment_that_gives_the_answer_away_is_found(longer):
    (finding,) = check(pairs(lambda number: longer), CheckContext())
    assert "the longer segment goes with candidate 0" in finding.message
    assert not list(check(pairs(lambda number: number % 2), CheckContext()))


def test_a_pair_says_nothing_about_candidates():
    schemas = [with_items(UNEQUAL[0][0], lambda item: replace(item, segment=()), f"s{n}") for n in range(SIZE)]
    assert not list(check(collection_of("en", schemas), CheckContext()))
