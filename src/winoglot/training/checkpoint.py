"""Checkpoints and models on disk: safetensors and JSON, never half-written where a reader looks, nothing pickled.

A folder holds a JSON file that names its tensors' file. New tensors are written under a new name; putting the new
JSON in the old one's place makes them count, and only then the old ones go. Whenever it is ended, one of them is whole.
"""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError
from winoglot.files import write_whole

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import torch

FORMAT = 1


def save(folder: Path, description: str, name: str, tensors: dict[str, torch.Tensor], info: dict[str, Any]) -> None:
    """Write tensors under a name of their own, then the description that names them; remove other tensors."""
    from safetensors import SafetensorError
    from safetensors.torch import save_file

    temporary = folder / f".{name}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        save_file({key: value.detach().contiguous() for key, value in tensors.items()}, temporary)
        with temporary.open("rb") as file:
            os.fsync(file.fileno())
        temporary.replace(folder / name)
    except (OSError, SafetensorError) as error:
        temporary.unlink(missing_ok=True)
        reason = getattr(error, "strerror", None) or str(error)
        remedy = "Make room, then go on with --resume: what was saved before is kept."
        raise InputError(f"cannot be written: {reason}", remedy=remedy, file=str(folder / name)) from error
    text = json.dumps(info | {"weights": name}, ensure_ascii=False, indent=1)
    write_whole(folder / description, text + "\n", force=True)
    for old in folder.glob("*.safetensors"):
        if old.name != name:
            old.unlink()


def read_description(path: Path, keys: set[str]) -> dict[str, Any]:
    """The JSON of a folder; what is no such thing is an input error."""
    try:
        info = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {error}", remedy="Train the model again.", file=str(path)) from error
    if not isinstance(info, dict) or not keys | {"weights", "format"} <= info.keys():
        lacking = ", ".join(sorted((keys | {"weights", "format"}) - set(info if isinstance(info, dict) else ())))
        raise InputError(f"is no description of a model: it lacks {lacking}", file=str(path))
    if info["format"] != FORMAT:
        message = f"the model has the format {info['format']!r}; this version reads {FORMAT}"
        raise InputError(message, remedy="Train it again.", file=str(path))
    return info


@contextmanager
def following(description: Path) -> Iterator[None]:
    """Where a description is followed: one that has all keys and was changed all the same is an input error."""
    try:
        yield
    except InputError:
        raise
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        message = f"does not describe what lies beside it: {type(error).__name__}: {error}"
        raise InputError(
            message, remedy="It was changed: copy it anew, or train again.", file=str(description)
        ) from error


def read_tensors(path: Path, device: torch.device | str = "cpu") -> dict[str, torch.Tensor]:
    """The tensors of a file; one that is truncated or no such file is an input error."""
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    remedy = "It is truncated or was changed: copy it anew, or train again."
    try:
        return load_file(path, device=str(device))
    except (OSError, SafetensorError, ValueError, KeyError) as error:
        raise InputError(f"the weights cannot be read: {error}", remedy=remedy, file=str(path)) from error


def check_tensors(found: dict[str, torch.Tensor], wanted: dict[str, torch.Tensor], file: Path) -> None:
    """An input error where names or shapes are not those of the model."""
    for name, value in wanted.items():
        if name not in found:
            raise InputError(f"the weights lack {name}", remedy="They are of another model.", file=str(file))
        if found[name].shape != value.shape:
            message = f"{name} is {list(found[name].shape)}, not {list(value.shape)}"
            remedy = "The weights are of another vocabulary or recipe."
            raise InputError(message, remedy=remedy, file=str(file))
