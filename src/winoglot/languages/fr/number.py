"""Cases where candidate and pronoun differ in number though no article shows it.

One of several: the candidate in *une des caissières* is written in the plural, but *elle* refers to one person. And a
single name, *Namur*, to which *ils* may refer by sense.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from winoglot.languages.agreement import features_of_pronoun
from winoglot.languages.base import NotDerivedError
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from winoglot.languages.substitution import Phrase
    from winoglot.schemas.model import Item

_ONE_OF = re.compile(
    r"\b(?:une?|aucune?|chacune?|laquelle|lequel) (?:des|de (?:ces|mes|tes|ses|nos|vos|leurs)) (?:\w+ )?$"
)


def refuse_single_name(phrase: Phrase, item: Item) -> None:
    """Raise NotDerivedError if a plural pronoun refers to one name: the verb would have to change."""
    is_single = phrase.is_name and not phrase.determiner and not re.search(r",| et ", phrase.noun)
    if is_single and features_of_pronoun(item, "fr").number.value == "plural":
        raise NotDerivedError(f"number differs: plural pronoun; {phrase.noun!r} is a single name")


def refuse_one_of_several(item: Item, index: int) -> None:
    """Raise NotDerivedError if a singular pronoun refers to one of the people that the candidate names."""
    text = item.text or ""
    before = [folded(text[: mention.start]) for mention in item.candidates[index].mentions]
    is_one = before and all(_ONE_OF.search(left) for left in before)
    if is_one and features_of_pronoun(item, "fr").number.value == "singular":
        raise NotDerivedError(f"one of a group is meant, but {item.candidates[index].text!r} names the whole group")
