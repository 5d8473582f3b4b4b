"""Contamination of a model: English Winograd schemas in WINOGLOT_DATA against the bundled English collection.

Prints what `winoglot analyse --contamination` prints; two cores need about half an hour for the default model.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import winoglot as wg
from winoglot.cli.console import print_rows
from winoglot.report.analysis import contamination_tests

FILES = ("perturbed_wsc.tsv", "perturbed_wsc_pairs_to_71.tsv")  # the texts as published: wsc273.txt has gaps


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="gemma-3-270m")
    parser.add_argument("--collection", help="a file or a bundled collection, instead of that in WINOGLOT_DATA")
    parser.add_argument("--schemas", type=int, help="only the first N schemas, which keep their order")
    parser.add_argument("--precision", default="float32")
    chosen = parser.parse_args()
    folder = Path(os.environ.get("WINOGLOT_DATA", "."))
    found = (
        [chosen.collection]
        if chosen.collection
        else [str(folder / name) for name in FILES if (folder / name).is_file()]
    )
    if not found:
        sys.exit(f"{folder} has none of {', '.join(FILES)}: set WINOGLOT_DATA, or name a --collection")
    published = wg.load(found[0], language="en")[: chosen.schemas]
    analysis = wg.contamination(published, chosen.model, precision=chosen.precision)
    print(published)
    print_rows(contamination_tests(analysis))
    for row in analysis.rows:
        numbers = "".join(f", {name} = {value:.4f}" for name, value in row.numbers.items() if value is not None)
        print(f"{row.quantity} ({row.parts['texts']}): {row.estimate}{numbers}")
    print(f"{analysis.seconds['contamination']:.0f} s")


if __name__ == "__main__":
    main()
