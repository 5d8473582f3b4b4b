import pytest

from cases import listed
from winoglot import Candidate, Features, Item, Span
from winoglot.languages.fr.grammar import FRENCH
from winoglot.languages.fr.verbs import without_agreement
from winoglot.languages.readings import grammatical_readings
from winoglot.languages.substitution import begins_with_vowel, elision_fault, usually_begins_with_vowel
from winoglot.schemas.markup import parse


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


@listed
def test_a_participle_loses_the_agreement_with_its_clitic(agreeing, plural, masculine):
    assert FRENCH.is_participle(agreeing)
    assert without_agreement(agreeing, agreeing, plural=plural).masculine == masculine


def test_infinitives_are_told_from_nouns():
    infinitives, others = ["parler", "finir", "avoir", "prendre", "coudre"], ["cahier", "soir", "lettre", "quatre"]
    assert [word for word in infinitives + others if FRENCH.is_infinitive(word)] == infinitives


def test_the_apostrophe_of_the_text_is_used_and_another_script_stays():
    assert read("On dit qu’{il} dort.", "Igor") == "On dit qu’Igor dort."
    assert read("On ne {l’}a pas vu.", "Igor") == "On n’a pas vu Igor."
    assert read("« Et {il} part »", "le garde") == "« Et le garde part »"
    assert read("On parle avec {lui}.", "Иван") == "On parle avec Иван."
    assert read("On dit qu'{il} dort.", "Анна") is None


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


@listed
def test_an_adjective_like_a_verb_is_the_verb_of_a_clause_that_has_no_other(marked, reading):
    assert read(marked) == reading
