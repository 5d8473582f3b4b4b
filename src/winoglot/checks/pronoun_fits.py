"""The marked pronoun is a pronoun of the language that can refer to something: else there is nothing to resolve.

It must be on the language's list of pronouns, stand neither inside a longer word nor as a candidate's determiner, and
open none of the listed phrases in which it refers to nothing (*il y a*). Blanks and zero pronouns are exempt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.checks.base import Context, Finding, NotRun, Severity
from winoglot.languages.base import function_words
from winoglot.languages.pronouns import pronoun_fault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.schemas.model import Collection

SEVERITY: Severity = "error"


def check(collection: Collection, context: Context) -> Iterator[Finding]:
    """Every item whose pronoun is none."""
    del context
    words = function_words(collection.language)
    if not words.pronouns:
        raise NotRun(f"nobody has listed the pronouns of {collection.language!r}; add languages/…/pronouns.txt")
    for item in collection.items:
        if item.text is None or item.pronoun is None or item.pronoun_form != "word":
            continue
        mentions = [mention for candidate in item.candidates for mention in candidate.mentions]
        surface = item.pronoun.of(item.text)
        fault = pronoun_fault(item.text, item.pronoun, mentions, words)
        if fault is not None:
            yield Finding(
                f"{surface!r} at character {item.pronoun.start} is marked as the pronoun, but {fault}",
                "Mark the word whose reference is asked for, whole; {} where it is not spoken.",
                schema=item.schema_id,
                item=item.id,
            )
