"""Which articles their wiki has marked as good or featured, by each language's own templates.

The templates lie in `quality_templates/LANGUAGE.txt`, a line each: `good = artigo bom`.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from winoglot.errors import InputError, nearest
from winoglot.languages.base import read_words
from winoglot.schemas.text import primary

GOOD, FEATURED = "good", "featured"
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_NAME = re.compile(r"\{\{\s*+([^\s{}|<>\[\]#:][^{}|<>\[\]#:\n]{0,80}?)\s*(?=\||\}\}|\n)")


def is_marked(
    wikitext: str, language: str, wanted: tuple[str, ...] = (GOOD, FEATURED), extra: tuple[str, ...] = ()
) -> bool:
    """Whether a page carries a template of the wanted marks, or one of the `extra` templates.

    >>> is_marked("{{Artigo bom}} '''Chuva''' é água.", "pt"), is_marked("'''Chuva''' é água.", "pt")
    (True, False)
    >>> is_marked("{{artigo_destacado|data=1}}", "pt-BR", wanted=("good",))
    False
    """
    pattern = _pattern(language, wanted, extra)
    found = pattern.search(wikitext)
    if found is None:
        return False
    # Rare, so only now: a mark may be commented out.
    return "<!--" not in wikitext or pattern.search(_COMMENT.sub("", wikitext)) is not None


def marking_templates(language: str, wanted: tuple[str, ...], extra: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The names of the templates that mark an article; a language without a list needs `extra` ones.

    >>> marking_templates("de", ("good",))
    ('lesenswert',)
    """
    table = _table(primary(language))
    names: list[str] = []
    for mark in wanted:
        if mark not in (GOOD, FEATURED):
            raise InputError(f"there is no mark {mark!r}", remedy=nearest(mark, (GOOD, FEATURED)))
        names += table.get(mark, [])
    if not names and not extra:
        message = f"no templates are known that mark articles of the language {language!r}"
        remedy = f"Name them with --template, or choose one of {', '.join(known_languages())}."
        raise InputError(message, remedy=remedy)
    return (*names, *extra)


def templates_seen(wikitext: str) -> set[str]:
    """The names of the templates on a page, as its quality filter would have to be given them.

    >>> sorted(templates_seen("{{Bom artigo}} {{lang|fr|pluie}} {{Info|a={{b}}}}"))
    ['Bom artigo', 'Info', 'b', 'lang']
    """
    return {name.replace("_", " ").strip() for name in _NAME.findall(_COMMENT.sub("", wikitext))}


def known_languages() -> list[str]:
    """The languages whose marks are listed.

    >>> known_languages()
    ['de', 'en', 'es', 'fr', 'pt', 'zh']
    """
    names = (entry.name for entry in files("winoglot.corpus").joinpath("quality_templates").iterdir())
    return sorted(name.removesuffix(".txt") for name in names if name.endswith(".txt"))


@cache
def _table(language: str) -> dict[str, list[str]]:
    table: dict[str, list[str]] = {}
    for line in read_words("winoglot.corpus", f"quality_templates/{language}.txt"):
        mark, _, name = (part.strip() for part in line.partition("="))
        table.setdefault(mark, []).append(name)
    return table


@cache
def _pattern(language: str, wanted: tuple[str, ...], extra: tuple[str, ...]) -> re.Pattern[str]:
    """Case and underscores do not matter: pages write the same template in several ways."""
    names = marking_templates(language, wanted, extra)
    spelled = ("[ _]+".join(map(re.escape, re.split(r"[ _]+", name.strip()))) for name in names)
    return re.compile(rf"\{{\{{\s*+(?:{'|'.join(spelled)})\s*(?:\||\}}\}})", re.IGNORECASE)
