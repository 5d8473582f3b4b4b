"""Log probabilities of tokens that were hidden from a masked language model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from winoglot.models._clozes import hide
from winoglot.models._rows import Row, batches, tensors

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from winoglot.models._clozes import Cloze

_TOLERANCE = 1e-3


class MaskedModel:
    """A masked language model that fills gaps, each gapped row computed once however many tokens it hides.

    The output layer is applied at the hidden places alone, where the model lets us: its body's states are narrowed to
    them before its head sees them. A model whose head needs more is found out at the start.
    """

    def __init__(self, model: Any, *, mask: int, batch_tokens: int) -> None:
        """Wrap a loaded model; `mask` is the token that hides another."""
        self.model = model
        self.mask = mask
        self.batch_tokens = batch_tokens
        self.narrows = self._can_narrow()

    @torch.inference_mode()
    def logprobs(self, clozes: Iterable[Cloze]) -> dict[Cloze, float]:
        """The log probability of each cloze's token."""
        gaps: dict[tuple[Row, int, int], list[Cloze]] = {}
        for cloze in dict.fromkeys(clozes):
            gaps.setdefault((cloze.row, cloze.start, cloze.stop), []).append(cloze)
        keys = list(gaps)
        found: dict[Cloze, float] = {}
        for batch in batches([len(row.ids) for row, _, _ in keys], self.batch_tokens):
            asked = [(line, cloze) for line, number in enumerate(batch) for cloze in gaps[keys[number]]]
            lines = torch.tensor([line for line, _ in asked], device=self.model.device)
            places = torch.tensor([cloze.at for _, cloze in asked], device=self.model.device)
            tokens = torch.tensor([cloze.token for _, cloze in asked], device=self.model.device)
            logits = self._logits([hide(*keys[number], self.mask) for number in batch], lines, places)
            values = logits.gather(1, tokens[:, None])[:, 0] - logits.logsumexp(dim=1)
            found.update(zip((cloze for _, cloze in asked), values.tolist(), strict=True))
        return found

    def _logits(self, rows: Sequence[Row], lines: torch.Tensor, places: torch.Tensor) -> torch.Tensor:
        """The vocabulary's scores at the places asked for."""
        if not self.narrows:
            whole: torch.Tensor = self.model(**tensors(self.model, rows)).logits
            return whole[lines, places].float()

        def narrow(_module: Any, _inputs: Any, output: Any) -> Any:
            states = output[0][lines, places][None]
            if isinstance(output, tuple):
                return (states, *output[1:])
            output.last_hidden_state = states
            return output

        hook = self.model.base_model.register_forward_hook(narrow)
        try:
            narrowed: torch.Tensor = self.model(**tensors(self.model, rows)).logits
        finally:
            hook.remove()
        return narrowed[0].float()

    @torch.inference_mode()
    def _can_narrow(self) -> bool:
        """Whether the head gives at narrowed states what it gives at the whole; tried on two rows."""
        if self.model.base_model is self.model:
            return False
        rows = [Row((self.mask, 0, 1, self.mask)), Row((1, self.mask, 0, self.mask))]
        places = torch.tensor([0, 3, 1], device=self.model.device)
        lines = torch.tensor([0, 0, 1], device=self.model.device)
        try:
            self.narrows = False
            whole = self._logits(rows, lines, places)
            self.narrows = True
            narrowed = self._logits(rows, lines, places)
        except (RuntimeError, ValueError, TypeError, IndexError, AttributeError):
            return False
        tolerance = _TOLERANCE if self.model.dtype == torch.float32 else 0.5
        return narrowed.shape == whole.shape and torch.allclose(narrowed, whole, atol=tolerance)
