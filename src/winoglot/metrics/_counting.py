"""Which cases a metric counts, which it leaves out and why, and what share of those counted are of some kind."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, Literal, Protocol, TypeVar

from winoglot.errors import InputError
from winoglot.statistics.intervals import bootstrap_ratio, wilson

if TYPE_CHECKING:
    from collections.abc import Callable

    from winoglot.metrics.base import Outcome, Outcomes
    from winoglot.schemas.model import Item
    from winoglot.statistics.intervals import Estimate

Interval = Literal["bootstrap", "wilson"]
INTERVALS: tuple[Interval, ...] = ("bootstrap", "wilson")


def check_interval(interval: str) -> None:
    """Refuse an interval that nobody computes."""
    if interval not in INTERVALS:
        raise InputError(f"there is no interval {interval!r}", remedy=f"Known: {', '.join(INTERVALS)}.")


_NAMED = 3  # ids that a reader still reads


class _Case(Protocol):
    @property
    def item(self) -> Item: ...


CaseT = TypeVar("CaseT", bound=_Case)


@dataclass(frozen=True)
class Counted(Generic[CaseT]):
    """The cases that count, and a word on each group that does not."""

    cases: tuple[CaseT, ...]
    left_out: tuple[str, ...] = ()

    def where(self, counts: Callable[[CaseT], bool], otherwise: str, *, by_name: bool = False) -> Counted[CaseT]:
        """Only the cases that count; `otherwise` says what the others are, and `by_name` names some of them."""
        others = [case.item.id for case in self.cases if not counts(case)]
        if not others:
            return self
        more = ", …" if len(others) > _NAMED else ""
        names = f" ({', '.join(others[:_NAMED])}{more})" if by_name else ""
        kept = tuple(case for case in self.cases if counts(case))
        return Counted(kept, (*self.left_out, f"{len(others)} {otherwise}{names}"))

    def share(
        self,
        part: Callable[[CaseT], float | None],
        *,
        interval: str = "bootstrap",
        bounds: tuple[float, float] = (0.0, 1.0),
        undefined: str = "no items",
    ) -> Estimate:
        """The mean of `part` (1 for a case that is of the kind, 0 for one that is not), over schemas."""
        parts = [float(part(case) or 0) for case in self.cases]
        check_interval(interval)
        if interval == "wilson":
            return self.noted(wilson(round(sum(parts)), len(parts), undefined=undefined))
        schemas = [case.item.schema_id for case in self.cases]
        return self.noted(bootstrap_ratio(parts, [1.0] * len(parts), schemas, bounds=bounds, undefined=undefined))

    def noted(self, estimate: Estimate) -> Estimate:
        """The estimate, whose method also says what was left out."""
        if not self.left_out:
            return estimate
        return replace(estimate, method=f"{estimate.method}; left out: {', '.join(self.left_out)}")


def answered_or_not(run: Outcomes, kind: str | None) -> Counted[Outcome]:
    """All outcomes of the originals, or of a kind."""
    return Counted(tuple(run.outcomes(kind)))


def labelled(run: Outcomes, kind: str | None) -> Counted[Outcome]:
    """The outcomes that are right or not: those of items with an answer."""
    return answered_or_not(run, kind).where(lambda outcome: outcome.right is not None, "unlabelled")


def two_way(counted: Counted[CaseT]) -> Counted[CaseT]:
    """Only the items with two candidates, where a metric takes for granted that there are two."""
    return counted.where(lambda case: case.item.candidate_count == 2, "not of two candidates", by_name=True)
