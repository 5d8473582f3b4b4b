"""How varied a collection is: kinds of knowledge, lengths, connectives, crutches, names.

Run from the repository root: `python benchmarks/variety.py [COLLECTION …]`, by default for the bundled ones; word lists
exist for English, Portuguese, French and Chinese. Prints one row per measure with its limit and one column per
collection; a value that does not meet its limit is marked with an asterisk, and the exit code is then 1. Shares are of
schemas, except those of crutches, which are of items.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

import winoglot as wg
from winoglot.cli.console import print_rows
from winoglot.languages.text import sentences
from winoglot.metrics.subsets import SHORT
from winoglot.schemas.statistics import tag_groups
from winoglot.schemas.text import primary, word_count

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

# What links the pronoun's clause to what stands before it, one frame per meaning, in the same order in every language:
# because, so, but, although, when, while, until, before, after, if.
CONNECTIVES = {
    "en": [
        "because|since(?! then)|(?<=[,;] )as(?! soon| long)",
        "so|therefore|which is why",
        "but|yet|however",
        "although|though|even if",
        "when|whenever|once|as soon as",
        "while",
        "until|till",
        "before",
        "after",
        "if|unless",
    ],
    "pt": [
        "porque|pois|já que|uma vez que|visto que",
        "por isso|(?<!desde )(?<!até )então|portanto|de modo que|de forma que",
        "mas|porém|no entanto",
        "embora|apesar|mesmo que|ainda que",
        "quando|assim que|sempre que|logo que|cada vez que",
        "enquanto",
        "até",
        "antes",
        "depois|após",
        "^se|caso",
    ],
    "fr": [
        "parce qu[e']|car|puisqu[e']|vu qu[e']",
        "donc|alors(?! qu)|si bien qu[e']|de sorte qu[e']|c'est pourquoi",
        "mais|pourtant|cependant",
        "bien qu[e'](?<!si bien qu.)|quoiqu[e']|même si|alors qu[e']",
        "quand|lorsqu[e']|dès qu[e']|chaque fois qu[e']|une fois",
        "pendant qu[e']|tandis qu[e']",
        "jusqu[e']",
        "avant",
        "après",
        "si(?! bien qu)|s'ils?",
    ],
    "zh": [
        "因为|由于|既然|毕竟",
        "所以|于是|因此|结果",
        "但|可是|不过|却|然而",
        "虽然|尽管|即使|哪怕",
        "的时候|(?<!小)时，|每当|每次",
        "一边|同时",
        "直到",
        "之前|以前",
        "之后|以后|后，|后来",
        "如果|要是|的话|只要",
    ],
}
# Words that make an answer unique by force, in items of which they should be rare.
CRUTCHES = {
    "en": {
        "the other": r"\bthe other\b(?! day)",
        "only": r"\bonly\b",
        "cleft": r"\b(?:it (?:was|is)|it's) (?:he|she|him|her|they|them) (?:who|that)\b",
        "so": r"(?:^|[,;] )so\b(?! (?:that|much|many|far|long))|\b(?:therefore|which is why)\b",
    },
    "pt": {
        "the other": r"\b(?:o|a|d[oa]|n[oa]|ao|pel[oa]|à) outr[oa]\b",
        "only": r"\b(?:só|somente|apenas)\b",
        "cleft": r"\b(?:é|era|foi|fica|será) (?:el[ea]s?|dela|dele) (?:que|quem)\b",
        "so": r"\b(?:portanto|por isso|por conseguinte|logo,)",
    },
    "fr": {
        "the other": r"\bl'autre\b",
        "only": r"\b(?:seulement|seule?s?)\b|\bn(?:e |')\w+ que\b",
        "cleft": r"\b(?:c'est|c'était|ce fut) (?:lui|elle|eux|elles|à lui|à elle)\b",
        "so": r"\b(?:donc|par conséquent|si bien que|du coup)\b",
    },
    "zh": {
        "the other": "对方|另一个|另外一个|另一位|另一名",
        "only": "(?<![那一两这几哪每])只(?!要|好|得|见)|仅仅|唯一",  # but not the measure word of animals
        "cleft": "是[他她它][^，。]{1,12}的[，。]",
        "so": "所以|因此|于是",
    },
}


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
    """How many schemas have each connective in the sentence of their pronoun, before it."""
    language = primary(collection.language)
    left, right = ("", "") if language == "zh" else (r"(?<!\w)", r"(?:(?<=')|(?!\w))")
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


def written_first(collections: Sequence[wg.Collection], collection: wg.Collection) -> int:
    """How many schemas were written first in the collection's language: the other languages name it as their source."""
    others = [other for other in collections if other is not collection]
    sources = [{s.id: s.source.collection for s in other.schemas if s.source} for other in others]
    own = [schema.id for schema in collection.schemas if schema.source is None]
    return sum(all(source.get(one) == collection.name for source in sources) for one in own)


def measures(collection: wg.Collection, collections: Sequence[wg.Collection]) -> dict[str, tuple[float, str, bool]]:
    """By name: the value, its limit in words, and whether the limit is met."""
    schemas = len(collection.schemas)
    social, order = (share(collection, partial(knows, group)) for group in ("social", "order"))
    unlike = sum("unlike" in schema.tags for schema in collection.schemas)
    short = sum(map(is_short, collection.schemas))
    first = written_first(collections, collection)
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
    }
    if len(collections) > 1:
        found["new, written first here"] = (first, "≥ 20", first >= 20)
    for crutch, ids in crutches(collection).items():
        part = len(ids) / len(collection.items)
        found[f"crutch: {crutch}"] = (part, "≤ 5%", part <= 0.05)
    return found


def main(names: Sequence[str]) -> int:
    """Print the table; 1 if a limit is not met."""
    collections = [wg.load(name) for name in names] or list(wg.load_all("winoglot").values())
    for collection in collections:
        if primary(collection.language) not in CRUTCHES:
            sys.exit(f"{collection.name}: there are word lists for {', '.join(CRUTCHES)} only")
    columns = {collection.name: measures(collection, collections) for collection in collections}
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
