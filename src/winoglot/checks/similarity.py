"""How similar two texts are, regardless of the people or things they are about.

Candidates and pronoun are masked, so that a schema about other people or things remains like itself. The likeness of
two texts is the share of features they have in common (Jaccard): pairs of neighbouring words, and content words; in
scripts without spaces, runs of four characters and of two. A feature has more weight the fewer texts have it (the
logarithm of the inverse share), so that a situation counts for more than a frame.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from math import fsum, log
from typing import TYPE_CHECKING

from winoglot.checks.texts import closed_class, words
from winoglot.schemas.model import Item
from winoglot.schemas.text import is_unspaced, primary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from winoglot.schemas.model import Collection

LEAST_LISTED = 0.05  # any two sentences may share less
_UNSEEN_TEXTS = 1000  # added to the count of texts: what two of three texts share is not a frame yet
_ROUNDING = 1e-9
MASK = "□"
Feature = tuple[str, ...]


@dataclass(frozen=True)
class TextFeatures:
    """An item, its text, and the features by which the text is compared."""

    item: Item
    text: str
    features: frozenset[Feature]


@dataclass(frozen=True)
class SimilarPair:
    """Two texts and the share of features they have in common."""

    first: TextFeatures
    other: TextFeatures
    share: float


@dataclass(frozen=True)
class NearestTexts:
    """A collection that another was compared with, its file, and its texts closest to the other's."""

    file: str
    name: str
    pairs: list[SimilarPair]


def nearest_texts(collection: Collection, compared: Collection, most: int) -> list[SimilarPair]:
    """The texts of another collection that are most like this one's, at most one per schema, the closest first.

    >>> import winoglot as wg
    >>> from dataclasses import replace
    >>> english = wg.load("winoglot-en")
    >>> (pair,) = nearest_texts(english, replace(english, name="copy"), 1)
    >>> pair.share
    1.0
    """
    pairs = best_per_schema(similar_pairs(compared_texts(collection), compared_texts(compared), LEAST_LISTED))
    return sorted(pairs, key=lambda pair: -pair.share)[:most]


def comparable(collection: Collection, compared: Iterable[Collection]) -> list[Collection]:
    """The others in the same language, without the collection itself, which may be in a folder to compare with."""
    itself = (collection.name, collection.version, collection.hash)
    return [
        reference
        for reference in compared
        if primary(reference.language) == primary(collection.language)
        and (reference.name, reference.version, reference.hash) != itself
    ]


def compared_texts(collection: Collection) -> list[TextFeatures]:
    """Every item of the collection that has words to compare; an item that has only readings by the first of them."""
    closed = closed_class(collection.language)
    texts = [_features(item, closed) for item in collection.items]
    return [text for text in texts if text.features]


def _features(item: Item, closed: frozenset[str]) -> TextFeatures:
    text = item.text or next((reading.text for reading in item.readings if reading), "")
    tokens = masked_words(item) if item.text is not None else words(text)
    if 2 * sum(is_unspaced(word[0]) for word in tokens) > len(tokens):
        runs = (*_runs(tokens, 4), *(run for run in _runs(tokens, 2) if MASK not in run))
    else:
        runs = (*_runs(tokens, 2), *((word,) for word in tokens if word != MASK and word not in closed))
    return TextFeatures(item, text, frozenset(runs))


def masked_words(item: Item) -> list[str]:
    """The words of a text, with one symbol for each mention of a candidate and for the pronoun."""
    text = item.text or ""
    spans = [mention for candidate in item.candidates for mention in candidate.mentions]
    masked: list[str] = []
    index = 0
    for span in sorted([*spans, *([item.pronoun] if item.pronoun else [])]):
        if span.start >= index:
            masked += [*words(text[index : span.start]), MASK]
        index = max(index, span.end)
    return masked + words(text[index:])


def _runs(tokens: Sequence[str], length: int) -> Iterator[Feature]:
    return (tuple(tokens[index : index + length]) for index in range(len(tokens) - length + 1))


def similar_pairs(
    first_texts: Sequence[TextFeatures],
    second_texts: Sequence[TextFeatures],
    least: float,
    may_pair: Callable[[Item, Item], bool] | None = None,
) -> Iterator[SimilarPair]:
    """Every pair that shares at least `least`, and that `may_pair`, if given, allows.

    Two sets that share that much must meet among the heaviest features of each, so only those are looked up: frames
    that hundreds of items share cost nothing.
    """
    weights = _weights([*first_texts, *second_texts])
    totals = [_weight(second.features, weights) for second in second_texts]
    holders: dict[Feature, list[int]] = defaultdict(list)
    for index, second in enumerate(second_texts):
        for feature in _heaviest(second.features, weights, least):
            holders[feature].append(index)
    for first in first_texts:
        total = _weight(first.features, weights)
        heaviest = _heaviest(first.features, weights, least)
        for index in sorted({index for feature in heaviest for index in holders.get(feature, ())}):
            second = second_texts[index]
            common = _weight(first.features & second.features, weights)
            share = common / (total + totals[index] - common)
            if share >= least and (may_pair is None or may_pair(first.item, second.item)):
                yield SimilarPair(first, second, share)


def _weights(texts: Sequence[TextFeatures]) -> dict[Feature, float]:
    counts = Counter(feature for text in texts for feature in text.features)
    return {feature: log((_UNSEEN_TEXTS + len(texts)) / count) for feature, count in counts.items()}


def _weight(features: frozenset[Feature], weights: dict[Feature, float]) -> float:
    """An exact sum, so that the order of a set makes no difference."""
    return fsum(weights[feature] for feature in features)


def _heaviest(features: frozenset[Feature], weights: dict[Feature, float], least: float) -> Iterator[Feature]:
    """The heaviest features: two texts that share at least `least` must have one of them in common."""
    left = _weight(features, weights)
    needed = least * left * (1 - _ROUNDING)
    for feature in sorted(features, key=lambda feature: (-weights[feature], feature)):
        if left < needed:
            return
        yield feature
        left -= weights[feature]


def best_per_schema(pairs: Iterable[SimilarPair]) -> list[SimilarPair]:
    """For each schema the pair that shares most; of several, the first."""
    best: dict[str, SimilarPair] = {}
    for pair in pairs:
        schema = pair.first.item.schema_id
        if schema not in best or pair.share > best[schema].share:
            best[schema] = pair
    return list(best.values())
