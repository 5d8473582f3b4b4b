"""The formal language of the logic data: people, places, events, relations, connectives and quantifiers.

Formulas are independent of any language. Names are symbols, `p0`, `p1`, … for people and `c0`, `c1`, … for places;
variables over people are `x`, `x1`, …, those over places `y`, `y1`, …. `str(formula)` prints and `parse(text)` parses.
docs/logic.md explains what each form means; `relations.toml` lists the relations and their logic.

>>> print(And((Visited(person(0), place(0)), Not(Rel("doctor", (person(1),))))))
(visited(p0,c0) ∧ ¬doctor(p1))
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Literal

from winoglot.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

Sort = Literal["person", "place"]
Logic = Literal["", "total", "partial", "two-sided", "symmetric", "one", "unique", "group"]
EVENTS = ("arrival", "departure")


@dataclass(frozen=True)
class Relation:
    """A relation or property: the sorts of its arguments (person, place, event, any), and its logic."""

    name: str
    of: tuple[str, ...]
    logic: Logic = ""


def _relations() -> dict[str, Relation]:
    table = tomllib.loads(files(__package__).joinpath("relations.toml").read_text(encoding="utf-8"))
    relations = {name: Relation(name, tuple(row["of"]), row.get("logic", "")) for name, row in table.items()}
    # of the published corpus: `interpretation` says what it means
    return relations | {"as-tall": Relation("as-tall", ("person", "person"))}


RELATIONS: Mapping[str, Relation] = _relations()


@dataclass(frozen=True)
class Name:
    """The symbol of a person (`p3`) or place (`c3`); each language's vocabulary gives it a name."""

    text: str

    @property
    def sort(self) -> Sort:
        """The sort, which the first letter shows."""
        return "person" if self.text[0] == "p" else "place"

    def __str__(self) -> str:
        """Print the symbol."""
        return self.text


@dataclass(frozen=True)
class Var:
    """A variable, bound by a quantifier or by a description: `x`, `x1` over people, `y`, `y1` over places."""

    text: str

    @property
    def sort(self) -> Sort:
        """The sort, which the first letter shows."""
        return "person" if self.text[0] == "x" else "place"

    def __str__(self) -> str:
        """Print the symbol."""
        return self.text


@dataclass(frozen=True)
class Event:
    """Somebody's arrival or departure: `arrival(p0)`."""

    kind: str
    of: Term
    sort = "event"

    def __str__(self) -> str:
        """Print the kind and the person."""
        return f"{self.kind}({self.of})"


@dataclass(frozen=True)
class The:
    """ι: the one person or place that satisfies the body."""

    var: Var
    body: Formula

    @property
    def sort(self) -> Sort:
        """The sort of what is described."""
        return self.var.sort

    def __str__(self) -> str:
        """Print the description in brackets, so that its end is visible."""
        return f"ι{self.var}[{self.body}]"


Term = Name | Var | Event | The


@dataclass(frozen=True)
class Rel:
    """A property of one term or a relation between two."""

    name: str
    args: tuple[Term, ...]

    def __str__(self) -> str:
        """Print the name and the arguments."""
        return f"{self.name}({','.join([str(arg) for arg in self.args])})"


@dataclass(frozen=True)
class Equal:
    """Both are the same person or the same place."""

    x: Term
    y: Term

    def __str__(self) -> str:
        """Print both terms with the sign between them."""
        return f"{self.x} = {self.y}"


@dataclass(frozen=True)
class Among:
    """x is one of the names."""

    x: Term
    names: tuple[Name, ...]

    def __str__(self) -> str:
        """Print the variable, the sign and the names in braces."""
        return f"{self.x} ∈ {{{','.join(map(str, self.names))}}}"


Atom = Rel | Equal | Among


@dataclass(frozen=True)
class Not:
    """The body does not hold."""

    body: Formula

    def __str__(self) -> str:
        """Print the symbol, then the body."""
        return f"¬{_bracketed(self.body)}"


@dataclass(frozen=True)
class _Joined:
    """Two or more formulas under one connective."""

    parts: tuple[Formula, ...]


