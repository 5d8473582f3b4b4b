"""The time to generate and prove 11,000 pairs per task, on two cores.

Every proved relation is compared with the intended label. `python benchmarks/logic_proof.py TASK …` runs only these
tasks, `--pairs N` uses fewer pairs.
"""

from __future__ import annotations

import argparse
import time
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from random import Random

from winoglot import registry
from winoglot.logic.pair import TaskSettings
from winoglot.logic.prove import relation

_PAIRS = 11_000
_CORES = 2


def proved(task: str, number: int, core: int) -> tuple[float, int, int]:
    """Seconds to generate, this core's number of pairs, and how many have the intended label."""
    start = time.perf_counter()
    pairs = list(islice(registry.load("logic-tasks", task).generate(Random(0), TaskSettings()), number))
    seconds = time.perf_counter() - start
    share = pairs[core::_CORES]
    right = sum(relation(pair.premise, pair.hypothesis) == pair.intended for pair in share)
    return seconds, len(share), right


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("tasks", nargs="*", default=registry.names("logic-tasks"))
    parser.add_argument("--pairs", type=int, default=_PAIRS)
    options = parser.parse_args()
    for task in options.tasks:
        start = time.perf_counter()
        with ProcessPoolExecutor(_CORES) as pool:
            parts = list(pool.map(proved, [task] * _CORES, [options.pairs] * _CORES, range(_CORES)))
        whole = time.perf_counter() - start
        right, number = sum(part[2] for part in parts), sum(part[1] for part in parts)
        print(f"{task:16} {number} pairs: generated in {parts[0][0]:.1f} s, all in {whole:.1f} s; {right} as intended")


if __name__ == "__main__":
    main()
