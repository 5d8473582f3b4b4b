"""Shallow baselines: classifiers that see too little of a pair to reason, and their accuracy.

For each task, language and depth, a baseline is trained on one set of pairs and tested on another, or cross-validated
on a single set. It has found a cue if its accuracy is significantly above chance and not shown to be within five points
of it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from winoglot.errors import InputError, did_you_mean, require_extra
from winoglot.logic import _cue_features as features
from winoglot.logic._cue_features import Features, Words
from winoglot.statistics.formatting import percent
from winoglot.statistics.intervals import Estimate, wilson
from winoglot.statistics.significance import holm

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from winoglot.logic.pair import Pair

Verdict = Literal["cue", "none", "undecided"]

MARGIN = 0.05  # above chance: an upper limit within this margin shows that a baseline has no useful cue
LOOK_UPS = ("nearest-sentence", "look-up-parity", "shared-runs", "boosting")  # baselines that see single facts
_ALPHA = 0.05
_FOLDS = 5
_FEWEST = 4 * _FOLDS  # pairs of each label, so that every fold has some
_SEED = 0
_COMMON = 300  # features that the forest and the boosted trees see: rarer words are names


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
        """Return all fields as a dictionary that is ready for JSON."""
        return {**asdict(self), "verdict": self.verdict}


@dataclass(frozen=True)
class GroupCues:
    """The accuracy of the baselines for one task, language and depth; if there are none, `reason` says why.

    `trained` is the number of training pairs, 0 if the accuracies are cross-validated.
    """

    task: str
    language: str
    depth: int
    trained: int
    cues: tuple[Cue, ...]
    reason: str = ""

    @property
    def faults(self) -> list[Cue]:
        """The cues that count as faults: not those of `LOOK_UPS` at depth 1, where finding one fact is the task."""
        return [cue for cue in self.cues if cue.verdict == "cue" and not (self.depth == 1 and cue.baseline in LOOK_UPS)]

    def described(self) -> dict[str, Any]:
        """Return all fields as a dictionary that is ready for JSON."""
        return {**asdict(self), "cues": [cue.described() for cue in self.cues]}


@dataclass(frozen=True)
class CueBaseline:
    """What a classifier sees of a pair, and how it learns."""

    see: Callable[[Words], Features]
    make: Callable[[int], Any]  # a classifier for n training pairs
    most: int | None = None  # use only the n most frequent features, as a dense table


def baselines() -> Mapping[str, CueBaseline]:
    """All baselines by name."""
    return {
        "premise-only": CueBaseline(features.premise_words, _linear),
        "hypothesis-only": CueBaseline(features.hypothesis_words, _linear),
        "length": CueBaseline(features.lengths, _tree),
        "overlap": CueBaseline(features.overlap, _tree),
        "bag-of-words": CueBaseline(features.all_words, _linear),
        "bag-of-words-forest": CueBaseline(features.all_words, _forest, _COMMON),
        "nearest-sentence": CueBaseline(features.nearest_sentence, _boosted, _COMMON),
        "look-up-parity": CueBaseline(features.look_up, _tree),
        "shared-runs": CueBaseline(features.shared_runs, _tree),
        "boosting": CueBaseline(features.everything, _boosted, _COMMON),
    }


def shallow(
    train: Sequence[Pair],
    test: Sequence[Pair] = (),
    progress: Callable[[int, int], None] | None = None,
    names: Sequence[str] = (),
) -> tuple[GroupCues, ...]:
    """The accuracy of the baselines (all, or those named) per task, language and depth.

    Without `test`, the accuracies are cross-validated on `train`. Where no training pair has the depth of the tested
    ones, as in a split by depth, the baselines learn from all depths of that task and language.
    """
    require_extra("training shallow baselines needs", "sklearn", extra="logic")
    if {_is_cd(pair) for pair in train} != {_is_cd(pair) for pair in test or train}:
        remedy = "Use --as cd, or files with the same labels."
        raise InputError("train and test have labels of two sets", remedy=remedy)
    groups = _group_pairs(test or train)
    selected = {name: baseline for name, baseline in baselines().items() if not names or name in names}
    training_groups = _group_pairs(train) if test else {}
    results = []
    for number, (key, test_pairs) in enumerate(groups.items()):
        training_pairs = training_groups.get(key) or [
            pair for other, pairs in training_groups.items() if other[:2] == key[:2] for pair in pairs
        ]

        def advance(done: int, previous_groups: int = number) -> None:
            if progress:
                progress(previous_groups * len(selected) + done, len(groups) * len(selected))

        cues: tuple[Cue, ...] = ()
        reason = ""
        if test and not training_pairs:
            reason = f"no training pairs of the task {key[0]!r}"
        else:
            try:
                cues = _cues(selected, training_pairs, test_pairs, advance)
            except InputError as error:
                reason = error.message
        results.append(GroupCues(*key, len(training_pairs), cues, reason))
    return tuple(results)


def guesses(name: str, train: Sequence[Pair], test: Sequence[Pair]) -> list[str]:
    """The label that a baseline gives to each of the pairs `test` after training on others."""
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    available = baselines()
    if name not in available:
        raise InputError(f"there is no shallow baseline {name!r}", remedy=did_you_mean(name, available))
    require_extra("training shallow baselines needs", "sklearn", extra="logic")
    with threadpool_limits(1):
        training_rows, test_rows = _matrices(
            available[name], *([features.words_of(pair) for pair in pairs] for pairs in (train, test))
        )
        model = available[name].make(len(train))
        model.fit(training_rows, [pair.label for pair in train])
        return [str(label) for label in model.predict(test_rows)]


def table(groups: Sequence[GroupCues]) -> str:
    """The accuracies in Markdown: a row per baseline, a column per task, language and depth; upper limits in brackets.

    >>> cues = judged({"length": 5012, "overlap": 9870}, 10000, 0.5)
    >>> print(table([GroupCues("negation", "en", 2, 10000, cues)]))
    | baseline | negation, en, depth 2 |
    | --- | --- |
    | chance | 50.0 |
    | length | 50.1 (51.1) |
    | overlap | **98.7 (98.9)** |
    """
    with_cues = [group for group in groups if group.cues]
    if not with_cues:
        return ""
    heads = [group_title(group) for group in with_cues]
    lines = [["baseline", *heads], ["---"] * (len(heads) + 1)]
    lines.append(["chance", *(percent(group.cues[0].chance) for group in with_cues)])
    for number, first in enumerate(with_cues[0].cues):
        cells = []
        for cue in (group.cues[number] for group in with_cues):
            text = f"{percent(cue.accuracy.value or 0)} ({percent(cue.upper)})"
            cells.append(f"**{text}**" if cue.verdict == "cue" else text)
        lines.append([first.baseline, *cells])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def group_title(group: GroupCues) -> str:
    """Name a group by its task, its language and, if it is known, its depth."""
    return ", ".join(filter(None, (group.task, group.language, f"depth {group.depth}" if group.depth else "")))


def judged(hits: Mapping[str, int], n: int, chance: float, prefix: str = "") -> tuple[Cue, ...]:
    """Accuracies with intervals, p-values and upper limits, from the numbers of correct answers among `n` pairs.

    >>> [cue.verdict for cue in judged({"length": 5012, "overlap": 9870}, 10000, 0.5)]
    ['none', 'cue']
    """
    from scipy.stats import binom

    p_values = holm([float(binom.sf(count - 1, n, chance)) for count in hits.values()])
    limits = upper_limits(list(hits.values()), n)
    cues = []
    for (name, count), p, upper in zip(hits.items(), p_values, limits, strict=True):
        estimate = wilson(count, n)
        estimate = Estimate(estimate.value, estimate.low, estimate.high, n, prefix + estimate.method)
        cues.append(Cue(name, estimate, chance, p, upper))
    return tuple(cues)


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


def _is_cd(pair: Pair) -> bool:
    return pair.label in {"0", "1"}


def _group_pairs(pairs: Sequence[Pair]) -> dict[tuple[str, str, int], list[Pair]]:
    groups = defaultdict(list)
    for pair in pairs:
        groups[pair.task, pair.language, pair.depth].append(pair)
    return dict(sorted(groups.items()))


def _cues(
    selected: Mapping[str, CueBaseline], train: Sequence[Pair], test: Sequence[Pair], advance: Callable[[int], None]
) -> tuple[Cue, ...]:
    """The accuracy of each baseline on `test` after training on `train`, or cross-validated if there is no `train`."""
    from threadpoolctl import threadpool_limits

    for pairs in (train or test, test):
        _check_labels(pairs)
    test_words = [features.words_of(pair) for pair in test]
    training_words = [features.words_of(pair) for pair in train] or test_words
    truth, training_truth = (np.array([pair.label for pair in pairs]) for pairs in (test, train or test))
    splits = list(_splits(train, test))
    hits = Counter(dict.fromkeys(selected, 0))
    with threadpool_limits(1):  # boosting that shares its cores with other work is ten times slower with threads
        for number, (name, baseline) in enumerate(selected.items(), start=1):
            training_rows, test_rows = _matrices(baseline, training_words, test_words)
            for train_indices, test_indices in splits:
                model = baseline.make(len(train_indices))
                model.fit(training_rows[train_indices], training_truth[train_indices])
                hits[name] += int((model.predict(test_rows[test_indices]) == truth[test_indices]).sum())
            advance(number)
    chance = max(Counter(truth.tolist()).values()) / len(truth)
    return judged(hits, len(truth), chance, "" if train else f"{_FOLDS}-fold cross-validation, ")


def _splits(train: Sequence[Pair], test: Sequence[Pair]) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Indices of training and test pairs; duplicates and twins are always on the same side."""
    from sklearn.model_selection import StratifiedGroupKFold

    if train:
        yield np.arange(len(train)), np.arange(len(test))
        return
    keys = [str(min(pair.id, pair.twin)) if pair.twin else f"{pair.premise} / {pair.hypothesis}" for pair in test]
    groups = np.unique(keys, return_inverse=True)[1]
    folds = StratifiedGroupKFold(_FOLDS, shuffle=True, random_state=_SEED)
    yield from folds.split(np.zeros(len(groups)), [pair.label for pair in test], groups)


