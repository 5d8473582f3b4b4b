"""How long `winoglot demo` takes the first time, and the second time, when all scores are cached.

The cache starts empty, so that the default model is prepared first, as on a new machine.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from pathlib import Path

from winoglot.models.base import Options, load_model
from winoglot.report.demo import demonstrate


def main() -> None:
    """Print the time of the first and the second run."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["WINOGLOT_CACHE"] = str(Path(folder) / "cache")
        start = time.perf_counter()
        load_model("gemma-3-270m", Options())
        print(f"the default model: prepared in {time.perf_counter() - start:.0f} s", flush=True)
        for turn in ("first", "second"):
            start = time.perf_counter()
            made = demonstrate(Path(folder) / turn)
            size = made.report.stat().st_size / 1e6
            seconds = time.perf_counter() - start
            print(f"{turn}: {seconds:.0f} s, {len(made.runs)} runs, report {size:.2f} MB", flush=True)


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    main()
