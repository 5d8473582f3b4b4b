"""Tags are known, do not contradict each other, and `switchable` stands only where candidates can change places.

Known are the tags of `tags.txt`; others may be meant so (warning). An item has at most one tag about its candidates
(names, nouns) and at most one about its pronoun (warning). Switching needs two candidates whose mentions overlap
neither each other nor the pronoun: else there are no two places to exchange (error). Where the mentions of one are not
known, it cannot be told (warning).
"""

from __future__ import annotations

from functools import cache, partial
from importlib.resources import files
from typing import TYPE_CHECKING

from winoglot.checks.base import Context, Finding, Severity
from winoglot.errors import nearest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.schemas.model import Collection, Item
    from winoglot.schemas.spans import Span

SEVERITY: Severity = "warning"


def check(collection: Collection, context: Context) -> Iterator[Finding]:
    """A word about each tag that is unknown, about each two that exclude each other, and about each false switch."""
    del context
    known = {tag for tags in _groups().values() for tag in tags}
    for item in collection.items:
        finding = partial(Finding, schema=item.schema_id, item=item.id)
        for tag in item.tags:
            if tag not in known:
                yield finding(f"the tag {tag!r} is not known", nearest(tag, known))
        for group, tags in _groups().items():
            both = [tag for tag in item.tags if tag in tags]
            if group.endswith("!") and len(both) > 1:
                yield finding(
                    f"the tags {', '.join(both)} exclude each other: they all say of what kind the "
                    f"{group.removesuffix('!')} is",
                    "Keep the one that fits.",
                )
        if "switchable" not in item.tags:
            continue
        why = _why_not_switchable(item)
        if why:
            yield finding(f"tagged 'switchable', but {why}", "Take the tag out.", severity="error")
        for candidate in item.candidates:
            if item.text and not candidate.mentions:
                yield finding(
                    f"tagged 'switchable', but where the text mentions {candidate.text!r} is not known",
                    "List its mentions under 'mentions', or take the tag out.",
                )


@cache
def _groups() -> dict[str, list[str]]:
    lines = files(__package__).joinpath("tags.txt").read_text(encoding="utf-8").splitlines()
    groups = (line.partition(":") for line in lines if not line.startswith("#"))
    return {name: tags.split() for name, _, tags in groups}


def _why_not_switchable(item: Item) -> str | None:
    """Why the candidates cannot change places; None where they can, or where no text says."""
    if item.candidate_count != 2:
        return f"there are {item.candidate_count} candidates, not two"
    if item.text is None or item.pronoun is None:
        return None
    for candidate in item.candidates:
        for mention in candidate.mentions:
            if _share(mention, item.pronoun):
                return f"the mention {mention.of(item.text)!r} and the pronoun overlap"
    first, second = item.candidates
    for one, other in ((one, other) for one in first.mentions for other in second.mentions):
        if one.overlaps(other):
            return f"the mentions {one.of(item.text)!r} and {other.of(item.text)!r} overlap"
    return None


def _share(mention: Span, pronoun: Span) -> bool:
    """Also where an unspoken pronoun stands in the middle of the mention."""
    return mention.overlaps(pronoun) or mention.start < pronoun.start < mention.end
