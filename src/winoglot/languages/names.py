"""First names of several locales: which ones to draw, and the gender of a name.

A list is in its language's folder as `names_<LOCALE>.txt`, generated once by `scripts/freeze_names.py`, so that a seed
always draws the same names. Lists are loaded on demand.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from winoglot.errors import InputError, did_you_mean
from winoglot.files import packaged_lines
from winoglot.languages.features import Trait
from winoglot.languages.lexicon import WordTable, lexicon, read_table
from winoglot.schemas.text import folded, is_unspaced, language_tag, primary, straight

_PACKAGE = "winoglot.languages"
_LIST = re.compile(r"names_([a-z]{2,3}-[A-Z]{2})\.txt")
_LONGEST_SURNAME = 3  # characters: 長谷川


UNLISTED = Trait(evidence="not in any name list")


@dataclass(frozen=True)
class NameList:
    """The names of a locale. Only those in `masculine` and `feminine` are drawn; both are sorted."""

    masculine: tuple[str, ...] = ()
    feminine: tuple[str, ...] = ()
    common: tuple[str, ...] = ()
    source: str = ""
    known_masculine: tuple[str, ...] = ()
    known_feminine: tuple[str, ...] = ()
    also_words: frozenset[str] = frozenset()  # no proof of a name at the start of a sentence
    surnames: frozenset[str] = frozenset()  # for languages that write family and given name as one word
    given_masculine: tuple[str, ...] = ()  # names only after a surname: 伟 of 王伟
    given_feminine: tuple[str, ...] = ()


def locales() -> list[str]:
    """The locales that have a name list.

    >>> locales()
    ['de-DE', 'en-US', 'es-ES', 'fr-FR', 'it-IT', 'ja-JP', 'pt-BR', 'pt-PT', 'ru-RU', 'zh-CN']
    """
    return sorted(_files())


@cache
def names(locale: str) -> NameList:
    """The list of a locale, in any spelling of its tag; an unknown locale is an input error.

    >>> names("pt_BR").feminine[:3]
    ('Adriana', 'Alana', 'Alessandra')
    """
    tag = language_tag(locale)
    if tag not in _files():
        raise InputError(f"there is no name list for {locale!r}", remedy=did_you_mean(tag, locales()))
    groups: dict[str, list[str]] = defaultdict(list)
    for line in packaged_lines(_PACKAGE, _files()[tag]):
        group, _, words = line.partition(":")
        groups[group] += [words.strip()] if group == "source" else words.split()
    return NameList(
        masculine=tuple(groups["masculine"]),
        feminine=tuple(groups["feminine"]),
        common=tuple(groups["common"]),
        source=" ".join(groups["source"]),
        known_masculine=tuple(groups["known masculine"]),
        known_feminine=tuple(groups["known feminine"]),
        also_words=frozenset(groups["also words"]),
        surnames=frozenset(groups["surnames"]),
        given_masculine=tuple(groups["given masculine"]),
        given_feminine=tuple(groups["given feminine"]),
    )


def beside_names() -> WordTable:
    """The table of words found beside names, and of names that are also places."""
    return read_table(_PACKAGE, "beside_names")


def is_name_title(word: str, *, of_surname: bool = False) -> bool:
    """Whether a word before a name is a title, written with or without its full stop.

    >>> is_name_title("Dr.", of_surname=True), is_name_title("Uncle"), is_name_title("Uncle", of_surname=True)
    (True, True, False)
    """
    kinds = ("surname-title",) if of_surname else ("title", "surname-title")
    return any(folded(word).rstrip(".") in beside_names().words(kind) for kind in kinds)


def initial(name: str) -> str:
    """The first letter of a name without its accent: readers mix up names that share it."""
    return unicodedata.normalize("NFD", folded(name))[:1]


def locale_for(language: str) -> str:
    """The list of names for a language and region, or else the first for the language; InputError if there is none.

    >>> locale_for("pt-PT"), locale_for("fr")
    ('pt-PT', 'fr-FR')
    """
    matching = _locales_of(language)
    if not matching:
        raise InputError(
            f"there is no list of names for {language}",
            remedy=f"Leave the names as they are, or use another list with --names: {', '.join(locales())}.",
        )
    return matching[0]


@lru_cache(maxsize=10_000)
def name_gender(name: str, language: str, *, widely: bool = False) -> Trait:
    """The gender of a first name, or of a full name by its first word; the language's own lists take precedence.

    If lists differ, the gender is common; `widely` searches all languages, since a Jean in an English text may be
    French. A word of the language that is a name only in another is not a name; nor is one that begins a longer phrase
    ("Chase Freedom") or is written without capitals (雪).

    >>> name_gender("Maria", "pt")
    Trait(value='feminine', evidence="name list pt-BR 'Maria'")
    >>> name_gender("Owen Reed", "pt").evidence, name_gender("Jean", "pt").value, name_gender("Paz", "pt").value
    ("name list en-US 'Owen'", 'common', None)
    """
    words = unicodedata.normalize("NFC", straight(name)).split()
    if not words or not all(word[0].isupper() or is_unspaced(word[0]) for word in words):
        return UNLISTED
    first = words[0] if not words[0].isupper() or len(words[0]) == 1 else words[0].title()
    home_locales = _locales_of(language)
    has_capital = not is_unspaced(first[0])
    is_word = is_also_word(first, language)
    if is_word and (len(words) > 1 or not has_capital):
        return UNLISTED
    by_locale = _genders_by_locale(first, home_locales)
    if by_locale and widely:
        by_locale |= _genders_by_locale(first, locales())
    if not by_locale and has_capital and not is_word:  # 本 is a Chinese Ben and a Japanese book
        by_locale = _genders_by_locale(first, [locale for locale in locales() if locale not in home_locales])
    return _combined(first, by_locale)


def is_name(word: str, language: str) -> bool:
    """Whether the word is a first name (or a full name) in any list.

    >>> is_name("Zoé", "fr"), is_name("王芳", "zh"), is_name("mesa", "pt")
    (True, True, False)
    """
    return name_gender(word, language).value is not None


def is_also_word(name: str, language: str) -> bool:
    """Whether the name is also a word of the language, so that a capital at the start of a sentence proves nothing.

    >>> is_also_word("Rosa", "pt"), is_also_word("Ana", "pt")
    (True, False)
    """
    plain = unicodedata.normalize("NFC", straight(name))
    return any(plain in names(locale).also_words for locale in _locales_of(language))


@cache
def famous_names() -> frozenset[str]:
    """Names that refer to a famous person even on their own: renaming keeps them.

    >>> "Shakespeare" in famous_names(), "Hugo" in famous_names()
    (True, False)
    """
    return frozenset(name for name in packaged_lines(_PACKAGE, "famous_names.txt") if " " not in name)


@cache
def famous_full_names() -> frozenset[str]:
    """Famous people who are recognised only by their full name.

    >>> "Victor Hugo" in famous_full_names()
    True
    """
    return frozenset(packaged_lines(_PACKAGE, "famous_names.txt")) - famous_names()


@cache
def _files() -> dict[str, str]:
    """The path of each locale's list within this package."""
    folders = [folder for folder in files(_PACKAGE).iterdir() if folder.is_dir()]
    matches = ((folder.name, _LIST.fullmatch(file.name)) for folder in folders for file in folder.iterdir())
    return {list_.group(1): f"{folder}/{list_.group()}" for folder, list_ in matches if list_}


