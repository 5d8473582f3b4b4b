"""Figures that are not tables: bars of choices, slopes, calibration, margins, training curves; places in percent.

Here is where everything goes; `templates/plots.svg` draws it, for the page and for papers.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from winoglot.errors import InputError
from winoglot.report.figure import Axis
from winoglot.report.findings import best_solver, contrasts
from winoglot.statistics.formatting import number, percent, tick_text
from winoglot.statistics.intervals import Estimate

if TYPE_CHECKING:
    from winoglot.report.columns import Column
    from winoglot.report.solvers import SolverRow
    from winoglot.report.summary import RunSummary, Summary

_BARS = 18  # of a histogram
_MOST_POINTS = 300  # of a curve: more cannot be seen
_LINE = 7.0  # percent of a slope's height that a label takes
_LEFT = 12.0  # percent of a learning curve's width: where the smallest size is; the untuned model is at 0
_ASIDE = 0.7  # percent by which each curve is moved to the left of the next
_WIDTHS = (45.0, 70.0)  # percent of a panel that the curves take: the fewer, the longer their labels are
_LETTER = 1.3  # percent that a letter of a label takes
_CHOICES = {
    "right": "all items right",
    "same": "same choice in all items",
    "changed": "choice changes, not all right",
    "silent": "abstained on an item",
}
READ = "over tokens read; line: training text, points: validation text; lower is better"
_LOSS = {  # families that are trained here, and the loss that they are trained with
    "lm": "nats per token",
    "context2vec": "nats per word, for distinguishing it from random words",
}


Kind = Literal["stack", "slope", "square", "histogram", "curve", "learning"]


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
    kind: Kind
    title: str
    unit: str
    panels: tuple[Panel, ...]
    caption: str = ""
    key: Mapping[str, str] = field(default_factory=dict)  # by the class of what is drawn, what it means

    @classmethod
    def of(cls, name: str, kind: Kind, title: str, unit: str, panels: Sequence[Panel], **more: Any) -> Plot | None:
        """A plot, unless there is nothing to draw."""
        return cls(name, kind, title, unit, tuple(panels), **more) if panels else None


def choices(summary: Summary) -> Plot | None:
    """What the best solver chose within schemas or other clusters, beside what coin flips give."""
    best = best_solver(summary)
    runs = [run for run in summary.runs if run.solver == best and run.choices]
    panels = []
    for run in runs:
        counts, of = run.choices, f"of {run.choices.total()} {run.column.contrasts}"
        outcomes = ", ".join(f"{counts[name]} {of}: {words}" for name, words in _CHOICES.items() if counts[name])
        drawn = {"shares": {name: counts[name] / counts.total() for name in _CHOICES if counts[name]}, "is_coin": False}
        panels.append(Panel(run.column.label, f"{run.column.label}: {outcomes}", drawn))
    panels += [_coins(runs[0].column)] if runs else []
    key = {name: words for name, words in _CHOICES.items() if any(name in panel.drawn["shares"] for panel in panels)}
    unit = f"% of {contrasts(runs)}; {best.label}" if best else ""
    title = f"Choices within a {runs[0].column.unit}" if runs else ""
    return Plot.of("choices", "stack", title, unit, panels, key=key)


def slopes(summary: Summary) -> Plot | None:
    """Accuracy with naive and with grammatical readings, one panel per scoring."""
    rows: dict[str, list[tuple[str, float, float]]] = {}
    levels: list[float | None] = []
    for pair in summary.compared:
        naive, other = pair.second.accuracy.value, pair.first.accuracy.value
        if pair.is_of_readings and naive is not None and other is not None:
            title = f"{pair.first.settings.model}, {pair.first.settings.scoring} scoring"
            rows.setdefault(title, []).append((pair.first.column.label, naive, other))
            levels.append(pair.first.guess)
    every = [value for lines in rows.values() for _, *values in lines for value in values]
    level = levels[0] if levels else None
    axis = Axis.around([(value, value) for value in every], [level] if level is not None else [])
    panels = [_slope(title, lines, axis, level) for title, lines in list(rows.items())[:4]]
    return Plot.of("reading-styles", "slope", "Accuracy by kind of reading", "%", panels)


def calibration_plot(summary: Summary) -> Plot | None:
    """How often the best solver is right at each level of confidence."""
    panels, solver = [], ""
    for run in _calibrated(summary):
        bins = [part for part in run.calibration.bins if part.accuracy.value is not None] if run.calibration else []
        if bins:
            alt = f"{run.column.label}: accuracy at {len(bins)} levels of confidence"
            panels.append(Panel(run.column.label, alt, {"bins": bins}))
            solver = run.solver.label
    unit = f"groups of about equal size, with 95% interval; {solver}"
    caption = "On the dashed line, a model is right as often as it is sure."
    return Plot.of("calibration", "square", "Accuracy by confidence", unit, panels, caption=caption)


def margins_plot(summary: Summary) -> Plot | None:
    """The score of the answer minus that of the other candidate."""
    shown = [run for run in _calibrated(summary) if run.margins]
    sizes = sorted(abs(value) for run in shown for value in run.margins)
    limit = (sizes[int(0.95 * (len(sizes) - 1))] if sizes else 0.0) or 1.0
    panels = []
    for run in shown:
        counts = [0] * _BARS
        for value in run.margins:
            counts[min(_BARS - 1, max(0, math.floor((value + limit) / (2 * limit) * _BARS)))] += 1
        right = sum(value > 0 for value in run.margins)
        alt = f"{run.column.label}: score margins, {right} of {len(run.margins)} above 0"
        panels.append(Panel(run.column.label, alt, {"counts": counts, "limit": limit}))
    unit = f"items, natural logarithms; {shown[0].solver.label}" if shown else ""
    return Plot.of("margins", "histogram", "Score of the answer minus score of the other candidate", unit, panels)


def training_plot(summary: Summary) -> Plot | None:
    """The curves of the models that were trained here and are, unchanged, where the runs found them."""
    panels: dict[str, Panel] = {}
    unit = ""
    for run in summary.runs:
        family = run.settings.asked_model.family
        if family not in _LOSS or run.solver.name in panels:
            continue
        from winoglot.models.scoring.pretrained import fingerprint  # only where needed: slow to import
        from winoglot.training.checkpoint import LOG, read_log

        try:
            log = Path(run.settings.asked_model.found_location()) / LOG
        except InputError:  # a path by a variable of another machine
            continue
        if log.is_file() and fingerprint(log.parent) == run.settings.fingerprint:  # or another model is there now
            panels[run.solver.name] = training_panel(read_log(log), run.solver.name)
            unit = f"loss in {_LOSS[family]}, {READ}"
    return Plot.of("training", "curve", "Training", unit, list(panels.values()))


def training_panel(log: Sequence[Mapping[str, Any]], name: str) -> Panel:
    """The losses in a training's log: a thin line for the text learned from, points for the validation text."""
    trained = _thinned([(line["tokens"], line["loss"]) for line in log if "loss" in line])
    checked = [(line["tokens"], line["valid_loss"]) for line in log if "valid_loss" in line]
    best = min(checked, key=lambda point: point[1], default=None)
    lowest = f"validation loss lowest after {best[0]:,} tokens: {best[1]:.3f}" if best else "no validation yet"
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
    return Panel(name, f"{name}: {lowest}", drawn)


