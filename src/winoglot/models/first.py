"""The candidate that the text mentions first: `first`.

It goes by the places of the mentions, never by the candidates' indices. Where a candidate is not mentioned, or two are
first mentioned at the same place, there is no first one, and it abstains. In cataphora, where the pronoun comes before
a candidate (*When {she} rang, Rita was telling Clara …*), the order is still that of the text: the rule asks what is
mentioned first, not what was mentioned already.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from winoglot.models._rule import RuleSolver, check_told, picked, undefined
from winoglot.schemas.hashing import digest
from winoglot.schemas.mentions import mention_order

if TYPE_CHECKING:
    from winoglot.models.base import Options, Question, Scores, Solver


check = partial(check_told, "first")


def load(location: str, options: Options) -> Solver:
    """The rule; no option matters to it."""
    check(location, options)
    return RuleSolver("first", lambda question: mentioned(question, 0), digest(["first", 1]))


def mentioned(question: Question, place: int) -> Scores:
    """The candidate with that place in the order of first mentions, from 0."""
    order = mention_order(question.item)
    if order is None or len(order) <= place:
        return undefined(question, "not mentioned in an order")
    return picked(question, order[place])
