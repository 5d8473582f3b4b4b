"""An adverb before the first verb whose subject is certain, and before the reason given at the pronoun.

It comes right after the subject, and so before 把, 被, negation and the verb: 王强果然把车卖给了李军. Acts of people
may have an adverb of manner; what is over may have 果然, and a state 确实.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.lexicon import lexicon
from winoglot.languages.rewriting import Rewriting
from winoglot.languages.zh.rewriting.clauses import is_predicate, subject_clauses
from winoglot.languages.zh.rewriting.scene import scene_of
from winoglot.schemas.spans import Edit, Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.languages.rewriting import Draws
    from winoglot.languages.zh.rewriting.clauses import SubjectClause
    from winoglot.languages.zh.rewriting.scene import ChineseScene
    from winoglot.schemas.model import Item

_MERGING = frozenset(("明确", "正确", "准确", "的确", "结果", "如果", "因果", "奇特", "独特"))  # 周明 and 确实
_OVER = re.compile("[^太，。]了(?![解不])|把.+(?:到|给|成|在|走|掉|进|出|上|下)")
_LASTING = re.compile("[没不总常着]|天天|每|一直|一个劲|老(?=[是爱想要张])")
_SUBORDINATE = ("以后", "之后", "后", "时", "时候", "以前", "之前", "前")
_REASON = re.compile("(?:因为|由于)$")


def adverb(item: Item, draws: Draws) -> Rewriting:
    """Insert an adverb before the main verb, and before the pronoun's predicate where it gives the reason."""
    scene = scene_of(item)
    edits: list[Edit] = []
    doubts: list[str] = []
    clause = next((one for one in subject_clauses(scene) if _has_room(scene, one)), None)
    if clause is not None:
        kind = _kind(scene, clause)
        if kind is None:
            doubts.append("does the adverb fit what happens?")
        edits.append(
            _inserted(scene, clause.subject.end, _drawn(draws, kind or "state", scene.text[clause.subject.end - 1]))
        )
    if _REASON.search(scene.text[: scene.pronoun.start]) and all(
        _takes_adverb(scene_of(one)) for one in draws.schema.items
    ):
        used = [edit.new for edit in edits]
        edits.append(_inserted(scene, scene.pronoun.end, _drawn(draws, "state", scene.pronoun_form[-1], used)))
    if not edits:
        raise NotDerivedError("no verb has a certain subject and room for an adverb")
    return Rewriting(tuple(edits), tuple(doubts))


def _has_room(scene: ChineseScene, clause: SubjectClause) -> bool:
    is_subordinate = clause.span.of(scene.text).endswith(_SUBORDINATE)
    if clause.span.of(scene.text).startswith(("其实", "原来")):
        return False
    return scene.after(clause.subject.end) not in _no_room() and not is_subordinate


def _no_room() -> frozenset[str]:
    return lexicon("zh", "adverbs").words("sentence-adverb")


def _inserted(scene: ChineseScene, at: int, adverb: str) -> Edit:
    if any(place.start < at < place.end for place in scene.item.segment):
        raise NotDerivedError("the verb is inside the segment")
    return Edit(Span(at, at), adverb)


def _kind(scene: ChineseScene, clause: SubjectClause) -> str | None:
    """What the clause tells, as the table of adverbs has it; None if that is not known."""
    predicate = scene.text[clause.subject.end : clause.span.end]
    words = [word.of(scene.text) for word in scene.words if clause.subject.end <= word.start < clause.span.end]
    if any(word in _SUBORDINATE or word in ("时", "前", "后") for word in words[1:5]):
        return None  # 出差前把钥匙留下
    table, governs = lexicon("zh", "actions"), lexicon("zh", "function_words").words("governs")
    if _LASTING.search(predicate) or words[0] in table.words("state"):
        return "state"
    is_person = clause.candidate is None or scene.is_human(clause.candidate)
    among = words[:1] if words[0] not in governs else words
    if is_person:
        for kind in ("careful", "saying", "asking", "deliberate"):
            if any(word in table.words(kind) for word in among):
                return kind
    if _OVER.search(predicate):
        return "happening"
    return "giving" if is_person and words[0] in table.words("giving") else None


def _drawn(draws: Draws, kind: str, before: str, used: Sequence[str] = ()) -> str:
    """An adverb that the text does not have, and that makes no other word with the character before it."""
    texts = "".join([*used, *(one.text or "" for one in draws.schema.items)])
    options = [one for one in sorted(lexicon("zh", "adverbs").words(kind)) if one.removesuffix("地") not in texts]
    options = [one for one in options if before + one[0] not in _MERGING]
    if not options:
        raise NotDerivedError("the text has every adverb that fits already")
    return draws.pick(f"adverb {kind} {len(used)}", options)


def _takes_adverb(scene: ChineseScene) -> bool:
    """Whether 确实 can follow the pronoun: before a verb, or before an adverb of degree."""
    if scene.pronoun.of(scene.text).endswith("的"):
        return False
    after = scene.after(scene.pronoun.end)
    if after.startswith(("太", "很", "非常", "更", "特别", "十分", "比较", "想", "没", "不", "有")):
        return True
    return is_predicate(scene, scene.pronoun.end) and after not in _no_room()
