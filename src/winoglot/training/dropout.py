"""Masks for all the kinds of dropout, drawn alike whether one process has the batch or several share it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from winoglot.training.base import Share

if TYPE_CHECKING:
    from collections.abc import Sequence

ALONE = Share()


def kept(shape: Sequence[int], dropped: float, device: torch.device, share: Share = ALONE) -> torch.Tensor:
    """What to multiply with: 0 for the share that is dropped, and more than 1 elsewhere, so that means stay.

    Of several processes each draws the masks of all columns (the last dimension but one) and takes its own: their
    generators stay in step, and together they do what one process with all columns would do.
    """
    *outer, columns, units = shape
    drawn = torch.rand((*outer, columns * share.of, units), device=device)
    own = drawn.narrow(-2, share.rank * columns, columns)
    return (own >= dropped).to(drawn.dtype).div_(1 - dropped)


def drop(values: torch.Tensor, dropped: float, *, locked: bool, share: Share = ALONE) -> torch.Tensor:
    """Units of [places, columns, units] dropped: at all places of a column the same ones if `locked`."""
    if not dropped:
        return values
    places, columns, units = values.shape
    mask = kept((1 if locked else places, columns, units), dropped, values.device, share)
    return values * mask.to(values.dtype)


def drop_words(embedded: torch.Tensor, words: torch.Tensor, types: int, dropped: float) -> torch.Tensor:
    """Whole words dropped, wherever they occur in the batch."""
    if not dropped:
        return embedded
    return embedded * kept((types, 1), dropped, embedded.device)[words]


def drop_weights(weight: torch.Tensor, dropped: float) -> torch.Tensor:
    """Single weights dropped, for all places and columns alike."""
    return weight * kept(weight.shape, dropped, weight.device) if dropped else weight
