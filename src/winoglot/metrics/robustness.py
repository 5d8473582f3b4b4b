"""What a change of the text does to a solver: consistency, stability, Δaccuracy, robust accuracy, preferences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from winoglot.examples import Example, Outcome
from winoglot.metrics.base import Cases, Metric, labelled, selected, wordings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.examples import Outcomes
    from winoglot.statistics.intervals import Estimate

SWITCHED, SEGMENT_MASKED = "switched", "segment-masked"


@dataclass(frozen=True)
class Change:
    """The outcome of a variant beside that of its original."""

    original: Outcome
    variant: Outcome

    @property
    def example(self) -> Example:
        """The variant."""
        return self.variant.example

    @property
    def is_same(self) -> bool:
        """Whether the choice is the same candidate, wherever the text mentions it."""
        return self.original.choice == self.variant.choice


def changes(run: Outcomes, kind: str | None, effect: str | None = None) -> Cases[Change]:
    """The variants of a kind with their originals; if an effect is named, those that have it and are answered twice."""
    if kind is None:
        return Cases(())
    originals = {outcome.example.id: outcome for outcome in run.outcomes()}
    variants = selected(run, kind).where(
        lambda outcome: outcome.example.variant_of in originals, "without their original"
    )
    paired = (Change(originals[outcome.example.variant_of or ""], outcome) for outcome in variants.cases)
    found = Cases(tuple(paired), variants.left_out)
    if effect is None:
        return found
    done = {"keeps": "kept", "flips": "flipped", "removes": "removed"}[effect]
    found = found.where(lambda change: change.example.effect == effect, f"whose answer is not {done}")
    return found.where(
        lambda change: None not in (change.original.choice, change.variant.choice), "with an abstention on either side"
    )


def _why_none(run: Outcomes, kind: str | None, what: str) -> str:
    if kind is None:
        return "no kind of variant is named"
    return what if run.outcomes(kind) else f"no items of kind {kind!r}"


def consistency(run: Outcomes, kind: str = SWITCHED, *, interval: str = "bootstrap") -> Estimate:
    """Among switched items that are answered both times, the share whose choice moves to the other candidate.

    The index of a candidate identifies it, so a solver that understands changes the index, right or wrong, and one that
    looks at the name alone does not. An abstention on either side is left out and counted. No label is needed.

    >>> import winoglot as wg
    >>> from winoglot.examples import Answers
    >>> collection = wg.load("winoglot-pt")
    >>> perfect = {item.id: item.answer for item in (*collection.items, *collection.variants("switched"))}
    >>> print(consistency(Answers(collection, perfect)))
    1.000 [0.025, 1.000], n=2, exact (Clopper-Pearson) over 1 schema
    """
    undefined = _why_none(run, kind, "no switched items answered on both sides")
    switched = changes(run, kind, "flips").two_way()
    return switched.share(lambda change: not change.is_same, interval=interval, undefined=undefined)


def stability(run: Outcomes, kind: str | None = None, *, interval: str = "bootstrap") -> Estimate:
    """Among a kind's items that are answered both times, the share whose choice stays the same candidate.

    Only for kinds that keep the answer; for those that flip it there is consistency. An abstention on either side is
    left out and counted. No label is needed.

    >>> import winoglot as wg
    >>> from winoglot.examples import Answers
    >>> collection = wg.load("winoglot-en")
    >>> always_first = {item.id: 0 for item in (*collection.items, *collection.variants("relative"))}
    >>> print(stability(Answers(collection, always_first), "relative"))
    1.000 [0.975, 1.000], n=296, exact (Clopper-Pearson) over 148 schemas, all alike
    """
    undefined = _why_none(run, kind, f"no items of kind {kind!r} that keep the answer, answered on both sides")
    return changes(run, kind, "keeps").share(lambda change: change.is_same, interval=interval, undefined=undefined)


def guessing_again(variants: Sequence[Example]) -> float | None:
    """How often a fresh guess for a variant gives the same candidate as guessing did for its original."""
    shares = [1 / len(one.options) for one in variants]
    return sum(shares) / len(shares) if shares else None


def delta_accuracy(run: Outcomes, kind: str | None = None) -> Estimate:
    """Accuracy on a kind's variants − accuracy on their originals, from −1 to 1; an abstention counts as wrong.

    Variants exist for some items only, perhaps the easy ones, so only the originals of those variants are used, and the
    interval is that of a paired difference.

    >>> import winoglot as wg
    >>> from winoglot.examples import Answers
    >>> collection = wg.load("winoglot-en")
    >>> always_first = {item.id: 0 for item in (*collection.items, *collection.variants("relative"))}
    >>> print(f'{delta_accuracy(Answers(collection, always_first), "relative"):+.1%}')
    +0.0% [-2.5%, +2.5%], n=296, exact (Clopper-Pearson) over 148 schemas, all alike
    """
    both = changes(run, kind).where(
        lambda change: None not in (change.original.right, change.variant.right), "unlabelled"
    )
    undefined = _why_none(run, kind, f"no labelled items of kind {kind!r}")
    return both.share(
        lambda change: bool(change.variant.right) - bool(change.original.right), bounds=(-1.0, 1.0), undefined=undefined
    )


@dataclass(frozen=True)
class _Wordings:
    """An item and its variants that say the same in other words."""

    original: Outcome
    variants: tuple[Outcome, ...]

    @property
    def example(self) -> Example:
        return self.original.example

    @property
    def is_right(self) -> bool:
        return all(outcome.right for outcome in (self.original, *self.variants))


def robust_accuracy(run: Outcomes) -> Estimate:
    """The share of items that are right as they are and in all their variants that keep the answer.

    Always choosing one candidate is perfectly stable; here it is right no more often than in accuracy. Items without
    such a variant are left out, and controls and draws of names are no other wordings.

    >>> import winoglot as wg
    >>> from winoglot.examples import Answers
    >>> collection = wg.load("winoglot-en")
    >>> first = Answers(collection, {item.id: 0 for item in (*collection.items, *collection.variants("relative"))})
    >>> print(f"{stability(first, 'relative').value:.0%} stable, {robust_accuracy(first).value:.0%} robust")
    100% stable, 50% robust
    """
    variants: dict[str | None, list[Outcome]] = {}
    for kind in wordings(run):
        for outcome in run.outcomes(kind):
            variants.setdefault(outcome.example.variant_of, []).append(outcome)
    items = labelled(run).where(lambda outcome: outcome.example.id in variants, "without a variant")
    found = Cases(
        tuple(_Wordings(outcome, tuple(variants[outcome.example.id])) for outcome in items.cases), items.left_out
    )
    return found.share(lambda case: case.is_right, undefined="no labelled items with variants that keep the answer")


def position_preference(run: Outcomes, kind: str | None = SEGMENT_MASKED, *, interval: str = "bootstrap") -> Estimate:
    """The share of answers that are the candidate mentioned first: 1 always the first, 0 always the second, ½ neither.

    If the segment is masked, nothing says which candidate is meant, so accuracy is one half by construction and what
    remains is this preference. With `kind` None it is the preference on the originals, where first and second are right
    about equally often.
    """
    answered = selected(run, kind).two_way().where(lambda outcome: outcome.choice is not None, "abstained")
    placed = answered.where(lambda outcome: _first(outcome) is not None, "without an order of mention")
    undefined = _why_none(run, kind, "no answers with two mentioned candidates") if kind else "no answered items"
    return placed.share(lambda outcome: outcome.choice == _first(outcome), interval=interval, undefined=undefined)


def _first(outcome: Outcome) -> int | None:
    order = outcome.example.features.get("mention_order")
    return order[0] if order else None


PLUGINS = {
    "consistency": Metric(
        "consistency",
        "Share of choices that move with the candidates when the candidates are switched.",
        consistency,
        chance=1 / 2,
        needs=(f"variants:{SWITCHED}",),
    ),
    "stability": Metric(
        "stability",
        "Share of choices that stay the same in variants that keep the answer.",
        stability,
        chance=guessing_again,
        needs=("variants",),
    ),
    "delta-accuracy": Metric(
        "delta-accuracy",
        "Accuracy on variants minus accuracy on their originals.",
        delta_accuracy,
        chance=0.0,
        needs=("labels", "variants"),
    ),
    "robust-accuracy": Metric(
        "robust-accuracy",
        "Share of items that are right as they are and in all their variants that keep the answer.",
        robust_accuracy,
        needs=("labels", "wordings"),
        heading="robust",
    ),
    "position-preference": Metric(
        "position-preference",
        "Share of answers that are the candidate mentioned first, when the segment is masked.",
        position_preference,
        chance=1 / 2,
        needs=("variants", "no answer"),
        heading="first mention",
    ),
}
