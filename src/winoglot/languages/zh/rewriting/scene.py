"""What a Chinese item is about: its words, the phrases that mention the candidates, pronouns, and other people.

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
from winoglot.languages.zh.script import simplified
from winoglot.schemas.model import Item
from winoglot.schemas.spans import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

_PRONOUN = re.compile("[他她它牠]们?")
_ADJECTIVES = tuple("大小新旧老红黄蓝白黑绿灰长短高矮胖瘦破男女")
_ASPECT = re.compile("[了着](?![，。！？])")
_QUOTES = re.compile('“[^”]*”|「[^」]*」|"[^"]*"')
_CLAUSE_END = frozenset('，。！？；：、…—,.!?;:“”「」（）()"')
_LONGEST_NOUN = 6


@dataclass(frozen=True)
class CandidatePhrase:
    """A mention of a candidate: 那只大黄狗 has the determiner 那, the classifier 只 and the noun 大黄狗."""

    candidate: int
    start: int  # of the determiner, also where the mention leaves it out
    noun: Span
    determiner: str = ""  # 那, 一, 那些, ...
    classifier: str = ""


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
        return list(self._tagged)

    def tag(self, word: Span) -> str:
        """The segmenter's tag of a word: v for a verb, n for a noun, ..."""
        return self._tagged[word]

    def tag_before(self, phrase: CandidatePhrase) -> str:
        """The tag of the word right before a mention."""
        return next((tag for word, tag in self._tagged.items() if word.end == phrase.start), "x")

    @cached_property
    def _tagged(self) -> dict[Span, str]:
        import rjieba

        fixed = dict.fromkeys(sorted({phrase.noun for phrase in self.phrases}), "n")
        fixed |= dict.fromkeys(self.pronouns, "r")
        tagged: dict[Span, str] = {}
        index = 0
        for span in [*sorted(fixed), Span(len(self.text), len(self.text))]:
            for word, tag in _split(rjieba.tag(self.text[index : span.start])):
                tagged[Span(index, index + len(word))] = tag
                index += len(word)
            if span.end > span.start:
                tagged[span] = fixed[span]
            index = span.end
        return tagged

    @cached_property
    def pronouns(self) -> list[Span]:
        """All pronouns of the third person (without 的): 他 but not 其他."""
        hidden = [
            Span(match.start(), match.end())
            for word in lexicon("zh", "spelling").words("contains-pronoun")
            for match in re.finditer(re.escape(word), self.text)
        ]
        spans = (Span(*match.span()) for match in _PRONOUN.finditer(self.text))
        return [span for span in spans if not any(span.overlaps(word) for word in hidden)]

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
        """Whether an adjective comes right before a mention: 卡车 in 大卡车."""
        return not phrase.determiner and self.text[: phrase.start].endswith(_ADJECTIVES)

    def has_bare_classifier(self, phrase: CandidatePhrase) -> bool:
        """Whether a classifier without a determiner comes before a mention: 栽了棵核桃树."""
        counting = _classifiers() - lexicon("zh", "function_words").words("governs")
        return not phrase.determiner and self.before(phrase.start) in counting

    def is_joined(self, phrase: CandidatePhrase) -> bool:
        """Whether a mention may be a part of a longer noun: 树 in 橡树, 老鼠 in 老鼠洞."""
        following = next((word for word in self.words if word.start == phrase.noun.end), None)
        is_before_noun = following is not None and self.tag(following)[0] in "ns" and following not in self._nouns
        return is_before_noun or any(phrase.noun.within(word) and word != phrase.noun for word in self._plain_words)

    @cached_property
    def _nouns(self) -> frozenset[Span]:
        return frozenset(phrase.noun for phrase in self.phrases)

    @cached_property
    def _plain_words(self) -> list[Span]:
        """The words of the text as a segmenter sees them that knows of no mentions."""
        import rjieba

        return [Span(start, end) for _, start, end in rjieba.tokenize(self.text)]

    def is_quoted(self, span: Span) -> bool:
        """Whether a place of the text is inside quotation marks."""
        return any(quotation.start() < span.start < quotation.end() for quotation in _QUOTES.finditer(self.text))

    def before(self, index: int) -> str:
        """The word that ends at a position; empty at the start of a clause."""
        word = next((span.of(self.text) for span in self.words if span.end == index), "")
        return "" if word in _CLAUSE_END else word

    def after(self, index: int) -> str:
        """The word that begins at a position; empty at the end of a clause."""
        word = next((span.of(self.text) for span in self.words if span.start == index), "")
        return "" if word in _CLAUSE_END else word

    @cached_property
    def clauses(self) -> list[Span]:
        """The clauses, each between two marks; empty ones between marks that follow one another."""
        ends = [index for index, character in enumerate(self.text) if character in _CLAUSE_END]
        return [Span(start + 1, end) for start, end in pairwise([-1, *ends, len(self.text)])]

    def clause_at(self, position: int) -> Span:
        """The clause around a position."""
        return next(span for span in self.clauses if span.start <= position <= span.end)

    @cached_property
    def other_people(self) -> list[str]:
        """Nouns and names for people who are not candidates."""
        mentioned = {phrase.noun for phrase in self.phrases}
        other_words = [span for span in self.words if span not in mentioned and span not in self.pronouns]
        return [span.of(self.text) for span in other_words if _names_person(span.of(self.text), self.tag(span))]

    def gender_of_others(self) -> set[str]:
        """The genders that nouns for other people show."""
        genders = (_shown_gender(word) for word in self.other_people)
        return {gender for gender in genders if gender}

    @cached_property
    def without_mentions(self) -> str:
        """The text without the phrases that mention the candidates."""
        text = self.text
        for phrase in reversed(self.phrases):
            text = text[: phrase.start] + text[phrase.noun.end :]
        return text

    def expressions(self, feature: str) -> list[str]:
        """The listed expressions of a kind that occur in the text."""
        return [word for word in sorted(lexicon("zh", "expressions").words(feature)) if self.has(word)]

    def has(self, expression: str) -> bool:
        """Whether an expression occurs in the text, one of a single character as a word: 总 but not 总算."""
        return expression in (self.text if len(expression) > 1 else self._forms)

    @cached_property
    def _forms(self) -> frozenset[str]:
        return frozenset(span.of(self.text) for span in self.words)


