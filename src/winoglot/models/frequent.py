"""The candidate whose words are more frequent: `frequent`.

A candidate's score is the mean, over its content words, of the natural logarithm of the word's share of all words in
the language's packaged table. Content words are what remains of its citation form without determiners, prepositions,
pronouns and other small words; a word counts as it is written there, not as its lemma. Where one of them is not in the
table, or none remains, the score is undefined and the solver abstains: nothing tells how rare an unknown word is.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from winoglot.languages.frequencies import content_words, frequencies, tables_hash
from winoglot.models._rule import RuleSolver, check_told, undefined
from winoglot.models.base import Question, Scores
from winoglot.schemas.hashing import digest

if TYPE_CHECKING:
    from winoglot.models.base import Options, Solver


check = partial(check_told, "frequent")


def load(location: str, options: Options) -> Solver:
    """The rule; no option matters to it."""
    check(location, options)
    return RuleSolver("frequent", frequency, digest(["frequent", 1, tables_hash()]))


def frequency(question: Question) -> Scores:
    """The mean log frequency of each candidate's content words."""
    table = frequencies(question.language)
    if not question.item.candidates:
        return undefined(question, "candidates not named")
    values: list[float | None] = []
    unknown: list[str] = []
    for reading in question.readings:
        text = question.item.candidates[reading.candidate].text
        words = content_words(text, question.language)
        known = [value for value in map(table.log_frequency, words) if value is not None]
        values.append(sum(known) / len(known) if known and len(known) == len(words) else None)
        unknown += [word for word in words or [text] if table.log_frequency(word) is None or not words]
    return Scores(tuple(values), note=f"unknown: {', '.join(unknown)}" if unknown else "")
