"""The time to generate logic data on one core: 20,000 pairs without proofs, 11,000 with proofs, per task.

`python benchmarks/logic_proof.py TASK …` runs only these tasks, `--depth N` another depth than 2.
"""

from __future__ import annotations

import argparse
import time

from winoglot import registry
from winoglot.logic.dataset import DataRecipe, build


def seconds(task: str, depth: int, *, train: int, test: int, proof: bool) -> float:
    """Processor time to build a data set in English; labels and depths that differ from the proof end the run."""
    start = time.process_time()
    build(DataRecipe(task, "en", train, 0, test, 1, depths=(depth,), proof=proof))
    return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("tasks", nargs="*", default=registry.names("logic-tasks"))
    parser.add_argument("--depth", type=int, default=2)
    options = parser.parse_args()
    for task in options.tasks:
        bare = seconds(task, options.depth, train=10_000, test=10_000, proof=False)
        proved = seconds(task, options.depth, train=10_000, test=1_000, proof=True)
        print(f"{task}: 20,000 pairs {bare:.1f} s, 11,000 proved pairs {proved:.1f} s", flush=True)


if __name__ == "__main__":
    main()
