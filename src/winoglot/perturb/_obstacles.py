"""What stands in the way of exchanging two candidates: they differ, stand in one another or mean a part of several.

A language's `parts_of_several.txt` lists the words that name a part, with the preposition after them (`one = of`).
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from winoglot.languages.agreement import agree
from winoglot.languages.base import NotDerivedError, function_words
from winoglot.languages.place import Place
from winoglot.languages.tables import feature_table, pairs, words_of
from winoglot.schemas.language_tag import primary
from winoglot.schemas.words import folded, is_unspaced

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.languages.phrases import Phrase
    from winoglot.languages.slots import Slot
    from winoglot.languages.traits import FeatureName, Traits
    from winoglot.schemas.item import Item

MUST_AGREE: tuple[FeatureName, ...] = ("gender", "number")


def check_agree(traits: Sequence[Traits]) -> None:
    """Raise NotDerivedError where what is known of the two candidates differs."""
    one, other = traits
    for name in MUST_AGREE:
        agreement = agree(one, other, name)
        if agreement.value is False:
            raise NotDerivedError(f"the candidates differ in {name} ({agreement.evidence})")


def numbers_of(item: Item, phrases: list[Phrase]) -> list[str | None]:
    """The candidates' numbers, in English as the form of their nouns lets guess; NotDerivedError where they differ."""
    if primary(item.language) != "en" or item.text is None or item.pronoun is None:
        return [phrase.traits.number.value for phrase in phrases]
    from winoglot.languages.en.number import number_of

    numbers: list[str | None] = [
        number_of(Place(item, item.text, item.pronoun, phrase, item.language, candidate.mentions))
        for phrase, candidate in zip(phrases, item.candidates, strict=True)
    ]
    if set(numbers) == {"singular", "plural"}:
        looks = ", ".join(f"{c.text!r} looks {number}" for c, number in zip(item.candidates, numbers, strict=True))
        raise NotDerivedError(f"the candidates differ in number ({looks})")
    return numbers


def check_apart(item: Item, text: str, slots: Sequence[Slot]) -> None:
    """Raise NotDerivedError where the slots stand in one another or the pronoun in them, or mean a part of several."""
    pronouns = tuple(function_words(item.language).pronouns)
    for place, slot in enumerate(slots):
        for other in slots[:place]:
            if slot.span.overlaps(other.span):
                raise NotDerivedError(f"{other.span.of(text)!r} and {slot.span.of(text)!r} stand in one another")
        if _is_one_of(text, slot, item.language):
            raise NotDerivedError(f"one of several is meant by {slot.span.of(text)!r}")
        if _is_part_of(slot.span.of(text), item.language):
            raise NotDerivedError(f"a part of several is meant by {slot.span.of(text)!r}")
        if is_unspaced(text[slot.span.start]) and text[: slot.span.start].endswith(pronouns):
            raise NotDerivedError(f"a pronoun says whose {slot.span.of(text)!r} is")
        if item.pronoun is not None and slot.span.overlaps(item.pronoun):
            raise NotDerivedError(f"the pronoun stands in {slot.span.of(text)!r}")


def _is_one_of(text: str, slot: Slot, language: str) -> bool:
    """Whether a plural stands for one of several: "um dos caixas", "one of the cashiers"."""
    table = feature_table(language, "determiner_features.txt")
    *_, second, last = ["", "", *map(folded, text[: slot.span.start].split())]
    opening = folded(slot.span.of(text).split()[0])  # French "des" may be "de les"
    one = (
        last
        if opening in function_words(language).contractions
        else second
        if last in words_of(language, "small_words.txt")
        else ""
    )
    return one in table and table[one].number == "singular"


def _is_part_of(phrase: str, language: str) -> bool:
    """Whether the phrase itself names a part of several: "um dos gatos", "each one of the cats"."""
    parts = pairs(language, "parts_of_several.txt")
    contractions = function_words(language).contractions
    for word, following in pairwise(folded(phrase).split()):
        preposition = contractions.get(following, (following, ""))[0]
        if word not in parts or preposition == parts[word]:
            return word in parts
    return False
