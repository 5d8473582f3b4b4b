"""Baselines: the paper's (a bag of words with a random forest), and those of `winoglot logic check`.

The trees of a forest are stored as arrays, so nothing is pickled.
"""

from __future__ import annotations

from collections import Counter
from operator import eq
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from winoglot.corpus.reading import VOCABULARY
from winoglot.errors import InputError, require_extra
from winoglot.files import write_whole
from winoglot.folders import lock
from winoglot.languages.text import words
from winoglot.logic.cues import guesses
from winoglot.logic.solvers.data import pairs_hash
from winoglot.logic.solvers.questions import LABELLED, pairs_of
from winoglot.models.base import Scores, Solver
from winoglot.runs.run import Settings
from winoglot.schemas.hashing import digest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.logic.pair import Pair
    from winoglot.logic.solvers.learning import PairData
    from winoglot.logic.solvers.recipes import PairRecipe
    from winoglot.models.base import Question, TextPair


def counts_of(pairs: Sequence[Pair], vocabulary: dict[str, int]) -> np.ndarray:
    """How often each word occurs in each pair, premise and hypothesis together as in the paper."""
    counts = np.zeros((len(pairs), len(vocabulary)), dtype=np.float32)
    for row, pair in zip(counts, pairs, strict=True):
        for word, count in Counter(_words(pair)).items():
            if word in vocabulary:
                row[vocabulary[word]] = count
    return counts


def _words(pair: Pair) -> list[str]:
    """The words of both sentences; how many commas a list has would give its length away."""
    all_words = (word for text in (pair.premise, pair.hypothesis) for word in words(text, pair.language))
    return [word.lower() for word in all_words if any(map(str.isalnum, word))]


def fit_bag(recipe: PairRecipe, data: PairData, out: Path, seed: int, *, force: bool = False) -> dict[str, Any]:
    """Train a forest and write it to a folder; returns the description of the model."""
    require_extra("a bag of words needs", "sklearn", extra="logic")
    import torch
    from sklearn.ensemble import RandomForestClassifier

    from winoglot.logic.solvers.learning import PairFolder
    from winoglot.training.checkpoint import CONFIG, FORMAT, WEIGHTS, save

    folder = PairFolder(out)
    folder.check(force=force)
    words_seen = sorted({word for pair in data.training for word in _words(pair)})
    vocabulary = {word: number for number, word in enumerate(words_seen)}
    answers = [data.labels.index(pair.label) for pair in data.training]
    forest = RandomForestClassifier(recipe.trees, random_state=seed % 2**32, n_jobs=1)
    forest.fit(counts_of(data.training, vocabulary), answers)
    trees = [estimator.tree_ for estimator in forest.estimators_]
    starts = np.cumsum([0, *(tree.node_count for tree in trees)])
    shares = np.zeros((starts[-1], len(data.labels)))  # 0 for a label that does not occur
    shares[:, forest.classes_] = np.concatenate([tree.value[:, 0] for tree in trees])
    tensors = {
        "roots": starts[:-1],
        "feature": np.concatenate([tree.feature for tree in trees]).astype(np.int64),
        "threshold": np.concatenate([tree.threshold for tree in trees]),
        "left": np.concatenate([tree.children_left + start for tree, start in zip(trees, starts, strict=False)]),
        "right": np.concatenate([tree.children_right + start for tree, start in zip(trees, starts, strict=False)]),
        "shares": shares / shares.sum(1, keepdims=True),
    }
    validation_shares = Forest(tensors).shares(counts_of(data.validation, vocabulary)).tolist()
    # as in a test, a tie is no answer
    choices = [Scores(tuple(row)).choice(Settings.tolerance) for row in validation_shares]
    answer_indices = [data.labels.index(pair.label) for pair in data.validation]
    config = {
        "format": FORMAT,
        "family": "bag",
        "recipe": vars(recipe),
        "seed": seed,
        "labels": list(data.labels),
        "languages": sorted({pair.language for pair in data.training}),
        "kinds": [],
        "data": data.described(),
        "accuracy": sum(map(eq, choices, answer_indices)) / len(answer_indices),
    }
    with lock(out):
        folder.clear()
        write_whole(out / VOCABULARY, "".join(f"{word}\n" for word in words_seen), force=True)
        save(out, CONFIG, WEIGHTS, {name: torch.from_numpy(value) for name, value in tensors.items()}, config)
    return config


