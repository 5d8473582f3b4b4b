"""Shortcuts in the bundled collections: what words alone achieve, and the default model on the controls.

Every line is an accuracy with its interval; without understanding the text it should not exceed chance.

- words: logistic regression over the words of segment and candidates, and their products, cross-validated by schema
  (10 folds, mean of 5 splits). The interval resamples schemas and keeps the trained models fixed; p is the share of
  random swaps of each schema's answers that reach the same accuracy or more.
- no-candidates, after-only: the default model on items without the candidates, or without the text before the pronoun.
- pmi: association in a corpus, if counts are given: --counts en=DIR --counts pt=DIR.
"""

from __future__ import annotations

import argparse
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

import winoglot as wg
from winoglot.languages.text import words
from winoglot.statistics.intervals import bootstrap_ratio

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_matrix

    from winoglot.statistics.intervals import Estimate

_FOLDS, _DIVISIONS, _DRAWS = 10, 5, 99


def features(item: wg.Item, candidate: int, language: str) -> dict[str, float]:
    """Features of a candidate: its words combined with those of the segment."""
    segment = [word.lower() for place in item.segment for word in words(place.of(item.text or ""), language)] or ["∅"]
    own = [word.lower() for word in words(item.candidates[candidate].text, language)]
    place = ["first" if candidate == 0 else "second"]
    pairs = [f"{a} × {b}" for a, b in product([*own, *place], segment)]
    return dict.fromkeys([*own, *pairs], 1.0)


def words_alone(collection: wg.Collection, language: str) -> tuple[Estimate, float]:
    """The cross-validated accuracy of the words, and p."""
    items = [item for item in collection.items if item.answer in (0, 1)]
    data = [features(item, candidate, language) for item in items for candidate in (0, 1)]
    matrix = DictVectorizer().fit_transform(data)
    differences = matrix[0::2] - matrix[1::2]
    answers = np.array([item.answer == 0 for item in items])
    schemas = np.array([item.schema_id for item in items])
    numbers = np.unique(schemas, return_inverse=True)[1]
    right = np.mean([_right(differences, answers, numbers, division) for division in range(_DIVISIONS)], axis=0)
    draws = []
    for draw in range(_DRAWS):
        exchanged = np.random.default_rng(draw).random(numbers.max() + 1) < 0.5
        draws.append(_right(differences, answers ^ exchanged[numbers], numbers, draw).mean())
    p = (1 + sum(drawn >= right.mean() for drawn in draws)) / (1 + _DRAWS)
    return bootstrap_ratio(right.tolist(), [1.0] * len(items), schemas.tolist()), p


def _right(
    differences: csr_matrix, answers: NDArray[np.bool_], schemas: NDArray[np.intp], seed: int
) -> NDArray[np.float64]:
    """1 for each item answered correctly by a model that never saw its schema."""
    groups = np.random.default_rng(seed).permutation(schemas.max() + 1)[schemas]
    right = np.zeros(len(answers))
    for train, test in GroupKFold(_FOLDS).split(differences, answers, groups):
        model = LogisticRegression(C=1.0, max_iter=1000, fit_intercept=False)
        model.fit(differences[train], answers[train])
        right[test] = model.predict(differences[test]) == answers[test]
    return right


def main() -> None:
    """Print one line per language and shortcut."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--counts", action="append", default=[], help="LANGUAGE=DIR")
    parser.add_argument("--model", default="gemma-3-270m")
    given = parser.parse_args()
    counts = dict(part.split("=", 1) for part in given.counts)
    for language, collection in wg.load_all("winoglot").items():
        found, p = words_alone(collection, language)
        print(f"{language}  {'words':14} {found}, p = {p:.2f}", flush=True)
        kinds = ["no-candidates", "after-only"]
        run = wg.evaluate(collection, given.model, kinds=kinds)
        print(f"{language}  {'originals':14} {run.accuracy()}", flush=True)
        for kind in kinds:
            print(f"{language}  {kind:14} {run.accuracy(kind)}", flush=True)
        if language in counts:
            print(f"{language}  {'pmi':14} {wg.evaluate(collection, f'pmi:{counts[language]}').accuracy()}", flush=True)


if __name__ == "__main__":
    main()
