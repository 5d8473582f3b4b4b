"""Reference runs: models' answers to the bundled collections, stored in the package without the models' weights.

They are ordinary runs, marked by `Run.reference`. The folder `references` has one file per model, `NAME.json.xz`, and
`items.json.xz`, the list of items that all models share. `freeze` writes both, as JSON compressed with xz:

- `items`: for each item of a collection, eight hexadecimal digits of a hash of its id and content; items are only ever
  appended;
- a model: a list of `StoredReference`, one for each of its runs.
"""

from __future__ import annotations

import json
import logging
import lzma
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BeforeValidator
from typing_extensions import TypedDict

from winoglot.errors import InputError, check_argument, did_you_mean
from winoglot.files import check_plain, folder_name, write_all
from winoglot.loading import load
from winoglot.models.base import best_of
from winoglot.models.naming import ModelName
from winoglot.perturb.base import with_kinds
from winoglot.runs.run import Prediction, Reference, Run, Runs
from winoglot.runs.store import INFINITE, item_hashes, read_settings
from winoglot.schemas.bundled import without_families
from winoglot.schemas.hashing import digest
from winoglot.schemas.model import Collection
from winoglot.schemas.text import counted
from winoglot.schemas.validation import check_row

if TYPE_CHECKING:
    from collections.abc import Container

    from winoglot.schemas.model import Item

FOLDER = Path(__file__).parent / "references"
_LOG = logging.getLogger(__name__)  # a warning that nobody handles is a line on standard error
_ITEMS, _ENDING = "items.json.xz", ".json.xz"
_MOST_BYTES = 2**26  # of a file, decompressed
_DIGITS = 8  # of an item's key: a changed item has the key of one of a few thousand others with probability 10⁻⁶
_NOT_ASKED, _ABSTAINED, _FIRST = ".", "-", "0"
_SIGNIFICANT, _DECIMALS = 4, 2  # scores are rounded to these digits or these decimals, whichever is finer
_EXACT = 17  # digits that distinguish all floats
_AGAIN = "Reinstall Winoglot, or write the file again with scripts/freeze_references.py."
_Score = Annotated[float, BeforeValidator(lambda value: float(value) if value in INFINITE.values() else value)]


class StoredReference(TypedDict):
    """A run as stored in its model's file. A place is an item's position in the list of its collection."""

    collection: str
    version: str  # of the collection
    date: str
    signature: str
    settings: dict[str, Any]
    made_with: dict[str, str]
    is_baseline: bool
    choices: str  # of each place: 0 for the first candidate, `-` for an abstention, `.` if not asked
    scores: list[list[_Score | None]]  # of each item that was asked, in the order of the places
    notes: dict[str, list[int]]  # why it abstained, and at which places
    windows: dict[str, list[int]]  # what is unusual about the window of partial scoring, and at which places
    fallbacks: list[int]  # the places at which all readings were naive


class _ReferenceFile(TypedDict):
    runs: list[StoredReference]


class _ItemsFile(TypedDict):
    items: dict[str, list[str]]


@dataclass(frozen=True)
class _References:
    """The content of a folder of reference runs."""

    keys: Mapping[str, Sequence[str]]  # of the items of each collection
    runs: tuple[StoredReference, ...]

    @property
    def collections(self) -> list[str]:
        """The names of the collections that models have answered."""
        return sorted({run["collection"] for run in self.runs})


