"""What the logic data sets are judged by: proved labels, shared names, shortcuts, seconds; and the published files.

For every language and task:

- seconds to make 10,000 pairs to train on and 1,000 to test on, files included, without proof and with it;
- of 10,000 + 10,000 pairs, the share whose label is proved, and the names that both splits have;
- what each baseline that cannot reason gets on the 10,000 after training on the other 10,000. The upper limits are
  one-sided, 95%, adjusted by Holm's method for all baselines and tasks of the language;
- what the best rule gets on the test pairs that knows only whether the hypothesis stands in the premise word for word.

Of the published test files (where WINOGLOT_DATA says they are): cues, duplicates, and labels that are not those proved.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from winoglot import registry
from winoglot.logic.audit.report import audit
from winoglot.logic.cues import Sample, cues, upper_limits
from winoglot.logic.dataset import build
from winoglot.logic.recipe import Recipe
from winoglot.logic.statistics import statistics
from winoglot.logic.vocabulary import LANGUAGES
from winoglot.logic.writing import write

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from winoglot.logic.dataset import DataSet, Row

_SEED = 1


def seconds(recipe: Recipe) -> float:
    """How long it takes until all files are there."""
    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        write(build(recipe), Path(folder))
        return time.perf_counter() - begin


def hits(made: DataSet) -> dict[str, int]:
    """How many of the test pairs each baseline gets right."""
    train, test = (
        Sample.of([(row.premise, row.hypothesis) for row in rows], [row.label for row in rows], made.recipe.language)
        for rows in made.splits.values()
    )
    return {cue.baseline: round((cue.accuracy.value or 0) * cue.accuracy.n) for cue in cues(train, test)}


def verbatim(rows: Sequence[Row]) -> float:
    """What the commoner label gets in each of two groups: hypothesis word for word in the premise, or not."""
    counts = Counter((row.hypothesis in row.premise, row.label) for row in rows)
    return sum(max(counts[there, "0"], counts[there, "1"]) for there in (True, False)) / len(rows)


def judge(language: str, tasks: Iterable[str], pairs: int) -> None:
    """Print everything about a language."""
    found: dict[tuple[str, str], int] = {}
    for task in tasks:
        unproved = seconds(Recipe(task, language, 10_000, 1_000, _SEED, proof=False))
        proving = seconds(Recipe(task, language, 10_000, 1_000, _SEED))
        made = build(Recipe(task, language, pairs, pairs, _SEED))
        rows = [row for split in made.splits.values() for row in split]
        proved = sum(row.proof != "not proved" for row in rows) / len(rows)
        counts = statistics(made)
        shared = f"{counts.shared_people} people and {counts.shared_places} places shared"
        print(f"{language}  {task:16} proved {proved:.1%}, {shared}, {unproved:.1f} s, with proof {proving:.1f} s")
        print(f"{language}  {task:16} word for word: {verbatim(made.splits['test']):.1%}", flush=True)
        found |= {(task, baseline): count for baseline, count in hits(made).items()}
    limits = dict(zip(found, upper_limits(list(found.values()), pairs), strict=True))
    for (task, baseline), count in found.items():
        limit = limits[task, baseline]
        print(f"{language}  {task:16} {baseline:20} {count / pairs:.1%}, at most {limit:.1%}", flush=True)
    print(f"{language}  highest upper limit of {len(limits)}: {max(limits.values()):.1%}", flush=True)


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
            print(f"{path.name}  {reading:20} {len(wrong)} labels are not those proved", flush=True)


def main() -> None:
    """Print a line a figure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--language", action="append", choices=LANGUAGES)
    parser.add_argument("--task", action="append", choices=registry.names("logic-tasks"))
    parser.add_argument("--pairs", type=int, default=10_000)
    parser.add_argument("--published-only", action="store_true")
    given = parser.parse_args()
    if not given.published_only:
        for language in given.language or LANGUAGES:
            judge(language, given.task or registry.names("logic-tasks"), given.pairs)
    data = os.environ.get("WINOGLOT_DATA")
    if data and not given.task:
        published(Path(data) / "logic")


if __name__ == "__main__":
    main()
