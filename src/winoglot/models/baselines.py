"""Baselines: five rules that answer without looking at what a schema asks.

- `first` and `second` choose by the order in which the text mentions the candidates, never by their indices. They
  abstain if a candidate is not mentioned or two are first mentioned at the same place. The pronoun may come before a
  candidate (*When {she} rang, Rita was telling Clara …*): what counts is still the order of the text.
- `longer` chooses the candidate with more characters in its citation form, without its determiner. Equal lengths are a
  tie. If a source gives readings without candidates, the lengths of the readings are compared instead.
- `frequent` chooses by the mean, over a candidate's content words, of the natural logarithm of the word's relative
  frequency in the language's packaged table. Content words are what remains of the citation form without determiners,
  prepositions, pronouns and other function words, as they are written there (not as lemmas). It abstains if a word is
  not in the table or no content word remains: nothing says how rare an unknown word is.
- `chance` guesses. A guess depends only on the seed and the item, so it stays the same whatever else is asked.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING
from unicodedata import normalize

from winoglot.errors import InputError
from winoglot.languages.base import function_words
from winoglot.languages.frequencies import content_words, frequencies, tables_hash
from winoglot.models.base import Options, Question, Scores, Solver
from winoglot.schemas.hashing import digest
from winoglot.schemas.mentions import mention_order

if TYPE_CHECKING:
    from collections.abc import Sequence

CHOICE = "choice"  # the one scoring of a rule: which candidate, not how likely a text is
_BITS = 52  # of a guess: as many as a float between 0 and 1 can hold exactly


@dataclass
class RuleSolver(Solver):
    """Scores each question by itself, by one function."""

    name: str
    rule: Callable[[Question], Scores]
    fingerprint: str  # a rule has no weights: this changes when the rule, or the table it reads, changes
    settings: Mapping[str, object] = field(default_factory=dict)
    scorings: tuple[str, ...] = (CHOICE,)
    is_baseline: bool = False
    cacheable: bool = True
    batch_characters = 600_000  # a rule answers thousands of items in a second

    def score(self, questions: Sequence[Question], scorings: Sequence[str]) -> list[dict[str, Scores]]:
        """The scores of the rule, under each name asked for."""
        return [dict.fromkeys(scorings, self.rule(question)) for question in questions]


@dataclass(frozen=True)
class Baseline:
    """A family with one model, which has no location."""

    name: str
    description: str  # one line for `winoglot list models`
    rule: Callable[..., Scores]  # takes a question, and the seed if there is one
    table: Callable[[], str] | None = None  # the hash of what the rule reads
    seeded: bool = False
    is_baseline = True

    def check(self, location: str, options: Options) -> tuple[str, ...]:
        """Reject a location. Other settings make no difference to a rule."""
        del options
        if location:
            raise InputError(f"{self.name} takes no location, found {location!r}", remedy=f"Write {self.name} alone.")
        return (CHOICE,)

    def load(self, location: str, options: Options) -> RuleSolver:
        """The rule as a solver."""
        self.check(location, options)
        return RuleSolver(
            self.name,
            partial(self.rule, seed=options.seed) if self.seeded else self.rule,
            digest([self.name, 1, *([self.table()] if self.table else [])]),
            {"seed": options.seed} if self.seeded else {},
            is_baseline=True,
        )


def mentioned(question: Question, place: int) -> Scores:
    """1 for the candidate with that place in the order of first mentions, from 0; 0 for the others."""
    order = mention_order(question.item)
    if order is None or len(order) <= place:
        return Scores.undefined(question, "not mentioned in an order")
    return Scores(tuple(float(reading.candidate == order[place]) for reading in question.readings))


def length(question: Question) -> Scores:
    """The length of each candidate."""
    words = function_words(question.language)
    candidates = question.item.candidates
    texts = (
        words.without_determiner(candidates[reading.candidate].text) if candidates else reading.text
        for reading in question.readings
    )
    return Scores(tuple(float(len(normalize("NFC", text))) for text in texts))


def frequency(question: Question) -> Scores:
    """The mean log frequency of each candidate's content words."""
    table = frequencies(question.language)
    if not question.item.candidates:
        return Scores.undefined(question, "candidates not named")
    values: list[float | None] = []
    unknown: list[str] = []
    for reading in question.readings:
        text = question.item.candidates[reading.candidate].text
        words = content_words(text, question.language)
        log_frequencies = [value for value in map(table.log_frequency, words) if value is not None]
        values.append(
            sum(log_frequencies) / len(log_frequencies)
            if log_frequencies and len(log_frequencies) == len(words)
            else None
        )
        unknown += [word for word in words or [text] if table.log_frequency(word) is None or not words]
    return Scores(tuple(values), note=f"unknown: {', '.join(unknown)}" if unknown else "")


def guess(question: Question, seed: int) -> Scores:
    """A number from 0 to 1 for each candidate, all equally likely to be the highest."""
    numbers = (_draw(f"{seed} {question.item.hash} {reading.candidate}") for reading in question.readings)
    return Scores(tuple(numbers))


def _draw(text: str) -> float:
    number = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])
    return math.ldexp(number >> (64 - _BITS), -_BITS)


PLUGINS = {
    "first": Baseline(
        "first", "Baseline: the candidate that the text mentions first.", lambda question: mentioned(question, 0)
    ),
    "second": Baseline(
        "second", "Baseline: the candidate that the text mentions second.", lambda question: mentioned(question, 1)
    ),
    "longer": Baseline("longer", "Baseline: the candidate with more characters.", length),
    "frequent": Baseline("frequent", "Baseline: the candidate with the more frequent words.", frequency, tables_hash),
    "chance": Baseline("chance", "Baseline: a guess, which depends on the seed and the item.", guess, seeded=True),
}