def _check_labels(pairs: Sequence[Pair]) -> None:
    counts = Counter(pair.label for pair in pairs)
    if len(counts) < 2 or min(counts.values()) < _FEWEST:
        numbers = ", ".join(f"{count} of {label}" for label, count in sorted(counts.items())) or "none"
        raise InputError(
            f"looking for cues needs two or more labels with at least {_FEWEST} pairs each, found {numbers}"
        )


def _matrices(baseline: CueBaseline, train: Sequence[Words], test: Sequence[Words]) -> tuple[Any, Any]:
    """Feature matrices of train and test: one row per pair, one column per feature seen in training."""
    from sklearn.feature_extraction import DictVectorizer

    columns = DictVectorizer(dtype=np.float32)
    train_rows = columns.fit_transform(map(baseline.see, train)).tocsr()
    test_rows = train_rows if test is train else columns.transform(map(baseline.see, test)).tocsr()
    if baseline.most is None:
        for rows in (train_rows, test_rows):  # decision trees accept sparse rows only with 32-bit indices
            rows.indices, rows.indptr = rows.indices.astype(np.int32), rows.indptr.astype(np.int32)
        return train_rows, test_rows
    common = np.argsort(-np.diff(train_rows.tocsc().indptr), kind="stable")[: baseline.most]
    return train_rows[:, common].toarray(), test_rows[:, common].toarray()


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


def _boosted(_: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(max_iter=100, learning_rate=0.1, random_state=_SEED)
