"""What a change of the text does to a solver: consistency, stability, Δaccuracy, robust accuracy, preferences.

The index of a candidate identifies it, wherever the text mentions it. So when the candidates are switched, a solver
that understands changes the index, right or wrong, and one that looks at the name alone does not (consistency); in a
variant that keeps the answer, the index should stay (stability). An abstention on either side is left out and counted,
and no label is needed.

>>> import winoglot as wg
>>> from winoglot.examples import Answers
>>> collection = wg.load("winoglot-pt")
>>> perfect = {item.id: item.answer for item in (*collection.items, *collection.variants("switched"))}
>>> print(consistency.of(Answers(collection, perfect)))
1.000 [0.025, 1.000], n=2, exact (Clopper-Pearson) over 1 schema

Always choosing one candidate is perfectly stable, but no more often right in all wordings than in one.

>>> collection = wg.load("winoglot-en")
>>> first = Answers(collection, {item.id: 0 for item in (*collection.items, *collection.variants("relative"))})
>>> print(stability.of(first, "relative"))
1.000 [0.975, 1.000], n=296, exact (Clopper-Pearson) over 148 schemas, all alike
>>> robust_accuracy.of(first).value
0.5

Δaccuracy is a paired difference: variants exist for some items only, perhaps the easy ones, so only the originals of
those variants are used. An abstention counts as wrong, so a solver that abstains on variants only, as association does
on words it has not seen, loses accuracy without a wrong answer. Δquality uses the items answered in both.

>>> print(f'{delta_accuracy.of(first, "relative"):+.1%}')
+0.0% [-2.5%, +2.5%], n=296, exact (Clopper-Pearson) over 148 schemas, all alike

If the segment is masked, nothing says which candidate is meant, so accuracy is one half by construction and what
remains is a preference for a position: 1 if the first mention is always chosen, 0 if the second is, ½ for neither.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from winoglot.examples import Example, Outcome
from winoglot.metrics.base import Cases, Metric, labelled, selected, wordings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.examples import Outcomes
    from winoglot.statistics.tally import Tally

SWITCHED, SEGMENT_MASKED = "switched", "segment-masked"


@dataclass(frozen=True)
class Change:
    """The outcome of a variant beside that of its original."""

    original: Outcome
    variant: Outcome

    @property
    def example(self) -> Example:
        """The example of the variant."""
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
    pairs = (Change(originals[outcome.example.variant_of or ""], outcome) for outcome in variants.cases)
    all_changes = Cases(tuple(pairs), variants.left_out)
    if effect is None:
        return all_changes
    participle = {"keeps": "kept", "flips": "flipped", "removes": "removed"}[effect]
    with_effect = all_changes.where(lambda change: change.example.effect == effect, f"whose answer is not {participle}")
    return _answered_twice(with_effect)


def _answered_twice(pairs: Cases[Change]) -> Cases[Change]:
    return pairs.where(
        lambda change: None not in (change.original.choice, change.variant.choice), "with an abstention on either side"
    )


def _why_none(run: Outcomes, kind: str | None, reason: str) -> str:
    if kind is None:
        return "no kind of variant is named"
    return reason if run.outcomes(kind) else f"no items of kind {kind!r}"


def _switched_choices(run: Outcomes, kind: str = SWITCHED) -> Tally:
    undefined = _why_none(run, kind, "no switched items with a known answer, answered together with their originals")
    return changes(run, kind, "flips").two_way().tally(lambda change: not change.is_same, undefined=undefined)


def _reworded_choices(run: Outcomes, kind: str | None = None) -> Tally:
    reason = f"no items of kind {kind!r} that keep the answer, answered together with their originals"
    undefined = _why_none(run, kind, reason)
    return changes(run, kind, "keeps").tally(lambda change: change.is_same, undefined=undefined)


def guessing_again(variants: Sequence[Example]) -> float | None:
    """How often a fresh guess for a variant gives the same candidate as guessing did for its original."""
    shares = [1 / len(variant.options) for variant in variants]
    return sum(shares) / len(shares) if shares else None


def labelled_changes(run: Outcomes, kind: str | None) -> Cases[Change]:
    """The variants of a kind with their originals, if both have an answer."""
    return changes(run, kind).where(
        lambda change: None not in (change.original.right, change.variant.right), "unlabelled"
    )


def _gains(run: Outcomes, kind: str | None = None) -> Tally:
    return _tally_gains(labelled_changes(run, kind), _why_none(run, kind, f"no labelled items of kind {kind!r}"))


def _gains_if_answered(run: Outcomes, kind: str | None = None) -> Tally:
    undefined = _why_none(run, kind, f"no labelled items of kind {kind!r}, answered on both sides")
    return _tally_gains(_answered_twice(labelled_changes(run, kind)), undefined)


def _tally_gains(gains: Cases[Change], undefined: str) -> Tally:
    return gains.tally(
        lambda change: bool(change.variant.right) - bool(change.original.right),
        bounds=(-1.0, 1.0),
        undefined=undefined,
        wilson="never",
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


def _all_wordings(run: Outcomes) -> Tally:
    variants: dict[str | None, list[Outcome]] = {}
    for kind in wordings(run):
        for outcome in run.outcomes(kind):
            variants.setdefault(outcome.example.variant_of, []).append(outcome)
    items = labelled(run).where(lambda outcome: outcome.example.id in variants, "without a variant")
    wordings_by_item = Cases(
        tuple(_Wordings(outcome, tuple(variants[outcome.example.id])) for outcome in items.cases), items.left_out
    )
    undefined = "no labelled items with variants that keep the answer"
    return wordings_by_item.tally(lambda case: case.is_right, undefined=undefined, wilson="never")


def first_mentions(run: Outcomes, kind: str | None = SEGMENT_MASKED) -> Tally:
    """The answers to items of a kind, or to the originals, and which of them are the candidate mentioned first.

    On the originals first and second are right about equally often.
    """
    answered = selected(run, kind).two_way().where(lambda outcome: outcome.choice is not None, "abstained")
    with_order = answered.where(lambda outcome: _first(outcome) is not None, "without an order of mention")
    undefined = _why_none(run, kind, "no answers with two mentioned candidates") if kind else "no answered items"
    return with_order.tally(lambda outcome: outcome.choice == _first(outcome), undefined=undefined)


def _first(outcome: Outcome) -> int | None:
    order = outcome.example.features.get("mention_order")
    return order[0] if order else None


consistency = Metric(
    "consistency",
    "Share of choices that move with the candidates when the candidates are switched.",
    cases=_switched_choices,
    chance=1 / 2,
    needs=(f"variants:{SWITCHED}",),
)
stability = Metric(
    "stability",
    "Share of choices that stay the same in variants that keep the answer.",
    cases=_reworded_choices,
    chance=guessing_again,
    needs=("variants",),
)
delta_accuracy = Metric(
    "delta-accuracy",
    "Accuracy on variants minus accuracy on their originals.",
    cases=_gains,
    chance=0.0,
    needs=("labels", "variants"),
)
delta_quality = Metric(
    "delta-quality",
    "Accuracy on variants minus accuracy on their originals, of items answered in both.",
    cases=_gains_if_answered,
    chance=0.0,
    needs=("labels", "variants"),
    shown="json",
)
robust_accuracy = Metric(
    "robust-accuracy",
    "Share of items that are right as they are and in all their variants that keep the answer.",
    cases=_all_wordings,
    needs=("labels", "wordings"),
    heading="robust",
)
position_preference = Metric(
    "position-preference",
    "Share of answers that are the candidate mentioned first, when the segment is masked; 50 is no preference.",
    cases=first_mentions,
    chance=1 / 2,
    needs=("variants", "no answer"),
    heading="first mention",
)
PLUGINS = {
    metric.name: metric
    for metric in (consistency, stability, delta_accuracy, delta_quality, robust_accuracy, position_preference)
}
