"""Names of people in Chinese and Japanese texts: the longest listed stretch.

Of a Japanese full name only the given name is one of ours; a Chinese name is one word. A Japanese name ends where its
script changes or an honorific follows; Chinese text shows no such boundary.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import language_hook
from winoglot.languages.lexicon import lexicon
from winoglot.languages.names import is_also_word, is_name, names
from winoglot.schemas.spans import Span
from winoglot.schemas.text import is_unspaced, primary

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

_LONGEST = 6  # characters: 長谷川健太郎
_SHORTEST = 2  # one character alone is a word as often as a name
_HONORIFICS = "君様氏殿先"
_DOTS = ("・", "·")  # between given name and surname: ジョン・スミス


def listed_names(text: str, language: str) -> Iterator[Span]:
    """The listed names in the text: of a Japanese full name the given name; Chinese lists contain full names.

    >>> [span.of("昨天王芳见到了李静。") for span in listed_names("昨天王芳见到了李静。", "zh")]
    ['王芳', '李静']
    >>> [span.of("田中健太郎さんが来た。") for span in listed_names("田中健太郎さんが来た。", "ja")]
    ['健太郎']
    """
    index = 0
    while index < len(text):
        longest = _LONGEST if is_unspaced(text[index]) else 0
        ends = range(min(index + longest, len(text)), index + _SHORTEST - 1, -1)
        span = next((Span(index, end) for end in ends if _is_listed(text, Span(index, end), language)), None)
        if span is not None:
            yield Span(span.end - len(given_name(span.of(text), language)), span.end)
        index = index + 1 if span is None else span.end


def stretches(text: str, wanted: Collection[str], language: str) -> Iterator[Span]:
    """The spans of the wanted names in the text; longer names win, and matches do not overlap.

    >>> list(stretches("王芳芳见到了王芳。", {"王芳", "王芳芳"}, "zh"))
    [Span(start=0, end=3), Span(start=6, end=8)]
    """
    unspaced = sorted((name for name in wanted if name and is_unspaced(name[0])), key=len, reverse=True)
    index = 0
    while unspaced and index < len(text):
        spans = (Span(index, index + len(name)) for name in unspaced if text.startswith(name, index))
        span = next((span for span in spans if _is_whole(text, span, language)), None)
        if span is not None:
            yield span
        index = index + 1 if span is None else span.end


def given_name(name: str, language: str) -> str:
    """The given name of a Japanese full name; any other name as it is.

    >>> given_name("山田花子", "ja"), given_name("佐藤健", "ja"), given_name("花子", "ja"), given_name("王芳", "zh")
    ('花子', '健', '花子', '王芳')
    """
    if primary(language) != "ja":
        return name
    parts = ((name[:end], name[end:]) for end in range(len(name) - 1, 0, -1))
    surnames = names("ja-JP").surnames
    return next((given for surname, given in parts if surname in surnames and _is_given(given, language)), name)


def _is_given(name: str, language: str) -> bool:
    return is_name(name, language) or is_also_word(name, language)


def _is_listed(text: str, span: Span, language: str) -> bool:
    name = span.of(text)
    is_beside_dot = text.endswith(_DOTS, 0, span.start) or text.startswith(_DOTS, span.end)
    if is_beside_dot or not all(map(is_unspaced, name)) or _script(name[0]) == "hiragana":  # あすか may be 明日か
        return False
    return is_name(name, language) and _is_whole(text, span, language) and not _is_behind_surname(text, span, language)


def _is_behind_surname(text: str, span: Span, language: str) -> bool:
    """Whether an unlisted family name may come right before: 林小明, but not 和小明 or 老师王芳."""
    if text[span.start] in names("zh-CN").surnames:
        return False
    simplified = language_hook(language, "simplified")
    before = simplified(text[: span.start]) if simplified else text[: span.start]
    surnames, small = lexicon(language, "names").words("surname"), lexicon(language, "function_words").words("light")
    return (before[-1:] in surnames and before[-1:] not in small) or before[-2:] in surnames


def _is_whole(text: str, span: Span, language: str) -> bool:
    if primary(language) != "ja" or _script(text[span.start]) == "hiragana":
        return True
    before, after = text[: span.start], text[span.end :]
    is_continued = bool(after) and _script(after[0]) == _script(text[span.end - 1]) and after[0] not in _HONORIFICS
    joins = bool(before) and _script(before[-1]) == _script(text[span.start])
    openers = lexicon(language, "function_words").words("clause-opening") | lexicon(language, "nouns").words("human")
    return not is_continued and (not joins or before.endswith((*names("ja-JP").surnames, *openers)))  # 昨日健太


def _script(character: str) -> str:
    """The Japanese script of a character; punctuation and the dot between names have none."""
    if "\u30a1" <= character <= "\u30fa" or character == "ー":
        return "katakana"
    if "\u3041" <= character <= "\u309f":
        return "hiragana"
    return "kanji" if is_unspaced(character) and character.isalpha() else ""
