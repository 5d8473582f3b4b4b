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
import json
import logging
import math
import os
import re
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from winoglot.devices import find_device
from winoglot.errors import InputError, require_extra
from winoglot.files import check_plain, did_you_mean_path, parse_json
from winoglot.folders import disk_cached
from winoglot.memory import free_memory, is_out_of_memory
from winoglot.models.base import TRAINED_ON, Solver, TokenCount, check_computing, lazy, read_options
from winoglot.models.naming import family_of
from winoglot.models.scoring.tokens import check_known, count_tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from winoglot.models.base import Options

# Threads that wait by spinning make everything several times slower when other programs need the processor; that they
# do not costs about 5% when none does. This is read when torch is imported, which nothing here does before it must.
os.environ.setdefault("GOMP_SPINCOUNT", "1000")
# A model on the hub without safetensors is refused; the library would ask a service there to convert it, in public.
os.environ.setdefault("DISABLE_SAFETENSORS_CONVERSION", "1")

CAUSAL = "AutoModelForCausalLM"
_CONFIG, _TOKENIZER, _INDEX = "config.json", "tokenizer_config.json", "model.safetensors.index.json"
_KINDS = (".safetensors", ".bin", ".gguf", ".json", ".model", ".txt")  # of files that count for the fingerprint
_OTHER_WEIGHTS = "transformers_weights"  # in config.json: the library reads this file instead of model.safetensors
_KERNELS = {"attn_implementation", "_attn_implementation", "experts_implementation", "_experts_implementation"}
_VOCABULARIES = (
    "tokenizer.",
    "vocab",
    "spiece.",
    "sentencepiece.",
    "merges.",
    "bpe.",
    "source.spm",
    "tekken.",
    "qwen.",
)
_BY_CHARACTER = {"ByT5Tokenizer", "CanineTokenizer", "PerceiverTokenizer"}  # of bytes or characters: no vocabulary
_MOST_DESCRIBED = 2**26  # bytes of a file that describes a model
_COPY = "Copy the model again; if it is as its authors published it, do not use it."
_ADAPTER, _ADAPTER_WEIGHTS = "adapter_config.json", "adapter_model.safetensors"  # the files of peft
_FIRST, _SECOND = ".lora_A.weight", ".lora_B.weight"  # the ends of the names of its matrices
_PLAIN = {"bias": "none", "init_lora_weights": True}  # settings of plain LoRA; others are off, but for these:
_DESCRIBING = (
    *("peft_type", "peft_version", "task_type", "auto_mapping", "base_model_name_or_path", "revision"),
    *("inference_mode", "r", "lora_alpha", "lora_dropout", "target_modules", "exclude_modules", "megatron_core"),
    "qalora_group_size",
)
_SHARE = 0.5  # of the free memory: other processes, and what the libraries allocate for themselves, need some too
_WRITTEN_BY = re.compile(rb'\s*"transformers_version":[^,}]*,?')
_DECISIVE = ("family", "recipe", "language", "languages", "labels", "kinds")  # of a model that Winoglot trained
_SMALL = 2**20  # bytes of a file whose hash is not worth remembering
_FEWEST = 64  # tokens of a batch: a sentence or two; with less nothing could be scored anyway
_PATIENCE = 3.0  # seconds to reach the hub; the library itself tries for about a minute


def need_models(extra: str = "models") -> None:
    """An input error with the command to run, if torch or transformers is missing."""
    require_extra("language models need", "torch", "transformers", extra=extra)


def check_weights(options: Options, *, int8: bool = False) -> None:
    """Reject a precision or device that weights cannot have here; `int8` says whether the family has such weights."""
    need_models()
    check_computing(options)
    if options.precision == "int8" and (options.device not in ("auto", "cpu") or not int8):
        raise InputError("int8 weights are for causal models on a CPU", remedy="Use float32 or bfloat16.")


