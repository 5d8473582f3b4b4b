"""Lock files: what an experiment was made with and what came out, and how another time differs from it."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from winoglot._version import __version__
from winoglot.errors import InputError
from winoglot.examples import all_examples
from winoglot.experiment.file import Experiment, parse_experiment
from winoglot.experiment.plan import LOCK_FILE, ExperimentFolder, Plan
from winoglot.folders import read_description, write_description
from winoglot.schemas.hashing import digest
from winoglot.statistics.formatting import percent

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from winoglot.runs.run import Run

_ABSTAINED = "-"
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"  # a choice in one character


@dataclass(frozen=True)
class Difference:
    """How an experiment differs from its lock file; a version, say, does not matter unless it changes a result."""

    what: str
    before: str
    now: str
    matters: bool = True

    def __str__(self) -> str:
        """Tell the difference in one line.

        >>> print(Difference("winoglot", "0.9", "1.0"))
        winoglot: 1.0, was 0.9
        """
        return f"{self.what}: {self.now}, was {self.before}"


def write_lock(plan: Plan, runs: Mapping[str, Run]) -> dict[str, Any]:
    """Write the lock file of an experiment all of whose jobs are done, its runs given by folder; returns it."""
    experiment = plan.experiment
    info: dict[str, Any] = {
        "format": ExperimentFolder.format,
        "experiment": {
            "name": experiment.name,
            "folder": os.path.relpath(experiment.folder, plan.output),  # paths in the text are relative to it
            "text": experiment.document.text,
        },
        "made_with": _versions(runs),
        "collections": {
            collection.name: {
                "version": collection.version,
                "language": collection.language,
                "items": len(collection.items),
                "hash": collection.hash,
            }
            for collection in plan.collections
        },
        "models": {run.settings.model: run.settings.fingerprint for run in runs.values()},
        "settings": {
            "readings": experiment.readings,
            "fallback": experiment.fallback,
            "kinds": experiment.kinds,
            "renamed": experiment.renamed,
            "limit": experiment.limit,
            "seed": experiment.seed,
        },
        "runs": {folder: _described(run) for folder, run in runs.items()},
    }
    if plan.tunings:
        info["tuned"] = {name: tuning.record() for name, tuning in plan.tunings.items()}
    outcomes = [info["runs"][folder][key] for folder in sorted(runs) for key in ("choices", "scores")]
    if plan.pair_jobs:
        info["data"] = dict(plan.pair_hashes)
        info["answers"] = {job.name: digest(job.record().get("answered", {}).get("runs")) for job in plan.pair_jobs}
        outcomes += sorted(info["answers"].items())
    info["results"] = digest(outcomes)
    write_description(plan.output / LOCK_FILE, info)
    return json.loads(json.dumps(info))  # type: ignore[no-any-return]


def _versions(runs: Mapping[str, Run]) -> dict[str, str]:
    """The present version of Winoglot, and the versions of all else that the runs were made with."""
    versions_by_name: dict[str, set[str]] = {}
    for run in runs.values():
        for name, version in run.made_with.items():
            versions_by_name.setdefault(name, set()).add(version)
    joined = {name: ", ".join(sorted(versions)) for name, versions in sorted(versions_by_name.items())}
    return joined | {"winoglot": __version__}


def _described(run: Run) -> dict[str, Any]:
    predictions = {prediction.item_id: prediction for prediction in run.predictions}
    ordered = [predictions[example.id] for example in all_examples(run.source) if example.id in predictions]
    accuracy = run.accuracy()
    return {
        "signature": run.signature,
        "model_settings": run.settings.model_settings,
        "accuracy": accuracy.value,
        "n": accuracy.n,
        "choices": "".join(
            _ABSTAINED if prediction.choice is None else _DIGITS[prediction.choice] for prediction in ordered
        ),
        "scores": digest([list(prediction.scores) for prediction in ordered]),
    }


def read_lock(path: Path) -> tuple[Experiment, dict[str, Any]]:
    """The experiment of a lock file, and what the file says about the time it was run."""
    info = read_description(
        path,
        what="lock file",
        format_number=ExperimentFolder.format,
        keys=ExperimentFolder.keys,
        remedy=ExperimentFolder.again,
    )
    try:
        about = _checked(info)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise InputError(f"the lock file is damaged: {error}", remedy=ExperimentFolder.again, file=str(path)) from error
    folder = (path.parent / about["folder"]).resolve()
    if not folder.is_dir():  # the file was copied to another machine
        folder = path.resolve().parent
    return parse_experiment(about["text"], f"{path} (experiment)", about["name"], folder), info


def _checked(info: Mapping[str, Any]) -> dict[str, str]:
    """The part about the experiment, if this and all that `differences` looks at is there."""
    for name in ("made_with", "models", "settings"):
        dict(info[name])
    for collection in info["collections"].values():
        str(collection["hash"])
    for run in info["runs"].values():
        dict(run["model_settings"])
        float(run["accuracy"] or 0)
        "".join((run["choices"], run["scores"]))
    for name in ("data", "answers"):
        dict(info.get(name, {}))
    about = {name: str(info["experiment"][name]) for name in ("name", "folder", "text")}
    if Path(about["name"]).name != about["name"]:  # a folder is named after it
        raise ValueError(f"{about['name']!r} cannot be the name of an experiment")
    return about


def differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[Difference]:
    """What differs between two lock files, from the versions to the results."""
    return [
        *_versions_differ(before["made_with"], now["made_with"]),
        *_collections_differ(before, {name: collection["hash"] for name, collection in now["collections"].items()}),
        *_named(before["models"], now["models"], "model", "fingerprint"),
        *_named(before["settings"], now["settings"], "setting", ""),
        *_named(before.get("data", {}), now.get("data", {}), "pairs", "hash"),
        *_runs_differ(before["runs"], now["runs"]),
        *_named(before.get("answers", {}), now.get("answers", {}), "answers of", ""),
    ]


def differences_so_far(before: Mapping[str, Any], plan: Plan) -> list[Difference]:
    """What differs from a lock file and is known before anything is evaluated: Winoglot itself, and collections."""
    return [
        *_versions_differ(before["made_with"], {"winoglot": __version__}),
        *_collections_differ(before, {collection.name: collection.hash for collection in plan.collections}),
    ]


def _versions_differ(before: Mapping[str, str], now: Mapping[str, str]) -> Iterator[Difference]:
    for name in sorted(before.keys() & now.keys()):
        if before[name] != now[name]:
            yield Difference(name, before[name], now[name], matters=False)


def _collections_differ(before: Mapping[str, Any], hashes: Mapping[str, str]) -> Iterator[Difference]:
    old = {name: collection["hash"] for name, collection in before["collections"].items()}
    yield from _named(old, hashes, "collection", "hash")


def _named(before: Mapping[str, Any], now: Mapping[str, Any], what: str, part: str) -> Iterator[Difference]:
    for name in dict.fromkeys((*before, *now)):
        old, new = (str(values[name]) if name in values else "absent" for values in (before, now))
        if old != new:
            yield Difference(" ".join(filter(None, (what, name, part))), old[:16], new[:16])


def _runs_differ(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[Difference]:
    for name in dict.fromkeys((*before, *now)):
        if name not in before or name not in now:
            state = ("done", "absent") if name in before else ("absent", "done")
            yield Difference(f"run {name}", *state)
            continue
        old, new = before[name], now[name]
        yield from _named(old["model_settings"], new["model_settings"], f"run {name}", "")
        if old["choices"] != new["choices"]:
            yield _choices_differ(name, old, new)
        elif old["scores"] != new["scores"]:
            what = f"run {name}, scores (all choices are the same)"
            yield Difference(what, old["scores"], new["scores"], matters=False)


def _choices_differ(name: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Difference:
    counts = [len(run["choices"]) for run in (old, new)]
    if counts[0] != counts[1]:
        return Difference(f"run {name}, items asked", str(counts[0]), str(counts[1]))
    changed = sum(a != b for a, b in zip(old["choices"], new["choices"], strict=True))
    shares = ["undefined" if run["accuracy"] is None else percent(run["accuracy"]) for run in (old, new)]
    return Difference(f"run {name}, accuracy ({changed} of {counts[0]} choices differ)", shares[0], shares[1])
