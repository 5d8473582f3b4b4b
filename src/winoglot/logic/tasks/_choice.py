"""Draw a hypothesis whose look reveals nothing about its label."""

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
    """A possible hypothesis: its label, its look and its content."""

    label: Label
    look: Hashable
    content: T


ByLook = dict[Hashable, dict[Label, list[T]]]
Draft = tuple[str, list[Formula], Formula, Label]  # template, facts of the premise, hypothesis, label


def drawn(rng: Random, options: Iterable[Option[T]], settings: TaskSettings) -> Option[T] | None:
    """Draw an option, with label and look independent of each other; None if no look is possible with every label.

    With the labels `cd`, a look must be possible for contradictions and for others; the others are entailments and
    neutral pairs in equal parts if the look allows both.
    """
    return drawn_by_look(rng, by_look(options), settings)


def by_look(options: Iterable[Option[T]]) -> ByLook[T]:
    """Group the options by look and label."""
    found: ByLook[T] = defaultdict(lambda: defaultdict(list))
    for option in options:
        found[option.look][option.label].append(option.content)
    return found


def drawn_by_look(rng: Random, options: ByLook[T], settings: TaskSettings) -> Option[T] | None:
    """Like `drawn`, for options that are already grouped."""
    looks = [look for look, found in options.items() if _serves(found, settings)]
    if not looks:
        return None
    look = rng.choice(looks)
    found = options[look]
    label = rng.choice(LABELS) if settings.labels == "nli" else _contradiction_or_not(rng, found)
    return Option(label, look, rng.choice(found[label]))


def pairs(task: str, draft: Callable[[], Draft | None]) -> Iterator[Pair]:
    """An endless stream of pairs, one for every draft that is not None; names are numbered in order of mention.

    So a printed formula does not reveal how the task numbered them.
    """
    while True:
        made = draft()
        if made is not None:
            template, facts, hypothesis, label = made
            yield Pair(*shape(conjunction(facts), hypothesis), label, task, template)


def refuse_published(task: str, settings: TaskSettings) -> None:
    """Refuse --paper for a new task, which has no published families."""
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
