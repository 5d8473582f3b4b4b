"""Strong pronouns: *él*, *ella*, *ellos*, *ellas* as subjects and after prepositions.

The phrase replaces the pronoun, and *de* and *a* contract with *el*: *habló de {él}* → *habló del tío*. Not derived
where a noun phrase cannot be used: *ellos dos*, *él mismo*, *entre ellos*, and a pronoun that doubles an accusative
clitic (*lo vio a {él}*), since *lo vio a Juan* is used only in some regions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.romance import pronouns

if TYPE_CHECKING:
    from winoglot.languages.base import Substitution
    from winoglot.languages.romance.words import Around

_ACCUSATIVE = ("lo", "la", "los", "las")
_COUNTED = 3  # a clitic, its verb (two words of it), then "a"


def personal(around: Around) -> Substitution:
    """Replace the pronoun by the phrase."""
    surface, last = around.place.surface, around.previous_form
    if last == "entre":
        raise NotDerivedError(f"'entre {surface}' may mean 'each other'")
    if last == "a" and _is_doubled([word.form for word in around.before[1:]]):
        raise NotDerivedError(f"'a {surface}' doubles an earlier clitic, which a noun does only in some regions")
    return pronouns.personal(around)


def _is_doubled(before: list[str]) -> bool:
    """Whether an accusative clitic comes before or after the verb: *la vio a ella*, *verla a ella*."""
    verb = before[0] if before else ""
    hangs = verb.endswith(_ACCUSATIVE) and verb[:-2].rstrip("l").endswith(("r", "ndo"))
    return hangs or any(word in _ACCUSATIVE for word in before[1 : _COUNTED + 1])
