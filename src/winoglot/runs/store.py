"""Runs on disk. A run is a folder with three files, and a folder `probes` if it was probed:

- `run.json`: the settings, the hash of every item, what the run was made with and what it has cost so far;
- `collection.jsonl`: the items that were asked, with their variants; or `examples.jsonl`, if they are not schema items;
- `predictions.jsonl`: one line per item, appended batch by batch, so that an interrupted run can be resumed.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import shutil
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, fields, replace
from functools import lru_cache, partial
from operator import attrgetter
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Annotated, Any, Required
from weakref import WeakValueDictionary

from pydantic import BeforeValidator, Field
from typing_extensions import TypedDict

from winoglot.errors import InputError, check_argument, spell_path
from winoglot.examples import Example, ExampleSet, ExampleSource, all_examples
from winoglot.files import check_plain, did_you_mean_path, parse_json, temporary_folder, write_whole
from winoglot.folders import WorkFolder, check_same, lock, write_description
from winoglot.formats import jsonl
from winoglot.loading import load
from winoglot.models.base import best_of, names_baseline
from winoglot.perturb.renamed.draws import check_draws
from winoglot.runs.probes import PROBES, Probes
from winoglot.runs.run import IMPORTED, Prediction, Run, Runs, Settings
from winoglot.schemas.hashing import digest
from winoglot.schemas.validation import check_row

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    from winoglot.models.scoring.probes import Probe
    from winoglot.schemas.model import Item

    PredictionRow = dict[str, Any]  # a `StoredRow`

_RUN, _COLLECTION, _EXAMPLES, _PREDICTIONS = "run.json", "collection.jsonl", "examples.jsonl", "predictions.jsonl"
INFINITE = {math.inf: "inf", -math.inf: "-inf"}  # JSON has no infinity
_PREDICTION = tuple(field.name for field in fields(Prediction))
_values = attrgetter(*_PREDICTION)
_MOST_BYTES = 2**28  # of the items of a run, or of its predictions besides those for each item:
_MOST_EACH = 2**14
_LONGEST = 2**20  # characters of a line of predictions
_Count = Annotated[int, Field(ge=0, lt=2**53)]
_Score = Annotated[float, BeforeValidator(lambda value: float(value) if value in ("inf", "-inf") else value)]
_json = json.JSONEncoder(ensure_ascii=False).encode  # `json.dumps` would make one for every row


class StoredRow(TypedDict, total=False):
    """A line of predictions.jsonl: a prediction, and the batch that it was stored with."""

    item_id: Required[str]
    item_hash: Required[str]
    choice: Required[int | None]
    scores: Required[list[_Score | None]]
    note: str
    skipped: _Count
    fallback: bool
    window: str
    tokens: _Count
    unknown: _Count
    replies: list[tuple[str, str]]
    batch: _Count
    of: _Count
    seconds: float


class RunFolder(WorkFolder):
    """The folder of one run. Unlike other work folders it has its description from the start."""

    what = "run"
    description = _RUN
    format = 1
    keys = frozenset({"settings", "made_with"})
    make = "Name a folder that `winoglot evaluate … -o` wrote."
    again = "Remove the folder of this run and repeat the command that made it, or name a new folder."

    def check(self, *, force: bool = False, resume: bool = False) -> None:
        """Refuse a folder that contains runs in folders of their own, or anything else that must not be overwritten."""
        if self.path.is_dir() and any(self.path.glob(f"*/{_RUN}")):
            remedy = f"Name a folder for this run, such as {self.path / 'new'}."
            raise InputError("the folder contains other runs", remedy=remedy, file=str(self.path))
        super().check(force=force, resume=resume)

    def read(self) -> dict[str, Any]:
        """The content of `run.json`, checked as far as it is used."""
        head = super().read()
        try:
            read_settings(head["settings"])
            dict(head["made_with"])
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            message = f"does not describe a run: {error}"
            raise InputError(message, remedy=self.again, file=str(self.path / _RUN)) from error
        return head


def read_settings(stored: dict[str, Any]) -> Settings:
    """The settings of a run from JSON; those of the wrong types are an error of Python, for the caller to explain."""
    settings = Settings(**stored | {"kinds": tuple(stored["kinds"])})
    names_of_model = (settings.model, settings.address, settings.fingerprint)
    texts = (*names_of_model, settings.scoring, settings.readings, settings.fallback, *settings.kinds)
    numbers = (settings.seed, settings.limit or 0, *settings.overlap.values())
    if (
        not all(isinstance(text, str) for text in texts)
        or not isinstance(settings.model_settings, dict)
        or not all(isinstance(number, int) for number in numbers)
        or not isinstance(settings.tolerance, int | float)
    ):
        raise TypeError("its settings have the wrong types")
    check_draws(settings.renamed)
    return settings


def find_runs(path: Path) -> list[Path]:
    """The run folder itself, or the run folders inside a folder, sorted; an input error if there is none."""
    if (path / _RUN).is_file():
        return [path]
    folders = sorted(file.parent for file in path.glob(f"*/{_RUN}")) if path.is_dir() else []
    if not folders:
        if path.is_file():
            raise InputError(f"{path} is a file, not a folder of runs", remedy=RunFolder.make)
        deeper = (file for levels in ("*/*", "*/*/*") for file in path.glob(f"{levels}/{_RUN}"))
        parents = sorted({str(file.parent.parent) for file in deeper})
        remedy = f"Name the folders inside it that have runs: {' '.join(parents[:3])}{' …' * (len(parents) > 3)}"
        if not parents:
            remedy = f"{'' if path.exists() else did_you_mean_path(path)}{RunFolder.make}"
        raise InputError(f"there is no run in {path}", remedy=remedy)
    for file in sorted(path.glob(f"[!.]*/{_PREDICTIONS}")):
        if file.parent not in folders:
            message = f"predictions without a description: {_RUN} is missing"
            raise InputError(message, remedy=RunFolder.again, file=str(file.parent))
    return folders


def load_run(folder: str | Path) -> Run:
    """The run in a folder, finished or not."""
    check_argument(folder, (str, Path), "the folder of a run", "Give its path; for several, wg.load_runs(folders).")
    folder = Path(folder)
    runs = [] if (folder / _RUN).exists() else sorted(file.parent for file in folder.glob(f"*/{_RUN}"))
    if runs:
        remedy = f'Name one of them, such as {runs[0]}; from Python, wg.load_runs("{folder}") loads them all.'
        raise InputError("this is a folder of runs, not a run", remedy=remedy, file=str(folder))
    head = RunFolder(folder).read()
    source = _read_source(folder)
    run = _run(head, source, _read_rows(folder / _PREDICTIONS, source, read_settings(head["settings"])))
    return replace(run, folder=str(folder), probes=Probes(folder))


def load_runs(folders: str | Path | Iterable[str | Path]) -> Runs:
    """Every run in a folder, such as `winoglot evaluate -o` writes, or in several; a run's own folder counts too."""
    paths: list[Any] = list(folders) if isinstance(folders, Iterable) and not isinstance(folders, str) else [folders]
    for path in paths:
        check_argument(path, (str, Path), "folders of runs", 'Give their paths: wg.load_runs(["runs", "more"]).')
    return Runs(load_run(run_path) for folder in paths for run_path in find_runs(Path(folder)))


