"""How many readings the grammars derive: on the lists of sentences with expected readings, and on real collections.

Run from the repository's root: `python benchmarks/grammar.py [LIST …]` for the lists (their failures are shown), or
`--real` for the collections that WINOGLOT_DATA names and the bundled ones, by kind of pronoun.
"""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from importlib import import_module
from pathlib import Path

import winoglot as wg
from winoglot.languages.base import function_words
from winoglot.languages.pronouns import pronoun_fault

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
LISTS = import_module("sentence_lists")


def score(name: str) -> None:
    """Print how many sentences of a list come out as expected, and those that do not."""
    listed = LISTS.sentences(name)
    right = 0
    for sentence in listed:
        derived = sentence.derived()
        if derived == sentence.expected:
            right += 1
            continue
        print(f"{sentence.name} ({sentence.covers})")
        for want, got, reason in zip(sentence.expected, derived, sentence.reasons(), strict=True):
            if want != got:
                print(f"  expected  {want or 'not derived'}\n  derived   {got or 'not derived'}  [{reason}]")
    wrong = sum(
        any(got is not None and got != want for want, got in zip(s.expected, s.derived(), strict=True)) for s in listed
    )
    print(f"{name}: {right} of {len(listed)} as expected, {wrong} with a wrong reading")


def coverage(collection: wg.Collection) -> None:
    """Print the share of derived items by pronoun; items whose marked word is no pronoun are counted apart."""
    derived: Counter[str] = Counter()
    total: Counter[str] = Counter()
    misses = 0
    reasons: Counter[str] = Counter()
    words = function_words(collection.language)
    for item in collection.items:
        if item.text is None or item.pronoun is None:
            continue
        made = wg.readings(item, style="grammatical")
        surface = item.pronoun.of(item.text).lower() or "(none)"
        if item.pronoun_form != "word" or pronoun_fault(item.text, item.pronoun, (), words):
            misses += 1
            surface = "(mis-marked)"
        total[surface] += 1
        derived[surface] += all(reading.derived for reading in made)
        reasons.update({reading.reason for reading in made if not reading.derived})
    count, done = sum(total.values()), sum(derived.values())
    print(
        f"{collection.name} ({collection.language}): {done} of {count} items derived ({done / count:.1%}), "
        f"{done} of {count - misses} whose pronoun is marked as one ({done / max(1, count - misses):.1%})"
    )
    print(
        "   "
        + ", ".join(f"{form} {derived[form]}/{total[form]}" for form in sorted(total, key=lambda form: -total[form]))
    )
    for reason, number in reasons.most_common(12):
        print(f"   not derived {number}: {reason}")


def speed() -> None:
    """Print the time for 10,000 items' readings, beside reading them naively."""
    folder = os.environ.get("WINOGLOT_DATA")
    public = Path(folder) / "collections" / "xwinograd.tsv" if folder else None
    codes = ("pt", "fr", "en", "zh")
    collections = [wg.load(str(public), language=code) if public else wg.load(f"winoglot-{code}") for code in codes]
    items = [item for collection in collections for item in collection.items]
    print(f"{len(items)} items, repeated")
    many = (items * (10_000 // len(items) + 1))[:10_000]
    for item in items[::50]:
        wg.readings(item, style="grammatical")  # word lists are read once
    for style in ("naive", "grammatical"):
        start = time.perf_counter()
        for item in many:
            wg.readings(item, style=style)
        print(f"10,000 items, {style}: {time.perf_counter() - start:.2f} s")


def main(arguments: list[str]) -> None:
    """Lists by default; `--real` and `--speed` for the rest."""
    if "--real" in arguments:
        folder = os.environ.get("WINOGLOT_DATA")
        bundled = list(wg.load_all("winoglot").values())
        real = []
        if folder:
            public = Path(folder) / "collections"
            real = [wg.load(str(public / "portuguese_wsc.html"))]
            real += [wg.load(str(public / "xwinograd.tsv"), language=code) for code in ("pt", "fr", "en", "zh")]
        else:
            print("only the bundled ones: set WINOGLOT_DATA to a folder of public collections")
        for collection in (*real, *bundled):
            coverage(collection)
    elif "--speed" in arguments:
        speed()
    else:
        for name in arguments or LISTS.names():
            score(name)


if __name__ == "__main__":
    main(sys.argv[1:])