def device_of(options: Options) -> str:
    """The device asked for; by default a GPU if there is one, and a CPU for int8 weights, which no GPU takes here."""
    return find_device("cpu" if options.precision == "int8" else options.device)


def check_pretrained(location: str, options: Options, *, int8: bool = False) -> None:
    """Check the options like `check_weights`, and refuse a location without a model or a hub that cannot be reached.

    Only loading shows whether a hub has a model of that name.
    """
    if not location:
        remedy = "Write a folder or a hub's id behind it, as in causal:models/tiny or chat:models/tiny."
        raise InputError("no model is named after the colon", remedy=remedy)
    if "://" in location:
        page = re.fullmatch(r"https?://(?:huggingface\.co|hf\.co)/([^/#?]+/[^/#?]+).*", location)
        remedy = f"Write FAMILY:{page[1]}." if page else "A server is asked with remote:URL#MODEL."
        message = "what follows the colon is a folder or a hub id, and this is an address"  # which may hold a secret
        raise InputError(message, remedy=remedy)
    folder = Path(location)
    if folder.is_dir() and not (folder / _CONFIG).is_file():
        raise InputError(f"{location} contains no model: config.json is missing", remedy="Name the folder of a model.")
    if folder.is_dir():
        _check_files(folder)
    is_path = location.startswith((".", "/", "~")) or location.count("/") > 1  # a hub id has at most one
    if not folder.is_dir() and (folder.exists() or is_path):
        hint = "" if folder.exists() else did_you_mean_path(folder)
        message = f"{location} is not the folder of a model"
        raise InputError(message, remedy=f"{hint}Name the folder that contains config.json.")
    check_weights(options, int8=int8)
    if not folder.is_dir() and not _is_downloaded(location) and options.contact and not _hub_answers():
        raise _unreachable(location)


def _check_files(folder: Path) -> None:
    """Refuse a model folder that would run code, be unpickled, or take weights from elsewhere.

    Descriptions that cannot be read are refused here too: what the libraries say about them helps nobody.
    """
    _check_places(folder)
    descriptions = {
        name: _read_description(folder / name) for name in (_CONFIG, _TOKENIZER, _INDEX) if (folder / name).exists()
    }
    for name in (_CONFIG, _TOKENIZER):
        classes = descriptions.get(name, {}).get("auto_map")
        if classes and not _is_known(descriptions, name):
            raise own_code(str(folder / name), classes)
    config = descriptions[_CONFIG]
    for part in (config, *(value for value in config.values() if isinstance(value, dict))):
        for key in _KERNELS & part.keys():
            if "/" in str(part[key]):  # a repository on the hub
                raise own_code(str(folder / _CONFIG), {key: part[key]})
    if config.get(_OTHER_WEIGHTS) is not None:
        message = f"`{_OTHER_WEIGHTS}` names {config[_OTHER_WEIGHTS]!r}; only model.safetensors or its index is read"
        remedy = "Give those weights that name in this folder, and remove the key."
        raise InputError(message, remedy=remedy, file=str(folder / _CONFIG))
    weights = descriptions.get(_INDEX, {}).get("weight_map", {})
    if not isinstance(weights, dict):
        raise InputError("`weight_map` is not a mapping", remedy=_COPY, file=str(folder / _INDEX))
    for file in sorted({str(file) for file in weights.values()}):
        if Path(file).name != file or not file.endswith(".safetensors"):
            message = f"it names {file!r}, and weights must be safetensors files in the same folder"
            raise InputError(message, remedy=_COPY, file=str(folder / _INDEX))
        if not (folder / file).is_file():
            raise InputError(f"it names {file!r}, which is missing", remedy=_COPY, file=str(folder / _INDEX))
    if not any(folder.glob("*.safetensors")) and (pickled_files := sorted(folder.glob("*.bin"))):
        remedy = "Convert the model: load it where you trust it, and save_pretrained(FOLDER) writes safetensors."
        raise InputError(
            "its weights are pickled, and nothing is ever unpickled", remedy=remedy, file=str(pickled_files[0])
        )
    needs_none = descriptions.get(_TOKENIZER, {}).get("tokenizer_class") in _BY_CHARACTER
    if not needs_none and not any(file.name.startswith(_VOCABULARIES) for file in folder.iterdir()):
        base = config.get("_name_or_path") or "BASE_MODEL"
        remedy = f"Save it there: AutoTokenizer.from_pretrained({base!r}).save_pretrained({str(folder)!r})."
        message = "the model has no tokenizer: tokenizer.json, or a vocabulary, is missing"
        raise InputError(message, remedy=remedy, file=str(folder))


