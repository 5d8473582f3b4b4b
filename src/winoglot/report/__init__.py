"""Pages, tables and figures: `winoglot.report(runs, "report.html")`, and three other kinds of pages.

What the report on runs says, before anything is drawn:

- `columns`: the collections side by side; `solvers`: the rows; `ranking`: which are best, and how sure that is
- `summary`: all numbers of a report
- `findings`: its verdict, its evidence and what to know before comparing, in words

What pages consist of:

- `figure`: a figure is a table of estimates on an axis; a matrix is one in colours
- `plots`: drawings that are not tables
- `rendering`: templates and sentences, filled in
- `tables`: numbers as LaTeX, Markdown and CSV
- `drawing`: figures and plots as SVG, PDF and PNG; `paper`: how wide that is, and how much room texts take
- `page`: the builder, which writes a list of sections as a page with its tables and figures

The four kinds of pages, each a list of sections with a template of the same name:

- `runs`, with `details` (its later sections), `parallel` (the same schemas in several languages), `items` (every item
  as data) and `reproduce` (commands)
- `analysis`: other wordings of the same schemas
- `tuning`: fine-tuned models
- `logic`: models for logic pairs
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from winoglot.report.summary import Summary
    from winoglot.runs.run import Run


def report(
    runs: Run | Iterable[Run],
    path: str | Path,
    *,
    title: str | None = None,
    human: Run | Iterable[Run] = (),
    references: bool = False,
    tables: str | Sequence[str] = (),
    figures: str | Sequence[str] = (),
    width: str = "page",
    font: str | None = None,
    force: bool = False,
) -> Summary:
    """Write the report of one or more runs as one HTML file, and return its numbers.

    `human` are runs of people, shown beside the models. With `references`, so are the reference runs of the same
    collections (`winoglot.references`), on the items that these runs have.

    `tables` are formats for the tables (`latex`, `markdown`, `csv`), `figures` formats for the figures (`svg`, `pdf`,
    `png`); they are written into the folders `NAME-tables` and `NAME-figures` beside the page `NAME.html`. Figures are
    as wide as a `column` (84 mm) or a `page` (174 mm) of a paper, or as `width` says (`88mm`, `3.25in`), with text of
    8 pt in the `font` named. With more than 50,000 predictions, the texts of the items are left out.
    Existing files are kept unless `force` is set.
    """
    from pathlib import Path  # what follows is imported here since `import winoglot` imports this module

    from winoglot.errors import InputError
    from winoglot.files import check_free, write_all
    from winoglot.report.drawing import FORMATS as FIGURE_FORMATS
    from winoglot.report.page import page_files
    from winoglot.report.paper import Paper
    from winoglot.report.runs import runs_page
    from winoglot.report.summary import summarise
    from winoglot.report.tables import FORMATS as TABLE_FORMATS
    from winoglot.runs.references import references_beside

    target = Path(path)
    evaluated, people = _runs(runs), _runs(human)
    table_formats = _formats(tables, TABLE_FORMATS, "tables")
    figure_formats = _formats(figures, FIGURE_FORMATS, "figures")
    paper = Paper.of(width, font)
    if target.suffix.lower() not in (".html", ".htm"):
        page = target.with_suffix(".html") if target.name else target / "report.html"
        remedy = f'Name it {page}; figures=["pdf"] (--figures pdf) writes figures beside it.'
        raise InputError("the report is an HTML page", remedy=remedy, file=str(path))
    check_free(target, force=force)  # before the work
    if references:
        evaluated += references_beside([*evaluated, *people])
    summary = summarise(evaluated, people)
    files = page_files(runs_page(summary, title), target, table_formats, figure_formats, paper)
    write_all(files, force=force)
    return summary


def _formats(names: object, formats: Sequence[str], what: str) -> list[str]:
    """The formats named, as a list or separated by commas."""
    from winoglot.errors import InputError, did_you_mean

    parts = names.split(",") if isinstance(names, str) else list(names) if isinstance(names, list | tuple) else [names]
    wanted = [str(name).strip() for name in parts if str(name).strip()]
    for name in wanted:
        if name not in formats:
            raise InputError(f"there is no format {name!r} for {what}", remedy=did_you_mean(name, formats))
    return list(dict.fromkeys(wanted))


def _runs(value: Any) -> list[Run]:
    """One run, or several from any iterable, as a list."""
    from collections.abc import Iterable

    from winoglot.errors import check_argument
    from winoglot.runs.run import Run

    remedy = "Pass what winoglot.evaluate(…) returned, a list of that, or what is in a folder: wg.load_runs(FOLDER)."
    runs = list(value) if isinstance(value, Iterable) and not isinstance(value, Run | str | bytes) else [value]
    for run in runs:
        check_argument(run, Run, "a run", remedy)
    return runs
