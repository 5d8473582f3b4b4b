"""Pairs that occur more than once, within a file or across two files."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from winoglot.logic.audit.pair_file import LabelledPair, PairFile


@dataclass(frozen=True)
class Duplicate:
    """The lines and labels of pairs with the same premise and hypothesis."""

    lines: tuple[int, ...]
    labels: tuple[str, ...]
    premise: str
    hypothesis: str


def duplicates(file: PairFile) -> tuple[Duplicate, ...]:
    """Pairs that are identical apart from case and spaces."""
    groups: dict[tuple[str, str], list[LabelledPair]] = defaultdict(list)
    for pair in file.pairs:
        groups[_key(pair)].append(pair)
    return tuple(_duplicate(group) for group in groups.values() if len(group) > 1)


def shared(first: PairFile, second: PairFile) -> tuple[Duplicate, ...]:
    """Pairs that occur in both files, each with its line in the first file, then in the second."""
    there = {_key(pair): pair for pair in reversed(second.pairs)}
    return tuple(_duplicate([pair, there[_key(pair)]]) for pair in first.pairs if _key(pair) in there)


def extra(found: tuple[Duplicate, ...]) -> int:
    """How many pairs would have to be removed."""
    return sum(len(one.lines) - 1 for one in found)


def _key(pair: LabelledPair) -> tuple[str, str]:
    return " ".join(pair.premise.casefold().split()), " ".join(pair.hypothesis.casefold().split())


def _duplicate(pairs: list[LabelledPair]) -> Duplicate:
    lines, labels = tuple(pair.line for pair in pairs), tuple(pair.label for pair in pairs)
    return Duplicate(lines, labels, pairs[0].premise, pairs[0].hypothesis)
