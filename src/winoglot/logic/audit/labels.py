"""Whether the labels of a file are those that can be proved, under each reading that has a name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.logic.audit.meaning import Meaning, meanings
from winoglot.logic.formulas import And, AtLeastAsTall, Exactly, Formula, Or, The, children
from winoglot.logic.interpretation import DEFAULT, READINGS, Interpretation
from winoglot.logic.prove import InconsistentPremise, relation

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from winoglot.logic.audit.pair_file import LabelledPair, PairFile
    from winoglot.logic.formulas import Term

# What a reading other than the default must find in a pair to make a difference.
_AFFECTED: dict[str, type[Formula | The]] = {
    "as_tall_as": AtLeastAsTall,
    "only_n": Exactly,
    "either_or": Or,
    "the": The,
}


@dataclass(frozen=True)
class Disagreement:
    """A label that is not what is proved; `proved` is None where the premise cannot be true."""

    line: int
    label: str
    proved: str | None
    premise: str
    hypothesis: str


@dataclass(frozen=True)
class Reproved:
    """What came out: how many pairs were understood (from sentences or, failing that, from the formulas beside them).

    `readings` lists, for each named reading, every pair whose label it does not bear out; `unread` the lines of pairs
    that nobody understood.
    """

    pairs: int
    from_sentences: int
    from_formulas: int
    unread: tuple[int, ...]
    readings: dict[str, tuple[Disagreement, ...]]


def reproved(
    file: PairFile,
    understood: Sequence[Meaning | None],
    progress: Callable[[int, int], None] | None = None,
) -> Reproved:
    """Prove every pair again, by what its sentences mean."""
    wrong: dict[str, list[Disagreement]] = {name: [] for name in READINGS}
    for number, (pair, meaning) in enumerate(zip(file.pairs, understood, strict=True), start=1):
        if meaning is not None:
            kinds = _kinds(meaning)
            default = _relation(meaning, DEFAULT)
            for name, reading in READINGS.items():
                proved = _relation(meaning, reading) if _matters(reading, kinds) else default
                if not _agrees(pair, proved):
                    wrong[name].append(
                        Disagreement(pair.line, pair.label, proved, pair.premise, pair.hypothesis)
                    )
        if progress:
            progress(number, len(file.pairs))
    return Reproved(
        pairs=len(file.pairs),
        from_sentences=sum(meaning is not None and meaning.from_sentences for meaning in understood),
        from_formulas=sum(meaning is not None and not meaning.from_sentences for meaning in understood),
        unread=tuple(pair.line for pair, meaning in zip(file.pairs, understood, strict=True) if meaning is None),
        readings={name: tuple(found) for name, found in wrong.items()},
    )


def _agrees(pair: LabelledPair, proved: str | None) -> bool:
    if pair.label in {"0", "1"}:
        return proved is not None and pair.contradiction == (proved == "contradiction")
    return pair.label == proved


def _relation(meaning: Meaning, reading: Interpretation) -> str | None:
    try:
        return relation(meaning.premise, meaning.hypothesis, reading)
    except InconsistentPremise:
        return None


def _kinds(meaning: Meaning) -> set[type[Formula | Term]]:
    found: set[type[Formula | Term]] = set()
    stack: list[Formula | Term] = [meaning.premise, meaning.hypothesis]
    while stack:
        node = stack.pop()
        found.add(type(node))
        stack.extend(children(node))
    return found


def _matters(reading: Interpretation, kinds: set[type[Formula | Term]]) -> bool:
    return any(
        getattr(reading, choice) != getattr(DEFAULT, choice) and kind in kinds for choice, kind in _AFFECTED.items()
    ) or reading.names != DEFAULT.names
