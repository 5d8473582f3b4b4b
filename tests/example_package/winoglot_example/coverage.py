"""Metrics: how often a solver answers, by how much it prefers its choice, and what a change of the text does to it."""

from winoglot.metrics.base import Metric, labelled
from winoglot.metrics.calibration import margin
from winoglot.metrics.robustness import changes


def coverage(run, kind=None, *, interval="bootstrap"):
    answered = labelled(run, kind)
    return answered.share(lambda outcome: outcome.choice is not None, interval=interval)


def mean_margin(run):
    scored = labelled(run).where(lambda outcome: margin(outcome) is not None, "without a margin")
    return scored.share(margin, bounds=(0.0, 1e9))


def silenced(run, kind=None, *, interval="bootstrap"):
    answered = changes(run, kind).where(lambda change: change.original.choice is not None, "not answered before")
    return answered.share(lambda change: change.variant.choice is None, interval=interval)


PLUGINS = {
    "coverage": Metric(
        "coverage", "Share of labelled items that are answered.", coverage, chance=1.0, needs=("labels",)
    ),
    "mean-margin": Metric(
        "mean-margin", "Mean score of the choice minus the other score.", mean_margin, unit="nats", needs=("scores",)
    ),
    "silenced": Metric(
        "silenced", "Share of variants that are not answered although their original is.", silenced, needs=("variants",)
    ),
}
