"""Losses and their gradient in one reading of the logits, on a GPU: what plain operations do in six passes."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import torch

_BLOCK = 8192
_softmax_rows: Any = None

if find_spec("triton") is not None:  # it comes with torch for GPUs
    import triton  # type: ignore[import-not-found,unused-ignore]
    import triton.language as tl  # type: ignore[import-not-found,unused-ignore]

    @triton.jit  # type: ignore[untyped-decorator,unused-ignore]
    def _softmax_rows(logits, targets, losses, scale, types, width, block: tl.constexpr):  # type: ignore[no-untyped-def]
        row = logits + tl.program_id(0).to(tl.int64) * width
        target = tl.load(targets + tl.program_id(0))
        wanted = tl.load(row + target).to(tl.float32)  # before the row is overwritten
        highest = -float("inf")
        total = 0.0
        for start in range(0, types, block):
            places = start + tl.arange(0, block)
            values = tl.load(row + places, mask=places < types, other=-float("inf")).to(tl.float32)
            higher = tl.maximum(highest, tl.max(values))
            total = total * tl.exp(highest - higher) + tl.sum(tl.exp(values - higher))
            highest = higher
        level = highest + tl.log(total)
        tl.store(losses + tl.program_id(0), level - wanted)
        for start in range(0, width, block):
            places = start + tl.arange(0, block)
            values = tl.load(row + places, mask=places < types, other=-float("inf")).to(tl.float32)
            slope = (tl.exp(values - level) - tl.where(places == target, 1.0, 0.0)) * scale
            tl.store(row + places, slope.to(logits.dtype.element_ty), mask=places < width)


def is_available() -> bool:
    """Whether what compiles it is installed."""
    return _softmax_rows is not None


def softmax_rows(logits: torch.Tensor, targets: torch.Tensor, types: int, scale: float) -> torch.Tensor:
    """The loss of each row; the logits become its gradient times `scale`, and what stands behind `types` becomes 0."""
    losses = torch.empty(len(logits), dtype=torch.float32, device=logits.device)
    rows = (len(logits),)
    _softmax_rows[rows](logits, targets, losses, scale, types, logits.stride(0), block=_BLOCK, num_warps=16)
    return losses
