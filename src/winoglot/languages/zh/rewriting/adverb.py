"""An adverb before the first main verb whose subject is certain; if none has one, before 太 in what the pronoun is.

Adverbs are listed by verb, since 特意 goes with 拜访 but not with an accident. They come after the subject and before
把, 被, 给, negation and the verb, those of manner after a place too: 小雯在门口小心地把箱子搬上了车. What cannot be
done (放不进) gets 根本, what is going on (在) 正. None goes into a text about the same (吃力地 where somebody has
力气). For a verb that is not listed, 居然 is proposed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.lexicon import lexicon
from winoglot.languages.rewriting import Rewriting
from winoglot.languages.zh.rewriting.scene import is_in, scene_of
from winoglot.schemas.spans import Edit, Span

if TYPE_CHECKING:
    from winoglot.languages.rewriting import Draws
    from winoglot.languages.zh.rewriting.scene import ChineseScene, SubjectClause
    from winoglot.schemas.model import Item

_CANNOT = re.compile(".不(?:[见着到进出住动开上下起完透过清懂掉断亮倒破稳牢及准赢]|下去|出来|进去|起来|过去)")
_PERCEIVED = re.compile("[听看]不[见清懂到]")
_TRIP = re.compile("(?:去|来|到|赶到|赶去|跑到|跑去)[^，]{0,6}(?:看|找|接|还|参加|拜访|探望|看望|道歉|祝贺|给|帮)")
_LONGEST_VERB = 4


def adverb(item: Item, draws: Draws) -> Rewriting:
    """Insert an adverb before a main verb, or 实在 before 太 after the pronoun."""
    scene, scenes = scene_of(item), [scene_of(schema_item) for schema_item in draws.schema.items]
    clauses = [clause for clause in scene.subject_clauses if _has_room(scene, clause)]
    places = next(filter(None, (_places(scene, clause, scenes) for clause in clauses)), [])
    doubts: tuple[str, ...] = ()
    if places:
        index, adverb = draws.pick("adverb", places)
    elif all(other.after(other.pronoun.end).startswith("太") and "实在" not in other.text for other in scenes):
        index, adverb = scene.pronoun.end, "实在"
    elif clauses:
        index, adverb, doubts = clauses[0].subject.end, "居然", ("does the adverb fit what happens?",)
    else:
        raise NotDerivedError("no verb has a certain subject and room for an adverb")
    if any(place.start < index < place.end for place in item.segment):
        raise NotDerivedError("the verb is inside the segment")
    return Rewriting((Edit(Span(index, index), adverb),), doubts)


def _has_room(scene: ChineseScene, clause: SubjectClause) -> bool:
    """Whether a clause has room for an adverb after its subject."""
    text, after = clause.span.of(scene.text), scene.after(clause.subject.end)
    is_apart = text.startswith(("其实", "原来")) or text.endswith(
        tuple(lexicon("zh", "expressions").words("says-when"))
    )
    return not is_apart and not is_in(after, "adverbs", "sentence-adverb")


def _places(scene: ChineseScene, clause: SubjectClause, scenes: list[ChineseScene]) -> list[tuple[int, str]]:
    """The adverbs that are listed for the main verb of a clause and say nothing twice, each with its position."""
    place, adverbs = _adverbs(scene, clause)
    texts, about = "".join(other.text for other in scenes), lexicon("zh", "adverbs").values("about")
    topics = {topic for word in about if any(other.has(word) for other in scenes) for topic in about[word]}
    fitting = [option for option in adverbs if topics.isdisjoint(about.get(option, ()))]
    fitting = [option for option in fitting if option.removesuffix("地") not in texts]
    places = [(place.end if _is_manner(option) else place.start, option) for option in fitting]
    return [(index, option) for index, option in places if option[-1] != scene.text[index]]  # 偷偷偷喝


def _is_manner(adverb: str) -> bool:
    return adverb.endswith("地") or is_in(adverb, "expressions", "manner")


def _adverbs(scene: ChineseScene, clause: SubjectClause) -> tuple[Span, tuple[str, ...]]:
    """Adverbs that go with a predicate, and the positions for them: before a place where it is done, and after it."""
    predicate = clause.predicate
    text, start, table = predicate.of(scene.text), Span(predicate.start, predicate.start), lexicon("zh", "actions")
    following = scene.word_from(predicate.start + 1)
    if (
        scene.after(predicate.start) == "在"
        and following
        and (is_in(following.of(scene.text), "expressions", "before-object") or scene.tag(following) in ("v", "vi"))
    ):
        return start, ("正",)  # 在教, 在给 but not 在门口
    if _CANNOT.match(text) and text[:3] not in table:
        return start, ("完全", "根本") if _PERCEIVED.match(text) else ("根本", "怎么也")
    place, verb = _main_verb(scene, predicate)
    adverbs = table.values("manner-of-anything").get(verb, ())
    if clause.is_person and not text.startswith("被"):
        if _TRIP.match(text):
            return place, ("特意", "专程")
        if text.startswith("给") and verb in table.words("giving"):
            return place, ("特意", "专门")
        if text.startswith(("替", "帮")):
            return place, ("主动",)
        adverbs += table.values("manner-of-people").get(verb, ())
    return place, tuple(option for option in adverbs if "了" not in text or not is_in(option, "adverbs", "ongoing"))


def _main_verb(scene: ChineseScene, predicate: Span) -> tuple[Span, str]:
    """The positions for an adverb, before and after a place, and the main verb if it is listed.

    After 把, 给 and the like the main verb is the first one that describes no noun before 的: 把小雯送的书弄丢了.
    """
    words = [word for word in scene.words if predicate.start <= word.start < predicate.end]
    forms, start = [word.of(scene.text) for word in words], predicate.start
    is_object, is_place = (is_in(forms[0], "expressions", feature) for feature in ("before-object", "before-place"))
    if not (is_object or is_place):
        return Span(start, start), _listed_verb(scene, start)
    late = start
    for index, word in enumerate(words[1:], 1):
        verb = _listed_verb(scene, word.start)
        describes = "的" in forms[index + 1 :] and scene.text[word.start + len(verb or forms[index])] not in "了着过"
        is_main = not describes and bool(verb or (scene.tag(word) == "v" and index > 1))
        is_marker = is_in(forms[index], "expressions", "before-object")
        if is_place and late == start and index > 1 and (is_marker or is_main):
            late = word.start
        if is_main and not is_marker and not is_in(forms[index], "expressions", "before-place"):
            return Span(start, late), verb
    return Span(start, late), ""


def _listed_verb(scene: ChineseScene, index: int) -> str:
    """The longest listed verb that begins at a position and ends with a word; empty if there is none."""
    table, ends = lexicon("zh", "actions"), {word.end for word in scene.words}
    listed = {**table.values("manner-of-people"), **table.values("manner-of-anything")}.keys() | table.words("giving")
    for length in range(_LONGEST_VERB, 0, -1):
        verb, end = scene.text[index : index + length].replace("没有", "没"), index + length
        if end in ends and verb in listed and scene.text[end : end + 1] != "着":
            return verb
    return ""
