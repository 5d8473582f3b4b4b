"""Another voice: 把 becomes 被 and 被 becomes 把, and a verb whose object is affected gets 被.

警察抓住了小偷 becomes 小偷被警察抓住了, and 司机把箱子摞在了柜子上 becomes 箱子被司机摞在了柜子上. `passive` and
`affected` have the constructions; here the one with the fewest doubts is chosen and mentions, pronoun and roles follow.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.rewriting import PASSIVE, Rewriting
from winoglot.languages.text import words
from winoglot.languages.zh.rewriting import affected, passive
from winoglot.languages.zh.rewriting.clauses import clauses_without_subject, subject_clauses, subject_of
from winoglot.languages.zh.rewriting.scene import scene_of
from winoglot.schemas.spans import Edit, Span, moved

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.languages.rewriting import Draws
    from winoglot.languages.zh.rewriting.passive import Rearranged
    from winoglot.languages.zh.rewriting.scene import ChineseScene
    from winoglot.schemas.model import Item, Role


def voice(item: Item, draws: Draws) -> Rewriting:  # noqa: ARG001
    """Rewrite the first clause that can be in the other voice, best of all one without doubts."""
    scene = scene_of(item)
    reasons = ["no clause has a subject and an object that 把 or 被 could name"]
    rewritings = []
    for make in _makers(scene):
        try:
            rewritings.append(_rewriting(scene, make()))
        except NotDerivedError as reason:
            reasons.append(str(reason))
    if not rewritings:
        raise NotDerivedError(reasons[-1])
    return min(rewritings, key=lambda rewriting: len(rewriting.doubts))


def constructions(text: str) -> frozenset[str]:
    """`passive` if 被 is a word of the text; clauses before 的 are too many things to be counted as relative ones."""
    return frozenset([PASSIVE] if "被" in words(text, "zh") else [])


def _makers(scene: ChineseScene) -> Iterator[partial[Rearranged]]:
    """Every construction with every clause that it may be tried on."""
    yield from (partial(rule, scene) for rule in affected.OF_TEXT)
    pronoun_clause = subject_of(scene, scene.clause_at(scene.pronoun.start))
    if pronoun_clause is not None:
        yield from (partial(rule, scene, pronoun_clause) for rule in affected.OF_PRONOUN)
    for clause in subject_clauses(scene):
        yield from (partial(rule, scene, clause) for rule in (*affected.OF_CLAUSE, *passive.OF_CLAUSE))
    for span in clauses_without_subject(scene):
        yield partial(passive.without_agent, scene, span)


def _rewriting(scene: ChineseScene, rearranged: Rearranged) -> Rewriting:
    """The rearranged text; refused if the pronoun or the segment would be torn."""
    item = scene.item
    if any(place.overlaps(rearranged.stretch) for place in item.segment):
        raise NotDerivedError("the segment is in the clause")
    edits = _edits(scene, rearranged)
    mentions = []
    roles: list[Role | None] = []
    for candidate in item.candidates:
        places = []
        for mention in candidate.mentions:
            inside = (
                rearranged.place_of(mention, scene.text)
                if mention.overlaps(rearranged.stretch)
                else moved(mention, edits)
            )
            if inside is None:
                raise NotDerivedError("a mention would be torn")
            places.append(inside)
        mentions.append(tuple(places))
        roles.append(_role(candidate.role, candidate.mentions[0], rearranged))
    doubts = [*rearranged.doubts, *(["it is quoted"] if scene.is_quoted(rearranged.stretch) else [])]
    return Rewriting(tuple(edits), tuple(doubts), mentions=tuple(mentions), roles=tuple(roles))


def _edits(scene: ChineseScene, rearranged: Rearranged) -> list[Edit]:
    """The stretch as one edit, or as two around the pronoun."""
    if not scene.pronoun.overlaps(rearranged.stretch):
        return [Edit(rearranged.stretch, rearranged.written(scene.text))]
    index = next((position for position, part in enumerate(rearranged.parts) if part == scene.pronoun), None)
    if index is None:
        raise NotDerivedError("the pronoun would be torn")
    before, after = (
        rearranged.written(scene.text, parts) for parts in (rearranged.parts[:index], rearranged.parts[index + 1 :])
    )
    return [
        Edit(Span(rearranged.stretch.start, scene.pronoun.start), before),
        Edit(Span(scene.pronoun.end, rearranged.stretch.end), after),
    ]


def _role(role: Role | None, mention: Span, rearranged: Rearranged) -> Role | None:
    """The subject becomes the agent, or the other way round; the object of 把 the subject."""
    if role is None:
        return role
    is_passive = any(isinstance(part, str) and part.endswith(("被", "由")) for part in rearranged.parts)
    if mention.end == rearranged.subject.end:
        return "agent" if is_passive else "object"
    return "subject" if mention.end == rearranged.object.end else role
