import pytest

from cases import listed
from winoglot import Candidate, Item, Span
from winoglot.languages.base import NotDerivedError
from winoglot.languages.es import substitute
from winoglot.languages.es.grammar import SPANISH
from winoglot.languages.phrases import phrase_of
from winoglot.languages.readings import grammatical_readings
from winoglot.languages.romance.clitics import check_verb, verb_end
from winoglot.languages.romance.possessed import PossessedPhrase
from winoglot.languages.romance.words import around
from winoglot.languages.substitution import Place
from winoglot.languages.text import sentences, words
from winoglot.schemas.model import Features


def marked(text, candidate, **more):
    start, end = text.index("{"), text.index("}") - 1
    plain = text.replace("{", "").replace("}", "")
    at = plain.find(candidate)
    mentions = (Span(at, at + len(candidate)),) if at >= 0 else ()
    found = (Candidate(candidate, mentions=mentions, features=more.pop("features", Features())),)
    return Item("a.0", "a", text=plain, pronoun=Span(start, end), candidates=found, **more)


def derived(text, candidate, **more):
    (reading,) = grammatical_readings(marked(text, candidate, **more), "es")
    return reading.text if reading.derived else None


def by_rules(text, candidate):
    """What the rules alone say, whether or not a form written with its verb counts as a marked pronoun."""
    item = marked(text, candidate)
    place = Place(item, item.text, item.pronoun, phrase_of(item, 0, "es"), "es", item.candidates[0].mentions)
    try:
        made = substitute(place)
    except NotDerivedError:
        return None
    assert item.text.endswith(made.after)
    return made.before + made.inserted + made.after


def words_after(pronoun, text):
    whole, span = f"{pronoun} {text}", Span(0, len(pronoun))
    item = Item("a.0", "a", text=whole, pronoun=span, candidates=(Candidate("x"),))
    return around(Place(item, whole, span, None, "es"), SPANISH)


@listed
def test_a_clitic_written_with_its_verb(text, candidate, reading):
    assert by_rules(text, candidate) == reading


@listed
def test_the_noun_lands_behind_the_whole_predicate(text, last):
    found = words_after("lo", text).after
    assert found[verb_end(found, SPANISH)].form == last


@pytest.mark.parametrize("text", ["que pasó", "importante", "ha ayer", "Ana", "de Ana", "mirar", "bonito"])
def test_an_article_is_no_clitic(text):
    assert derived(f"El tío vio {{lo}} {text}.", "El tío") is None
    with pytest.raises(NotDerivedError):
        check_verb(words_after("lo", "que pasó"))


@listed
def test_the_end_of_the_possessed_phrase(text, phrase):
    found = words_after("sus" if "s " in f"{phrase} " else "su", text)
    assert found.written(0, PossessedPhrase(found, ()).length - 1) == phrase


@pytest.mark.parametrize("text", [". Y", "de Ana", "Majestad rio", "gorra y bufanda.", "amigo Pelayo rio"])
def test_an_unsure_end_of_the_possessed_phrase_is_refused(text):
    with pytest.raises(NotDerivedError):
        PossessedPhrase(words_after("su", text), ())


@listed
def test_the_article_of_a_plural_goes_by_its_singular(noun, found):
    assert SPANISH.article(PossessedPhrase(words_after("sus", f"{noun}."), ())) == found


def test_a_phrase_that_the_author_gives_wins_over_the_search():
    text = "Nil oyó a Eva, y {su} amigo Pelayo rio."
    assert derived(text, "Eva") is None
    phrase = Span(text.index("{"), text.index("}") + len(" amigo Pelayo") - 1)
    assert derived(text, "Eva", phrase=phrase) == "Nil oyó a Eva, y el amigo Pelayo de Eva rio."


def test_stated_features_decide_gender_and_the_personal_a():
    feminine = Features(gender="feminine", number="singular")
    assert derived("Un águila cazaba y {ella} cayó.", "un águila", features=feminine) == (
        "Un águila cazaba y el águila cayó."
    )
    text = "Ana halló un trasto y {lo} miró."
    assert derived(text, "un trasto") is None
    assert derived(text, "un trasto", features=Features(animacy="thing")) == "Ana halló un trasto y miró el trasto."
    assert derived(text, "un trasto", features=Features(animacy="human")) == "Ana halló un trasto y miró al trasto."


@pytest.mark.parametrize("pronoun", ["contigo", "conmigo", "usted", "cuyo", "он", "他", "🙂"])
def test_an_unknown_pronoun_is_not_derived(pronoun):
    assert derived(f"El tío vio {{{pronoun}}} ayer.", "El tío") is None


def test_sentences_and_words():
    assert sentences("La Sra. Gil duerme. ¿Quién llama? ¡Nadie!", "es") == [
        "La Sra. Gil duerme.",
        "¿Quién llama?",
        "¡Nadie!",
    ]
    assert words("¿Quiere dárselo al Dr. Paz?", "es") == ["¿", "Quiere", "dárselo", "al", "Dr.", "Paz", "?"]


def test_no_listed_noun_is_both_person_and_thing_and_no_listed_verb_is_an_adjective():
    nouns = SPANISH.table("nouns")
    assert not (nouns.words("human") | nouns.words("animal")) & nouns.words("thing")
    adjectives = SPANISH.inflected_adjectives.keys() - SPANISH.table("adjectives").words("verb-too")
    assert not [form for form in adjectives if SPANISH.is_finite(form)]


@listed
def test_where_the_object_stands(text, candidate, reading):
    assert derived(text, candidate) == reading
