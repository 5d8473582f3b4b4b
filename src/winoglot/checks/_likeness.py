"""How alike two texts are, whoever and whatever they are about.

Candidates and pronoun are masked, so that a schema told of other people or things stays like itself. Two texts are as
alike as the share of features they have in common (Jaccard): their pairs of neighbouring words and their content words;
in scripts without spaces, runs of four characters and of two. Features weigh the more, the fewer of the texts compared
have them (the logarithm of the inverse share), so that a situation counts for more than a frame.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from math import fsum, log
from typing import TYPE_CHECKING

from winoglot.checks._words import closed_class, words
from winoglot.schemas.model import Item
from winoglot.schemas.text import is_unspaced, primary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from winoglot.schemas.model import Collection

LEAST_LISTED = 0.05  # less than this any two sentences may share
_UNSEEN_TEXTS = 1000  # as if so many more were there: what two of three texts share is no frame yet
_ROUNDING = 1e-9
_MASK = "□"
Feature = tuple[str, ...]


@dataclass(frozen=True)
class Features:
    """An item, its text, and what the text is compared by."""

    item: Item
    text: str
    features: frozenset[Feature]


@dataclass(frozen=True)
class Pair:
    """Two texts and the share of features they have in common."""

    one: Features
    other: Features
    share: float


@dataclass(frozen=True)
class Near:
    """A collection compared with, where it was read from, and its texts nearest to those checked."""

    file: str
    name: str
    pairs: list[Pair]


def nearest_texts(collection: Collection, other: Collection, most: int) -> list[Pair]:
    """The texts of another collection that are most like this one's, at most one a schema, the nearest first.

    >>> import winoglot as wg
    >>> from dataclasses import replace
    >>> english = wg.load("winoglot-en")
    >>> (pair,) = nearest_texts(english, replace(english, name="copy"), 1)
    >>> pair.share
    1.0
    """
    found = best(near(features_of(collection), features_of(other), LEAST_LISTED))
    return sorted(found, key=lambda pair: -pair.share)[:most]


def comparable(collection: Collection, others: Iterable[Collection]) -> list[Collection]:
    """The others in the same language; not the collection itself, which a folder to compare with may hold."""
    itself = (collection.name, collection.version, collection.hash)
    return [
        other
        for other in others
        if primary(other.language) == primary(collection.language) and (other.name, other.version, other.hash) != itself
    ]


def features_of(collection: Collection) -> list[Features]:
    """Every item of the collection that has words to compare; an item known only by its readings by the first."""
    closed = closed_class(collection.language)
    found = [_features(item, closed) for item in collection.items]
    return [one for one in found if one.features]


def _features(item: Item, closed: frozenset[str]) -> Features:
    text = item.text or next((reading.text for reading in item.readings if reading), "")
    found = _masked(item) if item.text is not None else words(text)
    if 2 * sum(is_unspaced(word[0]) for word in found) > len(found):
        runs = (*_runs(found, 4), *(run for run in _runs(found, 2) if _MASK not in run))
    else:
        runs = (*_runs(found, 2), *((word,) for word in found if word != _MASK and word not in closed))
    return Features(item, text, frozenset(runs))


def _masked(item: Item) -> list[str]:
    """The words of a text, one sign for each mention of a candidate and for the pronoun."""
    text = item.text or ""
    spans = [mention for candidate in item.candidates for mention in candidate.mentions]
    found: list[str] = []
    at = 0
    for span in sorted([*spans, *([item.pronoun] if item.pronoun else [])]):
        if span.start >= at:
            found += [*words(text[at : span.start]), _MASK]
        at = max(at, span.end)
    return found + words(text[at:])


def _runs(found: Sequence[str], length: int) -> Iterator[Feature]:
    return (tuple(found[at : at + length]) for at in range(len(found) - length + 1))


def near(
    these: Sequence[Features],
    those: Sequence[Features],
    least: float,
    may_pair: Callable[[Item, Item], bool] | None = None,
) -> Iterator[Pair]:
    """Every pair that shares at least so much; of those only that may be paired, where that is asked.

    Two sets that share so much must meet among the heaviest features of each, so that only those are looked up: frames
    that hundreds of items share cost nothing.
    """
    weights = _weights([*these, *those])
    totals = [_weight(that.features, weights) for that in those]
    holders: dict[Feature, list[int]] = defaultdict(list)
    for number, that in enumerate(those):
        for feature in _heaviest(that.features, weights, least):
            holders[feature].append(number)
    for this in these:
        total = _weight(this.features, weights)
        heaviest = _heaviest(this.features, weights, least)
        for number in sorted({number for feature in heaviest for number in holders.get(feature, ())}):
            that = those[number]
            common = _weight(this.features & that.features, weights)
            share = common / (total + totals[number] - common)
            if share >= least and (may_pair is None or may_pair(this.item, that.item)):
                yield Pair(this, that, share)


def _weights(texts: Sequence[Features]) -> dict[Feature, float]:
    counts = Counter(feature for one in texts for feature in one.features)
    return {feature: log((_UNSEEN_TEXTS + len(texts)) / count) for feature, count in counts.items()}


def _weight(features: frozenset[Feature], weights: dict[Feature, float]) -> float:
    """Added up exactly, so that the order of a set makes no difference."""
    return fsum(weights[feature] for feature in features)


def _heaviest(features: frozenset[Feature], weights: dict[Feature, float], least: float) -> Iterator[Feature]:
    """The features without which two texts cannot share so much."""
    left = _weight(features, weights)
    needed = least * left * (1 - _ROUNDING)
    for feature in sorted(features, key=lambda feature: (-weights[feature], feature)):
        if left < needed:
            return
        yield feature
        left -= weights[feature]


def best(pairs: Iterable[Pair]) -> list[Pair]:
    """For each schema the pair that shares most, the first of them where several do."""
    found: dict[str, Pair] = {}
    for pair in pairs:
        schema = pair.one.item.schema_id
        if schema not in found or pair.share > found[schema].share:
            found[schema] = pair
    return list(found.values())
