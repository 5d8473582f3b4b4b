"""How long `winoglot --help` and `winoglot stats winoglot-pt` take, warm, compared with `python -c pass`."""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

RUNS = 15
LIMIT_SECONDS = 0.5


def seconds(command: list[str]) -> float:
    """The median wall time of a command over several runs, without the first (cold) one."""
    times = []
    for _ in range(RUNS + 1):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - start)
    return median(times[1:])


def main() -> None:
    """Print the figures; exit 1 if a limit is exceeded."""
    winoglot = str(Path(sys.executable).with_name("winoglot"))
    base = seconds([sys.executable, "-c", "pass"])
    print(f"python -c pass: {base:.3f} s (median of {RUNS})")
    slowest = 0.0
    for arguments in (["--help"], ["stats", "winoglot-pt"], ["list"]):
        took = seconds([winoglot, *arguments])
        slowest = max(slowest, took)
        print(f"winoglot {' '.join(arguments)}: {took:.3f} s, {took / base:.1f} times as long")
    if slowest > LIMIT_SECONDS:
        sys.exit(f"slower than {LIMIT_SECONDS} s")


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    main()
