"""Over the collection, answers, the order of mention and frames are balanced.

Tested at 1% with the exact binomial test, two-sided: whether candidate 0, and whether the candidate mentioned first, is
right as often as the other one. Each schema has one vote, and a proper pair none: it holds both answers, so it is
balanced by construction. A frame is what is left of the first item's text when only its mentions, its pronoun and
small words are kept ("X X because P"); among 20 schemas or more no frame should make up over 15%.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from winoglot.checks._chance import FEWEST, LEVEL, chance, is_labelled_choice, votes
from winoglot.checks._words import small_words
from winoglot.checks.base import Context, Finding, NotRun, Severity
from winoglot.schemas.text import folded, is_inside_word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.schemas.model import Collection, Item

SEVERITY: Severity = "warning"
LARGEST_FRAME = 0.15


def check(collection: Collection, context: Context) -> Iterator[Finding]:
    """At most three warnings, on the collection as a whole."""
    del context
    labelled = sum(map(is_labelled_choice, collection.items))
    if labelled < FEWEST:
        raise NotRun(f"{labelled} labelled items with two candidates, at least {FEWEST} are needed")
    by_index = votes(collection.schemas, lambda item: item.answer == 0)
    by_order = votes(collection.schemas, _first_is_right)
    yield from _uneven(by_index, "candidate 0 is right", "Exchange the candidates of some.")
    if by_order != by_index:  # where candidates are listed as they are mentioned, once is enough
        yield from _uneven(
            by_order, "the candidate mentioned first is right", "Let the other be mentioned first in some."
        )
    yield from _frequent_frame(collection)


def _first_is_right(item: Item) -> bool | None:
    """None where there is no order: a candidate is not mentioned, or both begin in one place (Rita, Rita's aunt)."""
    starts = [candidate.mentions[0].start for candidate in item.candidates if candidate.mentions]
    if len(starts) != 2 or starts[0] == starts[1]:
        return None
    return starts.index(min(starts)) == item.answer


def _uneven(cast: list[bool], what: str, remedy: str) -> Iterator[Finding]:
    likelihood = chance(sum(cast), len(cast))
    if likelihood < LEVEL:
        yield Finding(
            f"in {sum(cast)} of {len(cast)} schemas that are no balanced pairs, {what} "
            f"(by chance: p = {likelihood:.1g})",
            remedy,
        )


def _frequent_frame(collection: Collection) -> Iterator[Finding]:
    firsts = [schema.items[0] for schema in collection.schemas if schema.items[0].text is not None]
    if len(firsts) < FEWEST or not small_words(collection.language):
        return
    pattern = re.compile("|".join(map(re.escape, sorted(small_words(collection.language), key=len, reverse=True))))
    (frame, count), *_ = Counter(_frame(item, pattern) for item in firsts).most_common()
    if count > LARGEST_FRAME * len(firsts):
        yield Finding(
            f"{count} of {len(firsts)} schemas ({count / len(firsts):.0%}) have the frame {frame!r}",
            "Write some of them with other connectives, or another order.",
        )


def _frame(item: Item, small: re.Pattern[str]) -> str:
    """Mentions as X, the pronoun as P, small words as they are; nothing else."""
    text = item.text or ""
    marks = {mention.start: "X" for candidate in item.candidates for mention in candidate.mentions}
    if item.pronoun is not None:
        marks[item.pronoun.start] = "P"
    plain = folded(text)
    taken = [span for candidate in item.candidates for span in candidate.mentions]
    for found in small.finditer(plain):
        start, end = found.span()
        if not is_inside_word(plain, start, end) and not any(start < m.end and m.start < end for m in taken):
            marks.setdefault(start, found.group())
    return " ".join(marks[at] for at in sorted(marks))
