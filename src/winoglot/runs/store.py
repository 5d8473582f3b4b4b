"""Runs on disk: a folder with `run.json`, `collection.jsonl` and `predictions.jsonl`, which grows batch by batch."""

from __future__ import annotations

import hashlib
import json
import math
import os
from dataclasses import asdict, fields, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError
from winoglot.files import names_in, write_whole
from winoglot.loading import dump, load
from winoglot.models.base import names_baseline
from winoglot.runs._lock import locked
from winoglot.runs.run import Prediction, Run, Settings

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    from winoglot.schemas.model import Collection, Item

_RUN, _COLLECTION, _PREDICTIONS = "run.json", "collection.jsonl", "predictions.jsonl"
_WORK = ".winoglot-"  # how names begin that `names_in` passes over
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


def load_run(folder: str | Path) -> Run:
    """The run in a folder, as far as it got."""
    folder = Path(folder)
    head = _head(folder)
    collection = load(f"jsonl:{folder / _COLLECTION}")
    lines = _lines(folder / _PREDICTIONS, collection)
    names = {field.name for field in fields(Prediction)}
    rows: list[dict[str, Any]] = [{key: line[key] for key in names & line.keys()} for line in lines]
    predictions = [Prediction(**row | {"scores": tuple(row["scores"])}) for row in rows]
    return Run(
        collection=collection,
        settings=_settings(head["settings"]),
        predictions=tuple(predictions),
        seconds=sum(line.get("seconds", 0.0) for line in lines),
        scored=sum(line.get("seconds", 0.0) > 0 for line in lines),
        made_with=head["made_with"],
        options=head.get("options", {}),
        spent=head.get("spent", {}),
        is_baseline=head["is_baseline"] if "is_baseline" in head else names_baseline(head["settings"]["model"]),
    )


def save_run(run: Run, folder: Path, *, force: bool = False) -> None:
    """Write a finished run, such as one made elsewhere, into a new or empty folder; `force` replaces a run."""
    folder = Path(folder)
    with locked(folder):
        if not (folder / _RUN).is_file():
            _check_empty(folder)
        elif not force:
            raise InputError(f"{folder} holds a run already", remedy="Name another folder, or add --force.")
        with TemporaryDirectory(prefix=_WORK, dir=folder) as work:  # what is there goes when the new one is whole
            writer = RunWriter(Path(work), run)
            writer.append(0, run.predictions, run.seconds, {prediction.item_id for prediction in run.predictions})
            for name in (_PREDICTIONS, _COLLECTION, _RUN):
                (Path(work) / name).replace(folder / name)


