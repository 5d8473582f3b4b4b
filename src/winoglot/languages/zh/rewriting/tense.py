"""Another time: Chinese has no tense, so the text gets a time frame instead (昨天, 去年).

What happened is told with 了, 把, 没 or a verb such as 告诉, and a time before now fits it: 小雯把伞借给了丽娜 becomes
昨天，小雯把伞借给了丽娜, and 公园里，… becomes 昨天在公园里，…. What has consequences gets a week or a month, what
happens again and again a year. A text that says when it happens is proposed with another time or refused, and one that
tells a state, or what is going on, is proposed, for a time imposed on a general fact reads as forced.
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
    from winoglot.languages.zh.rewriting.scene import ChineseScene
    from winoglot.schemas.model import Item

_DAYS = ("昨天", "前天")
_RECENTLY = ("昨天", "前天", "上周")
_WEEKS = ("上周", "上个月")
_LONG_AGO = ("上个月", "去年", "去年夏天")
_YEARS = ("去年", "前年")
_PERIODS = ("去年", "前几年")
_AFTERMATH = re.compile(
    "第二天|后来|事后|打那以后|不久|日子一长|几天|直到|法庭|考上|学会|教会|录取|毕业|辞职|搬家|出院"
)
_PLACE = re.compile("[上里中下边旁]，$")
_NO_EVENT = re.compile(
    "[太最可]了|(?:[太最]|别|不要|要是|如果|只要|万一|假如)[^，。]*了|不再[^，。]*了|把[^，。]*得[^，。]*|了解|了不起|了得|为了|除了|罢了|不了|得了"
)
_EVENT = re.compile(
    "[^，。！？了]了|把[^，。]{2,}|被[^，。]{2,}|没(?!人|事|什么|完)|告诉|邀请|送给|递给|看见|提醒|打听|答应|保证|咬定|打[了过][^，。]*电话|[让请劝求]"
)
_OPENER = re.compile(r"[^，。！？“”：；]{1,9}?(?:时|时候|上|中|里|前|后|夜|会|节|下|间|边|饭|早|晚|黑|亮|点|天)，")
_NO_ROOM = ("当", "在", "到", "等", "每", "第", "这", "一", "同")  # an opener that begins so takes no time before it
_AGAIN = re.compile(
    "[天每]天|每|老(?=[是爱张])|一到|总(?![算经之共监统理裁编数体])|(?<![非经平正反异时寻])常(?![识规务委任])"
)
_ODD_START = re.compile("[都才]|已经|眼看|还没")
_TOPIC = re.compile("的[^，。了把被]{1,3}$")  # 给小雯拍的照片，...
_DURATION = re.compile("[一两三四五六几十半]个?(?:星期|周|礼拜|月|年)(?![级前后里])")
_GOING_ON = re.compile("正?在(?![^，]{0,8}(?:把|被|向|给[^，]*了))|.着")
_COVERS = re.compile("[挡遮盖堵]住")  # which a thing goes on doing
_TO_COME = frozenset(("要", "会", "将", "快", "必须"))
_REPLACED = {
    "今天": "昨天",
    "今晚": "昨晚",
    "今早": "昨天早上",
    "今年": "去年",
    "这周": "上周",
    "这个月": "上个月",
    "明天": "昨天",
}


def tense(item: Item, draws: Draws) -> Rewriting:
    """Put the text into another time."""
    scene = scene_of(item)
    scenes = [scene_of(schema_item) for schema_item in draws.schema.items]
    if any(schema_scene.expressions(kind) for schema_scene in scenes for kind in ("earlier", "now", "later")):
        return _replaced(scene, scenes)
    if any(place.start == 0 for schema_item in draws.schema.items for place in schema_item.segment):
        raise NotDerivedError("the segment opens the text")
    opener = _opener(scene)
    frame = draws.pick("time", _frames(scenes, opener))
    if scene.text.startswith(frame) or opener.startswith(_NO_ROOM):
        raise NotDerivedError("the text says when it happens")
    is_bare_place = bool(_PLACE.search(opener)) and not opener.startswith("在")
    opening = f"{frame}在" if is_bare_place else frame if opener else f"{frame}，"
    return Rewriting((Edit(Span(0, 0), opening),), tuple(_doubts(scenes)))


def _opener(scene: ChineseScene) -> str:
    """A phrase for a time or place that opens the text and mentions nobody: 晚饭时，."""
    match = _OPENER.match(scene.text)
    is_apart = match is not None and match.end() <= min(scene.phrases[0].start, scene.pronoun.start)
    return match.group() if match and is_apart else ""


def _frames(scenes: list[ChineseScene], opener: str) -> tuple[str, ...]:
    """Times that fit what the text says about the time of day, the year, or what has lasted since."""
    if any(season in opener for scene in scenes for season in scene.expressions("season")):
        return _YEARS
    if any(scene.expressions("part-of-day") for scene in scenes) and not _is_habitual(scenes):
        return _DAYS
    if any(scene.expressions("lasting") for scene in scenes):
        return _LONG_AGO
    if _is_habitual(scenes):
        again = any(_AGAIN.search(scene.text[: scene.pronoun.start]) for scene in scenes)
        happened = all(_EVENT.search(scene.text[: scene.pronoun.start]) for scene in scenes)
        return _LONG_AGO if happened and not again else _PERIODS
    return _WEEKS if any(_AFTERMATH.search(scene.text) for scene in scenes) else _RECENTLY


def _is_habitual(scenes: list[ChineseScene]) -> bool:
    """Whether the text tells what happens again and again."""
    habits = [set(scene.expressions("habitual")) - ({"整天"} if "一整天" in scene.text else set()) for scene in scenes]
    return any(habits) or any(_AGAIN.search(scene.without_mentions) for scene in scenes)


def _replaced(scene: ChineseScene, scenes: list[ChineseScene]) -> Rewriting:
    """A text that says when: its time is replaced where only one word says it."""
    times = {
        word
        for schema_scene in scenes
        for kind in ("earlier", "now", "later")
        for word in schema_scene.expressions(kind)
    }
    longest = {word for word in times if not any(word != longer and word in longer for longer in times)}
    word = next(iter(longest))
    if len(longest) > 1 or word not in _REPLACED or scene.text.count(word) != 1:
        raise NotDerivedError(f"the text says when it happens: {', '.join(sorted(longest))}")
    index = scene.text.index(word)
    if any(place.overlaps(Span(index, index + len(word))) for place in scene.item.segment):
        raise NotDerivedError(f"the time is part of the segment: {word}")
    return Rewriting(
        (Edit(Span(index, index + len(word)), _REPLACED[word]),), (f"does all of the text fit {_REPLACED[word]}?",)
    )


def _is_topic(scene: ChineseScene, first: Span) -> bool:
    """Whether the first clause may be just a noun phrase: 给小雯拍的照片，…."""
    first_word = first.of(scene.text)
    return not _opener(scene) and bool(_TOPIC.search(first_word)) and not re.search("[了没忘]", first_word)


def _tells_state(scene: ChineseScene) -> bool:
    """Whether the first clause tells a state or what is going on, and not that it is over."""
    first = next(subject_clauses(scene), None)
    if first is None:
        return False
    is_thing = first.candidate is not None and not scene.is_human(first.candidate)
    predicate, word = scene.text[first.subject.end : first.span.end], scene.after(first.subject.end)
    if is_thing and _COVERS.match(predicate):
        return True
    if word in lexicon("zh", "actions").words("state"):
        return not predicate.startswith(f"{word}了")
    return "了" not in predicate and bool(_GOING_ON.match(predicate))


def _doubts(scenes: list[ChineseScene]) -> list[str]:
    """What speaks against a time before now."""
    doubts = []
    for scene in scenes:
        story = _NO_EVENT.sub("，", scene.text[: scene.pronoun.start])
        if not _EVENT.search(story) and not _is_habitual(scenes):
            doubts.append("does the text tell something that happened once?")
        first = scene.clause_at(0)
        if first.end < scene.phrases[0].start and not (_opener(scene) or _EVENT.search(first.of(scene.text))):
            doubts.append(f"does a time fit before {first.of(scene.text)}?")
        if _ODD_START.match(first.of(scene.text)) or _is_topic(scene, first):
            doubts.append(f"does a time fit before {first.of(scene.text)}?")
        if _tells_state(scene) and not _is_habitual(scenes):
            doubts.append("is what comes first a state, or still going on?")
        if _DURATION.search(scene.text):
            doubts.append("does the time fit how long it lasts?")
        if "得先" in scene.text or any(
            span.of(scene.text) in _TO_COME and scene.after(span.end) for span in scene.words
        ):
            doubts.append("does what is to come fit a time before now?")
    return list(dict.fromkeys(doubts))
