"""Distributions at the pronoun: how far do other wordings move what a model expects in the pronoun's place?

At the pronoun a model gives every token of its vocabulary a probability. Of the original's distribution and of the
variant's, the smallest set of most probable tokens is kept that has a probability of at least 0.9, and made to sum to
1. Their difference is the Jensen-Shannon distance, with logarithms to the base 2: 0 if they are the same, 1 if they
share no token. It is about all that a model expects there, not only about the candidates.

The items are those that have a variant of every kind (`items`: `common`), so that kinds can be compared; and, for each
kind, all that have one of that kind (`own`). A model that reads from the beginning to the end knows nothing of what
comes after the pronoun. Of its items only those count in which something before the pronoun has changed: in others the
distance is 0 whatever the model is like. What has changed after the pronoun too, it does not see (`changed_after`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from winoglot.analysis.base import AnalysisMeasure, Measurement, QuantityInfo, not_possible
from winoglot.metrics.base import Counted
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
    "no distributions or states were collected: causal, masked, gguf and lm models show theirs while "
    "`winoglot analyse` evaluates them; servers, baselines and people have none to show"
)


def distribution(subject: Subject) -> Iterator[Measurement]:
    """The distance of each kind from its originals, and the numbers of tokens that are kept."""
    if not any(len(probe.distribution.tokens) for probe in subject.run.probes.values()):
        for kind in subject.perturbations or (ORIGINAL,):
            yield from not_possible((DISTANCE, KEPT_TOKENS), NOT_SHOWN, kind)
        return
    shared = common_items(subject, has_distribution)
    yield _sizes(subject, ORIGINAL, shared)
    items = {one.id: one for one in (*subject.collection.items, *subject.collection.variants())}
    for kind in subject.perturbations:
        for which, wanted in ((COMMON, shared), (OWN, None)):
            cases = probed_changes(subject, kind, has_distribution, wanted)
            cases = cases.where(lambda case: _sees_change(subject, case, items), "changed only after the pronoun")
            made = cases.share(lambda case: distance(*_distributions(subject, case)), undefined=NOTHING)
            pairs = ((items[case.original.example.id], items[case.example.id]) for case in cases.cases)
            after = sum(original.parts[2] != variant.parts[2] for original, variant in pairs)
            yield Measurement(DISTANCE, made, kind, {"items": which}, {"changed_after": after})
        yield _sizes(subject, kind, shared)


def has_distribution(probe: Probe) -> bool:
    """Whether there is anything to compare."""
    return len(probe.distribution.tokens) > 0


def common_items(subject: Subject, shows: Callable[[Probe], bool]) -> set[str]:
    """The originals that, like a variant of every kind of theirs, show what is compared."""
    found = [
        {case.original.example.id for case in probed_changes(subject, kind, shows).cases}
        for kind in subject.perturbations
    ]
    return set.intersection(*found) if found else set()


def probed_changes(
    subject: Subject, kind: str, shows: Callable[[Probe], bool], originals: Collection[str] | None = None
) -> Counted[Change]:
    """The variants of a kind with their originals, if the model shows what is compared of both.

    With `originals`, only those of these originals.
    """
    probes = subject.run.probes
    cases = changes(subject.run, kind).where(
        lambda case: all(
            one.example.id in probes and shows(probes[one.example.id]) for one in (case.original, case.variant)
        ),
        "of which the model shows nothing to compare",
    )
    if originals is None:
        return cases
    return cases.where(lambda case: case.original.example.id in originals, "without a variant of every kind")


def _sees_change(subject: Subject, case: Change, items: Mapping[str, Item]) -> bool:
    """Whether the distribution can differ: what has changed stands where the model has read."""
    if subject.run.probes[case.example.id].sees_after:
        return True
    before, after = (items[one.example.id].parts[0].rstrip() for one in (case.original, case.variant))
    return before != after


def _distributions(subject: Subject, case: Change) -> tuple[Distribution, Distribution]:
    probes = subject.run.probes
    return probes[case.original.example.id].distribution, probes[case.example.id].distribution


def distance(one: Distribution, other: Distribution) -> float:
    """The Jensen-Shannon distance of two truncated distributions, each made to sum to 1; in the square root of bits.

    Two tokens with ½ each and one of them alone: the divergence is 0.311 bits, as the mixture has ¾ and ¼.

    >>> from winoglot.models.scoring.probes import Distribution
    >>> two = Distribution(np.array([7, 9]), np.array([0.45, 0.45]))
    >>> distance(two, Distribution(np.array([7]), np.array([0.95]))) ** 2  # doctest: +ELLIPSIS
    0.311...
    >>> distance(two, two), distance(two, Distribution(np.array([8]), np.array([0.9])))
    (0.0, 1.0)
    """
    tokens, places = np.unique(np.concatenate([one.tokens, other.tokens]), return_inverse=True)
    shares = np.zeros((2, len(tokens)))
    sizes = len(one.tokens)
    shares[0, places[:sizes]] = one.probabilities / one.probabilities.sum(dtype=np.float64)
    shares[1, places[sizes:]] = other.probabilities / other.probabilities.sum(dtype=np.float64)
    mixture = shares.mean(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(shares > 0, shares * np.log2(shares / mixture), 0.0)
    return float(np.sqrt(np.clip(terms.sum() / 2, 0.0, 1.0)))


def _sizes(subject: Subject, kind: str, originals: Collection[str]) -> Measurement:
    """How many tokens are kept on average, on the common items."""
    probes = subject.run.probes
    chosen = tuple(
        one
        for one in subject.outcomes(kind)
        if (one.example.id if kind == ORIGINAL else one.example.variant_of) in originals
    )
    sizes = {one.example.id: float(len(probes[one.example.id].distribution.tokens)) for one in chosen}
    bounds = (0.0, max(sizes.values(), default=1.0))
    made = Counted(chosen).share(lambda one: sizes[one.example.id], bounds=bounds, undefined=NOTHING)
    return Measurement(KEPT_TOKENS, made, kind, {"items": COMMON})


PLUGINS = {
    "distribution": AnalysisMeasure(
        "Distribution at the pronoun",
        "Jensen-Shannon distance of what a model expects in the pronoun's place, from an original to its variants.",
        distribution,
        {
            DISTANCE: QuantityInfo("Jensen-Shannon distance", "plain", 0.0),
            KEPT_TOKENS: QuantityInfo("tokens kept", "plain"),
        },
        uses_probes=True,
    )
}
