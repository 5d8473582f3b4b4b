"""What goes with what: relative clauses by the kind of noun they follow, adverbs by their verb.

The tables `clauses.txt` and `adverbs.txt` of a language say it. Their entries may be `about` a topic (*lived nearby*:
home), and other lines of the table list the words that show that a text speaks about it (`street = about:home`). There
the entry is not used: it would give a reason, contradict the text or repeat it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from winoglot.languages.lexicon import lexicon

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from winoglot.languages.lexicon import WordEntry, WordTable
    from winoglot.languages.rewriting import Draws
    from winoglot.schemas.model import Item


@dataclass(frozen=True)
class AdverbPlace:
    """A verb that an adverb may go with, and where in the text each one that fits would stand."""

    verb: int
    options: dict[str, int]


def topics(table: WordTable, words: Collection[str], text: str) -> set[str]:
    """What a text speaks about: by its words in all their base forms, and by the phrases of a table.

    >>> sorted(topics(lexicon("en", "clauses"), {"the", "tenant", "street"}, "The tenants of the street"))
    ['home', 'landscape']
    """
    about = table.values("about")
    lowered = text.lower()
    shown = [word for word in about if (word in lowered if " " in word else word in words)]
    return {topic for word in shown for topic in about[word]}


def fitting_clauses(
    language: str, kinds: Collection[str], topics: Collection[str], verb_kinds: Collection[str]
) -> list[WordEntry]:
    """The clauses for something of these kinds that is the subject of such verbs, in a text on these topics."""
    return [
        entry
        for entries in lexicon(language, "clauses").entries.values()
        for entry in entries
        if {*entry.values.get("said-of", ())}.intersection(kinds)
        and not {*entry.values.get("about", ())}.intersection(topics)
        and {*entry.values.get("with", ())}.issubset(verb_kinds)
    ]


def drawn_adverbs(
    item: Item, draws: Draws, places_of: Callable[[Item], list[AdverbPlace]], once: Iterable[frozenset[str]] = ()
) -> dict[int, str]:
    """An adverb for each verb that all items of the schema share outside the segment, by its place in this item's text.

    None is drawn twice, and of each group in `once` only one: one *suddenly* is enough for a text.
    """
    in_items = [_by_key(schema_item, places_of(schema_item)) for schema_item in draws.schema.items]
    drawn: dict[int, str] = {}
    for key, place in _by_key(item, places_of(item)).items():
        excluded = {adverb for group in once if group.intersection(drawn.values()) for adverb in group}
        options = [
            adverb
            for adverb in place.options
            if adverb not in excluded
            and adverb not in drawn.values()
            and all(key in places and adverb in places[key].options for places in in_items)
        ]
        if options:
            adverb = draws.pick(f"adverb {key}", options)
            drawn[place.options[adverb]] = adverb
    return drawn


def _by_key(item: Item, places: list[AdverbPlace]) -> dict[tuple[int, int], AdverbPlace]:
    """The places outside the segment, by the number of its parts before them and their distance from it."""
    by_key = {}
    for place in places:
        ends = [part.end for part in item.segment if part.end <= place.verb]
        options = {
            adverb: at
            for adverb, at in place.options.items()
            if not any(part.start <= at <= part.end or part.start <= place.verb < part.end for part in item.segment)
        }
        if options:
            by_key[len(ends), place.verb - max(ends, default=0)] = AdverbPlace(place.verb, options)
    return by_key
