"""What a corpus is made from: files or standard input, cut into batches, each of which is work for somebody."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from winoglot.corpus import stretches
from winoglot.corpus.opening import STANDARD_INPUT, Measured, file_hash
from winoglot.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from winoglot.corpus.article import Article
    from winoglot.corpus.settings import Settings
    from winoglot.corpus.shards import Tally


class Batch(Protocol):
    """Some articles of a source, read or still to be read."""

    @property
    def size(self) -> int:
        """How many bytes of the stored sources they take."""
        ...

    def digest(self) -> str:
        """What the content is known by when a build goes on."""
        ...

    def articles(self, settings: Settings, tally: Tally) -> Iterator[Article]:
        """The articles, as text; what becomes none is counted."""
        ...


@dataclass(frozen=True)
class Source:
    """A file, the split it is for (`train` also where own splits are drawn from it), its size and SHA-256.

    Those of standard input are not known beforehand: 0 and nothing.
    """

    path: str
    role: str
    size: int
    sha256: str

    @property
    def name(self) -> str:
        """What it is called in `corpus.json`: a corpus says nothing about its maker's folders."""
        return self.path if self.path == STANDARD_INPUT else Path(self.path).name


def look_at(paths: Sequence[str], role: str, progress: Callable[[int, int], object] | None = None) -> list[Source]:
    """The sources with size and hash; a file that cannot be read is an input error.

    `progress` is told of every file how many of its bytes are done, and how many there are.
    """
    found = []
    for path in paths:
        if path == STANDARD_INPUT:
            found.append(Source(path, role, 0, ""))
        else:
            _refuse_pipe(path)
            sha256 = file_hash(path, progress)
            found.append(Source(path, role, Path(path).stat().st_size, sha256))
    return found


def _refuse_pipe(path: str) -> None:
    """A pipe by name (`<(…)`) would be empty when it is read a second time."""
    if Path(path).exists() and not Path(path).is_file() and not Path(path).is_dir():
        remedy = "Pipe into the command and name - instead, with --from."
        raise InputError("is no plain file, and could be read only once", remedy=remedy, file=path)


def check_once(sources: Sequence[Source]) -> None:
    """Refuse a source that is named twice: it would be all duplicates, or train and test at once."""
    seen: dict[str, str] = {}
    for source in sources:
        known = source.sha256 or source.path
        if known in seen:
            message = f"{source.path} is the same file as {seen[known]}"
            raise InputError(message, remedy="Name every source once, for one split.")
        seen[known] = source.path


def batches(sources: Sequence[Source], settings: Settings, measured: dict[str, Measured]) -> Iterator[Batch]:
    """The content of the sources in order. `measured` gets what is known of standard input once it is read."""
    paths = [source.path for source in sources]
    if settings.kind == "dump":
        from winoglot.corpus import wiki

        for path in paths:
            yield from wiki.batches(path, settings.language, measured)
    else:
        yield from stretches.batches(paths, settings.document if settings.kind == "text" else "line", measured)
