"""What a notebook or a terminal gets beside plain text: small HTML tables, pandas data frames, a progress bar.

Nothing here is imported from pandas or IPython before it is needed; neither is a dependency.
"""

from __future__ import annotations

import re
import sys
import threading
import time
from contextlib import contextmanager, suppress
from html import escape
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

from winoglot.errors import require_extra

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    import pandas

    Report = Callable[[int, int], None]  # called with what is done and the whole

# By class. Colours that let any background through, so that one style serves light and dark notebooks.
_STYLES = {
    "rows": "border-collapse: collapse; border: 0; margin: 0.4em 0",
    "cell": "text-align: left; vertical-align: top; padding: 0.2em 0.8em 0.2em 0",
    "number": "text-align: right; vertical-align: top; padding: 0.2em 0.8em 0.2em 0; white-space: nowrap",
    "name": "text-align: left; vertical-align: top; padding: 0.2em 0.8em 0.2em 0; white-space: nowrap",
    "head": "font-weight: bold",
    "quiet": "opacity: 0.7; font-size: 90%",
    "line": "margin: 0.2em 0",
    "pronoun": "font-weight: bold; border-bottom: 2px solid",
    "segment": "border-bottom: 2px dotted",
    "candidate": "padding: 0 0.2em; border-radius: 0.2em; background-color: rgba(128, 128, 128, 0.3)",
    "c0": "background-color: rgba(0, 150, 136, 0.3)",
    "c1": "background-color: rgba(255, 145, 0, 0.3)",
    "c2": "background-color: rgba(103, 80, 220, 0.3)",
}
_CLASSES = re.compile(r' class="([^"]*)"')

_PATIENCE = 2.0  # seconds of work before a bar appears
_EVERY = 0.2  # seconds between two updates
_BAR = 20  # characters


def card(*parts: str) -> str:
    """HTML for one cell of a notebook, in which the classes of every element are spelled out as its style.

    A notebook that is not trusted drops style sheets; what an element says about itself stays.

    >>> card('<p class="line">7</p>')
    '<div style="line-height: 1.5; max-width: 60em"><p class="line" style="margin: 0.2em 0">7</p></div>'
    """
    body = _CLASSES.sub(_inline, "".join(filter(None, parts)))
    return f'<div style="line-height: 1.5; max-width: 60em">{body}</div>'


def _inline(classes: re.Match[str]) -> str:
    styles = "; ".join(_STYLES[name] for name in classes.group(1).split() if name in _STYLES)
    return f'{classes.group()} style="{styles}"' if styles else classes.group()


def line(html: str, *, quiet: bool = False) -> str:
    """A paragraph; one that is `quiet` matters less than the others."""
    return f'<p class="line{" quiet" if quiet else ""}">{html}</p>'


def html_table(rows: Sequence[Mapping[str, str]], numbers: Iterable[str] = ()) -> str:
    """Rows as an HTML table; the cells are HTML already, and the columns named in `numbers` are aligned to the right.

    >>> html_table([{"n": "320"}], numbers=["n"])
    '<table class="rows"><tr><th class="number head">n</th></tr><tr><td class="number">320</td></tr></table>'
    """
    right = set(numbers)
    first = next(iter(rows[0]), "") if rows else ""

    def row_of(cells: Mapping[str, str], tag: str) -> str:
        looks = ["number" if name in right else "name" if name == first else "cell" for name in cells]
        bold = " head" if tag == "th" else ""
        made = (f'<{tag} class="{look}{bold}">{cell}</{tag}>' for look, cell in zip(looks, cells.values(), strict=True))
        return f"<tr>{''.join(made)}</tr>"

    head = {name: escape(name) for name in rows[0]} if rows else {}
    return f'<table class="rows">{row_of(head, "th")}{"".join(row_of(row, "td") for row in rows)}</table>'


def interval_svg(value: float, low: float, high: float, bounds: tuple[float, float] = (0.0, 1.0)) -> str:
    """A value with its interval on a line from one bound to the other, with a tick in the middle."""
    start, end = bounds
    at, left, right = (round(100 * (number - start) / (end - start), 1) for number in (value, low, high))
    return (
        '<svg width="104" height="12" viewBox="-2 0 104 12" aria-hidden="true" stroke="currentColor">'
        '<path d="M0 6H100M50 3V9" stroke-opacity=".35"/>'
        f'<path d="M{left} 6H{right}" stroke-width="4" stroke-opacity=".6"/>'
        f'<circle cx="{at}" cy="6" r="2.5" fill="currentColor"/></svg>'
    )


