"""Quality of the logic data sets: proved labels, shared names, shortcuts, generation time; and the published files.

For every task:

- seconds to generate 10,000 training and 1,000 test pairs, including files, in one process: without proof in every
  language, with proof in one (the formulas are the same in all);
- for every language, with two and with three labels, among 10,000 + 10,000 pairs: the share of proved labels, and the
  names that both splits share;
- the accuracy of each baseline that cannot reason, trained on one half and tested on the other. The upper limits are
  one-sided, 95%, adjusted by Holm's method for all baselines and tasks of a language and number of labels;
- the accuracy of a decision tree that sees how many n-grams of two to four words premise and hypothesis share: it sees
  more structure than a baseline should, so no limit applies to it.

For the published test files (in WINOGLOT_DATA): cues, duplicates, and labels contradicted by the proof.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from winoglot import registry
from winoglot.logic.audit.report import audit
from winoglot.logic.cues import Sample, cues, upper_limits
from winoglot.logic.dataset import build
from winoglot.logic.recipe import DataRecipe
from winoglot.logic.statistics import statistics
from winoglot.logic.vocabulary import LANGUAGES
from winoglot.logic.writing import write
from winoglot.statistics.intervals import wilson

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.logic._cue_features import Words
    from winoglot.logic.dataset import DataSet

_SEED = 1
_LONGEST = 4  # words in the longest n-gram


@dataclass
class Judged:
    """The printed lines for a task, and the number of correct answers of each baseline by language and labels."""

    lines: list[str] = field(default_factory=list)
    hits: dict[tuple[str, str, str, str], int] = field(default_factory=dict)  # labels, language, task, baseline


def seconds(recipe: DataRecipe) -> float:
    """The time to generate all files."""
    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        write(build(recipe), Path(folder))
        return time.perf_counter() - begin


def print_seconds(tasks: Sequence[str], languages: Sequence[str]) -> None:
    """Time one data set after another, with nothing else running."""
    for task in tasks:
        for language in languages:
            unproved = seconds(DataRecipe(task, language, 10_000, 1_000, _SEED, proof=False))
            print(f"{task:16} {language} 11,000 pairs without proof: {unproved:.1f} s", flush=True)
        proving = seconds(DataRecipe(task, languages[0], 10_000, 1_000, _SEED))
        print(f"{task:16} 11,000 pairs with proof: {proving:.1f} s", flush=True)


def judge(task: str, languages: Sequence[str], pairs: int) -> Judged:
    """Measure everything about a task."""
    judged = Judged()
    for language in languages:
        for labels in ("cd", "nli"):
            made = build(DataRecipe(task, language, pairs, pairs, _SEED, labels=labels))
            judged.lines.append(f"{task:16} {language} {labels:3} {_sound(made)}")
            train, test = (
                Sample.of([(row.premise, row.hypothesis) for row in rows], [row.label for row in rows], language)
                for rows in made.splits.values()
            )
            for cue in cues(train, test):
                count = round((cue.accuracy.value or 0) * cue.accuracy.n)
                judged.hits[labels, language, task, cue.baseline] = count
            judged.lines.append(f"{task:16} {language} {labels:3} shared n-grams: {_by_runs(train, test)}")
    return judged


def _sound(made: DataSet) -> str:
    rows = [row for split in made.splits.values() for row in split]
    proved = sum(row.proof != "not proved" for row in rows) / len(rows)
    counts = statistics(made)
    shared = f"{counts.shared_people} people and {counts.shared_places} places shared"
    return f"{len(rows)} pairs, proved {proved:.1%}, {shared}"


def _by_runs(train: Sample, test: Sample) -> str:
    seen, asked = (np.array([_runs(pair) for pair in sample.pairs]) for sample in (train, test))
    tree = DecisionTreeClassifier(min_samples_leaf=max(10, len(seen) // 100), random_state=0)
    guessed = tree.fit(seen, train.labels).predict(asked)
    found = wilson(int((guessed == np.array(test.labels)).sum()), len(guessed))
    return f"{found.value:.1%} ({found.low:.1%} to {found.high:.1%}), n = {found.n}"


def _runs(pair: Words) -> list[float]:
    """The number and share of the hypothesis's n-grams that also occur in the premise."""
    numbers: list[float] = []
    for length in range(2, _LONGEST + 1):
        there = {pair.premise[at : at + length] for at in range(len(pair.premise) - length + 1)}
        asked = [pair.hypothesis[at : at + length] for at in range(len(pair.hypothesis) - length + 1)]
        shared = sum(run in there for run in asked)
        numbers += [shared, shared / max(1, len(asked))]
    verbatim = f" {' '.join(pair.hypothesis)} " in f" {' '.join(pair.premise)} "
    return [*numbers, float(verbatim)]


def print_limits(hits: dict[tuple[str, str, str, str], int], pairs: int) -> None:
    """Upper limits, adjusted for all baselines and tasks of a language."""
    for labels, language in sorted({key[:2] for key in hits}):
        own = {key[2:]: count for key, count in hits.items() if key[:2] == (labels, language)}
        limits = dict(zip(own, upper_limits(list(own.values()), pairs), strict=True))
        for (task, baseline), count in own.items():
            limit = limits[task, baseline]
            print(f"{language} {labels:3} {task:16} {baseline:20} {count / pairs:.1%}, at most {limit:.1%}")
        print(f"{language} {labels:3} highest upper limit of {len(limits)}: {max(limits.values()):.1%}", flush=True)


def published(folder: Path) -> None:
    """Print what is wrong with the published test files."""
    for path in sorted(folder.glob("*/*.csv")):
        (found,) = audit([path]).files
        print(f"{path.name}  {len(found.duplicates)} duplicates")
        for cue in found.cues:
            print(f"{path.name}  {cue.baseline:20} {cue.accuracy:.1%}, at most {cue.upper:.1%}: {cue.verdict}")
        labels = found.labels
        print(f"{path.name}  read {labels.from_sentences} of {labels.pairs}, unsure {len(labels.unsure)}")
        for reading, wrong in labels.readings.items():
            print(f"{path.name}  {reading:20} {len(wrong)} labels contradicted by the proof", flush=True)


def main() -> None:
    """Print one line per figure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--language", action="append", choices=LANGUAGES)
    parser.add_argument("--task", action="append", choices=registry.names("logic-tasks"))
    parser.add_argument("--pairs", type=int, default=10_000)
    parser.add_argument("--published-only", action="store_true")
    given = parser.parse_args()
    if not given.published_only:
        hits: dict[tuple[str, str, str, str], int] = {}
        tasks = given.task or registry.names("logic-tasks")
        languages = given.language or LANGUAGES
        print_seconds(tasks, languages)
        with ProcessPoolExecutor() as pool:
            running = [pool.submit(judge, task, languages, given.pairs) for task in tasks]
            for one in as_completed(running):
                print("\n".join(one.result().lines), flush=True)
                hits |= one.result().hits
        print_limits(hits, given.pairs)
    data = os.environ.get("WINOGLOT_DATA")
    if data and not given.task:
        published(Path(data) / "logic")


if __name__ == "__main__":
    main()
