"""Processor time of commands that should start at once, warm, compared with `python -c pass`: user and system."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

RUNS = 15
LIMITS = {"--help": 0.5, "stats winoglot-pt": 0.5, "list": 0.8}  # seconds
IMPORTS = "import typer.main, rich.console, rich.table, pydantic"  # what every command needs before it does anything


def seconds(command: list[str]) -> float:
    """The least processor time of a command over several runs: whatever is above it is other work of the machine."""
    times = []
    for _ in range(RUNS):
        before = getrusage(RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        after = getrusage(RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(times)


def main() -> None:
    """Print the figures; exit 1 if a limit is exceeded."""
    winoglot = str(Path(sys.executable).with_name("winoglot"))
    base = seconds([sys.executable, "-c", "pass"])
    print(f"python -c pass: {base:.3f} s (least of {RUNS})")
    print(f"importing the libraries of the command line: {seconds([sys.executable, '-c', IMPORTS]):.3f} s")
    too_slow = []
    for arguments, limit in LIMITS.items():
        took = seconds([winoglot, *arguments.split()])
        print(f"winoglot {arguments}: {took:.3f} s, {took / base:.1f} times as long; limit {limit} s")
        if took > limit:
            too_slow.append(arguments)
    if too_slow:
        sys.exit(f"slower than the limit: {', '.join(too_slow)}")


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    main()
