"""Candidates that cannot be swapped: a person takes *a* as an object, a thing does not.

*El niño empujó el carro* would have to become *El carro empujó al niño*, and only the meaning of the verb distinguishes
this *a* from the one in *miró a la pared*.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.es.people import is_animate
from winoglot.languages.es.words import listed
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.languages.slots import Slot
    from winoglot.languages.substitution import Phrase


def check_exchange(text: str, slots: Sequence[Sequence[Slot]], phrases: Sequence[Phrase]) -> None:
    """Raise NotDerivedError if a person and a thing are swapped and one of them may be an object."""
    animate = [_animacy(phrase) for phrase in phrases]
    if set(animate) != {True, False}:
        return
    for slot in (slot for some in slots for slot in some):
        if _may_be_object(text, slot):
            raise NotDerivedError(f"a person takes 'a' as an object and a thing does not: {slot.span.of(text)!r}")


def _animacy(phrase: Phrase) -> bool | None:
    try:
        return is_animate(phrase)
    except NotDerivedError:
        return None


def _may_be_object(text: str, slot: Slot) -> bool:
    """After *a*, or right after a word that is not a preposition or conjunction."""
    left = text[: slot.span.start].rstrip()
    before = folded(left.split()[-1]) if left and left[-1].isalpha() else ""
    if slot.preposition:
        return slot.preposition == "a"
    return before == "a" or (bool(before) and before not in listed("small_words.txt"))
