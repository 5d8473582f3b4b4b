"""A run: one solver on one collection and its chosen kinds."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError, nearest
from winoglot.metrics.base import Outcome
from winoglot.models.base import NOT_A_NUMBER
from winoglot.runs.signature import signature
from winoglot.schemas.model import Collection

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.statistics.intervals import Estimate


@dataclass(frozen=True)
class Settings:
    """All that decides what a run predicts."""

    model: str
    scoring: str
    readings: str
    fingerprint: str
    kinds: tuple[str, ...] = ()
    limit: int | None = None
    seed: int = 0
    tolerance: float = 1e-6  # scores closer than this are a tie, which is an abstention
    model_settings: dict[str, Any] = field(default_factory=dict)  # what the model says of itself: precision, prompts …


@dataclass(frozen=True)
class Prediction:
    """What the solver did with one item, as it is stored."""

    item_id: str
    item_hash: str
    choice: int | None
    scores: tuple[float | None, ...] = ()
    note: str = ""
    skipped: int = 0  # characters of the window before the first token boundary that all readings share
    fallback: bool = False
    window: str = ""
    tokens: int = 0  # of all its readings, where the model counts them
    unknown: int = 0  # those of them that the model does not know


@dataclass(frozen=True)
class Run:
    """Predictions with what they were made on and how; everything else is computed from them."""

    collection: Collection
    settings: Settings
    predictions: tuple[Prediction, ...]
    seconds: float = 0.0
    scored: int = 0  # items that went through the model in that time; the rest came from the cache
    made_with: dict[str, str] = field(default_factory=dict)  # versions of what computed it
    options: dict[str, str] = field(default_factory=dict)  # what the model was told with --option, to run it again
    spent: dict[str, float] = field(default_factory=dict)  # of a server: requests, retries, tokens, cost
    is_baseline: bool = False  # made by a rule that does not look at what a schema asks

    @property
    def signature(self) -> str:
        """All that another run must share to be comparable, in one line."""
        return signature(self.collection, asdict(self.settings))

    @cached_property
    def _by_id(self) -> dict[str, Prediction]:
        return {prediction.item_id: prediction for prediction in self.predictions}

    def outcomes(self, kind: str | None = None) -> Sequence[Outcome]:
        """Of the originals or, where a kind is named, of the variants of that kind; in the collection's order."""
        items = self.collection.items if kind is None else self.collection.variants(kind)
        found = ((item, self._by_id.get(item.id)) for item in items)
        return [
            Outcome(item, made.choice, made.scores, made.note, made.fallback, made.window)
            for item, made in found
            if made is not None
        ]

    def notes(self) -> dict[str, int]:
        """Why the originals without an answer have none, and how often, the most frequent first.

        What a note names after a colon (unknown words, the place that is preferred) is left out.

        >>> import winoglot as wg
        >>> wg.evaluate(wg.load("winoglot-en"), "longer").notes()  # doctest: +ELLIPSIS
        {'tie': ...}
        """
        said = (outcome.note.partition(": ")[0] for outcome in self.outcomes() if outcome.choice is None)
        return dict(Counter(filter(None, said)).most_common())

    def unknown_tokens(self) -> float | None:
        """The share of the originals' tokens that the model does not know; None where it does not count them."""
        tokens = sum(made.tokens for made in self._originals())
        return sum(made.unknown for made in self._originals()) / tokens if tokens else None

    def skipped(self) -> dict[str, int]:
        """The characters passed over at the start of the originals' windows, by item, where there are any.

        Partial scoring begins at the first token boundary that all readings of an item share.
        """
        return {made.item_id: made.skipped for made in self._originals() if made.skipped}

    def _originals(self) -> list[Prediction]:
        return [self._by_id[item.id] for item in self.collection.items if item.id in self._by_id]

    def not_numbers(self) -> list[str]:
        """The items, variants among them, for which the model computed no number."""
        return [made.item_id for made in self.predictions if made.choice is None and NOT_A_NUMBER in made.note]

    def accuracy(self, kind: str | None = None, *, interval: str = "bootstrap") -> Estimate:
        """The share of labelled items answered right, abstentions counted as not right.

        Of the originals or, where a kind is named, of its variants; a kind that the run lacks is an input error.
        """
        from winoglot.metrics.accuracy import estimate

        self._check_kind(kind)
        return estimate(self, kind, interval=interval)

    def quality(self, kind: str | None = None, *, interval: str = "bootstrap") -> Estimate:
        """The share of right answers among the answers, abstentions left out; where there are none it is accuracy."""
        from winoglot.metrics.quality import estimate

        self._check_kind(kind)
        return estimate(self, kind, interval=interval)

    def success(self, kind: str | None = None) -> Estimate:
        """The accuracy of a solver that guesses where it abstains, on items of two candidates.

        An abstention counts one half, so the interval is always the bootstrap's: Wilson's is for right and wrong only.
        """
        from winoglot.metrics.success import estimate

        self._check_kind(kind)
        return estimate(self, kind)

    def position_preference(self, kind: str | None = "segment-masked", *, interval: str = "bootstrap") -> Estimate:
        """The share of answers that are the candidate mentioned first: ½ is no preference.

        Where the segment is masked nothing else can be told; None is the preference on the originals.
        """
        from winoglot.metrics.position_preference import estimate

        return estimate(self, kind, interval=interval)

    def pair_accuracy(self, *, interval: str = "bootstrap") -> Estimate:
        """The share of schemas with two or more items all of which are answered right."""
        from winoglot.metrics.pair_accuracy import estimate

        return estimate(self, interval=interval)

    def consistency(self, *, interval: str = "bootstrap") -> Estimate:
        """Of the switched items, the share whose choice moves with the candidates."""
        from winoglot.metrics.consistency import estimate

        return estimate(self, interval=interval)

    def _check_kind(self, kind: str | None) -> None:
        if kind is not None and kind not in self.settings.kinds and not self.outcomes(kind):
            raise InputError(
                f"the run has no items of kind {kind!r}",
                remedy=f"{nearest(kind, self.settings.kinds)} Without a kind it is the originals.",
            )
