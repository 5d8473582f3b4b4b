"""The people and cities of the logic tasks in each language: frozen lists in two disjoint halves.

The n-th person has the same gender in every language, the n-th place is the same city.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal, get_args

from winoglot.errors import InputError, nearest
from winoglot.logic.formulas import Sort

Half = Literal["train", "test"]
Gender = Literal["feminine", "masculine"]
LANGUAGES = ("en", "pt", "fr", "zh")  # the columns of places.txt, in order
_GENDERS: tuple[Gender, Gender] = get_args(Gender)
_HALVES: tuple[Half, Half] = get_args(Half)


@dataclass(frozen=True, slots=True)
class WrittenName:
    """A name as written in one language, with its article: *Ana*, *o Cairo*. Places have no gender."""

    text: str
    sort: Sort
    gender: Gender = "masculine"


@dataclass(frozen=True)
class NamePool:
    """The names available for sentences; people alternate between the genders, starting with a woman."""

    people: tuple[WrittenName, ...]
    places: tuple[WrittenName, ...]


@cache
def vocabulary(language: str, half: Half | None = None) -> NamePool:
    """The names of one half, or of both.

    >>> [(word.text, word.gender) for word in vocabulary("pt", "train").people[:2]]
    [('Rosângela', 'feminine'), ('Sebastião', 'masculine')]
    """
    halves = _HALVES if half is None else (half,)
    column = LANGUAGES.index(known_language(language))
    people: list[WrittenName] = []
    places: list[WrittenName] = []
    for one in halves:
        by_gender = [_people(language, one, gender) for gender in _GENDERS]
        people += [word for pair in zip(*by_gender, strict=True) for word in pair]
        places += [WrittenName(forms[column], "place") for forms in _places(one)]
    return NamePool(tuple(people), tuple(places))


def known_language(language: str) -> str:
    """Return the language if sentences can be generated in it; otherwise raise an input error with a suggestion."""
    if language not in LANGUAGES:
        raise InputError(f"cannot generate logic sentences in {language!r}", remedy=nearest(language, LANGUAGES))
    return language


def source(language: str) -> str:
    """Where the names of people and of places come from."""
    stated = [_lines(name)[0].removeprefix("source: ") for name in (f"people_{known_language(language)}", "places")]
    return f"people: {stated[0]}; places: {stated[1]}"


def _people(language: str, half: Half, gender: Gender) -> list[WrittenName]:
    prefix = f"{half} {gender}: "
    lines = [line.removeprefix(prefix) for line in _lines(f"people_{language}") if line.startswith(prefix)]
    return [WrittenName(name, "person", gender) for line in lines for name in line.split()]


def _places(half: Half) -> list[list[str]]:
    rows = [[cell.strip() for cell in line.split("|")] for line in _lines("places")[1:]]
    return [forms for one, *forms in rows if one == half]


@cache
def _lines(name: str) -> tuple[str, ...]:
    text = files("winoglot.logic").joinpath("names", f"{name}.txt").read_text(encoding="utf-8")
    return tuple(line for line in text.splitlines() if line and not line.startswith("#"))
