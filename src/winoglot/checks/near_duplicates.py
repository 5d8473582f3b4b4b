"""No item is nearly the text of another: not of another schema, and not of the collections given to compare with.

Two texts are near each other where they share at least 35% of the runs of three words (in scripts without spaces: of
four characters) that either has, candidates and names included, the pronoun left out. In XWinograd's six languages that
finds sentences that begin alike and go on otherwise; lower down, what is shared is mostly a frame such as "because he
was hungry". Items of one schema are meant to be alike; texts that are equal inside the collection are left to
`unique-texts`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

from winoglot.checks._words import letters, words
from winoglot.checks.base import Context, Finding, Severity
from winoglot.schemas.item import Item
from winoglot.schemas.language_tag import primary
from winoglot.schemas.words import is_unspaced

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from winoglot.schemas.collection import Collection

SEVERITY: Severity = "warning"
THRESHOLD = 0.35
_RUN_OF_WORDS = 3
_RUN_OF_CHARACTERS = 4
_LONGEST_QUOTE = 120
Run = tuple[str, ...]


@dataclass(frozen=True)
class _Runs:
    """An item and the runs of words its text has."""

    item: Item
    runs: frozenset[Run]


@dataclass(frozen=True)
class _Pair:
    """Two items and the share of runs they have in common."""

    item: Item
    other: Item
    share: float


def check(collection: Collection, context: Context) -> Iterator[Finding]:
    """A warning for each schema and the text nearest to it: in an earlier schema, and in each other collection."""
    own = _all_runs(collection)
    order = {schema.id: number for number, schema in enumerate(collection.schemas)}
    firsts: dict[str, _Runs] = {}
    for one in own:
        firsts.setdefault(letters(one.item.text or ""), one)
    pairs = _near(list(firsts.values()), list(firsts.values()))
    inside = (pair for pair in pairs if order[pair.other.schema_id] < order[pair.item.schema_id])
    for pair in _nearest(inside):
        yield _finding(pair, pair.other.id, "Take one of them out, or write a situation of its own.")
    for other in context.against:
        if primary(other.language) == primary(collection.language) and not _is_same(collection, other):
            for pair in _nearest(_near(own, _all_runs(other))):
                yield _finding(pair, f"{other.name} {pair.other.id}", "A new schema needs a situation of its own.")


def _is_same(collection: Collection, other: Collection) -> bool:
    """A folder to compare with may hold the collection itself."""
    return (other.name, other.version, other.hash) == (collection.name, collection.version, collection.hash)


def _all_runs(collection: Collection) -> list[_Runs]:
    found = (_Runs(item, _runs(item)) for item in collection.items)
    return [one for one in found if one.runs]


def _runs(item: Item) -> frozenset[Run]:
    """The pronoun is left out: some write a blank in its place."""
    if item.text is None or item.pronoun is None:
        return frozenset()
    found = words(item.text[: item.pronoun.start]) + words(item.text[item.pronoun.end :])
    unspaced = sum(is_unspaced(word[0]) for word in found)
    length = _RUN_OF_CHARACTERS if 2 * unspaced > len(found) else _RUN_OF_WORDS
    if 0 < len(found) < length:
        return frozenset({tuple(found)})
    return frozenset(tuple(found[at : at + length]) for at in range(len(found) - length + 1))


def _near(these: list[_Runs], those: list[_Runs]) -> Iterator[_Pair]:
    """Every pair that reaches the threshold.

    Two sets that share so much must meet among the rarest runs of each, so that only those are looked up: frames
    that hundreds of items share cost nothing.
    """
    frequency = Counter(run for one in (*these, *those) for run in one.runs)
    holders: dict[Run, list[int]] = defaultdict(list)
    for number, that in enumerate(those):
        for run in _rarest(that.runs, frequency):
            holders[run].append(number)
    for this in these:
        for number in sorted({number for run in _rarest(this.runs, frequency) for number in holders.get(run, ())}):
            that = those[number]
            common = len(this.runs & that.runs)
            share = common / (len(this.runs) + len(that.runs) - common)
            if share >= THRESHOLD:
                yield _Pair(this.item, that.item, share)


def _rarest(runs: frozenset[Run], frequency: Counter[Run]) -> list[Run]:
    needed = len(runs) - ceil(THRESHOLD * len(runs)) + 1
    return sorted(runs, key=lambda run: (frequency[run], run))[:needed]


def _nearest(pairs: Iterable[_Pair]) -> list[_Pair]:
    """For each schema the pair that shares most, the first of them where several do."""
    best: dict[str, _Pair] = {}
    for pair in pairs:
        if pair.item.schema_id not in best or pair.share > best[pair.item.schema_id].share:
            best[pair.item.schema_id] = pair
    return list(best.values())


def _finding(pair: _Pair, other: str, remedy: str) -> Finding:
    text = pair.other.text or ""
    quoted = text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + "…"
    return Finding(
        f"near to {other}, with which it shares {pair.share:.0%} of its runs of words: {quoted!r}",
        remedy,
        schema=pair.item.schema_id,
        item=pair.item.id,
    )