def _split(words: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The words with 了, 着 and 把 on their own (踩坏了, 领着, 一头把), and what comes before 了 as a verb."""
    for index, (word, tag) in enumerate(words):
        following = "".join(next_word for next_word, _ in words[index + 1 : index + 3])
        is_joined = (word[-1] in "了把" and len(word) > 2) or (word[-1] == "着" and tag == "uz" and len(word) > 1)
        is_one = len(word) != 2 or is_in(word, "expressions", "one-word")
        if not is_one and word[0] == "没" and tag == "v":
            yield from (("没", "d"), (word[1], "v"))
        elif len(word) == 2 and following[:1] == "了" and index and words[index - 1][0] in ("把", "的"):
            yield from ((word[0], "n"), (word[1], "v"))  # 账 and 结 of 把账结了
        elif not is_one and word[0] in "总时" and tag[0] in "vn":
            yield from ((word[0], "d"), (word[1], "v"))  # 总帮, 下班时错拿
        elif word in lexicon("zh", "vocabulary"):
            yield word, "n"
        elif is_joined and (word[-1] == "把" or word not in lexicon("zh", "expressions")):
            yield word[:-1], "d" if word[-1] == "把" else "v"
            yield word[-1], {"了": "ul", "着": "uz", "把": "p"}[word[-1]]
        elif tag[0] in "nmzq" and _ASPECT.match(following):
            yield word, "v"  # 点 of 点了菜
        else:
            yield word, tag


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
        for mention in _all_mentions(text, candidate.mentions)
    ]
    spans = [phrase.noun for phrase in phrases]
    if any(noun.overlaps(other_noun) for noun in spans for other_noun in spans if noun is not other_noun):
        raise NotDerivedError("one mention is part of another")
    return ChineseScene(item, text, pronoun, tuple(sorted(phrases, key=lambda phrase: phrase.noun)))


def _all_mentions(text: str, mentions: tuple[Span, ...]) -> list[Span]:
    """The mentions, and the other places with the same name."""
    spans = set(mentions)
    for form in {mention.of(text) for mention in mentions}:
        if is_person(form) and len(form) > 1:
            places = (Span(*match.span()) for match in re.finditer(f"(?<![A-Za-z]){re.escape(form)}(?![a-z])", text))
            spans |= {place for place in places if not any(place.overlaps(mention) for mention in mentions)}
    return sorted(spans)


def _phrase(text: str, candidate: int, mention: Span) -> CandidatePhrase:
    """The mention with its determiner, which may be inside it or before it."""
    inside = None if is_person(mention.of(text)) else _determiner().match(mention.of(text))
    match = inside or _determiner_before().search(text[: mention.start])
    if match is None:
        return CandidatePhrase(candidate, mention.start, mention)
    start, end = (mention.start, mention.start + inside.end()) if inside else (match.start(), mention.start)
    determiner = match["some"] or match["which"]
    return CandidatePhrase(candidate, start, Span(end, mention.end), determiner, match["classifier"] or "")


@cache
def _classifiers() -> frozenset[str]:
    return lexicon("zh", "function_words").words("classifier") - {"些", "对"}


@cache
def _determiner() -> re.Pattern[str]:
    classifiers = "".join(sorted(_classifiers()))
    return re.compile(
        rf"(?:(?P<some>[这那某一]些)|(?P<which>[这那某]一|[这那某每]|[一两几三四五六七八九十])(?P<classifier>[{classifiers}]))(?=.)"
    )


@cache
def _determiner_before() -> re.Pattern[str]:
    return re.compile(_determiner().pattern.removesuffix("(?=.)") + "$")


@cache
def head(noun: str) -> str:
    """The listed noun that a noun ends in: 箱子 of 灰箱子; empty if none is."""
    table = lexicon("zh", "vocabulary")
    noun = noun.rpartition("的")[2]
    ends = (noun[index:] for index in range(max(0, len(noun) - _LONGEST_NOUN), len(noun)))
    return next((end for end in ends if end in table and (len(end) > 1 or len(noun) < 4)), "")


@cache
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
    nouns = lexicon("zh", "nouns")
    if word in _words("human") or any(word in nouns.words(kind) for kind in ("kin", "person", "related")):
        return True
    may_name = tag[0] in "nr" or (word.isascii() and name_gender(word, "en").value is not None)
    return may_name and len(word) > 1 and (animacy(word) == "human" or is_person(word))


def _shown_gender(word: str) -> str | None:
    """The gender that a word for a person shows; None if it shows none."""
    if word[0] in "男女" and len(word) > 1:
        return {"男": "masculine", "女": "feminine"}[word[0]]
    for gender in ("masculine", "feminine"):
        listed = lexicon("zh", "nouns").words(gender) | _words(gender) | lexicon("zh", "people").words("title", gender)
        if word in listed or (len(word) > 2 and word.endswith(tuple(noun for noun in listed if len(noun) > 1))):
            return gender
    name_value = name_gender(word, "en" if word.isascii() else "zh").value
    return name_value if name_value in ("masculine", "feminine") else None
