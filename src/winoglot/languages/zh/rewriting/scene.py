"""What a Chinese item is about: words, mentions of the candidates, pronouns, other people, and clauses with subjects.

Segmenters often join a name to the word beside it, so a text is cut at the mentions and the pronouns first, and the
stretches between them are segmented one by one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.lexicon import lexicon
from winoglot.languages.names import name_gender
from winoglot.languages.zh.person import is_person
from winoglot.languages.zh.script import simplified, tagged
from winoglot.schemas.model import Item
from winoglot.schemas.spans import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

_PRONOUN = re.compile("[他她它牠]们?")
_ADJECTIVES = tuple("大小新旧老红黄蓝白黑绿灰长短高矮胖瘦破男女")
_ASPECT = re.compile("[了着](?![，。！？])")
_CLAUSE_END = frozenset('，。！？；：、…—,.!?;:“”「」（）()"')
_LONGEST_NOUN = 6
_TIMES = ("t", "m")  # tags of times and numbers: 昨天, 第二天
_NOT_PREDICATE = frozenset("的和与跟及或、家上下里中们地得俩")
_PARTICLES = {"了": "ul", "着": "uz", "把": "p"}


@dataclass(frozen=True)
class CandidatePhrase:
    """A mention of a candidate: 那只大黄狗 has the determiner 那, the classifier 只 and the noun 大黄狗."""

    candidate: int
    start: int  # of the determiner, also where the mention leaves it out
    noun: Span
    determiner: str = ""  # 那, 一, 那些, ...
    classifier: str = ""


@dataclass(frozen=True)
class SubjectClause:
    """A clause, its subject with what describes it, and where its predicate begins."""

    span: Span
    subject: Span
    is_person: bool

    @property
    def predicate(self) -> Span:
        """What is said of the subject."""
        return Span(self.subject.end, self.span.end)


@dataclass(frozen=True)
class ChineseScene:
    """An item's text and what was found in it."""

    item: Item
    text: str
    pronoun: Span
    phrases: tuple[CandidatePhrase, ...]  # in the order of the text

    def of(self, candidate: int) -> list[CandidatePhrase]:
        """The phrases that mention a candidate."""
        return [phrase for phrase in self.phrases if phrase.candidate == candidate]

    def noun(self, candidate: int) -> str:
        """The candidate's noun or name, as first mentioned."""
        return self.of(candidate)[0].noun.of(self.text)

    @property
    def words(self) -> list[Span]:
        """The words of the text; a candidate's noun and a pronoun are words of their own."""
        return list(self._tags)

    def words_in(self, place: Span) -> list[Span]:
        """The words of a stretch of the text."""
        return [word for word in self._tags if word.within(place)]

    def tag(self, word: Span | None) -> str:
        """The segmenter's tag of a word: v for a verb, n for a noun, ...; x if there is none."""
        return self._tags[word] if word else "x"

    def word_to(self, index: int) -> Span | None:
        """The word that ends at a position."""
        return next((word for word in self._tags if word.end == index), None)

    def word_from(self, index: int) -> Span | None:
        """The word that begins at a position."""
        return next((word for word in self._tags if word.start == index), None)

    def before(self, index: int) -> str:
        """The word that ends at a position; empty at the start of a clause."""
        return self._form(self.word_to(index))

    def after(self, index: int) -> str:
        """The word that begins at a position; empty at the end of a clause."""
        return self._form(self.word_from(index))

    def _form(self, word: Span | None) -> str:
        form = word.of(self.text) if word else ""
        return "" if form in _CLAUSE_END else form

    @cached_property
    def _tags(self) -> dict[Span, str]:
        fixed = dict.fromkeys(sorted({phrase.noun for phrase in self.phrases}), "n")
        fixed |= dict.fromkeys(self.pronouns, "r")
        tags: dict[Span, str] = {}
        index = 0
        for span in [*sorted(fixed), Span(len(self.text), len(self.text))]:
            for word, tag in _split(tagged(self.text[index : span.start])):
                tags[Span(index, index + len(word))] = tag
                index += len(word)
            if span.end > span.start:
                tags[span] = fixed[span]
            index = span.end
        return tags

    @cached_property
    def pronouns(self) -> list[Span]:
        """All pronouns of the third person (without 的): 他 but not 其他."""
        hidden = "|".join(sorted(lexicon("zh", "spelling").words("contains-pronoun")))
        matches = re.finditer(f"{hidden}|({_PRONOUN.pattern})", self.text)
        return [Span(*match.span(1)) for match in matches if match[1]]

    @property
    def pronoun_form(self) -> str:
        """The pronoun without 的: 他, 她们."""
        return self.pronoun.of(self.text).removesuffix("的")

    @property
    def gender(self) -> str | None:
        """The gender that the pronoun shows."""
        return {"他": "masculine", "她": "feminine"}.get(self.pronoun_form[:1])

    @property
    def is_plural(self) -> bool:
        """Whether the pronoun is plural."""
        return "们" in self.pronoun_form

    @cached_property
    def named(self) -> list[int]:
        """The candidates that are people's names."""
        return [index for index in range(len(self.item.candidates)) if self.is_named(index)]

    def is_named(self, candidate: int) -> bool:
        """Whether the candidate is a person's name."""
        noun = self.noun(candidate)
        is_listed = noun in lexicon("zh", "vocabulary") and (animacy(noun) == "human" or not _is_nickname(noun))
        return self.gender is not None and not is_listed and is_name(noun)

    def is_human(self, candidate: int) -> bool:
        """Whether the candidate is a person."""
        return self.is_named(candidate) or (
            self.gender is not None and animacy(self.noun(candidate)) in ("human", None)
        )

    def is_cut(self, phrase: CandidatePhrase) -> bool:
        """Whether an adjective or a classifier comes right before a mention: 卡车 in 大卡车, 核桃树 in 栽了棵核桃树."""
        counting = _classifiers() - lexicon("zh", "function_words").words("governs")
        is_counted = self.before(phrase.start) in counting
        return not phrase.determiner and (is_counted or self.text[: phrase.start].endswith(_ADJECTIVES))

    @cached_property
    def other_people(self) -> list[str]:
        """Nouns and names for people who are not candidates."""
        mentioned = {*self.pronouns, *(phrase.noun for phrase in self.phrases)}
        others = [(span.of(self.text), tag) for span, tag in self._tags.items() if span not in mentioned]
        return [word for word, tag in others if _names_person(word, tag)]

    def gender_of_others(self) -> set[str]:
        """The genders that nouns for other people show."""
        return {gender for gender in map(_shown_gender, self.other_people) if gender}

    @cached_property
    def without_mentions(self) -> str:
        """The text without the phrases that mention the candidates."""
        text = self.text
        for phrase in reversed(self.phrases):
            text = text[: phrase.start] + text[phrase.noun.end :]
        return text

    def expressions(self, *features: str) -> list[str]:
        """The listed expressions of these kinds that occur in the text."""
        listed = (word for feature in features for word in sorted(lexicon("zh", "expressions").words(feature)))
        return [word for word in listed if self.has(word)]

    def has(self, expression: str) -> bool:
        """Whether an expression occurs in the text, one of a single character as a word: 总 but not 总算."""
        return expression in (self.text if len(expression) > 1 else {word.of(self.text) for word in self._tags})

    @cached_property
    def clauses(self) -> list[Span]:
        """The clauses, each between two marks; empty ones between marks that follow one another."""
        ends = [index for index, character in enumerate(self.text) if character in _CLAUSE_END]
        return [Span(start + 1, end) for start, end in pairwise([-1, *ends, len(self.text)])]

    def clause_at(self, position: int) -> Span:
        """The clause around a position."""
        return next(span for span in self.clauses if span.start <= position <= span.end)

    @cached_property
    def subject_clauses(self) -> list[SubjectClause]:
        """The clauses before the pronoun's whose subject is certain."""
        stop = self.clause_at(self.pronoun.start).start
        told = [span for span in self.clauses if span.start < min(stop, span.end)]
        return [clause for clause in map(self.subject_of, told) if clause is not None]

    def subject_of(self, span: Span) -> SubjectClause | None:
        """A clause that a candidate or a noun for a person opens; None if none does.

        Before it may come a connective, a time, or what describes it with 的: 但是，楼上的乐手没关水龙头.
        """
        start = span.start
        for word in self.words_in(span):
            is_mention = any(
                phrase.start <= word.start < phrase.noun.end for phrase in self.phrases
            )  # 一片 of 一片乌云
            is_before = is_in(word.of(self.text), "expressions", "connective") or self.tag(word).startswith(_TIMES)
            if is_mention or not is_before:
                break
            start = word.end
        inside = (phrase for phrase in self.phrases if phrase.start >= start and phrase.noun.end <= span.end)
        phrase = next(inside, None)
        described = Span(start, phrase.start).of(self.text) if phrase else ""
        if phrase and (not described or described.endswith("的")):
            subject, is_person = Span(start, phrase.noun.end), self.is_human(phrase.candidate)
        else:
            first = self.word_from(start)
            form = first.of(self.text) if first else ""
            if first is None or not (form in self.other_people or is_in(form, "expressions", "speaker")):
                return None
            subject, is_person = first, True
        owned = self.word_from(subject.end + 1)
        if self.after(subject.end) == "的" and self.tag(owned)[0] == "n" and owned:
            subject, is_person = Span(subject.start, owned.end), False  # 欣怡的点球
        return SubjectClause(span, subject, is_person) if self.is_predicate(subject.end) else None

    def is_predicate(self, index: int) -> bool:
        """Whether a predicate can begin at a position, and no longer noun phrase."""
        rest = (word for word in self.words if word.start >= index)
        word = next((word for word in rest if not self.tag(word).startswith(_TIMES)), None)  # 小雯一下子就找到了
        if word is None:
            return False
        form, tag, following = word.of(self.text), self.tag(word), self.word_from(word.end)
        if form in _NOT_PREDICATE or form[0] in "的们":
            return False
        is_before_verb = is_in(form, "expressions", "manner") or is_in(form, "function_words", "preverbal", "governs")
        if is_before_verb or form in lexicon("zh", "actions") or re.match("了|着|在了", self.text[word.end :]):
            return True
        if form[1:2] == "不" and len(form) > 2:  # 照不亮
            return True
        if tag[0] in "abz" and following:  # 主动替, 悄悄走
            return self.tag(following)[0] in "vpd" or following.of(self.text) == "地"
        return tag[0] in "vpdil" and tag != "vn"


