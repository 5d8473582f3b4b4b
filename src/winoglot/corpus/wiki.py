"""Articles of a MediaWiki dump: pages of the main namespace, all or only the good and featured ones, as clean prose.

Every wiki marks good and featured articles with templates of its own. `quality_templates/LANGUAGE.txt` lists them, one
per line: `good = artigo bom`.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from winoglot.corpus.dump import Page, Part, Site, pages, parsed, parts, site
from winoglot.corpus.opening import STANDARD_INPUT, Measured, opened, source_name
from winoglot.corpus.sources import CHUNK, Article
from winoglot.corpus.wikitext import COMMENT, prose
from winoglot.errors import InputError, did_you_mean
from winoglot.files import packaged_lines
from winoglot.schemas.text import primary

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from winoglot.corpus.settings import CorpusSettings
    from winoglot.corpus.shards import Tally

GOOD, FEATURED = "good", "featured"
_PAGES_LOOKED_AT = 50  # unmarked pages per batch whose templates are noted, for the message if none is marked
_DUMP, _INDEXES = "-multistream.xml.bz2", ("-multistream-index.txt.bz2", "-multistream-index.txt")
_NAME = re.compile(r"\{\{\s*+([^\s{}|<>\[\]#:][^{}|<>\[\]#:\n]{0,80}?)\s*(?=\||\}\}|\n)")


@dataclass(frozen=True)
class PartBatch:
    """A part of a dump, which a worker reads itself."""

    source: str
    part: Part

    @property
    def size(self) -> int:
        """The bytes of the stored file that it covers."""
        return self.part.end - self.part.start

    def digest(self) -> str:
        """The byte range: the file's own hash shows whether it is the same file."""
        return f"{self.part.start}-{self.part.end}"

    def articles(self, settings: CorpusSettings, tally: Tally) -> Iterator[Article]:
        """Read the part and yield its articles."""
        return articles(pages(self.source, self.part), settings, tally)


@dataclass(frozen=True)
class PageBatch:
    """Pages that were already read, from a dump that cannot be cut into parts."""

    pages: tuple[Page, ...]
    size: int

    def digest(self) -> str:
        """A hash of the pages."""
        result = hashlib.blake2b(digest_size=16)
        for page in self.pages:
            result.update(f"{page.id}\0{page.revision}\0{page.wikitext}\0".encode())
        return result.hexdigest()

    def articles(self, settings: CorpusSettings, tally: Tally) -> Iterator[Article]:
        """The articles among the pages."""
        return articles(self.pages, settings, tally)


def check_dump(source: str, settings: CorpusSettings) -> None:
    """Refuse a dump in another language and unknown quality marks before anything is read."""
    if settings.quality or settings.templates:
        marking_templates(settings.language, settings.quality, settings.templates)
    if source != STANDARD_INPUT:
        _check_language(site(source), source, settings.language)


def licence(wiki: Site) -> str:
    """Wikipedia's licence if the header says that the dump is Wikipedia's; other licences are not guessed.

    >>> licence(Site("pt", "ptwiki", "Wikipédia")), licence(Site("pt", "ptwikinews", "Wikinotícias"))
    ('CC-BY-SA-4.0', '')
    """
    is_wikipedia = wiki.language and wiki.database == wiki.language.replace("-", "_") + "wiki"
    return "CC-BY-SA-4.0" if is_wikipedia else ""


def batches(source: str, language: str, measured: dict[str, Measured]) -> Iterator[PartBatch | PageBatch]:
    """A dump in batches: parts that can be read in parallel if it has several, else pages read here.

    In the second case `measured` receives size, hash and licence once the dump has been read.
    """
    dump_parts = [] if source == STANDARD_INPUT else parts(source, index=_index(source), size=CHUNK)
    if len(dump_parts) > 1:
        yield from (PartBatch(source, part) for part in dump_parts)
        return
    sites: list[Site] = []

    def check(wiki: Site) -> None:
        sites.append(wiki)
        _check_language(wiki, source, language)

    with opened(source) as (stream, meter):
        pending: list[Page] = []
        pending_characters = position = 0
        for page in parsed(stream, source, on_site=check):
            pending.append(page)
            pending_characters += len(page.wikitext)
            if pending_characters >= CHUNK:
                yield PageBatch(tuple(pending), meter.position - position)
                pending, pending_characters, position = [], 0, meter.position
        yield PageBatch(tuple(pending), meter.position - position)
        measured[source] = meter.measured(licence(sites[0]) if sites else "")


