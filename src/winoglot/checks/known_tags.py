"""Tags are known, do not contradict each other, and `switchable` items can be switched.

The known tags are in `schemas/tags.txt`; others may be intended (warning). An item has at most one tag about its
candidates (names, nouns) and at most one about its pronoun (warning). Switching needs two candidates whose mentions
overlap neither each other nor the pronoun; otherwise there are no two places to exchange (error). If the mentions of
one are not known, this cannot be decided (warning).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from winoglot.checks.base import CheckContext, Finding, Severity
from winoglot.errors import did_you_mean
from winoglot.schemas.statistics import tag_groups

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.schemas.model import Collection, Item
    from winoglot.schemas.spans import Span

SEVERITY: Severity = "warning"


def check(collection: Collection, _context: CheckContext) -> Iterator[Finding]:
    """Every tag that is unknown, contradicts another or is wrong."""
    known_tags = {tag for tags in tag_groups().values() for tag in tags}
    for item in collection.items:
        finding = partial(Finding.about, item)
        for tag in item.tags:
            if tag not in known_tags:
                yield finding(f"the tag {tag!r} is not known", did_you_mean(tag, known_tags))
        for group, tags in tag_groups().items():
            conflicting = [tag for tag in item.tags if tag in tags]
            if group.endswith("!") and len(conflicting) > 1:
                yield finding(
                    f"the tags {', '.join(conflicting)} exclude each other: "
                    f"an item has at most one tag about its {group.removesuffix('!')}",
                    "Keep the one that applies.",
                )
        if "switchable" not in item.tags:
            continue
        reason = _why_not_switchable(item)
        if reason:
            yield finding(f"tagged 'switchable', but {reason}", "Remove the tag.", severity="error")
        for candidate in item.candidates:
            if item.text and not candidate.mentions:
                yield finding(
                    f"tagged 'switchable', but it is not known where the text mentions {candidate.text!r}",
                    "List its mentions under 'mentions', or remove the tag.",
                )


def _why_not_switchable(item: Item) -> str | None:
    """Why the candidates cannot be switched; None if they can, or if there is no text."""
    if item.candidate_count != 2:
        return f"it has {item.candidate_count} candidates instead of two"
    if item.text is None or item.pronoun is None:
        return None
    for candidate in item.candidates:
        for mention in candidate.mentions:
            if _overlap(mention, item.pronoun):
                return f"the mention {mention.of(item.text)!r} and the pronoun overlap"
    first, second = item.candidates
    for span, second_mention in (
        (mention, second_mention) for mention in first.mentions for second_mention in second.mentions
    ):
        if span.overlaps(second_mention):
            return f"the mentions {span.of(item.text)!r} and {second_mention.of(item.text)!r} overlap"
    return None


def _overlap(mention: Span, pronoun: Span) -> bool:
    """Whether they overlap, or a zero pronoun is inside the mention."""
    return mention.overlaps(pronoun) or mention.start < pronoun.start < mention.end
