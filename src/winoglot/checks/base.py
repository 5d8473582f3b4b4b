"""What a rule gets, what it says, and how all rules are run."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from winoglot import registry
from winoglot.errors import InputError, describe, nearest
from winoglot.files import decode, read_bytes
from winoglot.schemas.model import Collection

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from winoglot.corpus.association import Association  # noqa: TC004 (it would bring numpy into every check)

Severity = Literal["error", "warning"]
_MAX_BASELINE = 16 * 2**20


class NotRun(Exception):  # noqa: N818
    """A rule could not be run, and why."""


@dataclass(frozen=True)
class Finding:
    """Something a rule found wrong: where, what, and what to do."""

    message: str
    remedy: str
    schema: str | None = None  # None: of the collection as a whole
    item: str | None = None
    code: str = ""
    severity: Severity | None = None  # None: the rule's own

    @property
    def key(self) -> str:
        """What a baseline remembers it by: the rule and the place, not the wording."""
        return f"{self.code} {self.item or self.schema or '*'}"


@dataclass(frozen=True)
class Context:
    """What rules may need beside the collection: others to compare it with, counts of a corpus in its language."""

    against: tuple[Collection, ...] = ()
    association: Association | None = None


@dataclass(frozen=True)
class Outcome:
    """What all rules found, and which could not be run."""

    errors: tuple[Finding, ...] = ()
    warnings: tuple[Finding, ...] = ()
    not_run: tuple[tuple[str, str], ...] = ()
    accepted: int = 0


@dataclass(frozen=True)
class Selection:
    """Which rules to run, and what has been accepted before."""

    select: Sequence[str] = ()
    ignore: Sequence[str] = ()
    baseline: frozenset[str] = field(default_factory=frozenset)


def run_checks(collection: Collection, context: Context, selection: Selection) -> Outcome:
    """Run every rule that is selected; findings in the order of the collection, then of the rules."""
    findings: list[Finding] = []
    not_run: list[tuple[str, str]] = []
    for code in _codes(selection):
        module = registry.load("checks", code)
        severity: Severity = getattr(module, "SEVERITY", "warning")
        try:
            found: Iterable[Finding] = module.check(collection, context)
            findings += [_signed(finding, code, severity) for finding in found]
        except NotRun as reason:
            not_run.append((code, str(reason)))
    new = [finding for finding in findings if finding.severity == "error" or finding.key not in selection.baseline]
    order = {schema.id: number for number, schema in enumerate(collection.schemas)}
    new.sort(key=lambda finding: order.get(finding.schema or "", -1))
    return Outcome(
        errors=tuple(finding for finding in new if finding.severity == "error"),
        warnings=tuple(finding for finding in new if finding.severity == "warning"),
        not_run=tuple(not_run),
        accepted=len(findings) - len(new),
    )


def _signed(finding: Finding, code: str, severity: Severity) -> Finding:
    return replace(finding, code=code, severity=finding.severity or severity)


def _codes(selection: Selection) -> list[str]:
    known = registry.names("checks")
    for code in (*selection.select, *selection.ignore):
        if code not in known:
            raise InputError(f"there is no rule {code!r}", remedy=nearest(code, known))
    return [code for code in dict.fromkeys(selection.select or known) if code not in selection.ignore]


def read_baseline(path: Path) -> frozenset[str]:
    """The findings that were accepted before; a baseline is a JSON list of `code place` strings."""
    try:
        value = json.loads(decode(read_bytes(path, _MAX_BASELINE), str(path)))
    except (ValueError, RecursionError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"the baseline is not JSON: {error}", remedy="Write it anew.", file=str(path)) from error
    if not isinstance(value, list) or not all(isinstance(key, str) for key in value):
        raise InputError(
            f"a baseline is a list of texts, found {describe(value)}", remedy="Write it anew.", file=str(path)
        )
    return frozenset(value)


def baseline_text(outcome: Outcome, before: frozenset[str] = frozenset()) -> str:
    """A baseline that accepts the warnings of this outcome and all that was accepted before; errors cannot be."""
    keys = before.union(finding.key for finding in outcome.warnings)
    return json.dumps(sorted(keys), indent=1, ensure_ascii=False) + "\n"
