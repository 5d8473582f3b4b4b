"""The words that counts are of: those of a corpus in small letters, the most frequent first, in a file to search in."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from winoglot.corpus._pairs import INDEX
from winoglot.corpus.reading import TOKEN
from winoglot.errors import InputError
from winoglot.languages.frequencies import word_key

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from winoglot.corpus.reading import Corpus

PLACE, NUMBER = np.dtype("<u8"), np.dtype("<u4")
WORDS, STARTS, ORDER, TIMES = "words.txt", "words.starts", "words.order", "words.times"
_AT_ONCE = 1 << 20  # tokens


@dataclass(frozen=True, eq=False)
class CountedWords:
    """Words, how often each occurs, and the number of each of the corpus's own words among them (-1: none)."""

    words: tuple[str, ...]
    times: np.ndarray
    numbers: np.ndarray

    def write(self, folder: Path) -> None:
        """Write the files that `WordFile` reads."""
        spelled = [word.encode() for word in self.words]
        starts = np.zeros(len(spelled) + 1, PLACE)
        np.cumsum([len(word) + 1 for word in spelled], out=starts[1:])
        order = sorted(range(len(spelled)), key=spelled.__getitem__)
        (folder / WORDS).write_bytes(b"".join(word + b"\n" for word in spelled))
        (folder / STARTS).write_bytes(starts.tobytes())
        (folder / ORDER).write_bytes(np.array(order, NUMBER).tobytes())
        (folder / TIMES).write_bytes(self.times.astype(PLACE).tobytes())


def choose_words(corpus: Corpus, splits: Sequence[str], min_count: int) -> CountedWords:
    """The words to count: those that occur at least so often, whatever their capitals; no `<unk>` and no `<eos>`."""
    vocabulary = corpus.vocabulary
    times = np.zeros(len(vocabulary), np.int64)
    for split in splits:
        path, length = corpus.path / f"{split}.tokens", len(corpus.split(split).tokens)
        for start in range(0, length, _AT_ONCE):
            tokens = np.fromfile(path, TOKEN, _AT_ONCE, offset=start * TOKEN.itemsize)
            times += np.bincount(tokens, minlength=len(vocabulary))
    spellings: defaultdict[str, list[int]] = defaultdict(list)
    for number, word in enumerate(vocabulary.words):
        if number not in (vocabulary.unk, vocabulary.eos):
            spellings[word_key(word)].append(number)
    found = [(int(times[numbers].sum()), word) for word, numbers in spellings.items()]
    chosen = sorted((-count, word) for count, word in found if count >= max(1, min_count))
    if not chosen:
        most = max((count for count, _ in found), default=0)
        message = f"no word occurs {min_count} times; the most frequent occurs {most} times"
        raise InputError(message, remedy="Lower --min-count.", file=str(corpus.path))
    numbers = np.full(len(vocabulary), -1, INDEX)
    for place, (_, word) in enumerate(chosen):
        numbers[spellings[word]] = place
    return CountedWords(tuple(word for _, word in chosen), np.array([-count for count, _ in chosen]), numbers)


@dataclass(frozen=True, eq=False)
class WordFile:
    """The words in their files, mapped and not read: a word is found by halving."""

    text: np.ndarray
    starts: np.ndarray
    order: np.ndarray
    times: np.ndarray

    def __len__(self) -> int:
        """How many there are."""
        return len(self.order)

    def word(self, number: int) -> str:
        """The word of a number."""
        return self._line(number).decode()

    def number(self, word: str) -> int | None:
        """The number of a word, whatever its capitals; None for one that was not counted."""
        wanted = word_key(word).encode()
        place = bisect_left(range(len(self.order)), wanted, key=lambda at: self._line(int(self.order[at])))
        if place == len(self.order):
            return None
        number = int(self.order[place])
        return number if self._line(number) == wanted else None

    def _line(self, number: int) -> bytes:
        return self.text[int(self.starts[number]) : int(self.starts[number + 1]) - 1].tobytes()
