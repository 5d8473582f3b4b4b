"""The words and sentences of a text, in any language: one rule each for corpora, association counts, checks and pages.

A token contains no white space, every other character is in exactly one token, and nothing is rewritten: case,
punctuation and apostrophes stay as they are. So the tokens and the spaces between them give the text back. Languages
with spaces use one regular expression and the language's table `spelling` (abbreviations, enclitics, proclitics, words
that are one token). Tokens depend only on the text between two spaces, so each such stretch is cached. Chinese is
segmented by `rjieba`, Japanese by `sudachipy` (the extra `japanese`). A language without a folder uses the expression
alone.

A sentence ends at an empty line, at 。！？, and at . ! ? … (with any closing quotation marks and brackets) before a
space, unless a lower-case letter follows; but not after an abbreviation or an initial, nor between a quoted question
and "she asked". A single line break counts as a space, so wrapped lines do no harm. Languages whose `spelling` has
abbreviations use this rule, and so do texts with 。！？; all others use `sentencex`, which knows abbreviations of many
languages. Where both apply the rule is better: `sentencex` splits "M. Roux" and "610 a.C." and misses a tenth of the
sentence ends in Chinese prose; the documentation has the figures.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from itertools import chain, groupby
from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.languages.base import function_words
from winoglot.languages.lexicon import lexicon
from winoglot.schemas.spans import Span
from winoglot.schemas.text import language_tag, primary, straight

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

# Beyond these limits a stretch is not cached: long ones do not recur, and the cache must not grow with the corpus.
_LONGEST_KEPT = 40
_MOST_KEPT = 200_000
_LONGEST_SEGMENTED = 10_000  # characters; sudachipy refuses more than 49,149 bytes
_LONGEST_CUT = 100  # longer than any word with elided words or enclitics

_HAN = "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_HIRAGANA = "\u3041-\u3096\u309d-\u309fー"
_KATAKANA = "\u30a1-\u30faー-\u30ff\u31f0-\u31ff\uff66-\uff9f"
_UNSPACED = _HAN + _HIRAGANA + _KATAKANA
_PICTURE = "\u203c\u2049\u2139\u2190-\u21ff\u2300-\u23ff\u25a0-\u27bf\u2934\u2935\u2b00-\u2bff\U0001f000-\U0001faff"
_SKIN = "\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f"  # skin tones, and the tags of regional flags
_APOSTROPHES = "'’"
_CUTTABLE = re.compile("[-'’]")
_ADDRESS = re.compile("[/@]")
# Characters that may occur inside Chinese text passed to the segmenter: T恤, 卡拉OK, 3月.
_SEGMENTED = f"{_HAN}A-Za-z0-9"
_CHINESE_MARKS = "\u3001-\u3004\u3008-\u3020\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65“”‘’"
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


def words(text: str, language: str) -> list[str]:
    """The word tokens of a text.

    >>> words("Dr. Reis didn't pay $1,250.50!", "en")
    ['Dr.', 'Reis', 'did', "n't", 'pay', '$', '1,250.50', '!']
    >>> words("Aujourd’hui, l’amie qu’il attend dit-elle non ?", "fr")
    ['Aujourd’hui', ',', 'l’', 'amie', 'qu’', 'il', 'attend', 'dit', '-elle', 'non', '?']
    >>> words("Abri-lo-ia na caixa-d'água.", "pt-BR")
    ['Abri', '-lo', '-ia', 'na', "caixa-d'água", '.']
    >>> words("小雯买了两件T恤。", "zh")
    ['小雯', '买', '了', '两件', 'T恤', '。']
    """
    return _tokenizer(language)(text)


def word_spans(text: str, language: str) -> list[Span]:
    """The spans of the word tokens, in order.

    >>> [span.of("She'd left.") for span in word_spans("She'd left.", "en")]
    ['She', "'d", 'left', '.']
    """
    spans: list[Span] = []
    position = 0
    for word in words(text, language):
        start = text.index(word, position)  # only white space lies between, so this is the word itself
        position = start + len(word)
        spans.append(Span(start, position))
    return spans


@lru_cache(maxsize=64)
def _tokenizer(language: str) -> Callable[[str], list[str]]:
    tag = language_tag(language)
    stretches = _Stretches(tag)
    if primary(tag) == "zh":
        return _chinese(stretches)
    look_up: Callable[[str], Iterable[str]] = _japanese(stretches) if primary(tag) == "ja" else stretches.__getitem__
    return lambda text: list(chain.from_iterable(map(look_up, text.split())))


class _Stretches(dict[str, tuple[str, ...]]):
    """A cache of the tokens of each stretch between spaces."""

    def __init__(self, tag: str) -> None:
        super().__init__()
        self._pieces = _pattern(tag).findall
        self._cut = _cutter(tag)

    def __missing__(self, stretch: str) -> tuple[str, ...]:
        tokens: Iterable[str] = self._pieces(stretch)
        if _CUTTABLE.search(stretch):
            tokens = chain.from_iterable(map(self._cut, tokens))
        result = tuple(tokens)
        if len(stretch) <= _LONGEST_KEPT:
            if len(self) >= _MOST_KEPT:
                self.clear()  # frequent ones come back at once
            self[stretch] = result
        return result


@lru_cache(maxsize=64)
def _pattern(tag: str) -> re.Pattern[str]:
    """The tokens within a stretch between spaces; the first matching alternative wins."""
    mark = _mark()
    letter = rf"[^\W{_UNSPACED}]"
    run = rf"{letter}+(?:{mark}+{letter}*)*"
    picture = rf"[{_PICTURE}](?:{mark}|[{_SKIN}])*"
    table = abbreviations(tag)
    dotted = [form for form, kind in table.items() if kind in ("", "may end")]
    opened = [word for word in lexicon(tag, "spelling").words("one-token") if word.startswith("'")]
    no_initial = "".join(form[0] for form, kind in table.items() if kind == "word").upper()
    alternatives = [
        r"[A-Za-zÀ-ÖØ-öø-ɏ]++(?=[,;!?)\"”»]|\Z)",  # most words; a fast path
        rf"[,;!?()\"“”«»](?!{mark})",
        r"(?:https?://|www\.)[^\s<>\"“”«»]*[\w/]",
        r"\w[\w.+-]{0,63}@\w[\w-]*(?:\.\w[\w-]*)+",
        r"</?\w+>",  # a tag, or a mark such as <unk>
        rf"(?:{_any_of(dotted)})(?![\w.])",
        rf"(?:{_any_of(opened)})(?!\w)",
        rf"(?![{no_initial}\d_])[A-ZÀ-ÖØ-Þ]\.(?![\w.])",  # an initial: J. Reis
        rf"(?!\d|_){letter}(?:\.-?(?!\d|_){letter}(?!\w))+\.?",  # U.S., a.C., J.-C.
        r"[A-Z]{1,3}\$",  # R$, US$
        rf"[{_APOSTROPHES}]\d\ds?(?!\w)",  # the '90s
        r"\d+(?:[.,:/]\d+)+(?:\.?[ºª])?|\d+\.[ºª]",
        rf"\d{mark}+",  # a number in a key cap
        rf"[@#]{run}",
        rf"{run}(?:(?:[-'’‐‑·&]|(?<=[a-z0-9])\.(?=[a-z])){run})*",
        rf"[{_HAN}]+{mark}*|[{_HIRAGANA}]+{mark}*|[{_KATAKANA}]+{mark}*",
        rf"[\U0001f1e6-\U0001f1ff]{{2}}|{picture}(?:(?<=\u200d){picture})*",
        r"\.{2,}|…+|-{2,}|—+|–+|''|``|’’",
        rf"\S{mark}*",
    ]
    return re.compile("|".join(alternatives))


def _cutter(tag: str) -> Callable[[str], list[str]]:
    """A function that splits elided words and enclitics off a word, using the language's lists."""
    spelling = lexicon(tag, "spelling")
    whole = spelling.words("one-token")
    front = re.compile(rf"(?:{_any_of(spelling.words('proclitic'))})(?=\w)")
    ends, last = spelling.words("enclitic"), spelling.words("after-enclitic")
    back = re.compile(rf"(.*?\w)((?:{_any_of(ends - last)})+(?:{_any_of(last)})?)")
    enclitic = re.compile(f"({_any_of(ends)})")

    def cut(word: str) -> list[str]:
        if (
            len(word) > _LONGEST_CUT
            or _ADDRESS.search(word)
            or unicodedata.normalize("NFC", straight(word).lower()) in whole
        ):
            return [word]
        if match := front.match(word):
            return [match.group(), *cut(word[match.end() :])]
        match = back.fullmatch(word)
        # A capital after the hyphen belongs to a name (Bem-Te, Vitamina-A), unless all letters are capitals.
        if not match or not (match.group(2).islower() or word.isupper()):
            return [word]
        return [match.group(1), *filter(None, enclitic.split(match.group(2)))]

    return cut


