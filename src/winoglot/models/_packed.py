"""Token log probabilities of many texts from a causal model, shared beginnings computed once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from winoglot.models._head import Head
from winoglot.models._int8 import int8
from winoglot.models._trie import Trie, pack

if TYPE_CHECKING:
    from collections.abc import Sequence

_PROBE = ([0, 3, 1, 2], [0, 3, 2, 2, 1])  # positions in the vocabulary, taken modulo its size
_TOLERANCE = 1e-3


class PackedModel:
    """A causal model that scores token sequences.

    Rows are packed with a mask of their own where the model heeds one (most do); models that do not (recurrent ones,
    some with relative positions) are found out at the start and get one sequence a row.
    """

    def __init__(self, model: Any, *, batch_tokens: int, sample: Sequence[int] = ()) -> None:
        """Keep the model's body and head apart, for the head is needed at few places.

        With a sample of tokens, the weights are rounded to int8, by what they meet in it.
        """
        self.model = model
        self.body: Any = model.base_model
        self.head = Head(model)
        self.batch_tokens = batch_tokens
        config = model.config.get_text_config()
        self.longest = getattr(config, "sliding_window", None) or getattr(config, "max_position_embeddings", None)
        self.packs = self._heeds_masks(config.vocab_size)
        if sample:
            self._quantise(torch.tensor([sample]))

    @torch.inference_mode()
    def _quantise(self, tokens: torch.Tensor) -> None:
        self.head.quantise(self.body(input_ids=tokens, use_cache=False).last_hidden_state[0])
        int8(self.body, lambda: self.body(input_ids=tokens, use_cache=False))

    @torch.inference_mode()
    def logprobs(self, sequences: Sequence[Sequence[int]], needed: Sequence[int]) -> list[np.ndarray]:
        """For each sequence the log probability of its tokens but the first, given those before.

        Those before `needed` are not computed: NaN stands for them.
        """
        result: list[np.ndarray] = [np.empty(0)] * len(sequences)
        short = [n for n, sequence in enumerate(sequences) if self.packs and len(sequence) <= (self.longest or 2**62)]
        for tree, numbers in pack([sequences[n] for n in short], self.batch_tokens):
            chosen = [short[number] for number in numbers]
            for number, values in zip(chosen, self._tree(tree, [needed[n] for n in chosen]), strict=True):
                result[number] = values
        for number in set(range(len(sequences))) - set(short):
            result[number] = self._row(sequences[number], needed[number])
        return result

    def _tree(self, tree: Trie, needed: Sequence[int]) -> list[np.ndarray]:
        device = self.model.device
        states = self._states(tree.tokens, tree.depths, tree.visible())
        wanted = np.zeros(tree.size, dtype=bool)
        for path, first in zip(tree.paths, needed, strict=True):
            wanted[path[max(1, first) :]] = True
        children = np.nonzero(wanted)[0]
        values = np.full(tree.size, np.nan)
        if len(children):
            parents, rows = np.unique(tree.parents[children], return_inverse=True)
            found = self.head.logprobs(
                states[torch.from_numpy(parents).to(device)],
                torch.from_numpy(rows).to(device),
                torch.from_numpy(tree.tokens[children]).to(device),
            )
            values[children] = found.cpu().double().numpy()
        return [values[path[1:]] for path in tree.paths]

    def _states(self, tokens: np.ndarray, positions: np.ndarray, visible: np.ndarray) -> torch.Tensor:
        device, kind = self.model.device, self.model.dtype
        mask = torch.zeros(visible.shape, dtype=kind)
        mask.masked_fill_(torch.from_numpy(~visible), torch.finfo(kind).min)
        out = self.body(
            input_ids=torch.from_numpy(tokens)[None].to(device),
            attention_mask=mask[None, None].to(device),
            position_ids=torch.from_numpy(positions)[None].to(device),
            use_cache=False,
        )
        states: torch.Tensor = out.last_hidden_state[0]
        return states

    def _row(self, sequence: Sequence[int], first: int) -> np.ndarray:
        """One sequence, as the model takes it by itself."""
        device = self.model.device
        tokens = torch.tensor(sequence, device=device)
        states = self.body(input_ids=tokens[None], use_cache=False).last_hidden_state[0]
        values = np.full(len(sequence) - 1, np.nan)
        start = max(0, first - 1)
        rows = torch.arange(len(sequence) - 1 - start, device=device)
        if len(rows):
            values[start:] = self.head.logprobs(states[start:-1], rows, tokens[start + 1 :]).cpu().double().numpy()
        return values

    @torch.inference_mode()
    def _heeds_masks(self, vocabulary: int) -> bool:
        """Whether packed sequences score as they do alone; tried on two that begin alike."""
        probes = [[(vocabulary // 5 * place) % vocabulary for place in probe] for probe in _PROBE]
        alone = [self._row(probe, 0) for probe in probes]
        (tree, numbers) = pack(probes, 2**30)[0]
        try:
            packed = self._tree(tree, [0] * len(probes))
        except (RuntimeError, ValueError, TypeError, IndexError, NotImplementedError):
            return False
        tolerance = _TOLERANCE if self.model.dtype == torch.float32 else 0.5
        return all(np.allclose(alone[n], values, atol=tolerance) for n, values in zip(numbers, packed, strict=True))
