"""What a corpus is made from: files, cut into batches of articles that workers process one at a time.

`source_files` describes the sources of a build, `batches` yields their content. Plain text and JSON Lines are read
here, dumps in `wiki`.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

from winoglot.corpus.opening import STANDARD_INPUT, Measured, file_hash, opened, source_name
from winoglot.errors import InputError, located, type_names
from winoglot.files import decode, parse_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from winoglot.corpus.settings import CorpusSettings
    from winoglot.corpus.shards import Tally

CHUNK = 1 << 22  # bytes of a batch: a few seconds of work, so a kill loses little and many workers have something to do
_LONGEST = 1 << 26  # bytes of a document: anything longer is a mistake
_LINE = re.compile("\n")
_BLANK_LINES = re.compile(r"\n(?:[^\S\n]*\n)+")
_JSON_LINE = 'Write one object per line: {"text": "…", "title": "…"}.'


@dataclass(frozen=True)
class Article:
    """One document of a source: clean prose with one paragraph per line, or tokens with one sentence per line.

    `id` and `revision` are the source's own, if it has them. They identify the article and decide its split.

    >>> Article("Chuva", "Chove muito.\\nDepois não.").text.splitlines()
    ['Chove muito.', 'Depois não.']
    """

    title: str
    text: str
    id: str = ""
    revision: str = ""


class Batch(Protocol):
    """Some articles of a source, already read or still to be read."""

    @property
    def size(self) -> int:
        """How many bytes of the stored sources it covers."""
        ...

    def digest(self) -> str:
        """Identifies the content when a build is resumed."""
        ...

    def articles(self, settings: CorpusSettings, tally: Tally) -> Iterator[Article]:
        """The articles as text; `tally` counts what is left out."""
        ...


@dataclass(frozen=True)
class SourceFile:
    """A file, the split it is for, its size and SHA-256.

    Files for `train` also provide the other splits if none are given for those. Size and hash of standard input are not
    known beforehand: 0 and empty.
    """

    path: str
    role: str
    size: int
    sha256: str

    @property
    def name(self) -> str:
        """The file's name without its folder: `corpus.json` does not record the folders of its author."""
        return self.path if self.path == STANDARD_INPUT else Path(self.path).name


def source_files(
    paths: Sequence[str], role: str, progress: Callable[[int, int], object] | None = None
) -> list[SourceFile]:
    """The sources with size and hash; a file that cannot be read is an input error.

    `progress` is called with the bytes hashed so far and the size of the current file.
    """
    sources = []
    for path in paths:
        if path == STANDARD_INPUT:
            sources.append(SourceFile(path, role, 0, ""))
            continue
        if Path(path).exists() and not Path(path).is_file() and not Path(path).is_dir():
            # A named pipe (`<(…)`) would be empty when it is read a second time.
            remedy = "Pipe into the command and name - as the source, with --from."
            raise InputError("not a plain file: it can only be read once", remedy=remedy, file=path)
        sha256 = file_hash(path, progress)
        sources.append(SourceFile(path, role, Path(path).stat().st_size, sha256))
    return sources


def check_once(sources: Sequence[SourceFile]) -> None:
    """Refuse a source that is given twice: it would be all duplicates, or train and test at once."""
    first_paths: dict[str, str] = {}
    for source in sources:
        identity = source.sha256 or source.path
        if identity in first_paths:
            message = f"{source.path} is the same file as {first_paths[identity]}"
            raise InputError(message, remedy="Name every source once, for one split.")
        first_paths[identity] = source.path


def batches(sources: Sequence[SourceFile], settings: CorpusSettings, measured: dict[str, Measured]) -> Iterator[Batch]:
    """The content of the sources in order. `measured` receives what is known about each after reading it."""
    paths = [source.path for source in sources]
    if settings.kind == "dump":
        from winoglot.corpus import wiki

        for path in paths:
            yield from wiki.batches(path, settings.language, measured)
    else:
        yield from text_batches(paths, settings.document if settings.kind == "text" else "line", measured)


# Plain text and JSON Lines


@dataclass(frozen=True)
class Chunk:
    """Whole documents of a source, starting at a line of it."""

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
class TextBatch:
    """Chunks of text or JSON Lines that are processed together."""

    chunks: tuple[Chunk, ...]
    size: int

    def digest(self) -> str:
        """A hash of the content."""
        result = hashlib.blake2b(digest_size=16)
        for chunk in self.chunks:
            result.update(chunk.data)
        return result.hexdigest()

    def articles(self, settings: CorpusSettings, tally: Tally) -> Iterator[Article]:
        """The articles of all chunks; nothing is left out, so `tally` stays as it is."""
        del tally
        for chunk in self.chunks:
            if settings.kind == "jsonl":
                yield from jsonl_articles(chunk, tokenised=settings.tokenised)
            else:
                yield from text_articles(chunk, settings.document, tokenised=settings.tokenised)


