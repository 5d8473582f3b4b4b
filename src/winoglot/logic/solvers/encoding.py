"""Pairs as numbers: words with name slots, or bytes. Neither leaves a name unknown.

- `words`: the language's own tokens. Every name of a pair becomes a slot, a token that stands for "some person" or
  "some place", so that all a model can learn about a name is where it recurs, and new names are like any other.
  Slots are numbered in the order of mention, from the hypothesis on (names=mention): what is asked about has the same
  slots in every pair. Or they are drawn at random each time a pair is read in training (names=drawn), so that a model
  must remember which is which.
- `bytes`: the UTF-8 bytes of the sentences. There are 256 of them in every language, so a model can be trained in one
  language and tested in another, or start from a language model of bytes.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np
import torch

from winoglot.corpus.vocabulary import END_ID, UNKNOWN_ID
from winoglot.errors import InputError
from winoglot.languages.text import words
from winoglot.schemas.text import primary

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from winoglot.logic.pair import Pair

_MARKS = ("<unk>", "<eos>")  # the numbers that they have in every corpus; <eos> ends the premise and the hypothesis
_FIRST = len(_MARKS)
_MOST_UNKNOWN = 0.05  # share of the words; more means another language, or other data
_SLOT = re.compile(r"<(\D+)(\d+)>")
_MARK, _DIGITS = "\x1f", "0123456789"
_NAMED = re.compile(rf"<([^<>{_MARK}]*){_MARK}([^<>]*)>")  # a kind and a symbol in place of a name


def slotted(premise: str, hypothesis: str, names: Mapping[str, str]) -> tuple[str, str]:
    """Premise and hypothesis with a slot for each name: the kind of its symbol, and a number in the order of mention.

    The hypothesis counts as mentioned first.

    >>> slotted("Ana Reis saw Ana.", "Ana saw Rome.", {"x9": "Ana", "x4": "Ana Reis", "p1": "Rome"})
    (' <x1>  saw  <x0> .', ' <x0>  saw  <p0> .')
    """
    texts = [hypothesis, premise]
    for symbol, name in sorted(names.items(), key=lambda entry: len(entry[1]), reverse=True):  # names within names
        texts = [text.replace(name, f" <{symbol.rstrip(_DIGITS)}{_MARK}{symbol}> ") for text in texts]
    numbers: dict[str, str] = {}
    counts: Counter[str] = Counter()

    def slot(match: re.Match[str]) -> str:
        kind, symbol = match.groups()
        if symbol not in numbers:
            numbers[symbol] = f"<{kind}{counts[kind]}>"
            counts[kind] += 1
        return numbers[symbol]

    hypothesis, premise = (_NAMED.sub(slot, text) for text in texts)
    return premise, hypothesis


def tokens_of(text: str, language: str) -> list[str]:
    """The words of a sentence, in lower case, and its slots; of Chinese, its characters.

    >>> tokens_of(" <x0>  didn't visit  <p0> .", "en"), tokens_of("去过 <p0> 。", "zh")
    (['<x0>', 'did', "n't", 'visit', '<p0>', '.'], ['去', '过', '<p0>', '。'])
    """
    tokens: list[str] = []
    for part in re.split(r"(<\D+\d+>)", text):
        if _SLOT.fullmatch(part):
            tokens.append(part)
        elif part and not part.isspace():
            tokens += "".join(part.split()) if primary(language) == "zh" else _words(part, language)
    return tokens


@lru_cache(maxsize=2**16)
def _words(text: str, language: str) -> list[str]:
    """The words between two names: there are few such pieces of text, and they recur often."""
    return [word.lower() for word in words(text, language)]


def tokens_in(pair: Pair) -> tuple[list[str], list[str]]:
    """The words and slots of the premise and of the hypothesis."""
    return _tokens_in(pair.premise, pair.hypothesis, pair.language, tuple(pair.names.items()))


@lru_cache(maxsize=2**17)  # all pairs of a language: most jobs of an experiment read the same ones
def _tokens_in(
    premise: str, hypothesis: str, language: str, names: tuple[tuple[str, str], ...]
) -> tuple[list[str], list[str]]:
    first, second = (tokens_of(text, language) for text in slotted(premise, hypothesis, dict(names)))
    return first, second


@dataclass(frozen=True)
class Encoding:
    """How a model reads pairs: its tokens in the order of their numbers, and which sentence comes first.

    With words, the slots come last: `slots` of each kind, in the order of `kinds`. With one slot, all names of a kind
    share it, and a model sees as little of them as it would of unknown words.
    """

    tokens: str
    order: str
    words: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    slots: int = 0

    @classmethod
    def of(cls, pairs: Sequence[Pair], tokens: str, order: str, slots: int) -> Encoding:
        """The encoding for these training pairs."""
        if tokens == "bytes":
            return cls(tokens, order)
        tokens_seen = dict.fromkeys(word for pair in pairs for sentence in tokens_in(pair) for word in sentence)
        kinds = dict.fromkeys(slot.group(1) for word in tokens_seen if (slot := _SLOT.fullmatch(word)))
        return cls(
            tokens,
            order,
            tuple(sorted(word for word in tokens_seen if not _SLOT.fullmatch(word))),
            tuple(sorted(kinds)),
            slots,
        )

    def __len__(self) -> int:
        """The number of tokens, marks included."""
        return _FIRST + (256 if self.tokens == "bytes" else len(self.words) + self.slots * len(self.kinds))

    @cached_property
    def names(self) -> dict[str, int]:
        """The tokens without slots, as the vocabulary of a language model calls them (bytes: 00 to ff), by number."""
        tokens = self.words if self.tokens == "words" else tuple(f"{byte:02x}" for byte in range(256))
        return {token: _FIRST + number for number, token in enumerate(tokens)}

    @cached_property
    def _numbers(self) -> dict[str, int]:
        first = _FIRST + len(self.words)
        slots = [f"<{kind}{number}>" for kind in self.kinds for number in range(self.slots)]
        return self.names | {token: first + number for number, token in enumerate(slots)}

    def encode(self, pairs: Iterable[Pair], model: str = "the model") -> Encoded:
        """Pairs in numbers; too many unknown words, or too many names, are an input error."""
        pairs = list(pairs)
        rows = [self._row(pair) for pair in pairs]
        count, unknown = sum(map(len, rows)), sum(row.count(UNKNOWN_ID) for row in rows)
        if unknown > _MOST_UNKNOWN * max(1, count):
            languages = ", ".join(sorted({pair.language for pair in pairs}))
            message = f"{100 * unknown / count:.0f}% of the words of these pairs ({languages}) are unknown to {model}"
            remedy = "Test it on its own language and tasks, or train one that reads bytes: --set tokens=bytes."
            raise InputError(message, remedy=remedy)
        return Encoded.of(rows, self)

    def _row(self, pair: Pair) -> list[int]:
        if self.tokens == "bytes":
            sentences = [[_FIRST + byte for byte in text.encode()] for text in (pair.premise, pair.hypothesis)]
        else:
            sentences = [self._sentence(tokens, pair) for tokens in tokens_in(pair)]
        if self.order == "hypothesis-premise":
            sentences.reverse()
        return [number for sentence in sentences for number in (*sentence, END_ID)]

    def _sentence(self, tokens: Iterable[str], pair: Pair) -> list[int]:
        numbers = self._numbers
        return [numbers[token] if token in numbers else self._number_of(token, pair) for token in tokens]

    def _number_of(self, token: str, pair: Pair) -> int:
        """The number of a token not in the table: a word, or another name if all names of a kind share a slot."""
        slot = _SLOT.fullmatch(token)
        if slot is None:
            return UNKNOWN_ID
        kind = slot.group(1)
        if kind not in self.kinds:
            message = f"{pair.id} has a name of a kind that was not in training: {kind}"
            raise InputError(message, remedy="Test the model on its own tasks, or train it on pairs with such names.")
        if self.slots == 1:
            return self._numbers[f"<{kind}0>"]
        message = f"{pair.id} has more than {self.slots} names of the kind {kind}"
        raise InputError(message, remedy="Train the model with more slots: --set slots=…")

    def to_text(self) -> str:
        """The content of a model's `vocabulary.txt`: one token per line."""
        return "".join(f"{word}\n" for word in self.words)

    def redraw(self, rows: torch.Tensor) -> torch.Tensor:
        """The rows with other slots, drawn from torch's generator: the same name has the same slot within a row."""
        first = _FIRST + len(self.words)
        for start in range(first, first + self.slots * len(self.kinds), self.slots or 1):
            new_slots = torch.rand(len(rows), self.slots, device=rows.device).argsort(1) + start
            is_slot = (rows >= start) & (rows < start + self.slots)
            rows = torch.where(is_slot, new_slots.gather(1, (rows - start).clamp(0, self.slots - 1)), rows)
        return rows