def _chinese(stretches: _Stretches) -> Callable[[str], list[str]]:
    """The segmenter for Chinese text, with the expression for foreign words in it."""
    import rjieba

    foreign = re.compile(rf"(?<![A-Za-z0-9])[A-Za-z0-9]*+[^\s{_SEGMENTED}{_CHINESE_MARKS}][^\s{_HAN}{_CHINESE_MARKS}]*")

    def segment(text: str) -> list[str]:
        tokens: list[str] = []
        position = 0
        for match in foreign.finditer(text):
            tokens += rjieba.cut(text[position : match.start()])
            tokens += stretches[match.group()]
            position = match.end()
        tokens += rjieba.cut(text[position:])
        return [token for token in tokens if not token.isspace()]

    return segment


def _japanese(stretches: _Stretches) -> Callable[[str], list[str]]:
    """The segmenter for Japanese text without spaces, with the expression for what is foreign in it."""
    try:
        from sudachipy import Dictionary, SplitMode  # type: ignore[import-untyped]
    except ImportError as missing:
        raise InputError(
            "Japanese words need the packages sudachipy and sudachidict-small",
            remedy="Install them: pip install 'winoglot[japanese]'.",
        ) from missing
    segment = Dictionary(dict="small").tokenizer(mode=SplitMode.A).tokenize  # in short units: 図書 館
    script = f"{_UNSPACED}{_CHINESE_MARKS}"
    foreign = re.compile(rf"(?<![A-Za-z0-9])[A-Za-z0-9]*+[^{script}A-Za-z0-9][^{script}]*")

    def cut(stretch: str) -> list[str]:
        tokens: list[str] = []
        position = 0
        for match in chain(foreign.finditer(stretch), [None]):
            end = len(stretch) if match is None else match.start()
            for start in range(position, end, _LONGEST_SEGMENTED):
                tokens += (word.surface() for word in segment(stretch[start : min(end, start + _LONGEST_SEGMENTED)]))
            if match is not None:
                tokens += stretches[match.group()]
                position = match.end()
        return tokens

    return cut


