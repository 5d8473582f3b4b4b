"""Spanish: an object that is a person takes *a*, a recipient is doubled.

In reading order:

- `grammar`: what Spanish adds to the Romance grammar;
- `people`: the personal *a*;
- `pronouns`: strong pronouns and clitics.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.lexicon import lexicon
from winoglot.languages.zero import before_verb

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.languages.base import Substitution
    from winoglot.languages.slots import Slot
    from winoglot.languages.substitution import Phrase, Place

ARTICLES_OF_NAMES_STAY = True  # de El Salvador, where French has "du Havre"

_SEAMS = (
    (re.compile(r"\b[ye](?=\s$)"), "y", "e", re.compile(r"(?:h?[ií](?![aeoáéó])|y(?![aeiouáéíóú])).", re.IGNORECASE)),
    (re.compile(r"\b[ou](?=\s$)"), "o", "u", re.compile(r"h?[oó]", re.IGNORECASE)),
)


def substitute(place: Place) -> Substitution:
    """Replace the pronoun by the candidate, according to the kind of pronoun."""
    from winoglot.languages.es import pronouns
    from winoglot.languages.es.grammar import SPANISH
    from winoglot.languages.romance.possessives import after_noun, possessive
    from winoglot.languages.romance.pronouns import demonstrative
    from winoglot.languages.romance.words import around

    form, words = place.surface, around(place, SPANISH)
    if form in ("él", "ella", "ellos", "ellas"):
        return pronouns.personal(words)
    if form in ("su", "sus"):
        return possessive(words)
    if form in ("suyo", "suya", "suyos", "suyas"):
        return after_noun(words)
    if form in ("lo", "la", "los", "las"):
        return pronouns.accusative(words)
    if form in ("le", "les"):
        return pronouns.dative(words)
    if form == "se" and words.next_form in ("lo", "la", "los", "las"):
        raise NotDerivedError(f"{form!r} is part of a cluster of clitics, with {words.next_form!r}")
    if form in ("se", "sí", "consigo"):
        raise NotDerivedError(f"{form!r} refers back to its own subject")
    if form == "ello":
        raise NotDerivedError("'ello' refers to a statement, not to a noun")
    return demonstrative(words)


def unspoken(place: Place) -> Substitution:
    """The candidate as a subject that is not spoken; an infinitive would have it after it: *al salir Ana*."""
    from winoglot.languages.es.grammar import SPANISH
    from winoglot.languages.romance.predicates import check_subject

    before = place.preceding[0].form if place.preceding else ""
    if before == "al" or before in lexicon("es", "function_words").words("preposition"):
        raise NotDerivedError(f"after {before!r}, the subject comes after its infinitive")
    check_subject(place, SPANISH)
    return before_verb(place)


def check_exchange(text: str, slots: Sequence[Sequence[Slot]], phrases: Sequence[Phrase]) -> None:
    """Candidates that cannot be swapped: see `people`."""
    from winoglot.languages.es import people

    people.check_exchange(text, slots, phrases)


def euphonic(left: str, right: str) -> str:
    """The left text, with its final conjunction (if any) adapted to the first sound of the right one.

    *y* becomes *e* before the sound i, *o* becomes *u* before the sound o, but not before a diphthong (*y hierro*) nor
    with a capital: *¿Y Inés?* asks where she is.

    >>> euphonic("Rio y ", "Inés"), euphonic("Rio e ", "Ana"), euphonic("Agua y ", "hierro"), euphonic("Rio o ", "Olga")
    ('Rio e ', 'Rio y ', 'Agua y ', 'Rio u ')
    """
    for conjunction, full, before_sound, sound in _SEAMS:
        if conjunction.search(left):
            return conjunction.sub(before_sound if sound.match(right) else full, left)
    return left


def word_class(form: str) -> str:
    """What the word may be in a noun phrase."""
    from winoglot.languages.es.grammar import SPANISH

    return SPANISH.word_class(form)
