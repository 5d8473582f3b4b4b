"""Cues: surface features that give a pair's label away, found by classifiers that see too little to reason.

Each classifier is trained on one file and tested on another, or cross-validated on a single file. There is a cue if
its accuracy is significantly above chance and cannot be shown to be within five points of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from winoglot.errors import InputError
from winoglot.logic import _cue_features as features
from winoglot.logic._cue_features import Features, Words
from winoglot.logic.extras import require
from winoglot.statistics.intervals import Estimate, wilson
from winoglot.statistics.significance import holm

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

Verdict = Literal["cue", "none", "undecided"]

MARGIN = 0.05  # above chance: an upper limit within this margin shows that a baseline has no useful cue
_ALPHA = 0.05
_FOLDS = 5
_FEWEST = 4 * _FOLDS  # pairs of each label, so that every fold has some
_SEED = 0
_COMMON_WORDS = 300  # words that the forest sees: rarer ones are names


@dataclass(frozen=True)
class Cue:
    """The accuracy of one baseline.

    `p` is the exact binomial p-value against chance (the share of the most frequent label), `upper` the one-sided 95%
    limit of the accuracy; both are adjusted by Holm's method for the number of baselines.
    """

    baseline: str
    accuracy: Estimate
    chance: float
    p: float
    upper: float

    @property
    def verdict(self) -> Verdict:
        """Whether there is a cue; undecided if there are too few pairs to say."""
        if self.upper <= self.chance + MARGIN:
            return "none"
        return "cue" if self.p < _ALPHA else "undecided"

    def described(self) -> dict[str, Any]:
        """A JSON-ready dictionary."""
        return {**asdict(self), "verdict": self.verdict}


@dataclass(frozen=True)
class Sample:
    """Tokenised pairs with their labels."""

    pairs: tuple[Words, ...]
    labels: tuple[str, ...]

    @classmethod
    def of(cls, pairs: Sequence[tuple[str, str]], labels: Sequence[str], language: str) -> Sample:
        """Tokenise the sentences."""
        return cls(tuple(features.words_of(*pair, language) for pair in pairs), tuple(labels))


@dataclass(frozen=True)
class CueBaseline:
    """What a classifier sees of a pair, and how it learns."""

    see: Callable[[Words], Features]
    make: Callable[[int], Any]  # a classifier for n training pairs
    most: int | None = None  # use only the n most frequent features


def baselines() -> Mapping[str, CueBaseline]:
    """All baselines by name."""
    return {
        "premise-only": CueBaseline(features.premise_words, _linear),
        "hypothesis-only": CueBaseline(features.hypothesis_words, _linear),
        "length": CueBaseline(features.lengths, _tree),
        "overlap": CueBaseline(features.overlap, _tree),
        "bag-of-words": CueBaseline(features.all_words, _linear),
        "bag-of-words-forest": CueBaseline(features.all_words, _forest, _COMMON_WORDS),
    }


def cues(
    train: Sample, test: Sample | None = None, progress: Callable[[int, int], None] | None = None
) -> tuple[Cue, ...]:
    """The accuracy of each baseline on `test` or, without one, cross-validated on `train`."""
    require("sklearn", "looking for cues")
    _check_labels(train)
    tested = test or train
    truth = np.array(tested.labels)
    known = baselines()
    splits = list(_splits(train, test))
    hits = {}
    for number, (name, baseline) in enumerate(known.items(), start=1):
        seen, asked = _matrices(baseline, train, tested)
        hits[name] = 0
        for learnt, guessed in splits:
            model = baseline.make(len(learnt))
            model.fit(seen[learnt], np.array(train.labels)[learnt])
            hits[name] += int((model.predict(asked[guessed]) == truth[guessed]).sum())
        if progress:
            progress(number, len(known))
    chance = max(Counter(tested.labels).values()) / len(tested.labels)
    return judged(hits, len(truth), chance, "" if test else f"{_FOLDS}-fold cross-validation, ")


def judged(hits: Mapping[str, int], n: int, chance: float, how: str = "") -> tuple[Cue, ...]:
    """Accuracies with intervals, p-values and upper limits, from the numbers of correct answers among `n` pairs.

    >>> [cue.verdict for cue in judged({"length": 5012, "overlap": 9870}, 10000, 0.5)]
    ['none', 'cue']
    """
    from scipy.stats import binom

    p_values = holm([float(binom.sf(count - 1, n, chance)) for count in hits.values()])
    limits = upper_limits(list(hits.values()), n)
    made = []
    for (name, count), p, upper in zip(hits.items(), p_values, limits, strict=True):
        estimate = wilson(count, n)
        estimate = Estimate(estimate.value, estimate.low, estimate.high, n, how + estimate.method)
        made.append(Cue(name, estimate, chance, p, upper))
    return tuple(made)


def upper_limits(hits: Sequence[int], n: int) -> list[float]:
    """One-sided 95% limits; all lie below a bound if and only if Holm's method rejects every value above it.

    >>> [round(limit, 3) for limit in upper_limits([5000, 5000, 5100], 10000)]
    [0.511, 0.511, 0.518]
    """
    limits = [0.0] * len(hits)
    highest = 0.0
    for rank, index in enumerate(np.argsort(hits, kind="stable")):
        level = 1 - 2 * _ALPHA / (len(hits) - rank)
        highest = max(highest, wilson(hits[index], n, level=level).high or 0.0)
        limits[index] = highest
    return limits


def _splits(train: Sample, test: Sample | None) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Indices of training and test pairs; duplicates are always on the same side."""
    from sklearn.model_selection import StratifiedGroupKFold

    if test is not None:
        yield np.arange(len(train.pairs)), np.arange(len(test.pairs))
        return
    groups = np.unique([str(pair) for pair in train.pairs], return_inverse=True)[1]
    folds = StratifiedGroupKFold(_FOLDS, shuffle=True, random_state=_SEED)
    yield from folds.split(np.zeros(len(groups)), train.labels, groups)


def _check_labels(sample: Sample) -> None:
    counts = Counter(sample.labels)
    if len(counts) < 2 or min(counts.values()) < _FEWEST:
        found = ", ".join(f"{count} of {label}" for label, count in sorted(counts.items())) or "none"
        raise InputError(f"looking for cues needs two or more labels with at least {_FEWEST} pairs each, found {found}")


def _matrices(baseline: CueBaseline, train: Sample, tested: Sample) -> tuple[Any, Any]:
    """Feature matrices of train and test: one row per pair, one column per feature seen in training."""
    from sklearn.feature_extraction import DictVectorizer

    table = DictVectorizer(dtype=np.float32)
    seen = table.fit_transform(map(baseline.see, train.pairs)).tocsr()
    asked = seen if tested is train else table.transform(map(baseline.see, tested.pairs)).tocsr()
    if baseline.most is None:
        return seen, asked
    common = np.argsort(-np.diff(seen.tocsc().indptr), kind="stable")[: baseline.most]
    return seen[:, common].toarray(), asked[:, common].toarray()


def _linear(_: int) -> Any:
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(C=0.1, max_iter=300, tol=1e-3)


def _tree(n: int) -> Any:
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(min_samples_leaf=max(10, n // 100), random_state=_SEED)


def _forest(n: int) -> Any:
    """The published baseline, on the most frequent words."""
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(100, min_samples_leaf=max(2, n // 1000), random_state=_SEED)