def references(
    collection: str | Collection | None = None,
    models: str | Iterable[str] | None = None,
    *,
    kinds: str | Sequence[str] | None = None,
    folder: str | Path = FOLDER,
) -> Runs:
    """The reference runs on a collection or family of collections or, if none is named, on all of them.

    They are ordinary runs with choices and scores, so `wg.compare`, `wg.report` and all metrics take them. `models`
    selects some by name. Items are found by their hash: in a collection that has changed since, only unchanged items
    have answers, and a line says how many have none. A collection may also be a sample.

    The runs have every kind of variant that the models were asked; `kinds` selects some, which saves deriving the
    others. `folder` is another folder that scripts/freeze_references.py wrote.

    >>> import winoglot as wg
    >>> [run] = wg.references("winoglot-pt", "first", kinds=["switched"])
    >>> run.settings.model, run.source.name, run.kinds
    ('first', 'winoglot-pt', ('switched',))
    """
    expected = "the name of a collection, or a collection"
    check_argument(collection, (str, Collection, NoneType), expected, 'Write wg.references("winoglot-pt").')
    stored = _stored(Path(folder))
    if isinstance(collection, Collection):
        _check_collections([collection.name], stored)
        sources = {collection.name: collection}
    else:
        names = stored.collections if collection is None else without_families([collection])
        _check_collections(names, stored)
        sources = {name: load(name) for name in names}
    asked_models = _checked_models(models, stored)
    if kinds is not None:
        kinds = _checked_kinds([kinds] if isinstance(kinds, str) else kinds, stored)
    runs = Runs()
    for name, source in sources.items():
        of_models = [run for run in stored.runs if run["settings"]["model"] in asked_models]
        of_source = [run for run in of_models if run["collection"] == name]
        answered_kinds = dict.fromkeys(kind for run in of_source for kind in run["settings"]["kinds"])
        asked_kinds = [kind for kind in answered_kinds if kinds is None or kind in kinds]
        runs += _runs_over(_with_possible_kinds(source, asked_kinds), asked_kinds, of_source, stored.keys[name])
    return runs


def references_beside(runs: Iterable[Run], *, folder: str | Path = FOLDER) -> Runs:
    """The reference runs on the collections of these runs, restricted to the same items and kinds of variants.

    If none of the collections has any, that is an input error; if only some have none, or if scorings or readings
    differ, a line says so. Models that are among the runs are left out.
    """
    runs, stored = list(runs), _stored(Path(folder))
    by_source: dict[tuple[str, str], list[Run]] = {}
    for run in runs:
        if run.reference is None:
            by_source.setdefault((run.source.name, run.source.version), []).append(run)
    names = list(dict.fromkeys(name for name, _ in by_source))
    check_references(names, folder=folder)
    beside = Runs()
    for (name, _), group in by_source.items():
        source = max((run.source for run in group), key=lambda source: len(item_hashes(source)))
        of_source = [run for run in stored.runs if run["collection"] == name]
        if not of_source or not isinstance(source, Collection):
            _LOG.warning("There are no reference runs for %s.", name)
            continue
        kinds = tuple(dict.fromkeys(kind for run in group for kind in run.settings.kinds))
        models = {run.settings.model for run in group}
        of_source = [run for run in of_source if run["settings"]["model"] not in models]
        beside += _runs_over(source, kinds, of_source, stored.keys[name])
    for line in _other_ways(runs, beside):
        _LOG.warning("%s", line)
    return beside


def check_references(collections: Sequence[str], *, folder: str | Path = FOLDER) -> None:
    """Refuse collections if none of them has reference runs."""
    stored = _stored(Path(folder))
    if not set(collections) & set(stored.collections):
        _check_collections(collections, stored)


def stored_references(folder: str | Path = FOLDER) -> tuple[StoredReference, ...]:
    """Every reference run as it is stored, by model and collection."""
    return _stored(Path(folder)).runs


def _check_collections(names: Sequence[str], stored: _References) -> None:
    for name in names:
        if name not in stored.collections:
            known = ", ".join(stored.collections) or "none"
            raise InputError(f"there are no reference runs for {name!r}", remedy=f"There are some for: {known}.")