def text_batches(sources: Sequence[str], document: str, measured: dict[str, Measured]) -> Iterator[TextBatch]:
    """The content of text files in order. `measured` receives size and hash of each file once it has been read."""
    pending: list[Chunk] = []
    size = pending_bytes = 0
    for source in sources:
        with opened(source) as (stream, meter):
            position = 0
            for chunk in _chunks(source, stream, document):
                pending.append(chunk)
                pending_bytes += len(chunk.data)
                size += meter.position - position
                position = meter.position
                if (
                    pending_bytes > CHUNK // 2
                ):  # a chunk that was cut at a document's end is a little shorter than CHUNK
                    yield TextBatch(tuple(pending), size)
                    pending, size, pending_bytes = [], 0, 0
            size += meter.position - position
            measured[source] = meter.measured()
    if pending or size:
        yield TextBatch(tuple(pending), size)


def _chunks(source: str, stream: BinaryIO, document: str) -> Iterator[Chunk]:
    line, remainder = 1, b""
    while data := stream.read(CHUNK):
        remainder += data
        border = _last_border(remainder, document)
        if border:
            yield Chunk(source, line, remainder[:border])
            line += remainder.count(b"\n", 0, border)
            remainder = remainder[border:]
        elif len(remainder) > _LONGEST:
            message = f"the document that begins here is longer than {_LONGEST >> 20} MiB"
            remedy = "Say what a document is: --document line, blank-line or file."
            raise InputError(message, remedy=remedy, file=source_name(source), line=line)
    if remainder:
        yield Chunk(source, line, remainder)


def _last_border(data: bytes, document: str) -> int:
    """Where the last complete document ends; 0 if none does."""
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


def text_articles(chunk: Chunk, document: str, *, tokenised: bool) -> Iterator[Article]:
    """The articles of plain text: lines, blocks between blank lines, or the whole. The file's name is their title.

    >>> chunk = Chunk("chuva.txt", 1, "Chove\\nmuito.\\n\\nE depois?".encode())
    >>> [article.text for article in text_articles(chunk, "blank-line", tokenised=False)]
    ['Chove muito.', 'E depois?']
    """
    name, text = Path(chunk.source).name, chunk.text()
    separator = {"line": _LINE, "blank-line": _BLANK_LINES}.get(document)
    for part in filter(None, map(str.strip, separator.split(text) if separator else [text])):
        yield Article(name, part if tokenised or "\n" not in part else _unwrap(part))


def _unwrap(text: str) -> str:
    """The text with every paragraph on one line: single line breaks are where an editor wrapped it."""
    return "\n".join(paragraph.replace("\n", " ") for paragraph in _BLANK_LINES.split(text))


def jsonl_articles(chunk: Chunk, *, tokenised: bool) -> Iterator[Article]:
    """The articles of JSON Lines: objects with `text` (or `tokens`) and, if known, `title`, `id` and `revision`.

    A line break in `text` ends a paragraph. `tokens`, a list of tokens or of sentences that are lists of tokens, is
    read if the source is tokenised.

    >>> line = b'{"title": "Chuva", "tokens": [["Chove", "."], ["Muito", "!"]]}'
    >>> next(jsonl_articles(Chunk("chuva.jsonl", 1, line), tokenised=True))
    Article(title='Chuva', text='Chove .\\nMuito !', id='', revision='')
    """
    for number, line in enumerate(chunk.text().split("\n"), start=chunk.line):
        if line.strip():
            with located(file=source_name(chunk.source), line=number):
                article = _json_article(line, tokenised)
            yield article


def _json_article(line: str, tokenised: bool) -> Article:
    try:
        record = parse_json(line)
    except ValueError as error:
        raise InputError(f"this is not JSON: {error}", remedy=_JSON_LINE) from error
    if not isinstance(record, dict):
        raise InputError(f"not an object: {line[:60]!r}", remedy=_JSON_LINE)
    if tokenised and "tokens" in record:
        text = _join_tokens(record["tokens"])
    elif "text" in record:
        text = _string(record, "text")
    elif "tokens" in record:
        raise InputError("the article has tokens but no text", remedy="Add --tokenised.", path=("tokens",))
    else:
        raise InputError(f"no text; the keys are {', '.join(map(repr, record)) or 'none'}", remedy=_JSON_LINE)
    return Article(_string(record, "title"), text, _string(record, "id"), _string(record, "revision"))


def _string(record: dict[str, Any], key: str) -> str:
    value = record.get(key, "")
    if value is None:
        return ""
    if isinstance(value, str):
        return value.encode(errors="replace").decode()  # half a surrogate pair is not a character
    if isinstance(value, int) and key != "text":
        return str(value)
    type_name = type_names.get(type(value), "something else")
    raise InputError(f"expected text, found {type_name}", remedy=_JSON_LINE, path=(key,))


def _join_tokens(tokens: object) -> str:
    if not isinstance(tokens, list):
        raise InputError("the tokens are not a list", remedy='Write "tokens": ["Chove", "."].', path=("tokens",))
    sentences = tokens if tokens and isinstance(tokens[0], list) else [tokens]
    for sentence in sentences:
        if not isinstance(sentence, list):
            raise InputError("sentences and tokens are mixed", remedy="Put every sentence into a list of its own.")
        for token in sentence:
            if not isinstance(token, str) or len(token.split()) != 1 or token != token.strip():
                message = f"{token!r} is not a token: a token is text without spaces"
                raise InputError(message, remedy="Split it at its spaces.", path=("tokens",))
    return "\n".join(" ".join(sentence) for sentence in sentences).encode(errors="replace").decode()
