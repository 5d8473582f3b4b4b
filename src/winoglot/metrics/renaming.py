"""How much a solver's accuracy depends on the names of people: mean and spread over draws of other names.

`evaluate --renamed N` asks the items in which people can be renamed N more times. In each draw, the other items count
with the answer that they got once.

>>> import winoglot as wg
>>> print(renamed.of(wg.evaluate(wg.load("winoglot-en"), "first", limit=8, renamed=3)))  # doctest: +ELLIPSIS
0.500 [0.315, 0.685], n=16, exact (Clopper-Pearson) over 8 schemas, all alike; 3 draws of names, 10 of 16 items renamed
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import count, takewhile
from typing import TYPE_CHECKING

import numpy as np

from winoglot.examples import Example, Outcome
from winoglot.metrics.base import Cases, Metric, guessing, labelled
from winoglot.perturb.renamed.draws import draw_kind
from winoglot.statistics.intervals import Estimate, all_alike, cluster_bootstrap, cluster_sums, counted
from winoglot.statistics.tally import Tally

if TYPE_CHECKING:
    from winoglot.examples import Outcomes

_NONE = "names were not redrawn"


@dataclass(frozen=True)
class _Redrawn:
    """An item: whether the solver was right in each draw, and whether anybody in it was renamed."""

    original: Outcome
    right: tuple[bool, ...]
    is_renamed: bool

    @property
    def example(self) -> Example:
        return self.original.example

    @property
    def share(self) -> float:
        return sum(self.right) / len(self.right)


@dataclass(frozen=True)
class NameSpread:
    """Accuracy over draws of names: mean, standard deviation and range, and how many items the draws change."""

    mean: float
    sd: float | None  # None for a single draw
    lowest: float
    highest: float
    draws: int
    renamed: int  # items in which people were renamed
    items: int


def name_spread(run: Outcomes) -> NameSpread | None:
    """How accuracy varies with the names; None if they were not redrawn, or nobody could be renamed.

    >>> import winoglot as wg
    >>> spread = name_spread(wg.evaluate(wg.load("winoglot-en"), "first", limit=8, renamed=3))
    >>> spread.mean, spread.sd, spread.draws, spread.renamed, spread.items
    (0.5, 0.0, 3, 10, 16)
    """
    items = _redrawn(run)
    if not items.cases:
        return None
    by_draw = np.array([case.right for case in items.cases], dtype=float).mean(axis=0)
    return NameSpread(
        mean=float(by_draw.mean()),
        sd=_sd(by_draw),
        lowest=float(by_draw.min()),
        highest=float(by_draw.max()),
        draws=len(by_draw),
        renamed=sum(case.is_renamed for case in items.cases),
        items=len(items.cases),
    )


def _sd(by_draw: np.ndarray) -> float | None:
    return float(by_draw.std(ddof=1)) if len(by_draw) > 1 else None


def _redrawn(run: Outcomes) -> Cases[_Redrawn]:
    kinds = takewhile(run.outcomes, map(draw_kind, count(1)))
    draws = [{outcome.example.variant_of: outcome for outcome in run.outcomes(kind)} for kind in kinds]
    items = labelled(run)
    if not draws:
        return Cases((), items.left_out)
    redrawn = []
    for outcome in items.cases:
        answers = [draw.get(outcome.example.id, outcome) for draw in draws]
        right = tuple(bool(answer.right) for answer in answers)
        redrawn.append(_Redrawn(outcome, right, is_renamed=any(answer is not outcome for answer in answers)))
    return Cases(tuple(redrawn), items.left_out)


def _note(items: Cases[_Redrawn]) -> str:
    draws, renamed_items = len(items.cases[0].right), sum(case.is_renamed for case in items.cases)
    return f"{draws} draws of names, {renamed_items} of {len(items.cases)} items renamed"


def _draws(run: Outcomes) -> Tally:
    """Names are drawn for each schema apart, so resampling schemas, with all their draws, accounts for both."""
    items = _redrawn(run)
    if not items.cases:
        return Tally((), undefined=_NONE)
    return items.tally(lambda case: case.share, notes=(_note(items),), wilson="never")


def renamed_sd(run: Outcomes) -> Estimate:
    """The standard deviation of accuracy over draws of names, in points; it needs two draws or more."""
    items = _redrawn(run)
    if not items.cases or len(items.cases[0].right) < 2:
        return Estimate.undefined(_NONE if not items.cases else "a single draw of names", len(items.cases))
    right = np.array([case.right for case in items.cases], dtype=float)
    rows = cluster_sums(items.clusters, *right.T, np.ones(len(right)))
    if not np.ptp(right, axis=1).any():
        estimate = _no_spread(len(rows), len(right), items.unit)
        return replace(estimate, method=f"{items.note(estimate.method)}; {_note(items)}")
    estimate = cluster_bootstrap(
        rows,
        lambda totals: 100 * (totals[..., :-1] / totals[..., -1:]).std(axis=-1, ddof=1),
        np.arange(len(rows), dtype=float),  # several schemas are not alike
        n=len(right),
        bounds=(0.0, 100.0),
        unit=items.unit,
    )
    return replace(estimate, method=f"{items.note(estimate.method)}; {_note(items)}")


def _no_spread(schemas: int, n: int, unit: str) -> Estimate:
    """The estimate if no answer changes with the names: at most a share q of schemas may vary (Clopper-Pearson).

    The accuracy of such a schema has a standard deviation of one half at most; draws for different schemas are
    independent, so the deviations of q · schemas of them add up to that of accuracy by their squares.
    """
    share = all_alike(0.0, schemas)[1]
    method = f"exact (Clopper-Pearson) over {counted(schemas, unit)}, none varies"
    return Estimate(0.0, 0.0, 50 * (share / schemas) ** 0.5, n, method)


_NEEDS = ("labels", f"variants:{draw_kind(1)}")
renamed = Metric(
    "renamed",
    "Mean accuracy over draws of other names for the people (evaluate --renamed N).",
    cases=_draws,
    chance=guessing,
    needs=_NEEDS,
)
PLUGINS = {
    "renamed": renamed,
    "renamed-sd": Metric(
        "renamed-sd",
        "Standard deviation of accuracy over draws of names (evaluate --renamed N).",
        renamed_sd,
        unit="points",
        needs=_NEEDS,
        heading="names SD",
    ),
}
