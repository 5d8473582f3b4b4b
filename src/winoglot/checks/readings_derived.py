"""Grammar can put each candidate in the pronoun's place.

Otherwise its reading is the naive one, which may not be a sentence. Gaps are exempt, because they have only naive
readings, and so are zero pronouns in languages without rules for them, candidates whose reading is written, and those
that do not fit the pronoun at all, which `agreement` and `pronoun-fits` report.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.checks.base import CheckContext, Finding, NotRun, Severity
from winoglot.languages.base import language_hook, language_module
from winoglot.languages.readings import grammatical_readings, misfit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.schemas.model import Collection

SEVERITY: Severity = "warning"


def check(collection: Collection, _context: CheckContext) -> Iterator[Finding]:
    """Every item with a reading that is not derived."""
    if not hasattr(language_module(collection.language), "substitute"):
        raise NotRun(f"there are no substitution rules for {collection.language!r}")
    derivable = ("word", "zero") if language_hook(collection.language, "unspoken") else ("word",)
    for item in collection.items:
        if item.text is None or item.pronoun_form not in derivable:
            continue
        readings = grammatical_readings(item, collection.language)
        missing = [r for r in readings if not r.derived and not misfit(item, r.candidate, collection.language)]
        if missing:
            names = ", ".join(repr(item.candidates[reading.candidate].text) for reading in missing)
            message = f"no grammatical reading is derived for {names}: {missing[0].reason}"
            yield Finding.about(item, message, "Write it under 'readings', with {…} around the candidate.")
