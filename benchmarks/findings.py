"""What each check finds in the public collections in WINOGLOT_DATA, to look for false alarms."""

from __future__ import annotations

import argparse
import os
import time
from collections import Counter
from pathlib import Path

from winoglot.checks.base import CheckContext, Selection, run_checks
from winoglot.loading import load_folder


def main() -> None:
    """Print one line per collection: items, seconds, findings by rule."""
    folder = os.environ.get("WINOGLOT_DATA")
    if not folder:
        print("not run: set WINOGLOT_DATA to a folder of public collections")
        return
    for _, collection in load_folder(Path(folder) / "collections").collections:
        start = time.perf_counter()
        outcome = run_checks(collection, CheckContext(), Selection())
        took = time.perf_counter() - start
        counts = Counter(finding.code for finding in (*outcome.errors, *outcome.warnings))
        found = ", ".join(f"{code} {count}" for code, count in sorted(counts.items())) or "nothing"
        print(f"{collection.name}: {len(collection.items)} items, {took:.1f} s: {found}")


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    main()
