"""What a run shows on each kind of variant it was asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from winoglot.statistics.intervals import Estimate

if TYPE_CHECKING:
    from winoglot.runs.run import Run


@dataclass(frozen=True)
class KindFigures:
    """The figures of one kind; `position_preference` is that of kinds whose variants have no right answer."""

    kind: str
    accuracy: Estimate
    position_preference: Estimate | None
    abstained: int


def by_kind(run: Run, *, interval: str = "bootstrap") -> list[KindFigures]:
    """The figures of every kind that was asked, in the order in which the kinds were named.

    >>> import winoglot as wg
    >>> run = wg.evaluate(wg.load("winoglot-en"), "first", kinds=["after-only", "segment-masked"])
    >>> [(one.kind, one.accuracy.n, one.position_preference) for one in by_kind(run)][0]
    ('after-only', 133, None)
    >>> print(by_kind(run)[1].position_preference)
    1.000 [0.967, 1.000], n=229, exact (Clopper-Pearson) over 111 schemas, all alike
    """
    return [_figures(run, kind, interval) for kind in run.settings.kinds]


def _figures(run: Run, kind: str, interval: str) -> KindFigures:
    outcomes = run.outcomes(kind)
    has_no_answers = bool(outcomes) and all(outcome.example.effect == "removes" for outcome in outcomes)
    return KindFigures(
        kind,
        run.accuracy(kind, interval=interval),
        run.position_preference(kind, interval=interval) if has_no_answers else None,
        sum(outcome.choice is None for outcome in outcomes),
    )
