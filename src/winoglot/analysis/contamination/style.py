"""Whether two collections can be recognised by their words: a logistic regression over bags of words.

If they can, they differ in topics or style, and a model may find one easier for that reason alone.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np

from winoglot.analysis.contamination.compared import text_of
from winoglot.languages.text import words
from winoglot.schemas.text import folded
from winoglot.statistics.intervals import Estimate, two_sample_bootstrap

if TYPE_CHECKING:
    from winoglot.schemas.model import Collection, Schema

_FOLDS = 10


def style_accuracy(published: Collection, fresh: Collection, *, seed: int = 0) -> Estimate:
    """How often a classifier by words says which collection a schema is from: the mean of the shares in both.

    Each tenth of the schemas, with all their items, is classified by a classifier trained on the others, in which both
    collections have the same weight. Guessing gives ½.
    """
    bags = [[_bag(schema, collection.language) for schema in collection.schemas] for collection in (published, fresh)]
    n = sum(map(len, bags))
    if min(map(len, bags)) < _FOLDS:
        return Estimate.undefined(f"one of the collections has fewer than {_FOLDS} schemas", n)
    if find_spec("sklearn") is None:
        return Estimate.undefined('scikit-learn is not installed: pip install "winoglot[analysis]"', n)
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold, cross_val_predict
    from sklearn.pipeline import make_pipeline

    is_published = np.arange(n) < len(bags[0])
    classifier = make_pipeline(DictVectorizer(), LogisticRegression(class_weight="balanced", max_iter=1000))
    folds = StratifiedKFold(_FOLDS, shuffle=True, random_state=seed)
    right = cross_val_predict(classifier, [*bags[0], *bags[1]], is_published, cv=folds) == is_published
    rows = np.stack([right.astype(float), np.ones(n)], axis=1)
    return two_sample_bootstrap(
        rows[is_published],
        rows[~is_published],
        lambda a, b: (a[..., 0] / a[..., 1] + b[..., 0] / b[..., 1]) / 2,
        n=n,
        seed=seed,
        bounds=(0.0, 1.0),
    )


def _bag(schema: Schema, language: str) -> dict[str, bool]:
    """The words of all items, without regard to order and number."""
    return {word: True for item in schema.items for word in words(folded(text_of(item)), language)}
