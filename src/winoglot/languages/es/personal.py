"""Strong pronouns: *él*, *ella*, *ellos*, *ellas* as subjects and after prepositions.

The phrase replaces the pronoun, and *de* and *a* contract with *el*: *habló de {él}* → *habló del tío*. Not derived
where a noun phrase cannot be used: *ellos dos*, *él mismo*, *entre ellos*, and a pronoun that doubles an accusative
clitic (*lo vio a {él}*), since *lo vio a Juan* is used only in some regions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.es.words import listed

if TYPE_CHECKING:
    from winoglot.languages.base import Substitution
    from winoglot.languages.substitution import Place

_ACCUSATIVE = ("lo", "la", "los", "las")
_COUNTED = 3  # a clitic, its verb (two words of it), then "a"


def personal(place: Place) -> Substitution:
    """Replace the pronoun by the phrase."""
    after = place.following[0].form if place.following else ""
    before = [token.form for token in place.preceding]
    last = before[0] if before else ""
    if after in listed("pronoun_partners.txt"):
        raise NotDerivedError(f"a noun cannot replace {place.surface!r} before {after!r}")
    if last == "entre":
        raise NotDerivedError(f"'entre {place.surface}' may mean 'each other'")
    if last in ("todos", "todas") and place.phrase.is_name:
        raise NotDerivedError(f"a name cannot follow {last!r}")
    if last == "a" and _is_doubled(before[1:]):
        raise NotDerivedError(f"'a {place.surface}' doubles an earlier clitic, which a noun does only in some regions")
    return place.replace(rule="preposition" if last in listed("prepositions.txt") else "subject")


def _is_doubled(before: list[str]) -> bool:
    """Whether an accusative clitic comes before or after the verb: *la vio a ella*, *verla a ella*."""
    verb = before[0] if before else ""
    hangs = verb.endswith(_ACCUSATIVE) and verb[:-2].rstrip("l").endswith(("r", "ndo"))
    return hangs or any(word in _ACCUSATIVE for word in before[1 : _COUNTED + 1])
