"""Solvers that are a rule and no model: the baselines."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.models._transformers import PRECISIONS
from winoglot.models.base import Question, Scores

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.models.base import Options

_DEVICE = re.compile(r"auto|(cpu|cuda|mps|xpu)(:[0-9]+)?")  # torch, which would know, need not be installed
CHOICE = "choice"  # their one scoring: what they say is which candidate, not how likely a text is


@dataclass
class RuleSolver:
    """Scores each question by itself, by one function."""

    name: str
    rule: Callable[[Question], Scores]
    fingerprint: str  # a rule has no weights: this changes when the rule, or the table that it reads, does
    settings: Mapping[str, object] = field(default_factory=dict)
    scorings: tuple[str, ...] = (CHOICE,)

    def score(self, questions: Sequence[Question], scorings: Sequence[str]) -> list[dict[str, Scores]]:
        """For each question the scores of the rule, whatever they are called."""
        return [dict.fromkeys(scorings, self.rule(question)) for question in questions]


def check_told(name: str, location: str, options: Options) -> tuple[str, ...]:
    """Refuse `first:something`, since a rule is nowhere, and a precision or device that no model understands.

    How models compute, and their options, do not matter to a rule, but it may be asked beside one to which they do.
    """
    if location:
        raise InputError(f"{name} takes no {location!r}", remedy=f"Write {name} alone.")
    if options.precision not in PRECISIONS:
        raise InputError(f"there is no precision {options.precision!r}", remedy=f"Known: {', '.join(PRECISIONS)}.")
    if not _DEVICE.fullmatch(options.device):
        raise InputError(f"there is no device {options.device!r}", remedy="Use auto, cpu or cuda.")
    return (CHOICE,)


def picked(question: Question, index: int) -> Scores:
    """One candidate and no other.

    >>> from winoglot.runs.questions import asked
    >>> import winoglot as wg
    >>> picked(asked(wg.load("winoglot-en"), (), "naive")[0].question, 1).values
    (0.0, 1.0)
    """
    return Scores(tuple(float(reading.candidate == index) for reading in question.readings))


def undefined(question: Question, why: str) -> Scores:
    """An abstention, and its reason."""
    return Scores((None,) * len(question.readings), note=why)
