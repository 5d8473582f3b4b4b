"""Parse sentences back into formulas, with the patterns that wrote them.

Names are replaced by one character each, so that a sentence becomes a skeleton; each skeleton is parsed once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from winoglot.logic.formulas import (
    Event,
    Formula,
    Name,
    Not,
    Rel,
    The,
    atom_of,
    conjunction,
    negation,
    person,
    place,
    substituted,
)
from winoglot.logic.wording.forms import Fragment, X, is_atom, is_person, is_statement
from winoglot.logic.wording.table import Gap, Pattern, Varying, WordingTable
from winoglot.logic.wording.table import table as table_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_PEOPLE, _PLACES = 0xE000, 0xE800  # characters for private use, which no text has
_SKELETONS = 100_000
_PRONOUN = Name("pronoun")  # stands for the only person of the clause before


class NotUnderstood(ValueError):  # noqa: N818
    """The sentence is outside the language's grammar, or ambiguous in it."""


def parse_back(text: str, language: str, names: Mapping[str, str]) -> Formula:
    """The formula of a premise or hypothesis; `names` says what each symbol is called in it.

    >>> print(parse_back("Ana Lee is shorter than Ben Roy.", "en", {"p0": "Ana Lee", "p1": "Ben Roy"}))
    taller(p1,p0)
    """
    return conjunction(parse_sentence(sentence, language, names) for sentence in sentences(text, language))


def sentences(text: str, language: str) -> list[str]:
    """The sentences of a text, without what ends them."""
    stop = re.escape(table_of(language).stop)
    return [part.strip() for part in re.split(rf"{stop}(?:\s+|$)" if stop == r"\." else stop, text) if part.strip()]


def parse_sentence(sentence: str, language: str, names: Mapping[str, str]) -> Formula:
    """The formula of one sentence, given without what ends it."""
    table = table_of(language)
    text = table.undo(sentence)
    symbols: dict[str, str] = {}
    symbols_by_name = {table.undo(name): symbol for symbol, name in names.items()}
    if symbols_by_name:
        any_name = re.compile("|".join(re.escape(name) for name in sorted(symbols_by_name, key=len, reverse=True)))
        counts = {"p": 0, "c": 0}

        def stand_in(match: re.Match[str]) -> str:
            symbol = symbols_by_name[match[0]]
            if symbol not in symbols:
                base = _PEOPLE if symbol[0] == "p" else _PLACES
                symbols[symbol] = chr(base + counts[symbol[0]])
                counts[symbol[0]] += 1
            return symbols[symbol]

        text = any_name.sub(stand_in, text)
    formula = _of_skeleton(language, text)
    values = {_name(character): Name(symbol) for symbol, character in symbols.items()}
    return substituted(formula, values)  # type: ignore[arg-type]


def _name(character: str) -> Name:
    number = ord(character)
    return person(number - _PEOPLE) if number < _PLACES else place(number - _PLACES)


@lru_cache(maxsize=_SKELETONS)
def _of_skeleton(language: str, text: str) -> Formula:
    grammar = _grammar(language)
    readings: set[Formula] = set()
    for start in dict.fromkeys((text, text[:1].lower() + text[1:])):
        readings.update(_Reading(grammar, start).formulas())
    if len(readings) != 1:
        problem = (
            "is not understood" if not readings else f"has {len(readings)} readings: {', '.join(map(str, readings))}"
        )
        raise NotUnderstood(f"{language}: {_readable(text)!r} {problem}")
    return readings.pop()


def _readable(text: str) -> str:
    return "".join(str(_name(letter)) if _PEOPLE <= ord(letter) < _PLACES + 0x800 else letter for letter in text)


