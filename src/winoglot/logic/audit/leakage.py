"""What a test file shares with its training file: pairs, names, words of names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from winoglot.logic.audit.duplicates import Duplicate, shared
from winoglot.schemas.text import is_unspaced

if TYPE_CHECKING:
    from collections.abc import Iterable

    from winoglot.logic.audit.names import FileNames
    from winoglot.logic.audit.pair_file import PairFile


@dataclass(frozen=True)
class Leakage:
    """What both files contain; people and places are None if the sentences do not show which is which.

    Names are compared ignoring case. `tokens` are words of names; `inside` are names of one file that are part of a
    longer name in the other, in a script without spaces.
    """

    train: str
    test: str
    pairs: tuple[Duplicate, ...]
    people: tuple[str, ...] | None
    places: tuple[str, ...] | None
    tokens: tuple[str, ...]
    inside: tuple[tuple[str, str], ...]

    @property
    def found(self) -> bool:
        """Whether anything is shared."""
        return bool(self.pairs or self.people or self.places or self.tokens or self.inside)


def leakage(train: PairFile, test: PairFile, train_names: FileNames, test_names: FileNames) -> Leakage:
    """Compare two files."""
    sorts = [(train_names.people, test_names.people), (train_names.places, test_names.places)]
    people, places = (None if a is None or b is None else _both(a, b) for a, b in sorts)
    inside = [pair for a, b in sorts if a is not None and b is not None for pair in _inside(a, b)]
    return Leakage(
        str(train.path),
        str(test.path),
        shared(test, train),
        people,
        places,
        tuple(sorted(train_names.tokens & test_names.tokens)),
        tuple(sorted(inside)),
    )


def _both(train: Iterable[str], test: Iterable[str]) -> tuple[str, ...]:
    there = {name.casefold() for name in train}
    return tuple(sorted(name for name in test if name.casefold() in there))


def _inside(train: Iterable[str], test: Iterable[str]) -> list[tuple[str, str]]:
    """Only for scripts without spaces; elsewhere `tokens` covers it."""
    longer = [name for name in test if is_unspaced(name[0])]
    return [(a, b) for a in train for b in longer if a != b and (a in b or b in a)]
