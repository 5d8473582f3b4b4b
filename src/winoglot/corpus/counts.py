"""Counts on disk, opened: how often words stand near each other, looked up in mapped files.

counts.json       what they are, of which corpus; written last, so a folder without it holds no counts
words.txt         the words in small letters, the most frequent first; the number of a word is its line's, from 0
words.starts      where each line begins, and the end: little-endian 64 bits, as all but columns and order (32 bits)
words.order       the numbers in the order of the words' letters
words.times       how often each occurs
rows, columns, values   the matrix by rows: where each begins, and the end; the second words; the sums
totals            the sums of each word's pairs; with positions, by distance, as the first and then as the second word

A pair of different words stands once in the matrix. Without positions its row is the more frequent word; with them
its row is the word that comes first, and the rows of each distance follow those of the one before.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from winoglot.corpus._counted_words import NUMBER, ORDER, PLACE, STARTS, TIMES, WORDS, WordFile
from winoglot.corpus._described_folder import Description, files_hash
from winoglot.corpus.reading import INFO as CORPUS_INFO
from winoglot.corpus.reading import SPLITS, TOKEN
from winoglot.errors import InputError
from winoglot.schemas.text import primary

FORMAT = 1
INFO, COUNTING = "counts.json", "counting"  # the description; the folder of work under way
ROWS, COLUMNS, VALUES, TOTALS = "rows", "columns", "values", "totals"
_DESCRIPTION = Description(
    "counts",
    INFO,
    FORMAT,
    frozenset(("format", "language", "hash", "corpus", "settings", "words", "entries", "weight", "value_bytes")),
    under_way=COUNTING,
    unfinished=("the count is not finished", "Give its command again."),
    make="Make some: winoglot corpus count DIR -o COUNTS.",
    again="Count again: winoglot corpus count … -o COUNTS --force.",
)


@dataclass(frozen=True, eq=False)
class Counts:
    """Open counts. `info` is the content of `counts.json`; words are given as text, whatever their capitals."""

    path: Path
    info: dict[str, Any]

    @property
    def language(self) -> str:
        """That of the corpus, as BCP 47."""
        return str(self.info["language"])

    @property
    def hash(self) -> str:
        """Over all files."""
        return str(self.info["hash"])

    @property
    def window(self) -> int:
        """How many words on either side were counted."""
        return int(self.info["settings"]["window"])

    @property
    def positional(self) -> bool:
        """Whether places were counted apart."""
        return bool(self.info["settings"]["positional"])

    @property
    def scale(self) -> int:
        """What a pair of neighbours counts in the files."""
        return self.window if self.info["settings"]["dynamic"] else 1

    @cached_property
    def words(self) -> WordFile:
        """The words and their numbers."""
        count = int(self.info["words"])
        text = self._mapped(WORDS, np.dtype(np.uint8), None)
        starts = self._mapped(STARTS, PLACE, count + 1)
        return WordFile(text, starts, self._mapped(ORDER, NUMBER, count), self._mapped(TIMES, PLACE, count))

    def times(self, word: str) -> int:
        """How often a word occurs in the text; 0 for one that was not counted."""
        number = self.words.number(word)
        return 0 if number is None else int(self.words.times[number])

    def together(self, word: str, other: str, offset: int | None = None) -> float:
        """How often the other word stands near the word; with an offset, so many places behind it (before, if < 0).

        With a dynamic window near ones count 1, farther ones less. 0 where either was not counted.
        """
        numbers = self.words.number(word), self.words.number(other)
        if numbers[0] is None or numbers[1] is None:
            return 0.0
        return self._sum(numbers[0], numbers[1], offset) / self.scale

    def total(self, word: str, offset: int | None = None) -> float:
        """How often any word stands near the word; with an offset, has the word so many places behind it."""
        number = self.words.number(word)
        return 0.0 if number is None else float(self._totals[self._blocks(offset), number].sum()) / self.scale

    @cached_property
    def all_totals(self) -> np.ndarray:
        """Of every context, `total`: a row for all or, with positions, one for each offset."""
        return self._totals / self.scale

    @property
    def sum(self) -> float:
        """How often any word stands near any: each pair from both sides."""
        return 2 * float(self.info["weight"]) / self.scale

    @property
    def offsets(self) -> tuple[int | None, ...]:
        """The offsets that were counted apart, in the order of the rows of `all_totals`; one None where none were."""
        if not self.positional:
            return (None,)
        before = tuple(-distance for distance in range(1, self.window + 1))
        return (*before, *(-offset for offset in before))

    def check_language(self, tag: str) -> None:
        """Refuse to be asked about another language."""
        if primary(self.language) != primary(tag):
            message = f"the counts are of {self.language}, the collection is in {tag}"
            raise InputError(message, remedy=f"Count a corpus in {tag}.", file=str(self.path))

    def _sum(self, word: int, other: int, offset: int | None) -> int:
        if offset is None and not self.positional:
            found = self._entry(min(word, other), max(word, other))
            return 2 * found if word == other else found
        if offset is None:
            return sum(self._sum(word, other, one) for one in self.offsets)
        self._blocks(offset)
        first, second = (word, other) if offset > 0 else (other, word)
        return self._entry((abs(offset) - 1) * len(self.words) + first, second)

    def _entry(self, row: int, column: int) -> int:
        rows, columns, values = self._matrix
        start, end = int(rows[row]), int(rows[row + 1])
        # The number has the columns' own type: numpy would else make a copy of them all to compare.
        place = start + int(np.searchsorted(columns[start:end], NUMBER.type(column)))
        return int(values[place]) if place < end and columns[place] == column else 0

    def _blocks(self, offset: int | None) -> slice:
        """The rows of `totals` that tell how often a word is found at an offset."""
        if offset is None:
            return slice(None)
        if not self.positional:
            message = "these counts do not tell places apart"
            raise InputError(message, remedy="Count with --positional.", file=str(self.path))
        if not 1 <= abs(offset) <= self.window:
            message = f"there is no offset {offset} within a window of {self.window}"
            raise InputError(message, remedy=f"Give one from 1 to {self.window}, or below 0.", file=str(self.path))
        place = self.offsets.index(offset)
        return slice(place, place + 1)

    @cached_property
    def _matrix(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        rows = int(self.info["words"]) * (self.window if self.positional else 1)
        entries = int(self.info["entries"])
        value = NUMBER if self.info["value_bytes"] == NUMBER.itemsize else PLACE
        return (
            self._mapped(ROWS, PLACE, rows + 1),
            self._mapped(COLUMNS, NUMBER, entries),
            self._mapped(VALUES, value, entries),
        )

    @cached_property
    def _totals(self) -> np.ndarray:
        blocks = 2 * self.window if self.positional else 1
        count = int(self.info["words"])
        return self._mapped(TOTALS, PLACE, blocks * count).reshape(blocks, count)

    def _mapped(self, name: str, kind: np.dtype[Any], length: int | None) -> np.ndarray:
        return _DESCRIPTION.mapped(self.path / name, kind, length)


def open_counts(path: Path | str) -> Counts:
    """The counts in a folder; what is not whole, or whose corpus is another now, is an input error."""
    path = Path(path)
    counts = Counts(path, _DESCRIPTION.read(path))
    _ = counts.words, counts._matrix, counts._totals  # mapped now, so that what is cut short is seen now
    _check_corpus(counts)
    return counts


def counts_hash(path: Path) -> str:
    """The SHA-256 over the files of the counts in a folder."""
    return files_hash(path, (WORDS, STARTS, ORDER, TIMES, ROWS, COLUMNS, VALUES, TOTALS))


def _check_corpus(counts: Counts) -> None:
    """Whether the corpus, if it still lies where it was, is the one that was counted."""
    known = counts.info["corpus"]
    corpus = counts.path / known["path"]
    try:
        info = json.loads((corpus / CORPUS_INFO).read_bytes())
        same = info["hash"] == known["hash"] and all(_is_whole(corpus, info, split) for split in SPLITS)
    except (OSError, ValueError, KeyError, TypeError):
        return  # the corpus is not needed any more
    if not same:
        message = f"the corpus {corpus.resolve().name} was changed since it was counted"
        raise InputError(message, remedy=_DESCRIPTION.again, file=str(counts.path))


def _is_whole(corpus: Path, info: dict[str, Any], split: str) -> bool:
    """Whether the tokens of a split have the length that is described; their hash would take long to compute."""
    tokens: int = info["splits"][split]["tokens"]
    return (corpus / f"{split}.tokens").stat().st_size == tokens * TOKEN.itemsize
