"""How strongly words are associated, by pointwise mutual information, and which candidate that favours.

    pmi(w, c) = log2( n(w, c) · n / (n(w) · n(c)) )

where n(w, c) is how often c occurs near w. It is undefined if they never do so, unless something is added to every
count. The candidates' words are the contexts c: a factor for the other word would be the same for all candidates.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from winoglot.corpus.counts import CharacterCounts, Counts, open_counts
from winoglot.corpus.terms import ItemTerms, characters_of, terms_of
from winoglot.errors import InputError
from winoglot.schemas.model import Item

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

TIE = 1e-6  # bits: smaller differences are ties
NEVER = -math.inf  # for known words that never occur near each other


@dataclass(frozen=True)
class Measure:
    """The settings by which counts become an association."""

    positive: bool = False  # negative values become 0
    smoothing: float = 1.0  # exponent of the contexts' counts; 0.75 makes rare words less surprising
    add: float = 0.0  # added to the count of every pair
    windows: bool = False  # what is counted are windows of text that contain a word, and both

    def __post_init__(self) -> None:
        """Refuse values outside their range."""
        if not 0 < self.smoothing <= 1:
            raise InputError(f"smoothing is {self.smoothing}", remedy="Give an exponent above 0 and at most 1.")
        if not 0 <= self.add < math.inf:
            raise InputError(f"add is {self.add}", remedy="Use 0 or more.")
        if self.windows and (self.smoothing != 1 or self.add):
            raise InputError("smoothing and add are for counts of pairs", remedy="Leave them out, or count pairs.")


@dataclass(frozen=True)
class ItemAssociation:
    """The association of an item's candidates: one value per candidate, None if it is not known, and why."""

    item: Item
    values: tuple[float | None, ...]
    terms: ItemTerms
    note: str = ""

    def choice(self, threshold: float = 0.0) -> int | None:
        """The candidate whose value exceeds all others' by more than the threshold, or None.

        A candidate whose word never occurs near the segment's words is below one whose word does.
        """
        values = [value for value in self.values if value is not None]
        if len(values) < max(2, len(self.values)):
            return None
        best, second = sorted(values, reverse=True)[:2]
        # If both never occur there is no choice, and minus infinity minus itself is not a number.
        return None if best == second or best - second <= max(threshold, TIE) else self.values.index(best)


@dataclass(frozen=True, eq=False)
class Association:
    """Counts, and the measure that turns them into associations."""

    counts: Counts
    measure: Measure = field(default_factory=Measure)

    def __post_init__(self) -> None:
        """Refuse windows if distances were not counted."""
        if self.measure.windows and not self.counts.info["settings"]["dynamic"]:
            message = "how many windows contain two words depends on their distance, which was not counted"
            remedy = "Count with --dynamic; --window N gives windows of N + 1 words."
            raise InputError(message, remedy=remedy, file=str(self.counts.path))

    def between(self, word: str, context: str, offset: int | None = None) -> float | None:
        """The association of a word with a context, in bits.

        None if one of them was not counted, minus infinity if they never occur near each other. With positional
        counts each offset is a separate context; without an offset, the mean over those at which the two occur.
        """
        if not (self.counts.times(word) and self.counts.times(context)):
            return None
        if offset is not None or not self.counts.positional or self.measure.windows:
            return self._pmi(word, context, offset)
        values = [value for offset in self.counts.offsets if (value := self._pmi(word, context, offset)) > NEVER]
        return sum(values) / len(values) if values else NEVER

    def between_terms(self, words: tuple[str, ...], contexts: tuple[str, ...]) -> float | None:
        """The mean over all pairs of words that occur together; None if no pair is known at all."""
        values = [self.between(word, context) for word in words for context in contexts]
        defined = [value for value in values if value is not None]
        cooccurring = [value for value in defined if value > NEVER]
        return sum(cooccurring) / len(cooccurring) if cooccurring else NEVER if defined else None

    def judge(self, item: Item, language: str, *, against: str = "segment", names: bool = False) -> ItemAssociation:
        """The association of each candidate with the segment or, with `against="text"`, with the rest of the text.

        Names of people have no association of their own; items with names are left out unless `names` is true.
        """
        self.counts.check_language(language)
        terms = terms_of(item, language, against=against, names=names)
        if isinstance(self.counts, CharacterCounts):
            terms = characters_of(terms)
        if terms.why_not:
            return ItemAssociation(item, (None,) * item.candidate_count, terms, terms.why_not)
        values = tuple(self.between_terms(terms.reference, words) for words in terms.candidates)
        all_words = dict.fromkeys(word for words in (*terms.candidates, terms.reference) for word in words)
        unknown = [word for word in all_words if not self.counts.times(word)]
        note = f"not counted: {', '.join(unknown)}" if unknown and None in values else ""
        if not note and all(value == NEVER for value in values):
            note = "never together"
        return ItemAssociation(item, values, terms, note)

    def _pmi(self, word: str, context: str, offset: int | None) -> float:
        counts, add = self.counts, self.measure.add
        cooccurrence = counts.cooccurrence(word, context, offset) + add
        if cooccurrence == 0:
            return 0.0 if self.measure.positive else NEVER
        if self.measure.windows:
            value = self._windows_pmi(word, context, cooccurrence)
            return max(0.0, value) if self.measure.positive else value
        share = (counts.total(word) + add * self._contexts) / (counts.sum + add * self._contexts * len(counts.words))
        value = math.log2(cooccurrence / (counts.sum + add * self._contexts * len(counts.words)))
        value -= math.log2(share) + math.log2(self._context_share(context, offset))
        return max(0.0, value) if self.measure.positive else value

    def _windows_pmi(self, word: str, context: str, cooccurrence: float) -> float:
        """The association of two events, each that a window contains a word.

        A word is in as many windows of s words as the window is long, and two words at distance d are in s − d of
        them, which is their weight in a dynamic window of s − 1 words on either side.
        """
        counts, size = self.counts, self.counts.window + 1
        shares = (size * counts.times(name) / counts.info["tokens"] for name in (word, context))
        return math.log2(cooccurrence * counts.scale / counts.info["tokens"]) - sum(map(math.log2, shares))

    def _context_share(self, context: str, offset: int | None) -> float:
        """The share of a context among all contexts, smoothed."""
        total = self.counts.total(context, offset) + self.measure.add * len(self.counts.words)
        return float(total**self.measure.smoothing / self._all_contexts)

    @property
    def _contexts(self) -> int:
        return len(self.counts.words) * len(self.counts.offsets)

    @cached_property
    def _all_contexts(self) -> float:
        if self.measure.smoothing == 1:
            return self.counts.sum + self.measure.add * len(self.counts.words) * self._contexts
        totals = self.counts.all_totals + self.measure.add * len(self.counts.words)
        return float(np.sum(totals**self.measure.smoothing))


def association_by_characters(association: Association, terms: Iterable[ItemTerms]) -> Association | None:
    """The same by characters, for those of these terms; None if they have none (of a script without spaces)."""
    words = (
        word for item_terms in map(characters_of, terms) for word in (*item_terms.candidates, item_terms.reference)
    )
    characters = list(dict.fromkeys(sign for signs in words for sign in signs))
    return replace(association, counts=CharacterCounts.of(association.counts, characters)) if characters else None


def open_association(path: Path | str, measure: Measure | None = None) -> Association:
    """Association by the counts in a folder."""
    return Association(open_counts(path), measure or Measure())