def _split(words: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The words with 了, 着 and 把 on their own (踩坏了, 领着, 一头把), and what comes before 了 as a verb."""
    for index, (word, tag) in enumerate(words):
        following = "".join(next_word for next_word, _ in words[index + 1 : index + 3])
        is_adverb = word[0] in "没总时" and len(word) == 2 and tag[0] in "vn"  # 总帮, 下班时错拿
        is_joined = (word[-1] in "了把" and len(word) > 2) or (word[-1] == "着" and tag == "uz" and len(word) > 1)
        if word in lexicon("zh", "vocabulary"):
            yield word, "n"
        elif is_adverb and not is_in(word, "expressions", "one-word"):
            yield from ((word[0], "d"), (word[1], "v"))
        elif is_joined and (word[-1] == "把" or word not in lexicon("zh", "expressions")):
            yield word[:-1], "d" if word[-1] == "把" else "v"
            yield word[-1], _PARTICLES[word[-1]]
        elif tag[0] in "nmzq" and _ASPECT.match(following):
            yield word, "v"  # 点 of 点了菜
        else:
            yield word, tag


def refuse_if(reasons: dict[str, bool]) -> None:
    """NotDerivedError with the first reason that applies."""
    for reason, applies in reasons.items():
        if applies:
            raise NotDerivedError(reason)


def is_in(word: str, table: str, *features: str) -> bool:
    """Whether the word has one of the features in a table of this folder."""
    return any(word in lexicon("zh", table).words(feature) for feature in features)


@lru_cache(maxsize=64)
def scene_of(item: Item) -> ChineseScene:
    """The scene of an item; NotDerivedError if it has no mentions, or is written in traditional characters."""
    text, pronoun = item.text or "", item.pronoun or Span(0, 0)
    if simplified(text) != text:
        raise NotDerivedError("the text is in traditional characters, and the rules write simplified ones")
    if item.pronoun_form != "word" or not _PRONOUN.match(pronoun.of(text)):
        raise NotDerivedError("its pronoun is not one of 他, 她, 它")
    if any(not candidate.mentions for candidate in item.candidates):
        raise NotDerivedError("the text does not mention all candidates")
    phrases = [
        _phrase(text, index, mention)
        for index, candidate in enumerate(item.candidates)
        for mention in candidate.mentions
    ]
    spans = [phrase.noun for phrase in phrases]
    if any(noun.overlaps(other_noun) for noun in spans for other_noun in spans if noun is not other_noun):
        raise NotDerivedError("one mention is part of another")
    return ChineseScene(item, text, pronoun, tuple(sorted(phrases, key=lambda phrase: phrase.noun)))


def _phrase(text: str, candidate: int, mention: Span) -> CandidatePhrase:
    """The mention with its determiner, which may be inside it or before it."""
    inside = None if is_person(mention.of(text)) else _determiner("(?=.)").match(mention.of(text))
    match = inside or _determiner("$").search(text[: mention.start])
    if match is None:
        return CandidatePhrase(candidate, mention.start, mention)
    start, end = (mention.start, mention.start + inside.end()) if inside else (match.start(), mention.start)
    determiner = match["some"] or match["which"]
    return CandidatePhrase(candidate, start, Span(end, mention.end), determiner, match["classifier"] or "")


@cache
def _classifiers() -> frozenset[str]:
    return lexicon("zh", "function_words").words("classifier") - {"些", "对"}


@cache
def _determiner(rest: str) -> re.Pattern[str]:
    which = "[这那某]一|[这那某每]|[一两几三四五六七八九十]"
    counted = f"(?P<which>{which})(?P<classifier>[{''.join(sorted(_classifiers()))}])"
    return re.compile(f"(?:(?P<some>[这那某一]些)|{counted}){rest}")


@cache
def head(noun: str) -> str:
    """The listed noun that a noun ends in: 箱子 of 灰箱子; empty if none is."""
    table = lexicon("zh", "vocabulary")
    noun = noun.rpartition("的")[2]
    ends = (noun[index:] for index in range(max(0, len(noun) - _LONGEST_NOUN), len(noun)))
    return next((end for end in ends if end in table and (len(end) > 1 or len(noun) < 4)), "")


def animacy(noun: str) -> str | None:
    """What a noun is by its listed end: human, animal, place or thing; None if it is not listed."""
    listed = head(noun)
    return next((kind for kind in ("human", "animal", "place", "thing") if listed in _words(kind)), None)


def _words(feature: str) -> frozenset[str]:
    return lexicon("zh", "vocabulary").words(feature)


def is_kin(noun: str) -> bool:
    """Whether a noun is a kinship term."""
    listed = head(noun)
    return listed in _words("kin") if listed else noun in lexicon("zh", "nouns").words("kin")


def is_name(noun: str) -> bool:
    """Whether the noun is a person's name, perhaps with a title: 小雯, 周大姐."""
    titles = tuple(lexicon("zh", "people").words("title"))
    surnames = lexicon("zh", "names").words("surname")
    return _is_nickname(noun) or is_person(noun) or any(noun[:n] in surnames and noun[n:] in titles for n in (1, 2))


def _is_nickname(noun: str) -> bool:
    """Whether the noun is 小 or 老 with a family name: 老马, who may elsewhere be a horse."""
    return len(noun) == 2 and noun[0] in "小老" and noun[1] in lexicon("zh", "names").words("surname")


def _names_person(word: str, tag: str) -> bool:
    """Whether a word is a noun or a name for a person."""
    if word in _words("human") or is_in(word, "nouns", "kin", "person", "related"):
        return True
    may_name = tag[0] in "nr" or (word.isascii() and name_gender(word, "en").value is not None)
    return may_name and len(word) > 1 and (animacy(word) == "human" or is_person(word))


def _shown_gender(word: str) -> str | None:
    """The gender that a word for a person shows; None if it shows none."""
    if word[0] in "男女" and len(word) > 1:
        return {"男": "masculine", "女": "feminine"}[word[0]]
    for gender in ("masculine", "feminine"):
        listed = lexicon("zh", "nouns").words(gender) | _words(gender) | lexicon("zh", "people").words("title", gender)
        if word in listed:
            return gender
    name_value = name_gender(word, "en" if word.isascii() else "zh").value
    return name_value if name_value in ("masculine", "feminine") else None
