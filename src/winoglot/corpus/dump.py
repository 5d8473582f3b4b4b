"""Pages of a MediaWiki dump: `.xml`, `.bz2`, `.gz` or standard input, whole or in parts that are read in parallel.

A multistream dump is a row of bz2 streams with a hundred pages in each; the index published with it says where they
begin. Without an index, they are found by their signature. Plain XML is cut before `<page>`.
"""

from __future__ import annotations

import bz2
import io
import mmap
import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.parsers import expat

from winoglot.corpus.opening import opened, source_name, unreadable
from winoglot.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import BinaryIO

_LONGEST = 1 << 26  # characters of a page: MediaWiki itself stops at 2 MiB
_SIGNATURE = re.compile(rb"BZh[1-9]1AY&SY")
_PAGE = b"<page>"
_EXPORT = "Use a dump as MediaWiki exports it (pages-articles)."
_WHOLE_DUMP = "Download the dump again and compare its checksum; if it is complete, get its own index."
_OTHER_INDEX = "Use the index that was published with this dump, or leave it out."
# Which elements are read, by their parent: an id may be a page's, a revision's or a contributor's.
_FIELDS = {
    ("siteinfo", "sitename"),
    ("siteinfo", "dbname"),
    ("page", "title"),
    ("page", "ns"),
    ("page", "id"),
    ("revision", "id"),
    ("revision", "text"),
}
_CUT = {
    expat.errors.codes[name]
    for name in (
        expat.errors.XML_ERROR_NO_ELEMENTS,
        expat.errors.XML_ERROR_UNCLOSED_TOKEN,
        expat.errors.XML_ERROR_PARTIAL_CHAR,
        expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION,
    )
}


@dataclass(frozen=True)
class Site:
    """What the header of a dump says about its wiki; empty if it says nothing."""

    language: str = ""
    database: str = ""
    name: str = ""


@dataclass(frozen=True)
class Page:
    """A page and its newest revision in the dump."""

    title: str
    id: str
    revision: str
    namespace: int
    redirect: bool
    wikitext: str


@dataclass(frozen=True)
class Part:
    """The bytes `start` to `end` of a dump; the `last` part contains the end of the XML."""

    start: int
    end: int
    last: bool


def site(source: str) -> Site:
    """What the header of a dump says about its wiki; only the beginning is read."""
    sites: list[Site] = []
    with opened(source) as (stream, _):
        for _page in parsed(stream, source, on_site=sites.append):
            break
    return sites[0] if sites else Site()


def pages(source: str, part: Part | None = None) -> Iterator[Page]:
    """The pages of a dump in order, of all namespaces and with redirects; or those of one of its `parts`."""
    with opened(source, *((part.start, part.end) if part else ())) as (stream, _):
        yield from parsed(stream, source, part)


def parsed(
    stream: BinaryIO, source: str, part: Part | None = None, on_site: Callable[[Site], object] | None = None
) -> Iterator[Page]:
    """The pages of an open dump. `on_site` is called with the header before the first page, unless in a later part."""
    later = part is not None and part.start > 0
    parser = _PageParser(begins_inside=later)
    empty = not later
    try:
        while data := stream.read(1 << 18):
            empty = False
            parser.feed(data)
            if on_site is not None and parser.site is not None and not later:
                on_site(parser.site)
                on_site = None
            yield from parser.pages
            parser.pages.clear()
        if empty:
            raise InputError("the file is empty", remedy=_EXPORT)
        parser.close(is_whole=part is None or part.last)
    except InputError as error:
        error.file = error.file or source_name(source)
        if part is not None and part.start:  # a line within a later part is not a line of the file
            error.message += f" (line {error.line} of the part that begins at byte {part.start})"
            error.line = error.column = None
        raise