@cache
def _locales_of(language: str) -> list[str]:
    """The locales of the language, the exact one first."""
    matching = [locale for locale in locales() if primary(locale) == primary(language).lower()]
    return sorted(matching, key=lambda locale: locale.lower() != language.lower())


@cache
def _genders(locale: str) -> dict[str, str]:
    """The gender of each name that can occur on its own."""
    name_list = names(locale)
    masculine = dict.fromkeys((*name_list.masculine, *name_list.known_masculine), "masculine")
    feminine = dict.fromkeys((*name_list.feminine, *name_list.known_feminine), "feminine")
    return {**masculine, **feminine, **dict.fromkeys(name_list.common, "common")}


@cache
def _given_genders(locale: str) -> dict[str, str]:
    """The gender of each name that can follow a surname."""
    name_list = names(locale)
    bound = {
        **dict.fromkeys(name_list.given_masculine, "masculine"),
        **dict.fromkeys(name_list.given_feminine, "feminine"),
    }
    return {**_genders(locale), **bound}


def _genders_by_locale(name: str, among: list[str]) -> dict[str, str]:
    """The gender given by each list that contains the name."""
    genders = {locale: _gender_in(locale, name) for locale in among}
    return {locale: gender for locale, gender in genders.items() if gender}


def _gender_in(locale: str, name: str) -> str | None:
    gender = _genders(locale).get(name)
    surnames = _surnames(locale)
    if gender or not surnames or name in famous_names():  # 诸葛亮
        return gender
    for end in range(1, min(_LONGEST_SURNAME, len(name) - 1) + 1):
        if name[:end] in surnames and name[end:] in _given_genders(locale):
            return _given_genders(locale)[name[end:]]
    return None


@cache
def _surnames(locale: str) -> frozenset[str]:
    """The surnames in the list, and the language's surnames of several characters, which are unambiguous: 欧阳."""
    listed = lexicon(primary(locale), "names").words("surname")
    return names(locale).surnames | {surname for surname in listed if len(surname) > 1}


def _combined(name: str, by_locale: dict[str, str]) -> Trait:
    """One trait for what the lists say of a name: common gender if they disagree."""
    if not by_locale:
        return UNLISTED
    genders = set(by_locale.values())
    if len(genders) == 1:
        return Trait(genders.pop(), f"name list {next(iter(by_locale))} {name!r}")
    listed = ", ".join(f"{locale} ({gender})" for locale, gender in by_locale.items())
    return Trait("common", f"name lists {listed} {name!r}")