_SOURCES: WeakValueDictionary[str, ExampleSource] = WeakValueDictionary()  # by the hash of the file, while in use


def _read_source(folder: Path) -> ExampleSource:
    """What the run is over. Runs on the same items share it, so that forty of them cost no more than one."""
    is_schemas = not (folder / _EXAMPLES).exists()
    path = folder / (_COLLECTION if is_schemas else _EXAMPLES)
    if not path.exists():
        raise InputError("the items of the run are missing", remedy=RunFolder.again, file=str(path))
    check_plain(path, _MOST_BYTES, RunFolder.again)
    key = f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()}"
    source = _SOURCES.get(key)
    if source is None:
        source = load(f"jsonl:{path}", overlay="none") if is_schemas else _read_examples(path)
        _SOURCES[key] = source
    return source


def _run(head: Mapping[str, Any], source: ExampleSource, rows: Sequence[PredictionRow]) -> Run:
    values: list[PredictionRow] = [{key: row[key] for key in _PREDICTION if key in row} for row in rows]
    seconds = [row.get("seconds", 0.0) for row in rows]
    return Run(
        source,
        settings=read_settings(head["settings"]),
        predictions=tuple(
            Prediction(**row | {"scores": tuple(row["scores"]), "replies": tuple(row.get("replies", ()))})
            for row in values
        ),
        seconds=sum(seconds),
        scored=sum(value > 0 for value in seconds),
        made_with=head["made_with"],
        options=head.get("options", {}),
        spent=head.get("spent", {}),
        file=head.get("file", ""),
        is_baseline=head["is_baseline"] if "is_baseline" in head else names_baseline(head["settings"]["model"]),
    )


