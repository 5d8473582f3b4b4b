"""Parts of a run that are looked at on their own: by tag, by pronoun, by what there was to score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from winoglot.metrics._pronoun_types import TYPES, pronoun_type
from winoglot.metrics.base import Outcome, Outcomes

if TYPE_CHECKING:
    from collections.abc import Sequence

_DIVIDING = ("associative", "switchable")  # tags whose absence says something, once any item has them
_WINDOWS = {
    "empty": "undefined window",
    "punctuation": "punctuation window",
    "segment before": "segment before the window",
}
_FALLBACK = "fallback readings"
_ORDER = (
    *(prefix + tag for tag in _DIVIDING for prefix in ("", "not ")),
    *(f"{type_} pronoun" for type_ in TYPES),
    *_WINDOWS.values(),
    _FALLBACK,
)


@dataclass(frozen=True)
class Subset:
    """The outcomes of a run that belong to a subset; every metric takes it like a run.

    A variant belongs where its own text, tags and readings put it, whatever its original does.
    """

    run: Outcomes
    name: str

    def outcomes(self, kind: str | None = None) -> Sequence[Outcome]:
        """Of the originals or, where a kind is named, of the variants of that kind."""
        return [outcome for outcome in self.run.outcomes(kind) if self.name in subset_names(outcome)]


def subsets(run: Outcomes, kind: str | None = None) -> dict[str, Subset]:
    """The subsets that hold some of the run's outcomes, by name: what every collection has first, then its own tags.

    >>> import winoglot as wg
    >>> from winoglot.metrics._answers import Answers
    >>> from winoglot.metrics.accuracy import estimate
    >>> collection = wg.load("winoglot-en")
    >>> parts = subsets(Answers(collection, {item.id: item.answer for item in collection.items[:12]}))
    >>> list(parts)[:3], estimate(parts["possessive pronoun"]).n
    (['switchable', 'subject pronoun', 'object pronoun'], 2)
    """
    found = {name for outcome in run.outcomes(kind) for name in subset_names(outcome)}
    for tag in _DIVIDING:
        if tag not in found:  # nobody looked, so nothing is known not to be so
            found.discard(f"not {tag}")
    tags = sorted(found.difference(_ORDER))
    return {name: Subset(run, name) for name in (*(name for name in _ORDER if name in found), *tags)}


def subset_names(outcome: Outcome) -> set[str]:
    """All subsets that an outcome belongs to. Names with a blank are no tags, which have none."""
    tags = set(outcome.item.tags)
    names = tags.difference(TYPES) | {f"not {tag}" for tag in _DIVIDING if tag not in tags}
    type_ = pronoun_type(outcome.item)
    if type_ is not None:
        names.add(f"{type_} pronoun")
    if outcome.window in _WINDOWS:
        names.add(_WINDOWS[outcome.window])
    if outcome.fallback:
        names.add(_FALLBACK)
    return names
