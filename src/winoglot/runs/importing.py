"""Predictions made elsewhere as a run, so that the same statistics serve them: CSV, lm-evaluation-harness's logs."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from winoglot import registry
from winoglot._version import __version__
from winoglot.errors import InputError, nearest
from winoglot.files import decode, read_bytes
from winoglot.formats.base import Remark
from winoglot.models.base import names_baseline
from winoglot.perturb.base import with_kinds
from winoglot.runs import _answer_table, _sample_logs
from winoglot.runs._matching import TextIndex
from winoglot.runs.run import Prediction, Run, Settings
from winoglot.schemas.model import ORIGINAL
from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from winoglot.runs._foreign import Answer
    from winoglot.schemas.model import Collection, Item

Format = Literal["csv", "lm-eval"]
_MOST_BYTES = 512 * 2**20
_IMPORTED = "imported"  # how it was scored and on which readings is not for us to say


@dataclass(frozen=True)
class Imported:
    """A run, and what of the file did not go into it or what it lacks."""

    run: Run
    unknown: list[Remark] = field(default_factory=list)  # answers to what the collection does not have
    repeated: list[Remark] = field(default_factory=list)  # further answers to an item: the first one counts
    missing: list[str] = field(default_factory=list)  # items without an answer


def import_predictions(
    path: str | Path,
    collection: Collection,
    model: str | None = None,
    format: str | None = None,  # noqa: A002
) -> Imported:
    """The predictions of a file for a collection. `model` names what made them, else the file does.

    Variants that the file answers and the collection does not store are derived where they can be. A file that answers
    nothing of the collection is an input error.
    """
    path = Path(path)
    data = read_bytes(path, _MOST_BYTES)
    text = decode(data, str(path))
    kind = _format(text, path, format)
    settings = Settings(
        model=model or (_sample_logs.model_name(path) if kind == "lm-eval" else None) or path.stem,
        scoring=_IMPORTED,
        readings=_IMPORTED,
        fingerprint=hashlib.sha256(data).hexdigest()[:16],
        model_settings={"from": kind},
    )
    collection = _with_asked(collection, text)
    if kind == "csv":
        items = {item.id: item for item in _items(collection)}
        answers: Iterable[Answer] = _answer_table.read(text, str(path), items, settings.tolerance)
    else:
        answers = _sample_logs.read(text, str(path), TextIndex(_items(collection)), settings.tolerance)
    return _imported(collection, settings, answers, str(path))


def _imported(collection: Collection, settings: Settings, answers: Iterable[Answer], file: str) -> Imported:
    unknown: list[Remark] = []
    repeated: list[Remark] = []
    made: dict[str, Prediction] = {}
    for answer in answers:
        if answer.item is None:
            unknown.append(Remark(answer.line, answer.label, answer.why))
            continue
        item = answer.item
        prediction = Prediction(item.id, item.hash, answer.choice, answer.scores, answer.note)
        if item.id in made:
            same = (made[item.id].choice, made[item.id].scores) == (prediction.choice, prediction.scores)
            why = f"another answer to {item.id}, {'the same' if same else 'not the same'}"
            repeated.append(Remark(answer.line, answer.label, why))
        else:
            made[item.id] = prediction
    if not made:
        first = f"; the first: {unknown[0].what}: {unknown[0].why}" if unknown else ""
        raise InputError(
            f"{counted(len(unknown), 'answer')}, none to an item of {collection.name}{first}",
            remedy=f"Name the collection that was answered; an id looks like {collection.items[0].id}.",
            file=file,
        )
    kinds = tuple(sorted({item.kind for item in _items(collection) if item.id in made} - {ORIGINAL}))
    asked = [item for item in _items(collection) if item.kind in (ORIGINAL, *kinds)]
    run = Run(
        collection,
        replace(settings, kinds=kinds),
        tuple(made[item.id] for item in asked if item.id in made),
        made_with={"winoglot": __version__},
        is_baseline=names_baseline(settings.model),
    )
    return Imported(run, unknown, repeated, [item.id for item in asked if item.id not in made])


def _items(collection: Collection) -> tuple[Item, ...]:
    return (*collection.items, *collection.variants())


def _format(text: str, path: Path, wanted: str | None) -> str:
    """As it is said, or as the file begins."""
    if wanted is not None and wanted not in get_args(Format):
        raise InputError(f"predictions cannot be read from {wanted!r}", remedy=nearest(wanted, get_args(Format)))
    if not text.strip():
        raise InputError("the file is empty", remedy="Give a file that holds predictions.", file=str(path))
    return wanted or ("lm-eval" if text.lstrip()[0] in "{[" else "csv")


def _with_asked(collection: Collection, text: str) -> Collection:
    """The collection with the kinds that a file's ids speak of, as far as they can be derived."""
    for kind in registry.names("perturbations"):
        if f"~{kind}" in text:
            try:
                collection = with_kinds(collection, [kind])
            except InputError:  # nothing can be derived: the lines that name it stay unknown
                continue
    return collection
