"""Split a text into sentences.

A sentence ends at an empty line, at 。！？, and at . ! ? … (with any closing quotation marks and brackets) before a
space, unless a lower-case letter follows; but not after an abbreviation or an initial (`abbreviations.txt`), nor
between a quoted question and "she asked". A single line break counts as a space, so wrapped lines do no harm.

Languages with an `abbreviations.txt` use this rule, and so do texts with 。！？; all others use `sentencex`, which
knows abbreviations of many languages. Where both apply the rule is better: `sentencex` splits "M. Roux" and "610 a.C."
and misses a tenth of the sentence ends in Chinese prose; the documentation has the figures.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from winoglot.languages.abbreviations import abbreviations
from winoglot.languages.base import function_words
from winoglot.languages.lexicon import lexicon
from winoglot.schemas.spans import Span
from winoglot.schemas.text import language_tag, primary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_CLOSING = "\"'”’»›)]}」』）】》〉"
_OPENING = "\"'“‘„«‹([{¿¡「『（【《〈—–‒-*`…"
_CLOSED = f"[{re.escape(_CLOSING)}]*"
_MARKS = "[.!?…؟।]"
_CHINESE = "[。！？｡]"
_CHARACTER = "\u3041-\u30ff\u3400-\u9fff"
# Possible ends: an empty line; Chinese and Japanese marks, anywhere; other marks between Chinese characters, and before
# a space not followed by a comma. French and tokenised texts have a space before a mark or a closing quote. The pattern
# matches one class first and then looks behind to see which it was: this lets the search skip to the next mark.
_END = re.compile(
    r"[\n.!?…؟।。！？｡](?:"
    r"(?<=\n)[^\S\n]*\n"
    rf"|(?<={_CHINESE})[。！？｡!?…]*{_CLOSED}"
    rf"|(?<=[{_CHARACTER}][.!?])[.!?]*{_CLOSED}(?=[{_CHARACTER}“「『])"
    rf"|(?<={_MARKS})(?P<more>{_MARKS}*(?:[^\S\n]+{_MARKS}+)*){_CLOSED}"
    r"(?:[^\S\n](?:(?:»|'')(?=[\s—–-]|\Z)|[\"”](?=\s*\Z))|(?=\s|\Z))(?![^\S\n]*[,;:)，；：]))"
)
_NEXT = re.compile(rf"[\s{re.escape(_OPENING)}]*(\w*)")
_INITIAL = re.compile(r"[^\W\d_]|(?:[^\W\d_]{1,2}\.-?)+[^\W\d_]{1,2}")  # J, U.S, a.C, J.-C
_LONGEST_ABBREVIATION = 24
_WIDE_BLANK = re.compile(r"[^\S\n\r\t ]")  # the library crashes on some of them: "A\u00a0."


def sentences(text: str, language: str) -> list[str]:
    """The sentences of a text, without the spaces between them.

    >>> sentences('Dr. Reis came at 5 p.m. "Who is it?" asked Ann. She knew.', "en")
    ['Dr. Reis came at 5 p.m.', '"Who is it?" asked Ann.', 'She knew.']
    >>> sentences("“真的吗？”她小声问。没有人回答！", "zh")
    ['“真的吗？”她小声问。', '没有人回答！']
    """
    return [text[start:end] for start, end in _stretches(text, language)]


def sentence_spans(text: str, language: str) -> list[Span]:
    """The spans of the sentences, in order; only white space lies between them.

    >>> sentence_spans("M. Roux dort. Il rêve…", "fr")
    [Span(start=0, end=13), Span(start=14, end=22)]
    """
    return [Span(start, end) for start, end in _stretches(text, language)]


def _stretches(text: str, language: str) -> Iterator[tuple[int, int]]:
    start = 0
    for end in _ends(language)(text):
        piece = text[start:end]
        if inner := piece.strip():
            first = start + len(piece) - len(piece.lstrip())
            yield first, first + len(inner)
        start = end


@lru_cache(maxsize=64)
def _ends(language: str) -> Callable[[str], Iterator[int]]:
    tag = language_tag(language)
    return _rule(tag) if abbreviations(tag) else _library(tag)


def _library(tag: str) -> Callable[[str], Iterator[int]]:
    unspaced = re.compile(_CHINESE)
    rule = _rule(tag)

    def ends(text: str) -> Iterator[int]:
        import sentencex  # type: ignore[import-untyped]

        if unspaced.search(text):  # abbreviations do not matter here, and the library takes quadratic time
            yield from rule(text)
            return
        position = 0
        for sentence in sentencex.segment(primary(tag), _WIDE_BLANK.sub(" ", text)):
            position += len(sentence)
            yield position

    return ends


def _rule(tag: str) -> Callable[[str], Iterator[int]]:
    short = abbreviations(tag)
    known = function_words(tag)
    openers = frozenset((*lexicon(tag, "function_words").words("light"), *known.determiners, *known.pronouns))
    spoken = _spoken(tag)

    def dot_ends(text: str, start: int, dot: int, following: str) -> bool:
        """Whether a single dot before a capital letter or a number ends the sentence that began at `start`."""
        before = text[max(start, dot - _LONGEST_ABBREVIATION) : dot]
        if not before or before[-1].isspace():
            return True
        last = before.split()[-1].lstrip(_OPENING)
        if last.isdecimal() and not text[start : dot - len(last)].strip():
            return False  # "1. Introduction" is one
        kind = short.get(last.lower() + ".")
        if kind == "number":
            return not following[:1].isdecimal()
        if kind == "" and len(last) == 1 and last.islower():
            return True  # "M. Roux", but "100 m. Il pleut"
        if kind is not None:
            return kind != ""
        if _INITIAL.fullmatch(last):  # "the U.S. Army", but "the U.S. He left"
            return following.lower() in openers
        return True

    def ends(text: str) -> Iterator[int]:
        start = 0
        for found in _END.finditer(text):
            more, end = found.group("more"), found.end()
            if more is None:
                if spoken.match(text, end) and text[end - 1] in _CLOSING:
                    continue
            else:
                following = _first_word(text, end)
                if following[:1].islower():
                    continue
                if not more and text[found.start()] == "." and not dot_ends(text, start, found.start(), following):
                    continue
            yield end
            start = end
        yield len(text)

    return ends


def _first_word(text: str, position: int) -> str:
    found = _NEXT.match(text, position)
    return found[1] if found else ""


def _spoken(tag: str) -> re.Pattern[str]:
    """Words that continue the sentence after a closing quotation mark by saying who spoke."""
    verbs = "|".join(map(re.escape, lexicon(tag, "verbs").words("saying"))) or "(?!)"
    particles = "|".join(map(re.escape, lexicon(tag, "function_words").words("quotative"))) or "(?!)"
    return re.compile(rf"(?:{particles})|[^\s，。！？：；“「『]{{0,6}}?(?:{verbs})+[着了著]?[，。！？：；…]")