@dataclass(frozen=True)
class _Grammar:
    table: WordingTable

    @cached_property
    def phrases(self) -> list[tuple[tuple[str, ...], str, str, bool, Pattern]]:
        """Every wording of every relation, with its beginnings, the position of the subject, and whether it affirms."""
        return [
            (_beginnings(pattern), relation, position, affirmed, pattern)
            for (relation, position, affirmed), patterns in self.table.statements.items()
            for pattern in patterns
        ]

    @cached_property
    def forms(self) -> list[tuple[tuple[str, ...], str, Pattern]]:
        """Every form in every way to write it, with its beginnings."""
        forms = self.table.forms.items()
        return [(_beginnings(pattern), form, pattern) for form, patterns in forms for pattern in patterns]

    @cached_property
    def roles(self) -> Mapping[str, list[tuple[str, Pattern]]]:
        """Every wording of every description by key, with a slot for the place's name: a pattern may begin with it."""
        roles: dict[str, list[tuple[str, Pattern]]] = {}
        for role, (wordings, _) in self.table.roles.items():
            for key, patterns in wordings.items():
                for pattern in patterns:
                    named_pattern = tuple(
                        replace(token, slot="name") if isinstance(token, Gap) else token for token in pattern
                    )
                    roles.setdefault(key, []).append((role, named_pattern))
        return roles


@cache
def _grammar(language: str) -> _Grammar:
    return _Grammar(table_of(language))


def _beginnings(pattern: Pattern) -> tuple[str, ...]:
    """What a text begins with if it matches: most patterns need not be tried."""
    first = pattern[0] if pattern else ""
    return first.words if isinstance(first, Varying) else ("" if isinstance(first, Gap) else first,)


class _Reading:
    """All ways to understand one text; every part is parsed once."""

    def __init__(self, grammar: _Grammar, text: str) -> None:
        self._grammar = grammar
        self._table = grammar.table
        self._text = text
        self._known: dict[tuple[str, int], list[tuple[int, Any]]] = {}
        self._said: dict[int, list[tuple[int, str, str, bool, Any]]] = {}

    def formulas(self) -> Iterator[Formula]:
        for beginnings, form, pattern in self._grammar.forms:
            if self._text.startswith(beginnings):
                for end, slots in self._matches(pattern, 0, {}):
                    if end == len(self._text) and (resolved_slots := _resolve_pronoun(slots)):
                        yield Fragment(form, resolved_slots).formula

    def _matches(self, pattern: Pattern, start: int, slots: dict[str, Any]) -> Iterator[tuple[int, dict[str, Any]]]:
        if not pattern:
            yield start, slots
            return
        token, remaining = pattern[0], pattern[1:]
        if isinstance(token, str):
            if self._text.startswith(token, start):
                yield from self._matches(remaining, start + len(token), slots)
        elif isinstance(token, Varying):
            for word in token.words:
                if self._text.startswith(word, start):
                    yield from self._matches(remaining, start + len(word), slots)
        else:
            for end, value in self._slot(token, start):
                meaning = negation(value) if token.negated and token.slot in "ABCPQR" else value
                if slots.get(token.slot, meaning) == meaning and _fits(token.slot, meaning):
                    yield from self._matches(remaining, end, {**slots, token.slot: meaning})

    def _slot(self, gap: Gap, start: int) -> list[tuple[int, Any]]:
        kind = gap.slot if gap.slot not in "EFGab" else f"{gap.slot} {_form(gap)}"
        key = (kind, start)
        if key not in self._known:
            self._known[key] = list(self._read_slot(kind, start))
        return self._known[key]

    def _read_slot(self, kind: str, start: int) -> Iterator[tuple[int, Any]]:  # noqa: PLR0912 - one case per kind of slot
        slot, _, form = kind.partition(" ")
        match slot:
            case "A" | "B" | "C":
                yield from self._clauses(start)
            case "P" | "Q" | "R":
                yield from self._phrases(start)
            case "a" | "b" | "s" | "o":
                yield from self._terms(start, form)
            case "name":
                yield from self._names(start)
            case "E" | "F":
                for (event, name), pattern in self._table.events.items():
                    if name == (form or "past"):
                        for end, slots in self._matches(pattern, start, {}):
                            yield end, Event(event, slots["s"])
            case "G":
                for group, words in self._table.groups.items():
                    if self._text.startswith(words[form or "pl"], start):
                        yield start + len(words[form or "pl"]), Rel(group, (X,))
            case "L":
                yield from self._lists(start)
            case "n":
                for number, pattern in self._table.numbers.items():
                    for end, _ in self._matches(pattern, start, {}):
                        yield end, number

    def _terms(self, start: int, form: str) -> Iterator[tuple[int, Any]]:
        if form in ("", "name"):
            yield from self._names(start)
        for role, pattern in self._grammar.roles.get(form or "np", ()):
            for end, slots in self._matches(pattern, start, {}):
                yield end, The(X, Rel(role, (X, slots["name"])))

    def _names(self, start: int) -> Iterator[tuple[int, Any]]:
        if chr(_PEOPLE) <= self._text[start : start + 1] < chr(_PLACES + 0x800):
            yield start + 1, _name(self._text[start])

    def _lists(self, start: int) -> Iterator[tuple[int, Any]]:
        between, last = self._table.list_
        names: list[Name] = []
        position = start
        while position < len(self._text) and _PEOPLE <= ord(self._text[position]) < _PLACES:
            names.append(_name(self._text[position]))
            position += 1
            if self._text.startswith(last, position) and len(self._text) > position + len(last):
                after = position + len(last)
                if _PEOPLE <= ord(self._text[after]) < _PLACES:
                    yield after + 1, (*names, _name(self._text[after]))
            if not self._text.startswith(between, position):
                return
            position += len(between)

    def _phrases(self, start: int) -> Iterator[tuple[int, Any]]:
        """Statements about x, without the subject."""
        for end, relation, position, affirmed, other in self._predicates(start):
            if position != "both":
                args = (X,) if other is None else (X, other) if position == "direct" else (other, X)
                yield end, _statement(relation, args, affirmed)

    def _clauses(self, start: int) -> Iterator[tuple[int, Any]]:
        """Statements about names."""
        subjects = list(self._before_predicate(self._table.clause, start))
        if self._table.pronoun:
            pronoun_matches = self._matches(self._table.pronoun + self._table.clause[1:-1], start, {})
            subjects += [(middle, {"s": _PRONOUN}) for middle, _ in pronoun_matches]
        for middle, slots in subjects:
            for end, relation, position, affirmed, other in self._predicates(middle):
                if position != "both":
                    subject = slots["s"]
                    args = (
                        (subject,) if other is None else (subject, other) if position == "direct" else (other, subject)
                    )
                    yield end, _statement(relation, args, affirmed)
        for middle, slots in self._before_predicate(self._table.both, start):
            for end, relation, position, affirmed, _ in self._predicates(middle):
                if position == "both":
                    yield end, _statement(relation, (slots["s"], slots["o"]), affirmed)

    def _before_predicate(self, pattern: Pattern, start: int) -> Iterator[tuple[int, dict[str, Any]]]:
        assert isinstance(pattern[-1], Gap)
        assert pattern[-1].slot == "vp"
        yield from self._matches(pattern[:-1], start, {})

    def _predicates(self, start: int) -> list[tuple[int, str, str, bool, Any]]:
        if start not in self._said:
            self._said[start] = [
                (end, relation, position, affirmed, slots.get("o"))
                for beginnings, relation, position, affirmed, pattern in self._grammar.phrases
                if self._text.startswith(beginnings, start)
                for end, slots in self._matches(pattern, start, {})
            ]
        return self._said[start]


