"""A premise and a hypothesis as formulas, with the label that their generator intends; proof decides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from winoglot.errors import InputError
from winoglot.logic.formulas import Formula

Label = Literal["contradiction", "entailment", "neutral"]
LABELS: tuple[Label, ...] = get_args(Label)


@dataclass(frozen=True)
class Pair:
    """What a task generates. Which concrete names its symbols get is decided by the builder of the data set.

    `published` is the label that the published corpus gives to such a pair, where that label is wrong.
    """

    premise: Formula
    hypothesis: Formula
    intended: Label
    task: str
    template: str
    published: Label | None = None


@dataclass(frozen=True)
class TaskSettings:
    """What every task can be asked for.

    `labels`: `cd` makes contradictions and others in equal parts, `nli` contradictions, entailments and neutral pairs.
    `paper`: the published template families instead of the repaired ones.
    """

    labels: Literal["cd", "nli"] = "cd"
    paper: bool = False

    def __post_init__(self) -> None:
        """The published families have no entailments to set apart."""
        if self.paper and self.labels == "nli":
            raise InputError(
                "the published families are contradictions and others, not entailments and neutral pairs",
                remedy="Leave out --paper, or take --labels cd.",
            )
