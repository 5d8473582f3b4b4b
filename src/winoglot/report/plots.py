"""Figures that are not tables: bars of choices, slopes, calibration, margins, training curves; places in percent.

Here is where everything goes; `templates/plots.svg` draws it, for the page and for papers.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from winoglot.report.figure import Axis, number
from winoglot.report.findings import best_solver

if TYPE_CHECKING:
    from collections import Counter

    from winoglot.report.columns import Column
    from winoglot.report.solvers import SolverRow
    from winoglot.report.summary import RunSummary, Summary

_BARS = 18  # of a histogram
_MOST_POINTS = 300  # of a curve: more cannot be seen
_LINE = 7.0  # percent of a slope's height that a label takes
_LOSS = {  # families that are trained here, and the loss that they are trained with
    "lm": "nats per token",
    "context2vec": "nats per word, for distinguishing it from random words",
}


@dataclass(frozen=True)
class Panel:
    """One drawing: its title, what it says to those who cannot see it, and what the template needs."""

    title: str
    alt: str
    drawn: Mapping[str, Any]


@dataclass(frozen=True)
class Plot:
    """Drawings of one kind side by side, with a title and a caption."""

    name: str
    kind: Literal["stack", "slope", "square", "histogram", "curve"]
    title: str
    unit: str
    panels: tuple[Panel, ...]
    caption: str = ""


def choices(summary: Summary) -> Plot | None:
    """What the best solver chose within schemas, beside what coin flips give."""
    best = best_solver(summary)
    runs = [one for one in summary.runs if one.solver == best and one.choices]
    if not runs or best is None:
        return None
    panels = [_stack(one.column.label, one.choices) for one in runs]
    panels.append(_coins(runs[0].column))
    return Plot("choices", "stack", "Choices within a schema", f"% of schemas; {best.label}", tuple(panels))


def slopes(summary: Summary) -> Plot | None:
    """Accuracy with naive and with grammatical readings, one panel per scoring."""
    pairs = [one for one in summary.compared if one.is_of_readings]
    rows: dict[str, list[tuple[str, float, float]]] = {}
    for pair in pairs:
        values = pair.second.accuracy.value, pair.first.accuracy.value
        settings = pair.first.settings
        if values[0] is not None and values[1] is not None:
            rows.setdefault(f"{settings.model}, {settings.scoring} scoring", []).append(
                (pair.first.column.label, values[0], values[1])
            )
    if not rows:
        return None
    every = [value for own in rows.values() for _, one, other in own for value in (one, other)]
    level = pairs[0].first.guess
    axis = Axis.around([(min(every), max(every))], [level] if level is not None else [])
    panels = tuple(_slope(title, own, axis, level) for title, own in list(rows.items())[:4])
    return Plot("reading-styles", "slope", "Accuracy by kind of reading", "%", panels)


def calibration(summary: Summary) -> Plot | None:
    """How often the best solver is right at each level of confidence."""
    shown = _calibrated(summary)
    panels = []
    for one in shown:
        if one.calibration is None or not one.calibration.bins:
            continue
        points = []
        for part in one.calibration.bins:
            found = part.accuracy
            if found.value is not None and found.low is not None and found.high is not None:
                x = 200 * (part.confidence - 0.5)
                points.append(
                    [round(at, 1) for at in (x, 100 - 100 * found.value, 100 - 100 * found.low, 100 - 100 * found.high)]
                )
        alt = f"{one.column.label}: accuracy at {len(points)} levels of confidence"
        panels.append(Panel(one.column.label, alt, {"points": points}))
    if not panels:
        return None
    unit = f"groups of about equal size, with 95% interval; {shown[0].solver.label}"
    caption = "On the dashed line, a model is right as often as it is sure."
    return Plot("calibration", "square", "Accuracy by confidence", unit, tuple(panels), caption)


def margins(summary: Summary) -> Plot | None:
    """The score of the answer minus that of the other candidate."""
    shown = [(one, values) for one in _calibrated(summary) if (values := one.margins)]
    if not shown:
        return None
    sizes = sorted(abs(value) for _, values in shown for value in values)
    limit = sizes[int(0.95 * (len(sizes) - 1))] or 1.0
    panels = tuple(_histogram(one.column.label, values, limit) for one, values in shown)
    unit = f"items, natural logarithms; {shown[0][0].solver.label}"
    return Plot("margins", "histogram", "Score of the answer minus score of the other candidate", unit, panels)


def training(summary: Summary) -> Plot | None:
    """The curves of the models that were trained here and are, unchanged, where the runs found them."""
    made: dict[str, Panel] = {}
    unit = ""
    for one in summary.runs:
        family, location = one.settings.asked_model.family, one.settings.asked_model.location
        if family not in _LOSS or one.solver.name in made:
            continue
        from winoglot.models.scoring.pretrained import fingerprint  # only where needed: slow to import
        from winoglot.training.checkpoint import LOG, read_log

        log = Path(location) / LOG
        if log.is_file() and fingerprint(log.parent) == one.settings.fingerprint:  # or another model is there now
            made[one.solver.name] = training_panel(read_log(log), one.solver.name)
            unit = f"loss in {_LOSS[family]}, over tokens read; lower is better"
    return Plot("training", "curve", "Training", unit, tuple(made.values())) if made else None


def training_panel(log: Sequence[Mapping[str, Any]], name: str) -> Panel:
    """The losses in a training's log: a thin line for the text learned from, points for the validation text."""
    trained = _thinned([(line["tokens"], line["loss"]) for line in log if "loss" in line])
    checked = [(line["tokens"], line["valid_loss"]) for line in log if "valid_loss" in line]
    best = min(checked, key=lambda point: point[1], default=None)
    told = f"validation loss lowest after {best[0]:,} tokens: {best[1]:.3f}" if best else "no validation yet"
    every = [*trained, *checked] or [(0, 0.0)]
    last = max(tokens for tokens, _ in every) or 1
    axis = Axis.around([(loss, loss) for _, loss in every], (), "plain")

    def places(points: Sequence[tuple[int, float]]) -> list[tuple[float, float]]:
        return [(round(100 * tokens / last, 2), round(100 - axis.place(loss), 2)) for tokens, loss in points]

    drawn = {
        "line": places(trained),
        "points": places(checked),
        "ticks": [(100 - axis.place(tick), f"{tick:g}") for tick in axis.ticks],
        "last": f"{last:,}",
    }
    return Panel(name, f"{name}: {told}", drawn)


