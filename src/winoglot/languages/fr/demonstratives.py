"""Demonstratives: *celui-ci* is replaced like a noun; *c'est*, *c'était* become *Paul est*, *la valise était*.

The words after *c'est* must fit: a noun phrase, or an adjective with the candidate's gender. In *c'est … qui*,
*c'est que* and *c'est pourquoi*, *ce* refers to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.fr.prepositions import repeated
from winoglot.languages.fr.words import SENTENCE_ENDS, is_word, listed, verb_of

if TYPE_CHECKING:
    from winoglot.languages.base import Substitution
    from winoglot.languages.fr.words import Around
    from winoglot.languages.substitution import Place

_PLURAL_VERBS = frozenset({"sont", "étaient", "seront", "seraient", "furent", "soient"})


def demonstrative(place: Place, around: Around) -> Substitution:
    """*Celui-ci*, *celle-là* and their plurals."""
    previous = {"d'": "de"}.get(around.previous_form(), around.previous_form())
    phrase = repeated(previous, place.phrase) if previous in ("de", "à") else place.phrase.text
    return place.rewrite(place.pronoun, phrase, rule="demonstrative")


def ce(place: Place, around: Around) -> Substitution:
    """*Ce* before a form of *être*."""
    forms = [token.form for token in around.after]
    if forms[:1] in (["n'"], ["ne"]):
        forms = forms[1:]
    if not forms or verb_of(forms[0]) != "être":
        raise NotDerivedError(f"{place.surface!r} is not the subject of a form of 'être'")
    _refuse_cleft(forms)
    number = place.phrase.traits.number
    if (number.value == "plural") != (forms[0] in _PLURAL_VERBS):
        raise NotDerivedError(f"number differs: verb {forms[0]!r}; {number}")
    if forms[1:2] and forms[1] in ("à", "au", "aux", "pour", "par", "avec", "sans", "comme", "lui", "elle", "eux"):
        raise NotDerivedError(f"before {forms[1]!r}, 'c'est' introduces something else")
    _refuse_adjective(place, forms)
    gap = " " if place.surface.endswith("'") else ""
    return place.rewrite(place.pronoun, place.phrase.text + gap, rule="c'est")


def _refuse_cleft(forms: list[str]) -> None:
    clause = []
    for form in forms[1:]:
        if form in SENTENCE_ENDS or form in (",", ";", ":"):
            break
        clause.append(form)
    for form in clause:
        if form in ("qui", "que", "qu'", "pourquoi", "dont", "où"):
            raise NotDerivedError(f"with {form!r}, 'ce' refers to nothing")


def _refuse_adjective(place: Place, forms: list[str]) -> None:
    """After *ce* an adjective is masculine: "c'était lourd" does not fit a feminine noun."""
    skipped = listed("adverbs") | listed("negations") | listed("degree_words")
    rest = [form for form in forms[1:] if form not in skipped]
    predicate = rest[0] if rest else ""
    small = listed("determiners") | listed("quantifiers") | listed("prepositions") | listed("clitics")
    if not is_word(predicate):
        raise NotDerivedError(f"it is unclear what {place.surface!r} refers to: it may be a clause")
    if predicate in small or predicate.endswith("e"):
        return
    gender = place.phrase.traits.gender
    if gender.value != "masculine":
        raise NotDerivedError(f"{predicate!r} is masculine after 'ce'; the candidate's gender is {gender}")
