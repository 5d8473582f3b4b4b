"""One of several: the candidate of *une des caissières* is written in the plural, and *elle* stands for one person."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from winoglot.languages.agreement import features_of_pronoun
from winoglot.languages.base import NotDerivedError
from winoglot.schemas.words import folded

if TYPE_CHECKING:
    from winoglot.schemas.item import Item

_ONE_OF = re.compile(
    r"\b(?:une?|aucune?|chacune?|laquelle|lequel) (?:des|de (?:ces|mes|tes|ses|nos|vos|leurs)) (?:\w+ )?$"
)


def refuse_one_of_several(item: Item, index: int) -> None:
    """Raise NotDerivedError where a singular pronoun stands for one of those that the candidate names."""
    text = item.text or ""
    before = [folded(text[: mention.start]) for mention in item.candidates[index].mentions]
    is_one = before and all(_ONE_OF.search(left) for left in before)
    if is_one and features_of_pronoun(item, "fr").number.value == "singular":
        raise NotDerivedError(f"one of several is meant, but {item.candidates[index].text!r} names them all")
