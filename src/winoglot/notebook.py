"""What a notebook or a terminal gets beside plain text: small HTML tables, pandas data frames, a progress bar.

Nothing here is imported from pandas or IPython before it is needed; neither is a dependency.
"""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager, suppress
from html import escape
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    import pandas

    Report = Callable[[int, int], None]  # called with what is done and the whole

# Colours that let any background through, so that one style serves light and dark notebooks.
_STYLE = """<style>
.winoglot {font-size: .95em; line-height: 1.5; max-width: 60em}
.winoglot p {margin: .3em 0}
.winoglot table {border-collapse: collapse; margin: .4em 0; border: 0; width: auto; display: table}
.winoglot th, .winoglot td {text-align: left; vertical-align: top; padding: .2em .8em .2em 0; border: 0;
  border-bottom: 1px solid rgba(128, 128, 128, .3); background: none; white-space: normal; min-width: 0}
.winoglot th {font-weight: 600}
.winoglot td.number, .winoglot th.number {text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap}
.winoglot .quiet {opacity: .7; font-size: .9em}
.winoglot .pronoun {font-weight: 700; border-bottom: 2px solid currentColor}
.winoglot .pronoun:empty::before {content: "∅"}
.winoglot .segment {border-bottom: 2px dotted currentColor}
.winoglot .candidate {padding: 0 .2em; border-radius: .2em; background: rgba(128, 128, 128, .25)}
.winoglot .c0 {background: rgba(0, 150, 136, .28)}
.winoglot .c1 {background: rgba(255, 145, 0, .30)}
.winoglot .c2 {background: rgba(103, 80, 220, .30)}
.winoglot svg {vertical-align: middle}
</style>"""

_PATIENCE = 2.0  # seconds of work before a bar appears
_EVERY = 0.2  # seconds between two updates
_BAR = 30  # characters


def card(*parts: str) -> str:
    """HTML for one cell of a notebook, with the style that it needs."""
    return f'{_STYLE}\n<div class="winoglot">{"".join(filter(None, parts))}</div>'


def html_table(rows: Sequence[Mapping[str, str]], numbers: Iterable[str] = ()) -> str:
    """Rows as an HTML table; the cells are HTML already, and the columns named in `numbers` are aligned to the right.

    >>> html_table([{"model": "first", "n": "320"}], numbers=["n"])
    '<table><tr><th>model</th><th class="number">n</th></tr><tr><td>first</td><td class="number">320</td></tr></table>'
    """
    right = set(numbers)

    def line(cells: Mapping[str, str], tag: str) -> str:
        mark = {name: ' class="number"' if name in right else "" for name in cells}
        return "<tr>" + "".join(f"<{tag}{mark[name]}>{cell}</{tag}>" for name, cell in cells.items()) + "</tr>"

    head = {name: escape(name) for name in rows[0]} if rows else {}
    return f"<table>{line(head, 'th')}{''.join(line(row, 'td') for row in rows)}</table>"


def interval_svg(value: float, low: float, high: float, bounds: tuple[float, float] = (0.0, 1.0)) -> str:
    """A value with its interval on a line from one bound to the other, with a tick in the middle."""
    start, end = bounds
    at, left, right = (round(100 * (number - start) / (end - start), 1) for number in (value, low, high))
    return (
        '<svg width="104" height="12" viewBox="-2 0 104 12" aria-hidden="true" stroke="currentColor">'
        '<path d="M0 6H100M50 3V9" stroke-opacity=".35"/>'
        f'<path d="M{left} 6H{right}" stroke-width="3"/><circle cx="{at}" cy="6" r="3" fill="currentColor"/></svg>'
    )


def data_frame(rows: Sequence[Mapping[str, object]], index: str = "") -> pandas.DataFrame:
    """Rows as a pandas data frame; a column with gaps keeps its whole numbers and truth values.

    Without pandas it is an input error that says how to install it.
    """
    try:
        import pandas
    except ImportError as error:
        remedy = 'Run: pip install "winoglot[notebook]"'
        raise InputError("a data frame needs pandas, which is not installed", remedy=remedy) from error
    names = dict.fromkeys(name for row in rows for name in row)
    frame = pandas.DataFrame({name: _column([row.get(name) for row in rows]) for name in names})
    return frame.set_index(index) if index else frame


def _column(values: list[object]) -> pandas.Series:
    import pandas

    kinds = {type(value) for value in values if value is not None}
    return pandas.Series(values, dtype={frozenset({int}): "Int64", frozenset({bool}): "boolean"}.get(frozenset(kinds)))


@contextmanager
def progress(unit: str, *, shown: bool = True) -> Iterator[Callable[[str], Report]]:
    """A bar for each task begun, in a notebook or on a terminal, once the work has taken two seconds.

    Nowhere else is anything written: the output of a script that goes to a file or a pipe stays as it is.
    """
    bar = _Bar(unit, _writer() if shown else None)

    def begin(name: str) -> Report:
        return lambda done, total: bar.update(name, done, total)

    try:
        yield begin
    finally:
        bar.close()


def in_notebook() -> bool:
    """Whether this is the kernel of a notebook: Jupyter, VS Code, Colab."""
    if "IPython" not in sys.modules:
        return False
    from IPython import get_ipython

    return hasattr(get_ipython(), "kernel")


class _Bar:
    def __init__(self, unit: str, writer: _Terminal | _Cell | None) -> None:
        self.unit, self.writer = unit, writer
        self.begun = self.last = time.monotonic()
        self.visible = False

    def update(self, name: str, done: int, total: int) -> None:
        now = time.monotonic()
        if self.writer is None or now - self.begun < _PATIENCE or (self.visible and now - self.last < _EVERY):
            return
        self.visible, self.last = True, now
        self.writer.show(name, done, total, self.unit)

    def close(self) -> None:
        if self.writer is not None and self.visible:
            self.writer.close(time.monotonic() - self.begun)


def _writer() -> _Terminal | _Cell | None:
    if in_notebook():
        return _Cell()
    with suppress(AttributeError, ValueError):  # a stream that was closed or replaced
        if sys.stderr.isatty():
            return _Terminal()
    return None


class _Terminal:
    """One line of standard error that is written over, and removed at the end."""

    def show(self, name: str, done: int, total: int, unit: str) -> None:
        full = _BAR * done // max(1, total)
        line = f"{name}  {'━' * full}{'╌' * (_BAR - full)}  {done:,} of {total:,} {unit}"
        sys.stderr.write(f"\r\x1b[2K{line}")
        sys.stderr.flush()

    def close(self, _seconds: float) -> None:
        sys.stderr.write("\r\x1b[2K")
        sys.stderr.flush()


class _Cell:
    """One output of a notebook's cell that is replaced, and ends as the time that the work took."""

    def __init__(self) -> None:
        self.handle: Any = None

    def show(self, name: str, done: int, total: int, unit: str) -> None:
        bar = f'<progress value="{done}" max="{max(1, total)}"></progress>'
        self._write(
            f"{escape(name)} {bar} {done:,} of {total:,} {escape(unit)}", f"{name}: {done:,} of {total:,} {unit}"
        )

    def close(self, seconds: float) -> None:
        text = f"Done in {seconds:.0f} s."
        self._write(f'<span class="quiet">{text}</span>', text)

    def _write(self, html: str, text: str) -> None:
        from IPython.display import display

        data = {"text/html": card(html), "text/plain": text}
        if self.handle is None:
            self.handle = display(data, raw=True, display_id=True)
        else:
            self.handle.update(data, raw=True)