def _check_places(folder: Path) -> None:
    """Refuse files of a model that are no plain files, or links out of its folder, but for those of the hub's cache."""
    home = folder.resolve()
    homes = [home, home.parents[1] / "blobs"] if home.parent.name == "snapshots" else [home]
    for file in sorted(file for file in folder.iterdir() if file.suffix in _KINDS):
        if not file.is_file():
            raise InputError("this is not a plain file", remedy=_COPY, file=str(file))
        if file.is_symlink() and not any(file.resolve().is_relative_to(place) for place in homes):
            message = f"this is a link that leads out of the folder, to {file.resolve()}"
            raise InputError(message, remedy="Copy that file into the folder instead.", file=str(file))


def _read_description(file: Path) -> dict[str, Any]:
    """The content of a JSON file that describes a model."""
    check_plain(file, _MOST_DESCRIBED, _COPY)
    try:
        description = parse_json(file.read_bytes())
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {error}", remedy=_COPY, file=str(file)) from error
    if not isinstance(description, dict):
        raise InputError("this does not describe a model", remedy=_COPY, file=str(file))
    return description


def _is_known(descriptions: Mapping[str, Mapping[str, Any]], name: str) -> bool:
    """Whether transformers has the code for a model, or its tokenizer, that also brings code of its own."""
    import transformers

    config = descriptions.get(_CONFIG, {})
    if name == _CONFIG:
        return config.get("model_type") in transformers.CONFIG_MAPPING
    return hasattr(transformers, str(descriptions[name].get("tokenizer_class")))


def own_code(place: str, classes: object = None) -> InputError:
    """The error for a model that needs code which comes with it, or which its files name."""
    class_name = next(iter(classes.values()), "") if isinstance(classes, dict) else ""
    message = f"this model needs code of its own{f' ({class_name})' if class_name else ''}, and such code is never run"
    remedy = "Use a model of an architecture that transformers has, or serve it elsewhere and ask it as remote:URL."
    return InputError(message, remedy=remedy, file=place)


def silence(transformers: Any) -> None:
    """Turn off the library's warnings and progress bars."""
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    logging.getLogger("huggingface_hub").setLevel(logging.ERROR)  # it reports every attempt to reach a network
    warnings.filterwarnings("ignore", "`is_gradient_checkpointing` is deprecated", FutureWarning)  # by peft 0.21


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
    has_answered = threading.Event()

    def ask() -> None:
        with suppress(Exception):  # whatever went wrong, there was no answer
            if get_session().head(address, timeout=_PATIENCE).status_code < 500:
                has_answered.set()

    # Looking up a name has no timeout of its own, neither here nor in the hub's library: without network it may take
    # minutes. A daemon, since a pool's thread would be waited for at exit.
    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(_PATIENCE)
    return has_answered.is_set()


def _loading_error(error: Exception, kind: str, location: str, *, offline: bool) -> InputError:
    """What went wrong, in words for someone who named a location."""
    if "trust_remote_code" in str(error):
        return own_code(location)
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
        f"the model {location!r} is not on this machine, and the hub cannot be reached",
        remedy=f"{did_you_mean_path(Path(location))}Connect to the network, or download the model elsewhere and name "
        "its folder.",
    )


