"""Compare switched Portuguese items with the published switched sentences.

Needs WINOGLOT_DATA. Each published sentence is compared with the naive and the grammatical reading of the switched
item, ignoring case and articles before names; those that equal neither are printed.
"""

from __future__ import annotations

import argparse
import json
import os
import re
from pathlib import Path

import winoglot as wg


def plain(text: str) -> str:
    """The text without case, articles before names and the final full stop, which the comparison ignores."""
    loose = re.sub(r"\b([dnD])[oa] (?=[A-Z])", lambda m: {"d": "de ", "n": "em "}[m.group(1).lower()], text)
    return re.sub(r"\b[oaOA] (?=[A-Z])", "", loose).lower().removesuffix(".")


def main() -> None:
    """Print how many are equal, and those that are not."""
    folder = os.environ.get("WINOGLOT_DATA")
    if not folder:
        print("not run: set WINOGLOT_DATA to a folder of public collections")
        return
    public = Path(folder) / "collections"
    rows = {row["question_id"]: row for row in json.loads((public / "portuguese_wsc.json").read_text(encoding="utf-8"))}
    counts = {"naive": 0, "grammatical": 0, "either": 0}
    total = 0
    for item in wg.load(str(public / "portuguese_wsc.html")).items:
        row = rows[int(item.source.id)] if item.source and item.source.id else None
        if row is None or not row["is_switchable"]:
            continue
        total += 1
        wanted = [plain(row["correct_switched"]), plain(row["incorrect_switched"])]
        try:
            switched = wg.switch(item)
        except wg.InputError as error:
            print(f"{row['question_id']}: {error.message}")
            continue
        right = 1 - (item.answer or 0)
        equal = {}
        for style in ("naive", "grammatical"):
            texts = [plain(reading.text) for reading in wg.readings(switched, style)]
            equal[style] = [texts[right], texts[1 - right]] == wanted
            counts[style] += equal[style]
        counts["either"] += any(equal.values())
        if not any(equal.values()):
            made = wg.readings(switched, "grammatical")[right].text
            print(f"{row['question_id']}:\n  made       {made}\n  published  {row['correct_switched']}")
    for style, count in counts.items():
        print(f"{style}: {count} of {total} equal ({count / total:.1%})")


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    main()
