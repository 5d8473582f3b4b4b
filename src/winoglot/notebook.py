"""What a notebook shows instead of plain text: small HTML tables and pandas data frames.

Nothing here is imported from pandas or IPython before it is needed; neither is a dependency.
"""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from winoglot.errors import require_extra
from winoglot.palette import CANDIDATES, inline_style

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import pandas

# By class.
_STYLES = {
    "rows": "border-collapse: collapse; border: 0; margin: 0.4em 0",
    "cell": "text-align: left; vertical-align: top; padding: 0.2em 0.8em 0.2em 0",
    "number": "text-align: right; vertical-align: top; padding: 0.2em 0.8em 0.2em 0; white-space: nowrap",
    "name": "text-align: left; vertical-align: top; padding: 0.2em 0.8em 0.2em 0; white-space: nowrap",
    "head": "font-weight: bold",
    "quiet": "opacity: 0.7; font-size: 90%",
    "line": "margin: 0.2em 0",
}
_PARTS = ("pronoun", "segment", *CANDIDATES)  # of a schema
_CLASSES = re.compile(r' class="([^"]*)"')
_LETTER = re.compile(r'<sup data-letter="(\w+)"></sup>')


def card(*parts: str) -> str:
    """HTML for one cell of a notebook, in which the classes of every element are spelled out as its style.

    A notebook that is not trusted drops style sheets; what an element says about itself stays.

    >>> card('<p class="line">7</p>')
    '<div style="line-height: 1.5; max-width: 60em"><p class="line" style="margin: 0.2em 0">7</p></div>'
    """
    body = _CLASSES.sub(_inline, "".join(filter(None, parts)))
    body = _LETTER.sub(r'<sup style="display: inline-block; font-size: 75%; line-height: 1">\1</sup>', body)
    return f'<div style="line-height: 1.5; max-width: 60em">{body}</div>'


def _inline(classes: re.Match[str]) -> str:
    looks = _STYLES | {name: inline_style(name) for name in _PARTS}
    styles = "; ".join(looks[name] for name in classes.group(1).split() if name in looks)
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
        classes = ["number" if name in right else "name" if name == first else "cell" for name in cells]
        bold = " head" if tag == "th" else ""
        html = (
            f'<{tag} class="{class_name}{bold}">{cell}</{tag}>'
            for class_name, cell in zip(classes, cells.values(), strict=True)
        )
        return f"<tr>{''.join(html)}</tr>"

    head = {name: escape(name) for name in rows[0]} if rows else {}
    return f'<table class="rows">{row_of(head, "th")}{"".join(row_of(row, "td") for row in rows)}</table>'


def interval_svg(value: float, low: float, high: float, bounds: tuple[float, float] = (0.0, 1.0)) -> str:
    """A value with its interval on a line from one bound to the other, with a tick in the middle."""
    start, end = bounds
    position, left, right = (round(100 * (number - start) / (end - start), 1) for number in (value, low, high))
    return (
        '<svg width="104" height="12" viewBox="-2 0 104 12" aria-hidden="true" stroke="currentColor">'
        '<path d="M0 6H100M50 3V9" stroke-opacity=".35"/>'
        f'<path d="M{left} 6H{right}" stroke-width="4" stroke-opacity=".6"/>'
        f'<circle cx="{position}" cy="6" r="2.5" fill="currentColor"/></svg>'
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
