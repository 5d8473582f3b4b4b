"""What a head says of pairs of texts: whether the second follows the first, or how well it fits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from winoglot.models._memory import batch_tokens_of, need_of
from winoglot.models._rows import CPU_TOKENS, GPU_TOKENS, batches, tensors

if TYPE_CHECKING:
    from collections.abc import Iterable

    from winoglot.models._framing import Framer
    from winoglot.models._rows import Row

    Pair = tuple[str, str]


class PairModel:
    """A model with a head over a pair of texts."""

    def __init__(self, model: Any, framer: Framer, *, batch_tokens: int, choices: bool = False) -> None:
        """Wrap a loaded model; one that takes several `choices` gets one a row, for it scores each by itself.

        `batch_tokens` are the most at once; 0: as fits.
        """
        self.model = model
        self.framer = framer
        need = need_of(model, columns=0)
        self.batch_tokens = batch_tokens_of(batch_tokens, model, need, cpu=CPU_TOKENS, gpu=GPU_TOKENS)
        self.choices = choices

    @torch.inference_mode()
    def outputs(self, pairs: Iterable[Pair]) -> dict[Pair, torch.Tensor | str]:
        """The head's numbers for each pair, or why there are none."""
        known = list(dict.fromkeys(pairs))
        rows = dict(zip(known, self.framer.pairs(known), strict=True))
        found: dict[Pair, torch.Tensor | str] = {pair: self.framer.too_long([rows[pair]]) for pair in known}
        short = [pair for pair in known if not found[pair]]
        for batch in batches([len(rows[pair].ids) for pair in short], self.batch_tokens):
            some = [short[number] for number in batch]
            found.update(zip(some, self._run([rows[pair] for pair in some]), strict=True))
        return found

    def _run(self, rows: list[Row]) -> torch.Tensor:
        inputs = tensors(self.model, rows)
        if self.choices:
            inputs = {name: value[:, None] for name, value in inputs.items()}
        logits: torch.Tensor = self.model(**inputs).logits
        return logits.cpu().double()
