"""Pages of a MediaWiki dump: `.xml`, `.bz2`, `.gz` or standard input, whole or in parts that are read side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.corpus._dump_xml import Page, PageParser, Site
from winoglot.corpus._multistream import Part, opened_part, parts, placed_in
from winoglot.corpus.opening import STANDARD_INPUT, opened, source_name
from winoglot.errors import InputError, located

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import BinaryIO

    from winoglot.corpus.opening import Meter

__all__ = ["Page", "Part", "Site", "articles_only", "pages", "parts", "site"]

_PIECE = 1 << 18  # bytes of XML taken at once


def site(source: str) -> Site:
    """What the header of a dump says of its wiki; only the beginning is read.

    A source that can be read only once, standard input, tells it to the `on_site` of `pages`.
    """
    found: list[Site] = []
    for _ in pages(source, on_site=found.append):
        break
    return found[0] if found else Site()


def pages(
    source: str,
    *,
    part: Part | None = None,
    on_site: Callable[[Site], object] | None = None,
    advance: Callable[[int], object] | None = None,
    on_end: Callable[[Meter], object] | None = None,
) -> Iterator[Page]:
    """The pages of a dump in its order, of all namespaces, redirects too.

    `source` is a path, or `-` for standard input; `part` one of `parts(source)`. `advance` is told how many bytes of
    the stored file were read since the last time, `on_site` the header before the first page (not of a later part),
    `on_end` the meter of the stored file when all of it was read.
    """
    with opened(source) if source == STANDARD_INPUT else opened_part(source, part) as (stream, meter):
        yield from _pages(source, stream, meter, part, on_site, advance)
        if on_end is not None:
            on_end(meter)


def articles_only(found: Iterator[Page]) -> Iterator[Page]:
    """Without redirects and what is no article: talk, templates, categories, files.

    >>> from winoglot.corpus.dump import Page
    >>> pages = [Page("Chuva", "1", "7", 0, False, "Chove."), Page("Talk:Chuva", "2", "8", 1, False, "Chove?")]
    >>> [page.title for page in articles_only(iter(pages))]
    ['Chuva']
    """
    return (page for page in found if page.namespace == 0 and not page.redirect)


def _pages(
    source: str,
    stream: BinaryIO,
    meter: Meter,
    part: Part | None,
    on_site: Callable[[Site], object] | None,
    advance: Callable[[int], object] | None,
) -> Iterator[Page]:
    later = part is not None and part.start > 0
    parser = PageParser(opened=later)
    told = 0
    empty = not later
    with located(file=source_name(source)), placed_in(part):
        while data := stream.read(_PIECE):
            empty = False
            parser.feed(data)
            if advance is not None:
                advance(meter.position - told)
                told = meter.position
            if on_site is not None and parser.site is not None and not later:
                on_site(parser.site)
                on_site = None
            yield from parser.pages
            parser.pages.clear()
        if empty:
            raise InputError("the file is empty", remedy="Give a dump as MediaWiki exports it (pages-articles).")
        parser.close(whole=part is None or part.last)
