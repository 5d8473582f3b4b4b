"""Texts cut into words as the text of a corpus was: by Winoglot's rules, or as somebody else's tokens show.

Of a corpus that came tokenised (`--tokenised`) only the words are known, so the vocabulary says what was cut: whether
*-se*, *n't* and *l'* are words of their own or parts of others (*tornou-se*), how quotation marks and hyphens are
written (*``*, *@-@*), whether there are capitals, and what the words of Chinese are.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from winoglot.errors import InputError
from winoglot.languages.text import word_spans

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from winoglot.corpus.vocabulary import Vocabulary
    from winoglot.schemas.spans import Span

RULES, SPACES = "rules", "spaces"  # as in the description of a trained model
_MARKS = "-'’"
_INSIDE = re.compile(r"(?<=[^\W_])[-.,'’](?=[^\W_])")
_WORD = re.compile(r"[-\w'’]")
_BEFORE = re.compile(r"(?:^|[\s(\[{—–-])$")  # an opening mark
_LETTER = re.compile(r"[^\W_]")
_UNSPACED = re.compile("[\u3005-\u3007\u3041-\u30ff\u3400-\u9fff\U00020000-\U000323af]")
# How corpora write marks before and after words: those of a row stand for each other.
_OPENING = (
    ('"', "“", "``", "«", "„", "&quot;"),
    ("'", "‘", "`", "&apos;"),
    ("(", "-LRB-", "-lrb-"),
    ("[", "-LSB-", "-lsb-", "&#91;"),
)
_CLOSING = (
    ('"', "”", "''", "»", "“", "&quot;"),
    ("'", "’", "&apos;"),
    (")", "-RRB-", "-rrb-"),
    ("]", "-RSB-", "-rsb-", "&#93;"),
    ("…", "..."),
    ("—", "–", "--", "-"),
    ("&", "&amp;"),
)


class Word(NamedTuple):
    """A word as the vocabulary spells it, and its characters in the text."""

    form: str
    start: int
    end: int


class Tokenisation:
    """Cuts sentences into the words of a vocabulary."""

    def __init__(self, kind: str, vocabulary: Vocabulary, language: str) -> None:
        """`kind` is "rules", or "spaces" for a corpus that came tokenised."""
        if kind not in {RULES, SPACES}:
            remedy = "Use the version of Winoglot that made it, or make it again."
            raise InputError(f"the tokenisation is {kind!r}, expected {RULES!r} or {SPACES!r}", remedy=remedy)
        self.kind, self.language, self.vocabulary = kind, language, vocabulary
        if kind == SPACES:
            self._study()

    def _study(self) -> None:
        """Count how often the vocabulary has what might be cut off as a part of longer words."""
        self._in_longer: Counter[str] = Counter()  # part, or mark
        self._has_capitals = False
        self._longest = 1  # of the words without spaces between them
        for word, count in zip(self.vocabulary.words[2:], self.vocabulary.counts.tolist()[2:], strict=True):
            self._has_capitals = self._has_capitals or word != word.lower()
            self._longest = max(self._longest, len(word) if _UNSPACED.match(word) else 1)
            if len(word) > 1 and _LETTER.search(word):
                self._in_longer.update({part: count for _, _, part in _cuts(word)})
                self._in_longer.update({mark: count for mark in _MARKS if mark in word})

    def words(self, sentence: str) -> list[Word]:
        """The words of a sentence.

        >>> import numpy as np
        >>> from winoglot.corpus.vocabulary import Vocabulary
        >>> known = Vocabulary(("<unk>", "<eos>", "``", "tornou-se", "Ana"), np.array([9, 9, 7, 5, 2]))
        >>> [word.form for word in Tokenisation("spaces", known, "pt").words('"Ana espantou-se')]
        ['``', 'Ana', 'espantou-se']
        >>> [word.form for word in Tokenisation("rules", known, "pt").words('"Ana espantou-se')]
        ['"', 'Ana', 'espantou', '-se']
        """
        spans = word_spans(sentence, self.language)
        if self.kind == RULES:
            return [Word(span.of(sentence), span.start, span.end) for span in spans]
        stretches: list[tuple[int, int]] = []
        while spans:
            count = self._stretch(sentence, spans)
            stretches.append((spans[0].start, spans[count - 1].end))
            spans = spans[count:]
        return [
            Word(form, start + first, start + last)
            for start, end in stretches
            for form, first, last in self._pieces(sentence[start:end], opens=bool(_BEFORE.search(sentence[:start])))
        ]

    def _stretch(self, text: str, spans: Sequence[Span]) -> int:
        """How many of the next tokens are looked at together: a word of this corpus, or what may be one."""
        touching = 1
        while touching < len(spans) and spans[touching].start == spans[touching - 1].end:
            touching += 1
        if not _UNSPACED.search(spans[0].of(text)):
            for count in range(touching, 1, -1):
                if text[spans[0].start : spans[count - 1].end] in self.vocabulary:
                    return count
        joined = (
            count for count in range(1, touching) if not _is_one_word(spans[count - 1].of(text), spans[count].of(text))
        )
        return next(joined, touching)

    def _pieces(self, text: str, *, opens: bool = False) -> list[Word]:
        """The words that this corpus makes of what stands between spaces and punctuation."""
        if not self._has_capitals and len(text) == len(text.lower()):
            text = text.lower()
        for mark, other in ("’'", "'’"):
            if not self._in_longer[mark] and self._in_longer[other]:
                text = text.replace(mark, other) if len(text) > 1 else text
        if text in self.vocabulary:
            return [Word(text, 0, len(text))]
        if not _LETTER.search(text):
            return [Word(self._spelling(text, opens=opens), 0, len(text))]
        if _UNSPACED.search(text):
            return self._most_probable(text)
        for match in _INSIDE.finditer(text):
            mark = match.group()
            if f"@{mark}@" in self.vocabulary:  # WikiText: well @-@ known, 1 @,@ 250
                return self._cut(text, match.span(), f"@{mark}@")
            if mark in _MARKS and mark in self.vocabulary and not self._in_longer[mark]:
                return self._cut(text, match.span(), mark)
        for start, end, part in _cuts(text):
            if self._count(part) > self._in_longer[part]:
                return self._cut(text, (start, end), part)
        if text.endswith(".") and text[:-1] in self.vocabulary:
            return self._cut(text, (len(text) - 1, len(text)), ".")
        return [Word(text, 0, len(text))]

    def _count(self, form: str) -> int:
        """How often a word occurs; 0 if it is unknown."""
        return int(self.vocabulary.counts[self.vocabulary.id(form)]) if form in self.vocabulary else 0

    def _cut(self, text: str, span: tuple[int, int], form: str) -> list[Word]:
        """The words before a part that is one, that part, and the words after it."""
        start, end = span
        before, after = (self._pieces(part) if part else [] for part in (text[:start], text[end:]))
        moved = [Word(word.form, word.start + end, word.end + end) for word in after]
        return [*before, Word(form, start, end), *moved]

    def _spelling(self, mark: str, *, opens: bool) -> str:
        """How the vocabulary writes a mark that it does not have."""
        forms = [form for row in (_OPENING if opens else _CLOSING) if mark in row for form in row]
        best = max(forms, key=self._count, default=mark)
        return best if best in self.vocabulary else mark

    def _most_probable(self, text: str) -> list[Word]:
        """The likeliest words of a text without spaces, each by its frequency; an unknown character is a word."""
        total = float(self.vocabulary.counts.sum())
        best = [(0.0, 0)]  # for each end: the logarithm of the probability, and where the last word begins
        for end in range(1, len(text) + 1):
            counts = {start: float(self._count(text[start:end])) for start in range(max(0, end - self._longest), end)}
            counts[end - 1] = counts[end - 1] or 0.5
            best.append(max((best[start][0] + math.log(n / total), start) for start, n in counts.items() if n))
        words: list[Word] = []
        end = len(text)
        while end:
            start = best[end][1]
            words.append(Word(text[start:end], start, end))
            end = start
        return words[::-1]


def _is_one_word(first: str, second: str) -> bool:
    """Whether two tokens without a space between them may be parts of one word."""
    return bool(
        _LETTER.search(first)
        and _LETTER.search(second)
        and _WORD.match(first[-1])
        and _WORD.match(second[0])
        and not _UNSPACED.match(first[-1])
        and not _UNSPACED.match(second[0])
    )


def _cuts(word: str) -> Iterator[tuple[int, int, str]]:
    """What may be cut off a word at its marks, at its end first: *n't*, *'t*, *-se*; *l'*."""
    places = [place for place, character in enumerate(word) if character in _MARKS and 0 < place < len(word) - 1]
    for place in reversed(places):
        for start in (place - 1, place) if place > 1 and word[place] != "-" else (place,):
            yield start, len(word), word[start:]
    for place in places:
        yield 0, place + 1, word[: place + 1]
