"""The names of people and places by language and split: no split shares a word with another."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal, get_args

from winoglot.errors import InputError
from winoglot.files import packaged_lines
from winoglot.logic.wording.realise import WrittenName
from winoglot.logic.wording.table import known_language, table
from winoglot.schemas.text import is_unspaced

if TYPE_CHECKING:
    from collections.abc import Iterable
    from random import Random

    from winoglot.logic.formulas import Name

Split = Literal["train", "validation", "test"]
SPLITS: tuple[Split, ...] = get_args(Split)


@dataclass(frozen=True)
class NamePool:
    """The names of a split: people have first names and surnames, places are cities."""

    feminine: tuple[str, ...]
    masculine: tuple[str, ...]
    surnames: tuple[str, ...]
    places: tuple[str, ...]
    pattern: str

    @property
    def sizes(self) -> dict[str, int]:
        """How many people and places can be named."""
        people = (len(self.feminine) + len(self.masculine)) * len(self.surnames)
        return {"people": people, "places": len(self.places)}

    def choose(self, symbols: Iterable[Name], rng: Random) -> dict[str, WrittenName]:
        """A name for every symbol: no two people in a pair share a word."""
        people = [symbol.text for symbol in symbols if symbol.sort == "person"]
        places = [symbol.text for symbol in symbols if symbol.sort == "place"]
        firsts = [(name, gender) for gender, names in (("f", self.feminine), ("m", self.masculine)) for name in names]
        for available, needed, sort_name in (
            (min(len(firsts), len(self.surnames)), len(people), "people"),
            (len(self.places), len(places), "places"),
        ):
            if available < needed:
                message = f"a pair names {needed} {sort_name}, but the names of a split suffice for only {available}"
                raise InputError(message, remedy="Use the names of all splits with --overlap full.")
        names_by_symbol = {}
        for symbol, (first, gender), last in zip(
            people, rng.sample(firsts, len(people)), rng.sample(self.surnames, len(people)), strict=True
        ):
            text = self.pattern.replace("{first}", first).replace("{last}", last)
            names_by_symbol[symbol] = WrittenName(text, gender)  # type: ignore[arg-type]
        return names_by_symbol | {
            symbol: WrittenName(name) for symbol, name in zip(places, rng.sample(self.places, len(places)), strict=True)
        }


@cache
def names(language: str, split: Split | None = None) -> NamePool:
    """The names of a split, or of all splits together."""
    package = f"winoglot.logic.languages.{known_language(language)}"
    words: dict[str, list[str]] = {"feminine": [], "masculine": [], "surnames": [], "places": []}
    for line in packaged_lines(package, "people.txt"):
        head, _, names_of_line = line.partition(":")
        line_split, kind = head.split()
        if split in (None, line_split):
            words[kind] += names_of_line.split()
    for line in packaged_lines(package, "places.txt"):
        line_split, _, names_of_line = line.partition(":")
        if split in (None, line_split):
            words["places"] += [name.strip() for name in names_of_line.split(",")]
    return NamePool(**{kind: tuple(listed_names) for kind, listed_names in words.items()}, pattern=table(language).name)


def known_names(text: str, language: str) -> dict[str, str]:
    """The people and places in a text whose names are Winoglot's, with symbols in order of appearance.

    >>> known_names("Cairo: Romeo lives in Rome and Dublin, Lucy too.", "en")
    {'c0': 'Cairo', 'c1': 'Rome', 'c2': 'Dublin'}
    """
    letters, lengths = _vocabulary(language)
    symbols: dict[str, str] = {}
    counts = {"p": 0, "c": 0}
    start = 0
    while start < len(text):
        name = next((name for size in lengths if (name := text[start : start + size]) in letters), None)
        is_inside_word = start > 0 and _is_within_word(text[start - 1]) and _is_within_word(text[start])
        if (
            name is None
            or is_inside_word
            or (_is_within_word(name[-1]) and _is_within_word(text[start + len(name) : start + len(name) + 1]))
        ):
            start += 1
            continue
        if name not in symbols:
            letter = letters[name]
            symbols[name] = f"{letter}{counts[letter]}"
            counts[letter] += 1
        start += len(name)
    return {symbol: name for name, symbol in symbols.items()}


@cache
def _vocabulary(language: str) -> tuple[dict[str, str], list[int]]:
    """Every name with the letter of its sort, and the lengths of names, longest first."""
    pool = names(language)
    firsts = [pool.pattern.replace("{first}", first) for first in (*pool.feminine, *pool.masculine)]
    people = [first.replace("{last}", last) for first in firsts for last in pool.surnames]
    letters = dict.fromkeys(pool.places, "c") | dict.fromkeys(people, "p")
    return letters, sorted({len(name) for name in letters}, reverse=True)


def _is_within_word(character: str) -> bool:
    """Whether the character, if any, is part of a word in a script with spaces between words."""
    return character.isalnum() and not is_unspaced(character)
