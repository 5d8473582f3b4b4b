"""A logistic curve of right and wrong over a margin, with errors that allow for dependence within schemas."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from winoglot.metrics._clusters import cluster_sums, counted, numbers
from winoglot.metrics.base import Estimate, at_level

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from winoglot.metrics._clusters import Floats

FEWEST_SCHEMAS = 10  # with fewer, the sandwich estimate of the errors is far too small


class LogisticFit(NamedTuple):
    """The log odds of being right: intercept + slope × margin."""

    intercept: Estimate
    slope: Estimate


def logistic_fit(margins: ArrayLike, right: ArrayLike, clusters: ArrayLike, *, level: float = 0.95) -> LogisticFit:
    """Fit the probability of being right as a logistic curve of the margin, by maximum likelihood.

    Where margins are log odds that mean what they say, the intercept is 0 and the slope 1; a slope below 1 is
    overconfidence, 0 says that margins tell nothing. Intervals are Student's with one degree of freedom fewer than
    schemas, around sandwich standard errors clustered by schema. Both are undefined where right and wrong do not
    overlap along the margin, since no finite curve is then the likeliest.
    """
    from scipy.special import expit, stdtrit

    x, y = numbers(margins, "margins"), numbers(right, "right")
    if not np.isin(y, (0, 1)).all():
        raise ValueError("an item is right (1) or wrong (0); abstentions have no margin and stay out")
    schemas = len(np.unique(np.asarray(clusters)))
    reason = _why_undefined(x, y, schemas)
    if reason:
        return LogisticFit(Estimate.undefined(reason, len(x)), Estimate.undefined(reason, len(x)))
    centre, scale = float(x.mean()), float(x.std())
    design = np.stack([np.ones_like(x), (x - centre) / scale], axis=1)
    weights = _likeliest(design, y)
    fitted = expit(design @ weights)
    curvature = np.linalg.inv((design * (fitted * (1 - fitted))[:, np.newaxis]).T @ design)
    scores = cluster_sums(clusters, *((y - fitted)[:, np.newaxis] * design).T)
    few = schemas / (schemas - 1) * (len(x) - 1) / (len(x) - 2)  # the usual correction for few schemas and items
    covariance = few * curvature @ scores.T @ scores @ curvature
    back = np.array([[1.0, -centre / scale], [0.0, 1.0 / scale]])  # from standardised margins to margins
    values, errors = back @ weights, np.sqrt(np.diag(back @ covariance @ back.T))
    half = float(stdtrit(schemas - 1, (1 + level) / 2)) * errors
    method = at_level(level, f"logistic fit, sandwich errors over {counted(schemas)}")
    intercept, slope = (
        Estimate(float(value), float(value - width), float(value + width), len(x), method)
        for value, width in zip(values, half, strict=True)
    )
    return LogisticFit(intercept, slope)


def _why_undefined(x: Floats, y: Floats, schemas: int) -> str:
    if schemas < FEWEST_SCHEMAS:
        return f"undefined with {counted(schemas)}: at least {FEWEST_SCHEMAS} are needed"
    right, wrong = x[y == 1], x[y == 0]
    if not len(right) or not len(wrong):
        return f"undefined when every item is {'wrong' if not len(right) else 'right'}"
    if right.min() >= wrong.max() or wrong.min() >= right.max():
        return "undefined when a margin separates right from wrong"
    return ""


def _likeliest(design: Floats, y: Floats) -> Floats:
    """Newton's method; a step that does not raise the likelihood is halved."""
    from scipy.special import expit

    def likelihood(weights: Floats) -> float:
        return -float(np.logaddexp(0, (1 - 2 * y) * (design @ weights)).sum())

    weights = np.zeros(design.shape[1])
    for _ in range(100):
        fitted = expit(design @ weights)
        slope = design.T @ (y - fitted)
        step = np.linalg.solve((design * (fitted * (1 - fitted))[:, np.newaxis]).T @ design, slope)
        while likelihood(weights + step) < likelihood(weights) and np.abs(step).max() > 1e-12:
            step = step / 2
        weights = weights + step
        if np.abs(step).max() < 1e-10:
            break
    return weights
