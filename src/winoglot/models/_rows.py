"""Rows of tokens on their way into a model: batches of equal length, so that nothing is ever padded.

Without padding a score cannot depend on what it was computed beside, also in models that pay no heed to an attention
mask.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


@dataclass(frozen=True)
class Row:
    """The tokens of one input, and to which of its texts each belongs; no types where the model takes none."""

    ids: tuple[int, ...]
    types: tuple[int, ...] = ()


def batches(lengths: Sequence[int], most: int) -> Iterator[list[int]]:
    """The numbers of the rows in batches of one length and of at most `most` tokens; a longer row goes alone.

    >>> list(batches([3, 2, 3, 3, 9], most=6))
    [[1], [0, 2], [3], [4]]
    """
    batch: list[int] = []
    for number in sorted(range(len(lengths)), key=lengths.__getitem__):
        length = lengths[number]
        if batch and (lengths[batch[0]] != length or (len(batch) + 1) * length > most):
            yield batch
            batch = []
        batch.append(number)
    if batch:
        yield batch


CPU_TOKENS, GPU_TOKENS = 1024, 8192  # of a batch; more were not seen to be faster


def takes(model: Any, name: str) -> bool:
    """Whether a model can be called with an argument of that name."""
    return name in inspect.signature(model.forward).parameters


def tensors(model: Any, rows: Sequence[Row]) -> dict[str, Any]:
    """What a model is called with for rows of one length."""
    import torch

    ids = torch.tensor([row.ids for row in rows], device=model.device)
    made = {"input_ids": ids}
    if takes(model, "attention_mask"):
        made["attention_mask"] = torch.ones_like(ids)
    if rows[0].types:
        made["token_type_ids"] = torch.tensor([row.types for row in rows], device=model.device)
    return made
