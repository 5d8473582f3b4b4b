"""Demonstratives without a noun: *El lobo vio al zorro y {este} huyó* → *y el zorro huyó*.

With its old accent (*éste*) the form is a pronoun; without, only before a verb, a clitic or punctuation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.es.words import is_determiner, is_surely_finite, listed

if TYPE_CHECKING:
    from winoglot.languages.base import Substitution
    from winoglot.languages.substitution import Place


def demonstrative(place: Place) -> Substitution:
    """Replace the demonstrative by the phrase."""
    after = place.following[0].form if place.following else "."
    is_alone = not after[0].isalnum() or after in listed("clitics.txt") or after == "no" or is_surely_finite(after)
    if is_determiner(place.surface) and not is_alone:
        raise NotDerivedError(f"{place.surface!r} may belong to {after!r}")
    if after in ("que", "de", "del"):
        raise NotDerivedError(f"'{place.surface} {after}' is more than a pronoun")
    return place.replace(rule="demonstrative")
