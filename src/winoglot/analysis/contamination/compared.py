"""What is compared: a published collection and a fresh one of its language, as texts that a model may have read.

If the two can be recognised by their words, they differ in topics or style, and a model may find one easier for that
reason alone: `style_accuracy` says how well a classifier does.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np

from winoglot.errors import InputError, check_argument
from winoglot.examples import contents, text_of
from winoglot.languages.text import words
from winoglot.loading import load
from winoglot.schemas.bundled import family
from winoglot.schemas.model import Collection
from winoglot.schemas.text import counted, folded, primary
from winoglot.statistics.intervals import Estimate, two_sample_bootstrap

if TYPE_CHECKING:
    from collections.abc import Iterable

    from winoglot.schemas.model import Item, Schema

_NAME_ONE = "Name a collection that the model cannot have read: --fresh COLLECTION."
_FOLDS = 10


def fresh_for(collection: Collection, fresh: Collection | None = None) -> Collection:
    """The fresh collection, by default the bundled one in the language; an input error if it cannot be compared."""
    check_argument(collection, Collection, "a collection", 'Load it first: winoglot.load("FILE").')
    if fresh is None:
        languages = [name for name in family("winoglot") if primary(name) == primary(collection.language)]
        if not languages:
            raise InputError(f"there is no bundled collection in {collection.language}", remedy=_NAME_ONE)
        fresh = load(f"winoglot-{languages[0]}")
    check_argument(fresh, Collection, "a collection as fresh", 'Load it first: winoglot.load("FILE").')
    if primary(fresh.language) != primary(collection.language):
        raise InputError(
            f"{collection.name} is in {collection.language}, the fresh collection {fresh.name} in {fresh.language}",
            remedy=f"Both must be in one language. {_NAME_ONE}",
        )
    fresh_contents = {key for item in fresh.items for key in contents(item)}
    shared = [item.id for item in collection.items if not fresh_contents.isdisjoint(contents(item))]
    if shared and fresh.name == collection.name:
        raise InputError(f"{collection.name} cannot be compared with itself", remedy=_NAME_ONE)
    if shared:
        raise InputError(
            f"the fresh collection {fresh.name} shares {counted(len(shared), 'item')} with {collection.name}, "
            f"for example {shared[0]}",
            remedy=_NAME_ONE,
        )
    return fresh


def file_texts(collection: Collection, rewrites: Iterable[Item] = ()) -> list[str]:
    """The texts of each schema, one per line, in the order of the file; rewritten where there is a rewrite."""
    rewritten_texts = {rewrite.variant_of: text_of(rewrite) for rewrite in rewrites}
    schemas = (
        [rewritten_texts.get(item.id) or text_of(item) for item in schema.items] for schema in collection.schemas
    )
    return ["\n".join(filter(None, texts)) for texts in schemas if any(texts)]


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
