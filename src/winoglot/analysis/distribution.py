"""Distributions at the pronoun: how far do other wordings move what a model expects in the pronoun's place?

At the pronoun a model gives every token of its vocabulary a probability. The original's distribution and the variant's
are both cut down to the smallest set of most probable tokens that has a probability of at least 0.9, and rescaled to
sum to 1. They are compared by the Jensen-Shannon distance with logarithms to the base 2: 0 if they are the same, 1 if
they have no token in common. It takes in everything that a model expects there, not only the candidates.

The items are those that have a variant of every kind (`items`: `common`), so that kinds can be compared; and, for each
kind, all that have one of that kind (`own`). A model that reads from left to right has not seen what comes after the
pronoun. For such a model only items count in which something before the pronoun has changed: for others the distance
would be 0 whatever the model. `changed_after` counts the items that have also changed after it, which it does not see.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from winoglot.analysis.base import AnalysisMeasure, Measurement, QuantityInfo, not_possible
from winoglot.metrics.base import Cases
from winoglot.metrics.robustness import Change, changes
from winoglot.schemas.model import ORIGINAL

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from winoglot.analysis.base import Subject
    from winoglot.models.scoring.probes import Distribution, Probe
    from winoglot.schemas.model import Item

DISTANCE, KEPT_TOKENS = "js-distance", "kept-tokens"
COMMON, OWN = "common", "own"
NOTHING = "no items to compare"
NOT_SHOWN = (
    "no distributions or states were collected; only causal, masked, gguf and lm models have them, and only if "
    "`winoglot analyse` itself evaluates the model (--model)"
)


def distribution(subject: Subject) -> Iterator[Measurement]:
    """The distance of each kind from its originals, and the numbers of tokens that are kept."""
    if not any(len(probe.distribution.tokens) for probe in subject.run.probes.values()):
        for kind in subject.perturbations or (ORIGINAL,):
            yield from not_possible((DISTANCE, KEPT_TOKENS), NOT_SHOWN, kind)
        return
    shared = common_items(subject, has_distribution)
    yield _sizes(subject, ORIGINAL, shared)
    items = {item.id: item for item in (*subject.collection.items, *subject.collection.variants())}
    for kind in subject.perturbations:
        for items_name, originals in ((COMMON, shared), (OWN, None)):
            cases = probed_changes(subject, kind, has_distribution, originals)
            cases = cases.where(lambda case: _sees_change(subject, case, items), "changed only after the pronoun")
            estimate = cases.share(lambda case: distance(*_distributions(subject, case)), undefined=NOTHING)
            pairs = ((items[case.original.example.id], items[case.example.id]) for case in cases.cases)
            changed_after = sum(original.parts[2] != variant.parts[2] for original, variant in pairs)
            yield Measurement(DISTANCE, estimate, kind, {"items": items_name}, {"changed_after": changed_after})
        yield _sizes(subject, kind, shared)


def has_distribution(probe: Probe) -> bool:
    """Whether a probe has a distribution to compare."""
    return len(probe.distribution.tokens) > 0


def common_items(subject: Subject, shows: Callable[[Probe], bool]) -> set[str]:
    """The originals that can be compared with a variant of every kind."""
    originals_by_kind = [
        {case.original.example.id for case in probed_changes(subject, kind, shows).cases}
        for kind in subject.perturbations
    ]
    return set.intersection(*originals_by_kind) if originals_by_kind else set()


def probed_changes(
    subject: Subject, kind: str, shows: Callable[[Probe], bool], originals: Collection[str] | None = None
) -> Cases[Change]:
    """The variants of a kind with their originals, if there are probes of both; with `originals`, only theirs."""
    probes = subject.run.probes
    cases = changes(subject.run, kind).where(
        lambda case: all(
            outcome.example.id in probes and shows(probes[outcome.example.id])
            for outcome in (case.original, case.variant)
        ),
        "without probes of both texts",
    )
    if originals is None:
        return cases
    return cases.where(lambda case: case.original.example.id in originals, "without a variant of every kind")


def _sees_change(subject: Subject, case: Change, items: Mapping[str, Item]) -> bool:
    """Whether the distribution can differ: something has changed where the model has read."""
    if subject.run.probes[case.example.id].sees_after:
        return True
    original_text, variant_text = (
        items[outcome.example.id].parts[0].rstrip() for outcome in (case.original, case.variant)
    )
    return original_text != variant_text


def _distributions(subject: Subject, case: Change) -> tuple[Distribution, Distribution]:
    probes = subject.run.probes
    return probes[case.original.example.id].distribution, probes[case.example.id].distribution


def distance(first: Distribution, second: Distribution) -> float:
    """The Jensen-Shannon distance of two truncated distributions, each made to sum to 1; in the square root of bits.

    Two tokens with ½ each and one of them alone: the divergence is 0.311 bits, as the mixture has ¾ and ¼.

    >>> from winoglot.models.scoring.probes import Distribution
    >>> two = Distribution(np.array([7, 9]), np.array([0.45, 0.45]))
    >>> distance(two, Distribution(np.array([7]), np.array([0.95]))) ** 2  # doctest: +ELLIPSIS
    0.311...
    >>> distance(two, two), distance(two, Distribution(np.array([8]), np.array([0.9])))
    (0.0, 1.0)
    """
    tokens, places = np.unique(np.concatenate([first.tokens, second.tokens]), return_inverse=True)
    shares = np.zeros((2, len(tokens)))
    sizes = len(first.tokens)
    shares[0, places[:sizes]] = first.probabilities / first.probabilities.sum(dtype=np.float64)
    shares[1, places[sizes:]] = second.probabilities / second.probabilities.sum(dtype=np.float64)
    mixture = shares.mean(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(shares > 0, shares * np.log2(shares / mixture), 0.0)
    return float(np.sqrt(np.clip(terms.sum() / 2, 0.0, 1.0)))


def _sizes(subject: Subject, kind: str, originals: Collection[str]) -> Measurement:
    """How many tokens are kept on average, on the common items."""
    probes = subject.run.probes
    probed_outcomes = tuple(
        outcome
        for outcome in subject.outcomes(kind)
        if (outcome.example.id if kind == ORIGINAL else outcome.example.variant_of) in originals
    )
    sizes = {
        outcome.example.id: float(len(probes[outcome.example.id].distribution.tokens)) for outcome in probed_outcomes
    }
    bounds = (0.0, max(sizes.values(), default=1.0))
    estimate = Cases(probed_outcomes).share(lambda outcome: sizes[outcome.example.id], bounds=bounds, undefined=NOTHING)
    return Measurement(KEPT_TOKENS, estimate, kind, {"items": COMMON})


PLUGINS = {
    "distribution": AnalysisMeasure(
        "Distribution at the pronoun",
        "Jensen-Shannon distance between what a model expects at the pronoun in an original and in its variants.",
        distribution,
        {
            DISTANCE: QuantityInfo("Jensen-Shannon distance", "plain", 0.0),
            KEPT_TOKENS: QuantityInfo("tokens kept", "plain"),
        },
        uses_probes=True,
    )
}
