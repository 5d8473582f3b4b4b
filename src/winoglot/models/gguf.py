"""Causal models in a GGUF file: `gguf:FILE`. The weights are dequantised once, into the cache."""

from __future__ import annotations

import copy
import os
import re
import shutil
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError
from winoglot.files import temporary_folder, write_whole
from winoglot.folders import cache_folder
from winoglot.models import causal
from winoglot.models.scoring.pretrained import check_weights, hash_of, own_code, sha256_of, silence
from winoglot.models.scoring.tokens import SCORINGS
from winoglot.models.shots import read_shots

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from winoglot.models.base import Options, Solver

_MAGIC = b"GGUF"
FINETUNING = causal.FINETUNING
SUMS = "SHA256SUMS"  # in a prepared folder: the hashes of its files


def check(location: str, options: Options) -> tuple[str, ...]:
    """Reject a wrong file or option before anything is loaded."""
    read_shots(options)
    check_weights(options, int8=True)
    file = Path(location)
    if not location or not file.is_file():
        raise InputError(f"there is no file {location!r}", remedy="Name a GGUF file: gguf:MODEL.gguf.")
    with file.open("rb") as stream:
        if stream.read(4) != _MAGIC:
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
            arguments: dict[str, Any] = {"pretrained_model_name_or_path": file.parent, "gguf_file": file.name}
            arguments["trust_remote_code"] = False
            tokenizer = transformers.AutoTokenizer.from_pretrained(**arguments)
            model = transformers.AutoModelForCausalLM.from_pretrained(**arguments, dtype=torch.float32)
    except Exception as error:  # a broken file makes the parser raise anything
        if isinstance(error, OSError) and error.errno is not None:  # not one of the library's own
            raise
        if "trust_remote_code" in str(error):  # named by a description that lies beside the file
            raise own_code(str(file.parent)) from error
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
    saved_tokenizer = transformers.AutoTokenizer.from_pretrained(folder, trust_remote_code=False)
    _check_tokenizer(saved_tokenizer, transformers.__version__)


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
    """The folder of that name in the cache; `make` makes it if it does not exist yet, whole or not at all.

    The SHA-256 of each of its files is noted beside them. A folder whose files are others by now is made again.
    """
    folder = cache_folder() / name
    if _is_as_made(folder):
        return folder
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with temporary_folder(folder.parent) as work:
            with _system_errors():
                make(work)
            sums = "".join(f"{sha256_of(file)}  {file.name}\n" for file in sorted(work.iterdir()))
            write_whole(work / SUMS, sums)
            if not _is_as_made(folder):  # another process may have been faster
                shutil.rmtree(folder, ignore_errors=True)
                work.rename(folder)
    except OSError as error:
        if not _is_as_made(folder):
            reason = error.strerror or error
            remedy = "Free some space, or name another folder in the environment variable WINOGLOT_CACHE."
            raise InputError(f"the model cannot be prepared: {reason}", remedy=remedy, file=str(folder)) from error
    return folder


@contextmanager
def _system_errors() -> Iterator[None]:
    """Raise what libraries in Rust say when a file cannot be written as Python does: as an OSError."""
    try:
        yield
    except Exception as error:
        number = re.search(r"\(os error (\d+)\)", str(error))
        if number is None:
            raise
        raise OSError(int(number[1]), os.strerror(int(number[1]))) from error


def _is_as_made(folder: Path) -> bool:
    """Whether a prepared folder exists and its files are those that were written."""
    try:
        lines = (folder / SUMS).read_text(encoding="utf-8").splitlines()
        return all(hash_of(folder / name) == noted_hash for noted_hash, name in (line.split("  ", 1) for line in lines))
    except (OSError, ValueError):
        return False
