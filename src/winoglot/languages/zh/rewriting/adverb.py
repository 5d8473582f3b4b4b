"""An adverb before the first main verb that has one listed, and before 太 in what is said of the pronoun.

Adverbs are listed by verb, since 特意 goes with 拜访 but not with an accident. They come after the subject, a time and
a place, and before 把, 被, 给, negation and the verb: 小雯在门口小心地把箱子搬上了车. A verb in a phrase that
describes a noun (小雯送的书) is no main verb. What cannot be done (放不进) gets 根本, what is going on (在) 正.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.lexicon import lexicon
from winoglot.languages.rewriting import Rewriting
from winoglot.languages.zh.rewriting.clauses import subject_clauses
from winoglot.languages.zh.rewriting.scene import scene_of
from winoglot.schemas.spans import Edit, Span

if TYPE_CHECKING:
    from winoglot.languages.rewriting import Draws
    from winoglot.languages.zh.rewriting.clauses import SubjectClause
    from winoglot.languages.zh.rewriting.scene import ChineseScene
    from winoglot.schemas.model import Item

_TIME = re.compile(
    "[^，]{0,8}?(?:的时候|时候|以后|之后|以前|之前|(?<=[^同有当小准])时|昨天|今天|前天|晚上|早上|下午|刚才)"
)
_SUBORDINATE = ("以后", "之后", "后", "时", "时候", "以前", "之前", "前")
_CANNOT = re.compile(".不(?:[见着到进出住动开上下起完透过清懂掉断亮倒破稳牢及准赢]|下去|出来|进去|起来|过去)")
_PERCEIVED = re.compile("[听看]不[见清懂到]")
_UNWILLING = re.compile("故意|[生赌]气|气[愤坏急]|报复|讨厌|恨|吵")  # what is done then is not an accident
_COVERBS = frozenset(("把", "被", "给", "向", "对", "跟", "和", "与", "替", "为", "朝", "往", "帮"))
_OFTEN = frozenset(("总", "总是", "老", "老是", "常常", "经常", "天天", "每天", "也", "都", "还", "就", "又"))
_MANNER = frozenset(
    (
        "主动",
        "使劲",
        "特意",
        "专程",
        "亲口",
        "当众",
        "大声",
        "随手",
        "悄悄",
        "偷偷",
        "不小心",
        "无意中",
        "抢先",
        "亲自",
        "故意",
        "当场",
        "直接",
    )
)
_TRIP = re.compile("(?:去|来|到|赶到|赶去|跑到|跑去)[^，]{0,6}(?:看|找|接|还|参加|拜访|探望|看望|道歉|祝贺|给|帮)")
_FEELING = re.compile(
    "失望|[生着]气|高兴|难过|吃惊|为难|感动|伤心|着急|担心|害怕|尴尬|开心|满意|羡慕|难堪|可惜|丢|想起|觉得|感到|[很太极]|得"
)
_FLAWED = re.compile("[错丢忘漏坏砸输得不没落洒泼撞摔溅碰]")
_LONGEST_VERB = 4


def adverb(item: Item, draws: Draws) -> Rewriting:
    """Insert an adverb before a main verb, and 实在 before 太 after the pronoun."""
    scene = scene_of(item)
    edits = [edit for edit in (_certain_edit(scene, clause, draws) for clause in _clauses_with_room(scene)) if edit][:1]
    if _is_too(draws) and not any(edit.new == "实在" for edit in edits):
        edits.append(Edit(Span(scene.pronoun.end, scene.pronoun.end), "实在"))
    if edits:
        return _rewriting(scene, edits, ())
    plain = [clause for clause in _clauses_with_room(scene) if scene.after(clause.subject.end) not in _OFTEN]
    proposed = [Edit(Span(clause.subject.end, clause.subject.end), _proposed(scene, clause)) for clause in plain][:1]
    if not proposed:
        raise NotDerivedError("no verb has a certain subject and room for an adverb")
    return _rewriting(scene, proposed, ("does the adverb fit what happens?",))


def _clauses_with_room(scene: ChineseScene) -> list[SubjectClause]:
    """The clauses that have room for an adverb after their subject."""
    return [clause for clause in subject_clauses(scene) if _has_room(scene, clause)]


def _has_room(scene: ChineseScene, clause: SubjectClause) -> bool:
    clause_text = clause.span.of(scene.text)
    if clause_text.startswith(("其实", "原来")) or clause_text.endswith(_SUBORDINATE):
        return False
    word = scene.after(clause.subject.end)
    return word in _OFTEN or word not in lexicon("zh", "adverbs").words("sentence-adverb")


def _rewriting(scene: ChineseScene, edits: list[Edit], doubts: tuple[str, ...]) -> Rewriting:
    if any(place.start < edit.span.start < place.end for place in scene.item.segment for edit in edits):
        raise NotDerivedError("the verb is inside the segment")
    return Rewriting(tuple(edits), doubts)


def _proposed(scene: ChineseScene, clause: SubjectClause) -> str:
    return "已经" if "了" in scene.text[clause.subject.end : clause.span.end] else "的确"


def _is_too(draws: Draws) -> bool:
    """Whether 太 follows the pronoun in every item, and nothing strengthens it yet."""
    return all(
        scene.after(scene.pronoun.end).startswith("太") and "实在" not in scene.text
        for scene in map(scene_of, draws.schema.items)
    )


def _certain_edit(scene: ChineseScene, clause: SubjectClause, draws: Draws) -> Edit | None:
    """An adverb at the main verb of a clause, if one is listed for it."""
    index = _after_times(scene, clause)
    is_often = scene.after(index) in _OFTEN
    if is_often:
        index += len(scene.after(index))
    word, rest = scene.after(index), scene.text[index : clause.span.end]
    place = Span(index, index)
    if word == "在" and _is_going_on(scene, index):
        adverbs: tuple[str, ...] = ("正",)
    elif _CANNOT.match(rest) and rest[:3] not in lexicon("zh", "actions"):
        adverbs = ("完全", "根本") if _PERCEIVED.match(rest) else ("根本", "怎么也")
    elif word == "比" and re.search("[一二两三四五六七八九十几半更]", rest):
        adverbs = ()
    else:
        place, verb = _verb_of(scene, Span(index, clause.span.end))
        is_person = clause.candidate is None or scene.is_human(clause.candidate)
        adverbs = _adverbs(scene, Span(index, clause.span.end), verb, is_person=is_person and word != "被")
        if not adverbs and word == "把" and is_person and _is_done(scene, clause):
            adverbs = ("已经",)
    if re.search("[了把]", rest):
        adverbs = tuple(option for option in adverbs if option != "一直")
    if is_often:
        adverbs = tuple(option for option in adverbs if _is_manner(option))
    return _drawn(place, adverbs, draws)


def _is_manner(adverb: str) -> bool:
    return adverb.endswith("地") or adverb in _MANNER


def _is_done(scene: ChineseScene, clause: SubjectClause) -> bool:
    """Whether a clause with 把 tells what is over, and the next one is not its continuation."""
    clause_text = clause.span.of(scene.text)
    following = scene.clause_at(clause.span.end + 1) if clause.span.end + 1 < len(scene.text) else clause.span
    opens = scene.after(following.start) in lexicon("zh", "expressions").words("connective")
    return (
        "了" in clause_text
        and (scene.text[clause.span.end] in "。；" or opens)
        and not _FLAWED.search(clause_text.partition("把")[2])
    )


def _after_times(scene: ChineseScene, clause: SubjectClause) -> int:
    """Where the predicate begins, after a time that follows the subject."""
    time = _TIME.match(scene.text[clause.subject.end : clause.span.end - 1])
    return clause.subject.end + (time.end() if time else 0)


def _is_going_on(scene: ChineseScene, index: int) -> bool:
    """Whether 在 at a position says that something is going on: 在教, 在给 but not 在门口."""
    following = next((word for word in scene.words if word.start == index + 1), None)
    if following is None:
        return False
    return following.of(scene.text) in _COVERBS or scene.tag(following) in ("v", "vi")


def _verb_of(scene: ChineseScene, predicate: Span) -> tuple[Span, int]:
    """The positions for an adverb, before and after a place, and the start of the main verb (-1 if unknown)."""
    words = [word for word in scene.words if predicate.start <= word.start < predicate.end]
    forms = [word.of(scene.text) for word in words]
    late = predicate.start
    if not words or forms[0] not in (*_COVERBS, "在", "从"):
        return Span(late, late), late
    has_place = forms[0] in ("在", "从")
    for index, word in enumerate(words[1:], 1):
        if has_place and late == predicate.start and index > 1 and forms[index] in _COVERBS:
            late = word.start
        if forms[index] in (*_COVERBS, "在", "从") or _describes(scene, words[index:]):
            continue
        if _listed(scene, word.start):
            is_first = has_place and late == predicate.start
            return Span(predicate.start, word.start if is_first else late), word.start
        if scene.tag(word) == "v" and index > 1:
            break
    return Span(predicate.start, late), -1


def _describes(scene: ChineseScene, words: list[Span]) -> bool:
    """Whether the first of some words describes a noun, with 的 and the main verb after it."""
    forms = [word.of(scene.text) for word in words]
    if "的" not in forms[1:]:
        return False
    following = words[forms.index("的", 1) + 1 :]
    return any(_listed(scene, word.start) or scene.tag(word) == "v" for word in following)


def _listed(scene: ChineseScene, index: int) -> str:
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
    predicate_text, table = predicate.of(scene.text), lexicon("zh", "actions")
    verb = _listed(scene, index) if index >= 0 else ""
    adverbs = table.values("manner-of-anything").get(verb, ())
    if not is_person:
        return adverbs
    if predicate_text[0] in "替帮让" and _FEELING.search(predicate_text):
        return ()
    if predicate_text[0] in "替帮":
        return ("主动",) if predicate_text[0] == "替" else ("主动", "热心地")
    if _TRIP.match(predicate_text):
        return ("特意", "专程")
    if predicate_text[0] == "给" and verb in table.words("giving"):
        return ("特意",)
    return adverbs + table.values("manner-of-people").get(verb, ())


def _drawn(place: Span, adverbs: tuple[str, ...], draws: Draws) -> Edit | None:
    """One of the adverbs that the text does not have: how something is done after a place, what else before it."""
    texts = "".join(schema_item.text or "" for schema_item in draws.schema.items)
    options = [option for option in adverbs if option.removesuffix("地") not in texts]
    if _UNWILLING.search(texts):
        options = [option for option in options if option != "不小心"]
    if re.search("[全都总]", texts):
        options = [option for option in options if option not in ("完全", "彻底", "一直")]
    places = [(place.end if _is_manner(option) else place.start, option) for option in options]
    places = [
        (index, option) for index, option in places if (draws.schema.items[0].text or "")[index] != option[-1]
    ]  # 偷偷 and 偷喝
    if not places:
        return None
    index, adverb = draws.pick("adverb", places)
    return Edit(Span(index, index), adverb)
