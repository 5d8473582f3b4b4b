"""The shape of a pair: its formulas with the names numbered in the order of occurrence, so that proofs are reused."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from winoglot.logic.formulas import mentions, person, place, renamed

if TYPE_CHECKING:
    from winoglot.logic.formulas import Formula, Name


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
    numbered: dict[Name, Name] = {}
    people = places = 0
    for formula in (premise, hypothesis):
        for name in mentions(formula):
            if name in numbered:
                continue
            if name.sort == "person":
                numbered[name] = person(people)
                people += 1
            else:
                numbered[name] = place(places)
                places += 1
    changed = {old: new for old, new in numbered.items() if old != new}
    return renamed(premise, changed), renamed(hypothesis, changed)
