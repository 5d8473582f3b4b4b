"""Text cut into columns that are read side by side, each from its top to its end."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

_SPREAD = 5.0  # of the lengths that are drawn
_SHORTEST = 5
_HALVED = 0.05  # of the steps look back half as far


@dataclass(frozen=True)
class Columns:
    """Consecutive stretches of a text: column c goes from `bounds[c]` to `bounds[c + 1]`.

    >>> columns = Columns(np.array([7, 8, 9, 5, 6], dtype=np.uint32), (0, 2, 4), eos=1)
    >>> tokens, targets = columns.block(0, 2)
    >>> tokens.tolist(), targets.tolist()
    ([[1, 8], [7, 9]], [[7, 9], [8, 5]])
    """

    tokens: np.ndarray
    bounds: tuple[int, ...]
    eos: int  # what stands before the text

    def block(self, start: int, length: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Tokens and what follows each, [length, columns], from the place `start` of each column on."""
        whole = self.read(start, length)
        return whole[:-1], whole[1:]

    def read(self, start: int, length: int) -> torch.Tensor:
        """The same as one, [length + 1, columns]: what stands before the place, and so many tokens from it on."""
        places = np.array(self.bounds[:-1], dtype=np.int64) + np.arange(start, start + length + 1)[:, None] - 1
        # A column that is shorter than others repeats what nobody counts.
        read = self.tokens[np.clip(places, 0, len(self.tokens) - 1)].astype(np.int64)
        read[places < 0] = self.eos
        return torch.from_numpy(read)


def equal_columns(tokens: np.ndarray, count: int, eos: int) -> Columns:
    """Columns of one length; less than one token a column is left over at the end."""
    length = len(tokens) // count
    return Columns(tokens, tuple(range(0, length * count + 1, length)) if length else (0,) * (count + 1), eos)


def all_columns(tokens: np.ndarray, count: int, eos: int) -> Columns:
    """Columns that leave nothing out: their lengths differ by one at most."""
    return Columns(tokens, tuple(number * len(tokens) // count for number in range(count + 1)), eos)


def step_lengths(total: int, sequence: int, *, varied: bool, seed: int, epoch: int) -> list[tuple[int, int]]:
    """Where the steps of an epoch begin in the columns and how long they are; the last takes what is left.

    >>> step_lengths(80, 35, varied=False, seed=0, epoch=0)
    [(0, 35), (35, 35), (70, 10)]
    """
    draw = np.random.default_rng([seed, epoch])
    steps: list[tuple[int, int]] = []
    start = 0
    while start < total:
        length = sequence
        if varied:
            mean = sequence / 2 if draw.random() < _HALVED else sequence
            length = max(_SHORTEST, round(draw.normal(mean, _SPREAD)))
        steps.append((start, min(length, total - start)))
        start += length
    return steps
