"""The candidate that the text mentions second: `second`.

It abstains where `first` does, and goes by the same places.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from winoglot.models._rule import RuleSolver, check_told
from winoglot.models.first import mentioned
from winoglot.schemas.hashing import digest

if TYPE_CHECKING:
    from winoglot.models.base import Options, Solver


check = partial(check_told, "second")


def load(location: str, options: Options) -> Solver:
    """The rule; no option matters to it."""
    check(location, options)
    return RuleSolver("second", lambda question: mentioned(question, 1), digest(["second", 1]))
