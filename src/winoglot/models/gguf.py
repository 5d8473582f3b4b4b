"""Causal models in a GGUF file: `gguf:FILE`. The weights are dequantised once, into the cache."""

from __future__ import annotations

import copy
import shutil
import tempfile
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError
from winoglot.folders import cache_folder
from winoglot.models import causal
from winoglot.models.scoring.pretrained import check_computing, hash_of, silence
from winoglot.models.scoring.tokens import SCORINGS
from winoglot.models.shots import read_shots

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from winoglot.models.base import Options, Solver

_MAGIC = b"GGUF"


def check(location: str, options: Options) -> tuple[str, ...]:
    """Reject a wrong file or option before anything is loaded."""
    read_shots(options)
    check_computing(options, int8=True)
    file = Path(location)
    if not location or not file.is_file():
        raise InputError(f"there is no file {location!r}", remedy="Name a GGUF file: gguf:MODEL.gguf.")
    with file.open("rb") as opened:
        if opened.read(4) != _MAGIC:
            raise InputError(
                f"{location} is not a GGUF file: its first bytes are not 'GGUF'", remedy="Download it again."
            )
    return SCORINGS


def load(location: str, options: Options) -> Solver:
    """The model in a file."""
    check(location, options)
    file = Path(location)
    folder = made_once(f"gguf-{hash_of(file)[:16]}", lambda folder: convert(file, folder))
    solver = causal.load(str(folder), options)
    solver.name = f"gguf:{location}"
    return solver


def convert(file: Path, folder: Path) -> None:
    """Write the model and tokenizer of a GGUF file into a folder, as safetensors."""
    import torch
    import transformers

    silence(transformers)
    try:
        with _read_once():
            named: dict[str, Any] = {"pretrained_model_name_or_path": file.parent, "gguf_file": file.name}
            tokenizer = transformers.AutoTokenizer.from_pretrained(**named)
            model = transformers.AutoModelForCausalLM.from_pretrained(**named, dtype=torch.float32)
    except OSError:
        raise
    except Exception as error:  # a broken file makes the parser raise anything
        raise InputError(
            f"{file} cannot be read: {next(iter(str(error).splitlines()), type(error).__name__)[:200]}",
            remedy="It may be truncated, or of an architecture that transformers cannot read from GGUF.",
        ) from error
    config = copy.deepcopy(model.config.get_text_config())
    if hasattr(config, "quantization_config"):
        del config.quantization_config  # the weights are plain numbers now
    with torch.device("meta"):  # without numbers of its own, which would only be replaced
        plain = type(model)(config)
    plain.load_state_dict(model.state_dict(), assign=True)
    plain.tie_weights()
    plain.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    _check_tokenizer(transformers.AutoTokenizer.from_pretrained(folder), transformers.__version__)


@contextmanager
def _read_once() -> Iterator[None]:
    """Here, transformers reads a file once for configuration, tokenizer and weights: each reading takes ten seconds."""
    module: Any = import_module("gguf")
    reader = module.GGUFReader
    module.GGUFReader = cache(reader)
    try:
        yield
    finally:
        module.GGUFReader = reader


def _check_tokenizer(tokenizer: Any, version: str) -> None:
    """Refuse one without its merges, as some versions read it and 5.17 saves it: of letters, scores mean nothing."""
    words = "the water of this house and the people of that place"
    if len(tokenizer(words, add_special_tokens=False)["input_ids"]) > len(words) / 2:
        raise InputError(
            f"transformers {version} reads this file's tokenizer letter by letter",
            remedy="Use another version: pip install 'transformers>=5.22'.",
        )


def made_once(name: str, make: Callable[[Path], None]) -> Path:
    """The folder of that name in the cache; `make` makes it if it does not exist yet, whole or not at all."""
    folder = cache_folder() / name
    if folder.is_dir():
        return folder
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    except OSError as error:
        raise InputError(
            f"the cache {folder.parent} cannot be written: {error.strerror}",
            remedy="Name another folder in the environment variable WINOGLOT_CACHE.",
        ) from error
    try:
        make(work)
        if not folder.is_dir():  # another process may have been faster
            work.rename(folder)
    except OSError as error:
        if not folder.is_dir():
            raise InputError(
                f"{folder} cannot be written: {error.strerror}", remedy="Free some space, or set WINOGLOT_CACHE."
            ) from error
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return folder
