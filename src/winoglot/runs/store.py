"""Runs on disk: a folder with `run.json`, `collection.jsonl` and `predictions.jsonl`, which grows batch by batch."""

from __future__ import annotations

import json
import math
import os
from dataclasses import asdict, fields, replace
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError
from winoglot.files import check_free, write_whole
from winoglot.loading import dump, load
from winoglot.runs.run import Prediction, Run, Settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from winoglot.schemas.collection import Collection

_RUN, _COLLECTION, _PREDICTIONS = "run.json", "collection.jsonl", "predictions.jsonl"
_FORMAT = 1
_NUMBERS = {float("inf"): "inf", float("-inf"): "-inf"}


def find_runs(path: Path) -> list[Path]:
    """The run folder itself, or those inside a folder, sorted; none is an input error."""
    if (path / _RUN).is_file():
        return [path]
    found = sorted(file.parent for file in path.glob(f"*/{_RUN}")) if path.is_dir() else []
    if not found:
        raise InputError(f"{path} holds no run", remedy="Name a folder that `winoglot evaluate … -o` wrote.")
    return found


def load_run(folder: Path) -> Run:
    """The run in a folder, as far as it got."""
    head = _head(folder)
    lines = _lines(folder / _PREDICTIONS)
    names = {field.name for field in fields(Prediction)}
    rows: list[dict[str, Any]] = [{key: line[key] for key in names & line.keys()} for line in lines]
    predictions = [Prediction(**row | {"scores": tuple(row["scores"])}) for row in rows]
    return Run(
        collection=load(f"jsonl:{folder / _COLLECTION}"),
        settings=_settings(head["settings"]),
        predictions=tuple(predictions),
        seconds=sum(line.get("seconds", 0.0) for line in lines),
        scored=sum(line.get("seconds", 0.0) > 0 for line in lines),
        made_with=head["made_with"],
    )


def save_run(run: Run, folder: Path, *, force: bool = False) -> None:
    """Write a finished run, such as one made elsewhere."""
    check_free(folder, force=force)
    writer = RunWriter(folder, run.collection, run.settings, run.made_with)
    writer.append(0, run.predictions, run.seconds)


class RunWriter:
    """A run under way. The same call on a folder that holds a part of the same run goes on with it."""

    def __init__(self, folder: Path, collection: Collection, settings: Settings, made_with: dict[str, str]) -> None:
        """Begin, or go on; another run in the folder is an input error and stays untouched."""
        self.folder = folder
        head = {
            "format": _FORMAT,
            "signature": Run(collection, settings, ()).signature,
            "settings": asdict(settings),
            "collection_hash": collection.hash,
            "items": {item.id: item.hash for item in (*collection.items, *collection.variants())},
            "made_with": made_with,
        }
        if (folder / _RUN).exists():
            self._check_same(head)
        else:
            _made(folder)
            content = dump([collection], "jsonl")
            write_whole(folder / _COLLECTION, content if isinstance(content, str | bytes) else "", force=True)
            write_whole(folder / _RUN, json.dumps(head, ensure_ascii=False, indent=1) + "\n", force=True)

    def _check_same(self, head: dict[str, Any]) -> None:
        there = _head(self.folder)
        for key, name in (("settings", "settings"), ("items", "items")):
            mine = json.loads(json.dumps(head[key]))
            if there.get(key) != mine:
                raise InputError(
                    f"{self.folder} holds another run, with other {name}: {there.get('signature')}",
                    remedy="Choose another folder with -o, or remove that one.",
                )

    def done(self, plan: Sequence[Sequence[str]]) -> dict[int, list[dict[str, Any]]]:
        """The lines of the batches of the plan that are stored whole; what was cut off is removed from the file."""
        path = self.folder / _PREDICTIONS
        stored: dict[int, list[dict[str, Any]]] = {}
        for line in _lines(path):
            stored.setdefault(line.get("batch", 0), []).append(line)
        whole = {
            number: lines
            for number, lines in stored.items()
            if number < len(plan) and [line["item_id"] for line in lines] == list(plan[number])
        }
        if path.exists():
            kept = [line for lines in whole.values() for line in lines]
            write_whole(path, "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in kept), force=True)
        return whole

    def note(self, more: dict[str, Any]) -> None:
        """Add what is only known in the end, such as what the run cost."""
        head = _head(self.folder) | more
        write_whole(self.folder / _RUN, json.dumps(head, ensure_ascii=False, indent=1) + "\n", force=True)

    def append(self, batch: int, predictions: Iterable[Prediction], seconds: float) -> None:
        """Add a batch, and see it on the disk before anything else happens."""
        made = list(predictions)
        share = seconds / max(1, len(made))
        lines = [_stored(prediction) | {"batch": batch, "seconds": round(share, 6)} for prediction in made]
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        try:
            with (self.folder / _PREDICTIONS).open("a", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise InputError(
                f"{self.folder} cannot be written: {error.strerror}",
                remedy="What was stored before is kept: free some space and give the same command again.",
            ) from error


def _stored(prediction: Prediction) -> dict[str, Any]:
    """As JSON has no NaN: such a score is None, which its note explains."""
    scores = [None if value is None or math.isnan(value) else _NUMBERS.get(value, value) for value in prediction.scores]
    return asdict(replace(prediction, scores=())) | {"scores": scores}


def _made(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder} cannot be made: {error.strerror}", remedy="Name another folder with -o.") from error


def _head(folder: Path) -> dict[str, Any]:
    path = folder / _RUN
    try:
        head: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if head["format"] != _FORMAT:
            raise InputError(f"{path} has format {head['format']}", remedy=f"This version reads format {_FORMAT}.")
        _settings(head["settings"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            f"{path} cannot be read as a run: {error}", remedy="Evaluate again in a new folder."
        ) from error
    return head


def _settings(stored: dict[str, Any]) -> Settings:
    return Settings(**stored | {"kinds": tuple(stored["kinds"])})


def _lines(path: Path) -> list[dict[str, Any]]:
    """The whole lines; one that a crash cut off is left out."""
    if not path.exists():
        return []
    found = []
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            row = json.loads(line)
            row["scores"] = [float(value) if isinstance(value, str) else value for value in row["scores"]]
            found.append(row)
        except (ValueError, KeyError, TypeError):
            break
    return found