def _form(gap: Gap) -> str:
    """The key of the words that fill a slot for an event, a group, a name or a description."""
    if gap.slot in "EFG":
        return gap.key or ("not" if gap.negated else "")
    return f"{gap.key}-not" if gap.negated else gap.key


def _resolve_pronoun(slots: dict[str, Any]) -> dict[str, Any]:
    """The slots with the pronoun replaced by the person it stands for; nothing if that is not clear."""
    clauses = {name: _people(value) for name, value in slots.items() if name in "ABC"}  # in the order of the text
    with_pronoun = [name for name, people in clauses.items() if _PRONOUN in people]
    if not with_pronoun:
        return slots
    first = next(iter(clauses.values()))
    if len(first) != 1 or _PRONOUN in first:
        return {}
    return slots | {name: substituted(slots[name], {_PRONOUN: first[0]}) for name in with_pronoun}


def _people(statement: Any) -> list[Any]:
    return [arg for arg in atom_of(statement).args if is_person(arg)]


def _statement(relation: str, args: tuple[Any, ...], affirmed: bool) -> Formula:
    atom = Rel(relation, args)
    return atom if affirmed else Not(atom)


def _fits(slot: str, value: Any) -> bool:
    match slot:
        case "A" | "B":
            return is_statement(value)
        case "C":
            return is_atom(value)
        case "P" | "Q":
            return is_statement(value, about=True)
        case "R":
            return is_atom(value, about=True)
        case _:
            return True
