"""How much memory is free, and how much this process uses: the one place that asks the system."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch

_LIMITS = (  # of a container, in control groups of version 2 and of version 1
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
    ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"),
)


def free_memory(device: torch.device | None = None) -> int | None:
    """The bytes that are free on a torch device, by default in main memory; None if the system does not say.

    In main memory, this is what is available without swapping, and at most what the container may still use.
    """
    if device is not None and device.type == "cuda":
        import torch

        return int(torch.cuda.mem_get_info(device)[0])
    if device is not None and device.type != "cpu":
        return None
    rooms = [room for room in (_available(), *(_room(*files) for files in _LIMITS)) if room is not None]
    return min(rooms, default=None)


def used_memory() -> int | None:
    """The bytes of main memory that this process uses; None if the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError):  # not Linux
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")


def is_out_of_memory(error: BaseException) -> bool:
    """Whether an error says that there was not enough memory; torch has a class for it on a GPU but not on a CPU.

    On a full GPU, libraries may fail with errors of their own; that of cuDNN's attention gives no reason.
    """
    signs = ("can't allocate memory", "CUBLAS_STATUS_ALLOC_FAILED", "CUDNN_STATUS_ALLOC_FAILED", "mha_graph.execute")
    is_named = type(error).__name__ in ("MemoryError", "OutOfMemoryError")
    return is_named or any(sign in str(error) for sign in signs)


def release_memory() -> None:
    """Give back what this process holds and no longer uses, on a GPU too: other processes may wait for it."""
    gc.collect()  # a model and its optimiser may refer to each other
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_initialized():
        torch.cuda.empty_cache()


def _available() -> int | None:
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        return next(1024 * int(line.split()[1]) for line in lines if line.startswith("MemAvailable:"))
    except (OSError, ValueError, StopIteration):
        return None


def _room(limit: str, used: str) -> int | None:
    try:
        return max(0, int(Path(limit).read_text(encoding="ascii")) - int(Path(used).read_text(encoding="ascii")))
    except (OSError, ValueError):  # no such file, or the word "max": no limit
        return None
