"""Another voice: 把 becomes 被 and 被 becomes 把, and a verb whose object is affected gets 被.

警察抓住了小偷 becomes 小偷被警察抓住了, and 小偷被警察抓住了 the other way round. Sure are a clause whose subject is
certain, a verb that is listed as having such a passive or tells a result, and a next clause that has a subject of its
own. What else 把 tells of (借给了) is proposed: grammar allows 被 there, and people seldom say it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.lexicon import lexicon
from winoglot.languages.rewriting import PASSIVE, Rewriting
from winoglot.languages.text import words
from winoglot.languages.zh.rewriting.scene import is_in, scene_of
from winoglot.schemas.spans import Edit, Span, moved

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.languages.rewriting import Draws
    from winoglot.languages.zh.rewriting.scene import ChineseScene, SubjectClause
    from winoglot.schemas.model import Item, Role

_NOT_MOVED = re.compile("自己|谁|什么")
_COUNTED = re.compile("[一两几三四五六七八九十百千万半\\d]+[^的，]{1,3}$")  # 打了小张一拳, 罚了学生五块钱
_RESULT = re.compile("[^不没得别很太了着过][破坏断倒翻走掉光跑伤死碎脏湿丢穿烂飞垮毁住醒哭扁]")  # 撞坏, 吓跑
_PLACED = re.compile("[^走回]{1,2}[到在进]了")  # 摞在了: of things
_LONGEST_VERB = 4


def voice(item: Item, draws: Draws) -> Rewriting:  # noqa: ARG001
    """Rewrite the first clause that can be in the other voice, best of all one without doubts."""
    scene = scene_of(item)
    rewritings, reason = [], "no clause has a subject and an object that 把 or 被 could name"
    for clause in scene.subject_clauses:
        try:
            rewritings.append(_rewriting(scene, clause))
        except NotDerivedError as error:
            reason = str(error)
    if not rewritings:
        raise NotDerivedError(reason)
    return min(rewritings, key=lambda rewriting: len(rewriting.doubts))


def constructions(text: str) -> frozenset[str]:
    """`passive` if 被 is a word of the text; clauses before 的 are too many things to be counted as relative ones."""
    return frozenset([PASSIVE] if "被" in words(text, "zh") else [])


def _rewriting(scene: ChineseScene, clause: SubjectClause) -> Rewriting:
    """The clause in the other voice: S 把 O V and S V O become O 被 S V, and O 被 S V becomes S V O or S 把 O V."""
    text, subject, end = scene.text, clause.subject, clause.span.end
    marker = next((word for word in scene.words_in(clause.predicate) if word.of(text) in ("把", "被")), None)
    verb, doubts = _verb(scene, Span(marker.end if marker else subject.end, end))
    if marker:
        thing, deed = Span(marker.end, verb.start), Span(verb.start, end)
        middle = Span(subject.end, marker.start).of(text)
    else:
        start = verb.end + (text[verb.end : end].startswith("了"))
        counted = _COUNTED.search(text, start, end)
        thing, middle = Span(start, counted.start() if counted else end), Span(subject.end, verb.start).of(text)
        deed = Span(verb.start, start)
    _check_thing(scene, thing)
    parts: tuple[Span | str, ...]
    role: Role
    if marker and marker.of(text) == "被":
        is_plain = deed.of(text) == verb.of(text) + "了"
        parts, role = (thing, middle, deed, subject) if is_plain else (thing, middle, "把", subject, deed), "object"
    else:
        before, after, placing = _divided(scene, Span(subject.end, subject.end + len(middle)))
        doubts += placing
        if not marker and deed == verb and (len(verb.of(text)) == 1 or "没" not in before):
            raise NotDerivedError(f"{verb.of(text)} does not stand alone after 被")
        rest = "" if marker else Span(thing.end, end)
        parts, role = (thing, before, "被", subject, after, deed, rest), "agent"
    doubts += _next_subject(scene, clause.span)
    if marker and len(thing.of(text)) == 1:
        doubts.append(f"can {thing.of(text)} stand alone before 被?")
    if "让" in deed.of(text):
        doubts.append("does who did it still want what follows?")  # 藏起来不让她看见
    new = _rearranged(scene, Span(subject.start, end), parts)
    roles: dict[int, Role] = {subject.end: role, thing.end: "subject"}
    mentioned = [(candidate.role, candidate.mentions[0].end) for candidate in scene.item.candidates]
    return replace(new, doubts=tuple(doubts), roles=tuple(old and roles.get(place, old) for old, place in mentioned))


def _verb(scene: ChineseScene, rest: Span) -> tuple[Span, list[str]]:
    """The verb of a clause, and a doubt if 被 is seldom said with it; NotDerivedError if none is known."""
    text, words_, listed = scene.text, scene.words_in(rest), lexicon("zh", "actions").words("passive")
    ends, is_after_ba = {word.end for word in words_}, scene.before(rest.start) == "把"
    for word in words_:
        result = _RESULT.match(text, word.start)
        lengths = [length for length in range(1, _LONGEST_VERB + 1) if text[word.start : word.start + length] in listed]
        stop = word.start + max([*lengths, len(result.group()) if result else 0])
        if stop > word.start and stop in ends and text[stop : stop + 1] != "的":
            return Span(word.start, stop), []
        is_main = is_after_ba and word.start > rest.start and "的" not in text[word.start : rest.end]
        if is_main and scene.tag(word)[0] == "v" and not is_in(word.of(text), "verbs", "addressing"):
            is_usual = scene.gender is None and _PLACED.match(text, word.start)
            return word, [] if is_usual else [f"is 被 usual with {Span(word.start, rest.end).of(text)}?"]
    raise NotDerivedError("no clause has a verb of which 被 is usual")


def _divided(scene: ChineseScene, middle: Span) -> tuple[str, str, list[str]]:
    """The words between subject and verb: those that stand before 被, those after the agent, and doubts about them."""
    index, text = middle.start, scene.text
    for word in scene.words_in(middle):
        is_manner = is_in(Span(word.start, middle.end).of(text), "expressions", "manner")
        if is_manner or not is_in(word.of(text), "expressions", "before-passive"):
            break
        index = word.end
    before, after = text[middle.start : index].replace("没能", "没"), text[index : middle.end]
    if not after or is_in(after, "expressions", "manner") or after.endswith("地"):
        return before, after, []
    if not after.startswith(("在", "用", "从")):
        raise NotDerivedError(f"{middle.of(text)} has no place beside 被")
    return before, after, [f"does {after} stand at its place?"]


def _check_thing(scene: ChineseScene, thing: Span) -> None:
    """Refuse what is no object that can change its place: nothing, 自己, or a noun with what it does after it."""
    surface, nouns = thing.of(scene.text), scene.words_in(thing)
    is_noun = bool(nouns) and (scene.tag(nouns[-1])[0] == "n" or nouns[-1] in scene.pronouns)
    has_verb = "的" not in surface and any(scene.tag(word)[0] in "vdp" for word in nouns)
    inside = [phrase for phrase in scene.phrases if phrase.noun.within(thing)]
    is_longer = any(
        thing.end > phrase.noun.end and "的" not in scene.text[phrase.noun.end : thing.end] for phrase in inside
    )
    if (
        not is_noun
        or has_verb
        or is_longer
        or len({phrase.candidate for phrase in inside}) > 1
        or _NOT_MOVED.search(surface)
    ):
        raise NotDerivedError(f"{surface} cannot be the subject of 被")


def _next_subject(scene: ChineseScene, clause: Span) -> list[str]:
    """A doubt if the next clause of the sentence has no subject of its own."""
    if scene.text[clause.end : clause.end + 1] not in ("，", "；", "："):
        return []
    following = scene.clause_at(clause.end + 1)
    is_impersonal = following.of(scene.text).startswith(tuple(lexicon("zh", "expressions").words("impersonal")))
    forms = [(word.of(scene.text), scene.tag(word)[0]) for word in scene.words_in(following)]
    first = next((tag for form, tag in forms if not is_in(form, "expressions", "connective")), "")
    return [] if is_impersonal or first in tuple("nrft") else [f"who does it in {following.of(scene.text)}?"]


def _rearranged(scene: ChineseScene, stretch: Span, parts: Sequence[Span | str]) -> Rewriting:
    """A stretch of the text in another order; refused if the pronoun, the segment or a mention would be torn."""
    item, text = scene.item, scene.text
    if any(place.overlaps(stretch) for place in (*item.segment, scene.pronoun)):
        raise NotDerivedError("the segment or the pronoun is in the clause")
    written, shifts = "", []
    for part in parts:
        if isinstance(part, Span):
            shifts.append((part, stretch.start + len(written) - part.start))
        written += part if isinstance(part, str) else part.of(text)
    edit = Edit(stretch, written)
    mentions = []
    for mention_spans in (candidate.mentions for candidate in item.candidates):
        places = [
            next((Span(old.start + by, old.end + by) for part, by in shifts if old.within(part)), None)
            if old.overlaps(stretch)
            else moved(old, [edit])
            for old in mention_spans
        ]
        if None in places:
            raise NotDerivedError("a mention would be torn")
        mentions.append(tuple(place for place in places if place is not None))
    return Rewriting((edit,), mentions=tuple(mentions))