@dataclass
class Line:
    """A learning curve: how it is drawn, and its estimate at each number of items."""

    style: str
    points: list[tuple[int, Estimate]] = field(default_factory=list)


def learning_panel(
    title: str, lines: Mapping[str, Line], sizes: Sequence[int], untuned: Estimate | None, chance: float | None
) -> Panel:
    """Learning curves by label, on a logarithmic axis with these sizes; the untuned model is at its left end."""
    span = math.log(sizes[-1] / sizes[0])

    def across(count: int) -> float:
        return round(_LEFT + (100 - _LEFT) * math.log(count / sizes[0]) / span, 1)

    estimates = [estimate for line in lines.values() for _, estimate in line.points] + ([untuned] if untuned else [])
    limits = [(estimate.low or 0.0, estimate.high or 0.0) for estimate in estimates]
    axis = Axis.around(limits, [chance] if chance is not None else [])

    def point(place: float, estimate: Estimate) -> dict[str, float]:
        low, value, high = (100 - axis.clipped(end or 0.0) for end in (estimate.low, estimate.value, estimate.high))
        return {"x": round(place, 1), "y": value, "low": low, "high": high}

    drawn: list[dict[str, Any]] = [
        {
            "label": label,
            "style": lines[label].style,
            "points": [point(across(count) - _ASIDE * at, estimate) for count, estimate in lines[label].points],
        }
        for at, label in enumerate(reversed(list(lines)))  # intervals side by side; no point is right of its size
    ]
    for line, place in zip(drawn, spread_labels([line["points"][-1]["y"] for line in drawn]), strict=True):
        line["place"] = place
    values = {
        label: ", ".join(number(estimate.value or 0.0, "percent") for _, estimate in line.points)
        for label, line in lines.items()
    }
    values |= {"untuned": number(untuned.value or 0.0, "percent")} if untuned else {}
    words = "; ".join(f"{label} {numbers}" for label, numbers in values.items())
    content = {
        "width": min(max(_WIDTHS[0], 88 - _LETTER * max(map(len, lines))), _WIDTHS[1]),
        "lines": drawn,
        "untuned": point(0.0, untuned) if untuned else None,
        "sizes": [(across(size), size) for size in sizes],
        "ticks": [(100 - axis.place(tick), tick_text(tick, "percent")) for tick in axis.ticks],
        "chance": None if chance is None else 100 - axis.clipped(chance),
    }
    return Panel(title, f"{title} at {', '.join(map(str, sizes))} items: {words}", content)


