"""The names of the logic tasks: parallel across languages, and in two halves that share nothing."""

from itertools import permutations

import pytest

from winoglot.errors import InputError
from winoglot.languages.substitution import prepended
from winoglot.logic.vocabulary import LANGUAGES, source, vocabulary

_SMALL_WORDS = {"o", "de", "le", "la"}


def tokens(words):
    return {part for word in words for part in word.text.casefold().split()} - _SMALL_WORDS


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_are_enough_names_for_the_longest_lists(language):
    for half in ("train", "test"):
        names = vocabulary(language, half)
        assert (len(names.people), len(names.places)) == (100, 80)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_name_occurs_twice_whatever_its_capitals(language):
    names = vocabulary(language)
    texts = [word.text.casefold() for word in (*names.people, *names.places)]
    assert len(texts) == len(set(texts)) == 360


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_halves_share_no_word(language):
    train, test = vocabulary(language, "train"), vocabulary(language, "test")
    assert not tokens((*train.people, *train.places)) & tokens((*test.people, *test.places))


@pytest.mark.parametrize("language", LANGUAGES)
def test_not_even_an_article_of_a_name_is_in_both_halves(language):
    train, test = (
        {token.casefold() for word in (*half.people, *half.places) for token in word.text.split()}
        for half in (vocabulary(language, "train"), vocabulary(language, "test"))
    )
    assert not train & test


def test_no_chinese_name_is_part_of_another_one():
    names = vocabulary("zh")
    texts = [word.text for word in (*names.people, *names.places)]
    assert [(a, b) for a, b in permutations(texts, 2) if a in b] == []


def test_no_chinese_given_name_is_in_both_halves():
    train, test = ({word.text[1:] for word in vocabulary("zh", half).people} for half in ("train", "test"))
    assert not train & test


@pytest.mark.parametrize("language", LANGUAGES)
def test_people_have_the_same_gender_in_every_language_and_alternate(language):
    genders = [word.gender for word in vocabulary(language).people]
    assert genders == ["feminine", "masculine"] * 100


def test_the_nth_place_is_the_same_city_in_every_language():
    number = [word.text for word in vocabulary("en").places].index("Cairo")
    assert [vocabulary(language).places[number].text for language in LANGUAGES] == [
        "Cairo",
        "o Cairo",
        "Le Caire",
        "开罗",
    ]


def test_spelling_tells_how_every_french_name_is_elided():
    for word in vocabulary("fr").people:
        assert prepended("que", word.text, "fr").endswith(word.text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_source_is_stated(language):
    assert "Faker" in source(language)
    assert "compiled by hand" in source(language)


def test_an_unknown_language_is_an_input_error_that_names_those_there_are():
    with pytest.raises(InputError, match="'de'") as error:
        vocabulary("de")
    assert "en, fr, pt, zh" in error.value.remedy
