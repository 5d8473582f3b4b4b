"""Articles of a MediaWiki dump: pages of the main namespace, marked ones if that is asked for, as clean prose."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from winoglot.corpus.article import Article
from winoglot.corpus.dump import Page, Part, Site, pages, parts, site
from winoglot.corpus.opening import STANDARD_INPUT, Measured, Meter, source_name
from winoglot.corpus.quality import is_marked, marking_templates, templates_seen
from winoglot.corpus.stretches import STRETCH
from winoglot.corpus.wikitext import prose
from winoglot.errors import InputError
from winoglot.schemas.text import primary

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from winoglot.corpus.settings import Settings
    from winoglot.corpus.shards import Tally

_LOOKED_AT = 50  # pages without a wanted mark whose templates are noted, a batch
_INDEX = ("-multistream.xml.bz2", ("-multistream-index.txt.bz2", "-multistream-index.txt"))


@dataclass(frozen=True)
class PartBatch:
    """Bytes of a dump that a worker reads for itself."""

    source: str
    part: Part

    @property
    def size(self) -> int:
        """In bytes of the stored file."""
        return self.part.end - self.part.start

    def digest(self) -> str:
        """Where it lies: that the file is the same is known by its hash."""
        return f"{self.part.start}-{self.part.end}"

    def articles(self, settings: Settings, tally: Tally) -> Iterator[Article]:
        """Those among its pages, read now."""
        return articles(pages(self.source, part=self.part), settings, tally)


@dataclass(frozen=True)
class PageBatch:
    """Pages that were read already, from a dump that has to be read in one go."""

    found: tuple[Page, ...]
    size: int

    def digest(self) -> str:
        """Of what they hold."""
        result = hashlib.blake2b(digest_size=16)
        for page in self.found:
            result.update(f"{page.id}\0{page.revision}\0{page.wikitext}\0".encode())
        return result.hexdigest()

    def articles(self, settings: Settings, tally: Tally) -> Iterator[Article]:
        """Those among the pages."""
        return articles(self.found, settings, tally)


def check_dump(source: str, settings: Settings) -> None:
    """Refuse a dump of another language, and marks that are not known, before anything is read."""
    if settings.quality or settings.templates:
        marking_templates(settings.language, settings.quality, settings.templates)
    if source != STANDARD_INPUT:
        _check_language(site(source), source, settings.language)


def licence(found: Site) -> str:
    """That of Wikipedia where a dump's header says that it is one; nobody else's is guessed.

    >>> licence(Site("pt", "ptwiki", "Wikipédia")), licence(Site("pt", "ptwikinews", "Wikinotícias"))
    ('CC-BY-SA-4.0', '')
    """
    is_wikipedia = found.language and found.database == found.language.replace("-", "_") + "wiki"
    return "CC-BY-SA-4.0" if is_wikipedia else ""


def batches(source: str, language: str, measured: dict[str, Measured]) -> Iterator[PartBatch | PageBatch]:
    """A dump in batches: in parts that can be read side by side if it has them, else page by page.

    `measured` gets what is known of one that is read page by page when it has been read.
    """
    found = [] if source == STANDARD_INPUT else parts(source, index=_index(source), size=STRETCH)
    if len(found) > 1:
        yield from (PartBatch(source, part) for part in found)
    else:
        yield from _in_one_go(source, language, measured)


def articles(found: Iterable[Page], settings: Settings, tally: Tally) -> Iterator[Article]:
    """The articles among the pages, as prose; the others are counted."""
    looked_at = 0
    for page in found:
        if page.namespace != 0:
            tally.left_out["other namespace"] += 1
        elif page.redirect:
            tally.left_out["redirect"] += 1
        elif not _is_wanted(page.wikitext, settings):
            tally.left_out["not marked"] += 1
            if looked_at < _LOOKED_AT:
                tally.templates.update(templates_seen(page.wikitext))
                looked_at += 1
        else:
            text = prose(page.wikitext, headings=settings.headings, language=settings.language)
            yield Article(page.title, text, page.id, page.revision)


def _is_wanted(wikitext: str, settings: Settings) -> bool:
    if not settings.quality and not settings.templates:
        return True
    return is_marked(wikitext, settings.language, settings.quality, settings.templates)


def _in_one_go(source: str, language: str, measured: dict[str, Measured]) -> Iterator[PageBatch]:
    known = Site()

    def see(found: Site) -> None:
        nonlocal known
        known = found
        _check_language(found, source, language)

    def end(meter: Meter) -> None:
        measured[source] = meter.measured(licence(known))

    waiting: list[Page] = []
    held = 0
    sizes: list[int] = []
    for page in pages(source, on_site=see, advance=sizes.append, on_end=end):
        waiting.append(page)
        held += len(page.wikitext)
        if held >= STRETCH:
            yield PageBatch(tuple(waiting), sum(sizes))
            waiting, held = [], 0
            sizes.clear()
    yield PageBatch(tuple(waiting), sum(sizes))


def _check_language(found: Site, source: str, language: str) -> None:
    if found.language and primary(found.language.lower()) != primary(language):
        message = f"the dump says that it is of {found.name or found.database} in {found.language!r}, not {language!r}"
        raise InputError(
            message, remedy=f"Add --language {found.language}, or name another dump.", file=source_name(source)
        )


def _index(source: str) -> str | None:
    """The index that lies beside a multistream dump under the name it is published with."""
    ending, others = _INDEX
    if not source.endswith(ending):
        return None
    candidates = (source.removesuffix(ending) + other for other in others)
    return next((name for name in candidates if Path(name).is_file()), None)