class RunWriter:
    """A run under way. The same call on a folder that holds a part of the same run goes on with it.

    Its user holds the folder's lock (`locked`) as long as it writes.
    """

    def __init__(self, folder: Path, run: Run) -> None:
        """Prepare to begin or to go on; another run, or other files, in the folder are an input error."""
        self.folder = Path(folder)
        self.collection = collection = run.collection
        self.head = {
            "format": _FORMAT,
            "signature": run.signature,
            "settings": asdict(run.settings),
            "collection": f"{collection.name}@{collection.version}",
            "items": {item.id: _asked_hash(item) for item in (*collection.items, *collection.variants())},
            "made_with": run.made_with,
            "options": run.options,
            "is_baseline": run.is_baseline,
        }
        if (self.folder / _RUN).exists():
            self._check_same()
        else:
            _check_empty(self.folder)

    def _check_same(self) -> None:
        there = _head(self.folder)
        for key in ("settings", "collection", "items"):
            if there.get(key) != json.loads(json.dumps(self.head[key])):
                raise InputError(
                    f"{self.folder} holds another run, whose {key} differ: {there.get('signature')}",
                    remedy="Choose another folder with -o, or remove that one.",
                )

    def _begin(self) -> None:
        """Write what the run is about, once there is something to store."""
        if not (self.folder / _RUN).exists():
            write_whole(self.folder / _RUN, json.dumps(self.head, ensure_ascii=False, indent=1) + "\n", force=True)
        if not (self.folder / _COLLECTION).exists():
            content = dump([self.collection], "jsonl")
            write_whole(self.folder / _COLLECTION, content if isinstance(content, str | bytes) else "", force=True)

    def done(self, plan: Sequence[Sequence[str]]) -> dict[int, list[dict[str, Any]]]:
        """The lines of the batches of the plan that are stored whole; what was cut off is removed from the file."""
        path = self.folder / _PREDICTIONS
        stored: dict[int, list[dict[str, Any]]] = {}
        for line in _lines(path, self.collection):
            stored.setdefault(line["batch"], []).append(line)
        whole = {
            number: lines
            for number, lines in stored.items()
            if number < len(plan) and [line["item_id"] for line in lines] == list(plan[number])
        }
        if path.exists():
            kept = [line for lines in whole.values() for line in lines]
            write_whole(path, "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in kept), force=True)
        return whole

    def spend(self, counts: Mapping[str, float]) -> None:
        """Add to what the run has cost so far, in this process and in those before: requests, tokens, money."""
        self._begin()
        head = _head(self.folder)
        head["spent"] = added(head.get("spent", {}), counts)
        write_whole(self.folder / _RUN, json.dumps(head, ensure_ascii=False, indent=1) + "\n", force=True)

    def append(self, batch: int, predictions: Sequence[Prediction], seconds: float, scored: Container[str]) -> None:
        """Add a batch, and see it on the disk before anything else happens; only what is `scored` took time."""
        self._begin()
        new = [prediction.item_id in scored for prediction in predictions]
        share = round(seconds / max(1, sum(new)), 6)
        lines = [
            _stored(prediction) | {"batch": batch, "seconds": share if is_new else 0.0}
            for prediction, is_new in zip(predictions, new, strict=True)
        ]
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


def added(some: Mapping[str, float], more: Mapping[str, float]) -> dict[str, float]:
    """The sums of counts by name.

    >>> added({"requests": 2}, {"requests": 3, "cost": 0.5})
    {'requests': 5, 'cost': 0.5}
    """
    return {name: some.get(name, 0) + more.get(name, 0) for name in {**some, **more}}


def _stored(prediction: Prediction) -> dict[str, Any]:
    """As JSON has no NaN: such a score is None, which its note explains."""
    scores = [None if value is None or math.isnan(value) else _NUMBERS.get(value, value) for value in prediction.scores]
    return asdict(replace(prediction, scores=())) | {"scores": scores}


def _check_empty(folder: Path) -> None:
    """Files that are no run stay as they are."""
    try:
        is_taken = folder.exists() and (not folder.is_dir() or names_in(folder))
    except OSError as error:
        raise InputError(f"{folder} cannot be used: {error.strerror}", remedy="Name another folder.") from error
    if is_taken:
        if any(folder.glob(f"*/{_RUN}")):
            raise InputError(f"{folder} holds runs", remedy=f"Name a folder for this one, such as {folder / 'new'}.")
        what = "holds a run already" if (folder / _RUN).is_file() else "exists and holds no run"
        raise InputError(f"{folder} {what}", remedy="Name another folder, or an empty one.")


def _asked_hash(item: Item) -> str:
    """Of all that a solver may be asked: beside what the item's own hash covers, question and written readings."""
    if item.question is None and not any(item.readings):
        return item.hash
    return hashlib.sha256(repr((item.hash, item.question, item.readings)).encode()).hexdigest()[:16]


def _head(folder: Path) -> dict[str, Any]:
    path = folder / _RUN
    try:
        head: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if head["format"] != _FORMAT:
            raise InputError(f"{path} has format {head['format']}", remedy=f"This version reads format {_FORMAT}.")
        _settings(head["settings"])
        if not isinstance(head["made_with"], dict):
            raise TypeError("made_with is no mapping")
    except (OSError, ValueError, KeyError, TypeError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path} is no readable run: {error}", remedy="Evaluate again in a new folder.") from error
    return head


def _settings(stored: dict[str, Any]) -> Settings:
    settings = Settings(**stored | {"kinds": tuple(stored["kinds"])})
    texts = (settings.model, settings.scoring, settings.readings, settings.fingerprint, *settings.kinds)
    if not all(isinstance(text, str) for text in texts) or not isinstance(settings.model_settings, dict):
        raise TypeError("its settings are of other types")
    return settings


def _lines(path: Path, collection: Collection) -> list[dict[str, Any]]:
    """The stored predictions. A last line that a crash cut off is left out; anything else that is wrong is an error."""
    if not path.exists():
        return []
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}", remedy="Evaluate in another folder.") from error
    items = {item.id: item for item in (*collection.items, *collection.variants())}
    found = []
    for number, line in enumerate(lines, 1):
        try:
            found += [_row(line, items)] if line else []
        except (ValueError, KeyError, TypeError) as error:
            if number == len(lines):
                break
            raise InputError(
                f"this is no prediction: {line[:60]!r}",
                remedy="Repair or remove the line; the items it stood for are asked again.",
                file=str(path),
                line=number,
            ) from error
    return found


def _row(line: str, items: dict[str, Item]) -> dict[str, Any]:
    row: dict[str, Any] = json.loads(line)
    row["scores"] = [float(value) if isinstance(value, str) else value for value in row["scores"]]
    if not isinstance(row.setdefault("batch", 0), int):
        raise TypeError("a batch is no number")
    if row["choice"] not in (None, *range(items[row["item_id"]].candidate_count)):
        raise ValueError("there is no such candidate")
    return row