def fingerprint(folder: Path) -> str:
    """A hash of the weights, configuration and vocabulary in a folder, whatever the folder is called.

    The version of the library that wrote the configuration does not count, so a model that is converted again keeps its
    fingerprint; nor does how long its training took, or how it went.
    """
    digest = hashlib.sha256()
    for file in sorted(file for file in folder.iterdir() if file.suffix in _KINDS):
        if file.name in ("generation_config.json", "README.txt", "finetune.json", TRAINED_ON):
            continue
        digest.update(file.name.encode())
        if file.name == "config.json":
            digest.update(hashlib.sha256(_decisive(file.read_bytes())).digest())
        else:
            digest.update(bytes.fromhex(hash_of(file)))
    return digest.hexdigest()[:16]


def _decisive(config: bytes) -> bytes:
    """The part of a configuration that changes answers, if Winoglot wrote it; else all but the library's version."""
    try:
        config_values = parse_json(config)
        decisive = {name: config_values.get(name) for name in _DECISIVE} | {
            "control": config_values.get("data", {}).get("control")
        }
    except (ValueError, AttributeError):  # damaged: loading it says so
        decisive = {}
    return json.dumps(decisive, sort_keys=True).encode() if decisive.get("recipe") else _WRITTEN_BY.sub(b"", config)


def sha256_of(file: Path) -> str:
    """The SHA-256 of a file."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def hash_of(file: Path) -> str:
    """The SHA-256 of a file; of a large one, it is computed again only if the size or a time of change differs."""
    status = file.stat()
    if status.st_size < _SMALL:
        return sha256_of(file)
    key = [str(file.resolve()), status.st_size, status.st_mtime_ns, status.st_ctime_ns]
    return disk_cached(key, lambda: sha256_of(file))


def check_undamaged(file: Path) -> None:
    """Refuse a file that is no longer what its hash was computed of, though its size and times are the same.

    A disk may lose bits without a trace. This reads the whole file, once in a process.
    """
    status = file.stat()
    _check_content(file, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


@cache
def _check_content(file: Path, *_status: int) -> None:
    if sha256_of(file) != hash_of(file):
        message = "its content has changed since it was first used, though its size and times have not"
        remedy = "Copy it again; if it lies in Winoglot's cache, remove the folder, and it is made anew."
        raise InputError(message, remedy=remedy, file=str(file))


def _adapted_fingerprint(base: str, adapter: Path) -> str:
    """The fingerprint of a model with an adapter, wherever both are."""
    settings = _adapter_settings(adapter) | {"base_model_name_or_path": base}
    weights = hash_of(adapter / _ADAPTER_WEIGHTS)
    return hashlib.sha256(f"{json.dumps(settings, sort_keys=True)} {weights}".encode()).hexdigest()[:16]


def _state_fingerprint(model: Any, tokenizer: Any) -> str:
    """The fingerprint of a model from a hub: a hash of its parameters and vocabulary."""
    digest = hashlib.sha256(str(sorted(tokenizer.get_vocab().items())).encode())
    for name, value in sorted(model.state_dict().items()):
        digest.update(name.encode())
        digest.update(value.detach().cpu().float().numpy().tobytes())
    return digest.hexdigest()[:16]


def _adapter_settings(folder: Path) -> dict[str, Any]:
    """What peft wrote about an adapter, whose weights must be there: peft would unpickle another file, or ask a hub."""
    if not (folder / _ADAPTER_WEIGHTS).is_file():
        raise InputError(f"{folder} has no {_ADAPTER_WEIGHTS}", remedy="Copy it again, or fine-tune again.")
    _check_places(folder)
    settings = _read_description(folder / _ADAPTER)
    if not isinstance(settings.get("base_model_name_or_path"), str):
        message = "`base_model_name_or_path` names no model that the adapter belongs to"
        raise InputError(message, remedy="Copy it again, or fine-tune again.", file=str(folder / _ADAPTER))
    return settings


def is_plain_lora(settings: Mapping[str, object]) -> bool:
    """Whether an adapter is nothing but products of small matrices to be added to the weights of linear layers.

    >>> is_plain_lora({"peft_type": "LORA", "r": 8}), is_plain_lora({"peft_type": "LORA", "r": 8, "use_dora": True})
    (True, False)
    """
    if settings.get("peft_type") != "LORA" or any(settings.get(key, value) != value for key, value in _PLAIN.items()):
        return False
    return not any(value and key not in _DESCRIBING and key not in _PLAIN for key, value in settings.items())


def _add_products(model: Any, adapter: Path, alpha: float) -> Any:
    """The model with the products of an adapter's matrices added to its weights: what peft computes, without it.

    The tuned model that comes with Winoglot must run where peft, an extra for training, is not installed.
    """
    from safetensors.torch import load_file

    matrices = {name: matrix.float() for name, matrix in load_file(adapter / _ADAPTER_WEIGHTS).items()}
    for name in [name for name in matrices if name.endswith(_FIRST)]:
        layer_name = name.removesuffix(_FIRST)
        down, up = matrices.pop(name), matrices.pop(f"{layer_name}{_SECOND}")
        layer = model.get_submodule(layer_name.removeprefix("base_model.model."))
        layer.weight.data += (up @ down) * (alpha / len(down))
    if matrices:
        raise ValueError(f"nothing to do with {min(matrices)}")
    return model


def _merge_adapter(model: Any, adapter: Path, dtype: Any) -> Any:
    """The model with an adapter's weights added to its own."""
    settings = _adapter_settings(adapter)
    is_plain = is_plain_lora(settings)
    if not is_plain:
        require_extra(f"the adapter in {adapter} needs", "peft", extra="train")
    try:
        if is_plain:
            merged_model = _add_products(model, adapter, settings["lora_alpha"])
        else:
            import peft

            merged_model = peft.PeftModel.from_pretrained(model, adapter).merge_and_unload()
    except Exception as error:  # the library raises whatever its parts raise
        reason = next(iter(str(error).strip().splitlines()), type(error).__name__)[:200]
        message = f"the adapter in {adapter} does not fit the model {model.name_or_path}: {reason}"
        raise InputError(message, remedy=f"Name the model that it was trained with in {_ADAPTER}.") from error
    for parameter in merged_model.parameters():  # not buffers, some of which must stay more exact
        parameter.data = parameter.data.to(dtype)
    return merged_model


