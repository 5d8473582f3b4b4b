"""Another time: Chinese has no tense, so a text that is not told as past gets a time before now (那天, 前几年).

打印机连不上电脑 becomes 那天，打印机连不上电脑, and 公园里，… becomes 那天在公园里，…. What lasted gets 那时候, what
happens again and again a year. What is past already (了, 没) is only proposed with a time, which makes it more exact
and changes little; so is a text that says when, with its time replaced.
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

_DAYS = ("那天", "昨天")
_YEARS = ("去年", "前年")
_PERIODS = ("前几年", "那几年")
_STATES = ("那时候", "那段时间")
_PLANS = ("打算", "准备")
_REASON = re.compile("，(?:因为|好让)(?![^。]*(?:第二天|当时|后来|结果|终于|这才|已经))")
_DONE_FOR = re.compile("没|不|终于|已经|刚|又|才|就|突然|最终")
_NOT_PAST = re.compile(
    "[太最可][^，。了]*了|(?:别|不要|要是|如果|只要|万一|假如)[^，。]*了|了解|了不起|了得|为了|除了|罢了|不了|得了"
)
_PAST = re.compile("[^，。！？]了|没(?!人|事|什么|完|劲|用|法)|[^经超通难路]过(?![去来头程节年分马])")
_OPENER = re.compile(r"[^，。！？“”：；]{1,9}?(?:时|时候|上|中|里|前|后|夜|会|节|下|间|边|饭|早|晚|黑|亮|点|天)，")
_PLACE = re.compile("[上里中下边旁]，$")
_NO_ROOM = ("当", "在", "到", "等", "每", "第", "这", "一", "同", "从", "自")  # an opener that begins so takes no time
_AGAIN = re.compile(
    "[天每]天|每|老(?=[是爱张])|一到|总(?![算经之共监统理裁编数体])|(?<![非经平正反异时寻])常(?![识规务委任])"
)
_ODD_START = re.compile("[都才当]|已经|眼看|还没|[那这]时|如果|要是|虽然|尽管|因为|由于")
_TOPIC = re.compile("的[^，。了把被没忘]{1,3}$")  # 给小雯拍的照片，...
_COMPARED = re.compile("比|不如|[^也还不可都]是|属于|叫做")
_FITS = re.compile("[放装塞挤套盖摆停穿钻伸]不[进下上住过了]")  # of things: 放不进


def tense(item: Item, draws: Draws) -> Rewriting:
    """Put the text into another time."""
    scene = scene_of(item)
    scenes = [scene_of(schema_item) for schema_item in draws.schema.items]
    times = {
        word
        for schema_scene in scenes
        for kind in ("earlier", "now", "later", "lasting")
        for word in schema_scene.expressions(kind)
    }
    plan = None if times else _planned(scene, draws)
    if plan and all(_planned(schema_scene, draws) for schema_scene in scenes):
        return plan
    if times:
        return _replaced(scene, {word for word in times if not any(word != time and word in time for time in times)})
    if any(place.start == 0 for schema_item in draws.schema.items for place in schema_item.segment):
        raise NotDerivedError("the segment opens the text")
    opener = _opener(scene)
    if opener.startswith(_NO_ROOM):
        raise NotDerivedError("the text says when it happens")
    frame = draws.pick("time", _frames(scenes, opener))
    is_bare_place = bool(_PLACE.search(opener))
    opening = f"{frame}在" if is_bare_place else frame if opener else f"{frame}，"
    return Rewriting((Edit(Span(0, 0), opening),), tuple(_doubts(scenes)))


def _planned(scene: ChineseScene, draws: Draws) -> Rewriting | None:
    """What somebody did for a reason as what they are going to do: 记者打算采访科学家，因为…; None if it is no plan."""
    clause = next(subject_clauses(scene), None)
    if clause is None or clause.span.start > 0 or not _REASON.match(scene.text[clause.span.end :]):
        return None
    predicate = Span(clause.subject.end, clause.span.end)
    done = [word for word in scene.words if word.within(predicate) and word.of(scene.text) == "了"]
    is_person = clause.candidate is None or scene.is_human(clause.candidate)
    verbs = lexicon("zh", "actions").words("planned")
    before = scene.text[predicate.start : done[0].start] if len(done) == 1 else ""
    is_plan = is_person and any(before.endswith(verb) for verb in verbs) and not _DONE_FOR.search(before)
    if not is_plan:
        return None
    start = Span(predicate.start, predicate.start)
    return Rewriting((Edit(start, draws.pick("plan", _PLANS)), Edit(done[0], "")))


def _opener(scene: ChineseScene) -> str:
    """A phrase for a time or place that opens the text and mentions nobody: 晚饭时，."""
    match = _OPENER.match(scene.text)
    is_apart = match is not None and match.end() <= min(scene.phrases[0].start, scene.pronoun.start)
    return match.group() if match and is_apart else ""


def _frames(scenes: list[ChineseScene], opener: str) -> tuple[str, ...]:
    """Times that fit what the text says about the year, how often it happens, and what lasts."""
    if any(season in opener for scene in scenes for season in scene.expressions("season")):
        return _YEARS
    habits = [set(scene.expressions("habitual")) - ({"整天"} if "一整天" in scene.text else set()) for scene in scenes]
    if any(habits) or any(_AGAIN.search(scene.without_mentions) for scene in scenes):
        return _PERIODS
    return _STATES if any(map(_tells_state, scenes)) else _DAYS


def _tells_state(scene: ChineseScene) -> bool:
    """Whether the first verb with a certain subject tells a state: 喜欢, 住在."""
    first = next(subject_clauses(scene), None)
    return first is not None and scene.after(first.subject.end) in lexicon("zh", "actions").words("state")


def _replaced(scene: ChineseScene, times: set[str]) -> Rewriting:
    """A text that says when: its time is replaced where only one word says it."""
    word, earlier = next(iter(times)), lexicon("zh", "expressions").values("told-earlier")
    if len(times) > 1 or word not in earlier or scene.text.count(word) != 1:
        raise NotDerivedError(f"the text says when it happens: {', '.join(sorted(times))}")
    place = Span(scene.text.index(word), scene.text.index(word) + len(word))
    if any(segment.overlaps(place) for segment in scene.item.segment):
        raise NotDerivedError(f"the time is part of the segment: {word}")
    return Rewriting((Edit(place, earlier[word][0]),), (f"does all of the text fit {earlier[word][0]}?",))


def _doubts(scenes: list[ChineseScene]) -> list[str]:
    """What speaks against a time before now, or against calling it another time."""
    doubts = []
    for scene in scenes:
        first = scene.clause_at(0)
        if _PAST.search(_NOT_PAST.sub("", scene.text[: scene.pronoun.start])):
            doubts.append("the text is past already: does the time change anything?")
        is_apart = first.end < scene.phrases[0].start and not _opener(scene)
        is_topic = not _opener(scene) and _TOPIC.search(first.of(scene.text))
        if is_apart or is_topic or _ODD_START.match(scene.text):
            doubts.append(f"does a time fit before {first.of(scene.text)}?")
        is_fit = scene.pronoun_form.startswith("它") and _FITS.search(first.of(scene.text))
        if is_fit or _COMPARED.search(first.of(scene.text)):
            doubts.append("is it true at any time?")
    return list(dict.fromkeys(doubts))
