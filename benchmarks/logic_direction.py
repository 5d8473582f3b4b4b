"""Does a network learn which way a comparison points? `python benchmarks/logic_direction.py DATA/tasks`.

At depth 1, one sentence of the premise decides the pair. A small BiGRU learns from contradictions and entailments only,
as many of each. It reads that sentence alone, in pairs without negation or in all, or the whole premise.
`python benchmarks/logic_models.py DATA OUT --prepare 10000` writes DATA/tasks. Printed: accuracy on test pairs, with an
interval over seeds and pairs, or over pairs alone if all answers are right.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from winoglot.experiment.results import as_markdown
from winoglot.logic.formulas import Not, atom_of
from winoglot.logic.solvers.data import PairChoice, load_pairs
from winoglot.logic.solvers.learning import NetworkSolver, PairData, learn
from winoglot.logic.solvers.questions import LABELLED, pair_question
from winoglot.logic.wording.parse import parse_sentence, sentences
from winoglot.statistics.crossed import crossed_mean
from winoglot.statistics.formatting import percent_interval
from winoglot.statistics.intervals import all_alike
from winoglot.training.loop import TrainingSettings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from winoglot.logic.pair import Pair

SETTINGS = ("order=hypothesis-premise", "hidden=128", "batch=64", "rate=1e-3", "patience=99")


def deciding(pair: Pair, *, negated: bool = True) -> Pair | None:
    """The pair with only the sentence that compares the same people in the same respect; None if there is none."""
    read = partial(parse_sentence, language=pair.language, names=pair.names)
    hypothesis = read(*sentences(pair.hypothesis, pair.language))
    asked = atom_of(hypothesis)
    for sentence in sentences(pair.premise, pair.language):
        fact = read(sentence)
        told = atom_of(fact)
        if told.name == asked.name and set(told.args) == set(asked.args):
            is_plain = not isinstance(fact, Not) and not isinstance(hypothesis, Not)
            return replace(pair, premise=f"{sentence}.") if negated or is_plain else None
    return None


def whole(pair: Pair) -> Pair | None:
    """The pair as it is, if a sentence decides it."""
    return pair if deciding(pair) else None


PREMISES: dict[str, Callable[[Pair], Pair | None]] = {
    "the sentence, nothing negated": partial(deciding, negated=False),
    "the sentence": deciding,
    "the whole premise": whole,
}


def balanced(data: Path, split: str, size: int | None, made: Callable[[Pair], Pair | None]) -> tuple[Pair, ...]:
    """As many contradictions as entailments, at most `size` in all."""
    choice = PairChoice(tasks=("comparison",), depths=(1,))
    pairs = [one for pair in load_pairs(data, split, choice) if (one := made(pair))]
    by_label = [[pair for pair in pairs if pair.label == label] for label in sorted({pair.label for pair in pairs})]
    count = min(size // 2 if size else len(pairs), *map(len, by_label))
    draw = random.Random(split)
    found = [pair for own in by_label for pair in draw.sample(own, count)]
    draw.shuffle(found)
    return tuple(found)


def row(data: Path, name: str, size: int, seeds: int, settings: Sequence[str]) -> dict[str, str]:
    """One line of the table."""
    learnt, checked, asked = (
        balanced(data, split, size if split == "train" else None, PREMISES[name])
        for split in ("train", "validation", "test")
    )
    cases = []
    for seed in range(seeds):
        with tempfile.TemporaryDirectory() as folder:
            running = TrainingSettings(seed=seed, checkpoint_minutes=1e9, checkpoint_epochs=False)
            learn("bigru", PairData(learnt, checked), Path(folder) / "model", running, changes=settings)
            model = NetworkSolver(str(Path(folder) / "model"))
            labels = tuple(model.pair_labels or ())
            scores = model.score([pair_question(pair, labels, LABELLED) for pair in asked], [LABELLED])
        answers = np.array([by_scoring[LABELLED].values for by_scoring in scores]).argmax(1)
        cases += [
            (float(labels[answer] == pair.label), seed, pair.id) for pair, answer in zip(asked, answers, strict=True)
        ]
    right, which, ids = zip(*cases, strict=True)
    made = crossed_mean(right, which, ids, unit="seed")
    if len(set(right)) == 1:  # seeds do not differ: exact, over pairs
        low, high = all_alike(right[0], len(asked))
        made = replace(made, low=low, high=high)
    by_seed = [sum(value for value, seed, _ in cases if seed == one) / len(asked) for one in range(seeds)]
    return {
        "premise": name,
        "training pairs": f"{len(learnt):,}",
        "test pairs": f"{len(asked):,}",
        "accuracy": percent_interval(made),
        "by seed": ", ".join(f"{100 * value:.1f}" for value in by_seed),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder `tasks` of the data")
    parser.add_argument("--size", type=int, default=10_000, help="training pairs")
    parser.add_argument("--epochs", type=int, default=15)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--premise", nargs="+", default=list(PREMISES), choices=list(PREMISES))
    given = parser.parse_args()
    epochs = f"epochs={given.epochs}"
    rows = [row(given.data, name, given.size, given.seeds, (*SETTINGS, epochs)) for name in given.premise]
    print(as_markdown(rows))
