"""Changing the alternative changes the answer.

A schema whose labelled items all have the same answer tests nothing. The answers of a schema with two or more labelled
items must name at least two candidates, ignoring determiner and case.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.checks.base import CheckContext, Finding, Severity
from winoglot.languages.base import function_words
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.schemas.model import Collection, Item

SEVERITY: Severity = "error"


def check(collection: Collection, _context: CheckContext) -> Iterator[Finding]:
    """Every schema whose answer stays the same."""
    for schema in collection.schemas:
        labelled = [item for item in schema.items if item.answer is not None]
        if len(labelled) > 1 and len({_answer(item, collection.language) for item in labelled}) == 1:
            first = labelled[0]
            answer = repr(first.candidates[first.answer or 0].text) if first.candidates else f"number {first.answer}"
            message = f"the answer is {answer} in all {len(labelled)} labelled items"
            yield Finding.about(
                first, message, "Correct the answers, or choose an alternative that changes the answer."
            )


def _answer(item: Item, language: str) -> str:
    """A key that two items share if their answers are the same."""
    if item.answer is None or not item.candidates:
        return f"number {item.answer}"
    words = function_words(language)
    cores = [folded(words.without_determiner(candidate.text)) for candidate in item.candidates]
    core = cores[item.answer]  # "my phone" and "your phone" differ only in the determiner
    return core if cores.count(core) == 1 else folded(item.candidates[item.answer].text)