def _any_of(forms: Iterable[str]) -> str:
    """A pattern for any of the forms, longest first: in lower, upper or title case (faster than ignoring case), with
    either apostrophe, and with accents composed or not.
    """
    spellings = {
        unicodedata.normalize(way, letters).replace("'", apostrophe)
        for form in forms
        for letters in (form, form.upper(), form.capitalize())
        for way in ("NFC", "NFD")
        for apostrophe in _APOSTROPHES
    }
    return "|".join(map(re.escape, sorted(spellings, key=lambda form: (-len(form), form)))) or "(?!)"


@cache
def _mark() -> str:
    """A pattern for combining marks and for joiners inside words."""
    points = [*range(0x0300, 0x20000), *range(0xE0100, 0xE01F0)]
    marks = [0x00AD, 0x200C, 0x200D, *(point for point in points if unicodedata.category(chr(point))[0] == "M")]
    ranges = []
    for _, group in groupby(enumerate(sorted(marks)), lambda pair: pair[1] - pair[0]):
        characters = [chr(point) for _, point in group]
        ranges.append(f"{characters[0]}-{characters[-1]}")
    # Kept separate: a single class of both would be searched range by range, which is slow.
    low = "".join(part for part in ranges if part[0] < "\U00010000")
    high = "".join(part for part in ranges if part[0] >= "\U00010000")
    return f"(?:[{low}]|(?=[\U00010000-\U0010ffff])[{high}])"


