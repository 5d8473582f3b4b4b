"""The shape of a pair: its formulas with names numbered in order of occurrence, so that proofs can be reused."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from winoglot.logic.formulas import Name, person, place
from winoglot.logic.walking import renamed

if TYPE_CHECKING:
    from winoglot.logic.formulas import Formula


_NAME = re.compile(r"[pc]\d+")


def without_names(formula: Formula) -> str:
    """The formula as text, with each name replaced by the letter of its sort.

    >>> from winoglot.logic.formulas import parse
    >>> without_names(parse("¬V(p3,c2)"))
    '¬V(p,c)'
    """
    return _NAME.sub(lambda match: match[0][0], str(formula))


def shape(premise: Formula, hypothesis: Formula) -> tuple[Formula, Formula]:
    """Renumber the names; two pairs with the same shape differ only in their names.

    >>> from winoglot.logic.formulas import parse
    >>> [str(part) for part in shape(parse("(V(p7,c2) ∧ V(p3,c9))"), parse("¬V(p3,c2)"))]
    ['(V(p0,c0) ∧ V(p1,c1))', '¬V(p1,c0)']
    """
    numbered: dict[Name, Name] = {}
    count = Counter[str]()

    def rename(name: Name) -> Name:
        new = numbered.get(name)
        if new is None:
            new = numbered[name] = (person if name.sort == "person" else place)(count[name.sort])
            count[name.sort] += 1
        return new

    return renamed(premise, rename), renamed(hypothesis, rename)
