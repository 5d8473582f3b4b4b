"""From the log probabilities of a reading's tokens to full, partial and normalised scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from winoglot.models.base import Question, Scores

if TYPE_CHECKING:
    from collections.abc import Sequence

SCORINGS = ("partial", "full", "normalised")


@dataclass(frozen=True)
class TokenScores:
    """The log probability of each token of a text given all before it, and the characters it covers."""

    starts: np.ndarray
    ends: np.ndarray
    logprobs: np.ndarray

    def boundaries(self) -> set[int]:
        """The places where a token begins and none runs across."""
        covered = {at for start, end in zip(self.starts, self.ends, strict=True) for at in range(start + 1, end)}
        return {int(start) for start in self.starts} - covered


def scores_of(question: Question, tokens: Sequence[TokenScores], scoring: str) -> Scores:
    """The scores of a question whose readings have these tokens."""
    counts = tuple(len(reading.logprobs) for reading in tokens)
    if scoring == "full":
        return Scores(tuple(float(reading.logprobs.sum()) for reading in tokens), tokens=counts)
    if scoring == "normalised":
        means = (float(r.logprobs.mean()) if len(r.logprobs) else None for r in tokens)
        return Scores(tuple(means), tokens=counts)
    return _partial(question, tokens)


def _partial(question: Question, tokens: Sequence[TokenScores]) -> Scores:
    """Over the tokens from the first place of the window on that is a token boundary in every reading."""
    undefined = (None,) * len(tokens)
    if question.window.is_empty:
        return Scores(undefined, note="empty window")
    lengths = [len(reading.text) for reading in question.readings]
    width = len(question.window.text)
    shared = set.intersection(
        *(
            {length - at for at in reading.boundaries() if at >= length - width}
            for length, reading in zip(lengths, tokens, strict=True)
        )
    )
    if not shared:
        return Scores(undefined, note="no token boundary in the window", skipped=width)
    kept = max(shared)
    inside = [reading.starts >= length - kept for length, reading in zip(lengths, tokens, strict=True)]
    values = tuple(float(reading.logprobs[mask].sum()) for reading, mask in zip(tokens, inside, strict=True))
    return Scores(values, skipped=width - kept, tokens=tuple(int(mask.sum()) for mask in inside))
