"""Two readings of a sentence give its text back where that is certain, and only there."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import listed
from winoglot.formats.importing.alignment import align, find_insertion
from winoglot.languages.base import function_words
from winoglot.schemas.spans import Span


def aligned(first, second, language="en"):
    found = align(first, second, function_words(language))
    return found and (found.text, found.candidates)


@pytest.mark.parametrize(
    ("language", "first", "second", "text", "candidates"),
    [
        (
            "en",
            "Nora rang Petra because Nora was lost.",
            "Nora rang Petra because Petra was lost.",
            "Nora rang Petra because _ was lost.",
            ("Nora", "Petra"),
        ),
        (
            "en",
            "The kettle fell on the stove and the kettle cracked.",
            "The kettle fell on the stove and the stove cracked.",
            "The kettle fell on the stove and _ cracked.",
            ("the kettle", "the stove"),
        ),
        (
            "pt",
            "O barco passou pelo farol enquanto o barco girava.",
            "O barco passou pelo farol enquanto o farol girava.",
            "O barco passou pelo farol enquanto _ girava.",
            ("o barco", "o farol"),
        ),
        (  # the contraction goes with the pronoun, the candidates are in their citation form
            "pt",
            "A pintora saudou o pedreiro e abriu a porta da pintora ontem.",
            "A pintora saudou o pedreiro e abriu a porta do pedreiro ontem.",
            "A pintora saudou o pedreiro e abriu a porta _ ontem.",
            ("a pintora", "o pedreiro"),
        ),
        (  # one contracted, one not
            "pt",
            "O vizinho chamou Clara e gostou de Clara logo.",
            "O vizinho chamou Clara e gostou do vizinho logo.",
            "O vizinho chamou Clara e gostou _ logo.",
            ("Clara", "o vizinho"),
        ),
        (  # a candidate that ends in the other one: its end does not leak into what is shared
            "pt",
            "A tia da Rosa viajou porque Rosa estava cansada.",
            "A tia da Rosa viajou porque a tia da Rosa estava cansada.",
            "A tia da Rosa viajou porque _ estava cansada.",
            ("Rosa", "a tia da Rosa"),
        ),
        (
            "pt",
            "O irmão da Lia ajudou o irmão da Eva porque o irmão da Lia quis.",
            "O irmão da Lia ajudou o irmão da Eva porque o irmão da Eva quis.",
            "O irmão da Lia ajudou o irmão da Eva porque _ quis.",
            ("o irmão da Lia", "o irmão da Eva"),
        ),
    ],
)
def test_where_it_is_certain_the_text_comes_back(language, first, second, text, candidates):
    assert aligned(first, second, language) == (text, candidates)
    assert aligned(second, first, language) == (text, candidates[::-1])


@listed
def test_where_it_is_not_certain_there_is_none(language, first, second):
    assert aligned(first, second, language) is None


@pytest.mark.parametrize("language", ["en", "pt", "fr", "zh", "und"])
@given(first=st.text("ab ona.,'-_字", max_size=30), second=st.text("ab ona.,'-_字", max_size=30))
def test_what_comes_back_gives_both_readings_again(language, first, second):
    found = align(first, second, function_words(language))
    if found is None:
        return
    for reading, inserted in zip((first, second), found.insertions, strict=True):
        assert found.pronoun.of(found.text) == "_"
        before, after = found.text[: found.pronoun.start], found.text[found.pronoun.end :]
        assert reading == before + inserted.of(reading) + after


def test_an_insertion_is_found_by_the_order_of_mentions():
    words = function_words("pt")
    text = "O barco passou pelo farol enquanto ele girava; o farol é velho."
    reading = "O barco passou pelo farol enquanto girava a luz do farol; o farol é velho."
    found = find_insertion(reading, text, Span(35, 38), "o farol", words)
    assert found.of(reading) == "do farol"
    assert find_insertion("O barco passou.", text, Span(35, 38), "o farol", words) is None
