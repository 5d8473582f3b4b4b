"""The published texts most similar to the bundled ones, for a person to inspect.

The published collections are those in WINOGLOT_DATA, in any format that Winoglot reads. Similarity is that of
`winoglot check --against`: the share of words and word pairs that two texts have in common, with candidates and pronoun
masked. A high value does not prove copying, and a low one does not prove originality: read the printed pairs. The exit
code is 1 if a bundled text shares more than 30%.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from statistics import median

import winoglot as wg
from winoglot.checks.similarity import LEAST_LISTED, best_per_schema, comparable, compared_texts, similar_pairs
from winoglot.loading import load_folder

_SHOWN, _MOST = 12, 0.30


def main() -> int:
    """Print the most similar pairs for each language; 1 if one is too similar."""
    folder = os.environ.get("WINOGLOT_DATA")
    if not folder:
        print("nothing to measure: set WINOGLOT_DATA to a folder with collections")
        return 0
    largest = 0.0
    others = [collection for _, collection in load_folder(Path(folder) / "collections").collections]
    for language, collection in wg.load_all("winoglot").items():
        start = time.perf_counter()
        theirs = [one for other in comparable(collection, others) for one in compared_texts(other)]
        if not theirs:
            print(f"{language}: no published collection found")
            continue
        pairs = sorted(
            best_per_schema(similar_pairs(compared_texts(collection), theirs, LEAST_LISTED)),
            key=lambda pair: -pair.share,
        )
        largest = max([largest, *(pair.share for pair in pairs)])
        shares = [pair.share for pair in pairs] + [0.0] * (len(collection.schemas) - len(pairs))
        print(
            f"\n{language}: {len(collection.schemas)} schemas, {len({one.text for one in theirs}):,} published texts; "
            f"median share {median(shares):.2f}, largest {max(shares):.2f}; {time.perf_counter() - start:.1f} s"
        )
        for pair in pairs[:_SHOWN]:
            print(f"  {pair.share:.2f}  {pair.first.item.id}: {pair.first.text}\n        {pair.other.text}")
    return int(largest > _MOST)


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    sys.exit(main())
