"""How varied a collection is: kinds of knowledge, lengths, connectives, crutches, names.

Run from the repository root: `python benchmarks/variety.py [COLLECTION …]`, by default for the bundled ones. The word
lists for nine languages and the schemas of each template are in variety.yaml. Prints one row per measure, with its
limit and one column per collection. A value that does not meet its limit is marked with an asterisk, and the exit code
is then 1. Shares are of schemas, except those of crutches, which are of items.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import yaml

import winoglot as wg
from winoglot.cli.console import print_rows
from winoglot.languages.text import sentences
from winoglot.metrics.subsets import SHORT
from winoglot.schemas.model import Adaptation
from winoglot.schemas.statistics import tag_groups
from winoglot.schemas.text import primary, word_count

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

WORDS = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
CONNECTIVES: dict[str, list[str]] = WORDS["connectives"]
CRUTCHES: dict[str, dict[str, str]] = WORDS["crutches"]
TEMPLATES: dict[str, list[str]] = WORDS["templates"]


def share(collection: wg.Collection, holds: Callable[[wg.Schema], bool]) -> float:
    """The share of schemas for which something holds."""
    return sum(map(holds, collection.schemas)) / len(collection.schemas)


def knows(group: str, schema: wg.Schema) -> bool:
    """Whether a schema has a tag of a group."""
    return not set(tag_groups()[group]).isdisjoint(schema.tags)


def is_short(schema: wg.Schema) -> bool:
    """Whether every alternative is one sentence of at most 20 words."""
    texts = [item.text or "" for item in schema.items]
    language = schema.items[0].language
    return all(word_count(text) <= SHORT and len(sentences(text, language)) == 1 for text in texts)


def connectives(collection: wg.Collection) -> Counter[str]:
    """How many schemas have each connective before the pronoun, in the same sentence."""
    language = primary(collection.language)
    left, right = ("", "") if language in ("zh", "ja") else (r"(?<!\w)", r"(?:(?<=')|(?!\w))")
    counts: Counter[str] = Counter()
    for schema in collection.schemas:
        before = schema.items[0].parts[0]
        clause = sentences(before, language)[-1].lower() if before.strip() else ""
        counts.update(one for one in CONNECTIVES[language] if re.search(f"{left}(?:{one}){right}", clause))
    return counts


def crutches(collection: wg.Collection) -> dict[str, list[str]]:
    """For each crutch, the ids of the items that use it."""
    return {
        name: [item.id for item in collection.items if re.search(pattern, item.text or "", re.IGNORECASE)]
        for name, pattern in CRUTCHES[primary(collection.language)].items()
    }


def candidates(collection: wg.Collection) -> Counter[str]:
    """How many schemas each candidate is used in."""
    return Counter(text for one in collection.schemas for text in {c.text for i in one.items for c in i.candidates})


def templates(collection: wg.Collection) -> Counter[str]:
    """How many schemas repeat each template."""
    ids = {schema.parallel_id for schema in collection.schemas}
    return Counter({name: len(ids.intersection(members)) for name, members in TEMPLATES.items()})


def measures(collection: wg.Collection) -> dict[str, tuple[float, str, bool]]:
    """For each measure, by name: its value, its limit as text, and whether the limit is met."""
    schemas = len(collection.schemas)
    social, order = (share(collection, partial(knows, group)) for group in ("social", "order"))
    unlike = sum("unlike" in schema.tags for schema in collection.schemas)
    short = sum(map(is_short, collection.schemas))
    template = max(templates(collection).values())
    frame = max(connectives(collection).values(), default=0) / schemas
    name = max(candidates(collection).values())
    found: dict[str, tuple[float, str, bool]] = {
        "schemas": (schemas, "≥ 160", schemas >= 160),
        "social or psychological": (social, "≥ 40%", social >= 0.40),
        "time, space, comparison, transfer": (order, "≤ 35%", order <= 0.35),
        "two unlike things": (unlike, "≥ 30", unlike >= 30),
        "one short sentence": (short, "≥ 50", short >= 50),
        "the commonest connective": (frame, "≤ 15%", frame <= 0.15),
        "schemas that share one name or noun": (name, "≤ 3", name <= 3),
        "schemas of one template": (template, "≤ 8", template <= 8),
    }
    for adaptation in get_args(Adaptation):
        found[f"adaptation: {adaptation}"] = (sum(s.adaptation == adaptation for s in collection.schemas), "", True)
    for crutch, ids in crutches(collection).items():
        part = len(ids) / len(collection.items)
        found[f"crutch: {crutch}"] = (part, "≤ 5%", part <= 0.05)
    return found


def main(names: Sequence[str]) -> int:
    """Print the table; return 1 if a limit is not met."""
    collections = [wg.load(name) for name in names] or list(wg.load_all("winoglot").values())
    for collection in collections:
        if primary(collection.language) not in CRUTCHES:
            sys.exit(f"{collection.name}: there are word lists for {', '.join(CRUTCHES)} only")
    columns = {collection.name: measures(collection) for collection in collections}
    rows = []
    for measure, (_, limit, _) in next(iter(columns.values())).items():
        row: dict[str, object] = {"": measure, "limit": limit}
        for name, found in columns.items():
            value, _, kept = found[measure]
            row[name] = (f"{value:.1%}" if "%" in limit else f"{value:g}") + ("" if kept else " *")
        rows.append(row)
    print_rows(rows)
    return int(any(not kept for found in columns.values() for _, _, kept in found.values()))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("collections", nargs="*", metavar="COLLECTION", help="instead of the bundled ones")
    sys.exit(main(parser.parse_args().collections))
