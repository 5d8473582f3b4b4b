"""What stands in the way of exchanging two candidates: they differ, stand in one another or mean a part of several."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.agreement import agree
from winoglot.languages.base import NotDerivedError, function_words, offered
from winoglot.languages.phrases import is_part_of_several
from winoglot.languages.place import Place
from winoglot.languages.tables import feature_table, words_of
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
    """The candidates' numbers, as far as the language tells them; NotDerivedError where they differ."""
    number_of = offered(item.language, "number_of")
    if number_of is None or item.text is None or item.pronoun is None:
        return [phrase.traits.number.value for phrase in phrases]
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
        if is_part_of_several(slot.span.of(text), item.language):
            raise NotDerivedError(f"a part of several is meant by {slot.span.of(text)!r}")
        if is_unspaced(text[slot.span.start]) and text[: slot.span.start].endswith(pronouns):
            raise NotDerivedError(f"a pronoun says whose {slot.span.of(text)!r} is")
        if item.pronoun is not None and slot.span.overlaps(item.pronoun):
            raise NotDerivedError(f"the pronoun stands in {slot.span.of(text)!r}")


def check_articles(text: str, slots: Sequence[Slot], language: str) -> None:
    """Raise NotDerivedError where common nouns would exchange an article and a quantifier: *all the boys*, *the dogs*.

    Quantifiers are those of the language's `kept_quantifiers.txt` and `bare_openers.txt`.
    """
    quantifiers = words_of(language, "bare_openers.txt") | set(feature_table(language, "kept_quantifiers.txt"))
    for slot in slots:
        is_quantified = not slot.determiner and folded(slot.span.of(text).split()[0]) in quantifiers
        if is_quantified and any(other.determiner for other in slots):
            raise NotDerivedError(f"{slot.span.of(text)!r} has no article that the other candidate could take over")


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
