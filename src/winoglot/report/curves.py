"""Training curves: the losses, step by step and at each validation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from winoglot.report._figure import Figure, drawing, finished
from winoglot.report._theme import colours
from winoglot.report.section import Section
from winoglot.report.table import Number, Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from winoglot.report.summary import Summary

_WIDTH, _NARROW, _HEIGHT = 520, 250, 260
_UNITS = {  # of the loss that a family is trained with
    "lm": "nats per token",
    "context2vec": "nats per word, for distinguishing it from random words",
}
_MOST = 600  # the most points of a curve that can be seen


def training(summary: Summary) -> Section:
    """The curves of the models that were trained here and are, unchanged, where the runs found them."""
    made: dict[str, Figure] = {}
    for one in summary.runs:
        name, family = one.run.settings.model, one.run.settings.asked_model.family
        if family not in _UNITS or name in made:
            continue
        from winoglot.models.scoring.pretrained import fingerprint  # only where needed: slow to import
        from winoglot.training.checkpoint import LOG, read_log

        log = Path(one.run.settings.asked_model.location) / LOG
        if not log.is_file():
            continue
        if fingerprint(log.parent) == one.run.settings.fingerprint:  # otherwise another model is there now
            made[name] = training_figure(read_log(log), name, len(made) + 1, _UNITS[family])
    lead = (
        "How the evaluated models were trained: the loss on the training text and on the validation text. The model "
        "kept is that with the lowest validation loss.",
    )
    return Section("training", "Training", lead if made else (), figures=list(made.values()))


def training_figure(log: Sequence[Mapping[str, Any]], name: str, number: int = 1, unit: str = _UNITS["lm"]) -> Figure:
    """The losses in a training's log: a thin line for the text learned from, points for the validation text."""
    trained = _thinned([(line["tokens"], line["loss"]) for line in log if "loss" in line])
    checked = [(line["tokens"], line["valid_loss"]) for line in log if "valid_loss" in line]
    best = min(checked, key=lambda point: point[1], default=None)
    told = (
        f"The validation loss is lowest after {best[0]} tokens: {best[1]:.3f}."
        if best
        else "There has been no validation yet."
    )
    return Figure(
        name=f"training-{number}",
        title=f"Training of {name}",
        caption=f"Loss in {unit}; lower is better. Line: training text, with dropout. Points: validation text.",
        alt=f"Loss over tokens read. {told}",
        table=Table(
            f"training-{number}",
            f"{name}: loss on the validation text, in {unit}",
            ("tokens", "loss"),
            tuple((tokens, Number(loss, f"{loss:.4f}")) for tokens, loss in checked),
        ),
        spec=_drawn(trained, checked, _WIDTH),
        narrow=_drawn(trained, checked, _NARROW),
    )


def _drawn(trained: Sequence[tuple[int, float]], checked: Sequence[tuple[int, float]], width: int) -> dict[str, Any]:
    alt = drawing()
    line, points = colours()["1"], colours()["2"]
    x = alt.X("tokens:Q", title="tokens read", axis=alt.Axis(format="~s", tickCount=width // 85))
    y = alt.Y("loss:Q", title="loss, nats", scale=alt.Scale(zero=False))
    layers = []
    if trained:
        base = alt.Chart(alt.InlineData(_rows(trained)))
        layers += [
            base.mark_line(color=line, strokeWidth=1.2).encode(x=x, y=y),
            _label("training text", line, width, 0),
        ]
    if checked:
        base = alt.Chart(alt.InlineData(_rows(checked)))
        layers.append(base.mark_line(color=points, strokeWidth=1, strokeDash=[3, 3]).encode(x=x, y=y))
        layers.append(base.mark_point(color=points, filled=True, size=36, opacity=1).encode(x=x, y=y))
        layers.append(_label("validation text", points, width, 1))
    return finished(alt.layer(*layers, width=width, height=_HEIGHT))


def _label(text: str, colour: str, width: int, line: int) -> Any:
    """Which curve is which, in the corner that falling curves leave free."""
    alt = drawing()
    base = alt.Chart(alt.InlineData([{"text": text}]))
    mark = base.mark_text(align="right", baseline="top", color=colour, fontWeight="bold")
    return mark.encode(x=alt.XValue(width - 6), y=alt.YValue(6 + 16 * line), text=alt.Text("text:N"))


def _rows(points: Sequence[tuple[int, float]]) -> list[dict[str, float]]:
    return [{"tokens": tokens, "loss": loss} for tokens, loss in points]


def _thinned(points: list[tuple[int, float]]) -> list[tuple[int, float]]:
    """As many points as can be seen, each the mean of those it replaces."""
    size = -(-len(points) // _MOST) or 1
    groups = [points[start : start + size] for start in range(0, len(points), size)]
    return [(group[-1][0], sum(loss for _, loss in group) / len(group)) for group in groups]
