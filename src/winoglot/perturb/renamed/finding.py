"""Names of people in a text: rows of capitalised words whose first word is in a name list.

The first word of a row is the given name and the others are surnames: *Rui* in *Rui Prado*. A title before it (*Dona
Rita*) is not part of the row; a single name after some titles (*Mr. Taylor*) is a surname. Names of several words
(*María del Carmen*) are one name. A row beside a word for a place (*São Paulo*, *Victoria Street*) is none.

Chinese and Japanese names are the longest listed stretches: of a Japanese full name the given name, which ends where
its script changes or an honorific follows; a Chinese name is one word, and text shows no such boundary.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING
from unicodedata import normalize

from winoglot.languages.base import function_words, language_hook
from winoglot.languages.lexicon import WordTable, lexicon, read_table
from winoglot.languages.names import (
    UNLISTED,
    beside_names,
    famous_names,
    is_also_word,
    is_name,
    is_name_title,
    locales,
    name_gender,
    names,
)
from winoglot.languages.slots import opens_sentence
from winoglot.languages.substitution import elided_forms
from winoglot.schemas.spans import Span
from winoglot.schemas.text import ends_word, folded, is_unspaced, primary, starts_word

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from winoglot.languages.features import Trait

_UNSPACED = r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef"
_LETTERS = rf"(?:[^\W\d_{_UNSPACED}][\u0300-\u036f]*)+"
_WORD = re.compile(rf"{_LETTERS}(?:[-‐‑]{_LETTERS})*")
_ELIDED = re.compile(r"\b\w+['’]$")
_CAPITAL_AFTER = re.compile(r"\.?[ \u00a0](?=[^\W\d_a-z])")
_WORD_AFTER = re.compile(r"[ \u00a0](\w+)")
_WORD_BEFORE = re.compile(r"\b(\w+)\.?[ \u00a0]$")
_SPACES = (" ", "\u00a0")
_LONGEST_LISTED = 6  # characters: 長谷川健太郎
_HONORIFICS = "君様氏殿先"
_DOTS = ("・", "·")  # between given name and surname: ジョン・スミス


@dataclass(frozen=True)
class Name:
    """A name as the lists spell it, and its place in the text."""

    name: str
    span: Span


@dataclass(frozen=True)
class Row:
    """Adjacent capitalised words, and the word before them."""

    names: tuple[Name, ...]
    before: str

    @property
    def given(self) -> str:
        """The first name of the row."""
        return self.names[0].name

    def is_titled_surname(self, language: str) -> bool:
        """Whether a single name is a surname because of the title before it: *Mr. Taylor*, but not *o Sr. João*."""
        articled = lexicon(language, "nouns").features("articled").get(folded(self.before))
        is_given = articled is not None and articled.gender == listed_gender(self.given, language).value
        return len(self.names) == 1 and not is_given and folded(self.before) in beside_names().words("surname-title")


@lru_cache(maxsize=1_000)  # the same few texts are read for every question about the names of a schema
def rows(text: str, language: str, *, is_sentence: bool = True) -> tuple[Row, ...]:
    """The rows of capitalised words in a text, without titles and places.

    A word that opens a sentence is in a row with what follows only if it is sure to be a name.

    >>> [[name.name for name in row.names] for row in rows("Quando Rui Prado e a Dona Rita riram", "pt")]
    [['Quando'], ['Rui', 'Prado'], ['Rita']]
    """
    groups: list[list[Name]] = []
    is_open = False
    for name in _capitalised(text, language):
        if is_name_title(name.name) and _CAPITAL_AFTER.match(text, name.span.end):
            is_open = False
            continue
        if is_open and text[groups[-1][-1].span.end : name.span.start] in _SPACES:
            groups[-1].append(name)
        else:
            groups.append([name])
        is_open = not (is_sentence and opens_sentence(text, name.span.start)) or _is_sure(name, text, language)
    by_opening = ((tuple(group), _WORD_BEFORE.search(text[: group[0].span.start])) for group in groups)
    found_rows = (Row(group, opening.group(1) if opening else "") for group, opening in by_opening)
    return tuple(row for row in found_rows if not _is_place(row, text))


def _capitalised(text: str, language: str) -> Iterator[Name]:
    """The capitalised words, or compound names, of the text; none after an apostrophe, except an elision's: O'Neil."""
    end = 0
    for match in _WORD.finditer(text):
        start = match.start()
        is_whole = start >= end and starts_word(text, start) and ends_word(text, match.end())
        if not match.group()[0].isupper() or not is_whole:
            continue
        before = _ELIDED.search(text[:start])
        if before and folded(before.group()) not in elided_forms(language):
            continue
        name = _as_listed(match.group(), language)
        compound = _compounds().match(text, start)
        if compound and name_gender(name, language).value:
            name = compound.group()
        end = compound.end() if compound and name == compound.group() else match.end()
        yield Name(name, Span(start, end))


def _as_listed(word: str, language: str) -> str:
    """A word as the lists have it: ANNA as Anna, but TV as TV; in a language with cases, the nominative."""
    listed_name = language_hook(language, "listed_name")
    composed = normalize("NFC", word)
    name = composed.title() if composed.isupper() and len(composed) > 1 else composed
    name = listed_name(name) if listed_name else name
    return name if name_gender(name, language).value or not composed.isupper() else composed


def _is_sure(name: Name, text: str, language: str) -> bool:
    """Whether a word at the start of a sentence is a name, and neither a word (*Will*) nor a function word (*Al*)."""
    is_word = is_also_word(name.name, language) or folded(name.span.of(text)) in function_words(language).closed
    return bool(listed_gender(name.name, language).value) and not is_word


@cache
def _compounds() -> re.Pattern[str]:
    """First names of several words in any language: María del Carmen, João Pedro, Mary Ann."""
    followers = [entry for table in name_tables().values() for entry in table.values("compound").items()]
    alternatives = []
    for first, rests in followers:
        parts = (rest.rpartition(" ") for rest in sorted(rests, key=len, reverse=True))
        written = "|".join(f"{particles}{space}{last.title()}" for particles, space, last in parts)
        alternatives.append(rf"{_LETTERS if first == '*' else first.title()} (?:{written})")
    return re.compile(rf"(?:{'|'.join(alternatives)})(?!\w)")


def listed_gender(name: str, language: str, *, widely: bool = False) -> Trait:
    """The gender of a name according to the lists; the first part of a compound name decides.

    All parts of a hyphenated name must be names; if they are in a language that makes such names, it is that
    language's: Jean-Paul is a man in every language. `widely` searches the lists of all languages.

    >>> listed_gender("Jean-Paul", "en").value, listed_gender("Porte-Anne", "fr").value
    ('masculine', None)
    """
    parts = re.split("[-‐‑]", name.partition(" ")[0])
    hyphenating = [tag for tag, table in name_tables().items() if table.words("hyphenated")] if len(parts) > 1 else []
    for tag in (*hyphenating, language):
        genders = [name_gender(part, tag, widely=widely and tag == language) for part in parts]
        if all(gender.value for gender in genders):
            return genders[0]
    return UNLISTED


@cache
def name_tables() -> Mapping[str, WordTable]:
    """The table `names` of every language, which a name in a text of another language may be from."""
    return {tag: read_table("winoglot.languages", f"{tag}/names") for tag in sorted({*map(primary, locales())})}


def _is_place(row: Row, text: str) -> bool:
    """Whether the words beside a name make it a place or saint: "São Paulo", "rua Augusta", "Victoria Street"."""
    table = beside_names()
    openers = table.words("place-opener", *(() if row.before[:1].isupper() else ("place",)))
    after = _WORD_AFTER.match(text, row.names[0].span.end)
    is_before_place = bool(after and after.group(1)[0].isupper() and folded(after.group(1)) in table.words("place"))
    return is_before_place or folded(row.before) in openers


def names_in(text: str, language: str) -> list[str]:
    """The names that are certain to be given names: not those that are also words (*Rosa*), nor famous people.

    >>> names_in("Quando Rui Prado chegou de São Paulo, Ana saiu.", "pt"), names_in("昨天王芳见到了李静。", "zh")
    (['Rui', 'Ana'], ['王芳', '李静'])
    """
    articles = lexicon(language, "determiners").features("definite")
    genderless = {article for article, features in articles.items() if features.gender is None}  # "the Stanley Cup"
    capitalised = [
        row.given
        for row in rows(text, language)
        if _is_sure(row.names[0], text, language)
        and folded(row.before) not in genderless
        and famous_names().isdisjoint(name.name for name in row.names)
    ]
    unspaced = _longest(text, _LONGEST_LISTED, lambda span: _is_listed(text, span, language))
    return [*capitalised, *(given_name(span.of(text), language) for span in unspaced)]


def places_of(text: str, wanted: Collection[str], language: str, *, is_sentence: bool = True) -> list[Name]:
    """Where the text has the wanted names, except inside longer words or other names.

    The citation form of a candidate, which is not a sentence, may have its names in lower case.

    >>> [place.span for place in places_of("Ana, Anabela e Mari-Ana.", {"Ana"}, "pt")]
    [Span(start=0, end=3)]
    """
    in_capitals = text.title() if text.islower() and not is_sentence else text
    names_there = (name for row in rows(in_capitals, language) for name in row.names)
    longest = max((len(name) for name in wanted if is_unspaced(name[0])), default=0)
    unspaced = _longest(text, longest, lambda span: span.of(text) in wanted and _is_whole(text, span, language))
    places = [name for name in names_there if name.name in wanted]
    return sorted([*places, *(Name(span.of(text), span) for span in unspaced)], key=lambda name: name.span)


# Chinese and Japanese


def _longest(text: str, longest: int, fits: Callable[[Span], bool]) -> Iterator[Span]:
    """From left to right, the longest spans that fit, none of which overlap."""
    index = 0
    while index < len(text):
        length = longest if is_unspaced(text[index]) else 0
        spans = (Span(index, end) for end in range(min(index + length, len(text)), index, -1))
        span = next(filter(fits, spans), None)
        if span is not None:
            yield span
        index = index + 1 if span is None else span.end


def given_name(name: str, language: str) -> str:
    """The given name of a Japanese full name; any other name as it is.

    >>> given_name("山田花子", "ja"), given_name("佐藤健", "ja"), given_name("花子", "ja"), given_name("王芳", "zh")
    ('花子', '健', '花子', '王芳')
    """
    ends = range(len(name) - 1, 0, -1) if primary(language) == "ja" else ()
    given = (name[end:] for end in ends if name[:end] in names("ja-JP").surnames)
    return next((rest for rest in given if is_name(rest, language) or is_also_word(rest, language)), name)


def _is_listed(text: str, span: Span, language: str) -> bool:
    name = span.of(text)
    is_beside_dot = text.endswith(_DOTS, 0, span.start) or text.startswith(_DOTS, span.end)
    is_word = len(name) == 1 or _script(name[0]) == "hiragana"  # あすか may be 明日か
    if is_word or is_beside_dot or not all(map(is_unspaced, name)) or not is_name(name, language):
        return False
    return _is_whole(text, span, language) and not _is_behind_surname(text, span, language)


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
