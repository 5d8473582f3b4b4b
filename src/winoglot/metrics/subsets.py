"""Parts of a run that are reported separately: by tag, pronoun, adaptation, length, readers' confidence, what was
scored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

from winoglot.examples import PRONOUN_TYPES, Outcome, Outcomes
from winoglot.schemas.model import Adaptation

if TYPE_CHECKING:
    from collections.abc import Sequence

_DIVIDING = ("associative", "switchable")  # tags whose absence is informative if any item has them
WINDOWS = {  # what was special about what partial scoring saw
    "empty": "undefined window",
    "punctuation": "punctuation window",
    "segment before": "segment before the window",
}
_FALLBACK = "fallback readings"
SHORT = 20  # words at most
_SURE = 0.95  # readers' mean confidence at least
_LENGTHS = ("short text", "long text")
_CONFIDENCES = ("sure readers", "less sure readers")
COMMON = (  # the names of subsets that no tag gives, in the order of tables
    *(prefix + tag for tag in _DIVIDING for prefix in ("", "not ")),
    *(f"{type_} pronoun" for type_ in PRONOUN_TYPES),
    *(f"{adaptation} adaptation" for adaptation in get_args(Adaptation)),
    *_LENGTHS,
    *_CONFIDENCES,
    *WINDOWS.values(),
    _FALLBACK,
)


@dataclass(frozen=True)
class Subset:
    """The outcomes of a run that belong to a subset; every metric takes it like a run.

    A variant belongs where its own text, tags and readings put it, whatever its original does.
    """

    run: Divided
    name: str

    @property
    def kinds(self) -> Sequence[str]:
        """The kinds of variants of the run."""
        return self.run.run.kinds

    def outcomes(self, kind: str | None = None) -> Sequence[Outcome]:
        """The outcomes of the originals or, if a kind is named, of the variants of that kind."""
        return self.run.parts(kind).get(self.name, [])


class Divided:
    """A run whose outcomes are divided into subsets, once for all of them."""

    def __init__(self, run: Outcomes) -> None:
        """Take the run; it is divided when subsets are first asked for."""
        self.run = run
        self._parts: dict[str | None, dict[str, list[Outcome]]] = {}

    def parts(self, kind: str | None) -> dict[str, list[Outcome]]:
        """The originals or, if a kind is named, the variants of that kind, by the name of their subset."""
        if kind not in self._parts:
            parts: dict[str, list[Outcome]] = {}
            for outcome in self.run.outcomes(kind):
                for name in subset_names(outcome):
                    parts.setdefault(name, []).append(outcome)
            self._parts[kind] = parts
        return self._parts[kind]


def subsets(run: Outcomes, kind: str | None = None) -> dict[str, Subset]:
    """The subsets that contain some of the run's outcomes, by name: the common ones first, then the collection's tags.

    >>> import winoglot as wg
    >>> from winoglot.examples import Answers
    >>> from winoglot.metrics.accuracy import accuracy
    >>> collection = wg.load("winoglot-en")
    >>> parts = subsets(Answers(collection, {item.id: item.answer for item in collection.items[:12]}))
    >>> list(parts)[:3], accuracy.of(parts["possessive pronoun"]).n
    (['switchable', 'subject pronoun', 'object pronoun'], 4)
    """
    divided = Divided(run)
    names = set(divided.parts(kind))
    for tag in _DIVIDING:
        if tag not in names:  # the author did not use the tag, so its absence says nothing
            names.discard(f"not {tag}")
    common = [name for name in COMMON if name in names]
    return {name: Subset(divided, name) for name in (*common, *sorted(names.difference(COMMON)))}


def subset_names(outcome: Outcome) -> set[str]:
    """All subsets that an outcome belongs to. Names with a space cannot be tags."""
    tags = set(outcome.example.tags)
    names = tags.difference(PRONOUN_TYPES) | {f"not {tag}" for tag in _DIVIDING if tag not in tags}
    type_ = outcome.example.features.get("pronoun_type")
    if type_ is not None:
        names.add(f"{type_} pronoun")
    adaptation = outcome.example.features.get("adaptation")
    if adaptation is not None:
        names.add(f"{adaptation} adaptation")
    words, confidence = (outcome.example.features.get(name) for name in ("words", "confidence"))
    if words is not None:
        names.add(_LENGTHS[words > SHORT])
    if confidence is not None:
        names.add(_CONFIDENCES[confidence < _SURE])
    if outcome.window in WINDOWS:
        names.add(WINDOWS[outcome.window])
    if outcome.fallback:
        names.add(_FALLBACK)
    return names
