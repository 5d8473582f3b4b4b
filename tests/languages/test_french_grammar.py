import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import listed
from sentence_lists import sentences
from winoglot import Candidate, Features, Item, Span
from winoglot.languages.fr.grammar import FRENCH
from winoglot.languages.fr.verbs import without_agreement
from winoglot.languages.readings import grammatical_readings
from winoglot.languages.substitution import begins_with_vowel, elision_fault, usually_begins_with_vowel
from winoglot.schemas.markup import parse

SEEN = sentences("fr")


def read(marked, candidate="Paul", *, features=None, phrase=None, **options):
    """The reading of a text with its pronoun in braces; None where it is not derived."""
    text = parse(marked).alternative(0)
    pronoun = text.braces[0]
    mention = text.text.find(candidate)
    mentions = (Span(mention, mention + len(candidate)),) if 0 <= mention < pronoun.start else ()
    entry = Candidate(candidate, mentions=mentions, features=features or Features())
    span = None
    if phrase is not None:
        start = text.text.index(phrase)
        span = Span(start, start + len(phrase))
    item = Item("a.0", "a", text=text.text, pronoun=pronoun, candidates=(entry,), phrase=span, **options)
    (reading,) = grammatical_readings(item, "fr")
    return reading.text if reading.derived else None


@listed
def test_spelling_and_the_list_tell_how_a_word_begins(vowel, words):
    assert {word: begins_with_vowel(word, "fr") for word in words.split()} == dict.fromkeys(words.split(), vowel)


def test_where_usage_varies_no_fault_is_found_and_the_usual_form_is_written():
    assert elision_fault("de", "Hugo", "fr") is None
    assert elision_fault("d'", "Hugo", "fr") is None
    assert usually_begins_with_vowel("Hugo", "fr") is True
    assert elision_fault("le", "huile", "fr") == "'le' comes before a vowel in 'huile'"
    assert elision_fault("l'", "haricot", "fr") == "\"l'\" comes before a consonant in 'haricot'"


def test_combining_marks_do_not_hide_a_vowel():
    assert begins_with_vowel(unicodedata.normalize("NFD", "école"), "fr") is True
    assert begins_with_vowel(unicodedata.normalize("NFD", "héros"), "fr") is False


@listed
def test_a_participle_loses_the_agreement_with_its_clitic(agreeing, plural, masculine):
    assert FRENCH.is_participle(agreeing)
    assert without_agreement(agreeing, agreeing, plural=plural).masculine == masculine


def test_infinitives_are_told_from_nouns():
    infinitives, others = ["parler", "finir", "avoir", "prendre", "coudre"], ["cahier", "soir", "lettre", "quatre"]
    assert [word for word in infinitives + others if FRENCH.is_infinitive(word)] == infinitives


@listed
def test_decomposed_texts_read_like_composed_ones(text, expected):
    made = read(unicodedata.normalize("NFD", text), "le garde")
    assert unicodedata.normalize("NFC", made) == expected


def test_non_breaking_spaces_stay_and_still_contract():
    assert read("On pense à\u00a0{lui}\u202f!", "le garde") == "On pense au garde\u202f!"
    assert read("« Et {il} part »", "le garde") == "« Et le garde part »"


def test_the_apostrophe_of_the_text_is_used():
    assert read("On dit qu’{il} dort.", "Igor") == "On dit qu’Igor dort."
    assert read("On ne {l’}a pas vu.", "Igor") == "On n’a pas vu Igor."


def test_the_author_may_say_where_the_possessed_phrase_ends():
    assert read("On a vu {sa} sœur Ève hier.", phrase="sa sœur Ève") == "On a vu la sœur Ève de Paul hier."
    assert read("On a vu {sa} sœur Ève hier.") is None


def test_stated_features_are_heard():
    feminine = Features(gender="feminine")
    assert read("On {l'}a vue.", "Camille", features=feminine) == "On a vu Camille."
    assert read("On {l'}a vu.", "Camille", features=feminine) is None
    assert read("On part avec {lui}.", "Camille", features=feminine) is None


@pytest.mark.parametrize(
    "text", ["Il {zorg} voit.", "On {l'}", "{Lui}", "Voici {son}.", "{Le} 🙂 voit.", "On {la} 见了."]
)
def test_odd_input_is_refused_honestly(text):
    assert read(text) is None


def test_another_script_stays_as_it_is():
    assert read("On parle avec {lui}.", "Иван") == "On parle avec Иван."
    assert read("On dit qu'{il} dort.", "Анна") is None


@given(
    st.sampled_from(SEEN),
    st.sampled_from(["", "🙂 ", "Hier\u00a0: ", "Ouf ! "]),
    st.sampled_from(["", " Puis 他走了.", " 🙂"]),
)
def test_what_stands_around_the_sentence_changes_nothing(sentence, before, after):
    item = sentence.item
    moved = [
        Candidate(c.text, mentions=tuple(Span(m.start + len(before), m.end + len(before)) for m in c.mentions))
        for c in item.candidates
    ]
    pronoun = Span(item.pronoun.start + len(before), item.pronoun.end + len(before))
    wider = Item("a.0", "a", text=before + item.text + after, pronoun=pronoun, candidates=tuple(moved))
    made = grammatical_readings(wider, "fr")
    expected = [before + text + after if text else None for text in sentence.expected]
    assert [reading.text if reading.derived else None for reading in made] == expected


_PRONOUNS = "il elle lui leur le la l' les son sa ses leurs eux c' ce celui-ci"
_WORDS = f"""{_PRONOUNS} ne n' pas plus a est avait vu vue prises donner aider de d' à que qu' et mais pour en y
Paul Anne chat maison rouge petit hier , . ! « » - très bien fait dit qui été"""


@st.composite
def items(draw):
    """Any words around any pronoun: nonsense too must be left alone outside the place."""
    words = draw(st.lists(st.sampled_from(_WORDS.split()), min_size=1, max_size=9))
    at = draw(st.integers(0, len(words) - 1))
    words[at] = draw(st.sampled_from(_PRONOUNS.split()))
    text, span = "", Span(0, 0)
    for number, word in enumerate(words):
        if text and not text.endswith("'") and word not in ",.-":
            text += " "
        if number == at:
            span = Span(len(text), len(text) + len(word))
        text += word
    candidate = draw(st.sampled_from(["Paul", "Anne", "le chat", "l'oie", "les voisins", "une hache", "Rose et Paul"]))
    return Item("a.0", "a", text=text, pronoun=span, candidates=(Candidate(candidate),))


@given(items())
def test_readings_touch_one_region_and_double_no_blank(item):
    (reading,) = grammatical_readings(item, "fr")
    assert reading.text == reading.before + reading.inserted + reading.after
    assert item.text.endswith(reading.after)
    assert grammatical_readings(item, "fr") == [reading]
    if reading.derived:
        assert "  " not in reading.text
        kept = len(item.text) - len(reading.after)
        assert kept >= item.pronoun.end
        untouched = item.text[: max(0, item.pronoun.start - 12)]
        assert reading.text.startswith(untouched.rsplit(" ", 2)[0])


@listed
def test_an_adjective_like_a_verb_is_the_verb_of_a_clause_that_has_no_other(marked, reading):
    assert read(marked) == reading
