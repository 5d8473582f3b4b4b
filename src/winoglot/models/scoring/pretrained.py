"""Models and tokenizers of `transformers`, from a folder or a hub: checked, loaded, and fed batches that fit.

How many tokens go through a model at once depends on the free memory, up to the number beyond which more were not seen
to be faster. In inference only one layer's intermediate states exist at a time, so beside the weights a batch of T
tokens needs

    T · (width · (12 · hidden + 4 · inner) + 12 · columns + kept)  +  T² · (heads · width + 8)    bytes

where `width` is the size of a number, `inner` that of the feed-forward layer, `columns` the part of the vocabulary that
is scored at once (three copies in float32), `kept` the keys and values of a model that generates, and the square the
attention's mask and weights if a batch is one row; plainly computed attention (`eager`) adds two float32 copies of the
weights. This is an upper bound: on an H200, models of six shapes needed 0.06 to 0.9 of it (512 to 8192 tokens, float32
and bfloat16; `benchmarks/gpu.py` prints the two side by side).
"""

from __future__ import annotations

import hashlib
import logging
import math
import os
import threading
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from winoglot.devices import find_device
from winoglot.errors import InputError
from winoglot.memory import free_memory, is_out_of_memory
from winoglot.models.base import PRECISIONS, Solver, TokenCount, read_options
from winoglot.models.naming import family_of
from winoglot.models.scoring.tokens import count_known

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from winoglot.models.base import Options

CAUSAL = "AutoModelForCausalLM"
_SHARE = 0.5  # of the free memory: other processes, and what the libraries allocate for themselves, need some too
_FEWEST = 64  # tokens of a batch: a sentence or two; with less nothing could be scored anyway
_PATIENCE = 3.0  # seconds to reach the hub; the library itself tries for about a minute


def need_models(extra: str = "models") -> None:
    """InputError with the command to run if torch and transformers are not installed."""
    if find_spec("torch") is None or find_spec("transformers") is None:
        raise InputError(
            "language models need torch and transformers, which are not installed",
            remedy=f'Run: pip install "winoglot[{extra}]"',
        )


def check_computing(options: Options, *, int8: bool = False) -> str:
    """The device that a model will be on; rejects a precision or device that is not available here.

    `int8` says whether the family has such weights.
    """
    need_models()
    if options.precision not in PRECISIONS:
        raise InputError(f"there is no precision {options.precision!r}", remedy=f"Known: {', '.join(PRECISIONS)}.")
    device = find_device(options.device)
    if options.precision == "int8" and (device != "cpu" or not int8):
        raise InputError("int8 weights are for causal models on a CPU", remedy="Use float32 or bfloat16.")
    return device


def check_pretrained(location: str, options: Options, *, int8: bool = False) -> str:
    """The same, and rejects a location that cannot contain a model, or a hub that cannot be reached.

    Only loading shows whether a hub has a model of that name.
    """
    if not location:
        raise InputError("no model is named after the colon", remedy="Write FAMILY:FOLDER_OR_HUB_ID.")
    folder = Path(location)
    if folder.is_dir() and not (folder / "config.json").is_file():
        raise InputError(f"{location} contains no model: config.json is missing", remedy="Name the folder of a model.")
    is_path = location.startswith((".", "/", "~")) or location.count("/") > 1  # a hub id has at most one
    if not folder.is_dir() and (folder.exists() or is_path):
        raise InputError(
            f"{location} is not the folder of a model", remedy="Name the folder that contains config.json."
        )
    device = check_computing(options, int8=int8)
    if not folder.is_dir() and not _is_downloaded(location) and not _hub_answers():
        raise _unreachable(location)
    return device


