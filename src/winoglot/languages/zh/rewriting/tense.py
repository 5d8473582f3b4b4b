"""Another time. Chinese has no tense, so the verb changes where it shows time, and else a time comes first.

What cannot be done was not done (放不进: 没能放进), and the other way round. What somebody did is what they are going
to do (借给了: 打算借给), with a reason that may come before. A text that tells neither past nor time gets one: 昨天 for
what happens, 前几年 for what happens again and again, 那时候 for what lasts. Other texts are past already, and a time
would leave them so.
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
    from winoglot.languages.zh.rewriting.scene import ChineseScene
    from winoglot.schemas.model import Item

_RESULT = "(?:下去|上去|出来|进去|起来|过去|[见着到进出住动开上下完透清懂掉断亮倒破稳牢准赢垮满])"
_CANNOT = re.compile(f"(?P<verb>.)不(?P<result>{_RESULT})")
_DID_NOT = re.compile(f"没能?(?P<verb>[^有])(?P<result>{_RESULT})(?!了)")
_PERCEIVED = re.compile("[听看][见清懂到]")
_EXPLAINED = re.compile("，(?:因为|由于|所以|可|但|它)|。它")  # what follows is no further event
_REASON = re.compile("，(?:因为|好让)(?![^。]*(?:第二天|当时|后来|结果|终于|这才|已经))")
_CONTRAST = re.compile("，(?:可|但|不过|其实)(?:[^，。]{1,2}(?:早|答应)[^，。]*|[^了没过又才就。]*)。?$")
_DONE_FOR = re.compile("没|不|终于|已经|刚|又|才|就|突然|最终|比")
_ARRANGED = re.compile("把.*[给到在进]$")  # what is done with a thing, so that it may be planned
_NOT_PAST = re.compile(
    "(?:太|最(?![后终近初])|早)[^，。了]*了|(?:别|不要|要是|如果|只要|万一|假如)[^，。]*了|了解|了不起|了得|为了|除了|罢了|不了|得了"
)
_PAST = re.compile("[^，。！？]了|没(?!人|事|什么|完|劲|用|法)|[^经超通难路]过(?![去来头程节年分马])")
_BACKGROUND = re.compile("[，。](?:因为|由于|其实|原来|可(?![可能以])|但)[^。]*")  # what may have happened before
_OPENER = re.compile(r"[^，。！？“”：；]{1,9}?(?:时|时候|上|中|里|前|后|夜|会|节|下|间|边|饭|早|晚|黑|亮|点|天)，")
_PLACE = re.compile("[上里中下边旁]，$")
_NO_ROOM = ("当", "在", "到", "等", "每", "第", "这", "一", "同", "从", "自")  # an opener that begins so takes no time
_UNCLEAR = re.compile(
    "[都才当]|已经|眼看|还没|[那这]时|如果|要是|虽然|尽管|因为|由于|[^，]*的[^，了把被没忘]{1,3}，(?!因为|由于|所以|可|但|他|她|它)"
)
_BY_ACCIDENT = {"不小心", "竟然", "居然"}  # adverbs of what nobody plans
_COMPARED = re.compile("比|不如|[^也还不可都]是|属于|叫做")


def tense(item: Item, draws: Draws) -> Rewriting:
    """Put the text into another time, in the first way that all items of the schema allow."""
    scene, scenes = scene_of(item), [scene_of(schema_item) for schema_item in draws.schema.items]
    times = {word for other in scenes for word in other.expressions("earlier", "now", "later", "lasting")}
    if times:
        raise NotDerivedError(f"the text says when it happens: {', '.join(sorted(times))}")
    for way in (_attempted, _planned):
        if all(way(other, draws) for other in scenes):
            return way(scene, draws) or Rewriting(())
    return _timed(scene, scenes, draws)


def _attempted(scene: ChineseScene, _draws: Draws) -> Rewriting | None:
    """What cannot be done as what was not done, or the other way round; None if the text says neither."""
    for clause in scene.subject_clauses:
        place = clause.predicate
        cannot, did_not = (pattern.match(scene.text, place.start, place.end) for pattern in (_CANNOT, _DID_NOT))
        match = cannot or did_not
        if not match or not _EXPLAINED.match(scene.text, place.end):
            continue
        verb, result = match["verb"], match["result"]
        if is_in(f"{verb}不{result}", "expressions", "fixed-potential"):
            continue
        not_done = ("没" if _PERCEIVED.match(verb + result) else "没能") + verb + result
        return Rewriting((Edit(Span(*match.span()), not_done if cannot else f"{verb}不{result}"),))
    return None


def _planned(scene: ChineseScene, draws: Draws) -> Rewriting | None:
    """What somebody did as what they are going to do: 记者打算采访科学家，因为…; None if it is no plan."""
    clause = next(iter(scene.subject_clauses), None)
    if clause is None or clause.span.start > len(_opener(scene)) or not clause.is_person:
        return None
    done = [word for word in scene.words_in(clause.predicate) if word.of(scene.text) == "了"]
    rest, before = scene.text[clause.span.end :], scene.text[clause.subject.end : done[0].start] if done else ""
    if len(done) != 1 or _DONE_FOR.search(before) or not (_REASON.match(rest) or _CONTRAST.match(rest)):
        return None
    table, accidents = lexicon("zh", "actions"), lexicon("zh", "actions").values("manner-of-people")
    is_accident = any(before.endswith(verb) and _BY_ACCIDENT & set(accidents[verb]) for verb in accidents)
    is_plan = before.endswith(tuple(table.words("planned"))) or (_ARRANGED.match(before) and not is_accident)
    doubts = () if is_plan else (f"can {before} be planned?",)
    start = Span(clause.subject.end, clause.subject.end)
    return Rewriting((Edit(start, draws.pick("plan", ("打算", "准备"))), Edit(done[0], "")), doubts)


def _timed(scene: ChineseScene, scenes: list[ChineseScene], draws: Draws) -> Rewriting:
    """A text that tells no past, with a time before now."""
    if any(place.start == 0 for schema_item in draws.schema.items for place in schema_item.segment):
        raise NotDerivedError("the segment opens the text")
    if any(_PAST.search(_NOT_PAST.sub("", _BACKGROUND.sub("", other.text))) for other in scenes):
        raise NotDerivedError("the text is past already")
    opener = _opener(scene)
    if opener.startswith(_NO_ROOM):
        raise NotDerivedError("the text says when it happens")
    frame = draws.pick("time", _frames(scenes))
    opening = f"{frame}在" if _PLACE.search(opener) else frame if opener else f"{frame}，"
    first = scene.clause_at(len(opener)).of(scene.text)
    described = scene.text[len(opener) : scene.phrases[0].start]
    is_subject = not described or described.endswith("的") or scene.subject_of(scene.clause_at(len(opener)))
    is_clear = is_subject and not _UNCLEAR.match(scene.text[len(opener) :])
    doubts = [] if is_clear else [f"does a time fit before {first}?"]
    is_size = scene.gender is None and any(other.after(other.pronoun.end).startswith("太") for other in scenes)
    doubts += ["is it true at any time?"] if is_size or _COMPARED.search(first) else []
    return Rewriting((Edit(Span(0, 0), opening),), tuple(doubts))


def _opener(scene: ChineseScene) -> str:
    """A phrase for a time or place that opens the text and mentions nobody: 晚饭时，."""
    match = _OPENER.match(scene.text)
    is_apart = match is not None and match.end() <= min(scene.phrases[0].start, scene.pronoun.start)
    return match.group() if match and is_apart else ""


def _frames(scenes: list[ChineseScene]) -> tuple[str, ...]:
    """Times that fit how often the text says that it happens, and what lasts; none has a noun of the text."""
    if any(scene.expressions("habitual") for scene in scenes):
        return ("前几年", "那几年")
    lasting = ("那时候",) if any("时间" in scene.text for scene in scenes) else ("那时候", "那段时间")
    return lasting if any(map(_tells_state, scenes)) else ("昨天", "前几天")


def _tells_state(scene: ChineseScene) -> bool:
    """Whether the first verb with a certain subject tells a state: 喜欢, 住在, of things also 挡得严严实实."""
    for clause in scene.subject_clauses[:1]:
        is_of_thing = scene.gender is None and "得" in clause.predicate.of(scene.text)
        return is_of_thing or is_in(scene.after(clause.subject.end), "actions", "state")
    return False
