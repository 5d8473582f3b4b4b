"""Russian: candidates take the case of the pronoun.

`morphology` knows words, `noun_phrase` declines phrases, `candidates` reads what is cited and mentioned in any case.
`government` finds the pronoun's case, `personal` and `possessive` replace it, `euphony` writes the preposition before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.lexicon import lexicon
from winoglot.languages.ru.euphony import euphonic

if TYPE_CHECKING:
    from collections.abc import Collection

    from winoglot.languages.base import Substitution
    from winoglot.languages.features import Traits
    from winoglot.languages.substitution import Place
    from winoglot.schemas.model import Candidate, Item
    from winoglot.schemas.spans import Span

__all__ = [
    "candidate_features",
    "definite",
    "euphonic",
    "in_place_of",
    "inflected",
    "listed_name",
    "pronoun_features",
    "renamed_form",
    "substitute",
]


def substitute(place: Place) -> Substitution:
    """Replace the pronoun by the candidate in its case, or an owner by a genitive behind what it owns."""
    from winoglot.languages.ru import personal, possessive

    lines = lexicon("ru", "pronouns").entries[place.surface]
    if any(line.has("reflexive") for line in lines):
        raise NotDerivedError(f"{place.surface!r} refers back to its own subject")
    if any(line.has("possessive") for line in lines):
        found = possessive.possessed(place)
        if found is not None and possessive.is_owner(place, found):
            return possessive.owner(place, found)
        if found is None:
            possessive.check_object(place)
    return personal.personal(place)


def definite(item: Item, index: int) -> str | None:
    """The candidate in the nominative, as it is mentioned again."""
    from winoglot.languages.ru.candidates import nominative

    return nominative(item.candidates[index], item)


def inflected(phrase: str) -> Collection[str]:
    """The phrase in all its cases."""
    from winoglot.languages.ru.candidates import forms_of

    return forms_of(phrase)


def in_place_of(item: Item, incoming: int, mention: Span) -> str:
    """A candidate in the case in which the text mentions the other one."""
    from winoglot.languages.ru import exchange

    return exchange.in_place_of(item, incoming, mention)


def listed_name(word: str) -> str:
    """The first name of which the word is a form."""
    from winoglot.languages.ru import exchange

    return exchange.listed_name(word)


def renamed_form(text: str, place: Span, name: str, new: str, gender: str) -> str:
    """A new name in the case of the old one."""
    from winoglot.languages.ru import exchange

    return exchange.renamed_form(text, place, name, new, gender)


def candidate_features(candidate: Candidate, item: Item) -> Traits:
    """Gender, number and animacy of a candidate, from the words of its phrase."""
    from winoglot.languages.ru.candidates import features_of

    return features_of(candidate, item)


def pronoun_features(item: Item) -> Traits:
    """Gender and number of the pronoun; *ему* is masculine unless a candidate is neuter."""
    from winoglot.languages.ru.candidates import features_of_pronoun

    return features_of_pronoun(item)
