"""The names in parsed sentences: the sort and symbol of each."""

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
    """The names seen so far and their symbols; `known` gives the sort where a sentence leaves it open.

    A name that visits or is compared is a person; one that is only visited, and not known, is a place. If `known` has
    None, the name may be either: it is treated as a place unless the text also quantifies over people or places, in
    which case it cannot be parsed.
    """

    known: Mapping[str, Sort | None] = field(default_factory=dict)
    whole: Iterable[str] = ()  # names that contain a word of the grammar, such as "or"
    symbols: dict[tuple[str, Sort], Name] = field(default_factory=dict)
    subjects: dict[str, None] = field(default_factory=dict)  # in order of appearance
    places: dict[str, None] = field(default_factory=dict)
    guessed: str = ""
    quantified: bool = False

    def person(self, text: str) -> Name:
        """The symbol of a name that does something."""
        self.subjects[text] = None
        return self._name(text, "person")

    def visited(self, texts: list[str]) -> list[Name]:
        """The symbols of the names in one list of objects: all people or all places."""
        sorts = Counter(sort for text in texts if (sort := self._sort(text)) is not None)
        if not sorts:
            self.guessed = texts[0]
            self._check()
        sort = sorts.most_common(1)[0][0] if sorts else "place"
        if sort == "place":
            self.places |= dict.fromkeys(texts)
        return [self._name(text, sort) for text in texts]

    def quantify(self) -> None:
        """Record a quantifier: from now on it matters which names are people."""
        self.quantified = True
        self._check()

    def forget_symbols(self) -> None:
        """Start afresh for unrelated sentences."""
        self.symbols.clear()
        self.guessed, self.quantified = "", False

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Undo all changes if the parse inside fails."""
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
            raise NotRead(f"{self.guessed}, which may be a person or a place")

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
