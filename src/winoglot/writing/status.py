"""How far a translation has got: what is missing, unfinished, older than its source, or fails the checks."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from winoglot.checks.base import Context, Finding, Selection, run_checks
from winoglot.schemas.text import counted
from winoglot.writing.source_hash import source_hash

if TYPE_CHECKING:
    from winoglot.schemas.model import Collection, Schema
    from winoglot.writing.work_file import WorkFile, WorkSchema

State = Literal["translated", "missing", "incomplete", "failing", "stale", "extra"]
STATES: tuple[State, ...] = get_args(State)


@dataclass(frozen=True)
class SchemaStatus:
    """One schema: the most urgent thing about it, and everything else."""

    id: str
    state: State
    empty: tuple[str, ...] = ()  # fields that the source has and the translation has not
    stale: bool | None = None  # None: the translation does not say from which state of this source it was made
    other_source: str = ""  # the collection it says it was made from, where that is not this one
    source_hash: str = ""  # of the source as it is now
    errors: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Status:
    """Every schema of the source in its order, then those that only the translation has."""

    schemas: tuple[SchemaStatus, ...]
    findings: tuple[Finding, ...] = ()  # about the translation as a whole

    @property
    def counts(self) -> dict[State, int]:
        """How many schemas are in each state that occurs."""
        found = Counter(schema.state for schema in self.schemas)
        return {state: found[state] for state in STATES if found[state]}


def status(source: Collection, translation: WorkFile) -> Status:
    """Compare a translation with its source, schema by schema, by parallel id.

    >>> import winoglot as wg
    >>> from winoglot.writing.work_file import read_work_file
    >>> english = wg.load("winoglot-en")
    >>> status(english, read_work_file("winoglot-pt")).counts["translated"] == len(english.schemas)
    True
    """
    whole = translation.collection
    outcome = run_checks(whole, Context(), Selection()) if whole else None
    findings = (*outcome.errors, *outcome.warnings) if outcome else ()
    by_id = {work.parallel_id: work for work in translation.schemas}
    rows = [_row(schema, by_id.pop(schema.parallel_id, None), source.name, findings) for schema in source.schemas]
    rows += [_extra(work, findings) for work in by_id.values()]
    return Status(tuple(rows), tuple(finding for finding in findings if finding.schema is None))


def _extra(work: WorkSchema, findings: tuple[Finding, ...]) -> SchemaStatus:
    errors, warnings = _faults(work, findings)
    return SchemaStatus(work.parallel_id, "extra", work.empty, errors=errors, warnings=warnings)


def _row(schema: Schema, work: WorkSchema | None, source: str, findings: tuple[Finding, ...]) -> SchemaStatus:
    name = schema.parallel_id
    if work is None or not work.begun:
        return SchemaStatus(name, "missing", source_hash=source_hash(schema))
    made = work.schema
    empty = [*work.empty, *(key for key in _lacking(schema, made) if key not in work.empty)]
    errors, warnings = _faults(work, findings)
    errors += tuple(_differences(schema, made)) if made else ()
    other = work.source.collection if work.source and work.source.collection != source else ""
    recorded = work.source.hash if work.source and not other else None
    now = source_hash(schema)
    stale = recorded != now if recorded else None
    state: State = "incomplete" if empty else "failing" if errors else "stale" if stale else "translated"
    return SchemaStatus(name, state, tuple(empty), stale, other, now, errors, warnings)


def _faults(work: WorkSchema, findings: tuple[Finding, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The errors and the warnings about a schema, each once for all items."""
    own = [finding for finding in findings if finding.schema == work.id]
    errors, warnings = (
        dict.fromkeys(f"{finding.code}: {finding.message}" for finding in own if finding.severity == severity)
        for severity in ("error", "warning")
    )
    return (*([work.error] if work.error else []), *errors), tuple(warnings)


def _lacking(schema: Schema, made: Schema | None) -> list[str]:
    """The fields that the source has and a whole translation lacks; terms are up to the language."""
    if made is None:
        return []
    lacking = []
    if any(item.question for item in schema.items) and not all(item.question for item in made.items):
        lacking.append("question")
    if any(item.hypotheses for item in schema.items) and not all(item.hypotheses for item in made.items):
        lacking.append("hypotheses")
    if schema.explanation and not made.explanation:
        lacking.append("explanation")
    return lacking


def _differences(schema: Schema, made: Schema) -> list[str]:
    """What would keep the two from being compared item by item."""
    ours, theirs = len(made.items), len(schema.items)
    if ours != theirs:
        return [f"{counted(ours, 'alternative')}, the source has {theirs}"]
    for item, original in zip(made.items, schema.items, strict=True):
        count = original.candidate_count
        if count and item.candidate_count != count:  # what is known by inferences only has none
            return [f"{counted(item.candidate_count, 'candidate')}, the source has {count}"]
    answers, source_answers = ([item.answer for item in one.items] for one in (made, schema))
    if answers != source_answers:
        return [
            f"the answers are {answers}, the source's {source_answers}: keep the order of candidates and alternatives"
        ]
    return []