class _PageParser:
    """Parses XML piece by piece: takes bytes by `feed`, puts complete pages into `pages`.

    `site` is known by the time the first page is. No more than one page is in memory.
    """

    def __init__(self, *, begins_inside: bool) -> None:
        """`begins_inside`: the bytes begin after the root element's start tag, as those of a later part do."""
        self.pages: list[Page] = []
        self.site: Site | None = None
        self._language = ""
        self._path: list[str] = []
        self._fields: dict[tuple[str, str], str] = {}
        self._redirect = False
        self._pieces: list[str] = []
        self._length = 0
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.buffer_size = 1 << 16
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.StartDoctypeDeclHandler = _refuse_doctype
        if begins_inside:
            self._parser.Parse(b"<mediawiki>", False)

    def feed(self, data: bytes, *, last: bool = False) -> None:
        """Parse more bytes; invalid XML is an input error with its line."""
        try:
            self._parser.Parse(data, last)
        except expat.ExpatError as error:
            is_cut = error.code in _CUT
            message = "the XML ends in the middle" if is_cut else f"invalid XML: {expat.ErrorString(error.code)}"
            remedy = "The file is damaged or incomplete: download it again and compare its checksum."
            if error.lineno == 1 and not is_cut:
                remedy = f"{_EXPORT[:-1]}, or say what the file is with --from text or --from jsonl."
            raise InputError(message, remedy=remedy, line=error.lineno, column=error.offset + 1) from error

    def close(self, *, is_whole: bool) -> None:
        """The end of the input. Unless it `is_whole`, the root element is still open; no page may be."""
        self.feed(b"" if is_whole else b"</mediawiki>", last=True)

    def _start(self, name: str, attributes: dict[str, Any]) -> None:
        if not self._path:
            if name != "mediawiki":
                raise InputError(f"the file's first element is <{name[:40]}>, not <mediawiki>", remedy=_EXPORT)
            self._language = attributes.get("xml:lang", "")
        elif name == "page":
            self._set_site()
            self._fields = {}
            self._redirect = False
        elif name == "redirect":
            self._redirect = True
        elif (self._path[-1], name) in _FIELDS:
            self._pieces, self._length = [], 0
            self._parser.CharacterDataHandler = self._data
        self._path.append(name)

    def _data(self, data: str) -> None:
        self._length += len(data)
        if self._length > _LONGEST:
            message = f"the page {self._fields.get(('page', 'title'), '')!r} is longer than {_LONGEST >> 20} MiB"
            raise InputError(message, remedy="Remove it from the dump.", line=self._parser.CurrentLineNumber)
        self._pieces.append(data)

    def _end(self, name: str) -> None:
        self._path.pop()
        if self._parser.CharacterDataHandler is not None:
            self._parser.CharacterDataHandler = None
            self._fields[self._path[-1], name] = "".join(self._pieces)
            self._pieces = []
        elif name == "page":
            self.pages.append(self._page())
        elif name == "siteinfo":
            self._set_site()

    def _set_site(self) -> None:
        if self.site is None:
            names = (self._fields.get(("siteinfo", field), "") for field in ("dbname", "sitename"))
            self.site = Site(self._language, *names)

    def _page(self) -> Page:
        field = self._fields.get
        namespace = field(("page", "ns"), "0").strip()
        if not namespace.lstrip("-").isdecimal():
            message = f"the page {field(('page', 'title'), '')!r} has the namespace {namespace!r}"
            raise InputError(message, remedy="It must be a number.", line=self._parser.CurrentLineNumber)
        return Page(
            title=field(("page", "title"), ""),
            id=field(("page", "id"), ""),
            revision=field(("revision", "id"), ""),
            namespace=int(namespace),
            redirect=self._redirect,
            wikitext=field(("revision", "text"), ""),
        )


def _refuse_doctype(*_: object) -> None:
    # No export has one; it could make a small file expand without limit.
    raise InputError("the file declares a document type", remedy=_EXPORT, line=1)


def parts(path: str, *, index: str | None = None, size: int) -> list[Part]:
    """A dump's parts in order, each of about `size` bytes; a single one if the file cannot be cut.

    `index` is the file `…-multistream-index.txt`, plain or compressed. A file that begins neither like bz2 nor like
    XML, or whose bz2 streams are not cut between pages, is one part.
    """
    try:
        with Path(path).open("rb") as file:
            length = file.seek(0, io.SEEK_END)
            if not length:
                return [Part(0, 0, last=True)]
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                is_compressed = _SIGNATURE.match(data) is not None
                if index is not None:
                    starts: Iterable[int] = _stream_starts(data, path, index)
                elif is_compressed:
                    starts = (match.start() for match in _SIGNATURE.finditer(data))
                else:
                    starts = _page_starts(data, size)
                borders = [0]
                for start in starts:
                    if start - borders[-1] >= size and (not is_compressed or _begins_page(data, start)):
                        borders.append(start)
    except OSError as error:
        raise unreadable(path, error) from error
    return [Part(start, end, last=end == length) for start, end in pairwise([*borders, length])]


def _page_starts(data: mmap.mmap, size: int) -> Iterator[int]:
    """Where pages of plain XML begin, one in every `size` bytes; inside a text, `<` is written as an entity."""
    position = size
    while 0 <= position < len(data):
        position = data.find(_PAGE, position)
        if position >= 0:
            yield position
            position += size


def _stream_starts(data: mmap.mmap, path: str, index: str) -> Iterator[int]:
    """Where the index says that streams begin."""
    last = -1
    with opened(index) as (stream, _):
        for number, line in enumerate(stream, 1):
            text = line.partition(b":")[0]
            if not text.isdigit():
                message = f"{line[:40].decode(errors='replace').strip()!r} is not a line of an index (BYTE:ID:TITLE)"
                raise InputError(message, remedy=_OTHER_INDEX, file=index, line=number)
            start = int(text)
            if start >= len(data):
                message = f"is incomplete: it has {len(data)} bytes, and {index} says that a stream begins at {start}"
                raise InputError(message, remedy=_WHOLE_DUMP, file=path)
            if start != last and _SIGNATURE.match(data, start) is None:
                message = f"no stream of the dump begins at byte {start}"
                raise InputError(message, remedy=_OTHER_INDEX, file=index, line=number)
            if start > last:
                yield start
                last = start


def _begins_page(data: mmap.mmap, start: int) -> bool:
    """Whether a bz2 stream begins with a page: other programs cut theirs anywhere."""
    decompressor = bz2.BZ2Decompressor()
    position = start
    try:
        while position < len(data) and not decompressor.eof:
            beginning = decompressor.decompress(data[position : position + (1 << 16)], 64)
            if beginning:
                return beginning.lstrip().startswith(_PAGE)
            position += 1 << 16
    except OSError:  # the signature was there by chance, or the stream is damaged, which its reader will report
        return False
    return False
