"""Runs as figures, tables and one self-contained page: `winoglot.report(runs, "report.html")`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from winoglot.report.summary import Summary
    from winoglot.runs.run import Run


def report(
    runs: Run | Iterable[Run],
    path: str | Path,
    *,
    title: str | None = None,
    human: Run | Iterable[Run] = (),
    tables: str | Sequence[str] = (),
    figures: str | Sequence[str] = (),
    force: bool = False,
) -> Summary:
    """Write the report of one or more runs as one HTML file, and return its numbers.

    `human` are runs of people, shown beside the models. `tables` are formats for the tables (`latex`, `markdown`,
    `csv`), `figures` formats for the figures (`svg`, `pdf`, `png`); they are written into the folders `NAME-tables` and
    `NAME-figures` beside the page `NAME.html`. If the page would be too large, its items are in `NAME-items.js` beside
    it. Existing files are kept unless `force` is set.
    """
    from functools import partial
    from pathlib import Path  # what follows is imported here since `import winoglot` imports this module

    from winoglot.files import check_free, write_all
    from winoglot.report import drawing
    from winoglot.report import tables as exported
    from winoglot.report.page import Contents, pages
    from winoglot.report.summary import summarise

    page = Path(path)
    solved, people = _runs(runs), _runs(human)
    wanted_tables = _formats(tables, exported.FORMATS, "tables")
    wanted_figures = _formats(figures, drawing.FORMATS, "figures")
    check_free(page, force=force)  # before the work
    contents = Contents(summarise(solved, people))
    made = pages(contents, page.name, title=title, runs=solved, human=people)
    files: dict[Path, Callable[[], str | bytes]] = {page.with_name(name): partial(str, made[name]) for name in made}
    of_figures = drawing.figure_files(contents.figures.values(), contents.plots.values(), wanted_figures)
    of_tables = exported.table_files(
        contents.summary, contents.figures.values(), contents.tables.values(), wanted_tables
    )
    for folder, own in (("tables", of_tables), ("figures", of_figures)):
        files |= {page.with_name(f"{page.stem}-{folder}") / name: make for name, make in own.items()}
    write_all(files, force=force)
    if len(made) == 1 and force:
        page.with_name(f"{page.stem}-items.js").unlink(missing_ok=True)  # of an earlier, larger report of this name
    return contents.summary


def _formats(given: object, known: Sequence[str], what: str) -> list[str]:
    """The formats named, as a list or separated by commas."""
    from winoglot.errors import InputError, did_you_mean

    names = given.split(",") if isinstance(given, str) else list(given) if isinstance(given, list | tuple) else [given]
    found = [str(name).strip() for name in names if str(name).strip()]
    for name in found:
        if name not in known:
            raise InputError(f"there is no format {name!r} for {what}", remedy=did_you_mean(name, known))
    return list(dict.fromkeys(found))


def _runs(given: Any) -> list[Run]:
    """One run, or several from any iterable, as a list."""
    from collections.abc import Iterable

    from winoglot.errors import check_argument
    from winoglot.runs.run import Run

    remedy = "Pass what winoglot.evaluate(…) returned, a list of that, or what is in a folder: wg.load_runs(FOLDER)."
    found = list(given) if isinstance(given, Iterable) and not isinstance(given, Run | str | bytes) else [given]
    for one in found:
        check_argument(one, Run, "a run", remedy)
    return found