class Pretrained:
    """A model of `transformers` and its tokenizer, in a folder or on a hub; each is loaded when it is first used."""

    libraries = ("torch", "transformers")
    adapter: Path | None = None  # a folder of peft's, whose weights are added to the model's

    def __init__(self, kind: str, location: str, options: Options, head: str) -> None:
        """`kind` is the class that loads it (`AutoModelFor…`), `head` what its last layer is called."""
        check_pretrained(location, options, int8=kind == CAUSAL)
        self.kind, self.location, self.options, self.head = kind, location, options, head
        self.folder = Path(location)

    @lazy
    def tokenizer(self) -> Any:
        """The tokenizer of the model."""
        return self._read("AutoTokenizer")

    @lazy
    def config(self) -> Any:
        """What its `config.json` says."""
        return self._read("AutoConfig")

    @lazy
    def model(self) -> Any:
        """The model, on its device."""
        return self.read_model()

    def read_model(self, *, new_head: bool = False, **more: Any) -> Any:
        """The model, read again; with `new_head`, a last layer that it was not trained with is drawn at random.

        `more` changes its configuration: the labels of a new head.
        """
        import torch

        device = device_of(self.options)
        compute_dtype = torch.bfloat16 if self.options.precision == "bfloat16" else torch.float32
        dtype = compute_dtype if self.adapter is None else torch.float32
        files = sorted(self.folder.glob("*.safetensors")) if self.folder.is_dir() else []
        with ThreadPoolExecutor(1) as executor:  # hashing takes about as long as loading, and needs no Python
            checks = [executor.submit(check_undamaged, file) for file in files]
            model, loading = self._read(self.kind, dtype=dtype, output_loading_info=True, **more)
        for check in checks:
            check.result()
        if self.adapter is not None:
            new_head = bool(_adapter_settings(self.adapter).get("modules_to_save"))
        missing = sorted(loading["missing_keys"])
        body = f"{model.base_model_prefix}."
        if [key for key in missing if not new_head or (key.startswith(body) and ".pooler." not in key)]:
            listing = ", ".join(missing[:3]) + (f" and {len(missing) - 3} more" if len(missing) > 3 else "")
            family = family_of(self.folder)
            advice = f"write {family}:{self.location}" if family else "choose the family that fits this one"
            raise InputError(
                f"the model {self.location} was not trained with {self.head}: its weights lack {listing}",
                remedy=f"Name a model that was, or {advice}.",
            )
        if self.adapter is not None:
            model = _merge_adapter(model, self.adapter, compute_dtype)
        try:
            return model.eval().to(device)
        except RuntimeError as error:
            if not is_out_of_memory(error):
                raise
            message = f"the model {self.location} does not fit into the free memory of {device}"
            remedy = "End other programs that use it, or use fewer --workers, a smaller model, "
            remedy += "--precision bfloat16, or --device cpu."
            raise InputError(message, remedy=remedy) from error

    @lazy
    def fingerprint(self) -> str:
        """A hash of the weights and vocabulary. Only a model from a hub must be loaded for it."""
        if self.folder.is_dir():
            base = fingerprint(self.folder)
            return base if self.adapter is None else _adapted_fingerprint(base, self.adapter)
        return _state_fingerprint(self.model, self.tokenizer)

    def disk_cached(self, name: str, find: Callable[[], dict[str, str]]) -> dict[str, str]:
        """What `find` says about the model or its tokenizer, kept on disk so that neither need be loaded next time."""
        if not self.folder.is_dir():
            return find()
        templates = [hash_of(file) for file in sorted(self.folder.rglob("*.jinja"))]  # the fingerprint is without them
        return disk_cached([name, self.fingerprint, templates, version("transformers")], find)

    @cached_property
    def _offline(self) -> bool:
        return not self.folder.is_dir() and not _hub_answers()

    def _read(self, kind: str, **more: Any) -> Any:
        import transformers

        silence(transformers)
        if kind.startswith("AutoModel"):
            more["use_safetensors"] = True  # other weights would be unpickled
        try:
            return getattr(transformers, kind).from_pretrained(
                self.location, local_files_only=self._offline, trust_remote_code=False, **more
            )
        except Exception as error:  # the library raises whatever its parts raise
            raise _loading_error(error, self.kind, self.location, offline=self._offline) from error


