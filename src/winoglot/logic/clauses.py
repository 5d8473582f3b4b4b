"""Sentence plans, shared by all languages: who does what, and what is counted, negated or joined.

`planning` makes a plan from a formula; a language turns it into words. Names are slots, so that one plan serves all
pairs of the same shape.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from winoglot.logic.formulas import Sort

Joiner = Literal["and", "or", "nor", "not-all"]  # "not-all": not all of a list, under a negation
Amount = Literal[
    "all", "some", "none", "not-all", "exactly", "at-least", "at-most", "more-than", "fewer-than", "only"
]  # "only n" may mean exactly or at most n
Verb = Literal[
    "visit", "visited-by", "taller", "shorter", "at-least-as-tall", "as-tall", "not-as-tall", "before", "after"
]


@dataclass(frozen=True)
class Named:
    """One name or a list of names; `item` picks a single member of the list."""

    slot: int
    sort: Sort
    size: int  # 3 stands for three or more
    feminine: bool  # all of them
    genders: str = ""  # of the two members, for example "fm"
    joiner: Joiner = "and"
    item: int | None = None
    whole: bool = False  # all of them together must be meant: only Ana has visited both

    @property
    def several(self) -> bool:
        """Whether it is a list."""
        return self.size > 1 and self.item is None


@dataclass(frozen=True)
class Quantity:
    """Everyone, some city, exactly three people."""

    amount: Amount
    sort: Sort
    n: int = 0


@dataclass(frozen=True)
class Described:
    """The person who …, or the only one."""

    sort: Sort
    predicate: Predicate
    only: bool = False


@dataclass(frozen=True)
class Only:
    """Only Ana; `besides`: nobody but Ana."""

    name: Named
    besides: bool = False


Phrase = Named | Quantity | Described | Only


@dataclass(frozen=True)
class Deed:
    """What the subject does or is, with its object."""

    verb: Verb
    object: Phrase
    negated: bool = False


@dataclass(frozen=True)
class Gap:
    """A relative clause about what is visited: (the city) that Ana has visited."""

    subject: Phrase
    negated: bool = False


@dataclass(frozen=True)
class Is:
    """Is the person who …"""

    what: Phrase
    negated: bool = False


@dataclass(frozen=True)
class Several:
    """Several predicates of one subject."""

    joiner: Joiner
    parts: tuple[Predicate, ...]


Predicate = Deed | Gap | Is | Several


@dataclass(frozen=True)
class Say:
    """A subject and its predicate."""

    subject: Phrase
    predicate: Predicate


@dataclass(frozen=True)
class There:
    """There is someone who …, there is no city that …"""

    what: Quantity
    predicate: Predicate


@dataclass(frozen=True)
class NumberIs:
    """The number of cities that Ana has visited is, or is not, three."""

    n: int
    sort: Sort
    gap: Gap
    negated: bool = False


@dataclass(frozen=True)
class Denied:
    """It is not true that …"""

    clause: Clause


@dataclass(frozen=True)
class Joined:
    """Clauses joined by "and" or "or"."""

    joiner: Joiner
    clauses: tuple[Clause, ...]


@dataclass(frozen=True)
class Condition:
    """If …, then …"""

    condition: Clause
    consequence: Clause


Clause = Say | There | NumberIs | Denied | Joined | Condition


def one_by_one(names: Named) -> tuple[Named, ...]:
    """The two members of a list, each on its own."""
    return tuple(replace(names, item=item, feminine=gender == "f") for item, gender in enumerate(names.genders))


def is_plain(predicate: Predicate) -> bool:
    """Whether nothing in it is negated or vague, so that it can follow *nobody but*."""
    match predicate:
        case Deed():
            thing = predicate.object
            plain = isinstance(thing, Named) or (isinstance(thing, Quantity) and thing.amount == "all")
            return plain and not predicate.negated
        case Several():
            return all(is_plain(part) for part in predicate.parts)
        case _:
            return False


def is_negated(clause: Say) -> bool:
    """Whether its predicate is negated, or its subject or object is nobody or nothing."""
    phrases = [clause.subject]
    negated = isinstance(clause.predicate, Several)
    if isinstance(clause.predicate, Deed):
        negated = clause.predicate.negated
        phrases.append(clause.predicate.object)
    for phrase in phrases:
        negated |= isinstance(phrase, Quantity) and phrase.amount in {"none", "not-all"}
        negated |= isinstance(phrase, Named) and phrase.joiner in {"nor", "not-all"}
    return negated
