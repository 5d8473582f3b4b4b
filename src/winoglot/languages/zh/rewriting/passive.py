"""Clauses with 把, 被 or an affected object, in the order of the other voice.

What comes before the verb goes before 被 if it negates or says when (小偷没被警察抓住), and after the agent if it says
how. Where the next clause has no subject of its own it would get another one, and a favour (借给, 替) is hardly told
with 被: such a clause is only proposed. 告诉 and 让给 have no passive at all.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from winoglot.languages.base import NotDerivedError
from winoglot.languages.lexicon import lexicon
from winoglot.languages.zh.rewriting.clauses import next_subjects
from winoglot.schemas.spans import Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.languages.zh.rewriting.clauses import SubjectClause
    from winoglot.languages.zh.rewriting.scene import ChineseScene

_MEASURE = re.compile("一(?:拳|顿|下|脚|巴掌|耳光|刀|口|棍|通|番|场)$")
_LATER = re.compile("(?:一直|至今|到现在|始终)[没不][^，。]*$")  # 借了小鹏的帐篷一直没还
_NOT_MOVED = re.compile("自己|谁|什么")
_SINCE = re.compile("[几两三多好]+个?(?:月|年|天|星期)来(?:一直|总|老)?")
_TIME = re.compile("[^，了把被]{1,10}?(?:的时候|时候|时|之前|之后|以前|以后|[前后])")
_NOT_BEFORE_VERB = frozenset(
    ("装作", "假装", "忘记", "答应", "打算", "准备", "开始", "继续", "后悔", "决定", "希望", "想")
)
_NO_VERBS = frozenset("要想可是在比")  # before another verb or a noun phrase
_PARTICLES = frozenset("在得到")  # of a verb that the segmenter joined to the noun before it
_RESULTS = frozenset("上下开走掉住到好完坏破死倒翻碎断着")  # 撞上, 抓住
_PLACES = ("口", "里", "上", "下", "家", "边", "面", "旁", "处")
_ASPECTS = frozenset("了着过")
_MORE_THAN_OBJECT = frozenset("把被给向对跟从往朝为和比让请")  # before another noun phrase
_BARE_AMOUNT = re.compile("[一两几三四五六七八九十半]+.?")
_NOMINAL = "nrmqasbjzf"  # tags of words that a noun phrase may have
ALL = frozenset(("全", "都", "全都", "全部", "一起", "统统", "还是", "终于", "也", "早就", "果然"))
_NO_PASSIVE = re.compile("告诉|让给|交代给|讲给|介绍给|教给|留给|透露给|[交接]班")
_FAVOUR = re.compile("借给|还给|送给|递给|交给|转给|分给|寄给|捎给|托给|(?<!卖)给了|错了")


@dataclass(frozen=True)
class Rearranged:
    """A stretch of the text in another order: spans of the text, and words between them."""

    stretch: Span
    parts: tuple[Span | str, ...]
    subject: Span  # of the old clause
    object: Span
    doubts: tuple[str, ...] = ()

    def written(self, text: str, parts: Sequence[Span | str] | None = None) -> str:
        """The parts, or those given, as they read."""
        chosen = self.parts if parts is None else parts
        return "".join(part if isinstance(part, str) else part.of(text) for part in chosen)

    def place_of(self, span: Span, text: str) -> Span | None:
        """Where a span inside one of the parts lies in the new text; None if it is in none."""
        index = self.stretch.start
        for part in self.parts:
            if isinstance(part, Span) and span.within(part):
                return Span(index + span.start - part.start, index + span.end - part.start)
            index += len(part if isinstance(part, str) else part.of(text))
        return None


def _from_ba(scene: ChineseScene, clause: SubjectClause) -> Rearranged:
    """S 把 O V: O 被 S V."""
    ba = marker(scene, Span(clause.subject.end, clause.span.end), "把")
    object_stop = object_end(scene, ba.end, clause.span.end)
    thing = Span(ba.end, object_stop)
    doubts = check_deed(scene.text[object_stop : clause.span.end])
    if object_stop == ba.end + 1:
        doubts.append(f"can {thing.of(scene.text)} stand alone before 被?")  # 注, 班
    front, before_bei, after_agent, doubts_about_order = split_before_verb(scene, Span(clause.subject.end, ba.start))
    agent = by_agent(scene, clause.subject, after_agent)
    parts = (*front, thing, *_quantifier_after(scene, object_stop), before_bei, *agent, after_agent)
    doubts += doubts_about_order + next_subjects(scene, clause.span)
    stretch = Span(clause.subject.start, object_stop + len("".join(_quantifier_after(scene, object_stop))))
    return Rearranged(stretch, parts, clause.subject, thing, tuple(doubts))


def check_deed(deed: str) -> list[str]:
    """Refuse a verb without a passive; returns doubts about one that does someone a favour."""
    if _NO_PASSIVE.search(deed) or re.search("得.*比", deed):
        raise NotDerivedError(f"{deed} has no passive")
    doubts = ["whose is it now (自己)?"] if "自己" in deed else []
    return doubts + ([f"is 被 usual with {deed}?"] if _FAVOUR.search(deed) else [])


def _quantifier_after(scene: ChineseScene, index: int) -> tuple[str, ...]:
    """A word such as 全 after an object, which comes before 被: 女低音全被女高音盖住了."""
    word = scene.after(index)
    return (word,) if word in ALL else ()


def by_agent(scene: ChineseScene, agent: Span, after_agent: Span | str) -> tuple[str, Span]:
    """The agent with 由 if it acts for someone else, otherwise with 被."""
    is_for_other = isinstance(after_agent, Span) and re.search("[替帮]", after_agent.of(scene.text))
    return ("由" if is_for_other else "被"), agent


def _from_bei(scene: ChineseScene, clause: SubjectClause) -> Rearranged:
    """O 被 S V 了: S V 了 O; and where more follows the verb, S 把 O V."""
    bei = marker(scene, Span(clause.subject.end, clause.span.end), "被")
    object_stop = object_end(scene, bei.end, clause.span.end)
    agent, rest = Span(bei.end, object_stop), Span(object_stop, clause.span.end)
    deed, middle = rest.of(scene.text), scene.text[clause.subject.end : bei.start]
    doubts = next_subjects(scene, clause.span)
    if deed.endswith("了") and (len(deed) < 4 or deed[:-1] in lexicon("zh", "actions").words("passive")):
        stretch, plain = Span(clause.subject.start, clause.span.end), (agent, middle, rest, clause.subject)
        return Rearranged(stretch, plain, clause.subject, agent, tuple(doubts))
    if len(deed) < 3 or not re.search("[了着在到给成]", deed):
        doubts.append(f"is 把 usual with {deed}?")
    parts = (agent, middle, "把", clause.subject)
    return Rearranged(Span(clause.subject.start, object_stop), parts, clause.subject, agent, tuple(doubts))


def without_agent(scene: ChineseScene, span: Span) -> Rearranged:
    """把 O V or V 了 O, after a clause that says who does it: O 被 V."""
    words = [word for word in scene.words if word.within(span)]
    if "把" in [word.of(scene.text) for word in words]:
        ba = marker(scene, span, "把")
        object_stop = object_end(scene, ba.end, span.end)
        thing, before = Span(ba.end, object_stop), Span(span.start, ba.start)
        doubts = check_deed(scene.text[object_stop : span.end])
        parts: tuple[Span | str, ...] = (thing, before, "被")
    else:
        start, end = _verb(scene, words)
        verb, object_stop = Span(words[start].start, words[end - 1].end), span.end
        thing, before = Span(verb.end, span.end), Span(span.start, verb.start)
        check_object(scene, thing)
        if verb.of(scene.text).removesuffix("了") not in lexicon("zh", "actions").words("passive"):
            raise NotDerivedError(f"{verb.of(scene.text)} has no passive")
        doubts, parts = [], (thing, before, "被", verb)
    before_bei = before.of(scene.text)
    if any(word.of(scene.text) not in _words_before_bei() for word in words if word.within(before)):
        doubts.append(f"does {before_bei} stand at its place?")
    doubts += next_subjects(scene, span)
    return Rearranged(Span(span.start, object_stop), parts, Span(0, 0), thing, tuple(doubts))


def _words_before_bei() -> frozenset[str]:
    return lexicon("zh", "expressions").words("before-passive")


def marker(scene: ChineseScene, span: Span, form: str) -> Span:
    """把 or 被 in a stretch of the text."""
    markers = [word for word in scene.words if word.within(span) and word.of(scene.text) == form]
    if len(markers) != 1:
        raise NotDerivedError("no clause has a subject and an object that 把 or 被 could name")
    return markers[0]


class BeforeVerb(NamedTuple):
    """The words between subject and verb, by their place in the passive, and what a reader must check."""

    front: tuple[Span | str, ...]  # before the new subject
    before_bei: Span | str
    after_agent: Span | str
    doubts: list[str]


def split_before_verb(scene: ChineseScene, middle: Span) -> BeforeVerb:
    """The words between subject and verb, by their place in the passive."""
    middle_text = middle.of(scene.text)
    time = _TIME.match(middle_text)
    if time and not any(phrase.noun.overlaps(middle) for phrase in scene.phrases):
        front = Span(middle.start, middle.start + time.end())
        _, before_bei, after_agent, doubts = split_before_verb(scene, Span(front.end, middle.end))
        return BeforeVerb((front, "，"), before_bei, after_agent, [*doubts, f"who is meant in {time.group()}?"])
    words = [word for word in scene.words if word.within(middle)]
    forms = [word.of(scene.text) for word in words]
    if middle_text == "没能":
        return BeforeVerb((), "没", "", [])
    manners = lexicon("zh", "expressions").words("manner")
    if middle_text in manners:
        return BeforeVerb((), "", middle, [])
    if all(form in _words_before_bei() for form in forms) or _SINCE.fullmatch(middle_text):
        return BeforeVerb((), middle, "", [])
    start = next(index for index, form in enumerate([*forms, ""]) if form not in _words_before_bei())
    before_bei, after_agent = Span(middle.start, words[start].start), Span(words[start].start, middle.end)
    how = after_agent.of(scene.text)
    if how in manners or (how.endswith("地") and len(words) - start < 3):
        return BeforeVerb((), before_bei, after_agent, [])
    doubt = [f"does {how} stand at its place?"]
    has_verb = any(scene.tag(word) == "v" and is_verb(scene, word) for word in words[start:])
    has_noun = any(scene.tag(word)[0] == "n" for word in words[start:])
    is_place = forms[start] == "在" and how.endswith(_PLACES)
    if any(form[0] in "没不别" for form in forms[start:]):
        raise NotDerivedError(f"{middle_text} has no place in a passive")
    if (
        not is_place
        and "替" not in how
        and "帮" not in how
        and (has_verb or (has_noun and forms[start] not in ("在", "用")))
    ):
        raise NotDerivedError(f"{middle_text} has no place in a passive")
    return BeforeVerb((), before_bei, after_agent, doubt)


def object_end(scene: ChineseScene, start: int, end: int) -> int:
    """Where the noun phrase that begins at a position ends: before the verb, after all that describes its noun."""
    words = [word for word in scene.words if start <= word.start < end]
    after_de = max(
        (position + 1 for position, word in enumerate(words) if _describes(scene, words, position, word)), default=0
    )
    for index, word in enumerate(words):
        if index >= after_de and word.of(scene.text) in _PARTICLES:
            raise NotDerivedError("it is unknown where the object ends")
        is_placing = scene.after(word.end)[:1] in tuple("在到给成进得")  # 下 of 下在
        is_end = word.of(scene.text) in ALL or is_verb(scene, word) or is_placing
        if index > after_de and is_end:
            start_phrase = Span(start, word.start)
            if _NOT_MOVED.search(start_phrase.of(scene.text)) or words[index - 1].of(scene.text) == "的":
                raise NotDerivedError(f"{start_phrase.of(scene.text)} cannot be moved")
            return start_phrase.end
        if index and index >= after_de and scene.tag(word)[0] not in _NOMINAL and word.of(scene.text) != "的":
            if scene.tag(word)[0] in "dp":
                return word.start
            raise NotDerivedError("it is unknown where the object ends")
    raise NotDerivedError("it is unknown where the object ends")


def _describes(scene: ChineseScene, words: list[Span], index: int, word: Span) -> bool:
    """Whether a word is 的 with a noun after it, and a verb somewhere after that."""
    following = words[index + 1 :]
    return (
        word.of(scene.text) == "的"
        and bool(following)
        and scene.tag(following[0])[0] == "n"
        and any(is_verb(scene, following_word) for following_word in following[1:])
    )


def is_verb(scene: ChineseScene, word: Span) -> bool:
    """Whether a word can be the verb of a clause."""
    form = word.of(scene.text)
    if form in _words_before_bei() or form in _NO_VERBS or form[0] in "没不":
        return False
    if form in lexicon("zh", "function_words").words("governs") and form not in ("给", "叫"):
        return False
    return form in lexicon("zh", "actions") or scene.tag(word)[0] == "v"


def _from_pivot(scene: ChineseScene, clause: SubjectClause) -> Rearranged:
    """S V R and what R is to do or gets: R 被 S V ...: 王刚被李明邀请参加婚礼, 证人被律师问了一个问题."""
    words = [word for word in scene.words if clause.subject.end <= word.start < clause.span.end]
    causative = lexicon("zh", "actions").words("causative")
    index = next((position for position, word in enumerate(words) if word.of(scene.text) in causative), None)
    if index is None:
        raise NotDerivedError("no clause has a verb with just an object after it")
    has_aspect = index + 1 < len(words) and words[index + 1].of(scene.text) in _ASPECTS
    verb = Span(words[index].start, words[index + has_aspect].end)
    phrase = next(
        (phrase for phrase in scene.phrases if phrase.start >= verb.end and phrase.noun.end < clause.span.end), None
    )
    described = Span(verb.end, phrase.start).of(scene.text) if phrase else ""
    if phrase is None or (described and not described.endswith("的")):
        raise NotDerivedError("no candidate follows the verb")
    person, rest = Span(verb.end, phrase.noun.end), Span(phrase.noun.end, clause.span.end).of(scene.text)
    owned = next((word for word in scene.words if word.start == person.end + 1), person)
    doubts = []
    if rest[0] == "的" and scene.tag(owned)[0] == "n" and owned.end < clause.span.end and has_aspect:  # 咬着狗的耳朵玩
        person, rest = Span(verb.end, owned.end), Span(owned.end, clause.span.end).of(scene.text)
        doubts.append(f"who does it in {rest}?")
    elif (
        rest[0] in "的家和跟与身那这"
        or re.match("(?!.*自己).{1,4}的", rest)
        or scene.after(phrase.noun.end) in lexicon("zh", "function_words").words("localizer")
    ):
        raise NotDerivedError("the candidate is part of a longer phrase")
    front, before_bei, after_agent, doubts_about_order = split_before_verb(scene, Span(clause.subject.end, verb.start))
    if "自己" in rest:
        doubts.append("whose is it now (自己)?")
    following = next((word for word in scene.words if word.start == person.end), person)
    is_deed = scene.tag(following)[0] in "vdp" or following.of(scene.text) in ("一起", "一块", "一同")
    if verb.of(scene.text).endswith("了") and is_deed:  # 说服了志勇去: 志勇被说服去
        verb = Span(verb.start, verb.end - 1)
    parts = (*front, person, before_bei, "被", clause.subject, after_agent, verb)
    doubts += doubts_about_order + next_subjects(scene, clause.span)
    return Rearranged(Span(clause.subject.start, person.end), parts, clause.subject, person, tuple(doubts))


def _from_plain(scene: ChineseScene, clause: SubjectClause) -> Rearranged:
    """S V 了 O: O 被 S V 了."""
    later = _LATER.search(scene.text[clause.subject.end : clause.span.end])
    end_of_object = clause.subject.end + later.start() if later and later.start() > 2 else clause.span.end
    words = [word for word in scene.words if clause.subject.end <= word.start < end_of_object]
    start, end = _verb(scene, words)
    verb = Span(words[start].start, words[end - 1].end)
    deed = verb.of(scene.text)
    has_aspect = deed[-1] in _ASPECTS
    plain = deed[:-1] if has_aspect else deed
    thing = Span(verb.end, end_of_object)
    measure = _MEASURE.search(thing.of(scene.text))
    if measure:
        thing = Span(thing.start, thing.start + measure.start())
    check_object(scene, thing)
    is_usual = plain in lexicon("zh", "actions").words("passive")
    if not is_usual and (
        plain in lexicon("zh", "actions").words("active-only")
        or plain[-1] in "在进去来成起给"
        or (plain[-1] == "到" and thing.of(scene.text).endswith(_PLACES))
    ):
        raise NotDerivedError(f"{plain} has no passive")
    if re.search("[不得]", plain) or _NO_PASSIVE.search(plain):
        raise NotDerivedError(f"{plain} has no passive")
    front, before_bei, after_agent, doubts = split_before_verb(scene, Span(clause.subject.end, verb.start))
    is_denied = bool(re.search("没", scene.text[clause.subject.end : verb.start]))
    if not has_aspect and (not is_usual or (len(plain) == 1 and not is_denied)):
        raise NotDerivedError(f"{plain} has no passive without 了")
    if not has_aspect and len(plain) == 1:
        doubts.append(f"can {plain} stand alone after 被?")
    if not is_usual and not measure:
        doubts.append(f"is 被 usual with {plain}?")
    rest: tuple[Span | str, ...] = (Span(thing.end, clause.span.end),)
    if end_of_object < clause.span.end:
        rest = ("，", *rest)
        doubts.append("who does what follows?")
    parts = (*front, thing, before_bei, *by_agent(scene, clause.subject, after_agent), after_agent, verb, *rest)
    doubts += next_subjects(scene, clause.span)
    return Rearranged(Span(clause.subject.start, clause.span.end), parts, clause.subject, thing, tuple(doubts))


def _verb(scene: ChineseScene, words: list[Span]) -> tuple[int, int]:
    """The first verb after which only a noun phrase follows, with its aspect."""
    for start, word in enumerate(words):
        if word.of(scene.text) in _MORE_THAN_OBJECT:
            break
        end = start
        while end < len(words) and end < start + 2 and is_verb(scene, words[end]):
            end += 1
        if start < end < len(words) and words[end].of(scene.text) in _RESULTS:
            end += 1
        if end == start:
            continue
        if word.of(scene.text) in _NOT_BEFORE_VERB:
            break
        if end < len(words) and words[end].of(scene.text) in _ASPECTS:
            end += 1
        if start < end < len(words) and _is_noun_phrase(scene, words[end:]):
            return start, end
        if words[end - 1].of(scene.text) in _ASPECTS:
            break  # the main verb, with more than an object after it
    raise NotDerivedError("no clause has a verb with just an object after it")


def _is_noun_phrase(scene: ChineseScene, words: list[Span]) -> bool:
    """Whether words can be a noun phrase: 那只猫, 演员的请求, 雨婷把守的球门."""
    mentioned = [Span(phrase.start, phrase.noun.end) for phrase in scene.phrases]
    forms = [word.of(scene.text) for word in words]

    def is_described(index: int) -> bool:
        return index > 0 and (forms[index - 1] == "的" or scene.tag(words[index - 1])[0] == "m")

    def is_nominal(index: int) -> bool:
        is_mention = any(words[index].within(span) for span in mentioned)
        return is_mention or is_described(index) or forms[index] == "的" or scene.tag(words[index])[0] in _NOMINAL

    is_plain = all(map(is_nominal, range(len(words))))
    starts = is_nominal(0) and forms[0] not in lexicon("zh", "actions") and forms[0][0] not in (*_ASPECTS, "的")
    last = len(words) - 1
    ends = scene.tag(words[last])[0] in "nr" or (last > 0 and is_described(last)) or _MEASURE.search("".join(forms))
    return starts and scene.tag(words[0])[0] != "q" and bool(ends) and (is_plain or "的" in forms)


def check_object(scene: ChineseScene, thing: Span) -> None:
    """Refuse an object that cannot come before 被."""
    surface = thing.of(scene.text)
    if not surface or _NOT_MOVED.search(surface) or _BARE_AMOUNT.fullmatch(surface):
        raise NotDerivedError(f"{surface} cannot be the subject of 被")
    if scene.pronoun.overlaps(thing):
        raise NotDerivedError("the object is the pronoun")
    phrases = [phrase for phrase in scene.phrases if phrase.noun.within(thing)]
    if len(phrases) > 1:
        raise NotDerivedError("both candidates are in the object")
    rest = scene.text[phrases[0].noun.end : thing.end] if phrases else ""
    if rest and "的" not in rest and rest[0] != "家":
        raise NotDerivedError("the candidate is followed by what it does")  # 催小罗交表


OF_CLAUSE = (_from_ba, _from_bei, _from_pivot, _from_plain)
