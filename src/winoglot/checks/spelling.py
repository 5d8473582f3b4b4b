"""The text follows the spelling of its language: elision before the pronoun, and the language's own script.

French writes *parce qu'elle*, never *parce que elle*. A word in a script that no word in the language's tables uses is
probably a slip. Latin words are accepted everywhere, but a Latin letter in a Cyrillic word only looks right. Texts in
simplified Chinese have no traditional characters, and Japanese texts no simplified ones.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING

from winoglot.checks.base import CheckContext, Finding, NotRun, Severity
from winoglot.languages.base import NotDerivedError, language_hook
from winoglot.languages.lexicon import lexicon
from winoglot.languages.substitution import fused
from winoglot.schemas.text import is_unspaced

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.schemas.model import Collection, Item

SEVERITY: Severity = "warning"
_WORD = re.compile(r"[^\W\d_]+")
_LATIN = frozenset({"LATIN", "MODIFIER", "FEMININE", "MASCULINE"})  # also the letters of nº and ª
_KANA = frozenset({"HIRAGANA", "KATAKANA", "CJK", "IDEOGRAPHIC"})
_TABLES = ("pronouns", "function_words", "determiners", "names")
_TRADITIONAL = ("Hant", "TW", "HK", "MO")


def check(collection: Collection, _context: CheckContext) -> Iterator[Finding]:
    """Every text that breaks a rule of its language's spelling, once per item and fault."""
    tag = collection.language
    scripts = _scripts(tag)
    if not scripts:
        raise NotRun(f"nothing is known about the spelling of {tag!r}")
    for item in collection.items:
        if item.text is None:
            continue
        yield from _check_elision(item, tag)
        foreign = [word for word in _WORD.findall(item.text) if not _is_at_home(word, scripts)]
        if foreign:
            listed = ", ".join(map(repr, dict.fromkeys(_foreign_part(word, scripts) for word in foreign)))
            message = f"{listed}: not in a script that {tag!r} is written in"
            yield Finding.about(item, message, "Write it in the script of the language; some letters look alike.")
        yield from _check_characters(item, tag)


def _check_elision(item: Item, tag: str) -> Iterator[Finding]:
    text, pronoun = item.text or "", item.pronoun
    if pronoun is None or item.pronoun_form != "word":
        return
    left, right = text[: pronoun.start], text[pronoun.start :]
    try:
        elided, _ = fused(left, right, tag)
    except NotDerivedError:
        return
    if elided != left and elided.endswith(("'", "’")):
        surface, word = pronoun.of(text), left.split()[-1]
        message = f"{word!r} is not elided before the pronoun {surface!r}"
        yield Finding.about(item, message, f"Write {elided.split()[-1]}{{{surface}}}.")


def _check_characters(item: Item, tag: str) -> Iterator[Finding]:
    is_foreign = language_hook(tag, "is_foreign_character")
    if is_foreign is None or tag.endswith(_TRADITIONAL):
        return
    foreign = list(filter(is_foreign, item.text or ""))
    if foreign:
        message = f"{', '.join(map(repr, dict.fromkeys(foreign)))}: not among the characters of {tag!r}"
        remedy = "Write simplified characters in 'zh' (or state the language as zh-Hant), Japanese ones in 'ja'."
        yield Finding.about(item, message, remedy)


def _foreign_part(word: str, scripts: frozenset[str]) -> str:
    """The word, or where no spaces separate words, its letters of other scripts."""
    letters = [letter for letter in word if _script(letter) not in scripts]
    return "".join(letters) if any(map(is_unspaced, word)) else word


def _is_at_home(word: str, scripts: frozenset[str]) -> bool:
    """Whether all letters are of the language's scripts, or all of them Latin."""
    used = {_script(letter) for letter in word if not is_unspaced(letter) or _script(letter) not in scripts}
    return used <= scripts or used <= _LATIN


@cache
def _scripts(tag: str) -> frozenset[str]:
    """The scripts of the words in a language's tables; empty if it has none."""
    forms = (form for table in _TABLES for form in lexicon(tag, table).entries)
    scripts = frozenset(_script(letter) for form in forms for letter in form if letter.isalpha())
    return scripts.union(*(family for family in (_LATIN, _KANA) if family & scripts - {"CJK"}))


@cache
def _script(letter: str) -> str:
    """The first word of a letter's name: LATIN, CYRILLIC, HIRAGANA, CJK."""
    return unicodedata.name(letter, "").removeprefix("FULLWIDTH ").partition(" ")[0].partition("-")[0]
