"""The marked pronoun is a pronoun of the language that can refer to something.

Otherwise there is nothing to resolve. It must be on the language's list of pronouns, be neither inside a longer word
nor a candidate's determiner, and not open one of the listed phrases in which it refers to nothing (*il y a*). Gaps and
zero pronouns are exempt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.checks.base import CheckContext, Finding, NotRun, Severity
from winoglot.languages.base import function_words
from winoglot.languages.pronouns import pronoun_fault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.schemas.model import Collection

SEVERITY: Severity = "error"


def check(collection: Collection, _context: CheckContext) -> Iterator[Finding]:
    """Every item whose pronoun is not one."""
    words = function_words(collection.language)
    if not words.pronouns:
        raise NotRun(f"the pronouns of {collection.language!r} are not listed; add languages/…/pronouns.txt")
    for item in collection.items:
        if item.text is None or item.pronoun is None or item.pronoun_form != "word":
            continue
        mentions = [mention for candidate in item.candidates for mention in candidate.mentions]
        surface = item.pronoun.of(item.text)
        fault = pronoun_fault(item.text, item.pronoun, mentions, words)
        if fault is not None:
            yield Finding.about(
                item,
                f"{surface!r} at character {item.pronoun.start} is marked as the pronoun, but {fault}",
                "Mark the whole word whose referent is asked for; {} if it is not spoken.",
            )