class PretrainedSolver(Solver):
    """A solver that scores with a model of `transformers`; a family's `check` and `load` are those of its class."""

    family: ClassVar[str]
    kind: ClassVar[str]  # the class that loads its models: AutoModelFor…
    head: ClassVar[str]  # what the last layer of these models is called
    own_options: ClassVar[tuple[type, ...]] = ()  # dataclasses of what --option may set
    libraries = Pretrained.libraries

    def __init__(self, location: str, options: Options) -> None:
        """The model in a folder, or of that name on the hub; of an adapter's folder, the model that it belongs to."""
        read_options(options.more, *self.own_options)
        self.name = f"{self.family}:{location}"
        self.options = options
        adapter = Path(location) if (Path(location) / _ADAPTER).is_file() else None
        base = _adapter_settings(adapter)["base_model_name_or_path"] if adapter else location
        self.pretrained = Pretrained(self.kind, base, options, self.head)
        if adapter:
            self.add_adapter(adapter)

    def add_adapter(self, folder: Path) -> None:
        """Add the weights of an adapter of peft, and what it was trained on; to be called before anything is loaded."""
        self.pretrained.adapter = folder
        self.folders = (*self.folders, folder)

    @classmethod
    def check(cls, location: str, options: Options) -> tuple[str, ...]:
        """Reject a wrong location or option before anything is loaded."""
        cls(location, options)
        return cls.scorings

    @lazy
    def fingerprint(self) -> str:
        """The hash of its weights."""
        return self.pretrained.fingerprint

    @lazy
    def settings(self) -> Mapping[str, object]:
        """The precision, and what is done to texts."""
        return {"precision": self.options.precision, **self.pretrained.disk_cached(self.family, self.framing)}

    @lazy
    def batch_characters(self) -> int:
        """The characters of a batch: on a GPU fifty times as many, about 1,400 items, or it would wait for work."""
        return super().batch_characters * (1 if device_of(self.options) == "cpu" else 50)

    def framing(self) -> dict[str, str]:
        """What its tokenizer adds to texts, as a setting with its value."""
        raise NotImplementedError

    def check_texts(self, texts: Sequence[str]) -> None:
        """Refuse texts that have, all together, too many tokens that the tokenizer does not know."""
        check_known(self.count_tokens(texts), self.name)

    def count_tokens(self, texts: Sequence[str]) -> list[TokenCount]:
        """The tokens of each text."""
        return count_tokens(self.pretrained.tokenizer, texts)