def data_frame(rows: Sequence[Mapping[str, object]], index: str = "") -> pandas.DataFrame:
    """Rows as a pandas data frame; a column with gaps keeps its whole numbers and truth values.

    Without pandas it is an input error that says how to install it.
    """
    require_extra("a data frame needs", "pandas", extra="notebook")
    import pandas

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
    place = _place() if shown else None
    if place is None:
        yield lambda _name: lambda _done, _total: None
        return
    bar = _Bar(place, unit)
    try:
        yield bar.begin
    except BaseException:
        bar.close("Stopped after")
        raise
    bar.close("Done in")


def in_notebook() -> bool:
    """Whether this is the kernel of a notebook: Jupyter, VS Code, Colab."""
    if "IPython" not in sys.modules:
        return False
    from IPython import get_ipython

    return hasattr(get_ipython(), "kernel")


def _place() -> _Terminal | _Cell | None:
    """Where a bar can be shown, if anywhere."""
    if in_notebook():
        return _Cell()
    with suppress(AttributeError, ValueError):  # a stream that was closed or replaced
        if sys.stderr.isatty():
            return _Terminal()
    return None


class _Bar:
    """What is being done, and how far it is; the timer shows it even if the first step takes longer than that."""

    def __init__(self, place: _Terminal | _Cell, unit: str) -> None:
        self.place, self.unit = place, unit
        self.state = ("", 0, 0)
        self.begun = self.last = time.monotonic()
        self.visible = self.closed = False
        self.lock = threading.Lock()
        self.timer = threading.Timer(_PATIENCE, self._show)
        self.timer.daemon = True
        self.timer.start()

    def begin(self, name: str) -> Report:
        """The function to report the progress of a task to."""

        def report(done: int, total: int) -> None:
            self.state = (name, done, total)
            if self.visible and time.monotonic() - self.last >= _EVERY:
                self._show()

        report(0, 0)
        return report

    def _show(self) -> None:
        with self.lock, suppress(OSError, ValueError):  # a stream that is gone must not end the work
            if not self.closed:
                self.visible, self.last = True, time.monotonic()
                if self.state[0]:  # nothing may have begun yet
                    self.place.show(*self.state, self.unit)

    def close(self, how: str) -> None:
        self.timer.cancel()
        with self.lock, suppress(OSError, ValueError):
            self.closed = True
            if self.visible:
                self.place.close(f"{how} {time.monotonic() - self.begun:.0f} s.")


def _said(name: str, done: int, total: int, unit: str) -> str:
    return f"{name}: {done:,} of {total:,} {unit}" if total else f"{name} …"


class _Terminal:
    """One line of standard error that is written over, and removed at the end."""

    def show(self, name: str, done: int, total: int, unit: str) -> None:
        full = _BAR * done // max(1, total)
        line = f"{'━' * full}{'╌' * (_BAR - full)} {_said(name, done, total, unit)}"
        self._write(line[: get_terminal_size().columns - 1])

    def close(self, _said: str) -> None:
        self._write("")

    def _write(self, line: str) -> None:
        sys.stderr.write(f"\r\x1b[2K{line}")
        sys.stderr.flush()


class _Cell:
    """One output of a notebook's cell that is replaced, and ends as the time that the work took."""

    def __init__(self) -> None:
        self.handle: Any = None

    def show(self, name: str, done: int, total: int, unit: str) -> None:
        text = _said(name, done, total, unit)
        how_far = f' value="{done}" max="{total}"' if total else ""  # without a value it only moves
        self._write(f"<progress{how_far}></progress> {escape(text)}", text)

    def close(self, said: str) -> None:
        self._write(f'<span class="quiet">{said}</span>', said)

    def _write(self, html: str, text: str) -> None:
        from IPython.display import display

        data = {"text/html": card(html), "text/plain": text}
        if self.handle is None:
            self.handle = display(data, raw=True, display_id=True)
        else:
            self.handle.update(data, raw=True)
