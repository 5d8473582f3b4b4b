"""How well overlap with training data is found: copies, near copies, translations, and collections that share nothing.

    WINOGLOT_DATA=/path/to/data python benchmarks/overlap.py

Prints, for pairs of published collections, how many items of the second overlap with the first and by which rule; how
many variants of the bundled collection are found by their words alone if a model was trained on the originals; how the
share of runs decides; the size and time of fingerprints; and what their compact form finds.
"""

from __future__ import annotations

import os
import sys
import time
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import winoglot as wg
from winoglot.models.base import TRAINED_ON, TRAINED_ON_COMPACT
from winoglot.runs import overlap as measured
from winoglot.runs.held_out import split, without_overlap
from winoglot.runs.overlap import Fingerprints, overlap
from winoglot.schemas.model import Collection, Item, Schema

if TYPE_CHECKING:
    from collections.abc import Iterable

SHARES = (0.3, 0.4, 0.5, 0.6, 0.7)
PAIRS = {
    "the same sentences": (
        ("wsc273", "xwinograd-en"),
        ("xwinograd-en", "wsc273"),
        ("wsc273", "english-json"),
        ("english-json", "wsc273"),
        ("wsc273", "perturbed"),
        ("dpr-train", "xwinograd-en"),
        ("portuguese-html", "xwinograd-pt"),
        ("portuguese-html", "portuguese-names"),
        ("portuguese-json", "portuguese-html"),
    ),
    "translations": (
        ("wsc273", "portuguese-html"),
        ("wsc273", "xwinograd-fr"),
        ("wsc273", "xwinograd-ru"),
        ("wsc273", "xwinograd-zh"),
        ("dpr-train", "xwinograd-ja"),
        ("xwinograd-fr", "xwinograd-pt"),
        ("winoglot-en", "winoglot-zh"),
    ),
    "nothing in common": (
        ("winogrande-l", "winogrande-dev"),
        ("winogrande-l", "dpr-test"),
        ("winogrande-l", "wsc273"),
        ("winogrande-l", "xwinograd-en"),
        ("winogrande-l", "pdp"),
        ("winogrande-l", "winogender"),
        ("winogrande-l", "portuguese-html"),
        ("winogrande-l", "winoglot-en"),
        ("dpr-train", "dpr-test"),
        ("dpr-train", "wsc273"),
        ("dpr-train", "winogrande-dev"),
        ("dpr-train", "portuguese-html"),
        ("xwinograd-en", "winoglot-en"),
        ("xwinograd-en", "winogender"),
        ("portuguese-html", "winoglot-pt"),
        ("xwinograd-fr", "winoglot-fr"),
        ("xwinograd-zh", "winoglot-zh"),
        ("winoglot-en", "xwinograd-en"),
        ("winoglot-pt", "portuguese-html"),
        ("winoglot-zh", "xwinograd-ja"),
    ),
}


def collections(folder: Path) -> dict[str, Collection]:
    """All that is compared, by a short name."""
    files = {
        "wsc273": "wsc273.txt",
        "english-json": "english_wsc.json",
        "perturbed": "perturbed_wsc_pairs_to_71.tsv",
        "pdp": "PDP.txt",
        "dpr-train": "dpr_train.txt",
        "dpr-test": "dpr_test.txt",
        "winogender": "WinoGender.txt",
        "winogrande-l": "winogrande/train_l.jsonl",
        "winogrande-dev": "winogrande/dev.jsonl",
        "portuguese-html": "portuguese_wsc.html",
        "portuguese-names": "portuguese_wsc_portuguese_names.html",
        "portuguese-json": "portuguese_wsc.json",
    }
    found = {name: wg.load(folder / file, overlay="none") for name, file in files.items()}
    for language in ("en", "fr", "ja", "pt", "ru", "zh"):
        found[f"xwinograd-{language}"] = wg.load(folder / "xwinograd.tsv", language=language, overlay="none")
    return found | {f"winoglot-{language}": wg.load(f"winoglot-{language}") for language in ("en", "pt", "fr", "zh")}


def compared(found: dict[str, Collection]) -> None:
    """Items of one collection that overlap with another, by rule."""
    fingerprints = {name: Fingerprints.of([found[name]]) for name in {a for pairs in PAIRS.values() for a, _ in pairs}}
    for title, pairs in PAIRS.items():
        print(f"\n{title}")
        for trained, asked in pairs:
            made = overlap(fingerprints[trained], found[asked])
            rules = ", ".join(f"{count} {rule}" for rule, count in made.rules.items())
            print(f"  {trained:16} → {asked:16} {made.count:5} of {made.items:5}  {rules}")


def anonymous(items: Iterable[Item], name: str) -> Collection:
    """A collection of these items alone under other ids, so that only words are left to recognise them by."""
    schemas = []
    for number, item in enumerate(items):
        fields = {key: getattr(item, key) for key in ("text", "pronoun", "candidates", "answer", "readings")}
        schemas.append(Schema(str(number), (Item(f"{number}.0", str(number), **fields),)))
    return Collection(name, next(iter(items)).language, tuple(schemas))


