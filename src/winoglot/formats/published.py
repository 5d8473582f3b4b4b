"""Published collections, recognised by their sentences: how to cite them, and which were made from which.

`published.toml` has the citations, `lineage.toml` the origins, `published.txt` hashes of sentences
(`scripts/freeze_published.py` makes it): all of a small collection, the smallest hashes of a large one. No sentence is
stored.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

from winoglot.schemas.hashing import digest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from winoglot.schemas.model import Collection, Item

DIGITS = 10  # of a hash
_FEWEST = 3  # sentences that must be known, or all of them
_SHARE = 0.2  # of the sentences that could be known: a file may hold more than what is known, or less
_NO_LETTERS = re.compile(r"[\W_]+")
_READ_FROM = re.compile(r"read from (.+?) \(sha256 ")  # in the provenance of an imported collection


@dataclass(frozen=True)
class KnownSentences:
    """Hashes of sentences; every hash below `limit` is known."""

    hashes: frozenset[str]
    limit: str

    def share(self, items: list[set[str]]) -> float:
        """The share of known items among those that could be known; 0 if they are too few to tell."""
        could_be = [hashes for hashes in items if min(hashes) < self.limit]
        recognised = sum(not self.hashes.isdisjoint(hashes) for hashes in could_be)
        return recognised / len(could_be) if recognised >= min(_FEWEST, len(items)) and could_be else 0.0


def citation_of(collection: Collection, format_name: str, path: Path | None = None) -> str | None:
    """How to cite a collection that was read from a file in this format; None if it is not a known one.

    A few are recognised by the name of the file or of a folder that it is in.

    >>> import winoglot as wg
    >>> citation_of(wg.load("winoglot-en"), "xwinograd") is None
    True
    """
    items = _hashed(collection)
    citations: list[tuple[bool, float, str]] = []
    for source in _table("published.toml").values():
        share = max((_sentences()[name].share(items) for name in source["sentences"]), default=0.0)
        names = source.get("names", []) if path and format_name in source["formats"] else []
        if path and any(_begins(part, name) for part in path.parts for name in names):
            share = 1.0
        if share >= _SHARE:
            citations.append((format_name in source["formats"], share, source["citation"]))
    return max(citations)[2] if citations else None


@lru_cache(maxsize=64)  # every model is evaluated on the same collections
def texts_in(collection: Collection) -> frozenset[str]:
    """The published texts, by their names in `lineage.toml`, of which the collection has at least some sentences.

    A few sentences are enough, whatever else a file has. What it is called, or was read from, counts too.

    >>> import winoglot as wg
    >>> texts_in(wg.load("winoglot-en"))
    frozenset()
    """
    items = _hashed(collection)
    titles = [collection.name, *(name for step in collection.provenance for name in _READ_FROM.findall(step))]
    return frozenset(
        name
        for name, entry in _table("lineage.toml").items()
        if (name in _sentences() and _sentences()[name].share(items))
        or any(_begins(title, published_name) for title in titles for published_name in entry["names"])
    )


def origins(texts: Iterable[str]) -> frozenset[str]:
    """What published texts were made from in the end; an independently written text is its own origin.

    >>> sorted(origins(["xwinograd-ja", "xwinograd-ru"]))
    ['dpr', 'pdp', 'wsc']
    """
    table = _table("lineage.toml")
    made_from = {name: table.get(name, {}).get("made_from", []) for name in texts}
    return frozenset(end for name, parents in made_from.items() for end in (origins(parents) if parents else [name]))


def _begins(name: str, published_name: str) -> bool:
    """Whether a name begins with a known one, as a word.

    >>> _begins("WSC273-en", "wsc273"), _begins("wsc2737", "wsc273")
    (True, False)
    """
    return re.match(rf"{re.escape(published_name)}(?![^\W_])", name, re.IGNORECASE) is not None


def _hashed(collection: Collection) -> list[set[str]]:
    return [hashes for item in collection.items if (hashes := set(hashes_of(item)))]


def hashes_of(item: Item) -> Iterator[str]:
    """Hashes of what an item says: the text without its pronoun, and whole; or its premises; or its readings.

    Letter case, spacing and punctuation do not count, and some files have a gap for the pronoun.
    """
    if item.text is not None:
        before, _, after = item.parts
        yield _hash(before + after)
        yield _hash(item.text)
        return
    yield from {_hash(inference.premise) for inference in item.inferences}
    yield from {_hash(reading.text) for reading in item.readings if reading}


def _hash(text: str) -> str:
    return digest(_NO_LETTERS.sub("", normalize("NFKC", text)).casefold())[:DIGITS]


@cache
def _table(name: str) -> dict[str, dict[str, Any]]:
    return tomllib.loads(files(__package__).joinpath(name).read_text(encoding="utf-8"))


@cache
def _sentences() -> dict[str, KnownSentences]:
    """One line per collection: its name, the limit and the hashes, sorted and written without spaces between them."""
    sentences = {}
    for line in files(__package__).joinpath("published.txt").read_text(encoding="ascii").splitlines():
        if not line.startswith("#"):
            name, limit, hashes = line.split()
            sentences[name] = KnownSentences(frozenset(re.findall(f".{{{DIGITS}}}", hashes)), limit)
    return sentences
