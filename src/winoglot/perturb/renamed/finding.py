"""Names of people in a text: rows of capitalised words whose first word is in a name list.

The first word of a row is the given name and the others are surnames: *Rui* in *Rui Prado*. A title before it (*Dona
Rita*) is not part of the row; a single name after some titles (*Mr. Taylor*) is a surname. Names of several words
(*María del Carmen*) are one name. A row beside a word for a place (*São Paulo*, *Victoria Street*) is none. `unspaced`
reads Chinese and Japanese.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING
from unicodedata import normalize

from winoglot.languages.base import function_words, language_hook
from winoglot.languages.lexicon import WordTable, lexicon, read_table
from winoglot.languages.names import UNLISTED, famous_names, is_also_word, locales, name_gender
from winoglot.languages.slots import opens_sentence
from winoglot.languages.substitution import elided_forms
from winoglot.perturb.renamed.unspaced import listed_names, stretches
from winoglot.schemas.spans import Span
from winoglot.schemas.text import ends_word, folded, primary, starts_word

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from winoglot.languages.features import Trait

_UNSPACED = r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef"
_LETTERS = rf"(?:[^\W\d_{_UNSPACED}][\u0300-\u036f]*)+"
_WORD = re.compile(rf"{_LETTERS}(?:[-‐‑]{_LETTERS})*")
_HYPHEN = re.compile("[-‐‑]")
_ELIDED = re.compile(r"\b\w+['’]$")
_WORD_AFTER = re.compile(r"[ \u00a0](\w+)")
_WORD_BEFORE = re.compile(r"\b(\w+)\.?[ \u00a0]$")
_SPACES = (" ", "\u00a0")


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
        title = folded(self.before)
        if len(self.names) > 1 or title not in beside_names().words("surname-title"):
            return False
        has_small_titles = bool(lexicon(language, "nouns").words("name-like"))  # but "the doctor Mary saw"
        articled = lexicon(language, "nouns").features("articled").get(title)
        is_given = articled is not None and articled.gender == listed_gender(self.given, language).value
        return not is_given and (self.before[0].isupper() or has_small_titles)


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
        after = text[name.span.end :]
        if is_title(name.name) and re.match(r"\.?[ \u00a0](?=[^\W\d_a-z])", after):
            is_open = False
            continue
        if is_open and text[groups[-1][-1].span.end : name.span.start] in _SPACES:
            groups[-1].append(name)
        else:
            groups.append([name])
        is_open = not (is_sentence and opens_sentence(text, name.span.start)) or _is_sure(name, text, language)
    return tuple(Row(tuple(group), _before(text, group[0])) for group in groups if not _is_place(text, group[0]))


def _capitalised(text: str, language: str) -> Iterator[Name]:
    """The capitalised words, or compound names, of the text; none after an apostrophe, except an elision's: O'Neil."""
    end_of_last = 0
    for match in _WORD.finditer(text):
        start, end = match.span()
        if (
            not match.group()[0].isupper()
            or start < end_of_last
            or not (starts_word(text, start) and ends_word(text, end))
        ):
            continue
        before = _ELIDED.search(text[:start])
        if before and folded(before.group()) not in elided_forms(language):
            continue
        name = _as_listed(match.group(), language)
        rest = _rest_of_compound(name, text[end:])
        end_of_last = end + len(rest)
        yield Name(name + _as_listed_rest(rest), Span(start, end_of_last))


def _as_listed(word: str, language: str) -> str:
    """A word as the lists have it: ANNA as Anna, but TV as TV; in a language with cases, the nominative."""
    listed_name = language_hook(language, "listed_name")
    composed = normalize("NFC", word)
    name = composed.title() if composed.isupper() and len(composed) > 1 else composed
    name = listed_name(name) if listed_name else name
    return name if name_gender(name, language).value or not composed.isupper() else composed


def _before(text: str, name: Name) -> str:
    match = _WORD_BEFORE.search(text[: name.span.start])
    return match.group(1) if match else ""


def _is_sure(name: Name, text: str, language: str) -> bool:
    """Whether a word at the start of a sentence is a name, and neither a word (*Will*) nor a function word (*Al*)."""
    is_word = is_also_word(name.name, language) or folded(name.span.of(text)) in function_words(language).closed
    return bool(listed_gender(name.name, language).value) and not is_word


# Names of several words


def listed_gender(name: str, language: str, *, widely: bool = False) -> Trait:
    """The gender of a name according to the lists; the first part of a compound name decides.

    All parts of a hyphenated name must be names. If a language that makes such names lists them all, it is a name of
    that language: Jean-Paul is a man in every language. `widely` searches the lists of all languages.

    >>> listed_gender("Jean-Paul", "en").value, listed_gender("Porte-Anne", "fr").value
    ('masculine', None)
    """
    parts = _HYPHEN.split(name.partition(" ")[0])
    if len(parts) > 1:
        for tag in (tag for tag, table in name_tables().items() if table.words("hyphenated")):
            genders = [name_gender(part, tag) for part in parts]
            if all(part.evidence.startswith(f"name list {tag}-") for part in genders):
                return genders[0]
    genders = [name_gender(part, language, widely=widely) for part in parts]
    return genders[0] if all(part.value for part in genders) else UNLISTED


def _rest_of_compound(first: str, after: str) -> str:
    """What follows a first name in the text and belongs to it: " del Carmen" after María."""
    may_follow = [
        rest
        for tag, listed in _compounds().items()
        for rest in (*listed.get(folded(first), ()), *(listed.get("*", ()) if name_gender(first, tag).value else ()))
    ]
    matches = (re.match(rf"[ \u00a0]{re.escape(rest)}(?!\w)", after, re.IGNORECASE) for rest in may_follow)
    capitalised = [match.group() for match in matches if match and not match.group().islower()]
    return max(capitalised, key=len, default="")


def _as_listed_rest(rest: str) -> str:
    """A compound's other words with a capital in the last one only: " DEL CARMEN" as " del Carmen"."""
    particles, space, last = normalize("NFC", rest).replace("\u00a0", " ").rpartition(" ")
    return f"{particles.lower()}{space}{last.title()}"