def save_run(run: Run, folder: Path, *, force: bool = False) -> None:
    """Write a finished run, such as one made elsewhere, into a new or empty folder; `force` replaces a run."""
    target = RunFolder(Path(folder))
    probes = dict(run.probes)
    with lock(target.path):
        target.check(force=force)
        with temporary_folder(target.path) as work:  # the old run goes when this is complete
            writer = RunWriter(run, work)
            writer.append(run.predictions, run.seconds, {prediction.item_id for prediction in run.predictions})
            (work / _RUN).unlink()
            shutil.rmtree(target.path / PROBES, ignore_errors=True)  # of the old run
            target.publish(work, writer.head)
        Probes(target.path).add(probes)


class RunWriter:
    """A run in progress, in a folder or, without one, in memory only.

    A folder that contains part of the same run is resumed; any other run or file in it is an input error. The caller
    holds the folder's lock.
    """

    def __init__(self, run: Run, folder: Path | None = None, probed: Container[str] = ()) -> None:
        """Describe the run, which needs no predictions yet, and check the folder; `probed` are items to be probed."""
        self.source = run.source
        self.folder = folder
        self.probes = Probes(folder)
        self.rows: list[PredictionRow] = []
        self.stored: set[str] = set()  # the items of these rows
        self.probed = probed
        self._file_lock = Lock()  # a batch may be added while the next one's cost is recorded
        self.head: dict[str, Any] = {
            "format": RunFolder.format,
            "signature": run.signature,
            "settings": asdict(run.settings),
            "collection": f"{run.source.name}@{run.source.version}",
            "items": item_hashes(run.source),
            "made_with": run.made_with,
            "options": run.options,
            "is_baseline": run.is_baseline,
            **({"file": run.file} if run.file else {}),
            **({"spent": run.spent} if run.spent else {}),
        }
        if folder and (folder / _RUN).exists():
            self.head = self._check_same_run(RunFolder(folder).read())
        elif folder:
            RunFolder(folder).check()

    def _check_same_run(self, stored: dict[str, Any]) -> dict[str, Any]:
        """The stored description, if it describes this run."""
        expected = json.loads(json.dumps(self.head))
        identity = {key: expected[key] for key in ("collection", "items")}
        # a model of the same name may have been moved: its fingerprint says that it is the same
        settings = {key: value for key, value in expected["settings"].items() if key != "address"}
        stored_settings = json.loads(
            json.dumps(asdict(read_settings(stored["settings"])))
        )  # an older run lacks newer settings
        for actual, values in ((stored_settings, settings), (stored, identity)):
            remedy = "Choose another folder with -o, or remove this one."
            check_same(actual, values, what="run", remedy=remedy, folder=str(self.folder))
        return stored

    def resume(self, item_ids: Iterable[str]) -> None:
        """Take what is stored of the items that are asked. A batch that was cut off is removed from the file."""
        if self.folder is None or not (self.folder / _PREDICTIONS).exists():
            return
        ids = set(item_ids)
        rows = _read_rows(self.folder / _PREDICTIONS, self.source, read_settings(self.head["settings"]))
        stored_rows = [row for row in rows if row["item_id"] in ids]
        sizes = Counter(row["batch"] for row in stored_rows)
        last = stored_rows[-1]["batch"] if stored_rows and len(stored_rows) < len(ids) else None
        complete = {
            row["item_id"]: row
            for row in stored_rows
            # runs of earlier versions do not say how large a batch was: only the last can have been cut off
            if sizes[row["batch"]] == row.get("of", 0 if row["batch"] == last else sizes[row["batch"]])
        }
        self.rows, self.stored = list(complete.values()), set(complete)
        write_whole(self.folder / _PREDICTIONS, "".join(map(_line, self.rows)), force=True)

    def lacks(self, item_id: str) -> bool:
        """Whether an item must still be answered or probed."""
        return item_id not in self.stored or self.lacks_probe(item_id)

    def lacks_probe(self, item_id: str) -> bool:
        """Whether an item must still be probed."""
        return item_id in self.probed and item_id not in self.probes.stored

    def add_probes(self, probes: Mapping[str, Probe]) -> None:
        """Keep those that are lacking; they are on disk before the predictions of their items."""
        lacking_probes = {item: probe for item, probe in probes.items() if self.lacks_probe(item)}
        if self.folder and lacking_probes:
            self._start(self.folder)  # a folder with probes alone would not be recognised as a run
        self.probes.add(lacking_probes)

    def append(self, predictions: Sequence[Prediction], seconds: float, scored: Container[str]) -> None:
        """Add a batch and make sure that it is on disk; `seconds` are those of the items that were `scored`."""
        new = [prediction.item_id in scored for prediction in predictions]
        share = round(seconds / max(1, sum(new)), 6)
        batch = {"batch": self.rows[-1]["batch"] + 1 if self.rows else 0, "of": len(predictions)}
        rows = [
            {**_row_of(prediction), **batch, "seconds": share if is_new else 0.0}
            for prediction, is_new in zip(predictions, new, strict=True)
        ]
        self.rows += rows
        self.stored.update(prediction.item_id for prediction in predictions)
        if self.folder is None:
            return
        self._start(self.folder)
        try:
            with (self.folder / _PREDICTIONS).open("a", encoding="utf-8") as file:
                file.write("".join(map(_line, rows)))
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise InputError(
                f"{self.folder} cannot be written: {error.strerror}",
                remedy="What was stored before is kept: free some space and run the same command again.",
            ) from error

    def spend(self, counts: Mapping[str, float]) -> None:
        """Add to what the run has cost so far, in this process and in earlier ones: requests, tokens, money."""
        if any(counts.values()):
            self.head["spent"] = added(self.head.get("spent", {}), counts)
            if self.folder:
                self._start(self.folder)
                with self._file_lock:
                    write_description(self.folder / _RUN, self.head)

    def run(self) -> Run:
        """The run so far, in the order of the collection."""
        place = {name: number for number, name in enumerate(self.head["items"])}
        rows = sorted(self.rows, key=lambda row: place[row["item_id"]])
        return replace(_run(self.head, self.source, rows), probes=self.probes)

    def _start(self, folder: Path) -> None:
        """Write what the run is about, once there is something to store."""
        is_examples = isinstance(self.source, ExampleSet)
        path = folder / (_EXAMPLES if is_examples else _COLLECTION)
        with self._file_lock:
            if not (folder / _RUN).exists():
                write_description(folder / _RUN, self.head)
            if not path.exists():
                write_whole(path, _source_text(self.source), force=True)


