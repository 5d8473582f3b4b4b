"""Shortcuts in the bundled collections: what solvers achieve that do not see the situation.

Without understanding the text, accuracy should not differ from 50% in either direction. Per shortcut: a row per
language, then one over all languages, in which the items of one parallel schema are one cluster. Intervals resample
schemas; the two-sided p-values over all languages are corrected by Holm's method. The exit code is 1 if one is < 0.05.

- candidates: logistic regression over the words of the candidates and their positions, cross-validated by schema
  (10 folds, mean of 5 splits). Both items of a pair have the same candidates, so it gets one of them right: it shows
  that answers are balanced, and is not tested.
- words: the same with the words of the segment and their products with the candidates.
- no-candidates, after-only: the default model on items without the candidates, or without the text before the pronoun.
- pmi: association in a corpus, if counts are given: --counts en=DIR --counts pt=DIR. An abstention is half right.

The p-value of the regression is the share of random swaps of the answers of whole parallel schemas (all languages
together) that move accuracy at least as far from the mean of all swaps; each swap uses one split, so that it is rather
too large. The others flip schemas against chance.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

import winoglot as wg
from winoglot.languages.text import words
from winoglot.metrics.accuracy import credit
from winoglot.statistics.intervals import bootstrap_ratio
from winoglot.statistics.significance import against_chance, holm

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray
    from scipy.sparse import csr_matrix

    from winoglot.statistics.intervals import Estimate

    Features = Callable[[wg.Item, int], dict[str, float]]

_FOLDS, _DIVISIONS = 10, 5


@dataclass(frozen=True)
class Answers:
    """What a shortcut makes of one language: the credit for each item, and the schema that the item belongs to."""

    right: list[float]
    schemas: list[str]

    @property
    def accuracy(self) -> Estimate:
        """The share of items answered correctly."""
        return bootstrap_ratio(self.right, [1.0] * len(self.right), self.schemas)


def of_candidates(item: wg.Item, candidate: int) -> dict[str, float]:
    """Features of a candidate: its words and its position."""
    own = [word.lower() for word in words(item.candidates[candidate].text, item.language)]
    return dict.fromkeys([*own, "first" if candidate == 0 else "second"], 1.0)


def of_words(item: wg.Item, candidate: int) -> dict[str, float]:
    """The same, and each with every word of the segment."""
    text = item.text or ""
    segment = [word.lower() for place in item.segment for word in words(place.of(text), item.language)] or ["∅"]
    own = of_candidates(item, candidate)
    return own | dict.fromkeys((f"{one} × {other}" for one, other in product(own, segment)), 1.0)


class Regression:
    """Logistic regression over the difference between two candidates, in one language."""

    def __init__(self, collection: wg.Collection, features: Features) -> None:
        """Describe every item by what distinguishes its candidates."""
        items = [item for item in collection.items if item.answer in (0, 1)]
        data = [features(item, candidate) for item in items for candidate in (0, 1)]
        matrix = DictVectorizer().fit_transform(data)
        self.differences: csr_matrix = matrix[0::2] - matrix[1::2]
        self.answers = np.array([item.answer == 0 for item in items])
        self.schemas = [item.schema_id for item in items]
        self.numbers = np.unique(self.schemas, return_inverse=True)[1]  # sorted ids: the same in every language

    def right(self, answers: NDArray[np.bool_], seed: int) -> NDArray[np.float64]:
        """1 for each item answered correctly by a model that never saw its schema."""
        groups = np.random.default_rng(seed).permutation(self.numbers.max() + 1)[self.numbers]
        right = np.zeros(len(answers))
        for train, test in GroupKFold(_FOLDS).split(self.differences, answers, groups):
            model = LogisticRegression(C=1.0, max_iter=1000, fit_intercept=False)
            model.fit(self.differences[train], answers[train])
            right[test] = model.predict(self.differences[test]) == answers[test]
        return right

    def swapped(self, seed: int) -> NDArray[np.float64]:
        """The same after the answers of half of the schemas are swapped: the same schemas in every language."""
        swapped = np.random.default_rng(seed).random(self.numbers.max() + 1) < 0.5
        return self.right(self.answers ^ swapped[self.numbers], seed)


def regress(
    collections: dict[str, wg.Collection], features: Features, draws: int
) -> tuple[dict[str, Answers], float | None]:
    """By language, what the regression achieves; and the two-sided p-value over all languages, if there are draws."""
    models = {language: Regression(collection, features) for language, collection in collections.items()}
    found = {
        language: Answers(
            np.mean([model.right(model.answers, seed) for seed in range(_DIVISIONS)], axis=0).tolist(), model.schemas
        )
        for language, model in models.items()
    }
    if not draws:
        return found, None
    observed = np.mean([value for answers in found.values() for value in answers.right])
    drawn = np.array([np.concatenate([m.swapped(seed) for m in models.values()]).mean() for seed in range(draws)])
    extreme = np.abs(drawn - drawn.mean()) >= abs(observed - drawn.mean())
    return found, (1 + int(extreme.sum())) / (1 + draws)


def answers_of(run: wg.Run, kind: str | None = None) -> Answers:
    """The answers of a run to its originals, or to the variants of a kind."""
    outcomes = run.outcomes(kind)
    return Answers([credit(one) for one in outcomes], [one.example.cluster for one in outcomes])


def pooled(found: dict[str, Answers]) -> Answers:
    """All languages together: schemas have the same id in each."""
    return Answers([v for a in found.values() for v in a.right], [s for a in found.values() for s in a.schemas])


def main() -> int:
    """Print the rows; 1 if a shortcut differs from chance."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--counts", action="append", default=[], help="LANGUAGE=DIR")
    parser.add_argument("--model", default="gemma-3-270m")
    parser.add_argument("--draws", type=int, default=199, help="random swaps for the regressions")
    given = parser.parse_args()
    counts = dict(part.split("=", 1) for part in given.counts)
    collections = dict(wg.load_all("winoglot"))
    shortcuts: dict[str, dict[str, Answers]] = {}
    p_values: dict[str, float | None] = {"candidates": None}
    shortcuts["candidates"], _ = regress(collections, of_candidates, 0)
    shortcuts["words"], p_values["words"] = regress(collections, of_words, given.draws)
    kinds = ["no-candidates", "after-only"]
    runs = {language: wg.evaluate(one, given.model, kinds=kinds) for language, one in collections.items()}
    for kind in kinds:
        shortcuts[kind] = {language: answers_of(run, kind) for language, run in runs.items()}
    if counts:
        by_pmi = {one: wg.evaluate(collections[one], f"pmi:{counts[one]}") for one in collections if one in counts}
        shortcuts["pmi"] = {language: answers_of(run) for language, run in by_pmi.items()}
    for name, found in shortcuts.items():
        if name not in p_values:
            together = pooled(found)
            p_values[name] = against_chance(together.right, together.schemas).value
    tested = {name: p for name, p in p_values.items() if p is not None}
    corrected = dict(zip(tested, holm(list(tested.values())), strict=True))
    for name, found in shortcuts.items():
        for language, answers in found.items():
            print(f"{name:14} {language:4} {answers.accuracy}")
        p = f"; p = {tested[name]:.3f}, {corrected[name]:.3f} after Holm's correction" if name in tested else ""
        print(f"{name:14} all  {pooled(found).accuracy}{p}")
    for language, run in runs.items():
        print(f"{'(originals)':14} {language:4} {answers_of(run).accuracy}")
    return int(min(corrected.values()) < 0.05)


if __name__ == "__main__":
    sys.exit(main())
