"""The names of sentences that are read back: who is a person, and which symbol each has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from winoglot.logic.formulas import Name, Sort
from winoglot.logic.parse_phrases import NotRead


@dataclass
class NameTable:
    """The names met so far and their symbols; `known` tells people and places apart where a sentence does not.

    A name that visits or is compared is a person, one that is only visited and not known is a place. Where `known` has
    None, the name may be either: it is taken for a place as long as nothing is said of all, some or so many people or
    places, and cannot be read beside such a thing.
    """

    known: Mapping[str, Sort | None] = field(default_factory=dict)
    whole: Iterable[str] = ()  # names that contain a word of the grammar, such as "or"
    symbols: dict[tuple[str, Sort], Name] = field(default_factory=dict)
    subjects: dict[str, None] = field(default_factory=dict)  # in the order they were met
    places: dict[str, None] = field(default_factory=dict)
    guessed: str = ""
    quantified: bool = False

    def person(self, text: str) -> Name:
        """Somebody who does something."""
        self.subjects[text] = None
        return self._name(text, "person")

    def visited(self, texts: list[str]) -> list[Name]:
        """Those in one list of what is visited are all people or all places."""
        sorts = Counter(sort for text in texts if (sort := self._sort(text)) is not None)
        if not sorts:
            self.guessed = texts[0]
            self._check()
        sort = sorts.most_common(1)[0][0] if sorts else "place"
        if sort == "place":
            self.places |= dict.fromkeys(texts)
        return [self._name(text, sort) for text in texts]

    def quantify(self) -> None:
        """Something is said of all, some or so many: now it matters who is a person."""
        self.quantified = True
        self._check()

    def forget_symbols(self) -> None:
        """Before sentences that have nothing to do with those before."""
        self.symbols.clear()
        self.guessed, self.quantified = "", False

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Words that cannot be read this way leave nothing behind."""
        tables: tuple[dict[Any, Any], ...] = (self.symbols, self.subjects, self.places)
        sizes, state = [len(one) for one in tables], (self.guessed, self.quantified)
        try:
            yield
        except NotRead:
            for one, size in zip(tables, sizes, strict=True):
                while len(one) > size:
                    one.popitem()
            self.guessed, self.quantified = state

    def _check(self) -> None:
        if self.guessed and self.quantified:
            raise NotRead(f"{self.guessed}, who may be a person or a place")

    def _sort(self, text: str) -> Sort | None:
        met = [sort for name, sort in self.symbols if name == text]
        if len(met) == 1:
            return met[0]
        return self.known.get(text, "person" if text in self.subjects else "place")

    def _name(self, text: str, sort: Sort) -> Name:
        key = (text, sort)
        if key not in self.symbols:
            number = sum(other == sort for _, other in self.symbols)
            self.symbols[key] = Name(f"{'p' if sort == 'person' else 'c'}{number}", sort)
        return self.symbols[key]
