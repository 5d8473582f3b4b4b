"""Another voice: 把 becomes 被 and 被 becomes 把, and a verb whose object is affected gets 被.

警察抓住了小偷 becomes 小偷被警察抓住了, and 小偷被警察抓住了 the other way round. Sure are the verbs that are listed as
having such a passive, if nothing stands between subject and verb that would have to find another place, and if the next
clause has a subject of its own. What else 把 tells of (借给了, 摞在了) is proposed: grammar allows 被 there, and people
seldom say it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.lexicon import lexicon
from winoglot.languages.rewriting import PASSIVE, Rewriting
from winoglot.languages.text import words
from winoglot.languages.zh.rewriting.clauses import clauses_without_subject, next_subjects, subject_clauses
from winoglot.languages.zh.rewriting.scene import is_in, scene_of
from winoglot.schemas.spans import Edit, Span, moved

if TYPE_CHECKING:
    from winoglot.languages.rewriting import Draws
    from winoglot.languages.zh.rewriting.scene import ChineseScene
    from winoglot.schemas.model import Item, Role

_NOT_MOVED = re.compile("自己|谁|什么")
_COUNTED = re.compile(  # 打了小张一拳, 罚了学生五块钱
    "一(?:拳|顿|下|脚|巴掌|耳光|刀|口|棍|通|番|场)$|[一两几三四五六七八九十百千万半\\d]+(?:块|元|次|分|年|天|个月|百元|百块)钱?$"
)
_RESULT = re.compile("[^不没得别很太了着过][破坏断倒翻走掉光跑伤死碎脏湿丢穿烂飞垮毁住醒哭]")  # 撞坏, 吓跑
_PLACED = re.compile("[^给送来去走回]{1,2}[到在进]了")  # 摞在了, 搬到了: of things
_PLACE_OR_HELP = ("在", "用", "替", "帮", "从")  # open what may stand before the verb of a passive too
_LONGEST_VERB = 4


@dataclass(frozen=True)
class _Rearranged:
    """A stretch of the text in another order: spans of the text, and words between them."""

    stretch: Span
    parts: tuple[Span | str, ...]
    subject: Span  # of the old clause
    object: Span
    doubts: tuple[str, ...] = ()

    def written(self, text: str) -> str:
        """The parts as they read."""
        return "".join(part if isinstance(part, str) else part.of(text) for part in self.parts)

    def place_of(self, span: Span, text: str) -> Span | None:
        """Where a span inside one of the parts lies in the new text; None if it is in none."""
        index = self.stretch.start
        for part in self.parts:
            if isinstance(part, Span) and span.within(part):
                return Span(index + span.start - part.start, index + span.end - part.start)
            index += len(part if isinstance(part, str) else part.of(text))
        return None


def voice(item: Item, draws: Draws) -> Rewriting:  # noqa: ARG001
    """Rewrite the first clause that can be in the other voice, best of all one without doubts."""
    scene = scene_of(item)
    clauses = [(clause.span, clause.subject) for clause in subject_clauses(scene)]
    clauses += [(span, Span(span.start, span.start)) for span in clauses_without_subject(scene)]
    rewritings, reasons = [], ["no clause has a subject and an object that 把 or 被 could name"]
    for span, subject in clauses:
        try:
            rewritings.append(_rewriting(scene, _rearranged(scene, span, subject)))
        except NotDerivedError as reason:
            reasons.append(str(reason))
    if not rewritings:
        raise NotDerivedError(reasons[-1])
    return min(rewritings, key=lambda rewriting: len(rewriting.doubts))


def constructions(text: str) -> frozenset[str]:
    """`passive` if 被 is a word of the text; clauses before 的 are too many things to be counted as relative ones."""
    return frozenset([PASSIVE] if "被" in words(text, "zh") else [])


def _rearranged(scene: ChineseScene, span: Span, subject: Span) -> _Rearranged:
    """The clause in the other voice."""
    predicate = [word for word in scene.words if subject.end <= word.start < span.end]
    markers = [word for word in predicate if word.of(scene.text) in ("把", "被")]
    if len(markers) > 1:
        raise NotDerivedError("the clause has both 把 and 被, or one of them twice")
    if not markers:
        return _from_plain(scene, span, subject, predicate)
    rule = _from_ba if markers[0].of(scene.text) == "把" else _from_bei
    return rule(scene, span, subject, markers[0])


def _from_ba(scene: ChineseScene, span: Span, subject: Span, ba: Span) -> _Rearranged:
    """S 把 O V: O 被 S V."""
    thing = Span(ba.end, _object_end(scene, ba.end, span.end))
    deed = scene.text[thing.end : span.end]
    if deed.startswith(tuple(lexicon("zh", "verbs").words("addressing"))):
        raise NotDerivedError(f"{deed} has no passive")
    before_bei, after_agent, doubts = _divided(scene, Span(subject.end, ba.start))
    parts = (thing, before_bei, "被", subject, after_agent)
    is_person = any(phrase.noun.end == thing.end and scene.is_human(phrase.candidate) for phrase in scene.phrases)
    if not _passive_verb(deed) and (is_person or not _PLACED.match(deed)):
        doubts.append(f"is 被 usual with {deed}?")
    if "让" in deed:
        doubts.append("does who did it still want what follows?")  # 藏起来不让她看见
    if len(thing.of(scene.text)) == 1:
        doubts.append(f"can {thing.of(scene.text)} stand alone before 被?")
    doubts += [*next_subjects(scene, span), *([] if subject.end > subject.start else ["who does it?"])]
    return _Rearranged(Span(subject.start, thing.end), parts, subject, thing, tuple(doubts))


def _from_bei(scene: ChineseScene, span: Span, subject: Span, bei: Span) -> _Rearranged:
    """O 被 S V 了: S V 了 O; and where more follows the verb, S 把 O V."""
    agent = Span(bei.end, _object_end(scene, bei.end, span.end))
    deed, middle = Span(agent.end, span.end), Span(subject.end, bei.start)
    verb = _passive_verb(deed.of(scene.text))
    doubts = [] if verb else [f"is 把 usual with {deed.of(scene.text)}?"]
    doubts += next_subjects(scene, span)
    if verb and deed.of(scene.text) == verb + "了":
        return _Rearranged(span, (agent, middle, deed, subject), subject, agent, tuple(doubts))
    return _Rearranged(Span(subject.start, agent.end), (agent, middle, "把", subject), subject, agent, tuple(doubts))


def _from_plain(scene: ChineseScene, span: Span, subject: Span, predicate: list[Span]) -> _Rearranged:
    """S V 了 O: O 被 S V 了."""
    if subject.start == subject.end:
        raise NotDerivedError("the clause has no subject and no 把")
    ends = {word.end for word in predicate}
    verbs = ((word.start, _passive_verb(scene.text[word.start : span.end])) for word in predicate)
    start, verb = next(((start, verb) for start, verb in verbs if verb and start + len(verb) in ends), (0, ""))
    if not verb:
        raise NotDerivedError("no clause has a verb of which 被 is usual")
    stop = start + len(verb)
    before_bei, after_agent, doubts = _divided(scene, Span(subject.end, start))
    if scene.text[stop : stop + 1] == "了":
        stop += 1
    elif len(verb) == 1:
        raise NotDerivedError(f"{verb} does not stand alone after 被")
    elif "没" not in before_bei.of(scene.text):
        doubts.append(f"does {verb} stand well without 了?")
    counted = _COUNTED.search(scene.text[stop : span.end])
    thing = Span(stop, stop + counted.start() if counted else span.end)
    _check_object(scene, thing)
    parts = (thing, before_bei, "被", subject, after_agent, Span(start, stop), Span(thing.end, span.end))
    doubts += next_subjects(scene, span)
    return _Rearranged(Span(subject.start, span.end), parts, subject, thing, tuple(doubts))


def _passive_verb(deed: str) -> str:
    """The longest verb with a passive that a stretch of text begins with: one that is listed, or tells a result."""
    listed = lexicon("zh", "actions").words("passive")
    result = _RESULT.match(deed)
    known = next((deed[:length] for length in range(_LONGEST_VERB, 0, -1) if deed[:length] in listed), "")
    return max(known, result.group() if result else "", key=len)


def _divided(scene: ChineseScene, middle: Span) -> tuple[Span, Span, list[str]]:
    """The words between subject and verb: those that stand before 被, those after the agent, and doubts about them."""
    index = middle.start
    for word in (word for word in scene.words if word.within(middle)):
        is_manner = is_in(Span(word.start, middle.end).of(scene.text), "expressions", "manner")
        if is_manner or not is_in(word.of(scene.text), "expressions", "before-passive"):
            break
        index = word.end
    stop = index - 1 if scene.text[middle.start : index].endswith("没能") else index  # 没能吹倒: 没被…吹倒
    rest = scene.text[index : middle.end]
    late = "" if is_in(rest, "expressions", "manner") else rest
    if late and not late.startswith(_PLACE_OR_HELP) and not late.endswith("地"):
        raise NotDerivedError(f"{middle.of(scene.text)} has no place beside 被")
    doubts = [f"does {late} stand at its place?"] if late else []
    return Span(middle.start, stop), Span(index, middle.end), doubts


def _object_end(scene: ChineseScene, start: int, end: int) -> int:
    """Where the noun phrase that begins at a position ends: before the verb, after all that describes its noun."""
    phrase = [word for word in scene.words if start <= word.start < end]
    forms = [word.of(scene.text) for word in phrase]
    verbs = [i for i, word in enumerate(phrase) if i and _is_verb(scene, word)]
    last = max((i + 1 for i, form in enumerate(forms) if form == "的" and verbs and i + 1 < verbs[-1]), default=0)
    stop = next((phrase[index].start for index in verbs if index > last), None)
    is_counted = len(phrase) > 1 and scene.tag(phrase[0])[0] in "rm" and 1 in verbs  # 画 of 那幅画 is no verb
    if stop is None or is_counted or _NOT_MOVED.search(scene.text[start:stop]):
        raise NotDerivedError("it is unknown where the object ends")
    return stop


def _is_verb(scene: ChineseScene, word: Span) -> bool:
    """Whether a word can be the verb of a clause, or an adverb before it."""
    form = word.of(scene.text)
    is_marker = is_in(form, "function_words", "governs") and form != "给"
    return not is_marker and (form in lexicon("zh", "actions") or scene.tag(word)[0] in "vdp")


def _check_object(scene: ChineseScene, thing: Span) -> None:
    """Refuse what is no object that can come before 被: 了 and nothing, 自己, or a noun with what it does after it."""
    surface = thing.of(scene.text)
    nouns = [word for word in scene.words if word.within(thing)]
    if not nouns or _NOT_MOVED.search(surface) or scene.tag(nouns[-1])[0] not in "nr":
        raise NotDerivedError(f"{surface} cannot be the subject of 被")
    if scene.pronoun.overlaps(thing) or any(_is_verb(scene, word) for word in nouns if "的" not in surface):
        raise NotDerivedError(f"{surface} cannot be the subject of 被")
    if len({phrase.candidate for phrase in scene.phrases if phrase.noun.within(thing)}) > 1:
        raise NotDerivedError("both candidates are in the object")


def _rewriting(scene: ChineseScene, rearranged: _Rearranged) -> Rewriting:
    """The rearranged text; refused if the pronoun, the segment or a mention would be torn."""
    item, stretch = scene.item, rearranged.stretch
    if any(place.overlaps(stretch) for place in (*item.segment, scene.pronoun)):
        raise NotDerivedError("the segment or the pronoun is in the clause")
    edit = Edit(stretch, rearranged.written(scene.text))
    mentions = []
    for candidate in item.candidates:
        places = [
            rearranged.place_of(mention, scene.text) if mention.overlaps(stretch) else moved(mention, [edit])
            for mention in candidate.mentions
        ]
        if None in places:
            raise NotDerivedError("a mention would be torn")
        mentions.append(tuple(place for place in places if place is not None))
    roles = tuple(_role(candidate.role, candidate.mentions[0], rearranged) for candidate in item.candidates)
    doubts = [*rearranged.doubts, *(["it is quoted"] if scene.is_quoted(stretch) else [])]
    if "自己" in scene.clause_at(stretch.start).of(scene.text):
        doubts.append("whose is it now (自己)?")
    return Rewriting((edit,), tuple(doubts), mentions=tuple(mentions), roles=roles)


def _role(role: Role | None, mention: Span, rearranged: _Rearranged) -> Role | None:
    """The subject becomes the agent, or the other way round; the object of 把 the subject."""
    if role is not None and mention.end == rearranged.subject.end:
        return "agent" if "被" in rearranged.parts else "object"
    return "subject" if role is not None and mention.end == rearranged.object.end else role
