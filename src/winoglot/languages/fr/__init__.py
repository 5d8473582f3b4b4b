"""French: how a candidate replaces each pronoun.

`stressed` covers subjects and pronouns after prepositions, `clitics` and `enclitics` objects, `possessive` with
`possessed` *son* and *leurs*, `demonstratives` *c'est* and *celui-ci*. *En*, *y*, reflexives and *cela* are not
derived.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError

if TYPE_CHECKING:
    from winoglot.languages.base import Substitution
    from winoglot.languages.substitution import Place
    from winoglot.schemas.model import Item

INITIALS_LIKE_WORDS = True  # l'ONU, le FMI: pronounced as words or by first letter, not by the letter's name


def definite(item: Item, index: int) -> str | None:
    """Cases that articles do not decide: one of a group has no name of its own, *une des caissières … elle*."""
    from winoglot.languages.fr.several import refuse_one_of_several

    refuse_one_of_several(item, index)
    return None


def substitute(place: Place) -> Substitution:
    """The reading of a French item."""
    from winoglot.languages.fr import clitics, demonstratives, enclitics, leur, possessive, stressed
    from winoglot.languages.fr.several import refuse_single_name
    from winoglot.languages.fr.words import around

    refuse_single_name(place.phrase, place.item)
    form, words = place.surface, around(place)
    if enclitics.is_enclitic(place, words):
        return enclitics.enclitic(place, words)
    if form in ("il", "elle", "ils", "elles", "eux"):
        return stressed.subject_or_stressed(place, words)
    if form == "lui":
        return stressed.lui(place, words)
    if form in ("le", "la", "l'", "les"):
        return clitics.accusative(place, words)
    if form in ("son", "sa", "ses", "leurs"):
        return possessive.possessive(place, words)
    if form == "leur":
        return leur.leur(place, words)
    if form in ("ce", "c'"):
        return demonstratives.ce(place, words)
    if form.endswith(("-ci", "-là")):
        return demonstratives.demonstrative(place, words)
    raise NotDerivedError(f"there is no rule for {form!r}")
