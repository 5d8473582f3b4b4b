"""An adverb before the first main verb whose subject is certain; if none has one, before 太 in what the pronoun is.

Adverbs are listed by verb, since 特意 goes with 拜访 but not with an accident; what happened once may do so 很快. They
come after the subject and before 把, 被, 给, negation and the verb, those of manner after a place too: 小雯在门口小心地
把箱子搬上了车. What cannot be done (放不进) gets 根本, what is going on (在) 正. None goes into a text about the same
(吃力地 where somebody has 力气). Where none is left, one is proposed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.lexicon import lexicon
from winoglot.languages.rewriting import Rewriting
from winoglot.languages.zh.rewriting.clauses import subject_clauses
from winoglot.languages.zh.rewriting.scene import is_in, scene_of
from winoglot.schemas.spans import Edit, Span

if TYPE_CHECKING:
    from winoglot.languages.rewriting import Draws
    from winoglot.languages.zh.rewriting.clauses import SubjectClause
    from winoglot.languages.zh.rewriting.scene import ChineseScene
    from winoglot.schemas.model import Item

_TIME = re.compile("[^，]{0,8}?(?:的时候|时候|以后|之后|以前|之前|(?<=[^同有当小准])时)")
_CANNOT = re.compile(".不(?:[见着到进出住动开上下起完透过清懂掉断亮倒破稳牢及准赢]|下去|出来|进去|起来|过去)")
_PERCEIVED = re.compile("[听看]不[见清懂到]")
_TRIP = re.compile("(?:去|来|到|赶到|赶去|跑到|跑去)[^，]{0,6}(?:看|找|接|还|参加|拜访|探望|看望|道歉|祝贺|给|帮)")
_ALL = re.compile("[全都总]")  # beside which 完全 and 一直 say it twice
_FLAWED = re.compile("[错丢忘漏误]")
_LONGEST_VERB = 4


def adverb(item: Item, draws: Draws) -> Rewriting:
    """Insert an adverb before a main verb, or 实在 before 太 after the pronoun."""
    scene = scene_of(item)
    clauses = [clause for clause in subject_clauses(scene) if _has_room(scene, clause)]
    edits = [edit for edit in (_listed_edit(scene, clause, draws) for clause in clauses) if edit]
    if not edits and _is_too(draws):
        edits = [Edit(Span(scene.pronoun.end, scene.pronoun.end), "实在")]
    doubts: tuple[str, ...] = ()
    if not edits and clauses:
        index = clauses[0].subject.end
        is_done = "了" in scene.text[index : clauses[0].span.end]
        edits, doubts = (
            [Edit(Span(index, index), "已经" if is_done else "的确")],
            ("does the adverb fit what happens?",),
        )
    if not edits:
        raise NotDerivedError("no verb has a certain subject and room for an adverb")
    if any(place.start < edits[0].span.start < place.end for place in item.segment):
        raise NotDerivedError("the verb is inside the segment")
    return Rewriting((edits[0],), doubts)


def _has_room(scene: ChineseScene, clause: SubjectClause) -> bool:
    """Whether a clause has room for an adverb after its subject."""
    clause_text = clause.span.of(scene.text)
    is_apart = clause_text.startswith(("其实", "原来")) or clause_text.endswith(
        tuple(lexicon("zh", "expressions").words("says-when"))
    )
    return not is_apart and scene.after(clause.subject.end) not in lexicon("zh", "adverbs").words("sentence-adverb")


def _is_too(draws: Draws) -> bool:
    """Whether 太 follows the pronoun in every item, and nothing strengthens it yet."""
    return all(
        scene.after(scene.pronoun.end).startswith("太") and "实在" not in scene.text
        for scene in map(scene_of, draws.schema.items)
    )


def _listed_edit(scene: ChineseScene, clause: SubjectClause, draws: Draws) -> Edit | None:
    """An adverb at the main verb of a clause, if one is listed for it."""
    time = _TIME.match(scene.text[clause.subject.end : clause.span.end - 1])
    predicate = Span(clause.subject.end + (time.end() if time else 0), clause.span.end)
    rest, place = predicate.of(scene.text), Span(predicate.start, predicate.start)
    if scene.after(place.start) == "在" and _is_going_on(scene, place.start):
        adverbs: tuple[str, ...] = ("正",)
    elif _CANNOT.match(rest) and rest[:3] not in lexicon("zh", "actions"):
        adverbs = ("完全", "根本") if _PERCEIVED.match(rest) else ("根本", "怎么也")
    else:
        place, verb = _verb_of(scene, predicate)
        is_person = clause.candidate is None or scene.is_human(clause.candidate)
        adverbs = _adverbs(scene, predicate, verb, is_person=is_person) or _times(
            scene, clause.span, rest, is_person=is_person
        )
    texts = "".join(schema_item.text or "" for schema_item in draws.schema.items)
    options = [option for option in adverbs if option.removesuffix("地") not in texts]
    about, scenes = lexicon("zh", "adverbs").values("about"), list(map(scene_of, draws.schema.items))
    topics = {topic for word in about if any(other.has(word) for other in scenes) for topic in about[word]}
    options = [option for option in options if topics.isdisjoint(about.get(option, ()))]
    options = [option for option in options if option[0] != option[1:2] or option[0] not in texts]  # 刚刚 beside 刚
    if _ALL.search(texts):
        options = [option for option in options if option not in ("完全", "彻底", "一直")]
    places = [(place.end if _is_manner(option) else place.start, option) for option in options]
    places = [(index, option) for index, option in places if option[0] != scene.text[index - 1 : index]]  # 小刚刚刚
    places = [(index, option) for index, option in places if option[-1] != scene.text[index : index + 1]]  # 偷偷偷喝
    if not places:
        return None
    index, adverb = draws.pick("adverb", places)
    return Edit(Span(index, index), adverb)


def _is_manner(adverb: str) -> bool:
    return adverb.endswith("地") or adverb in lexicon("zh", "expressions").words("manner")


def _is_going_on(scene: ChineseScene, index: int) -> bool:
    """Whether 在 at a position says that something is going on: 在教, 在给 but not 在门口."""
    following = next((word for word in scene.words if word.start == index + 1), None)
    return following is not None and (
        is_in(following.of(scene.text), "expressions", "before-object") or scene.tag(following) in ("v", "vi")
    )


def _verb_of(scene: ChineseScene, predicate: Span) -> tuple[Span, int]:
    """The positions for an adverb, before and after a place, and the start of the main verb (-1 if unknown).

    After 把, 给 and the like the main verb is the first one that describes no noun before 的: 把小雯送的书弄丢了.
    """
    words = [word for word in scene.words if predicate.start <= word.start < predicate.end]
    forms = [word.of(scene.text) for word in words]
    late = predicate.start
    if not words or not is_in(forms[0], "expressions", "before-object", "before-place"):
        return Span(late, late), late
    has_place = is_in(forms[0], "expressions", "before-place")
    for index, word in enumerate(words[1:], 1):
        verb = _listed_verb(scene, word.start)
        describes = "的" in forms[index + 1 :] and scene.text[word.start + len(verb or forms[index])] not in "了着过"
        is_main = not describes and bool(verb or (scene.tag(word) == "v" and index > 1))
        if (
            has_place
            and late == predicate.start
            and index > 1
            and (is_in(forms[index], "expressions", "before-object") or is_main)
        ):
            late = word.start
        if is_main and not is_in(forms[index], "expressions", "before-object", "before-place"):
            return Span(predicate.start, late), word.start if verb else -1
    return Span(predicate.start, late), -1


def _listed_verb(scene: ChineseScene, index: int) -> str:
    """The longest listed verb that begins at a position and ends with a word; empty if there is none."""
    table, ends = lexicon("zh", "actions"), {word.end for word in scene.words}
    listings = (table.values("manner-of-people"), table.values("manner-of-anything"), table.words("giving"))
    for length in range(_LONGEST_VERB, 0, -1):
        verb = scene.text[index : index + length].replace("没有", "没")
        if index + length in ends and any(verb in listed for listed in listings):
            return verb
    return ""


def _adverbs(scene: ChineseScene, predicate: Span, index: int, *, is_person: bool) -> tuple[str, ...]:
    """Adverbs that go with the main verb of a predicate."""
    table, predicate_text = lexicon("zh", "actions"), predicate.of(scene.text)
    verb = _listed_verb(scene, index) if index >= 0 else ""
    adverbs = table.values("manner-of-anything").get(verb, ())
    if not is_person or predicate_text.startswith("被"):
        return adverbs
    if _TRIP.match(predicate_text):
        return ("特意", "专程")
    if predicate_text.startswith("给") and verb in table.words("giving"):
        return ("特意", "专门")
    if predicate_text.startswith(("替", "帮")):
        return ("主动",)
    return adverbs + table.values("manner-of-people").get(verb, ())


def _times(scene: ChineseScene, clause: Span, predicate: str, *, is_person: bool) -> tuple[str, ...]:
    """When something happened, for a verb and 了, or 把, 被, 给 and then 了, if the text does not say more about it."""
    first = scene.after(scene.text.index(predicate))
    is_marked = first in ("把", "被", "给") and "了" in predicate
    is_done = is_marked or (len(first) > 1 and predicate.startswith(f"{first}了") and len(predicate) > len(first) + 1)
    is_dated = any(scene.expressions(kind) for kind in ("earlier", "now", "lasting", "part-of-day", "habitual"))
    if not is_done or is_dated or _FLAWED.search(predicate) or first in lexicon("zh", "actions").words("state"):
        return ()
    table = lexicon("zh", "adverbs")
    later = table.words("after-a-while")
    at_once = table.words("at-once") if is_person else frozenset()
    return tuple(sorted(later if clause.start else table.words("of-time") - later | at_once))
