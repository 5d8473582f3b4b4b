"""Another voice: 把 becomes 被 and 被 becomes 把, and a verb whose object is affected gets 被.

警察抓住了小偷 becomes 小偷被警察抓住了, and 司机把箱子摞在了柜子上 becomes 箱子被司机摞在了柜子上. What comes before
the verb goes before 被 if it negates or says when, and after the agent if it says how. Where the next clause has no
subject of its own, it would get another one, so the variant is only proposed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.lexicon import lexicon
from winoglot.languages.rewriting import Rewriting
from winoglot.languages.zh.rewriting.clauses import SubjectClause, clauses_without_subject, subject_clauses
from winoglot.languages.zh.rewriting.scene import scene_of
from winoglot.schemas.spans import Edit, Span, moved

if TYPE_CHECKING:
    from winoglot.languages.rewriting import Draws
    from winoglot.languages.zh.rewriting.scene import ChineseScene
    from winoglot.schemas.model import Item, Role

_MEASURE = re.compile("一(?:拳|顿|下|脚|巴掌|耳光|刀|口|棍|通|番|场)$")
_NOT_MOVED = re.compile("自己|谁|什么")
_SINCE = re.compile("[几两三多好]+个?(?:月|年|天|星期)来(?:一直|总|老)?")
_NO_VERBS = frozenset("要想可是在比")  # before another verb or a noun phrase
_PARTICLES = frozenset("在得到")  # of a verb that the segmenter joined to the noun before it
_RESULTS = frozenset("上下开走掉住到好完坏破死倒翻碎断")  # 撞上, 抓住
_PLACES = ("口", "里", "上", "下", "家", "边", "面", "旁", "处")
_ASPECTS = frozenset("了着过")
_MORE_THAN_OBJECT = frozenset("把被给向对跟从往朝为和比让请")  # before another noun phrase
_BARE_AMOUNT = re.compile("[一两几三四五六七八九十半]+.?")
_NOMINAL = "nrmqasbjzf"  # tags of words that a noun phrase may have


@dataclass(frozen=True)
class _Rearranged:
    """A stretch of the text in another order: spans of the text, and words between them."""

    stretch: Span
    parts: tuple[Span | str, ...]
    subject: Span  # of the old clause
    object: Span
    doubts: tuple[str, ...] = ()

    def written(self, text: str) -> str:
        return "".join(part if isinstance(part, str) else part.of(text) for part in self.parts)

    def place_of(self, span: Span, text: str) -> Span | None:
        """Where a span inside one of the parts lies in the new text; None if it is in none."""
        at = self.stretch.start
        for part in self.parts:
            if isinstance(part, Span) and span.within(part):
                return Span(at + span.start - part.start, at + span.end - part.start)
            at += len(part if isinstance(part, str) else part.of(text))
        return None


def voice(item: Item, draws: Draws) -> Rewriting:  # noqa: ARG001
    """Rewrite the first clause that can be in the other voice, best of all one without doubts."""
    scene = scene_of(item)
    found = []
    reasons = ["no clause has a subject and an object that 把 or 被 could name"]
    for clause in subject_clauses(scene):
        for rule in (_with_ba, _with_bei, _with_person, _plain):
            try:
                made = rule(scene, clause)
                found.append((len(made.doubts), _rewriting(scene, made)))
            except NotDerivedError as reason:
                reasons.append(str(reason))
    for span in clauses_without_subject(scene):
        try:
            made = _without_agent(scene, span)
            found.append((len(made.doubts), _rewriting(scene, made)))
        except NotDerivedError as reason:
            reasons.append(str(reason))
    if not found:
        raise NotDerivedError(reasons[-1])
    return min(found, key=lambda one: one[0])[1]


def _with_ba(scene: ChineseScene, clause: SubjectClause) -> _Rearranged:
    """S 把 O V: O 被 S V."""
    ba = _marker(scene, Span(clause.subject.end, clause.span.end), "把")
    taken = _object_end(scene, ba.end, clause.span.end)
    thing = Span(ba.end, taken)
    early, late, doubts = _placed(scene, Span(clause.subject.end, ba.start))
    parts = (thing, early, _marked(scene, late), clause.subject, late)
    doubts += _doubts(scene, clause.span)
    return _Rearranged(Span(clause.subject.start, taken), parts, clause.subject, thing, tuple(doubts))


def _with_bei(scene: ChineseScene, clause: SubjectClause) -> _Rearranged:
    """O 被 S V 了: S V 了 O; and where more follows the verb, S 把 O V."""
    bei = _marker(scene, Span(clause.subject.end, clause.span.end), "被")
    taken = _object_end(scene, bei.end, clause.span.end)
    agent, rest = Span(bei.end, taken), Span(taken, clause.span.end)
    done, middle = rest.of(scene.text), scene.text[clause.subject.end : bei.start]
    doubts = _doubts(scene, clause.span)
    if done.endswith("了") and done[:-1] in lexicon("zh", "actions").words("passive"):
        stretch, plain = Span(clause.subject.start, clause.span.end), (agent, middle, rest, clause.subject)
        return _Rearranged(stretch, plain, clause.subject, agent, tuple(doubts))
    if len(done) < 3 or not re.search("[了着在到给成]", done):
        doubts.append(f"is 把 usual with {done}?")
    parts = (agent, middle, "把", clause.subject)
    return _Rearranged(Span(clause.subject.start, taken), parts, clause.subject, agent, tuple(doubts))


def _marked(scene: ChineseScene, late: Span | str) -> str:
    """由 before the one who does it for another, and else 被: 饭钱由小雯替丽娜付了."""
    return "由" if isinstance(late, Span) and "替" in late.of(scene.text) else "被"


def _without_agent(scene: ChineseScene, span: Span) -> _Rearranged:
    """把 O V or V 了 O, after a clause that says who does it: O 被 V."""
    words = [word for word in scene.words if word.within(span)]
    if "把" in [word.of(scene.text) for word in words]:
        ba = _marker(scene, span, "把")
        taken = _object_end(scene, ba.end, span.end)
        thing, before = Span(ba.end, taken), Span(span.start, ba.start)
        parts: tuple[Span | str, ...] = (thing, before, "被")
    else:
        start, end = _verb(scene, words)
        verb, taken = Span(words[start].start, words[end - 1].end), span.end
        thing, before = Span(verb.end, span.end), Span(span.start, verb.start)
        _check_object(scene, thing)
        if verb.of(scene.text)[:-1] not in lexicon("zh", "actions").words("passive"):
            raise NotDerivedError(f"{verb.of(scene.text)} has no passive")
        parts = (thing, before, "被", verb)
    doubts = _doubts(scene, span)
    early = before.of(scene.text)
    if early and early not in lexicon("zh", "expressions").words("before-passive"):
        doubts.append(f"does {early} stand at its place?")
    return _Rearranged(Span(span.start, taken), parts, Span(0, 0), thing, tuple(doubts))


def _marker(scene: ChineseScene, span: Span, marker: str) -> Span:
    """把 or 被 in a stretch of the text."""
    words = [word for word in scene.words if word.within(span)]
    found = [word for word in words if word.of(scene.text) == marker]
    if len(found) != 1:
        raise NotDerivedError("no clause has a subject and an object that 把 or 被 could name")
    return found[0]


def _placed(scene: ChineseScene, middle: Span) -> tuple[Span | str, Span | str, list[str]]:
    """What stands before the verb, as it goes before 被 or after the agent, and doubts about that."""
    written = middle.of(scene.text)
    words = [word for word in scene.words if word.within(middle)]
    forms = [word.of(scene.text) for word in words]
    table = lexicon("zh", "expressions")
    if all(form in table.words("before-passive") for form in forms):
        return middle, "", []
    if written in table.words("manner") or (written.endswith("地") and len(words) < 3):
        return "", middle, []
    if _SINCE.fullmatch(written):
        return middle, "", []
    if "时" in forms or written.endswith("时候"):
        return "", middle, [f"does {written} stand at its place?"]
    has_verb = any(scene.tag(word) == "v" and _is_verb(scene, word) for word in words)
    has_noun = any(scene.tag(word)[0] == "n" for word in words)
    if "替" in forms and not has_verb:
        return "", middle, []
    if has_verb or (has_noun and forms[0] not in ("在", "用")):
        raise NotDerivedError(f"{written} has no place in a passive")
    return "", middle, [f"does {written} stand at its place?"]


def _object_end(scene: ChineseScene, start: int, end: int) -> int:
    """Where the noun phrase that begins at a position ends: before the verb, after all that describes its noun."""
    words = [word for word in scene.words if start <= word.start < end]
    after_de = max((n + 1 for n, word in enumerate(words) if _describes(scene, words, n, word)), default=0)
    for number, word in enumerate(words):
        if number >= after_de and word.of(scene.text) in _PARTICLES:
            raise NotDerivedError("it is unknown where the object ends")
        if number > after_de and _is_verb(scene, word):
            taken = Span(start, word.start)
            if _NOT_MOVED.search(taken.of(scene.text)):
                raise NotDerivedError(f"{taken.of(scene.text)} cannot be moved")
            return taken.end
        if number >= after_de and scene.tag(word)[0] not in _NOMINAL and word.of(scene.text) != "的":
            if number > 0 and scene.tag(word)[0] in "dp":
                return word.start
            raise NotDerivedError("it is unknown where the object ends")
    raise NotDerivedError("it is unknown where the object ends")


def _describes(scene: ChineseScene, words: list[Span], number: int, word: Span) -> bool:
    """Whether a word is 的 with a noun after it, and a verb somewhere after that."""
    following = words[number + 1 :]
    return (
        word.of(scene.text) == "的"
        and bool(following)
        and scene.tag(following[0])[0] == "n"
        and any(_is_verb(scene, one) for one in following[1:])
    )


def _is_verb(scene: ChineseScene, word: Span) -> bool:
    form = word.of(scene.text)
    if form in lexicon("zh", "expressions").words("before-passive") or form in _NO_VERBS or form[0] in "没不":
        return False
    if form in lexicon("zh", "function_words").words("governs") and form not in ("给", "叫"):
        return False
    return form in lexicon("zh", "actions") or scene.tag(word)[0] == "v"


def _with_person(scene: ChineseScene, clause: SubjectClause) -> _Rearranged:
    """S V R and what R is to do or gets: R 被 S V ...: 王刚被李明邀请参加婚礼, 证人被律师问了一个问题."""
    words = [word for word in scene.words if clause.subject.end <= word.start < clause.span.end]
    causative = lexicon("zh", "actions").words("causative")
    at = next((number for number, word in enumerate(words) if word.of(scene.text) in causative), None)
    if at is None:
        raise NotDerivedError("no clause has a verb with just an object after it")
    has_aspect = at + 1 < len(words) and words[at + 1].of(scene.text) in _ASPECTS
    verb = Span(words[at].start, words[at + has_aspect].end)
    phrase = next((one for one in scene.phrases if one.start >= verb.end and one.noun.end < clause.span.end), None)
    described = Span(verb.end, phrase.start).of(scene.text) if phrase else ""
    if phrase is None or (described and not described.endswith("的")):
        raise NotDerivedError("no candidate follows the verb")
    person, rest = Span(verb.end, phrase.noun.end), Span(phrase.noun.end, clause.span.end).of(scene.text)
    if (
        rest[0] in "的家和跟与身那这"
        or re.match("(?!.*自己).{1,4}的", rest)
        or scene.after(phrase.noun.end) in lexicon("zh", "function_words").words("localizer")
    ):
        raise NotDerivedError("the candidate is part of a longer phrase")
    early, late, doubts = _placed(scene, Span(clause.subject.end, verb.start))
    if "自己" in rest:
        doubts.append("whose is it now (自己)?")
    parts = (person, early, "被", clause.subject, late, verb)
    doubts += _doubts(scene, clause.span)
    return _Rearranged(Span(clause.subject.start, person.end), parts, clause.subject, person, tuple(doubts))


def _plain(scene: ChineseScene, clause: SubjectClause) -> _Rearranged:
    """S V 了 O: O 被 S V 了."""
    words = [word for word in scene.words if clause.subject.end <= word.start < clause.span.end]
    start, end = _verb(scene, words)
    verb = Span(words[start].start, words[end - 1].end)
    done = verb.of(scene.text)
    has_aspect = done[-1] in _ASPECTS
    plain = done[:-1] if has_aspect else done
    thing = Span(verb.end, clause.span.end)
    measure = _MEASURE.search(thing.of(scene.text))
    if measure:
        thing = Span(thing.start, thing.start + measure.start())
    _check_object(scene, thing)
    for_other = "替" in scene.text[clause.subject.end : verb.start]
    is_usual = for_other or plain in lexicon("zh", "actions").words("passive")
    if not is_usual and (
        plain in lexicon("zh", "actions").words("active-only")
        or plain[-1] in "在进去来成起给"
        or (plain[-1] == "到" and thing.of(scene.text).endswith(_PLACES))
    ):
        raise NotDerivedError(f"{plain} has no passive")
    if re.search("[不得]", plain):
        raise NotDerivedError(f"{plain} has no passive")
    early, late, doubts = _placed(scene, Span(clause.subject.end, verb.start))
    if not has_aspect and len(plain) == 1:
        raise NotDerivedError(f"{plain} has no passive without 了")
    if not is_usual and not measure:
        doubts.append(f"is 被 usual with {plain}?")
    parts = (thing, early, _marked(scene, late), clause.subject, late, verb, Span(thing.end, clause.span.end))
    doubts += _doubts(scene, clause.span)
    return _Rearranged(Span(clause.subject.start, clause.span.end), parts, clause.subject, thing, tuple(doubts))


def _verb(scene: ChineseScene, words: list[Span]) -> tuple[int, int]:
    """The first verb after which only a noun phrase follows, with its aspect."""
    for start, word in enumerate(words):
        if word.of(scene.text) in _MORE_THAN_OBJECT:
            break
        end = start
        while end < len(words) and end < start + 2 and _is_verb(scene, words[end]):
            end += 1
        if start < end < len(words) and words[end].of(scene.text) in _RESULTS:
            end += 1
        if end == start:
            continue
        if end < len(words) and words[end].of(scene.text) in _ASPECTS:
            end += 1
        if start < end < len(words) and _is_noun_phrase(scene, words[end:]):
            return start, end
    raise NotDerivedError("no clause has a verb with just an object after it")


def _is_noun_phrase(scene: ChineseScene, words: list[Span]) -> bool:
    """Whether words can be a noun phrase: 那只猫, 演员的请求, 雨婷把守的球门."""
    mentioned = [Span(phrase.start, phrase.noun.end) for phrase in scene.phrases]
    forms = [word.of(scene.text) for word in words]

    def is_described(number: int) -> bool:
        return number > 0 and (forms[number - 1] == "的" or scene.tag(words[number - 1])[0] == "m")

    def is_nominal(number: int) -> bool:
        is_mention = any(words[number].within(span) for span in mentioned)
        return is_mention or is_described(number) or forms[number] == "的" or scene.tag(words[number])[0] in _NOMINAL

    is_plain = all(map(is_nominal, range(len(words))))
    starts = is_nominal(0) and forms[0] not in lexicon("zh", "actions") and forms[0][0] not in (*_ASPECTS, "的")
    last = len(words) - 1
    ends = scene.tag(words[last])[0] in "nr" or (last > 0 and is_described(last)) or _MEASURE.search("".join(forms))
    return starts and scene.tag(words[0])[0] != "q" and bool(ends) and (is_plain or "的" in forms)


def _check_object(scene: ChineseScene, thing: Span) -> None:
    written = thing.of(scene.text)
    if not written or _NOT_MOVED.search(written) or _BARE_AMOUNT.fullmatch(written):
        raise NotDerivedError(f"{written} cannot be the subject of 被")
    if any(span.overlaps(thing) for span in scene.pronouns):
        raise NotDerivedError("the object is a pronoun")
    if len([one for one in scene.phrases if one.noun.within(thing)]) > 1:
        raise NotDerivedError("both candidates are in the object")


def _doubts(scene: ChineseScene, clause: Span) -> list[str]:
    """Whether the clauses that follow, up to the pronoun, have subjects of their own."""
    at = clause.end + 1
    while at < len(scene.text) and scene.text[at - 1] in "，：；":
        span = scene.clause_at(at)
        if scene.pronoun.start < span.start:
            break
        if not _has_subject(scene, span):
            return [f"who does it in {span.of(scene.text)}?"]
        at = span.end + 1
    return []


def _has_subject(scene: ChineseScene, span: Span) -> bool:
    """Whether a clause has a noun, a name or a pronoun before its first verb."""
    for word in scene.words:
        if word.start < span.start or word.start >= span.end:
            continue
        form, tag = word.of(scene.text), scene.tag(word)
        if (tag[0] in "nr" and form not in ("自己", "这么", "谁知")) or form in lexicon("zh", "vocabulary"):
            return True
        if (tag[0] in "vp" or form in lexicon("zh", "function_words").words("governs")) and form not in (
            "可",
            "没想到",
            "可惜",
            "直到",
            "到",
            "到现在",
        ):
            return False
    return False


def _rewriting(scene: ChineseScene, made: _Rearranged) -> Rewriting:
    """The rearranged text; refused if the pronoun or the segment would be torn."""
    item = scene.item
    if any(place.overlaps(made.stretch) for place in (*item.segment, scene.pronoun)):
        raise NotDerivedError("the pronoun or the segment is in the clause")
    edit = Edit(made.stretch, made.written(scene.text))
    mentions = []
    roles: list[Role | None] = []
    for candidate in item.candidates:
        places = []
        for mention in candidate.mentions:
            inside = made.place_of(mention, scene.text) if mention.overlaps(made.stretch) else moved(mention, (edit,))
            if inside is None:
                raise NotDerivedError("a mention would be torn")
            places.append(inside)
        mentions.append(tuple(places))
        roles.append(_role(candidate.role, candidate.mentions[0], made))
    doubts = list(made.doubts)
    if scene.is_quoted(made.stretch):
        doubts.append("it is quoted")
    return Rewriting((edit,), tuple(doubts), mentions=tuple(mentions), roles=tuple(roles))


def _role(role: Role | None, mention: Span, made: _Rearranged) -> Role | None:
    """The subject becomes the agent, or the other way round; the object of 把 the subject."""
    if role is None or mention.end not in (made.subject.end, made.object.end):
        return role
    is_passive = bool({"被", "由"} & set(made.parts))
    if mention.end == made.subject.end:
        return "agent" if is_passive else "object"
    return "subject"
