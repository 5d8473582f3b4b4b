"""The progress of a translation: what is missing, drafted by a model, older than its source, or fails the checks.

A translation records the hash of the source schema it was made from, so that a later change of the source is noticed.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import yaml

from winoglot.checks.base import CheckContext, Finding, Selection, run_checks
from winoglot.errors import InputError, did_you_mean
from winoglot.formats.base import InputFile
from winoglot.schemas.documents import read_yaml
from winoglot.schemas.serialise import serialise_made
from winoglot.schemas.text import counted
from winoglot.writing.proposals import measured
from winoglot.writing.skeleton import source_hash
from winoglot.writing.unfinished import read_unfinished
from winoglot.writing.yaml_edits import (
    added,
    edit_schemas,
    is_yaml,
    quoted,
    replaced,
    value_of,
    with_values_changed,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from winoglot.schemas.model import Collection, Made, Schema
    from winoglot.schemas.spans import Edit
    from winoglot.writing.unfinished import UnfinishedFile, UnfinishedSchema

State = Literal["translated", "untranslatable", "missing", "incomplete", "failing", "drafted", "stale", "extra"]
STATES: tuple[State, ...] = get_args(State)


@dataclass(frozen=True)
class SchemaStatus:
    """One schema: its most urgent state, and everything else."""

    id: str
    state: State
    reason: str = ""  # why it is untranslatable
    empty: tuple[str, ...] = ()  # fields that the source has and the translation does not
    stale: bool | None = None  # None: the translation does not record which version of this source it was made from
    other_source: str = ""  # the collection it says it was made from, if that is not this one
    source_hash: str = ""  # of the source as it is now
    errors: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    drafted_by: str = ""  # the model whose draft nobody has judged yet
    overruled: tuple[str, ...] = ()  # models that read the judged draft blind and answered otherwise


@dataclass(frozen=True)
class Status:
    """Every schema of the source in its order, then those that only the translation has."""

    schemas: tuple[SchemaStatus, ...]
    findings: tuple[Finding, ...] = ()  # about the translation as a whole

    @property
    def counts(self) -> dict[State, int]:
        """The number of schemas in each state that occurs."""
        counts = Counter(schema.state for schema in self.schemas)
        return {state: counts[state] for state in STATES if counts[state]}


def status(source: Collection, translation: UnfinishedFile) -> Status:
    """Compare a translation with its source, schema by schema, by parallel id or by the source that it names.

    >>> import winoglot as wg
    >>> english = wg.load("winoglot-en")
    >>> status(english, read_unfinished("winoglot-pt")).counts["translated"] == len(english.schemas)
    True
    """
    collection = translation.collection
    outcome = run_checks(collection, CheckContext(), Selection()) if collection else None
    findings = (*outcome.errors, *outcome.warnings) if outcome else ()
    originals = _originals(translation.schemas, source)
    rows = []
    for schema in source.schemas:
        adaptations = [entry for entry in translation.schemas if originals.get(entry.id) is schema]
        reason = translation.untranslatable.get(schema.parallel_id, "")
        if reason and not any(entry.begun for entry in adaptations):
            rows.append(SchemaStatus(schema.parallel_id, "untranslatable", reason))
            continue
        rows += [_row(schema, entry, source.name, findings) for entry in (adaptations or (None,))]
    for entry in translation.schemas:
        if entry.id in originals:
            continue
        errors, warnings = _faults(entry, findings)
        rows.append(SchemaStatus(entry.parallel_id, "extra", empty=entry.empty, errors=errors, warnings=warnings))
    return Status(tuple(rows), tuple(finding for finding in findings if finding.schema is None))


def _originals(entries: Sequence[UnfinishedSchema], source: Collection) -> dict[str, Schema]:
    """The schema that each entry translates, by the entry's id: the one with its parallel id, or named as its source.

    So one schema may have several adaptations.
    """
    by_parallel_id = {schema.parallel_id: schema for schema in source.schemas}
    by_id = {schema.id: schema for schema in source.schemas}
    originals = {}
    for entry in entries:
        named = entry.source.id if entry.source and entry.source.collection == source.name else None
        original = by_parallel_id.get(entry.parallel_id) or by_id.get(named or "")
        if original is not None:
            originals[entry.id] = original
    return originals


def _row(schema: Schema, entry: UnfinishedSchema | None, source: str, findings: tuple[Finding, ...]) -> SchemaStatus:
    name, current_hash = entry.parallel_id if entry else schema.parallel_id, source_hash(schema)
    if entry is None or not entry.begun:
        return SchemaStatus(name, "missing", source_hash=current_hash)
    translation = entry.schema
    missing_fields = _missing_fields(schema, translation) if translation else []
    empty = tuple(dict.fromkeys((*entry.empty, *missing_fields)))
    errors, warnings = _faults(entry, findings)
    errors += tuple(_differences(schema, translation)) if translation else ()
    other_source = entry.source.collection if entry.source and entry.source.collection != source else ""
    recorded = entry.source.hash if entry.source and not other_source else None
    stale = recorded != current_hash if recorded else None
    drafted_by = entry.made.model or "" if entry.made and entry.made.unjudged else ""
    urgent: dict[State, object] = {"incomplete": empty, "failing": errors, "drafted": drafted_by, "stale": stale}
    state: State = next((state for state, applies in urgent.items() if applies), "translated")
    overruled = entry.made.overruled if entry.made else ()
    return SchemaStatus(
        name, state, "", empty, stale, other_source, current_hash, errors, warnings, drafted_by, overruled
    )


def _faults(entry: UnfinishedSchema, findings: tuple[Finding, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The errors and the warnings about a schema; what concerns several of its items is listed once."""
    of_schema = [finding for finding in findings if finding.schema == entry.id]
    errors, warnings = (
        dict.fromkeys(f"{finding.code}: {finding.message}" for finding in of_schema if finding.severity == severity)
        for severity in ("error", "warning")
    )
    return (*([entry.error] if entry.error else []), *errors), tuple(warnings)


