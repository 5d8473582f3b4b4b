"""Which names of a file are people: those that do something, and those listed with them."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.logic.name_table import NameTable
from winoglot.logic.parse_back import parse_back

if TYPE_CHECKING:
    from collections.abc import Iterable

    from winoglot.logic.formulas import Name

_OR = {"en": "or", "pt": "ou"}
_CAPITALISED = re.compile(r"\b[A-Z]\w+")
_ROUNDS = 5  # no published file changes after more rounds
_SHARE = 0.25  # share of a list known to be people: more than chance namesakes among places


@dataclass
class _Lists(NameTable):
    """A name table that records which names are visited together."""

    lists: list[tuple[str, ...]] = field(default_factory=list)

    def visited(self, texts: list[str]) -> list[Name]:
        self.lists.append(tuple(texts))
        return super().visited(texts)


def names_with_or(texts: Iterable[str], language: str) -> set[str]:
    """Names that contain the word for *or*: two capitalised words joined by it that never occur separately.

    >>> names_with_or(["Ana has visited Hook or Crook, Rome and Lima", "Eva or Ida has visited Hook or Crook",
    ...                "Ida hasn't visited Eva or Ana"], "en")
    {'Hook or Crook'}
    """
    words: Counter[str] = Counter()
    joined: Counter[tuple[str, str]] = Counter()
    either = re.compile(rf"\b([A-Z]\w+) (?={_OR[language]} ([A-Z]\w+))")
    for text in texts:
        words.update(_CAPITALISED.findall(text))
        joined.update(either.findall(text))
    return {
        f"{one} {_OR[language]} {other}"
        for (one, other), times in joined.items()
        if times > 1 and words[one] == words[other] == times
    }


def people_in(texts: Iterable[str], language: str, whole: Iterable[str] = ()) -> set[str]:
    """The names that the sentences show to be people; a list consists of people or of places, never both.

    >>> sorted(people_in(["Ana has visited Eva, Ida and Mia", "Eva has visited Rome and Oslo"], "en"))
    ['Ana', 'Eva', 'Ida', 'Mia']
    """
    table = _Lists(whole=whole)
    for text in texts:
        table.forget_symbols()
        try:
            parse_back(text, language, table)
        except InputError:
            continue
    subjects = set(table.subjects)
    people = subjects
    for _ in range(_ROUNDS):
        votes: Counter[str] = Counter()
        for names in table.lists:
            if len(names) > 1:
                of_people = sum(name in people for name in names) > _SHARE * len(names)
                votes.update(dict.fromkeys(names, 1 if of_people else -1))
        people = subjects | {name for name, count in votes.items() if count > 0}
    return people
