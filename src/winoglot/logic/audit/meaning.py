"""What the sentences of a file mean: parsed by the grammar or, if that fails, taken from the formulas in the file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.logic.audit.sorts import names_with_or, people_in
from winoglot.logic.formulas import Formula, Sort, parse
from winoglot.logic.name_table import NameTable
from winoglot.logic.parse_back import LANGUAGES, parse_back
from winoglot.logic.walking import is_open

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from winoglot.logic.audit.pair_file import LabelledPair, PairFile

_MOST_READ = 0.95  # share of the pairs: the rest may contain other names, but few
_MOST_UNSURE = 3  # names; in a longer list the other names settle the sort
_SORTS: dict[str, Sort] = {"p": "person", "c": "place"}


@dataclass(frozen=True)
class Meaning:
    """A pair as formulas; `names` are those in its sentences, with their sort.

    `others` are the alternative meanings if a name could be either a person or a place: *Ana has not visited
    Victoria*.
    """

    premise: Formula
    hypothesis: Formula
    names: frozenset[tuple[str, str]]
    from_sentences: bool
    others: tuple[tuple[Formula, Formula], ...] = ()


def meanings(file: PairFile, language: str, progress: Callable[[int, int], None] | None = None) -> list[Meaning | None]:
    """What each pair means; None if neither its sentences nor its formulas can be parsed.

    A name that does something in any sentence of the file, or is listed with such names, is a person throughout.
    """
    texts = [text for both in file.texts for text in both] if language in LANGUAGES else []
    whole = names_with_or(texts, language) if texts else set()
    known: dict[str, Sort] = dict.fromkeys(people_in(texts, language, whole), "person")
    found = []
    for number, pair in enumerate(file.pairs, start=1):
        found.append(_by_grammar(pair, language, known, whole) or _by_formulas(pair))
        if progress:
            progress(number, len(file.pairs))
    return found


def names_in(found: Sequence[Meaning | None]) -> frozenset[tuple[str, str]] | None:
    """The names of a file if nearly all its pairs were parsed, otherwise None."""
    read = [one for one in found if one is not None]
    return frozenset(name for one in read for name in one.names) if len(read) >= _MOST_READ * len(found) else None


def _by_grammar(pair: LabelledPair, language: str, known: Mapping[str, Sort], whole: set[str]) -> Meaning | None:
    if language not in LANGUAGES:
        return None
    stated: Mapping[str, Sort] = {name: _SORTS[key[0]] for key, name in (pair.names or {}).items() if key[:1] in _SORTS}
    table = NameTable({**known, **stated}, whole)
    formulas = _read(pair, language, table)
    if formulas is None:
        return None
    unsure = [(name, sort) for name, sort in table.symbols if name not in table.subjects and name not in stated]
    others: list[tuple[Formula, Formula]] = []
    for name, sort in unsure if len(unsure) <= _MOST_UNSURE else ():
        other: Sort = "place" if sort == "person" else "person"
        found = _read(pair, language, NameTable({**known, name: other}, whole))
        others += [found] if found not in (None, formulas) else []
    return Meaning(
        *formulas, frozenset((sort, name) for name, sort in table.symbols), True, tuple(filter(None, others))
    )


def _read(pair: LabelledPair, language: str, names: NameTable) -> tuple[Formula, Formula] | None:
    try:
        return parse_back(pair.premise, language, names), parse_back(pair.hypothesis, language, names)
    except InputError:
        return None


def _by_formulas(pair: LabelledPair) -> Meaning | None:
    if pair.formulas is None:
        return None
    try:
        premise, hypothesis = map(parse, pair.formulas)
    except (InputError, ValueError):
        return None
    if is_open(premise) or is_open(hypothesis):
        return None
    stated = frozenset((_SORTS.get(key[:1], ""), name) for key, name in (pair.names or {}).items())
    return Meaning(premise, hypothesis, stated, False)