def _checked_models(models: str | Iterable[str] | None, stored: _References) -> Container[str]:
    known = {run["settings"]["model"] for run in stored.runs}
    if models is None:
        return known
    expected, remedy = "names of models", 'Write models=["first"]; `winoglot list references` lists them.'
    check_argument(models, (str, Iterable), expected, remedy)
    names: list[Any] = [models] if isinstance(models, str) else list(models)
    for name in names:
        check_argument(name, str, expected, remedy)
        if name not in known:
            raise InputError(f"there are no reference runs of {name!r}", remedy=did_you_mean(name, known))
    return set(names)


def _checked_kinds(kinds: Iterable[str], stored: _References) -> list[str]:
    known = {kind for run in stored.runs for kind in run["settings"]["kinds"]}
    kinds = list(kinds)
    for kind in kinds:
        if kind not in known:
            raise InputError(f"no reference run has variants of kind {kind!r}", remedy=did_you_mean(kind, known))
    return kinds


def _with_possible_kinds(source: Collection, kinds: Sequence[str]) -> Collection:
    """The collection with variants of these kinds; those that it cannot have, as in a sample, are left out."""
    for kind in kinds:
        try:
            source = with_kinds(source, [kind])
        except InputError:
            continue
    return source


def _runs_over(
    source: Collection, kinds: Sequence[str], stored: Sequence[StoredReference], keys: Sequence[str]
) -> list[Run]:
    """The stored runs on a collection's originals and these kinds; a line says how many items have no answer."""
    hashes = item_hashes(source)
    items = {
        _key(item.id, hashes[item.id]): item
        for item in (*source.items, *(variant for kind in kinds for variant in source.variants(kind)))
    }
    runs = [run for run in (_run_over(source, items, of_model, keys) for of_model in stored) if run.predictions]
    if stored and not runs:
        versions = ", ".join(sorted({run["version"] for run in stored}))
        message = f"no item of {source.name} {source.version} is unchanged since the reference runs ({versions})"
        raise InputError(message, remedy=f"Use the collection that comes with Winoglot: {source.name}.")
    lacking = max((run.reference.missing for run in runs if run.reference), default=0)
    if lacking:
        _LOG.warning(
            "%s: %s of %s %s no answer in some reference run: changed since, or not asked.",
            f"{source.name} {source.version}",
            f"{lacking:,}",
            counted(len(items), "item"),
            "has" if lacking == 1 else "have",
        )
    return runs


def _run_over(source: Collection, items: Mapping[str, Item], stored: StoredReference, keys: Sequence[str]) -> Run:
    """A stored run on the items that have not changed; `items` are by key."""
    notes, windows = _by_place(stored["notes"]), _by_place(stored["windows"])
    fallbacks = set(stored["fallbacks"])
    settings = read_settings(stored["settings"])
    all_scores = iter(stored["scores"])
    predictions = []
    kinds = set()
    for place, (key, mark) in enumerate(zip(keys, stored["choices"], strict=False)):
        if mark == _NOT_ASKED:
            continue
        scores = tuple(next(all_scores))
        item = items.get(key)
        if item is None:
            continue
        choice = None if mark == _ABSTAINED else ord(mark) - ord(_FIRST)
        if len(scores) not in (0, item.candidate_count) or not 0 <= (choice or 0) < item.candidate_count:
            raise _damaged(settings.model, f"{item.id} has {counted(item.candidate_count, 'candidate')}")
        note, window, fallback = notes.get(place, ""), windows.get(place, ""), place in fallbacks
        predictions.append(Prediction(item.id, item.hash, choice, scores, note=note, fallback=fallback, window=window))
        kinds.add(item.kind)
    shown_kinds = tuple(kind for kind in settings.kinds if kind in kinds)
    possible = sum(item.kind in kinds for item in items.values())
    return Run(
        source,
        settings=replace(settings, kinds=shown_kinds),
        predictions=tuple(predictions),
        made_with=stored["made_with"],
        is_baseline=stored["is_baseline"],
        reference=Reference(stored["date"], stored["signature"], possible - len(predictions)),
    )


def _by_place(places_of: Mapping[str, Sequence[int]]) -> dict[int, str]:
    return {place: text for text, places in places_of.items() for place in places}


