"""Everything a writer wants to see of each schema at once: readings, the switched form, what the checks find."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from winoglot.checks.base import Context, Finding, Outcome, Selection, run_checks
from winoglot.errors import InputError, nearest
from winoglot.languages.readings import readings
from winoglot.perturb.switched import KIND, switch
from winoglot.schemas.model import Reading, Variant
from winoglot.writing.work_file import WorkSchema

if TYPE_CHECKING:
    from collections.abc import Collection as Names

    from winoglot.schemas.model import Schema
    from winoglot.writing.work_file import WorkFile

_TAG = "switchable"


@dataclass(frozen=True)
class SchemaView:
    """One schema; what cannot be shown of it is empty. `not_switched` says why there is no switched form."""

    work: WorkSchema
    readings: tuple[Reading, ...] = ()
    switched: tuple[Variant, ...] = ()
    not_switched: str = ""
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class View:
    """The schemas of a file, and what the checks find in them and in the file as a whole."""

    schemas: tuple[SchemaView, ...]
    outcome: Outcome


def view(file: WorkFile, ids: Names[str] = ()) -> View:
    """All schemas of the file, or those asked for; the checks see all of them.

    >>> from winoglot.writing.work_file import read_work_file
    >>> seen = view(read_work_file("winoglot-pt"), ["train-wave"]).schemas[0]
    >>> seen.readings[1].inserted, seen.switched[0].text
    ('Lena', 'Da plataforma, Lena acenou para Rosa até o trem levá-la embora.')
    """
    known = {work.id for work in file.schemas}
    for wanted in ids:
        if wanted not in known:
            raise InputError(f"there is no schema {wanted!r} here", remedy=nearest(wanted, known))
    outcome = run_checks(file.collection, Context(), Selection()) if file.collection else Outcome()
    whole = {schema.id: schema for schema in file.collection.schemas} if file.collection else {}
    shown = [work for work in file.schemas if not ids or work.id in ids]
    about = {None, *(work.id for work in shown)}
    errors, warnings = (
        tuple(finding for finding in found if finding.schema in about) for found in (outcome.errors, outcome.warnings)
    )
    schemas = [_schema_view(work, whole.get(work.id), (*errors, *warnings)) for work in shown]
    return View(tuple(schemas), replace(outcome, errors=errors, warnings=warnings))


def _schema_view(work: WorkSchema, schema: Schema | None, findings: tuple[Finding, ...]) -> SchemaView:
    if work.schema is None or schema is None:
        return SchemaView(work)
    switched, why_not = _switched(schema)
    made = [reading for item in schema.items for reading in readings(item, "grammatical")]
    own = tuple(finding for finding in findings if finding.schema == schema.id)
    return SchemaView(work, tuple(made), switched, why_not, own)


def _switched(schema: Schema) -> tuple[tuple[Variant, ...], str]:
    """The switched items, as written or as grammar makes them; or why there are none."""
    written = tuple(variant for variant in schema.variants if variant.kind == KIND)
    if written:
        return written, ""
    stated = next((one.reason for one in schema.impossible if one.kind == KIND), None)
    if stated is not None:
        return (), stated
    if _TAG not in schema.tags:
        return (), f"not tagged {_TAG!r}"
    try:
        return tuple(switch(item) for item in schema.items), ""
    except InputError as error:
        return (), error.message
