"""The page builder: a page is a list of sections, written as one HTML file, with its tables and figures beside it.

A section is a function that takes what the page is about and returns a `Section`, or None if there is nothing to show.
Its prose is the macro of the same name in the page's template; without a macro, its parts are drawn one below another.
Whatever it shows is in the page, in its contents, and among the exported tables and figures.

The page fetches nothing: styles, script, figures and data are inside.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, TypeVar

from winoglot._version import __version__
from winoglot.report.drawing import figure_files
from winoglot.report.figure import Figure, Matrix
from winoglot.report.paper import PAGE, Paper
from winoglot.report.plots import Plot
from winoglot.report.rendering import rendered
from winoglot.report.tables import LATEX, Table, figure_tables, matrix_table, table_files

if TYPE_CHECKING:
    from pathlib import Path

Part = Figure | Plot | Table | Matrix
Subject = TypeVar("Subject")  # what a page is about
Shape = TypeVar("Shape", Figure, Plot, Table, Matrix)
MakeFile = Callable[[], str | bytes]


@dataclass(frozen=True)
class Section:
    """A section of a page: its place in the contents, what it found, and what it shows."""

    name: str  # its address in the page
    topic: str  # what the contents call it
    title: str  # what it found, as a sentence
    parts: tuple[Part | None, ...] = ()  # figures and tables; None: nothing there
    values: Mapping[str, Any] = field(default_factory=dict)  # what else its macro needs
    block: str = ""  # the name of its macro, if it is not that of the section

    def shown(self, shape: type[Shape]) -> dict[str, Shape]:
        """Its parts of one kind, by name."""
        return {part.name: part for part in self.parts if isinstance(part, shape)}

    @property
    def figures(self) -> dict[str, Figure]:
        """Its figures by name."""
        return self.shown(Figure)

    @property
    def plots(self) -> dict[str, Plot]:
        """Its drawings by name."""
        return self.shown(Plot)

    @property
    def tables(self) -> dict[str, Table]:
        """Its tables by name."""
        return self.shown(Table)

    @property
    def matrices(self) -> dict[str, Matrix]:
        """Its matrices by name."""
        return self.shown(Matrix)


@dataclass(frozen=True)
class Page:
    """A page: a first screen with the result, then sections."""

    template: str  # which has the macros of its sections
    subject: Any  # what it is about, for the template
    brand: str  # what kind of page it is
    tab: str  # the title of the browser tab
    result: Section  # the first screen: its title is the verdict
    sections: tuple[Section, ...]
    title: str | None = None  # what the user calls it
    evidence: tuple[str, ...] = ()  # the numbers behind the verdict
    facts: str = ""  # what was evaluated, counted
    sources: tuple[str, ...] = ()  # named below the contents
    footnote: str = ""  # about all tables, at the end of the Markdown
    data: str = ""  # for the script: the items to browse, packed
    csv: Mapping[str, Callable[[], str]] = field(default_factory=dict)  # all numbers, by file name

    @property
    def contents(self) -> tuple[Section, ...]:
        """The first screen and the sections."""
        return (self.result, *self.sections)

    def shown(self, shape: type[Shape]) -> dict[str, Shape]:
        """All figures, drawings, tables or matrices of the page, by name."""
        return {name: part for section in self.contents for name, part in section.shown(shape).items()}

    @cached_property
    def tables(self) -> list[Table]:
        """Everything it shows that is or can be a table: first figures, then tables in the order of the sections."""
        of_figures = [table for figure in self.shown(Figure).values() for table in figure_tables(figure)]
        parts = [part for section in self.contents for part in section.parts]
        others = [matrix_table(part) if isinstance(part, Matrix) else part for part in parts]
        return [*of_figures, *(part for part in others if isinstance(part, Table))]

    @property
    def columns(self) -> int:
        """How many columns its widest figure has."""
        return max((len(figure.columns) for figure in self.shown(Figure).values()), default=0)

    def html(self, file: str) -> str:
        """The page as the text of a file with this name."""
        return rendered("page.html", page=self, file=file, version=__version__, latex_characters=LATEX)

    def markdown(self) -> str:
        """The verdict and all tables."""
        parts = [f"# {self.title or self.brand}", " ".join((f"{self.result.title}.", *self.evidence))]
        parts += [f"## {table.caption}\n\n{table.markdown().strip()}" for table in self.tables]
        return "\n\n".join(filter(None, (*parts, self.footnote))) + "\n"


def sections_of(subject: Subject, makers: Sequence[Callable[[Subject], Section | None]]) -> tuple[Section, ...]:
    """The sections that have something to show."""
    sections = (make(subject) for make in makers)
    return tuple(section for section in sections if section is not None)


def page_files(
    page: Page,
    path: Path,
    tables: Sequence[str] = (),
    figures: Sequence[str] = (),
    paper: Paper = PAGE,
    *,
    prefix: str | None = None,
) -> dict[Path, MakeFile]:
    """The files of a page with its tables and figures in these formats: by path, a function that makes the content.

    Tables and figures are in the folders `{prefix}tables` and `{prefix}figures` beside the page; by default, the prefix
    is the page's name and a hyphen. Figures are drawn for the paper.
    """
    before = f"{path.stem}-" if prefix is None else prefix
    files: dict[Path, MakeFile] = {path: partial(page.html, path.name)}
    drawn = figure_files(page.shown(Figure).values(), page.shown(Plot).values(), figures, paper)
    written = table_files(page.tables, tables) | (dict(page.csv) if "csv" in tables else {})
    files |= {path.with_name(f"{before}tables") / name: make for name, make in written.items()}
    return files | {path.with_name(f"{before}figures") / name: make for name, make in drawn.items()}
