"""The time to read all six languages of XWinograd, one after another, from the folder WINOGLOT_DATA."""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

from winoglot.formats import xwinograd
from winoglot.formats.base import InputFile

LANGUAGES = ("en", "ja", "ru", "pt", "fr", "zh")
LIMIT_SECONDS = 5.0


def main() -> None:
    """Print the figures; exit 1 if the limit is exceeded."""
    folder = os.environ.get("WINOGLOT_DATA")
    path = Path(folder, "collections", "xwinograd.tsv") if folder else None
    if path is None or not path.is_file():
        print("nothing to measure: set WINOGLOT_DATA to a folder with collections/xwinograd.tsv")
        return
    rows = 0
    total = 0.0
    for language in LANGUAGES:
        start = time.perf_counter()
        items = len(xwinograd.read(InputFile(path, language)).items)
        took = time.perf_counter() - start
        rows, total = rows + items, total + took
        print(f"{language}: {items} items in {took:.2f} s")
    print(f"all: {rows} items in {total:.2f} s")
    if total > LIMIT_SECONDS:
        sys.exit(f"slower than {LIMIT_SECONDS} s")


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    main()
