"""The published texts nearest to the bundled ones, for a person to look at.

The published collections are those of WINOGLOT_DATA, in any format that Winoglot reads. Nearness is that of
`winoglot check --against`: the share of words and word pairs that two texts have in common, candidates and pronoun
masked. A high one is no proof of copying, and a low one no proof of originality: the pairs are printed to be read.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path
from statistics import median

import winoglot as wg
from winoglot.checks.similarity import LEAST_LISTED, best_per_schema, comparable, compared_texts, similar_pairs
from winoglot.loading import load_folder

_SHOWN = 12


def main() -> None:
    """Print the nearest pairs of each language."""
    folder = os.environ.get("WINOGLOT_DATA")
    if not folder:
        print("WINOGLOT_DATA names no folder with collections: nothing to measure")
        return
    others = [collection for _, collection in load_folder(Path(folder) / "collections").collections]
    for language, collection in wg.load_all("winoglot").items():
        start = time.perf_counter()
        theirs = [one for other in comparable(collection, others) for one in compared_texts(other)]
        if not theirs:
            print(f"{language}: nothing published at hand")
            continue
        pairs = sorted(
            best_per_schema(similar_pairs(compared_texts(collection), theirs, LEAST_LISTED)),
            key=lambda pair: -pair.share,
        )
        shares = [pair.share for pair in pairs] + [0.0] * (len(collection.schemas) - len(pairs))
        print(
            f"\n{language}: {len(collection.schemas)} schemas, {len({one.text for one in theirs}):,} published texts; "
            f"share median {median(shares):.2f}, largest {max(shares):.2f}; {time.perf_counter() - start:.1f} s"
        )
        for pair in pairs[:_SHOWN]:
            print(f"  {pair.share:.2f}  {pair.one.item.id}: {pair.one.text}\n        {pair.other.text}")


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    main()
