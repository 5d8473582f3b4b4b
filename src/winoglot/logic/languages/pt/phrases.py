"""Portuguese noun phrases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from winoglot.logic.clauses import Described, Named, Only, Quantity
from winoglot.logic.languages.base import said, slot
from winoglot.logic.languages.pt.numerals import numeral

if TYPE_CHECKING:
    from random import Random

    from winoglot.logic.clauses import Phrase


@dataclass(frozen=True)
class PortugueseSubject:
    """The words and the features that verb and adjective agree with.

    After a `negative` subject *nenhuma* needs no *não* (ninguém visitou nenhuma cidade); a `vague` one is followed by
    *alguma* (não há ninguém que tenha visitado alguma cidade).
    """

    text: str
    plural: bool = False
    feminine: bool = False
    negative: bool = False
    vague: bool = False


def subject(phrase: Phrase, rng: Random) -> PortugueseSubject:
    """A phrase before its verb."""
    match phrase:
        case Named():
            return _names(phrase, rng)
        case Quantity(amount="all" | "some" | "not-all" as amount):
            text = said("pt", f"{amount}.subject", rng)
            return PortugueseSubject(text, plural="todas" in text, feminine="pessoa" in text)
        case Quantity(amount="none"):
            return PortugueseSubject("ninguém", negative=True)
        case Quantity():
            return PortugueseSubject(quantity(phrase, rng), plural=phrase.n > 1, feminine=True)
        case Only():
            if phrase.besides:
                opening = said("pt", "besides", rng)
                comma = "," if "," in opening else ""
                return PortugueseSubject(f"{opening} {slot(phrase.name)}{comma}", negative=True)
            return PortugueseSubject(f"{said('pt', 'only', rng)} {slot(phrase.name)}", feminine=phrase.name.feminine)
        case Described():
            return PortugueseSubject(described(phrase, rng), feminine=True)


def quantity(phrase: Quantity, rng: Random) -> str:
    """Exatamente três cidades; *pessoa* and *cidade* are feminine."""
    noun = said("pt", f"{'one' if phrase.n == 1 else 'many'}.{phrase.sort}", rng)
    number = numeral(phrase.n, feminine=True)
    if phrase.amount == "at-least" and phrase.n > 1 and rng.random() < 0.3:
        return f"{number} ou mais {noun}"
    return f"{said('pt', phrase.amount, rng)} {number} {noun}"


def described(phrase: Described, rng: Random) -> str:
    """A pessoa que, a única cidade que."""
    from winoglot.logic.languages.pt.predicates import relative

    noun = said("pt", f"one.{phrase.sort}", rng)
    return f"a {'única ' if phrase.only else ''}{noun} {relative(phrase.predicate, rng)}"


def _names(names: Named, rng: Random) -> PortugueseSubject:
    if not names.several:
        return PortugueseSubject(slot(names), feminine=names.feminine)
    match names.joiner:
        case "and":
            both = names.size == 2 and rng.random() < 0.4
            return PortugueseSubject(f"tanto {slot(names, joiner='as')}" if both else slot(names), True, names.feminine)
        case "nor":
            comma = "" if names.size == 2 else ","
            return PortugueseSubject(
                slot(names, before="nem ", joiner=f"{comma}nor"), True, names.feminine, negative=True
            )
        case _ if names.size == 2:  # "Ana ou Bia visitou" might mean "not both"; negated, "neither"
            one = "uma das duas" if names.feminine else "um dos dois"
            return PortugueseSubject(f"pelo menos {one}, {slot(names)},", feminine=names.feminine)
        case _:
            return PortugueseSubject(slot(names))