@dataclass(frozen=True)
class MemoryCost:
    """The bytes that a batch needs: per token, and per pair of tokens."""

    per_token: float
    per_pair: float = 0.0

    def of(self, tokens: int) -> float:
        """The bytes for a batch of that many tokens."""
        return tokens * self.per_token + tokens**2 * self.per_pair

    def tokens_within(self, memory: float) -> int:
        """The largest batch that needs no more than that many bytes.

        >>> MemoryCost(100.0).tokens_within(5000), MemoryCost(1.0, 1.0).tokens_within(110)
        (50, 10)
        """
        root = math.sqrt(self.per_token**2 + 4 * self.per_pair * memory)
        return int(2 * memory / (self.per_token + root))


def batch_tokens_of(requested: int, model: Any, cost: MemoryCost, *, cpu: int, gpu: int) -> int:
    """The most tokens of a batch: the number that was asked for or, if that is 0, what fits, up to `cpu` or `gpu`."""
    if requested:
        return requested
    upper = cpu if model.device.type == "cpu" else gpu
    free_bytes = free_memory(model.device)
    return upper if free_bytes is None else max(_FEWEST, min(upper, cost.tokens_within(_SHARE * free_bytes)))


def memory_cost(model: Any, *, columns: int, one_row: bool = False, generates: bool = False) -> MemoryCost:
    """What a model needs; `columns` of its vocabulary are scored at once for each token.

    `one_row` says that a batch is one row of tokens, `generates` that keys and values are kept.
    """
    config = model.config.get_text_config()
    hidden = _number(config, "hidden_size", "d_model", "n_embd", "dim")
    inner = _number(config, "intermediate_size", "ffn_dim", "n_inner", "hidden_dim") or 4 * hidden
    heads = _number(config, "num_attention_heads", "n_head", "n_heads") or 1
    layers = _number(config, "num_hidden_layers", "n_layer", "n_layers")
    width = model.dtype.itemsize
    eager_bytes = 8 if getattr(config, "_attn_implementation", None) == "eager" else 0
    cache_bytes = 2 * layers * hidden * width if generates else 0  # less if heads share them
    per_pair = heads * (width + eager_bytes) + 8 if one_row else 0
    return MemoryCost(width * (12 * hidden + 4 * inner) + 12 * columns + cache_bytes, per_pair)


def _number(config: Any, *names: str) -> int:
    """The first of these fields that is set: architectures have different names for them."""
    return int(next((value for name in names if (value := getattr(config, name, None))), 0))