class And(_Joined):
    """All parts hold."""

    def __str__(self) -> str:
        """Print the parts in parentheses."""
        return f"({' ∧ '.join(map(str, self.parts))})"


class Or(_Joined):
    """At least one part holds."""

    def __str__(self) -> str:
        """Print the parts in parentheses."""
        return f"({' ∨ '.join(map(str, self.parts))})"


@dataclass(frozen=True)
class Implies:
    """If a holds, b holds."""

    a: Formula
    b: Formula

    def __str__(self) -> str:
        """Print the parts in parentheses."""
        return f"({self.a} → {self.b})"


@dataclass(frozen=True)
class Iff:
    """Both hold or neither does."""

    a: Formula
    b: Formula

    def __str__(self) -> str:
        """Print the parts in parentheses."""
        return f"({self.a} ↔ {self.b})"


@dataclass(frozen=True)
class _Quantified:
    """A formula about all or some members of a sort."""

    var: Var
    body: Formula


class ForAll(_Quantified):
    """The body holds of every person or every place."""

    def __str__(self) -> str:
        """Print the symbol, the variable and the body."""
        return f"∀{self.var} {_bracketed(self.body)}"


class Exists(_Quantified):
    """The body holds of some person or some place."""

    def __str__(self) -> str:
        """Print the symbol, the variable and the body."""
        return f"∃{self.var} {_bracketed(self.body)}"


@dataclass(frozen=True)
class _Counted:
    """A formula about how many members of a sort satisfy the body."""

    n: int
    var: Var
    body: Formula


class Exactly(_Counted):
    """The body holds of exactly n."""

    def __str__(self) -> str:
        """Print the symbol, the number, the variable and the body."""
        return f"∃={self.n} {self.var} {_bracketed(self.body)}"


class AtLeast(_Counted):
    """The body holds of n or more."""

    def __str__(self) -> str:
        """Print the symbol, the number, the variable and the body."""
        return f"∃≥{self.n} {self.var} {_bracketed(self.body)}"


class AtMost(_Counted):
    """The body holds of n or fewer."""

    def __str__(self) -> str:
        """Print the symbol, the number, the variable and the body."""
        return f"∃≤{self.n} {self.var} {_bracketed(self.body)}"


@dataclass(frozen=True)
class _Share:
    """How many of those that satisfy `among` also satisfy the body."""

    var: Var
    among: Formula
    body: Formula


class Most(_Share):
    """More than half of those that satisfy `among` satisfy the body."""

    def __str__(self) -> str:
        """Print the word, the variable, the restriction and the body."""
        return f"most {self.var} ({self.among} : {self.body})"


class Half(_Share):
    """Exactly half of those that satisfy `among` satisfy the body."""

    def __str__(self) -> str:
        """Print the word, the variable, the restriction and the body."""
        return f"half {self.var} ({self.among} : {self.body})"


class Few(_Share):
    """Fewer than half of those that satisfy `among` satisfy the body."""

    def __str__(self) -> str:
        """Print the word, the variable, the restriction and the body."""
        return f"few {self.var} ({self.among} : {self.body})"


Formula = Atom | Not | And | Or | Implies | Iff | ForAll | Exists | Exactly | AtLeast | AtMost | Most | Half | Few


@cache
def person(number: int) -> Name:
    """The person with this number: `p3`."""
    return Name(f"p{number}")


@cache
def place(number: int) -> Name:
    """The place with this number: `c3`."""
    return Name(f"c{number}")


def Visited(x: Term, y: Term) -> Rel:  # noqa: N802 - reads like the other atoms
    """x has visited y."""
    return Rel("visited", (x, y))


def Taller(x: Term, y: Term) -> Rel:  # noqa: N802 - reads like the other atoms
    """x is taller than y."""
    return Rel("taller", (x, y))


def AtLeastAsTall(x: Term, y: Term) -> Rel:  # noqa: N802 - reads like the other atoms
    """x is as tall as y: at least as tall, under the default reading."""
    return Rel("as-tall", (x, y))