PLOTS = (choices, slopes, calibration, margins, training)


def _calibrated(summary: Summary) -> list[RunSummary]:
    """The runs of the best solver among those whose scores are log probabilities."""
    found = [one for one in summary.runs if one.calibration is not None and one.calibration.error.value is not None]
    best: SolverRow | None = best_solver(summary)
    return [
        one for one in found if one.solver == (best if any(one.solver == best for one in found) else found[0].solver)
    ]


_PARTS = (
    ("right", "all items right"),
    ("same", "same candidate in all items"),
    ("changed", "choice changes, not all right"),
    ("silent", "abstained on an item"),
)


def _stack(label: str, found: Counter[str]) -> Panel:
    n = found.total()
    alt = f"{label}: " + ", ".join(f"{found[name]} of {n} schemas {words}" for name, words in _PARTS if found[name])
    return Panel(label, alt, {"bars": _bars([(name, found[name] / n) for name, _ in _PARTS]), "is_coin": False})


def _coins(column: Column) -> Panel:
    """What guessing gives on the schemas whose items have different answers."""
    clusters: dict[str, list[tuple[int, int]]] = {}
    for one in column.examples:
        if one.answer is not None:
            clusters.setdefault(one.cluster, []).append((len(one.options), one.answer))
    own = [items for items in clusters.values() if len({answer for _, answer in items}) > 1]
    right = sum(math.prod(1 / options for options, _ in items) for items in own) / len(own)
    same = sum(min(options for options, _ in items) * math.prod(1 / options for options, _ in items) for items in own)
    shares = [("right", right), ("same", same / len(own)), ("changed", 1 - right - same / len(own))]
    alt = "Coin flips: " + ", ".join(f"{100 * share:.0f}% {dict(_PARTS)[name]}" for name, share in shares)
    return Panel("Coin flips", alt, {"bars": _bars(shares), "is_coin": True})


def _bars(shares: Sequence[tuple[str, float]]) -> list[dict[str, Any]]:
    made, start = [], 0.0
    for name, share in shares:
        if share > 0:
            text = f"{100 * share:.0f}" if share >= 0.03 else ""
            made.append({"name": name, "x": round(start, 2), "width": round(100 * share, 2), "text": text})
        start += 100 * share
    return made


def _slope(title: str, rows: Sequence[tuple[str, float, float]], axis: Axis, level: float | None) -> Panel:
    lines = [(label, 100 - axis.place(naive), 100 - axis.place(other)) for label, naive, other in rows]
    left = _spread([at for _, at, _ in lines])
    right = _spread([at for _, _, at in lines])
    drawn = [
        {
            "y1": y1,
            "y2": y2,
            "left": (left[at], number(rows[at][1], "percent")),
            "right": (right[at], f"{number(rows[at][2], 'percent')} {label}"),
        }
        for at, (label, y1, y2) in enumerate(lines)
    ]
    told = ", ".join(f"{label} {number(one, 'percent')} and {number(other, 'percent')}" for label, one, other in rows)
    alt = f"{title}: accuracy with naive and with grammatical readings: {told}"
    return Panel(title, alt, {"lines": drawn, "chance": None if level is None else 100 - axis.place(level)})


def _spread(places: Sequence[float]) -> list[float]:
    """Places of labels that do not overlap, in the same order, as near as possible to where they belong."""
    order = sorted(range(len(places)), key=places.__getitem__)
    found = list(places)
    for before, after in itertools.pairwise(order):
        found[after] = max(found[after], found[before] + _LINE)
    excess = found[order[-1]] - 100 - _LINE
    if excess > 0:
        found = [at - excess / 2 for at in found]
    return [round(at, 1) for at in found]


def _histogram(label: str, values: Sequence[float], limit: float) -> Panel:
    counts = [0] * _BARS
    for value in values:
        counts[min(_BARS - 1, max(0, math.floor((value + limit) / (2 * limit) * _BARS)))] += 1
    most = max(counts)
    width = 100 / _BARS
    bars = [
        {
            "x": round(at * width, 2),
            "width": round(width - 0.6, 2),
            "height": round(88 * count / most, 1),
            "is_right": 2 * at >= _BARS,
        }
        for at, count in enumerate(counts)
        if count
    ]
    right = sum(value > 0 for value in values)
    alt = f"{label}: score margins, {right} of {len(values)} above 0"
    ends = [f"−{limit:.1f}" + " and below", "0", f"+{limit:.1f}" + " and above"]
    return Panel(label, alt, {"bars": bars, "ends": ends})


def _thinned(points: list[tuple[int, float]]) -> list[tuple[int, float]]:
    """As many points as can be seen, each the mean of those it replaces."""
    size = -(-len(points) // _MOST_POINTS) or 1
    groups = [points[start : start + size] for start in range(0, len(points), size)]
    return [(group[-1][0], sum(loss for _, loss in group) / len(group)) for group in groups]