@dataclass(frozen=True)
class Encoded:
    """Pairs in numbers, one row each, padded with 0 at the end; `lengths` say where."""

    rows: torch.Tensor
    lengths: np.ndarray
    encoding: Encoding

    @classmethod
    def of(cls, rows: Sequence[Sequence[int]], encoding: Encoding) -> Encoded:
        """Pad rows of any length into one table."""
        lengths = np.array([len(row) for row in rows], dtype=np.int64)
        table = np.zeros((len(rows), int(lengths.max(initial=1))), dtype=np.int32)
        for line, row in zip(table, rows, strict=True):
            line[: len(row)] = row
        return cls(torch.from_numpy(table), lengths, encoding)

    def to(self, device: torch.device) -> Encoded:
        """Copy the rows to a device."""
        return Encoded(self.rows.to(device), self.lengths, self.encoding)

    def batch(self, numbers: np.ndarray, *, redraw: bool) -> tuple[torch.Tensor, np.ndarray]:
        """The rows with these numbers, cut to the longest of them, and their lengths."""
        lengths = self.lengths[numbers]
        indices = torch.from_numpy(numbers).to(self.rows.device, non_blocking=True)
        rows = self.rows[indices, : int(lengths.max())].long()
        return (self.encoding.redraw(rows) if redraw else rows), lengths


def by_length(lengths: np.ndarray, size: int, most: int, draw: np.random.Generator | None = None) -> list[np.ndarray]:
    """The numbers of rows in batches of similar length, of at most `size` rows and `most` tokens with their padding.

    With a generator, rows are shuffled, and sorted by length only within each part of 16 batches; batches come in any
    order. Without one they are sorted as a whole.
    """
    order = np.arange(len(lengths)) if draw is None else draw.permutation(len(lengths))
    part = len(order) if draw is None else 16 * size
    batches: list[np.ndarray] = []
    for start in range(0, len(order), max(1, part)):
        part_rows = order[start : start + part]
        part_rows = part_rows[np.argsort(lengths[part_rows], kind="stable")]
        while len(part_rows):
            count = min(size, len(part_rows))
            while count > 1 and count * lengths[part_rows[count - 1]] > most:
                count -= max(1, count // 8)
            batches.append(part_rows[:count])
            part_rows = part_rows[count:]
    return batches if draw is None else [batches[number] for number in draw.permutation(len(batches))]
