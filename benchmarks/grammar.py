"""How many readings the grammars derive, on test sentences with expected readings and on real collections.

Run from the repository root: `python benchmarks/grammar.py [LIST …]` for the test sentences (failures are shown), or
`--real` for the collections in WINOGLOT_DATA and the bundled ones, by pronoun type; `--sample N` prints N random
derived items of each for inspection.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections import Counter
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import winoglot as wg
from winoglot.cli.console import print_rows
from winoglot.examples import pronoun_type
from winoglot.languages.base import function_words
from winoglot.languages.pronouns import pronoun_fault
from winoglot.schemas.bundled import bundled
from winoglot.schemas.text import primary

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
LISTS = import_module("sentence_lists")


def score(name: str) -> None:
    """Print how many sentences of a list are derived as expected, and those that are not."""
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


TYPES = ("subject", "object", "possessive", "prepositional", "other")
HARD = ("object", "possessive", "prepositional")
# The pronoun type that a rule implies for ambiguous forms, such as Brazilian "ele", which may be an object.
TYPE_OF_RULE = {
    "subject of infinitive": "subject",
    "singular they": "subject",
    "proclitic": "object",
    "enclitic": "object",
    "dative": "object",
    "preposition": "prepositional",
    "quantity": "prepositional",
}


def type_of(item: wg.Item, rule: str) -> str:
    """The pronoun type: by the author's tag or its form, otherwise by the rule that replaced it."""
    told = pronoun_type(item)
    if told is not None and (told in HARD or told in item.tags):
        return told
    by_rule = TYPE_OF_RULE.get(rule, rule)
    return next(
        (name for name in (by_rule, told) if name in TYPES), "other"
    )  # English "it" and Chinese 他 may be of any type


def derived_items(collection: wg.Collection) -> list[tuple[wg.Item, list[wg.Reading], str]]:
    """The items with a marked pronoun, each with the readings derived by grammar alone and the pronoun type."""
    bare = [replace(item, readings=(), phrase=None) for item in collection.items if item.text is not None]
    made = [(item, wg.readings(item, style="grammatical")) for item in bare]
    return [(item, some, type_of(item, next((r.rule for r in some if r.derived), ""))) for item, some in made]


def is_marked(item: wg.Item) -> bool:
    """Whether the marked span is a spoken pronoun that can refer to something."""
    if item.text is None or item.pronoun is None or item.pronoun_form != "word":
        return False
    return pronoun_fault(item.text, item.pronoun, (), function_words(item.language)) is None


def share(part: int, whole: int) -> str:
    """A share, as text."""
    return f"{part} of {whole} ({part / whole:.1%})" if whole else "–"


def coverage(collection: wg.Collection) -> dict[str, object]:
    """Items for which the grammar derives all readings, by pronoun type; prints why the others are not derived.

    Items whose marked word is not a pronoun count as not derived, and are also counted separately.
    """
    total: Counter[str] = Counter()
    derived: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    marked: list[bool] = []  # for each item with a pronoun that is marked and spoken, whether it is derived
    for item, made, type_ in derived_items(collection):
        total[type_] += 1
        is_derived = all(reading.derived for reading in made)
        derived[type_] += is_derived
        reasons.update({reading.reason for reading in made if not reading.derived})
        marked += [is_derived] if is_marked(item) else []
    print(f"{collection.name} ({collection.language}), not derived:" + (" nothing" if not reasons else ""))
    for reason, number in reasons.most_common(12):
        print(f"   {number}: {reason}")
    return {
        "collection": collection.name,
        **{name: share(derived[name], total[name]) for name in TYPES},
        "all": share(derived.total(), total.total()),
        "marked as pronouns": share(sum(marked), len(marked)),
    }


def hard_share(several: list[wg.Collection], language: str) -> str:
    """How many items of a language whose pronoun is not a subject are derived."""
    made = [one for c in several if primary(c.language) == language for one in derived_items(c) if one[2] in HARD]
    return share(sum(all(reading.derived for reading in some) for _, some, _ in made), len(made))


def sample(collection: wg.Collection, number: int) -> None:
    """Print random derived items (with a fixed seed), each with its type and readings, the insertion in { }."""
    made = [one for one in derived_items(collection) if all(reading.derived for reading in one[1])]
    for item, some, type_ in random.Random(7).sample(made, min(number, len(made))):
        print(f"{collection.name} {item.id} {type_}\n    {item.text}")
        for reading in some:
            print(f"    {reading.before}{{{reading.inserted}}}{reading.after}")


def speed() -> None:
    """Print the processor time for the readings of 10,000 items, grammatical and naive."""
    folder = os.environ.get("WINOGLOT_DATA")
    public = Path(folder) / "collections" / "xwinograd.tsv" if folder else None
    codes = ("pt", "fr", "en", "zh")
    source = str(public) if public else "winoglot-{code}"
    collections = [wg.load(source.format(code=code), language=code, overlay="none") for code in codes]
    items = [item for collection in collections for item in collection.items]
    print(f"{len(items)} items, repeated")
    many = (items * (10_000 // len(items) + 1))[:10_000]
    for item in items[::50]:
        wg.readings(item, style="grammatical")  # word lists are read once
    for style in ("naive", "grammatical"):
        start = time.process_time()
        for item in many:
            wg.readings(item, style=style)
        print(f"10,000 items, {style}: {time.process_time() - start:.2f} s")


def collections() -> list[wg.Collection]:
    """The public collections in WINOGLOT_DATA, if any, and the bundled ones."""
    folder = os.environ.get("WINOGLOT_DATA")
    own = list(wg.load_all("winoglot").values())
    if not folder:
        print("bundled collections only: set WINOGLOT_DATA to a folder of public collections for more")
        return own
    public = Path(folder) / "collections"
    codes = ("pt", "fr", "en", "zh", "ja", "ru")
    xwinograd = [wg.load(public / "xwinograd.tsv", language=code, overlay="none") for code in codes]
    return [wg.load(public / "portuguese_wsc.html", overlay="none"), *xwinograd, *own]


def main() -> None:
    """Score the lists by default; see the options for the rest."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lists", nargs="*", metavar="LIST", help=f"of {', '.join(LISTS.names())}; else all")
    parser.add_argument("--real", action="store_true", help="print how much is derived in real collections")
    parser.add_argument("--sample", type=int, metavar="N", help="print N derived items of each real collection")
    parser.add_argument("--speed", action="store_true", help="print the time for 10,000 items")
    arguments = parser.parse_args()
    for name in set(arguments.lists).difference(LISTS.names()):
        parser.error(f"unknown list {name!r}")
    if arguments.speed:
        speed()
    elif arguments.sample:
        for collection in collections():
            sample(collection, arguments.sample)
    elif arguments.real:
        several = collections()
        print_rows([coverage(collection) for collection in several])
        real = [collection for collection in several if collection.name not in bundled()]
        for language in ("pt", "fr") if real else ():
            told = hard_share(real, language)
            print(f"{language}, public collections, object, possessive and prepositional pronouns (target 70%): {told}")
    else:
        for name in arguments.lists or LISTS.names():
            score(name)


if __name__ == "__main__":
    main()
