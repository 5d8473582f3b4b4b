"""The interface of a rule, and the runner that applies all rules to a collection.

A rule is a module with a function `check`, which yields a `Finding` for everything it objects to, and a `SEVERITY`:

    SEVERITY = "warning"  # "error": not a proper schema; "warning": worth a look

    def check(collection, context):
        for item in collection.items:
            if item.text and len(item.text.split()) < 5:
                yield Finding.about(item, "the text has fewer than five words", "Describe the situation.")

A rule that cannot be applied, because it needs something it was not given, raises `NotRun` with the reason.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, get_args

from winoglot import registry
from winoglot.errors import InputError, describe, did_you_mean
from winoglot.files import decode, parse_json, read_bytes
from winoglot.schemas.model import Collection, Item, Schema

if TYPE_CHECKING:
    from pathlib import Path

    from winoglot.corpus.association import Association  # noqa: TC004 (it would bring numpy into every check)

Severity = Literal["error", "warning"]
_MAX_BASELINE = 16 * 2**20


class NotRun(Exception):  # noqa: N818
    """A rule could not be applied, and why."""


@dataclass(frozen=True)
class Finding:
    """What a rule objects to: what is wrong, what to do about it, and where.

    Without a schema it is about the collection as a whole. The runner fills in `code`, the rule's name, and
    `severity`, unless the finding has its own.
    """

    message: str
    remedy: str
    schema: str | None = None
    item: str | None = None
    code: str = ""
    severity: Severity | None = None

    @classmethod
    def about(cls, what: Item | Schema, message: str, remedy: str, severity: Severity | None = None) -> Finding:
        """A finding about an item or a schema."""
        if isinstance(what, Schema):
            return cls(message, remedy, schema=what.id, severity=severity)
        return cls(message, remedy, schema=what.schema_id, item=what.id, severity=severity)

    @property
    def key(self) -> str:
        """How a baseline identifies it: by rule and place, not by wording."""
        return f"{self.code} {self.item or self.schema or '*'}"


@dataclass(frozen=True)
class CheckContext:
    """What a rule may use besides the collection: others to compare it with, and corpus counts in its language."""

    against: tuple[Collection, ...] = ()
    association: Association | None = None


@dataclass(frozen=True)
class CheckResult:
    """What all rules found, and which of them could not be applied, each with the reason."""

    errors: tuple[Finding, ...] = ()
    warnings: tuple[Finding, ...] = ()
    not_run: tuple[tuple[str, str], ...] = ()
    accepted: int = 0


@dataclass(frozen=True)
class Selection:
    """Which rules to apply, and the keys of findings that were accepted before."""

    select: Sequence[str] = ()
    ignore: Sequence[str] = ()
    baseline: frozenset[str] = field(default_factory=frozenset)


def run_checks(collection: Collection, context: CheckContext, selection: Selection) -> CheckResult:
    """Apply every selected rule; findings are in the order of the collection, then of the rules."""
    findings: list[Finding] = []
    not_run: list[tuple[str, str]] = []
    for code in _codes(selection):
        try:
            findings += _findings(code, collection, context)
        except NotRun as reason:
            not_run.append((code, str(reason)))
    new = [finding for finding in findings if finding.severity == "error" or finding.key not in selection.baseline]
    order = {schema.id: index for index, schema in enumerate(collection.schemas)}
    new.sort(key=lambda finding: order.get(finding.schema or "", -1))
    return CheckResult(
        errors=tuple(finding for finding in new if finding.severity == "error"),
        warnings=tuple(finding for finding in new if finding.severity == "warning"),
        not_run=tuple(not_run),
        accepted=len(findings) - len(new),
    )


def _codes(selection: Selection) -> list[str]:
    rules = registry.names("checks")
    for code in (*selection.select, *selection.ignore):
        if code not in rules:
            raise InputError(f"there is no rule {code!r}", remedy=did_you_mean(code, rules))
    return [code for code in dict.fromkeys(selection.select or rules) if code not in selection.ignore]


def _findings(code: str, collection: Collection, context: CheckContext) -> list[Finding]:
    """What one rule finds. A rule from another package may do anything; if it misbehaves, that is an input error."""
    rule = registry.load("checks", code)
    severity: Severity = getattr(rule, "SEVERITY", "warning")
    what = f"the rule {code!r}"
    example = "yield Finding.about(item, message, remedy), as in docs/extend.md"
    remedy = f"Correct the rule ({example}), or skip it: --ignore {code}."
    findings: list[Finding] = registry.call_plugin(
        what,
        rule.check,
        collection,
        context,
        items=Finding,
        expected="Findings",
        remedy=remedy,
        passes=lambda error: isinstance(error, NotRun),
        where=lambda: _failing_schema(rule, collection, context),
    )
    for finding in findings:
        texts = [text for text in (finding.message, finding.remedy) if not isinstance(text, str)]
        fault = f"yielded a Finding that says {describe(texts[0])}, expected text" if texts else ""
        if (finding.severity or severity) not in get_args(Severity):
            fault = f"has the severity {finding.severity or severity!r}, expected error or warning"
        if fault:
            raise InputError(f"{what} ({registry.origin(rule)}) {fault}", remedy=remedy)
    return [replace(finding, code=code, severity=finding.severity or severity) for finding in findings]


def _failing_schema(rule: Any, collection: Collection, context: CheckContext) -> str:
    """Where a rule fails: at the first schema with which it fails alone; "" if there is none."""
    for schema in collection.schemas:
        try:
            list(rule.check(replace(collection, schemas=(schema,)), context))
        except Exception:
            return f", at schema {schema.id!r},"
    return ""


def read_baseline(path: Path) -> frozenset[str]:
    """The keys of findings that were accepted before; a baseline is a JSON list of `code place` strings."""
    try:
        value = parse_json(decode(read_bytes(path, _MAX_BASELINE), str(path)))
    except InputError:
        raise
    except ValueError as error:
        raise InputError(f"the baseline is not JSON: {error}", remedy="Write it again.", file=str(path)) from error
    if not isinstance(value, list) or not all(isinstance(key, str) for key in value):
        raise InputError(
            f"expected a list of strings in the baseline, found {describe(value)}",
            remedy="Write it again.",
            file=str(path),
        )
    return frozenset(value)


def baseline_text(result: CheckResult, before: frozenset[str] = frozenset()) -> str:
    """A baseline that accepts these warnings and all that was accepted before; errors cannot be accepted."""
    keys = before.union(finding.key for finding in result.warnings)
    return json.dumps(sorted(keys), indent=1, ensure_ascii=False) + "\n"
