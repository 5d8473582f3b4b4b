"""Where models compute: the devices that a user can name, and whether this machine has them."""

from __future__ import annotations

import re

from winoglot.errors import InputError, require_extra

_NAMES = re.compile(r"auto|cpu|(cuda|mps|xpu)(:[0-9]+)?")
_KNOWN = "auto, cpu, cuda (NVIDIA), cuda:1, mps (Apple), xpu (Intel)"
_REMEDY = "Use cpu, or auto for the best device that there is."


def find_device(name: str) -> str:
    """The device of that name, as torch calls it; for `auto` a GPU if there is one. InputError if there is none.

    >>> find_device("cpu")
    'cpu'
    >>> find_device("gpu")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    winoglot.errors.InputError: there is no device 'gpu'. Known: auto, cpu, cuda (NVIDIA), ...
    """
    if not _NAMES.fullmatch(name):
        raise InputError(f"there is no device {name!r}", remedy=f"Known: {_KNOWN}.")
    if name == "cpu":
        return name
    require_extra(f"the device {name!r} needs", "torch", extra="models")
    import torch

    if name == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    try:
        # torch has names for devices that do not exist here, or cannot store numbers
        torch.zeros(1, device=name).cpu()
    except (RuntimeError, AssertionError, ImportError) as error:
        raise InputError(f"this machine has no device {name!r}: {_why_not(name)}", remedy=_REMEDY) from error
    return name


def check_device(name: str) -> None:
    """Refuse a device that no machine has, or that this one lacks; torch is imported only if a GPU is named."""
    if name == "auto":
        return
    find_device(name)


def _why_not(name: str) -> str:
    """Why torch cannot use a device of a known name."""
    import torch

    version = f"torch {torch.__version__}"
    if not name.startswith("cuda"):
        return f"{version} cannot use it"
    if torch.version.cuda is None:
        return f"{version} was built without CUDA"
    gpus = torch.cuda.device_count()
    if gpus and name != "cuda":
        return f"the last GPU is cuda:{gpus - 1}"
    return f"{version} finds no GPU"
