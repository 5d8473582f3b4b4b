import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import listed
from winoglot import Candidate, Item, Span
from winoglot.languages.phrases import phrase_of
from winoglot.languages.pt.grammar import PORTUGUESE
from winoglot.languages.readings import grammatical_readings
from winoglot.languages.romance.clitics import verb_end
from winoglot.languages.romance.possessed import PossessedPhrase
from winoglot.languages.romance.words import around
from winoglot.languages.substitution import Place


def marked(text, candidates, **more):
    start, end = text.index("{"), text.index("}") - 1
    plain = text.replace("{", "").replace("}", "")
    found = []
    for candidate in candidates:
        at = plain.find(candidate)
        found.append(Candidate(candidate, mentions=(Span(at, at + len(candidate)),) if at >= 0 else ()))
    return Item("a.0", "a", text=plain, pronoun=Span(start, end), candidates=tuple(found), **more)


def derived(text, *candidates, language="pt-BR", **more):
    made = grammatical_readings(marked(text, candidates, **more), language)
    return [reading.text if reading.derived else None for reading in made]


def words_around(before, pronoun, after):
    text = f"{before} {pronoun} {after}"
    span = Span(len(before) + 1, len(before) + 1 + len(pronoun))
    item = Item("a.0", "a", text=text, pronoun=span, candidates=(Candidate("Ana"),))
    return around(Place(item, text, span, phrase_of(item, 0, "pt"), "pt"), PORTUGUESE)


def end_of(before, possessive, after):
    words = words_around(before, possessive, after)
    return words.written(0, PossessedPhrase(words, words.before).length - 1)


@listed
def test_the_end_of_the_possessed_phrase(before, possessive, after, phrase):
    assert end_of(before, possessive, after) == phrase


def test_a_phrase_that_the_author_gives_wins_over_the_search():
    text = "Nilo ouviu Davi, e {seu} amigo Plínio riu."
    assert derived(text, "Nilo", "Davi") == [None, None]
    phrase = Span(text.index("{"), text.index("}") + len(" amigo Plínio") - 1)
    assert derived(text, "Nilo", "Davi", phrase=phrase)[0] == "Nilo ouviu Davi, e o amigo Plínio de Nilo riu."


@listed
def test_rare_places_are_right_or_not_derived(text, reading):
    assert derived(text, "O tio") == [reading]


@listed
def test_the_noun_lands_behind_the_whole_predicate(text, last):
    words = words_around("que", "o", text).after
    assert words[verb_end(words, PORTUGUESE)].form == last


def test_verbs_are_conjugated_with_their_spelling():
    verbs = PORTUGUESE.verbs
    assert {"cheguei", "chega", "chegue", "chegando", "chegado"} <= verbs.forms("chegar")
    assert {"começou", "comece", "conheça"} <= verbs.forms("começar") | verbs.forms("conhecer")
    assert {"fuja", "foge", "fugiu"} <= verbs.third_person("fugir")
    assert "este" not in verbs.forms("estar")


def test_no_listed_adjective_is_taken_for_a_listed_verb_unless_it_agrees():
    plurals = {form for form in PORTUGUESE.inflected_adjectives if form.endswith("s")}
    assert not plurals & PORTUGUESE.verbs.third_persons("clear")


@given(st.sampled_from(sorted(PORTUGUESE.inflected_adjectives)), st.sampled_from(["seu", "sua", "seus", "suas"]))
def test_an_adjective_belongs_to_the_nouns_with_which_it_agrees(form, possessive):
    noun = PORTUGUESE.shown_by(possessive)
    assert PORTUGUESE.is_adjective(form, noun) == PORTUGUESE.can_agree(form, noun)
    assert any(PORTUGUESE.can_agree(form, PORTUGUESE.shown_by(one)) for one in ("seu", "sua", "seus", "suas"))


@given(st.sampled_from(sorted(PORTUGUESE.verbs.table.words("clear"))))
def test_listed_verbs_are_recognised(verb):
    assert PORTUGUESE.is_infinitive(verb) or verb in PORTUGUESE.lookalikes("infinitive")
    assert all(PORTUGUESE.is_finite(form) for form in PORTUGUESE.verbs.third_person(verb))


@pytest.mark.parametrize("pronoun", ["lho", "hen", "cujo", "он", "他", "🙂"])
def test_an_unknown_pronoun_is_not_derived(pronoun):
    assert derived(f"O tio viu {{{pronoun}}} ali.", "O tio") == [None]


def test_a_quoted_name_gets_no_article():
    item = marked('O selo "brisa leve" venceu e {ela} brilhou.', ["brisa leve"])
    assert phrase_of(item, 0, "pt").text == "brisa leve"


@listed
def test_an_adjective_like_a_verb_is_the_verb_of_a_clause_that_has_no_other(text, reading):
    assert derived(text, "João") == [reading]


@listed
def test_a_after_a_verb_of_motion_may_be_a_preposition(text, reading):
    assert derived(text, "Ana") == [reading]
