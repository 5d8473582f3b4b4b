"""Grammar can put each candidate in the pronoun's place: else its reading is the naive one, which may be no sentence.

Blanks and zero pronouns are exempt, for they have naive readings only; so are candidates whose reading is written, and
those that do not fit the pronoun at all, which `agreement` and `pronoun-fits` report.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.checks.base import Context, Finding, NotRun, Severity
from winoglot.languages.base import language_module
from winoglot.languages.readings import grammatical_readings, misfit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.schemas.model import Collection

SEVERITY: Severity = "warning"


def check(collection: Collection, context: Context) -> Iterator[Finding]:
    """Every item of which a reading is not derived."""
    del context
    if not hasattr(language_module(collection.language), "substitute"):
        raise NotRun(f"nobody has written rules of substitution for {collection.language!r}")
    for item in collection.items:
        if item.text is None or item.pronoun_form != "word":
            continue
        made = grammatical_readings(item, collection.language)
        missing = [r for r in made if not r.derived and not misfit(item, r.candidate, collection.language)]
        if missing:
            names = ", ".join(repr(item.candidates[reading.candidate].text) for reading in missing)
            yield Finding(
                f"no grammatical reading is derived for {names}: {missing[0].reason}",
                "Write it under 'readings', with {…} around the candidate.",
                schema=item.schema_id,
                item=item.id,
            )
