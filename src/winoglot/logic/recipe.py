"""What a data set is made from: everything that decides its content."""

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
    """The same recipe gives the same files; another language, the same formulas in the same order.

    `labels`: `cd` sets contradictions against all others, `nli` tells three labels apart. `overlap`: whether the names
    of train may occur in test. `paper`: the published template families. `proof`: without it labels are what the
    templates intend.
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
        """Refuse what cannot be made before anything is made."""
        registry.load("logic-tasks", self.task)
        known_language(self.language)
        for option, value, known in (("labels", self.labels, Labels), ("overlap", self.overlap, Overlap)):
            if value not in get_args(known):
                raise InputError(f"--{option} cannot be {value!r}", remedy=nearest(value, get_args(known)))
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
            raise InputError("nothing to generate: --train and --test are both 0", remedy="Give one of them a number.")

    @property
    def settings(self) -> TaskSettings:
        """What the task is asked for."""
        return TaskSettings(self.labels, self.paper)

    @property
    def classes(self) -> tuple[str, ...]:
        """The labels as files hold them: 1 is a contradiction, 0 is none; or words where there are three.

        >>> DataRecipe("negation", "en").classes
        ('0', '1')
        """
        return ("0", "1") if self.labels == "cd" else ("contradiction", "entailment", "neutral")

    def class_of(self, relation: str) -> str:
        """The label of a pair, by what is proved of it."""
        return str(int(relation == "contradiction")) if self.labels == "cd" else relation

    def size(self, split: Split) -> int:
        """How many pairs a split has."""
        return self.train if split == "train" else self.test

    def half(self, split: Split) -> Half | None:
        """The half of the vocabulary that a split takes its names from; None is both."""
        return split if self.overlap == "none" else None


def task_names(asked: str, *, paper: bool = False) -> list[str]:
    """The tasks that a name stands for: one, or `all`; of the published corpus only those that it has.

    >>> task_names("negation"), len(task_names("all", paper=True))
    (['negation'], 7)
    """
    if asked != "all":
        return [asked]
    return list(PUBLISHED) if paper else registry.names("logic-tasks")
