"""The shape of a pair: its formulas with the names numbered in the order of occurrence, so that proofs are reused."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from winoglot.logic.formulas import Name, person, place
from winoglot.logic.walking import renamed

if TYPE_CHECKING:
    from winoglot.logic.formulas import Formula


_NAME = re.compile(r"[pc]\d+")


def without_names(formula: Formula) -> str:
    """The formula as text with the sort in the place of each name.

    >>> from winoglot.logic.formulas import parse
    >>> without_names(parse("¬V(p3,c2)"))
    '¬V(p,c)'
    """
    return _NAME.sub(lambda match: match[0][0], str(formula))


def shape(premise: Formula, hypothesis: Formula) -> tuple[Formula, Formula]:
    """Two pairs of one shape differ only in who and where.

    >>> from winoglot.logic.formulas import parse
    >>> [str(part) for part in shape(parse("(V(p7,c2) ∧ V(p3,c9))"), parse("¬V(p3,c2)"))]
    ['(V(p0,c0) ∧ V(p1,c1))', '¬V(p1,c0)']
    """
    numbers = _Numbers()
    return renamed(premise, numbers.__getitem__), renamed(hypothesis, numbers.__getitem__)


class _Numbers(dict[Name, Name]):
    """A name for each one that is asked for, numbered as they come."""

    def __init__(self) -> None:
        super().__init__()
        self._people = self._places = 0

    def __missing__(self, name: Name) -> Name:
        if name.sort == "person":
            self[name] = person(self._people)
            self._people += 1
        else:
            self[name] = place(self._places)
            self._places += 1
        return self[name]