def _key(item_id: str, item_hash: str) -> str:
    return digest([item_id, item_hash])[:_DIGITS]


def _other_ways(runs: Sequence[Run], beside: Sequence[Run]) -> list[str]:
    """A sentence for scorings, and one for readings, that no reference model was asked with."""
    lines = []
    for name in ("scoring", "readings"):
        here, there = (
            {getattr(run.settings, name) for run in group if not run.is_baseline} for group in (runs, beside)
        )
        if here - there and there:
            lines.append(
                f"Different {name}: {', '.join(sorted(here - there))} in your runs, "
                f"{', '.join(sorted(there))} in reference runs. Differences in results may come from that."
            )
    return lines


# Files


def _stored(folder: Path) -> _References:
    paths = sorted(path for path in folder.glob(f"*{_ENDING}") if path.name != _ITEMS)
    if not paths:
        remedy = "Name one that scripts/freeze_references.py wrote."
        raise InputError("there are no reference runs in the folder", remedy=remedy, file=str(folder))
    keys = _read_file(folder / _ITEMS, _ItemsFile)["items"]
    runs = [run for path in paths for run in _read_file(path, _ReferenceFile)["runs"]]
    for run in runs:
        try:
            read_settings(run["settings"])
        except (KeyError, TypeError, ValueError) as error:
            raise _damaged(str(run["settings"].get("model")), f"its settings: {error}") from error
        choices, model = run["choices"], run["settings"]["model"]
        if len(choices) > len(keys.get(run["collection"], ())):
            raise _damaged(model, f"there are more answers than items of {run['collection']}")
        if len(choices) - choices.count(_NOT_ASKED) != len(run["scores"]):
            raise _damaged(model, "the numbers of scores and choices differ")
    return _References(keys, tuple(runs))


def _read_file(path: Path, kind: type) -> Any:
    check_plain(path, _MOST_BYTES, _AGAIN)
    return _read_version(path, kind, path.stat().st_mtime_ns)


@lru_cache(maxsize=64)  # a session asks for the same files again and again
def _read_version(path: Path, kind: type, _changed: int) -> Any:
    try:
        text = lzma.LZMADecompressor().decompress(path.read_bytes(), _MOST_BYTES).decode()
        return check_row(kind, text)
    except (lzma.LZMAError, EOFError, OSError, ValueError) as error:
        message = f"not a file of reference runs, or a damaged one: {error}"
        raise InputError(message, remedy=_AGAIN, file=str(path)) from error


def _damaged(model: str, why: str) -> InputError:
    return InputError(f"the reference runs of {model} are damaged: {why}", remedy=_AGAIN)


def freeze(runs: Iterable[tuple[Run, str]], folder: Path, *, replaces_all: bool = False) -> list[Path]:
    """Store runs, each with its date, as reference runs, and return the files that were written.

    A model's runs replace those that the folder has of it; `replaces_all` also removes all other models. A run on
    anything but a collection is an input error, and so are two runs of a model on one collection, asked in one way.
    """
    has_some = (folder / _ITEMS).exists() and not replaces_all
    keys: dict[str, list[str]] = _read_file(folder / _ITEMS, _ItemsFile)["items"] if has_some else {}
    keys = {name: list(of_collection) for name, of_collection in keys.items()}
    by_model: dict[str, dict[tuple[str, ...], StoredReference]] = {}
    for run, date in runs:
        reference = _frozen(run, date, keys.setdefault(run.collection.name, []))
        of_model = by_model.setdefault(reference["settings"]["model"], {})
        question = (run.source.name, run.settings.scoring, run.settings.readings)
        if question in of_model:
            source, scoring, readings = question
            message = f"{run.settings.model} has two runs on {source} with {scoring} scoring and {readings} readings"
            raise InputError(message, remedy="Name only one of them.")
        of_model[question] = reference
    files = {folder / f"{folder_name(model)}{_ENDING}": list(stored.values()) for model, stored in by_model.items()}
    if not files:
        raise InputError("there are no runs", remedy="Name run folders that `winoglot evaluate … -o` wrote.")
    if replaces_all:
        for path in folder.glob(f"*{_ENDING}"):
            path.unlink()
    contents: dict[Path, object] = {path: {"runs": stored} for path, stored in files.items()}
    contents[folder / _ITEMS] = {"items": keys}
    write_all({path: lambda content=content: _packed(content) for path, content in contents.items()}, force=True)  # type: ignore[misc]
    return list(contents)


