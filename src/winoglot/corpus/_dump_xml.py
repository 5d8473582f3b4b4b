"""The XML of a MediaWiki export, taken piece by piece: no more than one page is in memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from xml.parsers import expat

from winoglot.errors import InputError

_LONGEST = 1 << 26  # characters of a page: MediaWiki itself stops at 2 MiB
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


@dataclass(frozen=True)
class Site:
    """What a dump's header says of the wiki it is from; empty where it says nothing."""

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


class PageParser:
    """Takes bytes of XML by `feed`, leaves whole pages in `pages`; `site` is known by the first of them."""

    def __init__(self, *, opened: bool) -> None:
        """`opened`: the bytes begin after the root element's tag, as those of a part do."""
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
        if opened:
            self._parser.Parse(b"<mediawiki>", False)

    def feed(self, data: bytes) -> None:
        """Take more bytes; what is not XML is an input error with its line."""
        try:
            self._parser.Parse(data, False)
        except expat.ExpatError as error:
            raise _invalid(error) from error

    def close(self, *, whole: bool) -> None:
        """There is no more; `whole`: the root's end was among it, else no page may be open."""
        try:
            self._parser.Parse(b"" if whole else b"</mediawiki>", True)
        except expat.ExpatError as error:
            raise _invalid(error) from error

    def _start(self, name: str, attributes: dict[str, Any]) -> None:
        if not self._path:
            if name != "mediawiki":
                message = f"the file's first element is <{name[:40]}>, not <mediawiki>"
                raise InputError(message, remedy="Give a dump as MediaWiki exports it (pages-articles).")
            self._language = attributes.get("xml:lang", "")
        elif name == "page":
            self._know_site()
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
            raise InputError(message, remedy="Take it out of the dump.", line=self._parser.CurrentLineNumber)
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
            self._know_site()

    def _know_site(self) -> None:
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
    # No export has one; it could make a small file expand without end.
    raise InputError("the file declares a document type", remedy="Give a dump as MediaWiki exports it.", line=1)


def _invalid(error: expat.ExpatError) -> InputError:
    cut = error.code in _CUT
    message = "the XML ends in the middle" if cut else f"invalid XML: {expat.ErrorString(error.code)}"
    remedy = "The file is damaged or was cut short: get it again and compare its checksum."
    if error.lineno == 1 and not cut:
        remedy = "Give a dump as MediaWiki exports it, or say what the file is with --from text or --from jsonl."
    return InputError(message, remedy=remedy, line=error.lineno, column=error.offset + 1)


_CUT = {
    expat.errors.codes[expat.errors.XML_ERROR_NO_ELEMENTS],
    expat.errors.codes[expat.errors.XML_ERROR_UNCLOSED_TOKEN],
    expat.errors.codes[expat.errors.XML_ERROR_PARTIAL_CHAR],
    expat.errors.codes[expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION],
}
