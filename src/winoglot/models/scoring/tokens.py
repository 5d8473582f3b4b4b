"""The tokens of a text: which characters they cover, which of them a model knows, and from their log probabilities to
partial, full and normalised scores.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np

from winoglot.errors import InputError
from winoglot.models.base import NO_TOKENS, Question, Scores, TokenCount

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

SCORINGS = ("partial", "full", "normalised")
_MOST_UNKNOWN = 0.1  # share of unknown tokens above which scores mean nothing
_ENOUGH = 100  # tokens to judge that by; in fewer tokens one rare character weighs too much, unless most are unknown


@dataclass(frozen=True)
class TokenScores:
    """The log probability of each token of a text given those before it, and the characters that it covers."""

    starts: np.ndarray
    ends: np.ndarray
    logprobs: np.ndarray

    def boundaries(self) -> set[int]:
        """The positions where a token begins and no other token continues."""
        return _boundaries(self.starts, self.ends)

    def after(self, place: int) -> TokenScores:
        """The tokens that end after that character, which is their first; a token that reaches across it is cut."""
        if place == 0:
            return self
        is_kept = self.ends > place
        return TokenScores(
            np.maximum(self.starts[is_kept] - place, 0), self.ends[is_kept] - place, self.logprobs[is_kept]
        )


@dataclass(frozen=True)
class Continuation:
    """The second half of a text's tokens, and what a model wrote after the first; as ids, or as text.

    >>> continuation = Continuation(("fell", "off", "the", "shelf"), ("fell", "on", "the", "shelf", "."))
    >>> continuation.share_reproduced, continuation.longest_run
    (0.75, 2)
    """

    expected: tuple[int | str, ...]
    written: tuple[int | str, ...]

    @property
    def share_reproduced(self) -> float:
        """The share of the expected tokens that are written in their place."""
        return sum(a == b for a, b in zip(self.expected, self.written, strict=False)) / len(self.expected)

    @property
    def longest_run(self) -> int:
        """The most expected tokens that are written one after the other, at any place."""
        matcher = SequenceMatcher(None, self.expected, self.written, autojunk=False)
        return matcher.find_longest_match().size


def continued(
    sequences: Sequence[Sequence[int]], write: Callable[[list[tuple[int, ...]], int], list[list[int]]], most: int
) -> list[Continuation]:
    """What is written after the first half, the shorter one, of each token sequence.

    `write` is called with first halves of one length, of about `most` tokens with what is to be written, and with the
    number of tokens to write after each; it may write fewer. A sequence of fewer than two tokens has no continuation.

    >>> continued([[1, 2, 3, 4], [1, 2, 9]], lambda halves, room: [[7] * room for _ in halves], most=10)
    [Continuation(expected=(3, 4), written=(7, 7)), Continuation(expected=(2, 9), written=(7, 7))]
    """
    halves = {tuple(sequence[: len(sequence) // 2]) for sequence in sequences if len(sequence) > 1}
    continuation_by_half: dict[tuple[int, ...], list[int]] = {}
    for length, group in groupby(sorted(halves, key=lambda half: (len(half), half)), key=len):
        prompts, rows = list(group), max(1, most // (2 * length + 1))
        for batch in (prompts[start : start + rows] for start in range(0, len(prompts), rows)):
            continuation_by_half.update(zip(batch, write(batch, length + 1), strict=True))
    continuations = []
    for sequence in sequences:
        half = len(sequence) // 2
        continuation = continuation_by_half.get(tuple(sequence[:half]), [])
        continuations.append(
            Continuation(tuple(sequence[half:]), tuple(continuation[: len(sequence) - half]))
            if half
            else Continuation((), ())
        )
    return continuations


def scores_of(question: Question, tokens: Sequence[TokenScores], scoring: str) -> Scores:
    """The scores of a question, from the token scores of each of its readings."""
    counts = tuple(len(reading.logprobs) for reading in tokens)
    if scoring == "full":
        return Scores(tuple(float(reading.logprobs.sum()) for reading in tokens), tokens=counts)
    if scoring == "normalised":
        means = (float(r.logprobs.mean()) if len(r.logprobs) else None for r in tokens)
        return Scores(tuple(means), tokens=counts)
    return _partial(question, tokens)


def _partial(question: Question, tokens: Sequence[TokenScores]) -> Scores:
    """The scores over the tokens from the first position in the window that is a token boundary in every reading."""
    if question.window.is_empty:
        return Scores.undefined(question, "empty window")
    lengths = [len(reading.text) for reading in question.readings]
    width = len(question.window.text)
    scored = scored_width(question, tokens)
    if scored is None:
        return Scores((None,) * len(tokens), note="no token boundary in the window", skipped=width)
    masks = [reading.starts >= length - scored for length, reading in zip(lengths, tokens, strict=True)]
    values = tuple(float(reading.logprobs[mask].sum()) for reading, mask in zip(tokens, masks, strict=True))
    return Scores(values, skipped=width - scored, tokens=tuple(int(mask.sum()) for mask in masks))


def _boundaries(starts: np.ndarray, ends: np.ndarray) -> set[int]:
    places = set(starts.tolist())
    if (starts[1:] >= ends[:-1]).all():  # tokens overlap only where several make up a character
        return places
    spans = zip(starts.tolist(), ends.tolist(), strict=True)
    return places - {place for start, end in spans for place in range(start + 1, end)}


def scored_width(question: Question, tokens: Sequence[TokenScores | EncodedText]) -> int | None:
    """The characters at the end of every reading that partial scoring scores; None if it cannot score any.

    They begin at the first position in the window that is a token boundary in every reading.
    """
    width = len(question.window.text)
    lengths = [len(reading.text) for reading in question.readings]
    shared = set.intersection(
        *(
            {length - boundary for boundary in text.boundaries() if boundary >= length - width}
            for length, text in zip(lengths, tokens, strict=True)
        )
    )
    return max(shared, default=None)


@dataclass(frozen=True)
class EncodedText:
    """The tokens of a text, and where each begins and ends in it."""

    ids: list[int]
    starts: np.ndarray
    ends: np.ndarray

    def boundaries(self) -> set[int]:
        """The positions where a token begins and no other token continues."""
        return _boundaries(self.starts, self.ends)


class Encoder:
    """The tokenizer of a causal model, and the token that opens every sequence."""

    def __init__(self, tokenizer: Any, name: str) -> None:
        """The opening token is the one the model was trained with: BOS, otherwise the one that ends a document."""
        check_offsets(tokenizer, name)
        self.tokenizer = tokenizer
        openers = (tokenizer.bos_token_id, tokenizer.eos_token_id)
        start: int | None = next((token for token in openers if token is not None), None)
        if start is None:
            raise InputError(
                f"the tokenizer of {name} has no token to begin a text with, so the first word could not be scored",
                remedy="Give the tokenizer a bos_token or an eos_token.",
            )
        self.start = start
        self._last: dict[str, EncodedText] = {}  # the tokens of a batch are counted before it is scored

    def encode(self, texts: Sequence[str]) -> list[EncodedText]:
        """Each text as the model would tokenise it, without special tokens."""
        encoded = {text: self._last[text] for text in texts if text in self._last}
        new = [text for text in dict.fromkeys(texts) if text not in encoded]
        for text, row in zip(new, _fast(self.tokenizer).encode_batch(new, add_special_tokens=False), strict=True):
            places = np.array(row.offsets, dtype=np.int64).reshape(-1, 2)
            encoded[text] = EncodedText(row.ids, places[:, 0], places[:, 1])
        self._last = encoded
        return [encoded[text] for text in texts]


def check_offsets(tokenizer: Any, name: str) -> None:
    """Reject a tokenizer that does not say which characters a token covers."""
    if not getattr(tokenizer, "is_fast", False):
        raise InputError(
            f"the tokenizer of {name} does not say which characters a token covers",
            remedy="Use a model with a fast tokenizer (tokenizer.json).",
        )


def count_tokens(tokenizer: Any, texts: Sequence[str]) -> list[TokenCount]:
    """The tokens of each text, without special tokens."""
    unknown = tokenizer.unk_token_id
    rows = _fast(tokenizer).encode_batch_fast(list(texts), add_special_tokens=False)
    return [TokenCount(len(row), 0 if unknown is None else row.ids.count(unknown)) for row in rows]


def _fast(tokenizer: Any) -> Any:
    """What a tokenizer wraps, called directly: the wrapper takes longer than tokenizing."""
    fast = tokenizer.backend_tokenizer
    fast.no_truncation()
    fast.no_padding()
    return fast


def check_known(counts: Iterable[TokenCount], name: str) -> None:
    """Reject texts in which too much is unknown.

    >>> check_known([TokenCount(90, 20), TokenCount(90, 0)], "tiny")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    winoglot.errors.InputError: 11% of the tokens are unknown to tiny: its tokenizer lacks the script. Use a model ...
    >>> check_known([TokenCount(9, 2)], "tiny")
    """
    total = sum(counts, NO_TOKENS)
    share = total.unknown / max(1, total.tokens)
    if share > (_MOST_UNKNOWN if total.tokens >= _ENOUGH else 0.5):
        raise InputError(
            f"{share:.0%} of the tokens are unknown to {name}: its tokenizer lacks the script",
            remedy="Use a model that was trained on this language.",
        )
