"""Both readings of an item are treated alike, and a refusal gives the true reason."""

from hypothesis import given
from hypothesis import strategies as st

import winoglot as wg
from cases import listed
from items import item
from winoglot.languages.citation import as_mentioned
from winoglot.languages.names import names
from winoglot.languages.phrases import decided

MEN, WOMEN = (names("pt-BR").masculine, names("pt-BR").feminine)


@st.composite
def pairs(draw):
    """Two names of one gender, their article, and whether each mention in the text has it."""
    gender, article = draw(st.sampled_from([(MEN, "o"), (WOMEN, "a")]))
    one, other = draw(st.lists(st.sampled_from(gender), min_size=2, max_size=2, unique=True))
    return one, other, article, draw(st.booleans()), draw(st.booleans())


@given(pairs(), st.sampled_from(["pt-BR", "pt-PT"]))
def test_an_article_before_a_name_is_in_both_readings_or_in_none(pair, language):
    one, other, article, first, second = pair
    pronoun = "ele" if article == "o" else "ela"
    subject, friend = (f"{article} {name}" if has else name for name, has in ((one, first), (other, second)))
    text = f"Hoje {subject} saiu com {friend} porque {{{pronoun}}} pediu."
    made = wg.readings(item(text, [one, other], language), "grammatical", language=language)
    assert all(reading.derived for reading in made)
    assert len({reading.inserted.startswith(f"{article} ") for reading in made}) == 1


@given(st.lists(st.sampled_from(MEN), min_size=3, max_size=3, unique=True), st.booleans())
def test_the_names_in_the_text_decide_by_majority(men, has_article):
    one, other, third = men
    speaker = f"O {third}" if has_article else third
    text = f"{speaker} disse que o {one} saiu com {other} porque {{ele}} pediu."
    made = decided(item(text, [one, other]), "pt-BR")
    assert made.article_before_names == has_article


def test_nothing_is_decided_where_the_mentions_agree_or_grammar_does():
    assert not decided(item("O Rui viu o Caio e {ele} riu.", ["Rui", "Caio"]), "pt-BR").people
    assert not decided(item("O Brasil venceu Cuba e {ele} festejou.", ["Brasil", "Cuba"]), "pt-BR").people
    assert not decided(item("O doutor Reis viu Caio e {ele} riu.", ["doutor Reis", "Caio"]), "pt-BR").people


@given(st.lists(st.sampled_from(names("en-US").feminine), min_size=2, max_size=2, unique=True))
def test_names_cited_in_small_letters_are_read_as_written(women):
    one, other = women
    made = item(f"Yesterday {one} rang {other} because {{she}} was ill.", [one.lower(), other.lower()], "en")
    assert [candidate.text for candidate in as_mentioned(made, "en").candidates] == women
    assert [reading.inserted for reading in wg.readings(made, "grammatical", language="en")] == women


@listed
def test_a_refusal_names_its_true_cause(text, candidates, language, reason):
    first = wg.readings(item(text, candidates, language), "grammatical", language=language)[0]
    assert not first.derived
    assert reason in first.reason


def test_a_preposition_in_a_citation_is_refused_and_citations_that_would_become_the_same_stay():
    made = item("Oscar wrote to Hugh when {he} left.", ["of Oscar", "Hugh"], "en", mentions=[[], ["Hugh"]])
    first = wg.readings(made, "grammatical", language="en")[0]
    assert first.reason == "the candidate 'of Oscar' begins with the preposition 'of'"
    made = item("A photo of Ann hung by Ann's desk, and {she} smiled.", ["of Ann", "Ann's"], "en")
    assert as_mentioned(made, "en") == made
