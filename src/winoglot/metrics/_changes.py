"""Variants beside their originals: what a change of the text did to a solver's choice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from winoglot.metrics._counting import Counted, answered_or_not
from winoglot.metrics.base import Outcome

if TYPE_CHECKING:
    from winoglot.metrics.base import Outcomes
    from winoglot.schemas.model import Effect, Item

_NO_KIND = "no kind of variant is named"


@dataclass(frozen=True)
class Change:
    """One item, answered as it is and as a variant."""

    original: Outcome
    variant: Outcome

    @property
    def item(self) -> Item:
        """The variant."""
        return self.variant.item

    @property
    def is_answered(self) -> bool:
        """Whether the solver chose both times: a tie tells nothing of what changed."""
        return self.original.choice is not None and self.variant.choice is not None

    @property
    def is_same(self) -> bool:
        """Whether the choice is the same candidate, wherever the text mentions it."""
        return self.original.choice == self.variant.choice


def changes(run: Outcomes, kind: str | None) -> Counted[Change]:
    """The variants of a kind with their originals; those whose original the run lacks are left out."""
    if kind is None:
        return Counted(())
    originals = {outcome.item.id: outcome for outcome in run.outcomes()}
    variants = answered_or_not(run, kind).where(
        lambda outcome: outcome.item.variant_of in originals, "without their original"
    )
    paired = (Change(originals[outcome.item.variant_of or ""], outcome) for outcome in variants.cases)
    return Counted(tuple(paired), variants.left_out)


def answered_changes(run: Outcomes, kind: str | None, effect: Effect) -> Counted[Change]:
    """Those of the effect asked for that have a choice on both sides."""
    is_so = {"keeps": "kept", "flips": "flipped", "removes": "removed"}[effect]
    of_effect = changes(run, kind).where(lambda change: change.item.effect == effect, f"whose answer is not {is_so}")
    return of_effect.where(lambda change: change.is_answered, "with an abstention on either side")


def why_none(run: Outcomes, kind: str | None, what: str) -> str:
    """Why there is nothing to look at: no kind named, no variants of it, or none that count."""
    if kind is None:
        return _NO_KIND
    return what if run.outcomes(kind) else f"no items of kind {kind!r}"
