"""What the languages share: marks for names, and tables of words."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

    from winoglot.logic.clauses import Named


ONCE = "1 "  # before a form that only the first of a list takes


def slot(names: Named, form: str = "", before: str = "", joiner: str = "") -> str:
    """The mark of a name or list, in a form that the language knows, with words before each of its members."""
    item = "" if names.item is None else names.item
    return f"\x02{names.slot}|{item}|{form}|{joiner or names.joiner}|{before}\x03"


@cache
def table(language: str, name: str = "words") -> dict[str, tuple[str, ...]]:
    """A table whose lines give what a thing is called: `key = one | another`.

    >>> table("en")["denied"][0]
    'it is not true that'
    """
    text = files(f"winoglot.logic.languages.{language}").joinpath(f"{name}.txt").read_text(encoding="utf-8")
    lines = [line.partition("=") for line in text.splitlines() if line and not line.startswith("#")]
    return {key.strip(): tuple(value.strip() for value in values.split("|")) for key, _, values in lines}


def said(language: str, key: str, rng: Random) -> str:
    """One of the ways to say it."""
    return rng.choice(table(language)[key])


@cache
def numbers(language: str) -> dict[int, str]:
    """The numbers that have a word of their own."""
    return {int(key): values[0] for key, values in table(language, "numbers").items()}
