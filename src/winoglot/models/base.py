"""What a model is asked and what it answers, whatever its family.

A family is a module of this package; it offers

    def load(location: str, options: Options) -> Solver

where `location` is what follows the colon of `family:location`, and empty where nothing does. It may also offer

    def check(location: str, options: Options) -> tuple[str, ...] | None

which refuses at once what loading would refuse later (a missing file, an option it does not have) and names the
scorings that such a model may have; of several models all are checked before the first is loaded.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from winoglot.languages.windows import Window
from winoglot.schemas.model import Item, Reading

if TYPE_CHECKING:
    from collections.abc import Sequence

NOT_A_NUMBER = "not a number"  # the note of an abstention for a score that is NaN: the model fails, it does not doubt


@dataclass(frozen=True)
class Options:
    """How models compute; every setting that can change a score goes into the run's signature."""

    precision: str = "float32"  # float32, bfloat16 or int8
    device: str = "auto"
    batch_tokens: int = 0  # the most tokens that go through a model at once; 0: as the machine's memory allows
    seed: int = 0
    more: Mapping[str, str] = field(default_factory=dict)  # what only this family understands: --option name=value


@dataclass(frozen=True)
class Question:
    """An item as a solver sees it: its readings, and the window of partial scoring that they share."""

    item: Item
    language: str
    readings: tuple[Reading, ...]
    window: Window


@dataclass(frozen=True)
class Scores:
    """One score a candidate, the higher the better; None where it is undefined, with the reason."""

    values: tuple[float | None, ...]
    note: str = ""
    skipped: int = 0  # characters at the window's start that are no token boundary in every reading
    tokens: tuple[int, ...] = field(default=(), compare=False)  # how many were scored, a candidate

    def choice(self, tolerance: float) -> int | None:
        """The index of the best candidate; None, an abstention, where two are tied or one is undefined.

        >>> Scores((-3.0, -2.5)).choice(1e-6), Scores((-3.0, -3.0)).choice(1e-6), Scores((None, -1.0)).choice(1e-6)
        (1, None, None)
        """
        known = [value for value in self.values if value is not None]
        if len(known) < max(2, len(self.values)) or any(map(math.isnan, known)):
            return None
        best, second = sorted(known, reverse=True)[:2]
        return None if best == second or best - second <= tolerance else self.values.index(best)


class Solver(Protocol):
    """A loaded model.

    It may also have `cacheable` (False where its weights are not seen, so that old scores prove nothing),
    `settings_for(scoring, language)` (where `settings` depend on them), `usual(questions)` (the scorings asked for
    where none is named; else the first), `count_tokens(texts)` (how many it does not know), `spent` (requests, tokens,
    cost) and `facing(items, language)` (itself before a collection whose items all bear on what it is asked).
    """

    name: str
    scorings: tuple[str, ...]  # what it can be asked for, the default first
    fingerprint: str  # the same for the same weights, whatever they are called
    settings: Mapping[str, object]  # all that can change a score

    def score(self, questions: Sequence[Question], scorings: Sequence[str]) -> list[dict[str, Scores]]:
        """For each question the scores of each scoring asked for."""
        ...
