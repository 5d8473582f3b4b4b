"""Parse quantities and lists."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from winoglot.logic.formulas import AtLeast, AtMost, Exactly, Exists, ForAll, Formula, Not, Or, Term, conjunction
from winoglot.logic.languages.en.numerals import numeral
from winoglot.logic.languages.pt.numerals import numeral as portuguese_numeral

if TYPE_CHECKING:
    from winoglot.logic.formulas import Sort, Var

Body = Callable[[Term], Formula]
Quantify = Callable[[Body], Formula]
Join = Callable[[list[Formula]], Formula]

_PEOPLE, _CITIES = r"(?:person|people)", r"(?:city|cities|place|places)"
_PATTERNS: tuple[tuple[str, str, Sort], ...] = (
    ("all", r"everyone|everybody|every person|all people", "person"),
    ("all", r"every (?:single )?(?:city|place)|all (?:the )?(?:cities|places)", "place"),
    ("some", r"someone|somebody|anyone|anybody|any person|a person|at least one person", "person"),
    ("some", r"some city|any city|a city|at least one city", "place"),
    ("none", r"nobody|no one|no person", "person"),
    ("none", r"no city|no place", "place"),
    ("not-all", r"not everyone|not everybody|not every person", "person"),
)
_COUNT = re.compile(
    rf"(exactly|precisely|only|at least|no fewer than|at most|no more than|more than|fewer than) (.+) "
    rf"(?:({_PEOPLE})|{_CITIES})",
    re.IGNORECASE,
)
_OR_MORE = re.compile(rf"(.+) or more (?:({_PEOPLE})|{_CITIES})", re.IGNORECASE)


class NotRead(ValueError):  # noqa: N818
    """The grammar does not cover these words."""


def quantifier(text: str, variable: Callable[[Sort], Var]) -> Quantify | None:
    """The quantifier that the words express, or None if they express none."""
    for amount, pattern, sort in _PATTERNS:
        if re.fullmatch(pattern, text, re.IGNORECASE):
            return _quantified(amount, variable(sort))
    if (found := _OR_MORE.fullmatch(text)) is not None and found[1].lower() in _numbers():
        return _counted("at least", number_of(found[1]), variable("person" if found[2] else "place"))
    if (found := _COUNT.fullmatch(text)) is not None and found[2].lower() in _numbers():
        return _counted(found[1].lower(), number_of(found[2]), variable("person" if found[3] else "place"))
    return None


def alternatives(text: str) -> tuple[list[str], Join]:
    """The names of a list and how they are joined: neither … nor, both … and, at least one of … and."""
    if found := re.fullmatch(r"neither (.+)", text, re.IGNORECASE):
        return re.split(r",? nor ", found[1]), lambda parts: conjunction([Not(part) for part in parts])
    if found := re.fullmatch(r"at least one of (.+)", text, re.IGNORECASE):
        return split_list(found[1]), _either
    body = re.sub(r"^(?:both|all of|either) ", "", text, flags=re.IGNORECASE)
    names = split_list(body)
    if len(names) > 1 and not re.search(rf" (?:and|or) {re.escape(names[-1])}$", body):
        raise NotRead(text)  # two adjacent clauses: … and Cleo, Dora is as tall as Ana
    if len(names) > 1 and re.search(rf",? or {re.escape(names[-1])}$", body):
        return names, _either
    return names, conjunction


def split_list(text: str) -> list[str]:
    """Split a list at commas, *and* or *or*."""
    return [part for part in re.split(r", and |, or |, | and | or ", text) if part]


def number_of(words: str) -> int:
    """The number that the words express."""
    if words.lower() not in _numbers():
        raise NotRead(words)
    return _numbers()[words.lower()]


def _either(parts: list[Formula]) -> Formula:
    return parts[0] if len(parts) == 1 else Or(tuple(parts))


def _quantified(amount: str, var: Var) -> Quantify:
    match amount:
        case "all":
            return lambda body: ForAll(var, body(var))
        case "some":
            return lambda body: Exists(var, body(var))
        case "none":
            return lambda body: Not(Exists(var, body(var)))
        case _:
            return lambda body: Not(ForAll(var, body(var)))


def _counted(words: str, n: int, var: Var) -> Quantify:
    match words:
        case "exactly" | "precisely" | "only":
            return lambda body: Exactly(n, var, body(var))
        case "at least" | "no fewer than":
            return lambda body: AtLeast(n, var, body(var))
        case "more than":
            return lambda body: AtLeast(n + 1, var, body(var))
        case "fewer than":
            return lambda body: Not(AtLeast(n, var, body(var)))
        case _:
            return lambda body: AtMost(n, var, body(var))


@cache
def _numbers() -> dict[str, int]:
    """English words, and Portuguese ones of either gender: the published corpus has *vinte e dois pessoas*."""
    words = {numeral(n): n for n in range(1000)}
    for feminine in (True, False):
        words |= {portuguese_numeral(n, feminine=feminine).replace(" e ", "-"): n for n in range(1000)}
    return words | {str(n): n for n in range(1000)}