def added(counts: Mapping[str, float], more: Mapping[str, float]) -> dict[str, float]:
    """The sums of counts by name.

    >>> added({"requests": 2}, {"requests": 3, "cost": 0.5})
    {'requests': 5, 'cost': 0.5}
    """
    return {name: counts.get(name, 0) + more.get(name, 0) for name in {**counts, **more}}


def item_hashes(source: ExampleSource) -> dict[str, str]:
    """A hash of everything that a solver is asked about each original and variant, by id."""
    if isinstance(source, ExampleSet):
        return {example.id: example.hash or digest([example.options, example.answer]) for example in source.examples}
    return {item.id: _asked_hash(item) for item in (*source.items, *source.variants())}


def _asked_hash(item: Item) -> str:
    """What the item's own hash covers, and its question and written readings."""
    if item.question is None and not any(item.readings):
        return item.hash
    return hashlib.sha256(repr((item.hash, item.question, item.readings)).encode()).hexdigest()[:16]


def _row_of(prediction: Prediction) -> PredictionRow:
    """A prediction as a row. A score that is not a number becomes None, which the prediction's note explains."""
    row = dict(zip(_PREDICTION, _values(prediction), strict=True))
    if not prediction.replies:  # most models are not asked in words
        del row["replies"]
    row["scores"] = [None if value is None or math.isnan(value) else value for value in prediction.scores]
    return row


