"""Causal models in a GGUF file: `gguf:FILE`. The weights are dequantised once, into the cache."""

from __future__ import annotations

import copy
import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError
from winoglot.models import causal
from winoglot.models._cache import made_once
from winoglot.models._token_scores import SCORINGS
from winoglot.models._transformers import check_computing, need_models, quiet
from winoglot.models.base import read_options

if TYPE_CHECKING:
    from winoglot.models.base import Options, Solver

_MAGIC = b"GGUF"


def check(location: str, options: Options) -> tuple[str, ...]:
    """Before anything is loaded."""
    read_options(options.more)  # it has none of its own
    check_computing(options, int8=True)
    file = Path(location)
    if not location or not file.is_file():
        raise InputError(f"there is no file {location!r}", remedy="Name a GGUF file: gguf:MODEL.gguf.")
    with file.open("rb") as opened:
        if opened.read(4) != _MAGIC:
            raise InputError(f"{location} is no GGUF file", remedy="Its first bytes would be 'GGUF'; download it anew.")
    return SCORINGS


def load(location: str, options: Options) -> Solver:
    """The model in a file."""
    check(location, options)
    file = Path(location)
    with file.open("rb") as opened:
        mark = hashlib.file_digest(opened, "sha256").hexdigest()[:16]
    solver = causal.load(str(dequantised(file, f"gguf-{mark}")), options)
    solver.name = f"gguf:{location}"
    return solver


def dequantised(file: Path, name: str) -> Path:
    """The folder in the cache that holds the file's model as safetensors."""
    need_models()
    return made_once(name, lambda folder: convert(file, folder))


def _check_tokenizer(tokenizer: Any, version: str) -> None:
    """Some versions lose the merges of a GGUF tokenizer, so that every letter is a token and scores mean nothing."""
    words = "the water of this house and the people of that place"
    if len(tokenizer(words, add_special_tokens=False)["input_ids"]) > len(words) / 2:
        raise InputError(
            f"transformers {version} reads this file's tokenizer letter by letter",
            remedy="Use another version: pip install 'transformers>=5.22'.",
        )


def convert(file: Path, folder: Path) -> None:
    """Write the file's model and tokenizer into a folder, as safetensors."""
    import torch
    import transformers

    quiet(transformers)
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(file.parent, gguf_file=file.name)
        model = transformers.AutoModelForCausalLM.from_pretrained(file.parent, gguf_file=file.name, dtype=torch.float32)
    except OSError:
        raise
    except Exception as error:  # the parser raises whatever a broken file makes it raise
        raise InputError(
            f"{file} cannot be read: {next(iter(str(error).splitlines()), type(error).__name__)[:200]}",
            remedy="It may be truncated, or of an architecture that transformers cannot read from GGUF.",
        ) from error
    _check_tokenizer(tokenizer, transformers.__version__)
    config = copy.deepcopy(model.config.get_text_config())
    if hasattr(config, "quantization_config"):
        del config.quantization_config  # the weights are plain numbers now
    plain = type(model)(config)
    plain.load_state_dict(model.state_dict())
    plain.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
