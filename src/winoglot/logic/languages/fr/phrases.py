"""French noun phrases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from winoglot.logic.clauses import Described, Named, Only, Quantity
from winoglot.logic.languages.base import ONCE, said, slot
from winoglot.logic.languages.fr.numerals import numeral

if TYPE_CHECKING:
    from random import Random

    from winoglot.logic.clauses import Phrase


@dataclass(frozen=True)
class FrenchSubject:
    """The words and the features that the verb agrees with.

    A `negative` subject is followed by *ne* without *pas* (personne n'a visité), a `vague` one by *la moindre ville*;
    `agrees`: whether it is clear what a participle agrees with (it is not in *Ana ou Bruno*).
    """

    text: str
    plural: bool = False
    feminine: bool = False
    negative: bool = False
    vague: bool = False
    agrees: bool = True


def subject(phrase: Phrase, rng: Random) -> FrenchSubject:
    """A phrase before its verb."""
    match phrase:
        case Named():
            return _names(phrase)
        case Quantity(amount="all" | "some" as amount):
            text = said("fr", f"{amount}.subject", rng)
            return FrenchSubject(text, feminine="personne" in text)
        case Quantity(amount="not-all"):
            return FrenchSubject("au moins une personne", feminine=True)
        case Quantity(amount="none"):
            return FrenchSubject("personne", negative=True)
        case Quantity():
            return FrenchSubject(quantity(phrase, rng), plural=phrase.n > 1, feminine=True)
        case Only():
            return _only(phrase, rng)
        case Described():
            return FrenchSubject(described(phrase, rng), feminine=True)


def quantity(phrase: Quantity, rng: Random, *, behind: bool = False) -> str:
    """Exactement trois villes; `behind` a preposition the adverb comes last: à trois personnes exactement.

    *Ville* and *personne* are feminine, and zero is singular.
    """
    noun = said("fr", f"{'one' if phrase.n < 2 else 'many'}.{phrase.sort}", rng)
    counted = f"{numeral(phrase.n, feminine=True)} {noun}"
    if phrase.amount == "at-least" and phrase.n > 1 and rng.random() < 0.3:
        return f"{counted} ou plus"
    opening = said("fr", phrase.amount, rng)
    if opening.endswith(" de"):
        return elided(opening.removesuffix(" de"), "de", counted)
    return f"{counted} {opening}" if behind and phrase.amount != "only" else f"{opening} {counted}"


def described(phrase: Described, rng: Random) -> str:
    """La personne qui a visité, la seule personne à avoir visité."""
    from winoglot.logic.languages.fr.predicates import infinitive, relative

    noun = said("fr", f"one.{phrase.sort}", rng)
    if not phrase.only:
        return f"la {noun} {relative(phrase.predicate, phrase.sort, rng)}"
    return f"la seule {noun} {infinitive(phrase.predicate, phrase.sort, rng)}"


def elided(before: str, word: str, after: str, *, once: bool = False) -> str:
    """*Que* or *de* before words or the mark of a name: plus grande qu'Ana, moins d'une.

    In a list it is repeated before each name (plus grande qu'Ana et que Bruno), unless `once` is set (il est faux
    qu'Ana et Bruno aient).
    """
    if after.startswith("\x02"):
        slot_, item, _, joiner, prefix = after[1:].split("|", 4)
        if not prefix.startswith("ni "):
            return f"{before} \x02{slot_}|{item}|{ONCE if once else ''}{word}|{joiner}|{prefix}"
    vowel = after[0] in "aeiouéè" and not after.startswith("onze")
    return f"{before} {word[:-1]}'{after}" if vowel else f"{before} {word} {after}"


def _only(phrase: Only, rng: Random) -> FrenchSubject:
    name = slot(phrase.name)
    if not phrase.besides:
        return FrenchSubject(f"{'seule' if phrase.name.feminine else 'seul'} {name}", feminine=phrase.name.feminine)
    opening = said("fr", "besides", rng)
    if opening.endswith(" que"):
        return FrenchSubject(elided(opening.removesuffix(" que"), "que", name), negative=True)
    return FrenchSubject(f"{opening} {name}{',' if ',' in opening else ''}", negative=True)


def _names(names: Named) -> FrenchSubject:
    if not names.several:
        return FrenchSubject(slot(names), feminine=names.feminine)
    match names.joiner:
        case "and":
            return FrenchSubject(slot(names), True, names.feminine)
        case "nor":
            comma = "" if names.size == 2 else ","
            return FrenchSubject(slot(names, before="ni ", joiner=f"{comma}nor"), True, names.feminine, negative=True)
        case _ if names.size == 2:  # "Anne ou Bruno a visité" might mean "not both"
            one = "l'une des deux" if names.feminine else "l'un des deux"
            return FrenchSubject(f"au moins {one}, {slot(names)},", feminine=names.feminine)
        case _:
            return FrenchSubject(slot(names), feminine=names.feminine, agrees=names.feminine)
