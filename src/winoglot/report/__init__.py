"""Runs as figures, tables and one self-contained page: `winoglot.report(runs, "report.html")`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from winoglot.report.summary import Summary
    from winoglot.runs.run import Run


def report(
    runs: Run | Iterable[Run],
    path: str | Path,
    *,
    title: str | None = None,
    human: Run | Iterable[Run] = (),
    figures: str | Path | None = None,
    tables: str | Path | None = None,
    force: bool = False,
) -> Summary:
    """Write the report of one or more runs as one HTML file, and return its numbers.

    `human` are runs of people, shown beside the models. `figures` and `tables` are folders for the same figures as
    SVG, PDF and PNG, and the same tables as Markdown, LaTeX and CSV. Existing files are kept unless `force` is set.
    """
    from pathlib import Path  # what follows is imported here since `import winoglot` imports this module

    from winoglot.files import check_free, write_all
    from winoglot.report.figures import figure_files
    from winoglot.report.page import render, tables_of
    from winoglot.report.sections import sections
    from winoglot.report.summary import summarise
    from winoglot.report.tables import table_files

    solved, people = _runs(runs), _runs(human)
    check_free(Path(path), force=force)  # before the work
    summary = summarise(solved, people)
    made = sections(summary)
    page = render(summary, made, title=title, runs=solved, human=people)
    files: dict[Path, Callable[[], str | bytes]] = {}
    if figures is not None:
        files |= figure_files([figure for one in made for figure in one.figures], Path(figures))
    if tables is not None:
        files |= table_files([table for one in made for table in tables_of(one)], Path(tables))
    write_all(files | {Path(path): lambda: page}, force=force)
    return summary


def _runs(given: Any) -> list[Run]:
    """One run, or several from any iterable, as a list."""
    from collections.abc import Iterable

    from winoglot.errors import InputError
    from winoglot.runs.run import Run

    several = isinstance(given, Iterable) and not isinstance(given, Run | str | bytes)
    found: list[Any] = list(given) if several else [given]
    for one in found:
        if not isinstance(one, Run):
            raise InputError(
                f"expected a run, found {type(one).__name__}: {one!r:.60}",
                remedy="Pass what winoglot.evaluate(…) returned, or a list of such runs; "
                "for run folders use the command: winoglot report FOLDER -o FILE.",
            )
    return found
