"""The words a corpus knows: their numbers, and how often training text has them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from winoglot.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

UNKNOWN, END = "<unk>", "<eos>"  # every word outside the vocabulary; the end of a sentence
_REMEDY = "The file was changed: build the corpus again."


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Words in the order of their ids: `<unk>`, `<eos>`, then from the most frequent to the least.

    >>> words = Vocabulary(("<unk>", "<eos>", "chove", "muito"), np.array([1, 2, 3, 1]))
    >>> words.ids(["chove", "hoje"]).tolist(), words.word(3), len(words)
    ([2, 0], 'muito', 4)
    """

    words: tuple[str, ...]
    counts: np.ndarray  # in train, of every word
    unk: int = 0
    eos: int = 1

    def __len__(self) -> int:
        """How many types there are, `<unk>` and `<eos>` among them."""
        return len(self.words)

    def __contains__(self, word: object) -> bool:
        """Whether the word has an id of its own."""
        return word in self._index

    def word(self, number: int) -> str:
        """The word of an id."""
        return self.words[number]

    def id(self, word: str) -> int:
        """The id of a word, that of `<unk>` if it has none."""
        return self._index.get(word, self.unk)

    def ids(self, words: Iterable[str]) -> np.ndarray:
        """The ids of several words."""
        get, unknown = self._index.get, self.unk
        return np.array([get(word, unknown) for word in words], dtype=np.uint32)

    @cached_property
    def _index(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words)}

    def to_text(self) -> str:
        """The content of `vocabulary.txt`: a word and its count a line; the line's place is the id."""
        return "".join(f"{word}\t{count}\n" for word, count in zip(self.words, self.counts.tolist(), strict=True))


def read_vocabulary(path: Path) -> Vocabulary:
    """The vocabulary in a file; what is none is an input error with its line."""
    try:
        text = path.read_bytes().decode()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read: {error}", remedy=_REMEDY, file=str(path)) from error
    lines = text.split("\n")
    words, counts = [], []
    for number, line in enumerate(lines[:-1], start=1):
        word, _, count = line.rpartition("\t")
        if not word or not count.isdecimal():
            message = f"{line[:80]!r} is not a word, a tab and a count"
            raise InputError(message, remedy=_REMEDY, file=str(path), line=number)
        words.append(word)
        counts.append(int(count))
    if lines[-1] or words[:2] != [UNKNOWN, END] or len(set(words)) != len(words):
        message = f"is no vocabulary: it begins with {UNKNOWN} and {END}, ends with a line break, has no word twice"
        raise InputError(message, remedy=_REMEDY, file=str(path))
    return Vocabulary(tuple(words), np.array(counts, dtype=np.uint64))
