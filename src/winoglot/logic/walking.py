"""Traverse formulas: their parts, their names, and renaming."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.logic.formulas import (
    And,
    AtLeast,
    AtLeastAsTall,
    AtMost,
    Before,
    Equal,
    Exactly,
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
    from collections.abc import Callable, Iterator

    from winoglot.logic.formulas import Formula, Term


def children(node: Formula | Term) -> tuple[Formula | Term, ...]:
    """The parts of a formula or term, in printed order; a bound variable counts only where it is used."""
    match node:
        case Name() | Var():
            return ()
        case The() | Not():
            return (node.body,)
        case Rel() | Taller() | AtLeastAsTall() | Before() | Equal():
            return (node.x, node.y)
        case And() | Or():
            return node.parts
        case Implies():
            return (node.a, node.b)
        case _:
            return (node.body,)


def mentions(formula: Formula) -> Iterator[Name]:
    """Every occurrence of a name, in printed order."""
    stack: list[Formula | Term] = [formula]
    while stack:
        node = stack.pop()
        if type(node) is Name:
            yield node
        else:
            stack.extend(children(node)[::-1])


def atoms(formula: Formula) -> Iterator[Rel | Taller | AtLeastAsTall | Before]:
    """Every atom (a statement about two terms), in printed order."""
    stack: list[Formula | Term] = [formula]
    while stack:
        node = stack.pop()
        if isinstance(node, Rel | Taller | AtLeastAsTall | Before):
            yield node
        else:
            stack.extend(children(node)[::-1])


def is_open(node: Formula | Term, bound: frozenset[Var] = frozenset()) -> bool:
    """Whether a variable occurs unbound by any quantifier or description.

    >>> from winoglot.logic.formulas import parse
    >>> is_open(parse("∀x V(x,c0)")), is_open(parse("V(x,c0)"))
    (False, True)
    """
    if isinstance(node, Var):
        return node not in bound
    var = getattr(node, "var", None)
    inside = bound if var is None else bound | {var}
    return any(is_open(child, inside) for child in children(node))


def symbols(formula: Formula) -> tuple[Name, ...]:
    """The names of a formula in order of first occurrence.

    >>> from winoglot.logic.formulas import parse
    >>> [name.text for name in symbols(parse("(V(p2,c1) ∧ ¬V(p0,c1))"))]
    ['p2', 'c1', 'p0']
    """
    return tuple(dict.fromkeys(mentions(formula)))


def renamed(formula: Formula, rename: Callable[[Name], Name]) -> Formula:
    """Rename the names; `rename` is called for every occurrence, in printed order."""
    changed = _renamed(formula, rename)
    assert not isinstance(changed, Name | Var | The)
    return changed


def _renamed(node: Formula | Term, rename: Callable[[Name], Name]) -> Formula | Term:
    if isinstance(node, Rel):  # by far the most frequent
        x, y = node.x, node.y
        x = rename(x) if type(x) is Name else _renamed(x, rename)  # type: ignore[assignment]
        y = rename(y) if type(y) is Name else _renamed(y, rename)  # type: ignore[assignment]
        return Rel(node.name, x, y)
    match node:
        case Name():
            return rename(node)
        case Not():
            return Not(_renamed(node.body, rename))  # type: ignore[arg-type]
        case And() | Or():
            return type(node)(tuple([_renamed(part, rename) for part in node.parts]))  # type: ignore[misc]
        case Taller() | AtLeastAsTall() | Before() | Equal():
            return type(node)(_renamed(node.x, rename), _renamed(node.y, rename))  # type: ignore[arg-type]
        case Implies():
            return Implies(_renamed(node.a, rename), _renamed(node.b, rename))  # type: ignore[arg-type]
        case Var():
            return node
        case Exactly() | AtLeast() | AtMost():
            return type(node)(node.n, node.var, _renamed(node.body, rename))  # type: ignore[arg-type]
        case _:
            return type(node)(node.var, _renamed(node.body, rename))  # type: ignore[arg-type]