def load_pretrained(kind: str, location: str, options: Options, head: str) -> tuple[Any, Any, str]:
    """A model of the class `kind` (`AutoModelFor…`), its tokenizer and its fingerprint; `head` names its last layer."""
    device = check_pretrained(location, options, int8=kind == CAUSAL)
    import torch
    import transformers

    numbers = torch.bfloat16 if options.precision == "bfloat16" else torch.float32
    silence(transformers)
    folder = Path(location)
    offline = not folder.is_dir() and not _hub_answers()
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(location, local_files_only=offline)
        model, loaded = getattr(transformers, kind).from_pretrained(
            location, dtype=numbers, output_loading_info=True, local_files_only=offline
        )
    except Exception as error:  # the library raises whatever its parts raise
        raise _explained(error, kind, location, offline=offline) from error
    missing = sorted(loaded["missing_keys"])
    if missing:
        shown = ", ".join(missing[:3]) + (f" and {len(missing) - 3} more" if len(missing) > 3 else "")
        found = family_of(folder)
        fitting = f"write {found}:{location}" if found else "choose the family that fits this one"
        raise InputError(
            f"the model {location} was not trained with {head}: its weights lack {shown}",
            remedy=f"Name a model that was, or {fitting}.",
        )
    mark = fingerprint(folder) if folder.is_dir() else _state_fingerprint(model, tokenizer)
    try:
        return model.eval().to(device), tokenizer, mark
    except RuntimeError as error:
        if not is_out_of_memory(error):
            raise
        remedy = "Use a smaller model, --precision bfloat16, or --device cpu."
        raise InputError(f"the model {location} does not fit into the memory of {device}", remedy=remedy) from error


def silence(transformers: Any) -> None:
    """Turn off the library's warnings and progress bars."""
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    logging.getLogger("huggingface_hub").setLevel(logging.ERROR)  # it reports every attempt to reach a network


def _is_downloaded(name: str) -> bool:
    """Whether a model of that name is in the hub's cache on this machine; an input error if it cannot be a name."""
    from huggingface_hub import try_to_load_from_cache
    from huggingface_hub.errors import HFValidationError

    try:
        return isinstance(try_to_load_from_cache(name, "config.json"), str)
    except HFValidationError as error:
        remedy = "Name a folder that contains config.json, or a hub id such as google/gemma-3-270m."
        raise InputError(f"{name!r} is neither a folder nor a hub id", remedy=remedy) from error


def _hub_answers() -> bool:
    """Whether the hub answers a request, sent as its library would send it: through the same proxies, if any."""
    from huggingface_hub import get_session

    address = os.environ.get("HF_ENDPOINT") or "https://huggingface.co"
    answered = threading.Event()

    def ask() -> None:
        with suppress(Exception):  # whatever went wrong, there was no answer
            if get_session().head(address, timeout=_PATIENCE).status_code < 500:
                answered.set()

    thread = threading.Thread(target=ask, daemon=True)  # looking up a name has no timeout of its own
    thread.start()
    thread.join(_PATIENCE)
    return answered.is_set()


def _explained(error: Exception, kind: str, location: str, *, offline: bool) -> InputError:
    """What went wrong, in words for someone who named a location."""
    why = next(iter(str(error).strip().splitlines()), type(error).__name__)[:200]
    if Path(location).is_dir():
        return InputError(
            f"the model in {location} cannot be loaded as {kind}: {why}",
            remedy="It may be truncated, or of another family: copy it again or choose the family that fits.",
        )
    if offline:
        return _unreachable(location)
    return InputError(
        f"the model {location!r} could not be fetched: {why}",
        remedy="Check its name and the network, or name a folder that contains the model.",
    )


def _unreachable(location: str) -> InputError:
    return InputError(
        f"the model {location!r} is not on this machine, and its hub cannot be reached",
        remedy="Connect to the network, or download the model elsewhere and name its folder.",
    )


def fingerprint(folder: Path) -> str:
    """A hash of the weights, configuration and vocabulary in a folder, whatever the folder is called."""
    digest = hashlib.sha256()
    kinds = (".safetensors", ".bin", ".gguf", ".json", ".model", ".txt")
    for file in sorted(file for file in folder.iterdir() if file.suffix in kinds):
        if file.name in ("generation_config.json", "README.txt"):
            continue
        digest.update(file.name.encode())
        with file.open("rb") as opened:
            digest.update(hashlib.file_digest(opened, "sha256").digest())
    return digest.hexdigest()[:16]