def variants(languages: Iterable[str]) -> None:
    """Variants recognised by words alone, by kind; and by schemas, as they are recognised in fact."""
    for language in languages:
        print(f"\nvariants of winoglot-{language} alone, trained on the originals, by their words alone")
        whole = wg.load(f"winoglot-{language}")
        seen = Fingerprints.of([anonymous(whole.items, "originals")])
        for kind in whole.kinds:
            made = overlap(seen, anonymous(whole.variants(kind), "variants"))
            print(f"  {kind:16} {made.count:4} of {made.items:4}")
        switched = wg.perturb(whole, "switched").variants("switched")
        made = overlap(seen, anonymous(switched, "variants"))
        print(f"  {'switched':16} {made.count:4} of {made.items:4}")


def shares(found: dict[str, Collection]) -> None:
    """What other shares of runs would find."""
    print(f"\nitems found as near copies, by the share of runs: {SHARES}")
    pairs = [("xwinograd-en", "wsc273"), ("winogrande-l", "winogrande-dev"), ("winogrande-l", "xwinograd-en")]
    whole = wg.load("winoglot-en")
    tried = {(a, b): (Fingerprints.of([found[a]]), found[b]) for a, b in pairs}
    for kind in ("adverb", "relative", "tense"):
        originals = Fingerprints.of([anonymous(whole.items, "originals")])
        tried["originals", kind] = (originals, anonymous(whole.variants(kind), "variants"))
    usual = measured.SHARE
    for (trained, asked), (seen, collection) in tried.items():
        counts = []
        for measured.SHARE in SHARES:
            counts.append(overlap(seen, collection).count)
        print(f"  {trained:14} → {asked:14} of {len(collection.items):4}: {counts}")
    measured.SHARE = usual


def splits(found: dict[str, Collection]) -> None:
    """Splits by schema, and training data without what overlaps with the test data."""
    print("\nsplits of WinoGrande (train_l): items for training and held out")
    for size in (160, 640, 2558, None):
        start = time.perf_counter()
        made = split([found["winogrande-l"]], held_out=0.05, size=size)
        counts = [sum(len(one.items) for one in part) for part in (made.train, made.held_out)]
        print(f"  train={size}: {counts}, {time.perf_counter() - start:.1f} s")
    kept = without_overlap(found["winogrande-l"], [found["winogrande-dev"]])
    left = overlap(Fingerprints.of([kept]), found["winogrande-dev"]).count
    print(f"  without what overlaps with dev: {len(kept.items)} items, {left} items of dev still overlap")


def sizes(found: dict[str, Collection]) -> None:
    """How large a file is, and how long it takes."""
    print("\nsize and time of fingerprints")
    for name in ("wsc273", "winogrande-l", "winoglot-en"):
        start = time.perf_counter()
        seen = Fingerprints.of([found[name]])
        made, start = time.perf_counter() - start, time.perf_counter()
        overlap(seen, found["xwinograd-en"])
        checked = time.perf_counter() - start
        with TemporaryDirectory() as folder:
            seen.save(Path(folder))
            size = (Path(folder) / TRAINED_ON).stat().st_size
        items = len(found[name].items) + len(found[name].variants())
        print(f"  {name}: {items} items and variants, {size / 1e6:.2f} MB, made in {made:.1f} s; 2,325 items ", end="")
        print(f"compared in {checked:.1f} s")


def compact(found: dict[str, Collection]) -> None:
    """What the form that packages have finds in all collections, beside the full one."""
    print("\ncompact fingerprints: size, and schemas of all other collections found by both forms, one form only")
    for name in ("wsc273", "dpr-train", "winogrande-l", "xwinograd-en", "portuguese-html", "winoglot-en"):
        full = Fingerprints.of([found[name]])
        with TemporaryDirectory() as folder:
            full.save_compact(Path(folder))
            size = (Path(folder) / TRAINED_ON_COMPACT).stat().st_size
            small = Fingerprints.load(Path(folder))
        assert small is not None
        both = only_full = only_small = 0
        for asked in (one for other, one in found.items() if other != name):
            by_full, by_small = ({one.schema_id for one in overlap(seen, asked).schemas} for seen in (full, small))
            both += len(by_full & by_small)
            only_full, only_small = only_full + len(by_full - by_small), only_small + len(by_small - by_full)
        print(f"  {name}: {size / 1e6:.2f} MB, {both} by both, {only_full} in full only, {only_small} compact only")


def main() -> None:
    """Print everything."""
    ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter).parse_args()
    data = os.environ.get("WINOGLOT_DATA")
    if not data:
        sys.exit("Set WINOGLOT_DATA to the folder that contains 'collections'.")
    found = collections(Path(data) / "collections")
    found = {name: replace(one, name=name) for name, one in found.items()}
    compared(found)
    variants(("en", "pt", "fr", "zh"))
    shares(found)
    splits(found)
    sizes(found)
    compact(found)


if __name__ == "__main__":
    main()
