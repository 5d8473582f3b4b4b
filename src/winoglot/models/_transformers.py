"""Models and tokenizers of `transformers`, from a folder or a hub, with errors that say what to do."""

from __future__ import annotations

import hashlib
import logging
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError
from winoglot.memory import is_out_of_memory
from winoglot.models.base import PRECISIONS

if TYPE_CHECKING:
    from winoglot.models.base import Options

_CAUSAL = "AutoModelForCausalLM"


def need_models(extra: str = "models") -> None:
    """An input error with the command to run, where torch and transformers are not installed."""
    if find_spec("torch") is None or find_spec("transformers") is None:
        raise InputError(
            "language models need torch and transformers, which are not installed",
            remedy=f'Run: pip install "winoglot[{extra}]"',
        )


def check_computing(options: Options, *, int8: bool = False) -> str:
    """The device that a model will be on; a way of computing that is not to be had here is an input error.

    `int8` says whether the family has such weights.
    """
    need_models()
    if options.precision not in PRECISIONS:
        raise InputError(f"there is no precision {options.precision!r}", remedy=f"Known: {', '.join(PRECISIONS)}.")
    device = device_of(options)
    if options.precision == "int8" and (device != "cpu" or not int8):
        raise InputError("int8 weights are for causal models on a CPU", remedy="Take float32 or bfloat16.")
    return device


def check_pretrained(location: str, options: Options, *, int8: bool = False) -> str:
    """The same, and refuse a location where no model can be. Whether a hub has a name is only seen in loading."""
    if not location:
        raise InputError("there is no model after the colon", remedy="Write FAMILY:FOLDER_OR_HUB_ID.")
    folder = Path(location)
    if folder.is_dir() and not (folder / "config.json").is_file():
        raise InputError(f"{location} holds no model: there is no config.json", remedy="Name a model's folder.")
    is_path = location.startswith((".", "/", "~")) or location.count("/") > 1  # a hub's names have one at most
    if not folder.is_dir() and (folder.exists() or is_path):
        raise InputError(f"{location} is no folder of a model", remedy="Name the folder that holds config.json.")
    return check_computing(options, int8=int8)


def load_pretrained(kind: str, location: str, options: Options, head: str) -> tuple[Any, Any, str]:
    """The model of an `AutoModelFor…` class, its tokenizer and its fingerprint; `head` says what it must bring."""
    device = check_pretrained(location, options, int8=kind == _CAUSAL)
    import torch
    import transformers

    numbers = torch.bfloat16 if options.precision == "bfloat16" else torch.float32
    quiet(transformers)
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(location)
        model, loaded = getattr(transformers, kind).from_pretrained(location, dtype=numbers, output_loading_info=True)
    except Exception as error:  # the library raises whatever its parts raise
        raise _explained(error, kind, location) from error
    missing = sorted(loaded["missing_keys"])
    if missing:
        shown = ", ".join(missing[:3]) + (f" and {len(missing) - 3} more" if len(missing) > 3 else "")
        raise InputError(
            f"the model {location} was not trained with {head}: its weights lack {shown}",
            remedy="Name a model that was, or choose the family that fits this one.",
        )
    folder = Path(location)
    mark = fingerprint(folder) if folder.is_dir() else state_fingerprint(model, tokenizer)
    try:
        return model.eval().to(device), tokenizer, mark
    except RuntimeError as error:
        if not is_out_of_memory(error):
            raise
        remedy = "Take a smaller model, --precision bfloat16, or --device cpu."
        raise InputError(f"the model {location} does not fit the memory of {device}", remedy=remedy) from error


def quiet(transformers: Any) -> None:
    """Its warnings and bars are not for our users."""
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    logging.getLogger("huggingface_hub").setLevel(logging.ERROR)  # it tells of every try to reach a network


def device_of(options: Options) -> str:
    """The device asked for; a GPU where there is one, unless another is named."""
    import torch

    if options.device == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    try:
        torch.zeros(
            1, device=options.device
        ).cpu()  # torch knows names of devices that are not here, or hold no numbers
    except (RuntimeError, AssertionError, ImportError) as error:
        raise InputError(f"there is no device {options.device!r} here", remedy="Use auto, cpu or cuda.") from error
    return options.device


def fingerprint(folder: Path) -> str:
    """A hash over the weights, configuration and vocabulary in a folder, whatever the folder is called."""
    digest = hashlib.sha256()
    kinds = (".safetensors", ".bin", ".gguf", ".json", ".model", ".txt")
    for file in sorted(file for file in folder.iterdir() if file.suffix in kinds):
        if file.name in ("generation_config.json", "README.txt"):
            continue
        digest.update(file.name.encode())
        with file.open("rb") as opened:
            digest.update(hashlib.file_digest(opened, "sha256").digest())
    return digest.hexdigest()[:16]


def state_fingerprint(model: Any, tokenizer: Any) -> str:
    """The same for a model that came from a hub: over its parameters and vocabulary."""
    digest = hashlib.sha256(str(sorted(tokenizer.get_vocab().items())).encode())
    for name, value in sorted(model.state_dict().items()):
        digest.update(name.encode())
        digest.update(value.detach().cpu().float().numpy().tobytes())
    return digest.hexdigest()[:16]


def _explained(error: Exception, kind: str, location: str) -> InputError:
    """What went wrong, for somebody who gave us a location."""
    if Path(location).is_dir():
        return InputError(
            f"the model in {location} cannot be loaded as {kind}: {_first_line(error)}",
            remedy="It may be truncated, or of another family; copy it anew or choose the family that fits.",
        )
    return InputError(
        f"the model {location!r} could not be fetched: {_first_line(error)}",
        remedy="Check its name and the network, or give a folder that holds the model.",
    )


def _first_line(error: Exception) -> str:
    return next(iter(str(error).strip().splitlines()), type(error).__name__)[:200]