def _line(row: PredictionRow) -> str:
    scores = [INFINITE.get(value, value) for value in row["scores"]]
    return _json({**row, "scores": scores}) + "\n"


_collection_text = lru_cache(maxsize=16)(jsonl.write)  # every model of an experiment is asked the same items


def _source_text(source: ExampleSource) -> str:
    """JSON Lines. Of examples: first the name, language and version of the set, then one example per line."""
    if not isinstance(source, ExampleSet):
        return _collection_text(source)
    head = {"examples": source.name, "language": source.language, "version": source.version}
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in (head, *map(asdict, source.examples)))


def _read_examples(path: Path) -> ExampleSet:
    try:
        head, *lines = map(parse_json, path.read_text(encoding="utf-8").splitlines())
        examples = [Example(**line | {key: _tuples(line[key]) for key in ("options", "features")}) for line in lines]
        return ExampleSet(head["examples"], tuple(examples), head["language"], head["version"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"cannot be read: {error}", remedy=RunFolder.again, file=str(path)) from error


def _tuples(value: Any) -> Any:
    """JSON's lists as the tuples that they were."""
    if isinstance(value, dict):
        return {key: _tuples(inner) for key, inner in value.items()}
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def _read_rows(path: Path, source: ExampleSource, settings: Settings) -> list[PredictionRow]:
    """The stored predictions. A last line that a crash cut off is dropped; anything else that is wrong is an error."""
    if not path.exists():
        return []
    options = {example.id: len(example.options) for example in all_examples(source)}
    check_plain(path, _MOST_BYTES + _MOST_EACH * len(options), RunFolder.again)
    # what another program chose need not follow from the scores that it gave
    tolerance = None if settings.scoring == IMPORTED else settings.tolerance
    rows: list[PredictionRow] = []
    answered: set[str] = set()
    try:
        with path.open(encoding="utf-8", errors="replace", newline="\n") as file:
            for number, line in enumerate(iter(partial(file.readline, _LONGEST), ""), 1):
                if line == "\n":
                    continue
                try:
                    row = _read_row(line, options, tolerance)
                    if row["item_id"] in answered:
                        raise ValueError(f"{row['item_id']} is answered twice")
                except (ValueError, KeyError) as error:
                    if len(line) < _LONGEST and not line.endswith("\n") and _is_cut_off(line):  # the last one
                        break
                    raise _no_prediction(line, error, path, number) from error
                answered.add(row["item_id"])
                rows.append(row)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}", remedy="Evaluate in another folder.") from error
    return rows


def _is_cut_off(line: str) -> bool:
    try:
        parse_json(line)
    except ValueError:
        return True
    return False


def _no_prediction(line: str, error: Exception, path: Path, number: int) -> InputError:
    reason = f"there is no item {error}" if isinstance(error, KeyError) else str(error)
    if isinstance(error, InputError):
        reason = f"{spell_path(error.path)}: {error.message}".removeprefix(": ")
    return InputError(
        f"this is not a prediction: {line[:60].rstrip()!r} ({reason})",
        remedy="Repair or remove the line; its items are then asked again.",
        file=str(path),
        line=number,
    )


def _read_row(line: str, options: Mapping[str, int], tolerance: float | None) -> PredictionRow:
    """A line as a row. With a tolerance, the choice must be the one that the scores lead to."""
    row: PredictionRow = check_row(StoredRow, line)
    row.setdefault("batch", 0)
    item, choice, scores = row["item_id"], row["choice"], row["scores"]
    count = options[item]
    if choice is not None and not 0 <= choice < count:
        raise ValueError(f"{item} has no candidate {choice}")
    if scores and len(scores) != count:
        raise ValueError(f"{item} has {count} candidates, not {len(scores)}")
    if scores and tolerance is not None and choice != best_of(scores, tolerance):
        raise ValueError(f"{item}: its scores do not lead to the choice {choice}")
    return row
