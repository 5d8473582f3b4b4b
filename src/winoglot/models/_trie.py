"""Token sequences that begin alike, as a tree: each shared beginning goes through a model once.

The nodes of a tree lie in one row; a node sees its ancestors and itself. So a packed row with the right mask and
positions gives each node the state that it would have at the end of its own sequence.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Trie:
    """The nodes, a parent before its children, and the node of each token of each sequence."""

    tokens: np.ndarray
    parents: np.ndarray  # -1 for a root
    depths: np.ndarray
    paths: tuple[np.ndarray, ...]

    @property
    def size(self) -> int:
        """How many tokens go through the model."""
        return len(self.tokens)

    def visible(self) -> np.ndarray:
        """Which nodes each node sees: its ancestors and itself."""
        seen = np.zeros((self.size, self.size), dtype=bool)
        for node, parent in enumerate(self.parents):
            if parent >= 0:
                seen[node] = seen[parent]
            seen[node, node] = True
        return seen


def build(sequences: Sequence[Sequence[int]]) -> Trie:
    """The tree of some token sequences.

    >>> tree = build([[1, 5, 7], [1, 5, 8]])
    >>> tree.tokens.tolist(), tree.parents.tolist(), tree.paths[1].tolist()
    ([1, 5, 7, 8], [-1, 0, 1, 1], [0, 1, 3])
    """
    tokens: list[int] = []
    parents: list[int] = []
    depths: list[int] = []
    known: dict[tuple[int, int], int] = {}
    paths = []
    for sequence in sequences:
        parent, path = -1, []
        for depth, token in enumerate(sequence):
            node = known.setdefault((parent, token), len(tokens))
            if node == len(tokens):
                tokens.append(token)
                parents.append(parent)
                depths.append(depth)
            path.append(node)
            parent = node
        paths.append(np.array(path, dtype=np.int64))
    return Trie(
        np.array(tokens, dtype=np.int64),
        np.array(parents, dtype=np.int64),
        np.array(depths, dtype=np.int64),
        tuple(paths),
    )


def pack(sequences: Sequence[Sequence[int]], most: int) -> list[tuple[Trie, list[int]]]:
    """Neighbouring sequences in trees of at most `most` tokens (a longer sequence has a tree of its own).

    Each tree comes with the numbers of its sequences; sorted sequences share the most.
    """
    order = sorted(range(len(sequences)), key=lambda number: tuple(sequences[number]))
    packs: list[tuple[Trie, list[int]]] = []
    some: list[int] = []
    size = 0
    for number in order:
        sequence = sequences[number]
        new = len(sequence) - (_shared(sequences[some[-1]], sequence) if some else 0)
        if some and size + new > most:
            packs.append((build([sequences[one] for one in some]), some))
            some, size, new = [], 0, len(sequence)
        some.append(number)
        size += new
    if some:
        packs.append((build([sequences[one] for one in some]), some))
    return packs


def _shared(one: Sequence[int], other: Sequence[int]) -> int:
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
