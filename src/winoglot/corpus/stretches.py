"""A text source cut into stretches of whole documents, each small enough to be worked on in memory."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

from winoglot.corpus import jsonl, text
from winoglot.corpus.opening import Measured, opened, source_name
from winoglot.errors import InputError
from winoglot.files import decode

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from winoglot.corpus.article import Article
    from winoglot.corpus.settings import Settings
    from winoglot.corpus.shards import Tally

STRETCH = 1 << 22  # bytes: some seconds of work, so that little is lost by a kill and many workers have something to do
_LONGEST = 1 << 26  # bytes of a document: past this nobody meant it to be one


@dataclass(frozen=True)
class Stretch:
    """Whole documents of a source, beginning at a line of it."""

    source: str
    line: int
    data: bytes

    def text(self) -> str:
        """The decoded content; what is not UTF-8 is an input error with its line in the source."""
        try:
            return decode(self.data, source_name(self.source)).replace("\r\n", "\n")
        except InputError as error:
            if error.line is not None:
                error.line += self.line - 1
            raise


@dataclass(frozen=True)
class Batch:
    """Stretches worked on together, and how many bytes of the stored sources they take."""

    stretches: tuple[Stretch, ...]
    size: int

    def digest(self) -> str:
        """What the content is known by when a build goes on."""
        result = hashlib.blake2b(digest_size=16)
        for stretch in self.stretches:
            result.update(stretch.data)
        return result.hexdigest()

    def articles(self, settings: Settings, tally: Tally) -> Iterator[Article]:
        """The articles of all stretches, by the kind of the source."""
        del tally  # everything is an article
        for stretch in self.stretches:
            if settings.kind == "jsonl":
                yield from jsonl.articles(stretch, tokenised=settings.tokenised)
            else:
                yield from text.articles(stretch, settings.document, tokenised=settings.tokenised)


def batches(sources: Sequence[str], document: str, measured: dict[str, Measured]) -> Iterator[Batch]:
    """The sources' content in order. `measured` gets size and SHA-256 of each source once it is read."""
    waiting: list[Stretch] = []
    size = held = 0
    for source in sources:
        with opened(source) as (stream, meter):
            before = 0
            for stretch in _stretches(source, stream, document):
                waiting.append(stretch)
                held += len(stretch.data)
                size += meter.position - before
                before = meter.position
                if held > STRETCH // 2:  # one that was cut is a little short of a whole one
                    yield Batch(tuple(waiting), size)
                    waiting, size, held = [], 0, 0
            size += meter.position - before
            measured[source] = meter.measured()
    if waiting or size:
        yield Batch(tuple(waiting), size)


def _stretches(source: str, stream: BinaryIO, document: str) -> Iterator[Stretch]:
    line, rest = 1, b""
    while data := stream.read(STRETCH):
        rest += data
        border = _last_border(rest, document)
        if border:
            yield Stretch(source, line, rest[:border])
            line += rest.count(b"\n", 0, border)
            rest = rest[border:]
        elif len(rest) > _LONGEST:
            message = f"the document that begins here is longer than {_LONGEST >> 20} MiB"
            remedy = "Say what a document is: --document line, blank-line or file."
            raise InputError(message, remedy=remedy, file=source_name(source), line=line)
    if rest:
        yield Stretch(source, line, rest)


def _last_border(data: bytes, document: str) -> int:
    """Where the last whole document ends, 0 if none does."""
    if document == "file":
        return 0
    end = data.rfind(b"\n")
    if document == "line":
        return end + 1
    while end > 0:
        previous = data.rfind(b"\n", 0, end)
        if previous >= 0 and not data[previous:end].strip():
            return end + 1
        end = previous
    return 0
