"""The forms of sentences, independent of any language: what each means, and what fills its slots.

A form is a formula with slots, such as `∀x (P → ¬R)`. A fragment is a form whose slots are filled; a language's table
has patterns for each form: *Nobody who {P} {R}*. Both directions use the same declarations: `fragments` finds the
forms that express a formula, `Fragment.formula` is what a parsed sentence means.

| slot | filled by |
| --- | --- |
| A, B | a statement about names: an atom or its negation |
| C | an atom about names |
| P, Q | a statement about x: an atom or its negation |
| R | an atom about x |
| G | membership of x in a group |
| a, b | a person, a place or a description |
| E, F | an event |
| L | a list of names |
| n | a number, two or more |
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

from winoglot.logic.formulas import (
    RELATIONS,
    Among,
    And,
    AtLeast,
    AtMost,
    Equal,
    Event,
    Exactly,
    Exists,
    Few,
    ForAll,
    Formula,
    Half,
    Iff,
    Implies,
    Most,
    Name,
    Not,
    Or,
    Rel,
    The,
    Var,
    atom_of,
    substituted,
)

X = Var("x")
Filler = Any  # a formula, a term, a number or a tuple of names, according to the slot
Slots = Mapping[str, Filler]


@dataclass(frozen=True)
class FormSlot:
    """A place in a form; `at` says of whom an open statement is made."""

    name: str
    at: FormSlot | None = None


A, B, C, P, Q, R, G, a, b, E, F, L, n = (FormSlot(letter) for letter in "ABCPQRGabEFLn")


def _of(statement: FormSlot, subject: FormSlot) -> Any:
    return FormSlot(statement.name, subject)


FORMS: Mapping[str, Any] = {
    "fact": A,
    "denial": Not(A),  # type: ignore[arg-type]
    "if": Implies(A, B),  # type: ignore[arg-type]
    "only-if": Implies(A, B),  # type: ignore[arg-type]
    "unless": Implies(Not(C), B),  # type: ignore[arg-type]
    "or": Or((A, B)),  # type: ignore[arg-type]
    "if-same": Implies(_of(P, a), _of(Q, a)),
    "if-also": Implies(_of(P, a), _of(P, b)),
    "if-not-also": Implies(_of(R, a), Not(_of(R, b))),
    "unless-also": Implies(Not(_of(R, a)), _of(R, b)),
    "unless-same": Implies(Not(_of(R, a)), _of(Q, a)),
    "or-same": Or((_of(P, a), _of(Q, a))),
    "one-or-both": Or((_of(P, a), _of(P, b))),
    "iff": Iff(A, B),  # type: ignore[arg-type]
    "either-or": Iff(A, Not(C)),  # type: ignore[arg-type]
    "both-or-neither": Iff(_of(R, a), _of(R, b)),
    "one-of-two": Iff(_of(R, a), Not(_of(R, b))),
    "and": And((A, B)),  # type: ignore[arg-type]
    "both": And((_of(R, a), _of(R, b))),
    "neither": And((Not(_of(R, a)), Not(_of(R, b)))),
    "every": ForAll(X, Implies(P, R)),  # type: ignore[arg-type]
    "none": ForAll(X, Implies(P, Not(R))),  # type: ignore[arg-type]
    "only-those": ForAll(X, Implies(P, R)),  # type: ignore[arg-type]
    "some": Exists(X, And((P, Q))),  # type: ignore[arg-type]
    "not-every": Not(ForAll(X, Implies(P, R))),  # type: ignore[arg-type]
    "everyone": ForAll(X, R),  # type: ignore[arg-type]
    "nobody": ForAll(X, Not(R)),  # type: ignore[arg-type]
    "someone": Exists(X, P),  # type: ignore[arg-type]
    "only": ForAll(X, Iff(R, Equal(X, a))),  # type: ignore[arg-type]
    "all-but": ForAll(X, Iff(R, Not(Equal(X, a)))),  # type: ignore[arg-type]
    "identity": Equal(a, b),  # type: ignore[arg-type]
    "no-identity": Not(Equal(a, b)),  # type: ignore[arg-type]
    "group": ForAll(X, Iff(G, Among(X, L))),  # type: ignore[arg-type]
    "all-of": ForAll(X, Implies(G, R)),  # type: ignore[arg-type]
    "none-of": ForAll(X, Implies(G, Not(R))),  # type: ignore[arg-type]
    "exactly": Exactly(n, X, And((G, P))),  # type: ignore[arg-type]
    "at-least": AtLeast(n, X, And((G, P))),  # type: ignore[arg-type]
    "at-most": AtMost(n, X, And((G, P))),  # type: ignore[arg-type]
    "exactly-one": Exactly(1, X, And((G, P))),  # type: ignore[arg-type]
    "at-least-one": AtLeast(1, X, And((G, P))),  # type: ignore[arg-type]
    "at-most-one": AtMost(1, X, And((G, P))),  # type: ignore[arg-type]
    "most-of": Most(X, G, P),  # type: ignore[arg-type]
    "half-of": Half(X, G, P),  # type: ignore[arg-type]
    "few-of": Few(X, G, P),  # type: ignore[arg-type]
    "before": Rel("before", (E, F)),  # type: ignore[arg-type]
    "not-before": Not(Rel("before", (E, F))),  # type: ignore[arg-type]
    "stay-until": Not(Rel("before", (Event("departure", a), F))),  # type: ignore[arg-type]
    "there-since": Not(Rel("before", (F, Event("arrival", a)))),  # type: ignore[arg-type]
}
# forms that say once what is said of two people
OF_TWO = frozenset(
    ["both", "neither", "one-or-both", "both-or-neither", "one-of-two", "if-also", "if-not-also", "unless-also"]
)


@dataclass(frozen=True)
class Fragment:
    """A form with what fills its slots: a sentence before it is put into words."""

    form: str
    slots: Slots

    @property
    def formula(self) -> Formula:
        """What the sentence says."""
        return _fill(FORMS[self.form], self.slots)  # type: ignore[no-any-return]


def fragments(formula: Formula, *, nested: bool = False, forms: Container[str] = FORMS) -> Iterator[Fragment]:
    """The forms that express a formula, among `forms`. With `nested`, a simple negation may be worded as a denial."""
    kinds = (FormSlot, type(formula))
    for form, template in FORMS.items():
        if type(template) not in kinds or form not in forms:
            continue
        if form == "denial" and not nested and not isinstance(getattr(formula, "body", None), Not):
            continue
        for slots in _matches(template, formula, {}):
            yield Fragment(form, slots)


def is_statement(formula: Any, *, about: bool = False) -> bool:
    """Whether a formula is an atom or its negation that a clause can say, of x if `about` says so, else of names."""
    return is_atom(formula.body if isinstance(formula, Not) else formula, about=about)


def is_atom(formula: Any, *, about: bool = False) -> bool:
    """Whether a formula is a relation other than membership and time, with x as one argument if `about` says so."""
    if not isinstance(formula, Rel) or RELATIONS[formula.name].logic == "group" or formula.name == "before":
        return False
    return (X in formula.args) == about


def is_person(term: Any) -> bool:
    """Whether a term is the name or the description of a person."""
    return isinstance(term, The) or (isinstance(term, Name) and term.sort == "person")


_FITS: Mapping[str, Callable[[Any], bool]] = {
    "A": is_statement,
    "B": is_statement,
    "C": is_atom,
    "P": lambda filler: is_statement(filler, about=True),
    "Q": lambda filler: is_statement(filler, about=True),
    "R": lambda filler: is_atom(filler, about=True),
    "G": lambda filler: isinstance(filler, Rel) and RELATIONS[filler.name].logic == "group",
    "a": lambda filler: isinstance(filler, Name | The),
    "b": lambda filler: isinstance(filler, Name | The),
    "E": lambda filler: isinstance(filler, Event),
    "F": lambda filler: isinstance(filler, Event),
    "L": lambda filler: isinstance(filler, tuple) and all(isinstance(name, Name) for name in filler),
    "n": lambda filler: isinstance(filler, int) and filler >= 2,
}


def _matches(template: Any, filler: Any, slots: Slots) -> Iterator[Slots]:
    """The ways to fill the slots of a template so that it is the filler."""
    if isinstance(template, FormSlot):
        for value, subject in [(filler, None)] if template.at is None else _openings(filler):
            new_slots = (
                {template.name: value} if template.at is None else {template.name: value, template.at.name: subject}
            )
            if all(
                slots.get(name, value_of_slot) == value_of_slot and _FITS[name](value_of_slot)
                for name, value_of_slot in new_slots.items()
            ):
                yield {**slots, **new_slots}
    elif isinstance(template, tuple):
        if isinstance(filler, tuple) and len(filler) == len(template):
            yield from _all_matched(list(zip(template, filler, strict=True)), slots)
    elif type(template) is not type(filler):
        return
    elif hasattr(template, "__dataclass_fields__"):
        field_pairs = [(getattr(template, field.name), getattr(filler, field.name)) for field in fields(template)]
        yield from _all_matched(field_pairs, slots)
    elif template == filler:
        yield slots


def _all_matched(parts: list[tuple[Any, Any]], slots: Slots) -> Iterator[Slots]:
    if not parts:
        yield slots
        return
    for new_slots in _matches(*parts[0], slots):
        yield from _all_matched(parts[1:], new_slots)


def _openings(statement: Any) -> Iterator[tuple[Formula, Any]]:
    """A statement about names as a statement about x, and the name that x stands for: once per argument."""
    if is_statement(statement):
        atom = atom_of(statement)
        for number, subject in enumerate(atom.args):
            args = (*atom.args[:number], X, *atom.args[number + 1 :])
            if isinstance(subject, Name) and subject.sort == "person":
                open_statement = Rel(atom.name, args)
                yield (Not(open_statement) if isinstance(statement, Not) else open_statement), subject


def _fill(template: Any, slots: Slots) -> Any:
    if isinstance(template, FormSlot):
        value = slots[template.name]
        return value if template.at is None else substituted(value, {X: slots[template.at.name]})
    if isinstance(template, tuple):
        return tuple(_fill(part, slots) for part in template)
    if hasattr(template, "__dataclass_fields__") and not isinstance(template, Var):
        return type(template)(*(_fill(getattr(template, field.name), slots) for field in fields(template)))
    return template
