"""The longer candidate: `longer`. Its score is the number of characters of its citation form, determiner aside.

Candidates of equal length are a tie. Where a source gives readings only, their lengths stand in: they differ by the
candidate.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING
from unicodedata import normalize

from winoglot.languages.base import function_words
from winoglot.models._rule import RuleSolver, check_told
from winoglot.models.base import Question, Scores
from winoglot.schemas.hashing import digest

if TYPE_CHECKING:
    from winoglot.models.base import Options, Solver


check = partial(check_told, "longer")


def load(location: str, options: Options) -> Solver:
    """The rule; no option matters to it."""
    check(location, options)
    return RuleSolver("longer", lengths, digest(["longer", 1]))


def lengths(question: Question) -> Scores:
    """How long each candidate is."""
    words = function_words(question.language)
    candidates = question.item.candidates
    texts = (
        words.without_determiner(candidates[reading.candidate].text) if candidates else reading.text
        for reading in question.readings
    )
    return Scores(tuple(float(len(normalize("NFC", text))) for text in texts))
