"""Do the labels of a file agree with what can be proved, under each named reading?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from winoglot.errors import InputError, nearest
from winoglot.logic.formulas import AtLeast, AtLeastAsTall, AtMost, Equal, Exactly, Formula, Or, Term, The
from winoglot.logic.interpretation import DEFAULT, READINGS, Interpretation
from winoglot.logic.prove import InconsistentPremise, relation
from winoglot.logic.walking import children

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from winoglot.logic.audit.meaning import Meaning
    from winoglot.logic.audit.pair_file import LabelledPair, PairFile

# What a pair must contain for a choice to affect it: if nothing is counted or said to be the same, two people who
# might be one person make no difference.
_AFFECTED: dict[str, tuple[type[Formula | Term], ...]] = {
    "as_tall_as": (AtLeastAsTall,),
    "only_n": (Exactly,),
    "either_or": (Or,),
    "the": (The,),
    "names": (Exactly, AtLeast, AtMost, Equal, The),
}
QUICK = tuple(name for name, reading in READINGS.items() if reading.names == DEFAULT.names)  # others take minutes


@dataclass(frozen=True)
class Disagreement:
    """A label that differs from what is proved; `proved` is None if the premise cannot be true."""

    line: int
    label: str
    proved: str | None
    premise: str
    hypothesis: str


@dataclass(frozen=True)
class Reproved:
    """The result: how many pairs were understood (from their sentences or else from the formulas in the file).

    `readings` lists, for each named reading, every pair whose label disagrees with the proof. `unsure` are the lines of
    pairs whose label depends on whether a name is a person or a place; `unread` are those of pairs that could not be
    parsed. Neither counts as a wrong label.
    """

    pairs: int
    from_sentences: int
    from_formulas: int
    unsure: tuple[int, ...]
    unread: tuple[int, ...]
    readings: dict[str, tuple[Disagreement, ...]]


def reproved(
    file: PairFile,
    understood: Sequence[Meaning | None],
    readings: Sequence[str] = QUICK,
    progress: Callable[[int, int], None] | None = None,
) -> Reproved:
    """Prove every pair again from the meaning of its sentences."""
    check_readings(readings)
    wrong: dict[str, list[Disagreement]] = {name: [] for name in readings}
    unsure: dict[int, None] = {}
    for number, (pair, meaning) in enumerate(zip(file.pairs, understood, strict=True), start=1):
        if meaning is not None:
            kinds = _kinds(meaning)
            default = _relation(meaning.premise, meaning.hypothesis, DEFAULT)
            for name in readings:
                reading, proved = READINGS[name], default
                if _matters(reading, kinds):
                    proved = _relation(meaning.premise, meaning.hypothesis, reading)
                if _agrees(pair, proved):
                    continue
                if any(_agrees(pair, _relation(*formulas, reading)) for formulas in meaning.others):
                    unsure[pair.line] = None
                    continue
                wrong[name].append(Disagreement(pair.line, pair.label, proved, pair.premise, pair.hypothesis))
        if progress:
            progress(number, len(file.pairs))
    return Reproved(
        pairs=len(file.pairs),
        from_sentences=sum(meaning is not None and meaning.from_sentences for meaning in understood),
        from_formulas=sum(meaning is not None and not meaning.from_sentences for meaning in understood),
        unsure=tuple(unsure),
        unread=tuple(pair.line for pair, meaning in zip(file.pairs, understood, strict=True) if meaning is None),
        readings={name: tuple(found) for name, found in wrong.items()},
    )


def check_readings(readings: Sequence[str]) -> None:
    """Refuse an unknown reading."""
    for name in readings:
        if name not in READINGS:
            raise InputError(f"unknown reading {name!r}", remedy=nearest(name, READINGS))


def _agrees(pair: LabelledPair, proved: str | None) -> bool:
    if pair.label in {"0", "1"}:
        return proved is not None and pair.contradiction == (proved == "contradiction")
    return pair.label == proved


def _relation(premise: Formula, hypothesis: Formula, reading: Interpretation) -> str | None:
    try:
        return relation(premise, hypothesis, reading)
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
        getattr(reading, choice) != getattr(DEFAULT, choice) and not kinds.isdisjoint(affected)
        for choice, affected in _AFFECTED.items()
    )
