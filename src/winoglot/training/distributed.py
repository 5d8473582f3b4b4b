"""One process or several: devices, precision, and what the processes of a training exchange.

Several processes are started by `accelerate launch`. Each has its own columns of the batch; a single process is the
same with no one to talk to.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch

from winoglot.devices import find_device
from winoglot.errors import InputError
from winoglot.training import need_training

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

PRECISIONS = {"float32": torch.float32, "bfloat16": torch.bfloat16}


@dataclass(frozen=True)
class Process:
    """Which of the processes this one is."""

    rank: int = 0
    world_size: int = 1


SINGLE = Process()


class Distributed:
    """This process, its device, and the means over all processes."""

    def __init__(self, device: str = "auto") -> None:
        """Find the other processes."""
        need_training()
        own_device = choose_device(device)
        from accelerate import PartialState  # type: ignore[import-untyped,unused-ignore]
        from accelerate.utils import gather  # type: ignore[import-untyped,unused-ignore]

        self._state: Any = PartialState(cpu=device == "cpu")
        self._gather: Callable[[torch.Tensor], torch.Tensor] = gather
        self.process = Process(self._state.process_index, self._state.num_processes)
        # accelerate remembers the first device it was asked for; a single process may choose another one later.
        self.device: torch.device = self._state.device if self._is_shared else own_device

    @property
    def is_main(self) -> bool:
        """Whether this process is the one that writes."""
        return self.process.rank == 0

    @property
    def _is_shared(self) -> bool:
        return self.process.world_size > 1

    def average(self, tensors: Sequence[torch.Tensor]) -> None:
        """Replace each tensor by its mean over all processes, in one message."""
        if self._is_shared:
            flat = torch.cat([tensor.flatten() for tensor in tensors])
            torch.distributed.all_reduce(flat)
            means = torch.split(flat.div_(self.process.world_size), [tensor.numel() for tensor in tensors])
            for tensor, mean in zip(tensors, means, strict=True):
                tensor.copy_(mean.view_as(tensor))

    def sum(self, *numbers: float) -> tuple[float, ...]:
        """The sum of each number over all processes."""
        if not self._is_shared:
            return numbers
        sums = torch.tensor(numbers, dtype=torch.float64, device=self.device)
        torch.distributed.all_reduce(sums)
        return tuple(sums.tolist())

    def max(self, number: int) -> int:
        """The largest of the processes' numbers."""
        return int(self._gather(torch.tensor([number], device=self.device)).max())

    def gather_columns(self, columns: torch.Tensor) -> torch.Tensor:
        """The columns (dimension 1) of all processes, in order."""
        return self._gather(columns.transpose(0, 1)).transpose(0, 1)

    def own_columns(self, columns: torch.Tensor) -> torch.Tensor:
        """The part of all columns that belongs to this process."""
        size = columns.shape[1] // self.process.world_size
        return columns.narrow(1, self.process.rank * size, size).to(self.device)

    def wait(self) -> None:
        """Wait until all processes have reached this point."""
        self._state.wait_for_everyone()


def choose_device(name: str) -> torch.device:
    """The device of a single process: a GPU if there is one, unless another device is named."""
    device = torch.device(find_device(name))
    if device.type not in ("cpu", "cuda"):
        remedy = "Use auto, cpu or cuda."
        raise InputError(f"training runs on a CPU or an NVIDIA GPU, not on {name!r}", remedy=remedy)
    return torch.device("cuda", device.index or 0) if device.type == "cuda" else device


def choose_precision(name: str, device: torch.device) -> torch.dtype:
    """The precision of matrix products: bfloat16 on a GPU and float32 elsewhere, unless one is named."""
    if name == "auto":
        return torch.bfloat16 if device.type == "cuda" else torch.float32
    if name not in PRECISIONS:
        raise InputError(f"unknown precision {name!r}", remedy="Use auto, float32 or bfloat16.")
    return PRECISIONS[name]
