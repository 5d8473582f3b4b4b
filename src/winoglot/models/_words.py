"""Texts as the words of a vocabulary, as a corpus would have them: cut into sentences, `<eos>` between."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from winoglot.errors import InputError
from winoglot.languages.sentences import sentence_spans
from winoglot.languages.tokens import word_spans
from winoglot.models.base import TokenCount
from winoglot.schemas.text import primary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.corpus.vocabulary import Vocabulary

_ENDS = (".", "!", "?", "…", "...", "。", "！", "？")


@dataclass(frozen=True, eq=False)
class WordText:
    """A text's words, where they stand, their ids, and in which sentence they are.

    An `<eos>` between two sentences is a word without characters at the end of the first.
    """

    text: str
    ids: np.ndarray
    starts: np.ndarray
    ends: np.ndarray
    sentences: np.ndarray

    def word(self, place: int) -> str:
        """The word at a place."""
        return self.text[self.starts[place] : self.ends[place]]

    @property
    def several_sentences(self) -> bool:
        """Whether there is more than one."""
        return len(self.sentences) > 0 and int(self.sentences[-1]) > 0


class WordEncoder:
    """Makes texts of one language into the words of a vocabulary."""

    def __init__(self, vocabulary: Vocabulary, language: str) -> None:
        """Of the text that the vocabulary counts, and where that has no `<eos>` behind sentences, there is none."""
        self.vocabulary = vocabulary
        self.language = language
        self.mark_ends = marks_sentences(vocabulary)

    def check_language(self, language: str, model: str) -> None:
        """Refuse texts of another language."""
        if primary(language) != primary(self.language):
            message = f"{model} was trained on {self.language}, the collection is in {language}"
            raise InputError(message, remedy=f"Train a model on a corpus in {language}.")

    def encode(self, text: str) -> WordText:
        """The words of a text.

        >>> from winoglot.corpus.vocabulary import Vocabulary
        >>> words = Vocabulary(("<unk>", "<eos>", "Chove", "."), np.array([0, 9, 8, 7]))
        >>> made = WordEncoder(words, "pt").encode("Chove. Chove!")
        >>> made.ids.tolist(), made.starts.tolist(), made.sentences.tolist()
        ([2, 3, 1, 2, 0], [0, 5, 6, 7, 12], [0, 0, 0, 1, 1])
        """
        rows: list[tuple[int, int, int, int]] = []
        for number, sentence in enumerate(sentence_spans(text, self.language)):
            if number and self.mark_ends:
                end = rows[-1][2]
                rows.append((self.vocabulary.eos, end, end, number - 1))
            for span in word_spans(sentence.of(text), self.language):
                start, end = sentence.start + span.start, sentence.start + span.end
                rows.append((self.vocabulary.id(text[start:end]), start, end, number))
        columns = np.array(rows, dtype=np.int64).reshape(-1, 4).T
        return WordText(text, columns[0], columns[1], columns[2], columns[3])

    def count(self, text: str) -> TokenCount:
        """How many words a text has, and how many of them are not in the vocabulary."""
        ids = self.encode(text).ids
        return TokenCount(len(ids), int((ids == self.vocabulary.unk).sum()))


def marks_sentences(vocabulary: Vocabulary) -> bool:
    """Whether a text has `<eos>` behind its sentences; tokenised ones often have it behind paragraphs or articles.

    >>> from winoglot.corpus.vocabulary import Vocabulary
    >>> marks_sentences(Vocabulary(("<unk>", "<eos>", ".", "?"), np.array([0, 40, 39, 5])))
    True
    >>> marks_sentences(Vocabulary(("<unk>", "<eos>", ".", "?"), np.array([0, 2, 39, 5])))
    False
    """
    ends = sum(int(vocabulary.counts[vocabulary.id(mark)]) for mark in _ENDS if mark in vocabulary)
    return 2 * int(vocabulary.counts[vocabulary.eos]) >= ends


def differing(texts: Sequence[WordText]) -> list[range]:
    """The places of each text between the words that all begin with and those that all end with.

    >>> from winoglot.corpus.vocabulary import Vocabulary
    >>> encode = WordEncoder(Vocabulary(("<unk>", "<eos>"), np.array([0, 0])), "en").encode
    >>> differing([encode("The old cat slept."), encode("The dog slept.")])
    [range(1, 3), range(1, 2)]
    """
    words = [[text.word(place) for place in range(len(text.ids))] for text in texts]
    shortest = min(map(len, words))
    start = 0
    while start < shortest and len({one[start] for one in words}) == 1:
        start += 1
    end = 0
    while end < shortest - start and len({one[-1 - end] for one in words}) == 1:
        end += 1
    return [range(start, len(one) - end) for one in words]
