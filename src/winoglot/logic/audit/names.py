"""The people and places of a file: as it states them, or else as its sentences show."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from winoglot.languages.text import words
from winoglot.schemas.text import is_unspaced

if TYPE_CHECKING:
    from winoglot.logic.audit.pair_file import PairFile

_STRUCTURE = 0.02  # share of the pairs: a word that opens more sentences than this is not a name


@dataclass(frozen=True)
class FileNames:
    """The names of a file; people and places are None if they cannot be distinguished."""

    people: frozenset[str] | None
    places: frozenset[str] | None
    tokens: frozenset[str]  # the words of the names in lower case, without function words such as "de"


def file_names(file: PairFile, language: str, parsed: frozenset[tuple[str, str]] | None = None) -> FileNames:
    """The names that the file states; else the `parsed` ones (sort and name); else its capitalised words."""
    stated = [pair.names for pair in file.pairs]
    found = parsed
    if None not in stated:
        sorts = {"p": "person", "c": "place"}
        found = frozenset((sorts.get(key[:1], ""), name) for names in stated for key, name in (names or {}).items())
    if found is None:
        return FileNames(None, None, _capitalised(file, language))
    tokens = {word.casefold() for _, name in found for word in _parts(name, language) if not word[0].islower()}
    return FileNames(
        frozenset(name for sort, name in found if sort == "person"),
        frozenset(name for sort, name in found if sort == "place"),
        frozenset(tokens),
    )


def _parts(name: str, language: str) -> list[str]:
    return [name] if is_unspaced(name[0]) else words(name, language)


def _capitalised(file: PairFile, language: str) -> frozenset[str]:
    """Words that never occur in lower case and are not just frequent sentence openers."""
    pairs: Counter[str] = Counter()
    inside: set[str] = set()
    small: set[str] = set()
    for texts in file.texts:
        seen = set()
        for text in texts:
            for number, word in enumerate(words(text, language)):
                if word[0].isupper():
                    seen.add(word.casefold())
                    if number:
                        inside.add(word.casefold())
                else:
                    small.add(word)
        pairs.update(seen)
    most = _STRUCTURE * len(file.pairs)
    return frozenset(word for word, count in pairs.items() if word not in small and (word in inside or count <= most))