def conjunction(parts: Iterable[Formula]) -> Formula:
    """The conjunction of the parts; a single part is returned as it is."""
    formulas = tuple(parts)
    return formulas[0] if len(formulas) == 1 else And(formulas)


def facts(formula: Formula) -> tuple[Formula, ...]:
    """The facts of a premise: the parts of a conjunction, or the formula itself."""
    return formula.parts if isinstance(formula, And) else (formula,)


def negation(formula: Formula) -> Formula:
    """The negation; two negations cancel out."""
    return formula.body if isinstance(formula, Not) else Not(formula)


def atom_of(statement: Formula) -> Rel:
    """The relation that a statement affirms or denies."""
    atom = statement.body if isinstance(statement, Not) else statement
    if not isinstance(atom, Rel):
        raise TypeError(f"not a statement: {statement}")
    return atom


def children(node: Formula | Term) -> tuple[Formula | Term, ...]:
    """The parts of a formula or term, in printed order, without the variable that it binds."""
    match node:
        case Rel():
            return node.args
        case Equal():
            return (node.x, node.y)
        case Among():
            return (node.x, *node.names)
        case Event():
            return (node.of,)
        case And() | Or():
            return node.parts
        case Implies() | Iff():
            return (node.a, node.b)
        case Most() | Half() | Few():
            return (node.among, node.body)
        case Name() | Var():
            return ()
        case _:
            return (node.body,)


def walk(node: Formula | Term) -> Iterator[Formula | Term]:
    """The node and everything inside it, in printed order."""
    stack = [node]
    while stack:
        inner = stack.pop()
        yield inner
        stack.extend(children(inner)[::-1])


def symbols(*formulas: Formula) -> tuple[Name, ...]:
    """The names in formulas in order of first occurrence.

    >>> [name.text for name in symbols(parse("(visited(p2,c1) ∧ ¬visited(p0,c1))"))]
    ['p2', 'c1', 'p0']
    """
    return tuple(dict.fromkeys(node for formula in formulas for node in walk(formula) if isinstance(node, Name)))


def substituted(node: Formula, values: Mapping[Term, Term]) -> Formula:
    """The formula with terms replaced; a variable that is bound inside is not."""
    return _substituted(node, values)  # type: ignore[return-value]


def _substituted(node: Formula | Term, values: Mapping[Term, Term]) -> Formula | Term:
    if isinstance(node, Name | Var):
        return values.get(node, node)
    match node:
        case Rel():
            return Rel(node.name, tuple([_substituted(arg, values) for arg in node.args]))  # type: ignore[misc]
        case Equal():
            return Equal(_substituted(node.x, values), _substituted(node.y, values))  # type: ignore[arg-type]
        case Among():
            names = tuple(_substituted(name, values) for name in node.names)
            return Among(_substituted(node.x, values), names)  # type: ignore[arg-type]
        case Event():
            return Event(node.kind, _substituted(node.of, values))  # type: ignore[arg-type]
        case Not():
            return Not(_substituted(node.body, values))  # type: ignore[arg-type]
        case And() | Or():
            return type(node)(tuple([_substituted(part, values) for part in node.parts]))  # type: ignore[misc]
        case Implies() | Iff():
            return type(node)(_substituted(node.a, values), _substituted(node.b, values))  # type: ignore[arg-type]
    inner_values = {term: value for term, value in values.items() if term != node.var}
    match node:
        case Most() | Half() | Few():
            return type(node)(node.var, _substituted(node.among, inner_values), _substituted(node.body, inner_values))  # type: ignore[arg-type]
        case Exactly() | AtLeast() | AtMost():
            return type(node)(node.n, node.var, _substituted(node.body, inner_values))  # type: ignore[arg-type]
        case _:
            return type(node)(node.var, _substituted(node.body, inner_values))  # type: ignore[arg-type]


def _bracketed(body: Formula) -> str:
    return f"({body})" if isinstance(body, Equal | Among) else str(body)


