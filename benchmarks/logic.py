"""What shallow baselines reach on the logic data, per task, language and depth; and on the published files.

Every task is generated with 10,000 training and 10,000 test pairs of one depth at a time, and all baselines of `logic
check` are trained and tested on them. The upper limits are one-sided, 95%, adjusted by Holm's method. With
WINOGLOT_DATA, the published test files follow, cross-validated, with duplicates and labels contradicted by the proof.

    python benchmarks/logic.py --task conditional --language en --depth 2 --labels cd
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

from winoglot import registry
from winoglot.logic.audit.files import LANGUAGES
from winoglot.logic.audit.report import audit
from winoglot.logic.cues import GroupCues, shallow, table
from winoglot.logic.dataset import DataRecipe, Labels, build

_SEED = 1


def generated(tasks: list[str], languages: list[str], depths: list[int], labels: Labels, number: int) -> None:
    """Print a table per task and language."""
    for task in tasks:
        known = registry.load("logic-tasks", task).FAMILIES.values()
        possible = sorted({depth for some in known for depth in some if depth in depths})
        for language in languages if possible else ():
            start = time.perf_counter()
            groups: list[GroupCues] = []
            for depth in possible:
                recipe = DataRecipe(
                    task, language, number, 0, number, _SEED, labels=labels, depths=(depth,), proof=False
                )  # fmt: skip
                made = build(recipe)
                groups += shallow(made.splits["train"], made.splits["test"])
            highest = max((cue.upper, cue.baseline, group.depth) for group in groups for cue in group.cues)
            print(table(groups))
            print(
                f"{task}, {language}: highest upper limit {100 * highest[0]:.1f}% ({highest[1]}, depth {highest[2]}), "
                f"{time.perf_counter() - start:.0f} s\n",
                flush=True,
            )


def published(folder: Path) -> None:
    """Print what is found in the published test files."""
    for path in sorted((folder / "logic").rglob("*.csv")):
        (found,) = audit([path]).files
        print(path.name)
        print(table(found.cues))
        print("\n".join(found.faults), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--task", nargs="*", default=registry.names("logic-tasks"))
    parser.add_argument("--language", nargs="*", default=list(LANGUAGES))
    parser.add_argument("--depth", nargs="*", type=int, default=[2, 3, 4])
    parser.add_argument("--labels", default="cd")
    parser.add_argument("--pairs", type=int, default=10_000)
    options = parser.parse_args()
    generated(options.task, options.language, options.depth, options.labels, options.pairs)
    if "WINOGLOT_DATA" in os.environ:
        published(Path(os.environ["WINOGLOT_DATA"]))


if __name__ == "__main__":
    main()
