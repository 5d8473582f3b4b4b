"""What a writer sees while editing: each schema with its readings, its switched form and what the checks find."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from winoglot.checks.base import CheckContext, CheckResult, Finding, Selection, run_checks
from winoglot.errors import InputError, did_you_mean
from winoglot.languages.readings import readings
from winoglot.perturb.switched import KIND, TAG, switch
from winoglot.schemas.model import Reading, Variant
from winoglot.writing.unfinished import UnfinishedSchema

if TYPE_CHECKING:
    from collections.abc import Collection as Names
    from collections.abc import Iterator
    from pathlib import Path

    from winoglot.schemas.model import Schema
    from winoglot.writing.unfinished import UnfinishedFile


@dataclass(frozen=True)
class SchemaView:
    """One schema; `not_switched` says why it has no switched form. An unfinished schema shows nothing but itself."""

    content: UnfinishedSchema
    readings: tuple[Reading, ...] = ()
    switched: tuple[Variant, ...] = ()
    not_switched: str = ""
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class View:
    """The schemas of a file, and what the checks find in them and in the file as a whole."""

    schemas: tuple[SchemaView, ...]
    outcome: CheckResult


def view(file: UnfinishedFile, ids: Names[str] = ()) -> View:
    """The schemas of the file, all or those named; the checks see all of them in either case.

    >>> from winoglot.writing.unfinished import read_unfinished
    >>> schema_view = view(read_unfinished("winoglot-pt"), ["train-wave"]).schemas[0]
    >>> schema_view.readings[1].inserted, schema_view.switched[0].text
    ('Lena', 'Da plataforma, Lena acenava para Rosa enquanto o trem a levava embora.')
    """
    in_file = {content.id for content in file.schemas}
    for schema_id in ids:
        if schema_id not in in_file:
            raise InputError(f"there is no schema {schema_id!r} in this file", remedy=did_you_mean(schema_id, in_file))
    outcome = run_checks(file.collection, CheckContext(), Selection()) if file.collection else CheckResult()
    complete = {schema.id: schema for schema in file.collection.schemas} if file.collection else {}
    shown_contents = [content for content in file.schemas if not ids or content.id in ids]
    shown_ids = {None, *(content.id for content in shown_contents)}
    errors, warnings = (
        tuple(finding for finding in findings if finding.schema in shown_ids)
        for findings in (outcome.errors, outcome.warnings)
    )
    schemas = [_schema_view(content, complete.get(content.id), (*errors, *warnings)) for content in shown_contents]
    return View(tuple(schemas), replace(outcome, errors=errors, warnings=warnings))


def _schema_view(content: UnfinishedSchema, schema: Schema | None, findings: tuple[Finding, ...]) -> SchemaView:
    if content.schema is None or schema is None:
        return SchemaView(content)
    switched, why_not = _switched_items(schema)
    grammatical = [reading for item in schema.items for reading in readings(item, "grammatical")]
    of_schema = tuple(finding for finding in findings if finding.schema == schema.id)
    return SchemaView(content, tuple(grammatical), switched, why_not, of_schema)


def _switched_items(schema: Schema) -> tuple[tuple[Variant, ...], str]:
    """The switched items, written or derived; or why there are none."""
    written_variants = tuple(variant for variant in schema.variants if variant.kind == KIND)
    if written_variants:
        return written_variants, ""
    stated_reason = next((statement.reason for statement in schema.impossible if statement.kind == KIND), None)
    if stated_reason is not None:
        return (), stated_reason
    if TAG not in schema.tags:
        return (), f"not tagged {TAG!r}"
    try:
        return tuple(switch(item) for item in schema.items), ""
    except InputError as error:
        return (), error.message


_PAUSE = 0.3  # seconds between two checks: short enough to seem immediate, without keeping a processor busy


def saved(path: Path, pause: float = _PAUSE) -> Iterator[None]:
    """Yield once at the start, then each time the file has been saved, without end.

    If the file disappears for a moment, as when an editor replaces it, the function waits for it.
    """
    last_stamp = _stamp(path)  # first, so that a save while the caller reads is not missed
    yield
    while True:
        time.sleep(pause)
        now = _stamp(path)
        if now is not None and now != last_stamp:
            last_stamp = now
            yield


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
