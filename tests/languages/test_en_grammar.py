"""Whether English candidates stand in a pronoun's place as grammar wants them."""

import re

from hypothesis import given
from hypothesis import strategies as st

from cases import for_each, listed
from items import item
from winoglot.languages.en.definite import stands_bare
from winoglot.languages.en.number import noun_number
from winoglot.languages.en.wordclass import is_adverb, is_form_of, is_participle, is_past
from winoglot.languages.readings import grammatical_readings

PRONOUNS = ("he", "him", "his", "she", "her", "hers", "it", "its", "they", "them", "their", "theirs", "himself", "it's")
PEOPLE = ("Ulla", "the old tailor", "a boy", "the twins", "Omar and Leila", "several guests", "Zoë 🙂", "Bjo\u0308rn")


def readings(marked, *candidates):
    return [
        made.text if made.derived else None for made in grammatical_readings(item(marked, [*candidates], "en"), "en")
    ]


@listed
def test_a_nouns_form_shows_its_number(noun, number):
    assert noun_number(noun) == number


@listed
def test_a_noun_is_bare_where_no_determiner_belongs_to_it(text, noun, is_bare):
    assert stands_bare(text, text.index(noun)) is is_bare


def test_words_in_ly_and_ed_are_told_apart():
    assert is_adverb("kindheartedly")
    assert not is_adverb("friendly")
    assert is_past("wanted")
    assert is_past("rang")
    assert not is_past("need")
    assert not is_past("put")
    assert is_participle("put")


@for_each("verb", ["saw", "watched", "let", "made", "helps", "gave", "teaching"])
def test_her_is_not_decided_after_verbs_that_may_take_more_than_an_object(verb):
    assert readings(f"Ulla knows Britt, and Sven {verb} {{her}} duck.", "Ulla", "Britt") == [None, None]


@for_each("word", ["a", "the", "this", "with", "because", "when", "who", "was", "again", "slowly", "and", "to"])
def test_her_is_an_object_before_closed_class_words(word):
    made = readings(f"Ulla knows Britt, and Sven followed {{her}} {word}.", "Ulla")
    assert made == [f"Ulla knows Britt, and Sven followed Ulla {word}."]


def test_a_sentence_keeps_its_straight_and_curly_apostrophes_and_a_candidate_with_a_pronoun_is_refused():
    assert readings("Ulla can’t find {her} hat.", "Ulla") == ["Ulla can’t find Ulla’s hat."]
    assert readings("Ulla can't find {her} hat.", "Ulla") == ["Ulla can't find Ulla's hat."]
    assert readings("That he and Rosa danced was known until {they} fell.", "he and Rosa") == [None]


@given(st.text(max_size=20), st.sampled_from(PRONOUNS), st.text(max_size=20), st.sampled_from(PEOPLE))
def test_odd_texts_are_read_or_refused(left, pronoun, right, candidate):
    text = "".join(c for c in f"x{left} {pronoun} {right}x" if c not in "{}[]|\\" and c.isprintable())
    marked = text.replace(f" {pronoun} ", f" {{{pronoun}}} ", 1)
    if "{" in marked:
        made_item = item(marked, [candidate], "en", mentions=[[]])
        (made,) = grammatical_readings(made_item, "en")
        assert made_item.text.endswith(made.after)
        # An article before the pronoun, in texts that make no sense, fits what follows it now.
        assert made_item.text.startswith(re.sub(r"\ban? $", "", made.before, flags=re.IGNORECASE))


@for_each(
    "said",
    [
        *("thought {her} rude", "found {her} very funny", "called {her} brave", "judged {her} guilty"),
        *("considered {her} pleasant and kind", "elected {her} president", "called {her} Brittie"),
        *("visited {her} Monday", "spoke to {her} Tuesday morning", "met {her} March 3"),
    ],
)
def test_her_is_not_decided_before_what_is_said_of_her_or_a_date(said):
    assert readings(f"Ulla knows Britt, and Sven {said}.", "Ulla") == [None]


@for_each("said", ["found {} rude sister", "believed {} story", "thought {} hat was odd", "visited {} Monday class"])
def test_her_is_possessive_where_a_noun_follows_what_could_be_said_of_her(said):
    start = "Ulla knows Britt, and Sven "
    expected = [start + said.format("Ulla's") + "."]
    assert readings(start + said.format("{her}") + ".", "Ulla") == expected


@listed
def test_forms_of_verbs_are_recognised(form, feature, expected):
    assert is_form_of(form, feature) is expected
