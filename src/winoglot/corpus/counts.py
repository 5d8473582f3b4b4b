"""Counts on disk, opened: how often words occur near each other, looked up in mapped files.

counts.json       what they are and of which corpus; written last, so a folder without it contains no counts
words.txt         the words in lower case, the most frequent first; the number of a word is its line number, from 0
words.starts      where each line begins, and the end
words.order       the numbers in alphabetical order of the words
words.times       how often each word occurs
rows, columns, values   the matrix by rows: where each row begins, and the end; the second words; the sums
totals            the sums of each word's pairs; with positions, by distance, as the first and then as the second word

All numbers are little-endian and have 64 bits, except for columns, order and, unless large, values: 32 bits.
A pair of different words is in the matrix once. Without positions its row is the more frequent word; with them its row
is the word that comes first, and the rows of each distance follow those of the shorter one.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from winoglot.corpus.reading import PLACE, SPLITS, TOKEN, CorpusFolder, files_hash, mapped
from winoglot.errors import InputError
from winoglot.files import parse_json
from winoglot.folders import WorkFolder
from winoglot.languages.frequencies import word_key
from winoglot.schemas.text import primary

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

NUMBER = np.dtype("<u4")
COUNTING = "counting"  # the folder of an unfinished count, inside the counts' own
_ENTRIES = 1 << 22  # of the matrix that are read at a time
WORDS, STARTS, ORDER, TIMES = "words.txt", "words.starts", "words.order", "words.times"
ROWS, COLUMNS, VALUES, TOTALS = "rows", "columns", "values", "totals"


class CountsFolder(WorkFolder):
    """The folder of counts."""

    what = "set of counts"
    description = "counts.json"
    format = 1
    keys = frozenset(("language", "hash", "corpus", "settings", "words", "entries", "weight", "value_bytes"))
    started = frozenset((COUNTING,))
    make = "Make one: winoglot corpus count DIR -o COUNTS."
    again = "Count again: winoglot corpus count … -o COUNTS --force."
    resume = "Run the same command again."


@dataclass(frozen=True, eq=False)
class Counts:
    """Open counts. `info` is the content of `counts.json`. Words are given as text; their case does not matter."""

    path: Path
    info: dict[str, Any]

    @property
    def language(self) -> str:
        """The language of the corpus, as a BCP 47 tag."""
        return str(self.info["language"])

    @property
    def hash(self) -> str:
        """The SHA-256 over all files of the counts."""
        return str(self.info["hash"])

    @property
    def window(self) -> int:
        """How many words on either side were counted."""
        return int(self.info["settings"]["window"])

    @property
    def positional(self) -> bool:
        """Whether each offset was counted separately."""
        return self._has_offsets

    @property
    def _has_offsets(self) -> bool:
        """Whether the files distinguish offsets; counts by character do not, even if their files do."""
        return bool(self.info["settings"]["positional"])

    @property
    def scale(self) -> int:
        """What a pair of neighbours counts in the files."""
        return self.window if self.info["settings"]["dynamic"] else 1

    @cached_property
    def words(self) -> WordFile:
        """The words and their numbers."""
        count = int(self.info["words"])
        starts = self._map_file(STARTS, PLACE, count + 1)
        # Of a text that was cut short, words beyond its end would seem not to have been counted.
        text = self._map_file(WORDS, np.dtype(np.uint8), int(starts[-1]))
        return WordFile(text, starts, self._map_file(ORDER, NUMBER, count), self._map_file(TIMES, PLACE, count))

    def times(self, word: str) -> int:
        """How often a word occurs in the text; 0 for one that was not counted."""
        number = self.words.number(word)
        return 0 if number is None else int(self.words.times[number])

    def cooccurrence(self, word: str, other: str, offset: int | None = None) -> float:
        """How often the other word occurs near the word; with an offset, that many places after it (before it, if < 0).

        With a dynamic window, neighbours count 1 and more distant words less. 0 if either word was not counted.
        """
        numbers = self.words.number(word), self.words.number(other)
        if numbers[0] is None or numbers[1] is None:
            return 0.0
        return self._sum(numbers[0], numbers[1], offset) / self.scale

    def total(self, word: str, offset: int | None = None) -> float:
        """How often any word occurs near the word; with an offset, how often the word is found there."""
        number = self.words.number(word)
        return 0.0 if number is None else float(self._totals[self._blocks(offset), number].sum()) / self.scale

    @cached_property
    def all_totals(self) -> np.ndarray:
        """`total` of every word: one row or, with positions, one for each of `offsets`."""
        return self._totals / self.scale

    @property
    def sum(self) -> float:
        """How often any word occurs near any other: each pair from both sides."""
        return 2 * float(self.info["weight"]) / self.scale

    @property
    def offsets(self) -> tuple[int | None, ...]:
        """The offsets that were counted separately; without positions only None."""
        if not self.positional:
            return (None,)
        before = tuple(-distance for distance in range(1, self.window + 1))
        return (*before, *(-offset for offset in before))

    def check_language(self, tag: str) -> None:
        """Refuse a language other than that of the counts."""
        if primary(self.language) != primary(tag):
            message = f"the counts are for {self.language}, the collection is in {tag}"
            raise InputError(message, remedy=f"Count a corpus in {tag}.", file=str(self.path))

    def _sum(self, word: int, other: int, offset: int | None) -> int:
        if offset is None and not self.positional:
            entry = self._entry(min(word, other), max(word, other))
            return 2 * entry if word == other else entry
        if offset is None:
            return sum(self._sum(word, other, place) for place in self.offsets)
        self._blocks(offset)
        first, second = (word, other) if offset > 0 else (other, word)
        return self._entry((abs(offset) - 1) * len(self.words) + first, second)

    def _entry(self, row: int, column: int) -> int:
        rows, columns, values = self._matrix
        start, end = int(rows[row]), int(rows[row + 1])
        # The number has the type of the columns: otherwise numpy would copy them all to compare.
        place = start + int(np.searchsorted(columns[start:end], NUMBER.type(column)))
        return int(values[place]) if place < end and columns[place] == column else 0

    def _blocks(self, offset: int | None) -> slice:
        """The rows of `totals` for an offset."""
        if offset is None:
            return slice(None)
        if not self.positional:
            message = "these counts do not distinguish positions"
            raise InputError(message, remedy="Count with --positional.", file=str(self.path))
        if not 1 <= abs(offset) <= self.window:
            message = f"there is no offset {offset} in a window of {self.window}"
            remedy = f"Give one from 1 to {self.window}, or from -{self.window} to -1."
            raise InputError(message, remedy=remedy, file=str(self.path))
        place = self.offsets.index(offset)
        return slice(place, place + 1)

    @cached_property
    def _matrix(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        rows = int(self.info["words"]) * (self.window if self._has_offsets else 1)
        entries = int(self.info["entries"])
        value = NUMBER if self.info["value_bytes"] == NUMBER.itemsize else PLACE
        return (
            self._map_file(ROWS, PLACE, rows + 1),
            self._map_file(COLUMNS, NUMBER, entries),
            self._map_file(VALUES, value, entries),
        )

    @cached_property
    def _totals(self) -> np.ndarray:
        blocks = 2 * self.window if self._has_offsets else 1
        count = int(self.info["words"])
        return self._map_file(TOTALS, PLACE, blocks * count).reshape(blocks, count)

    def _map_file(self, name: str, kind: np.dtype[Any], length: int | None) -> np.ndarray:
        return mapped(CountsFolder(self.path), name, kind, length)


@dataclass(frozen=True, eq=False)
class CharacterCounts(Counts):
    """Counts by character: two characters occur near each other if words that contain them do.

    Only for these `characters`. Distances are still in words, and those at which words occur are added up.
    """

    # A class of its own, not one more file of counts: a few hundred characters of a collection are asked for, and their
    # counts follow from those of the words by one pass over the matrix, so nothing has to be counted or stored for it.

    characters: tuple[str, ...] = ()

    @classmethod
    def of(cls, counts: Counts, characters: Iterable[str]) -> CharacterCounts:
        """Counts of these characters, derived from counts of words."""
        return cls(counts.path, counts.info, tuple(dict.fromkeys(characters)))

    @property
    def positional(self) -> bool:
        """False: offsets are not distinguished."""
        return False

    def times(self, word: str) -> int:
        """How many words of the text contain a character."""
        return int(self.words.times[self._containing[word]].sum()) if word in self._places else 0

    def cooccurrence(self, word: str, other: str, offset: int | None = None) -> float:
        """How often words that contain the characters occur near each other."""
        del offset
        if word not in self._places or other not in self._places:
            return 0.0
        return float(self._character_pairs[self._places[word], self._places[other]]) / self.scale

    def total(self, word: str, offset: int | None = None) -> float:
        """How often any word occurs near a word that contains the character."""
        del offset
        return float(self._totals[:, self._containing[word]].sum()) / self.scale if word in self._places else 0.0

    @cached_property
    def _places(self) -> dict[str, int]:
        return {character: place for place, character in enumerate(self.characters)}

    @cached_property
    def _containing(self) -> dict[str, list[int]]:
        """The numbers of the words that contain each character."""
        numbers: dict[str, list[int]] = {character: [] for character in self.characters}
        for number, word in enumerate(self.words.text.tobytes().decode().splitlines()):
            for character in set(word) & numbers.keys():
                numbers[character].append(number)
        return numbers

    @cached_property
    def _character_pairs(self) -> np.ndarray:
        """The sum over all pairs of words for each pair of characters, computed some rows of the matrix at a time."""
        from scipy.sparse import csr_array

        rows, columns, values = self._matrix
        words, size = len(self.words), len(self.characters)
        pairs = [
            (number, character_numbers)
            for char, character_numbers in self._places.items()
            for number in self._containing[char]
        ]
        word_numbers, character_numbers = np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2).T
        contains = csr_array((np.ones(len(word_numbers)), (word_numbers, character_numbers)), shape=(words, size))
        sums = np.zeros((size, size))
        start = 0
        while start < len(rows) - 1:
            end = max(start + 1, int(np.searchsorted(rows, rows[start] + _ENTRIES, side="right")) - 1)
            part = slice(int(rows[start]), int(rows[end]))
            shape = (end - start, words)
            block = csr_array((values[part], columns[part], rows[start : end + 1] - rows[start]), shape=shape)
            characters = contains[np.arange(start, end) % words]  # with positions, there is a row per word and distance
            sums += (characters.T @ block.astype(np.float64) @ contains).toarray()
            start = end
        return sums + sums.T  # each pair is in the matrix once


def open_counts(path: Path | str) -> Counts:
    """The counts in a folder; unfinished or damaged ones, or those of a corpus that has changed, are an input error."""
    path = Path(path)
    counts = Counts(path, CountsFolder(path).read())
    _ = counts.words, counts._matrix, counts._totals  # mapped now, so that a truncated file is noticed now
    _check_corpus(counts)
    return counts


def counts_hash(path: Path) -> str:
    """The SHA-256 over the files of the counts in a folder."""
    return files_hash(path, (WORDS, STARTS, ORDER, TIMES, ROWS, COLUMNS, VALUES, TOTALS))


def _check_corpus(counts: Counts) -> None:
    """Refuse counts whose corpus is still in its place but has changed; counts no longer need their corpus."""
    corpus_info = counts.info["corpus"]
    corpus = counts.path / corpus_info["path"]
    try:
        info = parse_json((corpus / CorpusFolder.description).read_bytes())
        # The length of the tokens is compared, not their hash, which would take long to compute.
        is_same = info["hash"] == corpus_info["hash"] and all(
            (corpus / f"{split}.tokens").stat().st_size == info["splits"][split]["tokens"] * TOKEN.itemsize
            for split in SPLITS
        )
    except (OSError, ValueError, KeyError, TypeError):
        return
    if not is_same:
        message = f"the corpus {corpus.resolve().name} has changed since it was counted"
        raise InputError(message, remedy=CountsFolder.again, file=str(counts.path))


@dataclass(frozen=True, eq=False)
class WordFile:
    """The words in their mapped files; a word is found by binary search."""

    text: np.ndarray
    starts: np.ndarray
    order: np.ndarray
    times: np.ndarray

    def __len__(self) -> int:
        """The number of words."""
        return len(self.order)

    def word(self, number: int) -> str:
        """The word with a number."""
        return self._line(number).decode()

    def number(self, word: str) -> int | None:
        """The number of a word, in any case; None for one that was not counted."""
        key = word_key(word).encode()
        place = bisect_left(range(len(self.order)), key, key=lambda position: self._line(int(self.order[position])))
        if place == len(self.order):
            return None
        number = int(self.order[place])
        return number if self._line(number) == key else None

    def _line(self, number: int) -> bytes:
        return self.text[int(self.starts[number]) : int(self.starts[number + 1]) - 1].tobytes()


def write_words(folder: Path, words: Sequence[str], times: np.ndarray) -> None:
    """Write the files that `WordFile` reads: the words in order, and how often each occurs."""
    encoded_words = [word.encode() for word in words]
    starts = np.zeros(len(encoded_words) + 1, PLACE)
    np.cumsum([len(word) + 1 for word in encoded_words], out=starts[1:])
    order = sorted(range(len(encoded_words)), key=encoded_words.__getitem__)
    (folder / WORDS).write_bytes(b"".join(word + b"\n" for word in encoded_words))
    (folder / STARTS).write_bytes(starts.tobytes())
    (folder / ORDER).write_bytes(np.array(order, NUMBER).tobytes())
    (folder / TIMES).write_bytes(times.astype(PLACE).tobytes())
