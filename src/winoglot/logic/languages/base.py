"""Shared by all languages: marks for names, and word tables."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

    from winoglot.logic.clauses import Named


ONCE = "1 "  # prefix of a form that only the first member of a list takes


def slot(names: Named, form: str = "", before: str = "", joiner: str = "") -> str:
    """A mark for a name or list, with the form it takes and the words before each member."""
    item = "" if names.item is None else names.item
    return f"\x02{names.slot}|{item}|{form}|{joiner or names.joiner}|{before}\x03"


@cache
def table(language: str, name: str = "words") -> dict[str, tuple[str, ...]]:
    """Read a word table with lines like `key = one | another`.

    >>> table("en")["denied"][0]
    'it is not true that'
    """
    text = files(f"winoglot.logic.languages.{language}").joinpath(f"{name}.txt").read_text(encoding="utf-8")
    lines = [line.partition("=") for line in text.splitlines() if line and not line.startswith("#")]
    return {key.strip(): tuple(value.strip() for value in values.split("|")) for key, _, values in lines}


def said(language: str, key: str, rng: Random) -> str:
    """Choose one of the wordings at random."""
    return rng.choice(table(language)[key])


@cache
def numbers(language: str) -> dict[int, str]:
    """The numbers that have their own word."""
    return {int(key): values[0] for key, values in table(language, "numbers").items()}
