"""English noun phrases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from winoglot.logic.clauses import Described, Named, Only, Quantity
from winoglot.logic.languages.base import said, slot
from winoglot.logic.languages.en.numerals import numeral

if TYPE_CHECKING:
    from random import Random

    from winoglot.logic.clauses import Phrase


@dataclass(frozen=True)
class EnglishSubject:
    """The words; a `negative` subject turns a following *some* into *any*: nobody has visited any city."""

    text: str
    plural: bool = False
    negative: bool = False


def subject(phrase: Phrase, rng: Random, *, denied: bool = False) -> EnglishSubject:
    """A phrase before its verb; `denied`: after *it is not true that*."""
    match phrase:
        case Named():
            return _names(phrase, rng, denied=denied)
        case Quantity(amount="some", sort=sort) if denied:
            return EnglishSubject(said("en", f"any.{sort}", rng), negative=True)
        case Quantity():
            plural = phrase.n > 1
            return EnglishSubject(quantity(phrase, rng), plural, negative=phrase.amount == "none")
        case Only():
            opening = said("en", "besides" if phrase.besides else "only", rng)
            return EnglishSubject(f"{opening} {slot(phrase.name)}")
        case Described():
            return EnglishSubject(described(phrase, rng))


def quantity(phrase: Quantity, rng: Random) -> str:
    """Everyone, every city, exactly three people."""
    if phrase.amount in {"all", "some", "none", "not-all"}:
        return said("en", f"{phrase.amount}.{phrase.sort}", rng)
    noun = said("en", f"{'one' if phrase.n == 1 else 'many'}.{phrase.sort}", rng)
    number = numeral(phrase.n)
    if phrase.amount == "at-least" and phrase.n > 1 and rng.random() < 0.3:
        return f"{number} or more {noun}"
    if phrase.amount == "at-least" and phrase.n == 1:  # "no fewer than" needs a plural
        return f"at least {number} {noun}"
    return f"{said('en', phrase.amount, rng)} {number} {noun}"


def described(phrase: Described, rng: Random) -> str:
    """The person who, the only city that."""
    from winoglot.logic.languages.en.predicates import relative

    noun = said("en", f"one.{phrase.sort}", rng)
    return f"the {'only ' if phrase.only else ''}{noun} {relative(phrase.predicate, phrase.sort, rng)}"


def _names(names: Named, rng: Random, *, denied: bool) -> EnglishSubject:
    if not names.several:
        return EnglishSubject(slot(names), negative=denied)
    match names.joiner:
        case "and":
            both = "both " if names.size == 2 and rng.random() < 0.5 else ""
            return EnglishSubject(f"{both}{slot(names)}", plural=True)
        case "nor":
            return EnglishSubject(f"neither {slot(names)}")
        case _:
            return EnglishSubject(rng.choice((f"at least one of {slot(names, joiner='and')}", f"either {slot(names)}")))
