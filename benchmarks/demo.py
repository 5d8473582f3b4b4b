"""How long `winoglot demo` takes: the one-time preparation, the first run, the second run, and the size of the page.

    python benchmarks/demo.py [--full]

Every step is a process of its own, as a user would start it. The cache is empty at first. On a machine that is busy
with other things, processor time says more than the clock.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PREPARE = "from winoglot.experiment.demo import prepare; prepare()"
DEMO = "from winoglot.cli.main import main; main()"


def timed(what: str, *arguments: str) -> None:
    """Run Python with these arguments and print how long it took."""
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", *arguments], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{what}: {wall:.1f} s, {cpu:.1f} s of processor time", flush=True)


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true", help="the whole demonstration")
    full = ["--full"] if parser.parse_args().full else []
    with tempfile.TemporaryDirectory() as folder:
        os.environ["WINOGLOT_CACHE"] = str(Path(folder) / "cache")
        timed("weights prepared", PREPARE)
        for turn in ("first run", "second run"):
            timed(turn, DEMO, "demo", "-o", f"{folder}/demo", *full)
        size = (Path(folder) / "demo" / "report.html").stat().st_size
        print(f"report: {size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