def articles(pages: Iterable[Page], settings: CorpusSettings, tally: Tally) -> Iterator[Article]:
    """The articles among the pages, as prose; the other pages are counted in `tally`."""
    looked_at = 0
    wanted = settings.quality, settings.templates
    for page in pages:
        if page.namespace != 0:
            tally.left_out["other namespace"] += 1
        elif page.redirect:
            tally.left_out["redirect"] += 1
        elif any(wanted) and not is_marked(page.wikitext, settings.language, *wanted):
            tally.left_out["not marked"] += 1
            if looked_at < _PAGES_LOOKED_AT:
                tally.templates.update(templates_seen(page.wikitext))
                looked_at += 1
        else:
            text = prose(page.wikitext, headings=settings.headings, language=settings.language)
            yield Article(page.title, text, page.id, page.revision)


def _check_language(wiki: Site, source: str, language: str) -> None:
    if wiki.language and primary(wiki.language.lower()) != primary(language):
        message = f"the dump is of {wiki.name or wiki.database} in {wiki.language!r}, not {language!r}"
        remedy = f"Add --language {wiki.language}, or name another dump."
        raise InputError(message, remedy=remedy, file=source_name(source))


def _index(source: str) -> str | None:
    """The index beside a multistream dump, under the name it is published with."""
    if not source.endswith(_DUMP):
        return None
    candidates = (source.removesuffix(_DUMP) + ending for ending in _INDEXES)
    return next((name for name in candidates if Path(name).is_file()), None)


# Good and featured articles


def is_marked(
    wikitext: str, language: str, wanted: tuple[str, ...] = (GOOD, FEATURED), extra: tuple[str, ...] = ()
) -> bool:
    """Whether a page carries a template of the wanted marks, or one of the `extra` templates.

    >>> is_marked("{{Artigo bom}} '''Chuva''' é água.", "pt"), is_marked("'''Chuva''' é água.", "pt")
    (True, False)
    >>> is_marked("{{artigo_destacado|data=1}}", "pt-BR", wanted=("good",))
    False
    """
    pattern = _marking_pattern(language, wanted, extra)
    if pattern.search(wikitext) is None:
        return False
    # Rarely needed, so only now: the template may be commented out.
    return "<!--" not in wikitext or pattern.search(COMMENT.sub("", wikitext)) is not None


def marking_templates(language: str, wanted: tuple[str, ...], extra: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The names of the templates that mark an article; a language without a list needs `extra` ones.

    >>> marking_templates("de", ("good",))
    ('lesenswert',)
    """
    table: dict[str, list[str]] = {}
    for line in packaged_lines("winoglot.corpus", f"quality_templates/{primary(language)}.txt"):
        mark, _, name = (part.strip() for part in line.partition("="))
        table.setdefault(mark, []).append(name)
    names: list[str] = []
    for mark in wanted:
        if mark not in (GOOD, FEATURED):
            raise InputError(f"unknown quality mark {mark!r}", remedy=did_you_mean(mark, (GOOD, FEATURED)))
        names += table.get(mark, [])
    if not names and not extra:
        message = f"the templates that mark good articles are not known for the language {language!r}"
        remedy = f"Name them with --template, or choose one of {', '.join(known_languages())}."
        raise InputError(message, remedy=remedy)
    return (*names, *extra)


def templates_seen(wikitext: str) -> set[str]:
    """The names of the templates on a page, as `--template` would take them.

    >>> sorted(templates_seen("{{Bom artigo}} {{lang|fr|pluie}} {{Info|a={{b}}}}"))
    ['Bom artigo', 'Info', 'b', 'lang']
    """
    return {name.replace("_", " ").strip() for name in _NAME.findall(COMMENT.sub("", wikitext))}


def known_languages() -> list[str]:
    """The languages whose marks are listed.

    >>> known_languages()
    ['de', 'en', 'es', 'fr', 'pt', 'zh']
    """
    names = (entry.name for entry in files("winoglot.corpus").joinpath("quality_templates").iterdir())
    return sorted(name.removesuffix(".txt") for name in names if name.endswith(".txt"))


@cache
def _marking_pattern(language: str, wanted: tuple[str, ...], extra: tuple[str, ...]) -> re.Pattern[str]:
    """Ignores case and takes underscores for spaces: pages write the same template in several ways."""
    names = marking_templates(language, wanted, extra)
    spellings = ("[ _]+".join(map(re.escape, re.split(r"[ _]+", name.strip()))) for name in names)
    return re.compile(rf"\{{\{{\s*+(?:{'|'.join(spellings)})\s*(?:\||\}}\}})", re.IGNORECASE)
