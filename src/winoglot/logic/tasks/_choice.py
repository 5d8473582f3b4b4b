"""Drawing a hypothesis so that its look says nothing about its label."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from winoglot.errors import InputError
from winoglot.logic._shape import shape
from winoglot.logic.formulas import Formula, conjunction
from winoglot.logic.pair import LABELS, Label, Pair, TaskSettings

if TYPE_CHECKING:
    from random import Random

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Option(Generic[T]):
    """A hypothesis that a premise allows: its label, its look, and what it is made from."""

    label: Label
    look: Hashable
    content: T


ByLook = dict[Hashable, dict[Label, list[T]]]
Draft = tuple[str, list[Formula], Formula, Label]  # template, facts of the premise, hypothesis, label


def drawn(rng: Random, options: Iterable[Option[T]], settings: TaskSettings) -> Option[T] | None:
    """One of the options, label and look independent of each other; None if no look serves every label.

    Where contradictions are set against all others, a look must serve both, and the others are entailments and neutral
    pairs in equal parts if the look serves both.
    """
    return drawn_by_look(rng, by_look(options), settings)


def by_look(options: Iterable[Option[T]]) -> ByLook[T]:
    """The options by look and label."""
    found: ByLook[T] = defaultdict(lambda: defaultdict(list))
    for option in options:
        found[option.look][option.label].append(option.content)
    return found


def drawn_by_look(rng: Random, options: ByLook[T], settings: TaskSettings) -> Option[T] | None:
    """The same, for options that are sorted already."""
    looks = [look for look, found in options.items() if _serves(found, settings)]
    if not looks:
        return None
    look = rng.choice(looks)
    found = options[look]
    label = rng.choice(LABELS) if settings.labels == "nli" else _contradiction_or_not(rng, found)
    return Option(label, look, rng.choice(found[label]))


def pairs(task: str, draft: Callable[[], Draft | None]) -> Iterator[Pair]:
    """A pair for every draft that comes to something, without end; names are numbered in the order of mention.

    So a printed formula does not show how the task has numbered them.
    """
    while True:
        made = draft()
        if made is not None:
            template, facts, hypothesis, label = made
            yield Pair(*shape(conjunction(facts), hypothesis), label, task, template)


def refuse_published(task: str, settings: TaskSettings) -> None:
    """The new tasks have no published families."""
    if settings.paper:
        raise InputError(
            f"the task {task} is not in the published corpus", remedy="Leave out --paper, or name another task."
        )


def _serves(found: dict[Label, list[T]], settings: TaskSettings) -> bool:
    if settings.labels == "nli":
        return len(found) == len(LABELS)
    return "contradiction" in found and len(found) > 1


def _contradiction_or_not(rng: Random, found: dict[Label, list[T]]) -> Label:
    if rng.random() < 0.5:
        return "contradiction"
    return rng.choice([label for label in LABELS if label in found and label != "contradiction"])