def _missing_fields(schema: Schema, translation: Schema) -> list[str]:
    """The fields that the source has and the translation lacks; terms are up to the language."""
    missing = [
        key
        for key in ("question", "hypotheses")
        if any(getattr(item, key) for item in schema.items)
        and not all(getattr(item, key) for item in translation.items)
    ]
    return [*missing, "explanation"] if schema.explanation and not translation.explanation else missing


def _differences(schema: Schema, translation: Schema) -> list[str]:
    """What would prevent an item-by-item comparison of the two."""
    alternatives, source_count = len(translation.items), len(schema.items)
    if alternatives != source_count:
        return [f"{counted(alternatives, 'alternative')}, the source has {source_count}"]
    for item, original in zip(translation.items, schema.items, strict=True):
        count = original.candidate_count
        if count and item.candidate_count != count:  # what is known by inferences only has none
            return [f"{counted(item.candidate_count, 'candidate')}, the source has {count}"]
    answers, source_answers = ([item.answer for item in version.items] for version in (translation, schema))
    if answers != source_answers:
        return [
            f"the answers are {answers}, the source's {source_answers}: keep the order of candidates and alternatives"
        ]
    return []


@dataclass(frozen=True)
class Recording:
    """The file's new text: the schemas whose source it now records, those that name another, and judged drafts.

    Of a draft that somebody has judged, it records what share was changed, and no longer the draft.
    """

    text: str
    recorded: tuple[str, ...]
    of_another: tuple[str, ...]
    judged: tuple[str, ...]


def record(source: Collection, translation: str | Path, *, all_missing: bool, revised: Sequence[str] = ()) -> Recording:
    """Record the source's hash in the schemas named as revised and, with `all_missing`, all that was not recorded yet.

    That is the hash in schemas without one, and the changes in drafts that somebody has judged. A schema that says it
    comes from another collection is left alone.
    """
    path = Path(translation)
    if not is_yaml(path):
        raise InputError(f"{str(translation)!r} is not a YAML file", remedy="Name the translation's file.")
    entries = read_unfinished(path).schemas
    names = {name for entry in entries for name in (entry.id, entry.parallel_id)}
    for name in revised:
        if name not in names:
            raise InputError(f"there is no schema {name!r} in {path}", remedy=did_you_mean(name, names))
    originals = _originals(entries, source)
    sources: dict[str, dict[str, str]] = {}
    of_another = []
    for entry in entries:
        original = originals.get(entry.id)
        missing = all_missing and entry.begun and not (entry.source and entry.source.hash)
        if original is None or not (missing or {entry.id, entry.parallel_id}.intersection(revised)):
            continue
        if entry.source and entry.source.collection != source.name:
            of_another.append(entry.id)
            continue
        sources[entry.id] = {"collection": source.name, "id": original.id, "hash": source_hash(original)}
    file = InputFile(path, None)
    text = with_sources(file.text, sources, file.label)
    judged = {
        entry.id: entry.made
        for entry in entries
        if all_missing and entry.schema and entry.made and entry.made.judged_by and entry.made.draft is not None
    }
    text = _with_changes(text, judged, file.label) if judged else text
    return Recording(text, tuple(sources), tuple(of_another), tuple(judged))


def _with_changes(text: str, judged: Mapping[str, Made], file: str) -> str:
    """A collection's YAML text in which these schemas say what share of their draft was changed."""
    old = {entry["id"]: entry for entry in read_yaml(text, file).value["schemas"] if entry["id"] in judged}
    new = {name: entry | {"made": serialise_made(measured(judged[name], entry))} for name, entry in old.items()}
    return with_values_changed(text, {}, old, new, file)


def with_sources(text: str, sources: Mapping[str, Mapping[str, str]], file: str) -> str:
    """A collection's YAML text in which these schemas have these sources.

    >>> text = "schemas:\\n  - id: a  # one\\n    text: ''\\n"
    >>> print(with_sources(text, {"a": {"collection": "b", "hash": "12"}}, "f"))
    schemas:
      - id: a  # one
        text: ''
        source: {collection: "b", hash: "12"}
    <BLANKLINE>
    """

    def change(node: Any, value: dict[str, Any]) -> Edit | None:
        source = sources.get(value["id"])
        if source is None:
            return None
        recorded = value.get("source") or source
        if not isinstance(recorded, dict):
            raise _not_writable(file, value["id"])
        value["source"] = recorded | {"hash": source["hash"]}
        return _source_edit(text, node, source)

    return edit_schemas(text, file, change, _not_writable(file))


def _source_edit(text: str, schema: Any, source: Mapping[str, str]) -> Edit:
    node = value_of(schema, "source")
    text_of_source = "{" + ", ".join(f"{key}: {quoted(value)}" for key, value in source.items()) + "}"
    if node is None:
        return added(text, schema, "source", text_of_source)
    if not node.value or isinstance(node, yaml.ScalarNode):  # null, written as such or left out
        return replaced(text, node, text_of_source)
    hash_node = value_of(node, "hash")
    if hash_node is None:
        return added(text, node, "hash", quoted(source["hash"]))
    return replaced(text, hash_node, quoted(source["hash"]))


def _not_writable(file: str, schema: str | None = None) -> InputError:
    return InputError(
        "the source cannot be added to the file as it is written",
        remedy="Write it by hand: source: {collection: …, id: …, hash: …}.",
        file=file,
        schema=schema,
    )
