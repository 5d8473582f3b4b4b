"""*Este, esse, aquele* and their contractions, without a noun: "mas este recusou" → "mas o tio recusou"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError, Substitution, function_words
from winoglot.languages.pt.phrase import with_preposition
from winoglot.languages.pt.verbs import is_finite
from winoglot.languages.pt.words import is_closed, words_in

if TYPE_CHECKING:
    from winoglot.languages.substitution import Place

_PROPOSITIONAL = ("isto", "isso", "aquilo")


def demonstrative(place: Place) -> Substitution:
    """Replace it by the candidate if no noun follows."""
    if place.surface.endswith(_PROPOSITIONAL):
        raise NotDerivedError(f"{place.surface!r} may refer to a statement")
    after = words_in(place.text, place.pronoun.end, len(place.text))
    if after and after[0].form in ("que", "de", "do", "da", "dos", "das"):
        raise NotDerivedError(f"{place.surface!r} begins a phrase with {after[0].form!r}")
    if after and not (is_closed(after[0]) or is_finite(after[0])):
        raise NotDerivedError(f"{after[0].form!r} may be the noun of {place.surface!r}")
    parts = function_words("pt").contractions.get(place.surface)
    if parts is None:
        return place.replace(rule="demonstrative")
    return place.rewrite(place.pronoun, with_preposition(parts[0], place.phrase), rule="preposition")
