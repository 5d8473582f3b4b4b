"""Token log probabilities of many texts from a causal model, with shared beginnings computed once.

Token sequences that begin alike form a tree. Its nodes lie in one row; a node sees its ancestors and itself. With the
right mask and positions, such a packed row gives each node the state that it would have at the end of its own sequence.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

from winoglot.errors import InputError
from winoglot.models.scoring.head import Head, quantise_layers
from winoglot.models.scoring.probes import Collector, ProbeRequest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.models.scoring.probes import ProbeResult

_PROBE = ([0, 3, 1, 2], [0, 3, 2, 2, 1])  # positions in the vocabulary, modulo its size
_TOLERANCE = 1e-3
# Without cuDNN's, which is compiled anew for every number of tokens: 60 ms, longer than the rest takes.
_ATTENTION = [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH]


class PackedModel:
    """A causal model that scores token sequences.

    Rows are packed if the model respects the mask (most do). Models that do not, such as recurrent ones and some with
    relative positions, are detected at the start and get one sequence per row.
    """

    def __init__(self, model: Any, *, batch_tokens: int, sample: Sequence[int] = ()) -> None:
        """Separate the model's body from its head, which is needed only at few positions.

        With a sample of tokens the weights are rounded to int8, according to the inputs that the sample causes.
        """
        self.model = model
        self.body: Any = model.base_model
        self.head = Head(model)
        self.batch_tokens = batch_tokens
        config = model.config.get_text_config()
        self.longest = getattr(config, "sliding_window", None) or getattr(config, "max_position_embeddings", None)
        probes = [[(config.vocab_size // 5 * place) % config.vocab_size for place in probe] for probe in _PROBE]
        if self._looks_ahead(probes[0]):
            message = (
                f"a model of the kind {config.model_type!r} also sees what follows a word, so it gives no causal scores"
            )
            remedy = "Use a model that reads from left to right or, with masked:, one that fills in masks (not XLNet)."
            raise InputError(message, remedy=remedy)
        self.packs = self._respects_masks(probes)
        if sample:
            self._quantise(torch.tensor([sample]))

    @torch.inference_mode()
    def _quantise(self, tokens: torch.Tensor) -> None:
        self.head.quantise(self.body(input_ids=tokens, use_cache=False).last_hidden_state[0])
        quantise_layers(self.body, lambda: self.body(input_ids=tokens, use_cache=False))

    @torch.inference_mode()
    def logprobs(self, sequences: Sequence[Sequence[int]], needed: Sequence[int]) -> list[np.ndarray]:
        """The log probability of all tokens but the first of each sequence, given those before.

        Tokens before `needed` are not computed: they are NaN.
        """
        return self.observed(sequences, needed, [ProbeRequest()] * len(sequences))[0]

    @torch.inference_mode()
    def observed(
        self, sequences: Sequence[Sequence[int]], needed: Sequence[int], requests: Sequence[ProbeRequest]
    ) -> tuple[list[np.ndarray], list[ProbeResult]]:
        """The log probabilities, as in `logprobs`, and from the same pass the answers to `requests`."""
        result: list[np.ndarray] = [np.empty(0)] * len(sequences)
        collector = Collector(requests)
        packable = [
            n for n, sequence in enumerate(sequences) if self.packs and len(sequence) <= (self.longest or 2**62)
        ]
        for tree, numbers in pack([sequences[n] for n in packable], self.batch_tokens):
            batch = [packable[number] for number in numbers]
            states = self.states(tree)
            for number, values in zip(batch, self._tree(tree, states, [needed[n] for n in batch]), strict=True):
                result[number] = values
            collector.add(states, dict(zip(batch, tree.paths, strict=True)))
        for number in set(range(len(sequences))) - set(packable):
            states = self.row_states(sequences[number])
            result[number] = self._row(sequences[number], states, needed[number])
            collector.add(states, {number: np.arange(len(sequences[number]))})
        return result, collector.seen(self.head.distributions)

    def _tree(self, tree: Trie, states: torch.Tensor, needed: Sequence[int]) -> list[np.ndarray]:
        device = self.model.device
        scored = np.zeros(tree.size, dtype=bool)
        for path, first in zip(tree.paths, needed, strict=True):
            scored[path[max(1, first) :]] = True
        children = np.nonzero(scored)[0]
        values = np.full(tree.size, np.nan)
        if len(children):
            parents, rows = np.unique(tree.parents[children], return_inverse=True)
            log_probabilities = self.head.logprobs(
                states[torch.from_numpy(parents).to(device)],
                torch.from_numpy(rows).to(device),
                torch.from_numpy(tree.tokens[children]).to(device),
            )
            values[children] = log_probabilities.cpu().double().numpy()
        return [values[path[1:]] for path in tree.paths]

    def states(self, tree: Trie) -> torch.Tensor:
        """The states of the nodes of a tree, each of which sees its ancestors and itself.

        Only numbers of nodes are sent to the device. A whole mask would have to wait until the device has nothing else
        to do.
        """
        numbers = np.stack([tree.tokens, tree.depths, *tree.spans()])[:, None]
        return self.grid_states(torch.from_numpy(numbers).to(self.model.device))[0]

    def grid_states(self, grid: torch.Tensor) -> torch.Tensor:
        """The states of trees, one per row, given by tokens, depths and the two ends of spans, [4, rows, nodes]."""
        tokens, depths, first, end = grid
        dtype = self.model.dtype
        hidden = (first[:, :, None] < first[:, None]) | (first[:, :, None] >= end[:, None])
        hidden.diagonal(dim1=1, dim2=2).fill_(False)  # for padding too: a token that sees nothing would become NaN
        mask = torch.zeros(hidden.shape, dtype=dtype, device=grid.device).masked_fill_(hidden, torch.finfo(dtype).min)
        with sdpa_kernel(_ATTENTION):
            out = self.body(input_ids=tokens, attention_mask=mask[:, None], position_ids=depths, use_cache=False)
        states: torch.Tensor = out.last_hidden_state
        return states

    def row_states(self, sequence: Sequence[int]) -> torch.Tensor:
        """The states of one sequence by itself."""
        tokens = torch.tensor(sequence, device=self.model.device)
        states: torch.Tensor = self.body(input_ids=tokens[None], use_cache=False).last_hidden_state[0]
        return states

    def _row(self, sequence: Sequence[int], states: torch.Tensor, first: int) -> np.ndarray:
        device = self.model.device
        tokens = torch.tensor(sequence, device=device)
        values = np.full(len(sequence) - 1, np.nan)
        start = max(0, first - 1)
        rows = torch.arange(len(sequence) - 1 - start, device=device)
        if len(rows):
            values[start:] = self.head.logprobs(states[start:-1], rows, tokens[start + 1 :]).cpu().double().numpy()
        return values

    @torch.inference_mode()
    def _looks_ahead(self, probe: Sequence[int]) -> bool:
        """Whether the states of a sequence change with what follows, as in BERT and XLNet."""
        alone, before_another = self.row_states(probe[:-1]).float(), self.row_states(probe)[:-1].float()
        rounding = _TOLERANCE if self.model.dtype == torch.float32 else 0.05
        return bool((alone - before_another).norm() > rounding * alone.norm())

    @torch.inference_mode()
    def _respects_masks(self, probes: Sequence[Sequence[int]]) -> bool:
        """Whether packed sequences score as they do alone; tried on two that begin alike."""
        unpacked = [self._row(probe, self.row_states(probe), 0) for probe in probes]
        (tree, numbers) = pack(probes, 2**30)[0]
        try:
            packed_scores = self._tree(tree, self.states(tree), [0] * len(probes))
        except (RuntimeError, ValueError, TypeError, IndexError, NotImplementedError):
            return False
        tolerance = _TOLERANCE if self.model.dtype == torch.float32 else 0.5
        return all(
            np.allclose(unpacked[n], values, atol=tolerance) for n, values in zip(numbers, packed_scores, strict=True)
        )


@dataclass(frozen=True)
class Trie:
    """The nodes, parents before their children, and the node of each token of each sequence."""

    tokens: np.ndarray
    parents: np.ndarray  # -1 for a root
    depths: np.ndarray
    paths: tuple[np.ndarray, ...]

    @property
    def size(self) -> int:
        """The number of tokens that go through the model."""
        return len(self.tokens)

    def spans(self) -> tuple[np.ndarray, np.ndarray]:
        """The place of each node if a node's descendants follow it at once, and the place after the last of them.

        So a node sees those whose span contains its place.

        >>> [ends.tolist() for ends in build([[1, 5, 7], [1, 6], [1, 5, 8]]).spans()]
        [[0, 1, 2, 4, 3], [5, 4, 3, 5, 4]]
        """
        parents = self.parents.tolist()
        sizes = [1] * len(parents)
        for node in range(len(parents) - 1, -1, -1):
            if parents[node] >= 0:
                sizes[parents[node]] += sizes[node]
        first = [0] * len(parents)
        free = [0] * (len(parents) + 1)  # the next place within each node; the last: outside of all
        for node, parent in enumerate(parents):
            first[node] = free[parent]
            free[parent] += sizes[node]
            free[node] = first[node] + 1
        return np.array(first), np.array(first) + np.array(sizes)


def build(sequences: Sequence[Sequence[int]]) -> Trie:
    """The tree of some token sequences.

    >>> tree = build([[1, 5, 7], [1, 5, 8]])
    >>> tree.tokens.tolist(), tree.parents.tolist(), tree.paths[1].tolist()
    ([1, 5, 7, 8], [-1, 0, 1, 1], [0, 1, 3])
    """
    nodes: dict[tuple[int, int], int] = {}  # by parent and token
    tokens: list[int] = []
    parents: list[int] = []
    depths: list[int] = []
    paths = []
    for sequence in sequences:
        parent, path = -1, []
        for token in sequence:
            node = nodes.get((parent, token))
            if node is None:
                break
            path.append(node)
            parent = node
        suffix = sequence[len(path) :]  # from the first new node on, all are new
        new_nodes = range(len(nodes), len(nodes) + len(suffix))
        new_parents = [parent, *new_nodes[:-1]] if suffix else []
        nodes.update(zip(zip(new_parents, suffix, strict=True), new_nodes, strict=True))
        tokens += suffix
        parents += new_parents
        depths += range(len(path), len(sequence))
        paths.append(np.array([*path, *new_nodes], dtype=np.int64))
    columns = [np.array(column, dtype=np.int64) for column in (tokens, parents, depths)]
    return Trie(columns[0], columns[1], columns[2], tuple(paths))


def pack(sequences: Sequence[Sequence[int]], most: int) -> list[tuple[Trie, list[int]]]:
    """Trees of at most `most` tokens (a longer sequence has a tree of its own), with the numbers of their sequences.

    Sequences are sorted first, so that neighbours share the most. What all sequences of a tree share does not count, so
    that long examples before every text do not leave a tree for each text.
    """
    order = sorted(range(len(sequences)), key=lambda number: tuple(sequences[number]))
    groups: list[list[int]] = []
    size = beginning = 0  # of the last tree: all its tokens, and those that all its sequences share
    for number in order:
        sequence = sequences[number]
        shared = _shared_length(sequences[groups[-1][-1]], sequence) if groups else 0
        new = len(sequence) - shared
        if not groups or size + new - min(beginning, shared) > most:
            groups.append([])
            size, new, shared, beginning = 0, len(sequence), len(sequence), len(sequence)
        groups[-1].append(number)
        size += new
        beginning = min(beginning, shared)
    return [(build([sequences[number] for number in group]), group) for group in groups]


def _shared_length(first: Sequence[int], second: Sequence[int]) -> int:
    return next(
        (index for index, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), min(len(first), len(second))
    )
