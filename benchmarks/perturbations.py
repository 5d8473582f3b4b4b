"""For how many schemas a language's rules produce, propose or refuse each of the seven kinds, and why.

Run from the repository root: `python benchmarks/perturbations.py [COLLECTION …] [--kind K,…] [--show]`, by default for
the bundled collections. Variants of these kinds that a collection has are ignored, so that the rules are tried on all
its schemas. `--half odd` or `--half even` takes every other schema: write rules on one half, judge them on the other.
For gender, the share among schemas whose candidates are first names or people is printed too, since things have no sex.
`--reasons N` prints the N most frequent reasons, with `--grouped` whatever words they are about.
With `--show` the results themselves are listed, to be read: P produced, ? proposed, - impossible.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import winoglot as wg
from winoglot import registry
from winoglot.languages.lexicon import lexicon
from winoglot.languages.names import is_name
from winoglot.perturb.base import with_variants
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from winoglot.perturb.base import Derived
    from winoglot.schemas.model import Collection, Schema

KINDS = ("tense", "number", "gender", "voice", "relative", "adverb", "synonym")
BUNDLED = ("winoglot-en", "winoglot-pt", "winoglot-fr", "winoglot-zh")


def main() -> None:
    """Print one line per collection and kind."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("collections", nargs="*", default=BUNDLED)
    parser.add_argument("--language", help="of a file in several languages")
    parser.add_argument("--kind", default=",".join(KINDS), help="kinds, separated by commas")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--half", choices=("odd", "even"), help="take every other schema")
    parser.add_argument("--show", action="store_true", help="list the results")
    parser.add_argument("--reasons", type=int, default=3, help="how many reasons to print")
    parser.add_argument("--grouped", action="store_true", help="count reasons apart from the words they quote")
    arguments = parser.parse_args()
    for source in arguments.collections:
        collection = plain(wg.load(source, language=arguments.language), arguments.half)
        print(f"{Path(source).name}: {len(collection.schemas)} schemas")
        for kind in arguments.kind.split(","):
            among = {schema.id for schema in collection.schemas}
            plugin = registry.load("perturbations", kind)
            derived = with_variants(collection, kind, plugin.perturb, among, arguments.seed)
            print_counts(derived, kind, arguments.reasons, grouped=arguments.grouped)
            if arguments.show:
                print_results(derived, kind)


def plain(collection: Collection, half: str | None = None) -> Collection:
    """The collection, or every other schema of it, as if its author had written no variants of these kinds."""
    kept = collection.schemas[{"even": 0, "odd": 1}[half] :: 2] if half else collection.schemas
    bare = (replace(one, variants=tuple(v for v in one.variants if v.kind not in KINDS), impossible=()) for one in kept)
    return replace(collection, schemas=tuple(bare))


def is_about_people(schema: Schema) -> bool:
    """Whether all candidates are first names where the text mentions them, or nouns that a table has as people."""
    item = schema.items[0]
    tables = [lexicon(item.language, name) for name in ("vocabulary", "nouns")]
    nouns = frozenset().union(*(table.words("human") | table.words("person") for table in tables))
    return all(
        any(word in nouns for word in folded(one.text).split())
        or (one.mentions and all(is_name(mention.of(item.text or ""), item.language) for mention in one.mentions))
        for one in item.candidates
    )


def print_counts(derived: Derived, kind: str, count: int, *, grouped: bool) -> None:
    """How many schemas have a variant, a proposal or neither, with the most frequent reasons."""
    total = len(derived.collection.schemas) or 1
    proposed, refused = len(derived.proposed), len(derived.refused)
    produced = total - proposed - refused
    shares = f"{produced / total:4.0%} produced, {proposed / total:4.0%} proposed, {refused / total:4.0%} impossible"
    print(f"  {kind:9} {shares}")
    if kind == "gender":
        people = [schema for schema in derived.collection.schemas if is_about_people(schema)]
        made = sum(kind in schema.kinds for schema in people)
        print(f"{'':12}of {len(people)} schemas about people, {made / (len(people) or 1):.0%} produced")
    reasons = [*derived.refused.values(), *(one.reason for one in derived.proposed.values())]
    if grouped:
        reasons = [re.sub(r"(['\"])(?!s ).*?\1(?!\w)", "…", reason) for reason in reasons]
    for reason, times in Counter(reasons).most_common(count):
        print(f"{times:>14}  {reason}")


def print_results(derived: Derived, kind: str) -> None:
    """Every schema with its variants, or the reason why it has none."""
    for schema in derived.collection.schemas:
        proposal = derived.proposed.get(schema.id)
        made = proposal.variants if proposal else [one for one in schema.variants if one.kind == kind]
        if not made:
            print(f"  - {schema.id}: {schema.items[0].text}\n        {derived.refused[schema.id]}")
            continue
        print(f"  {'?' if proposal else 'P'} {schema.id}: {schema.items[0].text}")
        for variant in made:
            print(f"        {variant.text}  [{' | '.join(candidate.text for candidate in variant.candidates)}]")
        if proposal:
            print(f"        ({proposal.reason})")


if __name__ == "__main__":
    main()
