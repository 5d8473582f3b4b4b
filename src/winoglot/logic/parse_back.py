"""Parse sentences back into formulas: English and Portuguese, from `realise` or from the published corpus.

Portuguese is first translated into the grammar's English words (`canonical_pt.txt`), leaving the names as they are. A
name is anything in the position of a name that contains no word of the grammar, so any name can be parsed.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.logic.formulas import Formula, Sort, conjunction
from winoglot.logic.name_table import NameTable
from winoglot.logic.parse_clauses import ClauseReader
from winoglot.logic.parse_phrases import NotRead
from winoglot.logic.vocabulary import vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["LANGUAGES", "NameTable", "parse_back", "people_of", "sorts_of"]

LANGUAGES = ("en", "pt")
_VISITORS = re.compile(r"(?<=visit from )(?:(?!visit from).)+")
_OF_EACH = re.compile(r"(^|neither |both |, | and | or | nor )de ")  # a visita de Ana e de Bia
_SENTENCE_END = re.compile(r"(?<=[^.]{3})\.\s+(?=\S)")


def parse_back(text: str, language: str, names: NameTable | None = None) -> Formula:
    """Parse one or more sentences into a formula; raises an input error if the grammar does not cover them.

    Pass one table for premise and hypothesis, so that a name has the same symbol in both.

    >>> print(parse_back("Only Ana has visited Rome. Nobody has been to Oslo.", "en", NameTable()))
    (p0 = ιx[V(x,c0)] ∧ ¬∃x V(x,c1))
    >>> print(parse_back("Nem Ana nem Bia estiveram no Cairo.", "pt", NameTable()))
    (¬V(p0,c0) ∧ ¬V(p1,c0))
    """
    if language not in LANGUAGES:
        raise InputError(
            f"cannot parse sentences in {language!r}", remedy=f"Supported languages: {' and '.join(LANGUAGES)}."
        )
    table = NameTable(_vocabulary(language)) if names is None else names
    parts = _SENTENCE_END.split(text.strip())
    try:
        return conjunction(fact for part in parts for fact in _read(part.rstrip(". "), language, table))
    except NotRead as error:
        raise InputError(
            f"cannot parse the sentence: {error.args[0]!r}", remedy="Use the sentence forms of the logic tasks."
        ) from error


def sorts_of(texts: Iterable[str], language: str) -> dict[str, Sort | None]:
    """The sort of each name in a file: a person if it does something in any sentence; None if it is also visited
    in a list of places. Pass the result as `known` to the name tables of the file's sentences.

    >>> sorts_of(["Charlotte has visited Rome and Oslo", "Ana has visited Charlotte, Rome and Lima"], "en")["Charlotte"]
    >>> sorts_of(["Charlotte has visited Rome and Oslo"], "en")["Charlotte"]
    'person'
    """
    sentences = tuple(texts)
    people = _met(sentences, language, {}).subjects
    places = _met(sentences, language, dict.fromkeys(people, "person")).places
    return {name: None if name in places else "person" for name in people}


def people_of(texts: Iterable[str], language: str) -> set[str]:
    """The names of a file that can only be people."""
    return {name for name, sort in sorts_of(texts, language).items() if sort}


def _met(sentences: Iterable[str], language: str, known: Mapping[str, Sort | None]) -> NameTable:
    table = NameTable(known)
    for sentence in sentences:
        table.forget_symbols()
        try:
            parse_back(sentence, language, table)
        except InputError:
            continue
    return table


def _read(sentence: str, language: str, names: NameTable) -> list[Formula]:
    words = " ".join(sentence.split())
    for name in names.whole:
        words = words.replace(name, name.replace(" ", "\u00a0"))
    if language == "pt":
        words = _canonical(words)
    words = words.replace(" ,", ",")
    return ClauseReader(names).facts(words)


def _canonical(words: str) -> str:
    first = words.split(" ", maxsplit=1)[0].rstrip(",").lower()
    text = words[:1].lower() + words[1:] if first in _openers() else words
    for pattern, replacement in _replacements():
        text = pattern.sub(replacement, text)
    return _VISITORS.sub(lambda found: _OF_EACH.sub(r"\1", found[0]), text)


@cache
def _replacements() -> tuple[tuple[re.Pattern[str], str], ...]:
    rows = [line.split(" => ") for line in _lines("canonical_pt")]
    return tuple((re.compile(pattern), replacement.replace("''", "")) for pattern, replacement in rows)


@cache
def _openers() -> frozenset[str]:
    return frozenset(_lines("openers_pt"))


@cache
def _lines(name: str) -> list[str]:
    text = files("winoglot.logic").joinpath(f"{name}.txt").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


@cache
def _vocabulary(language: str) -> dict[str, Sort]:
    words = vocabulary(language)
    return {word.text: word.sort for word in (*words.people, *words.places)}
