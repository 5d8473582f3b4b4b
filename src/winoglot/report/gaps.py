"""What a run could not answer, or could not score as intended: counts that qualify its figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from winoglot.report.columns import Column
    from winoglot.runs.run import Run


@dataclass(frozen=True)
class Gaps:
    """What a run could not answer or could not score as intended, counted over its originals."""

    items: int
    missing: int  # items of the collection that the run has no answer to
    abstained: int
    reasons: Mapping[str, int]  # of the abstentions
    fallback: int  # a reading was not derived and the naive one was used
    undefined_window: int | None  # None: the scoring uses no window
    punctuation_window: int | None
    segment_before: int | None
    unknown_tokens: float | None  # the share of tokens that the model does not know; None if it does not count them
    late_window: int | None  # the score begins after the window's start, at a token boundary that the readings share
    skipped: int | None  # characters skipped by this


def gaps_of(run: Run, column: Column) -> Gaps:
    """The gaps of a run, beside the other runs of its column."""
    outcomes = run.outcomes()
    windows = Counter(outcome.window for outcome in outcomes) if run.settings.scoring == "partial" else None
    reasons = Counter(_reason(outcome.note) for outcome in outcomes if outcome.choice is None)
    return Gaps(
        items=len(outcomes),
        missing=len(column.examples) - len(outcomes),
        abstained=sum(reasons.values()),
        reasons=dict(reasons.most_common()),
        fallback=sum(outcome.fallback for outcome in outcomes),
        undefined_window=None if windows is None else windows["empty"],
        punctuation_window=None if windows is None else windows["punctuation"],
        segment_before=None if windows is None else windows["segment before"],
        unknown_tokens=run.unknown_tokens(),
        late_window=None if windows is None else len(run.skipped()),
        skipped=None if windows is None else sum(run.skipped().values()),
    )


def _reason(note: str) -> str:
    """The reason without the words of the item it was about."""
    return note.partition(":")[0] or "not said"