def _packed(content: object) -> bytes:
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME)


def _frozen(run: Run, date: str, keys: list[str]) -> StoredReference:
    """A run as it is stored; items missing from the collection's list are appended to it."""
    settings = run.settings
    hashes = item_hashes(run.source)
    outcomes = (outcome for kind in (None, *settings.kinds) for outcome in run.outcomes(kind))
    asked = {_key(outcome.example.id, hashes[outcome.example.id]): outcome for outcome in outcomes}
    listed = set(keys)
    keys += [key for key in asked if key not in listed]
    choices, scores = [], []
    notes: dict[str, list[int]] = {}
    windows: dict[str, list[int]] = {}
    fallbacks = []
    for place, key in enumerate(keys):
        outcome = asked.get(key)
        if outcome is None:
            choices.append(_NOT_ASKED)
            continue
        choices.append(_ABSTAINED if outcome.choice is None else chr(ord(_FIRST) + outcome.choice))
        rounded = _rounded(outcome.scores, settings.tolerance)
        scores.append([INFINITE.get(score, score) for score in rounded])  # type: ignore[arg-type]
        for texts, text in ((notes, outcome.note), (windows, outcome.window)):
            if text:
                texts.setdefault(text, []).append(place)
        if outcome.fallback:
            fallbacks.append(place)
    model = ModelName(settings.model, settings.address)
    public = ModelName(_without_place(model.name), _without_place(model.address))
    public_settings = replace(settings, model=public.name, address=public.address, renamed=0)
    return {
        "collection": run.source.name,
        "version": run.source.version,
        "date": date,
        "signature": run.signature.replace(str(model), str(public)),
        "settings": asdict(public_settings),
        "made_with": run.made_with,
        "is_baseline": run.is_baseline,
        "choices": "".join(choices),
        "scores": scores,  # type: ignore[typeddict-item]
        "notes": notes,
        "windows": windows,
        "fallbacks": fallbacks,
    }


def _without_place(address: str) -> str:
    """A model's name or address without the folders of the machine it was on; names on a hub are kept.

    >>> _without_place("gguf:/models/qwen.gguf"), _without_place("causal:google/gemma-3-270m")
    ('gguf:qwen.gguf', 'causal:google/gemma-3-270m')
    """
    family, colon, location = address.rpartition(":")
    path = Path(location)
    is_place = location.startswith(("/", ".", "~", "$")) or path.exists()
    return f"{family}{colon}{path.name}" if is_place else address


def _rounded(scores: Sequence[float | None], tolerance: float) -> list[float | None]:
    """The scores with as few digits as preserve the choice or the tie.

    >>> _rounded((-12.34567, -123.4567), 1e-6), _rounded((-12.341, -12.342), 1e-6)
    ([-12.35, -123.46], [-12.341, -12.342])
    """
    for digits in range(_SIGNIFICANT, _EXACT):
        rounded = [_with_digits(score, digits) for score in scores]
        if best_of(rounded, tolerance) == best_of(scores, tolerance):
            return rounded
    return list(scores)


def _with_digits(score: float | None, digits: int) -> float | None:
    if score is None or not score or not math.isfinite(score):
        return None if score is None or math.isnan(score) else score
    before = math.floor(math.log10(abs(score))) + 1
    return round(score, max(digits - before, _DECIMALS + digits - _SIGNIFICANT))
