"""An article as numbered tokens, its sentences ended by `<eos>`: the inner loop of a build."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.corpus.vocabulary import END, UNKNOWN
from winoglot.languages.sentences import sentences
from winoglot.languages.tokens import words

if TYPE_CHECKING:
    from collections.abc import Iterator

UNKNOWN_ID, END_ID = 0, 1  # in every numbering


class Numbering(dict[str, int]):
    """Numbers words as they come, from 2.

    >>> numbering = Numbering()
    >>> [numbering[word] for word in ["chove", "muito", "chove", "<unk>"]]
    [2, 3, 2, 0]
    """

    def __init__(self) -> None:
        """With the two marks alone. A text that happens to hold `<eos>` has no sentence end there."""
        super().__init__({UNKNOWN: UNKNOWN_ID, END: UNKNOWN_ID})

    def __missing__(self, word: str) -> int:
        """Give a word that is new the next number."""
        self[word] = number = len(self)
        return number

    def words(self) -> list[str]:
        """Those with a number of their own, in its order."""
        return list(self)[2:]


def tokenise(text: str, language: str, numbering: Numbering) -> list[int]:
    """The tokens of prose, one paragraph a line: cut into sentences and words by the language's rules.

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
    """The tokens of a text that is tokenised already: what stands between blanks.

    A sentence ends at a line's end and at `<eos>`; two such ends with nothing between are one.

    >>> take_tokens("Chove . <eos> Muito .\\n", Numbering())
    [2, 3, 1, 4, 3, 1]
    """
    result: list[int] = []
    number = numbering.__getitem__
    for sentence in _sentences(text):
        if tokens := sentence.split():
            result.extend(map(number, tokens))
            result.append(END_ID)
    return result


def _sentences(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        if END not in line:
            yield line
            continue
        sentence: list[str] = []
        for token in line.split():
            if token == END:
                yield " ".join(sentence)
                sentence = []
            else:
                sentence.append(token)
        yield " ".join(sentence)