class Forest:
    """Decision trees as arrays: for each node a word, the count up to which to go left, and two children."""

    def __init__(self, tensors: dict[str, np.ndarray]) -> None:
        """Take the arrays that describe the trees."""
        self.trees = tensors

    def shares(self, counts: np.ndarray) -> np.ndarray:
        """The mean over all trees of the share of each label in the leaf that a row falls into."""
        trees = self.trees
        rows = np.arange(len(counts))[:, None]
        nodes = np.repeat(trees["roots"][None], len(counts), 0)
        while True:
            feature = trees["feature"][nodes]
            is_inner = feature >= 0
            if not is_inner.any():
                return np.asarray(trees["shares"][nodes].mean(1))
            goes_left = counts[rows, np.maximum(feature, 0)] <= trees["threshold"][nodes]
            nodes = np.where(is_inner, np.where(goes_left, trees["left"][nodes], trees["right"][nodes]), nodes)


class ShallowSolver(Solver):
    """A baseline of `winoglot logic check`, trained on some pairs and not stored: it sees too little to reason."""

    scorings = pair_scorings = (LABELLED,)
    is_baseline = True

    def __init__(self, address: str, training: Sequence[Pair]) -> None:
        """Take the baseline that is named after the colon of the address."""
        self.name = self.address = address
        self.training, self.fingerprint = training, digest([address, pairs_hash(training)])

    def score(self, questions: Sequence[Question], scorings: Sequence[str]) -> list[dict[str, Scores]]:
        """Score the predicted label 1 and the others 0."""
        predictions = guesses(self.address.partition(":")[2], self.training, pairs_of(questions))
        return [
            dict.fromkeys(scorings, Scores(tuple(float(label == guess) for label in question.labels)))
            for question, guess in zip(questions, predictions, strict=True)
        ]


class BagSolver(Solver):
    """A solver with a trained forest: a bag of words."""

    scorings = pair_scorings = (LABELLED,)

    def __init__(self, location: str) -> None:
        """Load the model in a folder."""
        from winoglot.logic.solvers.learning import PairFolder
        from winoglot.models.scoring.pretrained import fingerprint
        from winoglot.training.checkpoint import read_tensors, weights_file

        path = Path(location)
        config = PairFolder(path).read()
        self.name = self.address = f"logic:{location}"
        self.pair_labels, self.pair_control = tuple(config["labels"]), config["data"]["control"]
        self.languages = tuple(config["languages"])
        tensors = read_tensors(weights_file(path, config))
        self.forest = Forest({name: value.numpy() for name, value in tensors.items()})
        lines = (path / VOCABULARY).read_text(encoding="utf-8").split("\n")[:-1]
        self.vocabulary = {word: number for number, word in enumerate(lines)}
        self.fingerprint = fingerprint(path)
        self.settings = {"family": "bag", **({"control": self.pair_control} if self.pair_control else {})}

    def check_pairs(self, pairs: Sequence[TextPair]) -> None:
        """Refuse languages that it has not learnt."""
        for pair in cast("Sequence[Pair]", pairs):
            if pair.language not in self.languages:
                message = f"{pair.id} is in {pair.language}, but {self.name} was trained in {', '.join(self.languages)}"
                remedy = "Test it on its own language, or train a network that reads bytes: --set tokens=bytes."
                raise InputError(message, remedy=remedy)

    def score(self, questions: Sequence[Question], scorings: Sequence[str]) -> list[dict[str, Scores]]:
        """Score each label by its share, averaged over the trees."""
        order = [(self.pair_labels or ()).index(label) for label in questions[0].labels]
        shares = self.forest.shares(counts_of(pairs_of(questions), self.vocabulary))[:, order]
        return [dict.fromkeys(scorings, Scores(tuple(row))) for row in shares.tolist()]