_TOKEN = re.compile(r"\s*(?:([pc][0-9]+|[xy][0-9]*(?![a-z])|[a-z][a-z-]*|∃[=≥≤][0-9]+|[∀∃¬∧∨→↔ι∈()\[\]{},=:])|(\S))")
_COUNTED: dict[str, type[Exactly | AtLeast | AtMost]] = {"=": Exactly, "≥": AtLeast, "≤": AtMost}
_SHARES: dict[str, type[Most | Half | Few]] = {"most": Most, "half": Half, "few": Few}
_DEPTH = 100  # deeper than any sentence; keeps a hostile file from exhausting the stack


def parse(text: str) -> Formula:
    """Parse a formula printed by `str`; an input error gives the position of the first mistake.

    >>> parse("p0 = ιx[∀y visited(x,y)]") == Equal(person(0), The(Var("x"), parse("∀y visited(x,y)")))
    True
    """
    reader = _Reader(text)
    formula = reader.formula(0)
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
        previous = self.token
        match = _TOKEN.match(self.text, self.end)
        if match is None:
            self.start, self.token = len(self.text), ""
        else:
            self.start, self.end = match.start(match.lastindex or 0), match.end()
            if match.lastindex == 2:
                raise self.error(f"unexpected character {match[2]!r}")
            self.token = match[1]
        return previous

    def take(self, expected: str) -> None:
        if self.token != expected:
            raise self.error(f"expected {expected!r}, found {self.token or 'the end'!r}")
        self.step()

    def error(self, message: str) -> InputError:
        return InputError(
            f"{message}, at character {self.start + 1} of the formula {self.text!r}",
            remedy="Formulas are written like (visited(p0,c0) ∧ ¬doctor(p1)).",
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
            return (ForAll if token == "∀" else Exists)(self.variable(), self.formula(depth + 1))
        if token.startswith("∃"):
            self.step()
            return _COUNTED[token[1]](int(token[2:]), self.variable(), self.formula(depth + 1))
        if token in _SHARES:
            self.step()
            var = self.variable()
            self.take("(")
            among = self.formula(depth + 1)
            self.take(":")
            body = self.formula(depth + 1)
            self.take(")")
            return _SHARES[token](var, among, body)
        if token == "(":
            return self.joined(depth)
        if token in RELATIONS:
            return self.relation(RELATIONS[self.step()], depth)
        x = self.term(depth)
        if self.token == "∈":
            self.step()
            return Among(x, self.names())
        self.take("=")
        return Equal(x, self.term(depth))

    def relation(self, relation: Relation, depth: int) -> Rel:
        self.take("(")
        args = [self.term(depth)]
        while self.token == ",":
            self.step()
            args.append(self.term(depth))
        self.take(")")
        expected = relation.of
        if len(args) != len(expected) or any(
            sort not in ("any", arg.sort) for sort, arg in zip(expected, args, strict=True)
        ):
            raise self.error(f"{relation.name} is a relation of {' and '.join(expected)}")
        return Rel(relation.name, tuple(args))

    def joined(self, depth: int) -> Formula:
        self.take("(")
        parts = [self.formula(depth + 1)]
        sign = self.token
        if sign in {"→", "↔"}:
            self.step()
            parts.append(self.formula(depth + 1))
        while sign in {"∧", "∨"} and self.token == sign:
            self.step()
            parts.append(self.formula(depth + 1))
        self.take(")")
        match sign:
            case "→":
                return Implies(*parts)
            case "↔":
                return Iff(*parts)
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
        if token in EVENTS:
            self.take("(")
            of = self.term(depth + 1)
            self.take(")")
            return Event(token, of)
        if re.fullmatch("[pc][0-9]+", token):
            return Name(token)
        if re.fullmatch("[xy][0-9]*", token):
            return Var(token)
        raise self.error(f"expected a person or a place, found {token or 'the end'!r}")

    def names(self) -> tuple[Name, ...]:
        self.take("{")
        terms = [self.term(0)]
        while self.token == ",":
            self.step()
            terms.append(self.term(0))
        self.take("}")
        return tuple(name for name in terms if isinstance(name, Name))

    def variable(self) -> Var:
        token = self.step()
        if not re.fullmatch("[xy][0-9]*", token):
            raise self.error(f"expected a variable, found {token or 'the end'!r}")
        return Var(token)
