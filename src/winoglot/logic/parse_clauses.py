"""Parse clauses, written in the English words of the grammar."""

from __future__ import annotations

import re
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

from winoglot.logic.formulas import (
    AtLeastAsTall,
    Before,
    Equal,
    Exactly,
    Formula,
    Implies,
    Not,
    Or,
    Taller,
    Term,
    The,
    Var,
    Visited,
    conjunction,
)
from winoglot.logic.parse_phrases import (
    Body,
    NotRead,
    Quantify,
    alternatives,
    number_of,
    quantifier,
    split_list,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from winoglot.logic.formulas import Sort
    from winoglot.logic.name_table import NameTable

_DENIED = re.compile(r"it is (?:not true|false|not the case) that (.+)", re.IGNORECASE)
_THERE = re.compile(r"there (?:is|are) (.+?) (who|whom|that) (.+)", re.IGNORECASE)
_NUMBER = re.compile(
    r"the number of (people|cities|places) (?:that |whom |who )?(.+) (?:has|have) visited is( not)? (.+)", re.IGNORECASE
)
_ONLY_IF, _IF = re.compile(r" only if "), re.compile(r" if ")
_VERB = re.compile(
    r" (?=(?:has|have|is|are|arrived|did not arrive|didn't|did not visit|either (?:has|have)|visited)\b)"
)
_VISIT = re.compile(r"(?:(?:has|have)( not| never)? (?:visited|been to)|(?:didn't|did( not)) visit) (.+)")
_VISITED_BY = re.compile(r"(?:has|have)( not| never)? (?:been visited by|received a visit from) (.+)")
_GAP = re.compile(r"(.+) (?:has|have)( not| never)? visited")
_COMPARED = re.compile(r"(?:is|are)( not)? (taller than|shorter than|at least as tall as|as tall as) (.+)")
_ARRIVED = re.compile(r"(?:arrived|did( not) arrive) (before|after) (.+)")
_IS_THE = re.compile(r"is( not)? the (?:only )?(person|city|place) (who|whom|that) (.+)")
_THE = re.compile(r"the (?:only )?(person|city|place) (who|whom|that) (.+)", re.IGNORECASE)


class ClauseReader:
    """Parses one sentence and numbers its variables."""

    def __init__(self, names: NameTable) -> None:
        """Look up names in this table, and add new ones to it."""
        self._names = names
        self._numbers: dict[Sort, int] = {"person": 0, "place": 0}

    def facts(self, text: str) -> list[Formula]:
        """One clause, or several separated by commas as in the published corpus."""
        with self._attempt():
            return [self.clause(text)]
        for comma in re.finditer(r", (?!and |or )", text):
            with self._attempt():
                return [self._simple(text[: comma.start()]), *self.facts(text[comma.end() :])]
        raise NotRead(text)

    def clause(self, text: str) -> Formula:
        """A clause of any kind."""
        if denied := _DENIED.fullmatch(text):
            return Not(self.clause(denied[1]))
        for read in (self._condition, self._joined, self._there, self._number, self._simple):
            with self._attempt():
                return read(text)
        raise NotRead(text)

    @contextmanager
    def _attempt(self) -> Iterator[None]:
        """Try one way to parse; if it fails, continue with the next."""
        numbers = dict(self._numbers)
        done = False
        with self._names.attempt():
            yield
            done = True
        if not done:
            self._numbers = numbers

    def _condition(self, text: str) -> Formula:
        if text[:3].lower() == "if ":
            for comma in re.finditer(r", (?:then )?", text):
                with self._attempt():
                    return Implies(self.clause(text[3 : comma.start()]), self.clause(text[comma.end() :]))
        for word, condition_first in ((_ONLY_IF, True), (_IF, False)):
            if (found := word.search(text)) is not None:
                parts = self.clause(text[: found.start()]), self.clause(text[found.end() :])
                return Implies(*parts) if condition_first else Implies(*reversed(parts))
        raise NotRead(text)

    def _joined(self, text: str) -> Formula:
        body = text[7:] if text[:7].lower() == "either " else text
        for word in (" or ", " and "):
            for comma in re.finditer(f",?{word}", body):
                with self._attempt():
                    parts = self.clause(body[: comma.start()]), self.clause(body[comma.end() :])
                    return Or(parts) if word == " or " else conjunction(parts)
        raise NotRead(text)

    def _there(self, text: str) -> Formula:
        found = _THERE.fullmatch(text)
        if found is None:
            raise NotRead(text)
        quantify = quantifier(found[1], self._variable)
        if quantify is None:
            raise NotRead(text)
        return quantify(self._relative(found[3], gap_first=found[2] != "who"))

    def _number(self, text: str) -> Formula:
        found = _NUMBER.fullmatch(text)
        if found is None:
            raise NotRead(text)
        var = self._variable("person" if found[1] == "people" else "place")
        subject = self._subject(found[2])
        counted = Exactly(number_of(found[4]), var, subject(lambda who: Visited(who, var)))
        return Not(counted) if found[3] else counted

    def _simple(self, text: str) -> Formula:
        for verb in _VERB.finditer(text):
            with self._attempt():
                if (found := _VISITED_BY.fullmatch(text[verb.end() :])) is not None:
                    visitor = _under(bool(found[1]), self._person(found[2]), lambda thing, who: Visited(who, thing))
                    return self._object(text[: verb.start()])(visitor)
                subject = self._subject(text[: verb.start()])
                return subject(self._predicate(text[verb.end() :]))
        raise NotRead(text)

    def _relative(self, text: str, *, gap_first: bool) -> Body:
        ways = [self._gap, self._predicate]
        for way in ways if gap_first else reversed(ways):
            with self._attempt():
                return way(text)
        raise NotRead(text)

    def _gap(self, text: str) -> Body:
        found = _GAP.fullmatch(text)
        if found is None:
            raise NotRead(text)
        subject, negated = self._subject(found[1]), bool(found[2])

        def visited(thing: Term) -> Formula:
            return subject(lambda who: Not(Visited(who, thing)) if negated else Visited(who, thing))

        return visited

    def _predicate(self, text: str) -> Body:
        if (two := self._two_predicates(text)) is not None:
            return two
        if (found := _VISIT.fullmatch(text)) is not None:
            negated = bool(found[1] or found[2] or text.startswith("didn't"))
            return _under(negated, self._object(found[3]), Visited)
        if (found := _COMPARED.fullmatch(text)) is not None:
            return self._compared(bool(found[1]), found[2], found[3])
        if (found := _ARRIVED.fullmatch(text)) is not None:
            before = found[2] == "before"
            return _under(bool(found[1]), self._person(found[3]), lambda x, y: Before(x, y) if before else Before(y, x))
        if (found := _IS_THE.fullmatch(text)) is not None:
            description = self._description(found[2], found[3], found[4])
            negated = bool(found[1])
            return lambda who: Not(Equal(who, description)) if negated else Equal(who, description)
        if text.startswith("is ") and (name := text[3:]) and _is_name(name):
            person = self._names.person(name)
            return lambda who: Equal(person, who)
        raise NotRead(text)

    def _two_predicates(self, text: str) -> Body | None:
        body = text.removeprefix("either ")
        for word in (" or ", " and "):
            for found in re.finditer(f"{word}(?=(?:has|have|is|are|arrived|did) )", body):
                with self._attempt():
                    parts = self._predicate(body[: found.start()]), self._predicate(body[found.end() :])
                    return _both(parts, _any if word == " or " else conjunction)
        return None

    def _compared(self, negated: bool, comparison: str, other: str) -> Body:
        if negated and comparison == "as tall as":  # "not as tall as" means shorter under every reading of "as tall as"
            return _under(False, self._person(other), lambda x, y: Taller(y, x))
        match comparison:
            case "taller than":
                return _under(negated, self._person(other), Taller)
            case "shorter than":
                return _under(negated, self._person(other), lambda x, y: Taller(y, x))
            case _:
                return _under(negated, self._person(other), AtLeastAsTall)

    def _description(self, noun: str, pronoun: str, text: str) -> The:
        var = self._variable("person" if noun == "person" else "place")
        return The(var, self._relative(text, gap_first=pronoun != "who")(var))

    def _subject(self, text: str) -> Quantify:
        if (found := _THE.fullmatch(text)) is not None:
            description = self._description(found[1], found[2], found[3])
            return lambda body: body(description)
        only = re.fullmatch(
            r"(?:only|(?:nobody|no one) (?:but|except|other than)) ([^,]+),?", text, flags=re.IGNORECASE
        )
        if only and _is_name(only[1]):
            person, var = self._names.person(only[1]), self._variable("person")
            return lambda body: Equal(person, The(var, body(var)))
        return self._person(text)

    def _person(self, text: str) -> Quantify:
        quantify = quantifier(text, self._variable)
        if quantify is not None:
            return quantify
        names, join = alternatives(text)
        people = [self._names.person(name) for name in _checked(names)]
        return lambda body: join([body(person) for person in people])

    def _object(self, text: str) -> Quantify:
        if (found := _THE.fullmatch(text)) is not None:
            description = self._description(found[1], found[2], found[3])
            return lambda body: body(description)
        quantify = quantifier(text, self._variable)
        if quantify is not None:
            return quantify
        parts = split_list(text)
        several = [quantifier(part, self._variable) for part in parts]
        if all(one is not None for one in several):
            word_is_or = f" or {parts[-1]}" in text
            return lambda body: (_any if word_is_or else conjunction)([one(body) for one in several if one])
        names, join = alternatives(text)
        things = self._names.visited(_checked(names))
        return lambda body: join([body(thing) for thing in things])

    def _variable(self, sort: Sort) -> Var:
        self._names.quantify()
        number = self._numbers[sort]
        self._numbers[sort] += 1
        return Var(f"{'x' if sort == 'person' else 'y'}{number or ''}", sort)


def _under(negated: bool, thing: Quantify, relation: Callable[[Term, Term], Formula]) -> Body:
    """Relate the subject to the object, with the object inside the negation."""

    def body(who: Term) -> Formula:
        said = thing(lambda other: relation(who, other))
        return Not(said) if negated else said

    return body


def _both(parts: tuple[Body, Body], join: Callable[[list[Formula]], Formula]) -> Body:
    return lambda who: join([part(who) for part in parts])


def _any(parts: list[Formula]) -> Formula:
    return parts[0] if len(parts) == 1 else Or(tuple(parts))


def _checked(names: list[str]) -> list[str]:
    if not all(_is_name(name) for name in names):
        raise NotRead(", ".join(names))
    return names


@cache
def _is_name(text: str) -> bool:
    """Whether the text contains no word of the grammar; only particles may be in lower case (*do Nascimento*)."""
    words = text.split(" ")  # names with non-breaking spaces are one word
    if not text or len(words) > 8 or _GRAMMAR.intersection(words):
        return False
    return not words[-1][:1].islower() or "'" in words[-1] or "’" in words[-1]


_GRAMMAR = frozenset(
    re.findall(
        r"\S+",
        "has have is are not visited been to by received visit from who whom that arrived did didn't if then and or "
        "nor neither either nobody everyone everybody someone somebody anyone every any only exactly least most than "
        "taller shorter but",
    )
)
