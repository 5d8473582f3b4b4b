"""A figure: drawn once, saved as SVG, PDF and PNG, with its text alternative and its numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError
from winoglot.report._theme import FONT, colours, config, themed
from winoglot.report.table import Table

if TYPE_CHECKING:
    import altair

_HEAD = re.compile(r"<svg\b[^>]*>")
_SIZE = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')
_NOISE = re.compile(r' (?:role|aria-[a-z]+|class|font-family)="[^"]*"')  # set once for the whole drawing, or not needed
_DECIMALS = re.compile(r"(?<=\d)\.(\d\d)\d{3,}")
_MARKUP = re.compile(r"<[^>]*>")


@dataclass(frozen=True)
class Figure:
    """A drawing, with everything that replaces it for those who cannot see it.

    `name` is that of its files; `title` and `caption` say what it shows and how to read it; `alt` describes what can be
    seen; `table` has the numbers.
    """

    name: str
    title: str
    caption: str
    alt: str
    table: Table
    spec: dict[str, Any]  # Vega-Lite
    narrow: dict[str, Any]  # the same for a phone

    def svg(self, *, inline: bool = True, narrow: bool = False) -> str:
        """As text to embed in a page, in the page's colours; or else on its own, on white."""
        body = self._narrow if narrow else self._wide
        width, height = _size(body)
        kind = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}" direction="ltr"'
        kind += f' font-family="{FONT}" role="img" aria-label="{escape(self.alt)}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {kind}>'
        if inline:
            return _HEAD.sub(lambda _: head, themed(body), count=1)
        page = f'<rect width="100%" height="100%" fill="{colours()["page"]}"/>'
        return _HEAD.sub(lambda _: head + page, body, count=1)

    @property
    def width(self) -> str:
        """In pixels, if there is room for it."""
        return _size(self._wide)[0]

    def pdf(self) -> bytes:
        """On a page of its own size, with text kept as text."""
        made: bytes = _renderer().svg_to_pdf(self.svg(inline=False))
        return made

    def png(self, *, scale: float = 2.0) -> bytes:
        """On white; the default scale suits high-resolution screens."""
        made: bytes = _renderer().svg_to_png(self.svg(inline=False), scale=scale)
        return made

    @cached_property
    def _wide(self) -> str:
        return _drawn(self.spec)

    @cached_property
    def _narrow(self) -> str:
        return _drawn(self.narrow)


def _size(svg: str) -> tuple[str, str]:
    found = _SIZE.search(svg)
    return (found[1], found[2]) if found else ("0", "0")


def finished(chart: altair.TopLevelMixin) -> dict[str, Any]:
    """The specification of a chart, with the settings that all figures share."""
    made: dict[str, Any] = chart.to_dict(validate=False)  # a third of the time; tests hold it to the schema
    made["config"] = config()
    return made


def drawing() -> Any:
    """The library that figures are specified with."""
    try:
        import altair
    except ImportError as error:
        raise _missing() from error
    return altair


def _drawn(spec: dict[str, Any]) -> str:
    version = spec["$schema"].rpartition("/")[2].removesuffix(".json")
    renderer = _renderer()
    known = renderer.get_vegalite_versions()
    wanted = ".".join(version.lstrip("v").split(".")[:2])
    drawn: str = renderer.vegalite_to_svg(spec, vl_version=wanted if wanted in known else None, allowed_base_urls=[])
    return _MARKUP.sub(lambda tag: _DECIMALS.sub(r".\1", _NOISE.sub("", tag.group())), drawn)


def _renderer() -> Any:
    try:
        import vl_convert
    except ImportError as error:
        raise _missing() from error
    return vl_convert


def _missing() -> InputError:
    return InputError("figures need altair and vl-convert", remedy="Install them: pip install 'winoglot[report]'.")