def _calibrated(summary: Summary) -> list[RunSummary]:
    """The runs of the best solver among those whose scores are log probabilities."""
    calibrated = [
        run for run in summary.runs if run.calibration is not None and run.calibration.error.value is not None
    ]
    best: SolverRow | None = best_solver(summary)
    solvers = [run.solver for run in calibrated]
    chosen = best if best in solvers else solvers[0] if solvers else None
    return [run for run in calibrated if run.solver == chosen]


def _coins(column: Column) -> Panel:
    """What guessing gives on the clusters whose examples have different answers."""
    clusters: dict[str, list[tuple[int, int]]] = {}
    for example in column.examples:
        if example.answer is not None:
            clusters.setdefault(example.cluster, []).append((len(example.options), example.answer))
    contrasting = [items for items in clusters.values() if len({answer for _, answer in items}) > 1]
    right = sum(math.prod(1 / options for options, _ in items) for items in contrasting) / len(contrasting)
    same = sum(
        min(options for options, _ in items) * math.prod(1 / options for options, _ in items) for items in contrasting
    )
    shares = {"right": right, "same": same / len(contrasting), "changed": 1 - right - same / len(contrasting)}
    alt = "Coin flips: " + ", ".join(f"{percent(share, 0)}% {_CHOICES[name]}" for name, share in shares.items())
    return Panel("Coin flips", alt, {"shares": shares, "is_coin": True})


def _slope(title: str, rows: Sequence[tuple[str, float, float]], axis: Axis, level: float | None) -> Panel:
    left = [100 - axis.place(naive) for _, naive, _ in rows]
    right = [100 - axis.place(grammatical) for _, _, grammatical in rows]
    lines = zip(left, right, spread_labels(left), spread_labels(right), rows, strict=True)
    drawn = [
        {
            "y": (y1, y2),
            "left": (at, number(naive, "percent")),
            "right": (to, f"{number(grammatical, 'percent')} {label}"),
        }
        for y1, y2, at, to, (label, naive, grammatical) in lines
    ]
    words = ", ".join(
        f"{label} {number(naive, 'percent')} and {number(grammatical, 'percent')}" for label, naive, grammatical in rows
    )
    alt = f"{title}: accuracy with naive and with grammatical readings: {words}"
    return Panel(title, alt, {"lines": drawn, "chance": None if level is None else 100 - axis.place(level)})


def spread_labels(places: Sequence[float]) -> list[float]:
    """Places of labels that do not overlap, in the same order, as near as possible to where they belong."""
    order = sorted(range(len(places)), key=places.__getitem__)
    spread = list(places)
    for before, after in itertools.pairwise(order):
        spread[after] = max(spread[after], spread[before] + _LINE)
    excess = spread[order[-1]] - 100 - _LINE
    if excess > 0:
        spread = [at - excess / 2 for at in spread]
    return [round(at, 1) for at in spread]


def _thinned(points: list[tuple[int, float]]) -> list[tuple[int, float]]:
    """As many points as can be seen, each the mean of those it replaces."""
    size = -(-len(points) // _MOST_POINTS) or 1
    groups = [points[start : start + size] for start in range(0, len(points), size)]
    return [(group[-1][0], sum(loss for _, loss in group) / len(group)) for group in groups]