def sentences(text: str, language: str) -> list[str]:
    """The sentences of a text, without the spaces between them.

    >>> sentences('Dr. Reis came at 5 p.m. "Who is it?" asked Ann. She knew.', "en")
    ['Dr. Reis came at 5 p.m.', '"Who is it?" asked Ann.', 'She knew.']
    >>> sentences("“真的吗？”她小声问。没有人回答！", "zh")
    ['“真的吗？”她小声问。', '没有人回答！']
    """
    return [text[start:end] for start, end in _sentences(text, language)]


def sentence_spans(text: str, language: str) -> list[Span]:
    """The spans of the sentences, in order; only white space lies between them.

    >>> sentence_spans("M. Roux dort. Il rêve…", "fr")
    [Span(start=0, end=13), Span(start=14, end=22)]
    """
    return [Span(start, end) for start, end in _sentences(text, language)]


def _sentences(text: str, language: str) -> Iterator[tuple[int, int]]:
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
    closed = function_words(tag)
    openers = frozenset((*lexicon(tag, "function_words").words("light"), *closed.determiners, *closed.pronouns))
    spoken = _spoken(tag)
    after_ordinals = lexicon(tag, "spelling").words("after-ordinal")

    def dot_ends(text: str, start: int, dot: int, following: str) -> bool:
        """Whether a single dot before a capital letter or a number ends the sentence that began at `start`."""
        before = text[max(start, dot - _LONGEST_ABBREVIATION) : dot]
        if not before or before[-1].isspace():
            return True
        last = before.split()[-1].lstrip(_OPENING)
        if last.isdecimal() and not text[start : dot - len(last)].strip():
            return False  # "1. Introduction" is one
        if last.isdecimal() and following.lower() in after_ordinals:
            return False  # "am 3. Oktober"
        kind = short.get(last.lower() + ".")
        if kind == "number":
            return not following[:1].isdecimal()
        if kind == "" and len(last) == 1 and last.islower():
            return True  # "M. Roux", but "100 m. Il pleut"
        if kind is not None:
            return kind != ""
        if _INITIAL.fullmatch(last):  # "the U.S. Army", but "the U.S. He left"
            is_initial = len(following) == 1 and text.startswith(f"{following}.", dot + 2)  # "А. С. Попов"
            return following.lower() in openers and not is_initial
        return True

    def ends(text: str) -> Iterator[int]:
        start = 0
        for mark in _END.finditer(text):
            more, end = mark.group("more"), mark.end()
            if more is None:
                if spoken.match(text, end) and text[end - 1] in _CLOSING:
                    continue
            else:
                following = _first_word(text, end)
                if following[:1].islower():
                    continue
                if not more and text[mark.start()] == "." and not dot_ends(text, start, mark.start(), following):
                    continue
            yield end
            start = end
        yield len(text)

    return ends


def _first_word(text: str, position: int) -> str:
    match = _NEXT.match(text, position)
    return match[1] if match else ""


def _spoken(tag: str) -> re.Pattern[str]:
    """Words that continue the sentence after a closing quotation mark by saying who spoke."""
    verbs = "|".join(map(re.escape, lexicon(tag, "verbs").words("saying"))) or "(?!)"
    particles = "|".join(map(re.escape, lexicon(tag, "function_words").words("quotative"))) or "(?!)"
    return re.compile(rf"(?:{particles})|[^\s，。！？：；“「『]{{0,6}}?(?:{verbs})+[着了著]?[，。！？：；…]")


@cache
def abbreviations(tag: str) -> dict[str, str]:
    """Each abbreviation, in lower case with its dot, and its kind; empty for a language without a list.

    Kinds: "" never ends a sentence, "may end" ends one before a capital letter, "number" is an abbreviation only before
    a number, and "word" is not an abbreviation but a one-letter word that could be mistaken for an initial.

    >>> abbreviations("en")["dr."], abbreviations("en")["etc."], abbreviations("tlh")
    ('', 'may end', {})
    """
    spelling = lexicon(tag, "spelling")
    kinds = {"may-end": "may end", "before-number": "number"}
    table = dict.fromkeys(spelling.words("abbreviation"), "")
    for feature, kind in kinds.items():
        table |= dict.fromkeys(spelling.words("abbreviation", feature), kind)
    return table | dict.fromkeys(spelling.words("letter-word"), "word")
