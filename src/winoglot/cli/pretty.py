"""What commands print with: a console, tables, estimates and findings."""

from __future__ import annotations

import os
import sys
from collections import Counter
from typing import TYPE_CHECKING

from rich.console import Console, Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import RenderableType

    from winoglot.checks.base import Outcome
    from winoglot.statistics.intervals import Estimate

_PIPE_WIDTH = 160  # where no terminal says how wide it is


def make_console(*, stderr: bool = False) -> Console:
    """A console that does not squeeze what goes into a pipe or a file."""
    console = Console(highlight=False, emoji=False, markup=False, stderr=stderr)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = _PIPE_WIDTH
    return console


def emit(renderable: RenderableType) -> None:
    """Print; without the blanks that fill up a terminal's lines where there is no terminal."""
    console = make_console()
    if console.is_terminal:
        console.print(renderable)
        return
    with console.capture() as captured:
        console.print(renderable)
    lines = captured.get().removesuffix("\n").split("\n")
    sys.stdout.write("".join(line.rstrip(" ") + "\n" for line in lines))


def print_rows(rows: Sequence[Mapping[str, object]]) -> None:
    """A table with a row a mapping; their keys are the head."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    for key in rows[0]:
        numeric = all(isinstance(row[key], int | float) for row in rows)
        first = key == next(iter(rows[0]))  # the name, which nobody can do without
        table.add_column(key, justify="right" if numeric else "left", no_wrap=numeric or first, overflow="fold")
    for row in rows:
        table.add_row(*("" if value is None else str(value) for value in row.values()))
    emit(table)


def print_outcome(outcome: Outcome) -> None:
    """Findings one below the other, then a table that counts them by rule."""
    for finding in (*outcome.errors, *outcome.warnings):
        style = "bold red" if finding.severity == "error" else "yellow"
        line = Text.assemble((str(finding.severity), style), f" {finding.code} {finding.item or finding.schema or ''}")
        emit(Group(line, Padding(Text(f"{finding.message}. {finding.remedy}"), (0, 0, 0, 2))))
    counts = Counter((finding.code, finding.severity) for finding in (*outcome.errors, *outcome.warnings))
    rows = [{"rule": code, "severity": severity, "findings": count} for (code, severity), count in counts.items()]
    if rows:
        print_rows(sorted(rows, key=lambda row: (str(row["severity"]), str(row["rule"]))))
    for code, why in outcome.not_run:
        emit(Text(f"not run: {code}: {why}", style="dim"))
    accepted = f"; {outcome.accepted} accepted by the baseline" if outcome.accepted else ""
    found = f"{counted(len(outcome.errors), 'error')}, {counted(len(outcome.warnings), 'warning')}{accepted}"
    emit(Text(found, style="bold"))


def percent(estimate: Estimate) -> str:
    """Value and limits in percent, as tables show them; nothing where it is undefined."""
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return ""
    return f"{100 * estimate.value:.1f} [{100 * estimate.low:.0f}, {100 * estimate.high:.0f}]"
