"""Parse printed formulas."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.logic.formulas import (
    And,
    AtLeast,
    AtLeastAsTall,
    AtMost,
    Before,
    Equal,
    Exactly,
    Exists,
    ForAll,
    Implies,
    Name,
    Not,
    Or,
    Rel,
    Taller,
    The,
    Var,
)

if TYPE_CHECKING:
    from winoglot.logic.formulas import Formula, Sort, Term

_TOKEN = re.compile(r"\s*(?:(before|[pc][0-9]+|[xy][0-9]*|∃[=≥≤][0-9]+|[V∀∃¬∧∨→ι()\[\],=>≥])|(\S))")
_INFIX: dict[str, type[Taller | AtLeastAsTall | Before | Equal]] = {
    ">": Taller,
    "≥": AtLeastAsTall,
    "before": Before,
    "=": Equal,
}
_COUNTED: dict[str, type[Exactly | AtLeast | AtMost]] = {"=": Exactly, "≥": AtLeast, "≤": AtMost}
_DEPTH = 100  # deeper than any sentence; keeps a hostile file from exhausting the stack


def parse(text: str) -> Formula:
    """Parse a formula; an input error gives the position of the first mistake."""
    reader = _Reader(text)
    try:
        formula = reader.formula(0)
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise reader.error(str(error)) from error
    if reader.token:
        raise reader.error(f"expected the end of the formula, found {reader.token!r}")
    return formula


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.end = 0
        self.start = 0
        self.token = ""
        self.step()

    def step(self) -> str:
        """Consume and return the next token."""
        before = self.token
        match = _TOKEN.match(self.text, self.end)
        if match is None:
            self.start, self.token = len(self.text), ""
        else:
            self.start, self.end = match.start(match.lastindex or 0), match.end()
            if match.lastindex == 2:
                raise self.error(f"unexpected character {match[2]!r}")
            self.token = match[1]
        return before

    def take(self, wanted: str) -> None:
        if self.token != wanted:
            raise self.error(f"expected {wanted!r}, found {self.token or 'the end'!r}")
        self.step()

    def error(self, message: str) -> InputError:
        return InputError(
            f"{message}, at character {self.start + 1} of the formula {self.text!r}",
            remedy="Formulas are written like (V(p0,c0) ∧ ¬V(p1,c0)).",
            offset=self.start,
        )

    def formula(self, depth: int) -> Formula:
        if depth > _DEPTH:
            raise self.error(f"the formula is nested more than {_DEPTH} levels deep")
        token = self.token
        if token == "¬":
            self.step()
            return Not(self.formula(depth + 1))
        if token in {"∀", "∃"}:
            self.step()
            var = self.variable()
            return (ForAll if token == "∀" else Exists)(var, self.formula(depth + 1))
        if token.startswith("∃"):
            self.step()
            var = self.variable()
            return _COUNTED[token[1]](int(token[2:]), var, self.formula(depth + 1))
        if token == "(":
            return self.joined(depth)
        if token == "V":
            self.step()
            self.take("(")
            x = self.term(depth)
            self.take(",")
            y = self.term(depth)
            self.take(")")
            return Rel("visited", x, y)
        x = self.term(depth)
        if self.token not in _INFIX:
            raise self.error(f"expected one of {' '.join(_INFIX)}, found {self.token or 'the end'!r}")
        return _INFIX[self.step()](x, self.term(depth))

    def joined(self, depth: int) -> Formula:
        self.take("(")
        parts = [self.formula(depth + 1)]
        sign = self.token
        if sign == "→":
            self.step()
            parts.append(self.formula(depth + 1))
        while sign in {"∧", "∨"} and self.token == sign:
            self.step()
            parts.append(self.formula(depth + 1))
        self.take(")")
        match sign:
            case "→":
                return Implies(*parts)
            case "∧":
                return And(tuple(parts))
            case "∨":
                return Or(tuple(parts))
            case _:
                return parts[0]

    def term(self, depth: int) -> Term:
        token = self.step()
        if token == "ι":
            var = self.variable()
            self.take("[")
            body = self.formula(depth + 1)
            self.take("]")
            return The(var, body)
        if token[:1] in {"p", "c"}:
            return Name(token, _sort(token))
        if token[:1] in {"x", "y"}:
            return Var(token, _sort(token))
        raise self.error(f"expected a person or a place, found {token or 'the end'!r}")

    def variable(self) -> Var:
        token = self.step()
        if token[:1] not in {"x", "y"}:
            raise self.error(f"expected a variable, found {token or 'the end'!r}")
        return Var(token, _sort(token))


def _sort(symbol: str) -> Sort:
    return "person" if symbol[0] in {"p", "x"} else "place"