def _state_fingerprint(model: Any, tokenizer: Any) -> str:
    """The same for a model from a hub: a hash of its parameters and vocabulary."""
    digest = hashlib.sha256(str(sorted(tokenizer.get_vocab().items())).encode())
    for name, value in sorted(model.state_dict().items()):
        digest.update(name.encode())
        digest.update(value.detach().cpu().float().numpy().tobytes())
    return digest.hexdigest()[:16]


class PretrainedSolver(Solver):
    """A solver that scores with a model of `transformers`; a family's `check` and `load` are those of its class."""

    family: ClassVar[str]
    kind: ClassVar[str]  # the class that loads its models: AutoModelFor…
    head: ClassVar[str]  # what the last layer of these models is called

    def __init__(self, name: str, model: Any, tokenizer: Any, mark: str, options: Options) -> None:
        """Wrap a loaded model; `mark` is the fingerprint of its weights."""
        self.name = name
        self.model = model
        self.tokenizer = tokenizer
        self.fingerprint = mark
        self.settings: Mapping[str, object] = {"precision": options.precision}

    @classmethod
    def check(cls, location: str, options: Options) -> tuple[str, ...]:
        """Reject a wrong location or option before anything is loaded."""
        read_options(options.more)  # these families have none of their own
        check_pretrained(location, options, int8=cls.kind == CAUSAL)
        return cls.scorings

    @classmethod
    def load(cls, location: str, options: Options) -> Self:
        """The model in a folder, or of that name on the hub."""
        read_options(options.more)
        model, tokenizer, mark = load_pretrained(cls.kind, location, options, cls.head)
        return cls(f"{cls.family}:{location}", model, tokenizer, mark, options)

    def count_tokens(self, texts: Sequence[str]) -> list[TokenCount]:
        """The tokens of each text of a run; too many unknown ones are an InputError."""
        return count_known(self.tokenizer, texts, self.name)


@dataclass(frozen=True)
class Need:
    """The bytes that a batch needs: per token, and per pair of tokens."""

    per_token: float
    per_pair: float = 0.0

    def of(self, tokens: int) -> float:
        """The bytes for a batch of that many tokens."""
        return tokens * self.per_token + tokens**2 * self.per_pair

    def tokens_within(self, memory: float) -> int:
        """The largest batch that needs no more than that many bytes.

        >>> Need(100.0).tokens_within(5000), Need(1.0, 1.0).tokens_within(110)
        (50, 10)
        """
        root = math.sqrt(self.per_token**2 + 4 * self.per_pair * memory)
        return int(2 * memory / (self.per_token + root))


def batch_tokens_of(asked: int, model: Any, need: Need, *, cpu: int, gpu: int) -> int:
    """The most tokens of a batch: as asked, otherwise what fits, up to `cpu` or `gpu`."""
    if asked:
        return asked
    most = cpu if model.device.type == "cpu" else gpu
    free = free_memory(model.device)
    return most if free is None else max(_FEWEST, min(most, need.tokens_within(_SHARE * free)))


def need_of(model: Any, *, columns: int, one_row: bool = False, generates: bool = False) -> Need:
    """What a model needs; `columns` of its vocabulary are scored at once for each token.

    `one_row` says that a batch is one row of tokens, `generates` that keys and values are kept.
    """
    config = model.config.get_text_config()
    hidden = _number(config, "hidden_size", "d_model", "n_embd", "dim")
    inner = _number(config, "intermediate_size", "ffn_dim", "n_inner", "hidden_dim") or 4 * hidden
    heads = _number(config, "num_attention_heads", "n_head", "n_heads") or 1
    layers = _number(config, "num_hidden_layers", "n_layer", "n_layers")
    width = model.dtype.itemsize
    plain = 8 if getattr(config, "_attn_implementation", None) == "eager" else 0
    kept = 2 * layers * hidden * width if generates else 0  # less if heads share them
    per_pair = heads * (width + plain) + 8 if one_row else 0
    return Need(width * (12 * hidden + 4 * inner) + 12 * columns + kept, per_pair)


def _number(config: Any, *names: str) -> int:
    """The first of these fields that is set: architectures have different names for them."""
    return int(next((value for name in names if (value := getattr(config, name, None))), 0))
