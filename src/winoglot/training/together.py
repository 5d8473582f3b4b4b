"""The processes that train together, through accelerate; a single one is the same with nobody to talk to."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import torch

from winoglot.errors import InputError
from winoglot.training.base import Share

if TYPE_CHECKING:
    from collections.abc import Sequence

PRECISIONS = {"float32": torch.float32, "bfloat16": torch.bfloat16}


class Together:
    """This process among those started by `accelerate launch`, with its device."""

    def __init__(self, device: str = "auto") -> None:
        """Find the others."""
        if find_spec("accelerate") is None:
            raise InputError("training needs accelerate", remedy='Run: pip install "winoglot[train]"')
        alone = choose_device(device)
        from accelerate import PartialState  # type: ignore[import-untyped,unused-ignore]

        self._processes: Any = PartialState(cpu=device == "cpu")
        self.share = Share(self._processes.process_index, self._processes.num_processes)
        # What is known of the processes is kept for good; one by itself may change its mind about the device.
        self.device: torch.device = self._processes.device if self.share.of > 1 else alone

    @property
    def main(self) -> bool:
        """Whether this process is the one that writes."""
        return self.share.rank == 0

    def average(self, tensors: Sequence[torch.Tensor]) -> None:
        """Make of each tensor the mean over all processes, in one message."""
        if self.share.of > 1:
            flat = torch.cat([one.flatten() for one in tensors])
            self._sum(flat).div_(self.share.of)
            start = 0
            for one in tensors:
                one.copy_(flat[start : start + one.numel()].view_as(one))
                start += one.numel()

    def total(self, *numbers: float) -> tuple[float, ...]:
        """The sum of each number over all processes."""
        if self.share.of == 1:
            return numbers
        found = self._sum(torch.tensor(numbers, dtype=torch.float64, device=self.device))
        return tuple(found.tolist())

    def largest(self, number: int) -> int:
        """The largest of the processes' numbers."""
        if self.share.of == 1:
            return number
        found = torch.tensor(number, device=self.device)
        torch.distributed.all_reduce(found, torch.distributed.ReduceOp.MAX)
        return int(found)

    def columns(self, own: torch.Tensor) -> torch.Tensor:
        """The columns (dimension 1) of all processes, in order."""
        if self.share.of == 1:
            return own
        whole = own.new_zeros(own.shape[0], own.shape[1] * self.share.of, *own.shape[2:])
        whole.narrow(1, self.share.rank * own.shape[1], own.shape[1]).copy_(own)
        return self._sum(whole)

    def own_columns(self, whole: torch.Tensor) -> torch.Tensor:
        """This process's columns of all."""
        size = whole.shape[1] // self.share.of
        return whole.narrow(1, self.share.rank * size, size).to(self.device)

    def wait(self) -> None:
        """Until all have come here."""
        self._processes.wait_for_everyone()

    def _sum(self, tensor: torch.Tensor) -> torch.Tensor:
        torch.distributed.all_reduce(tensor)
        return tensor


def choose_device(name: str) -> torch.device:
    """The device of a process by itself: a GPU where there is one, unless another is named."""
    if name not in ("auto", "cpu", "cuda"):
        raise InputError(f"there is no device {name!r}", remedy="Use auto, cpu or cuda.")
    if name == "cuda" and not torch.cuda.is_available():
        raise InputError("there is no device 'cuda' here", remedy="Use --device cpu.")
    return torch.device("cuda", 0) if name != "cpu" and torch.cuda.is_available() else torch.device("cpu")


def choose_precision(name: str, device: torch.device) -> torch.dtype:
    """The numbers that matrices are multiplied in: bfloat16 on a GPU, float32 elsewhere, unless one is named."""
    if name == "auto":
        return torch.bfloat16 if device.type == "cuda" else torch.float32
    if name not in PRECISIONS:
        raise InputError(f"there is no precision {name!r}", remedy="Known: auto, float32, bfloat16.")
    return PRECISIONS[name]
