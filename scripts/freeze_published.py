"""Write src/winoglot/formats/published.txt: hashes of the sentences of published collections, to recognise them by.

Usage: python scripts/freeze_published.py FOLDER, with the files named below in FOLDER.
"""

import sys
from pathlib import Path

import winoglot as wg
from winoglot.formats.published import DIGITS, hashes_of

MOST = 200  # hashes of a collection
TARGET = Path(wg.__file__).parent / "formats" / "published.txt"
LANGUAGES = ("en", "fr", "ja", "pt", "ru", "zh")
FILES = {
    "wsc": [("wsc273.txt", None), ("perturbed_wsc_pairs_to_71.tsv", None)],
    "pdp": [("PDP.txt", None)],
    "dpr": [("dpr_train.txt", None), ("dpr_test.txt", None)],
    "winogender": [("WinoGender.txt", None)],
    "winogrande": [("winogrande/dev.jsonl", None), ("winogrande/train_l.jsonl", None)],
    **{f"xwinograd-{language}": [("xwinograd.tsv", language)] for language in LANGUAGES},
    **{f"pws-{language}": [("pws.tsv", language)] for language in LANGUAGES},
    "portuguese": [(f"portuguese_wsc{suffix}", None) for suffix in (".html", "_portuguese_names.html", ".json")],
}


def main(folder: Path) -> None:
    """One line per collection: name, limit, hashes."""
    lines = ["# Made by scripts/freeze_published.py: name, limit, hashes of the sentences below the limit."]
    for name, parts in FILES.items():
        loaded = [wg.load(folder / file, language=language, overlay="none") for file, language in parts]
        found = sorted({one for collection in loaded for item in collection.items for one in hashes_of(item)})
        limit = found[MOST] if len(found) > MOST else "g" * DIGITS  # greater than any hash
        lines.append(f"{name} {limit} {''.join(one for one in found if one < limit)}")
    TARGET.write_text("\n".join(lines) + "\n", encoding="ascii")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
