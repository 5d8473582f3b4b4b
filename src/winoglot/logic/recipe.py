"""The recipe of a data set: everything that determines its content."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from winoglot import registry
from winoglot.errors import InputError, nearest
from winoglot.logic.pair import TaskSettings
from winoglot.logic.vocabulary import known_language

if TYPE_CHECKING:
    from winoglot.logic.vocabulary import Half

Labels = Literal["cd", "nli"]
Overlap = Literal["none", "full"]
Split = Literal["train", "test"]
SPLITS: tuple[Split, ...] = get_args(Split)
PUBLISHED = ("negation", "coordination", "quantification", "description", "comparison", "counting", "mixed")


@dataclass(frozen=True)
class DataRecipe:
    """The same recipe gives the same files; in another language, the same formulas in the same order.

    `labels`: `cd` separates contradictions from all others, `nli` distinguishes three labels. `overlap`: whether names
    in train may occur in test. `paper`: use the published template families. `proof`: without it, labels are those
    intended by the templates.
    """

    task: str
    language: str
    train: int = 10_000
    test: int = 1_000
    seed: int = 0
    labels: Labels = "cd"
    overlap: Overlap = "none"
    paper: bool = False
    proof: bool = True

    def __post_init__(self) -> None:
        """Check all options before any work is done."""
        registry.load("logic-tasks", self.task)
        known_language(self.language)
        for option, value, known in (("labels", self.labels, Labels), ("overlap", self.overlap, Overlap)):
            if value not in get_args(known):
                raise InputError(f"unknown value {value!r} for --{option}", remedy=nearest(value, get_args(known)))
        TaskSettings(self.labels, self.paper)
        if self.paper and self.task not in PUBLISHED:
            raise InputError(
                f"the task {self.task} is not in the published corpus",
                remedy=f"Leave out --paper, or name one of: {', '.join(PUBLISHED)}.",
            )
        for split in SPLITS:
            if self.size(split) < 0 or 0 < self.size(split) < len(self.classes):
                raise InputError(
                    f"--{split} {self.size(split)} is too few for {len(self.classes)} labels",
                    remedy=f"Ask for {len(self.classes)} pairs or more, or for 0 to leave {split} out.",
                )
        if not self.train and not self.test:
            raise InputError("nothing to generate: --train and --test are both 0", remedy="Make one of them positive.")

    @property
    def settings(self) -> TaskSettings:
        """The options passed to the task."""
        return TaskSettings(self.labels, self.paper)

    @property
    def classes(self) -> tuple[str, ...]:
        """The labels as written to files: 1 for a contradiction and 0 otherwise, or three words.

        >>> DataRecipe("negation", "en").classes
        ('0', '1')
        """
        return ("0", "1") if self.labels == "cd" else ("contradiction", "entailment", "neutral")

    def class_of(self, relation: str) -> str:
        """The label for a proved relation."""
        return str(int(relation == "contradiction")) if self.labels == "cd" else relation

    def size(self, split: Split) -> int:
        """The number of pairs in a split."""
        return self.train if split == "train" else self.test

    def half(self, split: Split) -> Half | None:
        """The half of the vocabulary that a split takes its names from; None for both halves."""
        return split if self.overlap == "none" else None


def task_names(asked: str, *, paper: bool = False) -> list[str]:
    """Expand a task name or `all`; with `paper`, only tasks of the published corpus.

    >>> task_names("negation"), len(task_names("all", paper=True))
    (['negation'], 7)
    """
    if asked != "all":
        return [asked]
    return list(PUBLISHED) if paper else registry.names("logic-tasks")
