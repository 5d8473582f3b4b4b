"""Words and their numbers: the vocabulary of a corpus, and text turned into numbered tokens.

Every sentence ends with `<eos>`; words outside the vocabulary are `<unk>`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from winoglot.errors import InputError
from winoglot.languages.text import sentences, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

UNKNOWN, END = "<unk>", "<eos>"
UNKNOWN_ID, END_ID = 0, 1  # in every numbering
_REMEDY = "The file was changed: build the corpus again."


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Words in the order of their ids: `<unk>`, `<eos>`, then from the most frequent to the least.

    >>> words = Vocabulary(("<unk>", "<eos>", "chove", "muito"), np.array([1, 2, 3, 1]))
    >>> words.ids(["chove", "hoje"]).tolist(), words.word(3), len(words)
    ([2, 0], 'muito', 4)
    """

    words: tuple[str, ...]
    counts: np.ndarray  # how often train has each word
    unk: int = UNKNOWN_ID
    eos: int = END_ID

    def __len__(self) -> int:
        """The number of types, `<unk>` and `<eos>` included."""
        return len(self.words)

    def __contains__(self, word: object) -> bool:
        """Whether the word has an id of its own."""
        return word in self._index

    def word(self, number: int) -> str:
        """The word with an id."""
        return self.words[number]

    def id(self, word: str) -> int:
        """The id of a word, or that of `<unk>`."""
        return self._index.get(word, self.unk)

    def ids(self, words: Iterable[str]) -> np.ndarray:
        """The ids of several words."""
        get, unknown = self._index.get, self.unk
        return np.array([get(word, unknown) for word in words], dtype=np.uint32)

    @cached_property
    def _index(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words)}

    def to_text(self) -> str:
        """The content of `vocabulary.txt`: one word and its count per line, in the order of the ids."""
        return "".join(f"{word}\t{count}\n" for word, count in zip(self.words, self.counts.tolist(), strict=True))


def read_vocabulary(path: Path) -> Vocabulary:
    """The vocabulary in a file; a malformed line is an input error."""
    try:
        text = path.read_bytes().decode()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read: {error}", remedy=_REMEDY, file=str(path)) from error
    lines = text.split("\n")
    words, counts = [], []
    for number, line in enumerate(lines[:-1], start=1):
        word, _, count = line.rpartition("\t")
        if not word or not count.isdecimal():
            message = f"expected a word, a tab and a count, found {line[:80]!r}"
            raise InputError(message, remedy=_REMEDY, file=str(path), line=number)
        words.append(word)
        counts.append(int(count))
    if lines[-1] or words[:2] != [UNKNOWN, END] or len(set(words)) != len(words):
        message = f"not a vocabulary: expected {UNKNOWN} and {END} first, no word twice, and a line break at the end"
        raise InputError(message, remedy=_REMEDY, file=str(path))
    return Vocabulary(tuple(words), np.array(counts, dtype=np.uint64))


class Numbering(dict[str, int]):
    """Numbers words in the order in which they come, from 2.

    >>> numbering = Numbering()
    >>> [numbering[word] for word in ["chove", "muito", "chove", "<unk>"]]
    [2, 3, 2, 0]
    """

    def __init__(self) -> None:
        """Start with the two marks. A text that happens to contain `<eos>` does not end a sentence with it."""
        super().__init__({UNKNOWN: UNKNOWN_ID, END: UNKNOWN_ID})

    def __missing__(self, word: str) -> int:
        """Give a new word the next number."""
        self[word] = number = len(self)
        return number

    def words(self) -> list[str]:
        """The words that were numbered, in order."""
        return list(self)[2:]


def tokenise(text: str, language: str, numbering: Numbering) -> list[int]:
    """The tokens of prose with one paragraph per line, cut into sentences and words by the language's rules.

    >>> numbering = Numbering()
    >>> tokenise("Chove muito. Chove!\\nMuito", "pt", numbering), numbering.words()
    ([2, 3, 4, 1, 2, 5, 1, 6, 1], ['Chove', 'muito', '.', '!', 'Muito'])
    """
    result: list[int] = []
    number = numbering.__getitem__
    for paragraph in text.split("\n"):
        for sentence in sentences(paragraph, language):
            result.extend(map(number, words(sentence, language)))
            result.append(END_ID)
    return result


def take_tokens(text: str, numbering: Numbering) -> list[int]:
    """The tokens of a text that is already tokenised, with spaces between them.

    A sentence ends at the end of a line and at `<eos>`; two ends with nothing between them are one.

    >>> take_tokens("Chove . <eos> Muito .\\n", Numbering())
    [2, 3, 1, 4, 3, 1]
    """
    result: list[int] = []
    number = numbering.__getitem__
    for sentence in _tokenised_sentences(text):
        if sentence:
            result.extend(map(number, sentence))
            result.append(END_ID)
    return result


def _tokenised_sentences(text: str) -> Iterator[list[str]]:
    for line in text.split("\n"):
        if END not in line:  # most lines
            yield line.split()
            continue
        sentence: list[str] = []
        for token in line.split():
            if token == END:
                yield sentence
                sentence = []
            else:
                sentence.append(token)
        yield sentence
