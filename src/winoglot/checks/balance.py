"""Answers, the order of mention and frames are balanced over the collection.

Whether candidate 0, and whether the candidate mentioned first, is right as often as the other one is tested at 1% with
the exact two-sided binomial test. Each schema has one vote, and a proper pair none: it has both answers, so it is
balanced by construction. A frame is what remains of the first item's text if only its mentions, its pronoun and small
words are kept ("X X because P"); among 20 schemas or more no frame should make up more than 15%.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from winoglot.checks.base import CheckContext, Finding, NotRun, Severity
from winoglot.checks.texts import small_words
from winoglot.checks.voting import FEWEST, is_labelled_choice, uneven, votes
from winoglot.schemas.mentions import mention_order
from winoglot.schemas.text import folded, is_inside_word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.schemas.model import Collection, Item

SEVERITY: Severity = "warning"
LARGEST_FRAME = 0.15
_UNBALANCED = "that are not balanced pairs"


def check(collection: Collection, _context: CheckContext) -> Iterator[Finding]:
    """At most three warnings, about the collection as a whole."""
    labelled = sum(map(is_labelled_choice, collection.items))
    if labelled < FEWEST:
        raise NotRun(f"it needs at least {FEWEST} labelled items with two candidates, found {labelled}")
    by_index = votes(collection.schemas, lambda item: item.answer == 0)
    by_order = votes(collection.schemas, _first_is_right)
    yield from uneven(by_index, _UNBALANCED, "candidate 0 is right", "Swap the candidates in some of them.")
    if by_order != by_index:  # if candidates are listed in order of mention, once is enough
        remedy = "Mention the other candidate first in some of them."
        yield from uneven(by_order, _UNBALANCED, "the candidate mentioned first is right", remedy)
    yield from _frequent_frame(collection)


def _first_is_right(item: Item) -> bool | None:
    order = mention_order(item)
    return None if order is None else order[0] == item.answer


def _frequent_frame(collection: Collection) -> Iterator[Finding]:
    firsts = [schema.items[0] for schema in collection.schemas if schema.items[0].text is not None]
    if len(firsts) < FEWEST or not small_words(collection.language):
        return
    pattern = re.compile("|".join(map(re.escape, sorted(small_words(collection.language), key=len, reverse=True))))
    all_frames = (_frame(item, pattern) for item in firsts)
    frames = Counter(frame for frame in all_frames if set(frame.split()) - {"X", "P"})  # with a word that links clauses
    frame, count = max(frames.items(), key=lambda pair: pair[1], default=("", 0))
    if count > LARGEST_FRAME * len(firsts):
        yield Finding(
            f"{count} of {len(firsts)} schemas ({count / len(firsts):.0%}) have the frame {frame!r}",
            "Write some of them with other connectives or in another order.",
        )


def _frame(item: Item, small: re.Pattern[str]) -> str:
    """Mentions as X, the pronoun as P, small words as they are, and nothing else."""
    text = item.text or ""
    marks = {mention.start: "X" for candidate in item.candidates for mention in candidate.mentions}
    if item.pronoun is not None:
        marks[item.pronoun.start] = "P"
    plain = folded(text)
    mentions = [span for candidate in item.candidates for span in candidate.mentions]
    for match in small.finditer(plain):
        start, end = match.span()
        if not is_inside_word(plain, start, end) and not any(start < m.end and m.start < end for m in mentions):
            marks.setdefault(start, match.group())
    return " ".join(marks[index] for index in sorted(marks))
