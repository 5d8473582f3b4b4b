"""Stressed pronouns (*lui, lei, esso, loro*) and possessives (*suo*, *loro*).

The phrase replaces a stressed pronoun, and the preposition before it contracts with the article: *parlò di {lui}* →
*parlò dello zio*; a *di* that only a pronoun needs goes (*su di {lui}* → *sullo zio*). A possessive makes room for the
noun, before which the article is written by its sound: *la {sua} amica* → *l'amica di Anna*. Not derived: *tra loro*,
which may mean "each other", *lui stesso*, and *i suoi*, "their parents".
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError, function_words
from winoglot.languages.it import clitics
from winoglot.languages.it.grammar import ITALIAN
from winoglot.languages.romance import possessives, pronouns
from winoglot.languages.romance.grammar import is_word
from winoglot.languages.romance.words import with_preposition
from winoglot.schemas.spans import Span

if TYPE_CHECKING:
    from winoglot.languages.base import Substitution
    from winoglot.languages.romance.words import Around

_WITH_DI = ("su", "verso", "contro", "senza", "dopo", "dietro", "sopra", "sotto", "presso", "oltre", "dentro")
_ALONE = {"il": "quello", "la": "quella", "le": "quelle"}


def personal(around: Around) -> Substitution:
    """Replace the pronoun by the phrase."""
    place = around.place
    previous, before = around.previous_form, around.before[1].form if len(around.before) > 1 else ""
    if {previous, before} & {"tra", "fra"} and place.surface in ("loro", "essi", "esse"):
        raise NotDerivedError(f"'tra {place.surface}' may mean 'each other'")
    if place.pronoun.of(place.text) == "Lei" and not around.opens_sentence:
        raise NotDerivedError("'Lei' with a capital may be a polite 'you'")
    if previous in ("di", "d'") and before in ("fuori", "intorno"):
        raise NotDerivedError(f"a noun follows {before!r} with another preposition than a pronoun does")
    if previous in ("di", "d'") and before in _WITH_DI:
        touched = Span(around.before[1].span.start, place.pronoun.end)
        return place.rewrite(touched, with_preposition(before, place.phrase, ITALIAN), rule="preposition")
    return pronouns.personal(around)


def loro(around: Around) -> Substitution:
    """Replace *loro*: a subject, a possessive, a recipient after its verb, or after a preposition."""
    previous, following = around.previous_form, around.next_form
    is_followed = not ITALIAN.ends_phrase(following) if following else False
    if ITALIAN.has_article(around) and previous not in ITALIAN.words("clitic-only"):
        return possessives.possessive(around)
    if previous in ITALIAN.prepositions:
        if is_followed:
            raise NotDerivedError(f"'loro' may own {following!r} or be a phrase of its own")
        return personal(around)
    if previous in ITALIAN.verbs.forms_of("giving"):
        return clitics.loro(around)
    joints = ITALIAN.words("subordinator") | ITALIAN.words("coordinator") | ITALIAN.words("light")
    opens = not around.before or around.before[0].is_punctuation or previous in joints
    if opens or ITALIAN.is_adverb(previous):
        return personal(around)
    raise NotDerivedError(f"'loro' after {previous!r} may be an object or a recipient")


def possessive(around: Around) -> Substitution:
    """Replace *suo* before or after its noun, or without one."""
    place, previous, following = around.place, around.previous_form, around.next_form
    is_after_noun = previous in ITALIAN.table("nouns").words("before-possessive")
    is_followed = bool(following) and not ITALIAN.ends_phrase(following)
    if is_followed or following in ITALIAN.prenominals or (following and not is_after_noun and _may_be_owned(around)):
        return possessives.possessive(around)
    if is_after_noun or previous in ITALIAN.verbs.forms("essere"):
        return place.replace(rule="possessive", preposition="di")  # "a casa sua", "è sua"
    preposition, article = function_words("it").contractions.get(previous, ("", previous))
    if article in _ALONE:
        touched = Span(around.before[0].span.start, place.pronoun.end)
        owner = with_preposition("di", place.phrase, ITALIAN)
        lead = f"{preposition} {_ALONE[article]} ".lstrip()  # "più grande della sua" → "più grande di quella di Anna"
        return place.rewrite(touched, owner, rule="possessive alone", lead=lead)
    raise NotDerivedError(f"no noun follows {place.surface!r}")


def _may_be_owned(around: Around) -> bool:
    """Whether a word that may be a verb is the possessed noun: *la sua cura non basta*, but *la sua costa di più*.

    It is if the phrase does not open its clause, or if another verb follows in the clause; a verb that is no noun is
    not. In doubt NotDerivedError is raised.
    """
    form, before = around.next_form, around.before[1:]
    if ITALIAN.is_noun_too(form):
        return True
    if not ITALIAN.may_be_noun(form) or not ITALIAN.can_agree(form, ITALIAN.shown_by(around.place.surface)):
        return False
    joints = ITALIAN.words("subordinator") | ITALIAN.words("coordinator")
    opens_clause = not before or before[0].is_punctuation or before[0].form in joints | ITALIAN.words("adverb")
    if not opens_clause or ITALIAN.words("determined").isdisjoint([around.previous_form]):
        return True
    rest = [word.form for word in takewhile(lambda word: is_word(word.form) and word.form not in joints, around.after)]
    if any(ITALIAN.is_finite(word) or word in ITALIAN.words("negation") for word in rest[1:]):
        return True
    if form in ITALIAN.table("verbs").words("noun-too"):
        raise NotDerivedError(f"{form!r} may be the possessed noun or the verb")
    return False
