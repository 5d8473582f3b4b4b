"""Whether a phrase is an object or the subject of its clause, judging by the words before it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from winoglot.languages.pt.words import Word, determiners, is_closed, is_preposition, listed

Role = Literal["object", "subject", "unsure"]


@dataclass(frozen=True)
class PhraseContext:
    """What comes before the phrase: the word that governs it, and the words of its clause, nearest first."""

    role: Role
    governor: str
    clause: tuple[str, ...]


def context(before: tuple[Word, ...]) -> PhraseContext:
    """The role of a possessed phrase, given the words before the possessive (nearest first, without its article).

    >>> from winoglot.languages.pt.words import words_in
    >>> context(words_in("porque", 0, 6)).role, context(words_in("para", 0, 4)).role
    ('subject', 'object')
    """
    clause = []
    for word in before:
        if word.is_sign:
            break
        clause.append(word.form)
    return PhraseContext(_role(before), before[0].form if before else "", tuple(clause))


def _role(before: tuple[Word, ...]) -> Role:
    if not before:
        return "subject"
    nearest = before[0]
    if nearest.is_sign:
        return "unsure" if nearest.form in ('"', "”", "»", ")") else "subject"
    if nearest.form in listed("clause_openers.txt"):
        return "subject"
    if is_preposition(nearest.form):
        return "object"
    if is_closed(nearest) or nearest.is_capital:
        return "unsure"
    is_noun = len(before) > 1 and before[1].form in determiners()
    return "unsure" if is_noun else "object"