@cache
def _compounds() -> Mapping[str, Mapping[str, Collection[str]]]:
    """For each language with compound names, what may follow a first name, or any (`*`)."""
    tables = {tag: table.values("compound") for tag, table in name_tables().items()}
    return {tag: table for tag, table in tables.items() if table}


@cache
def name_tables() -> Mapping[str, WordTable]:
    """The table `names` of every language, which a name in a text of another language may be from."""
    return {tag: read_table("winoglot.languages", f"{tag}/names") for tag in sorted({*map(primary, locales())})}


# Words beside names


def beside_names() -> WordTable:
    """The table of words found beside names, and of names that are also places."""
    return read_table("winoglot.languages", "beside_names")


def is_title(word: str) -> bool:
    """Whether a word before a name is a title, written with or without its full stop."""
    return any(folded(word).rstrip(".") in beside_names().words(kind) for kind in ("title", "surname-title"))


def _is_place(text: str, name: Name) -> bool:
    """Whether the words beside a name make it a place or saint: "São Paulo", "rua Augusta", "Victoria Street"."""
    table, opening = beside_names(), _before(text, name)
    is_street = folded(opening) in table.words("place-opener", "place")
    if is_street or (opening[:1].isupper() and folded(opening) in table.words("place-opener")):
        return True
    after = _WORD_AFTER.match(text, name.span.end)
    return bool(after and after.group(1)[0].isupper() and folded(after.group(1)) in table.words("place"))


# Names


def names_in(text: str, language: str) -> list[Name]:
    """The words that are certain to be given names: not those that are also words (*Rosa*), nor famous people.

    >>> [place.name for place in names_in("Quando Rui Prado chegou de São Paulo, Ana saiu.", "pt")]
    ['Rui', 'Ana']
    """
    names = [
        row.names[0]
        for row in rows(text, language)
        if _is_sure(row.names[0], text, language)
        and not _is_thing(row, language)
        and famous_names().isdisjoint(name.name for name in row.names)
    ]
    names += [Name(span.of(text), span) for span in listed_names(text, language)]
    return sorted(names, key=lambda name: name.span)


def _is_thing(row: Row, language: str) -> bool:
    """Whether the row follows an article that a person would not have: "the Stanley Cup", "les Martin"."""
    article = lexicon(language, "determiners").features("definite").get(folded(row.before))
    return article is not None and article.gender is None


def places_of(text: str, wanted: Collection[str], language: str, *, is_sentence: bool = True) -> list[Name]:
    """Where the text has the wanted names, except inside longer words or other names.

    The citation form of a candidate, which is not a sentence, may have its names in lower case.

    >>> [place.span for place in places_of("Ana, Anabela e Mari-Ana.", {"Ana"}, "pt")]
    [Span(start=0, end=3)]
    """
    in_capitals = text.title() if text.islower() and not is_sentence else text
    names = (name for row in rows(in_capitals, language) for name in row.names)
    places = [name for name in names if name.name in wanted]
    places += [Name(span.of(text), span) for span in stretches(text, wanted, language)]
    return sorted(places, key=lambda name: name.span)
