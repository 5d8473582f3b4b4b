"""What else 被 can tell of: what is noticed, stuck, or moved by nobody named; 是…的; and the pronoun as object.

…，老师听见了 becomes …，被老师听见了; 花车卡在了桥下 becomes 花车被卡在了桥下; 小雯把它扔了 becomes 它被小雯扔了.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.lexicon import lexicon
from winoglot.languages.zh.rewriting.clauses import next_subjects
from winoglot.languages.zh.rewriting.passive import (
    ALL,
    Rearranged,
    by_agent,
    check_deed,
    check_object,
    is_verb,
    marker,
    object_end,
    split_before_verb,
)
from winoglot.schemas.spans import Span

if TYPE_CHECKING:
    from winoglot.languages.zh.rewriting.clauses import SubjectClause
    from winoglot.languages.zh.rewriting.scene import ChineseScene

_NOTICED = re.compile("(?:听见|听到|看见|看到|发现|知道|撞见|察觉|认出来|拍下来|识破)了$")
_MOVED_THING = re.compile(
    "(?:^|[，。])(?P<what>[^，。把被]{1,8}?)(?=从[^，。把被]+[挪搬移运挂摆转寄调装扔抬][到进]了)"
    "|，(?P<how>一不小心|不小心)(?=[发寄送传]到了)"
)
_INTO = re.compile("(?P<how>.{0,3}?)往(?P<where>[^，。了]+[里上中])(?P<deed>[塞放倒扔装搁藏夹挂])了(?P<what>[^，。]+)")
_STUCK = re.compile("[困堵夹卡埋压锁拦隔绊](?=在)")
_DURATION = re.compile("(?:了(?:半天|一顿|一番|一通|很久|好久|一次|几句|一下|一回))?$")


def _by_unknown(scene: ChineseScene) -> Rearranged:
    """不知是谁把 O V: O 不知被谁 V."""
    match = re.search("不知道?是?谁把", scene.text[: scene.pronoun.start])
    if match is None:
        raise NotDerivedError("no clause has an unknown agent")
    object_stop = object_end(scene, match.end(), scene.clause_at(match.end()).end)
    thing = Span(match.end(), object_stop)
    return Rearranged(Span(match.start(), object_stop), (thing, "不知被谁"), Span(0, 0), thing)


def _noticed(scene: ChineseScene, clause: SubjectClause) -> Rearranged:
    """S V 了 of what was said or done before: 被 S V 了: …，被老师听见了."""
    predicate = Span(clause.subject.end, clause.span.end)
    before_bei = scene.after(predicate.start) if scene.after(predicate.start) in ALL else ""
    is_whole = _NOTICED.fullmatch(predicate.of(scene.text).removeprefix(before_bei))
    if not is_whole or clause.subject.start == 0 or clause.candidate is not None:
        raise NotDerivedError("no clause says by whom something was noticed")
    parts = (f"{before_bei}被", clause.subject)
    doubts = ("is it clear what was noticed?", *next_subjects(scene, clause.span))
    stretch = Span(clause.subject.start, predicate.start + len(before_bei))
    return Rearranged(stretch, parts, clause.subject, Span(0, 0), doubts)


def _moved_thing(scene: ChineseScene) -> Rearranged:
    """A thing that is moved by nobody named: 米从骡子背上挪到了马背上 gets 被人."""
    match = _MOVED_THING.search(scene.text[: scene.pronoun.start])
    if match is None or match["what"] in scene.other_people:
        raise NotDerivedError("no thing is moved")
    thing = Span(*match.span("what")) if match["what"] else Span(0, 0)
    index = thing.end or match.end("how")
    return Rearranged(Span(index, index), ("被人" if match["what"] else "被",), Span(0, 0), thing, ("who does it?",))


def _stuck(scene: ChineseScene, clause: SubjectClause) -> Rearranged:
    """S 卡在 and a place: S 被卡在."""
    index = clause.subject.end
    if not _STUCK.match(scene.text[index : clause.span.end]):
        raise NotDerivedError("nothing is stuck")
    return Rearranged(Span(index, index), ("被",), Span(0, 0), Span(0, 0))


def _into(scene: ChineseScene, clause: SubjectClause) -> Rearranged:
    """S 往 L V 了 O: O 被 S V 进了 L."""
    start = clause.subject.end
    match = _INTO.fullmatch(scene.text[start : clause.span.end])
    if match is None:
        raise NotDerivedError("nothing is put into a place")
    how, where, deed, thing = (
        Span(start + match.start(name), start + match.end(name)) for name in ("how", "where", "deed", "what")
    )
    check_object(scene, thing)
    parts = (thing, "被", clause.subject, how, deed, "到了" if where.of(scene.text)[-1] == "上" else "进了", where)
    stretch = Span(clause.subject.start, clause.span.end)
    return Rearranged(stretch, parts, clause.subject, thing, (f"does {thing.of(scene.text)} come well first?",))


def _cleft(scene: ChineseScene, clause: SubjectClause) -> Rearranged:
    """O 是 S V 的: O 是被 S V 的."""
    match = re.search("是(?=[^，是]+的$)", clause.span.of(scene.text))
    index = clause.span.start + match.end() if match else 0
    phrase = next((phrase for phrase in scene.phrases if match and phrase.start == index), None)
    deed = scene.text[phrase.noun.end : clause.span.end - 1] if phrase else ""
    if phrase is None or deed not in lexicon("zh", "actions").words("passive"):
        raise NotDerivedError("no clause says by whom something was done")
    return Rearranged(Span(index, index), ("被",), Span(0, phrase.noun.end), Span(0, 0))


def _ba_pronoun(scene: ChineseScene, clause: SubjectClause) -> Rearranged:
    """S 把 and the pronoun: 小雯把它扔了 becomes 它被小雯扔了."""
    ba = marker(scene, Span(clause.subject.end, clause.span.end), "把")
    if ba.end != scene.pronoun.start or scene.text[scene.pronoun.end] in "的们俩":
        raise NotDerivedError("the pronoun is not all of the object")
    doubts = check_deed(scene.text[scene.pronoun.end : clause.span.end])
    before = Span(clause.subject.end, ba.start)
    efforts = re.fullmatch("(.*了.*)(才|终于|总算)", before.of(scene.text))
    if efforts:  # 大伙儿折腾了一个小时才把他救出来
        index = before.start + efforts.end(1)
        return Rearranged(
            Span(index, scene.pronoun.end), ("，", scene.pronoun, efforts[2], "被"), Span(0, 0), scene.pronoun
        )
    front, before_bei, after_agent, doubts_about_order = split_before_verb(scene, before)
    parts = (*front, scene.pronoun, before_bei, *by_agent(scene, clause.subject, after_agent), after_agent)
    stretch = Span(clause.subject.start, scene.pronoun.end)
    return Rearranged(stretch, parts, clause.subject, scene.pronoun, tuple(doubts + doubts_about_order))


def _plain_pronoun(scene: ChineseScene, clause: SubjectClause) -> Rearranged:
    """S V 了 and the pronoun: 老师批评了他 becomes 他被老师批评了."""
    words = [word for word in scene.words if clause.subject.end <= word.start < scene.pronoun.start]
    rest = scene.text[scene.pronoun.end : clause.span.end]
    start = next((index for index, word in enumerate(words) if is_verb(scene, word)), None)
    if start is None or (rest and not _DURATION.fullmatch("了" + rest)):
        raise NotDerivedError("the pronoun is not all of the object")
    verb = Span(words[start].start, scene.pronoun.start)
    if verb.of(scene.text).removesuffix("了") not in lexicon("zh", "actions").words("passive"):
        raise NotDerivedError(f"{verb.of(scene.text)} has no passive")
    front, before_bei, after_agent, doubts = split_before_verb(scene, Span(clause.subject.end, verb.start))
    parts = (*front, scene.pronoun, before_bei, "被", clause.subject, after_agent, verb)
    stretch = Span(clause.subject.start, scene.pronoun.end)
    return Rearranged(stretch, parts, clause.subject, scene.pronoun, tuple(doubts))


OF_TEXT = (_by_unknown, _moved_thing)
OF_CLAUSE = (_noticed, _cleft, _stuck, _into)
OF_PRONOUN = (_ba_pronoun, _plain_pronoun)
