"""A build under way, on disk: what it is a build of, which shards are done, and that nobody else is at it."""

from __future__ import annotations

import json
import os
import shutil
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from winoglot.corpus._work_folder import empty, locked
from winoglot.corpus.opening import Measured
from winoglot.corpus.reading import BUILDING, INFO
from winoglot.errors import InputError
from winoglot.files import write_whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from winoglot.corpus.settings import Settings
    from winoglot.corpus.sources import Source

_STATE = "state.json"
_ANEW = "Name another folder, or add --force: it begins anew."


@dataclass(frozen=True)
class Building:
    """The folder of a build under way, inside the folder that will be the corpus."""

    corpus: Path

    @property
    def folder(self) -> Path:
        """Where everything lies until the corpus is whole."""
        return self.corpus / BUILDING

    @property
    def result(self) -> Path:
        """Where the files of the corpus are made."""
        return self.folder / "result"

    def shard(self, role: str, number: int) -> Path:
        """Where a batch's shard lies."""
        return self.folder / f"{role}-{number:06d}.npz"

    def has_shards(self) -> bool:
        """Whether something was read already."""
        return any(self.folder.glob("*.npz"))

    def read_batches(self) -> dict[str, int] | None:
        """How many batches each role has, if all were read already."""
        found: dict[str, int] | None = self._state().get("batches")
        return found

    def read_measured(self) -> dict[str, Measured]:
        """What is known of sources only when they have been read."""
        return {path: Measured(**found) for path, found in self._state().get("measured", {}).items()}

    def finish_reading(self, batches: dict[str, int], measured: dict[str, Measured]) -> None:
        """Note that every batch has its shard."""
        known = {path: asdict(found) for path, found in measured.items()}
        self._write(self._state() | {"batches": batches, "measured": known})

    def publish(self, info: dict[str, Any]) -> None:
        """Put the files in place, `corpus.json` last: at no time is there a corpus of which half is another."""
        (self.corpus / INFO).unlink(missing_ok=True)
        for file in sorted(self.result.iterdir()):
            _sync(file)
            file.replace(self.corpus / file.name)
        write_whole(self.corpus / INFO, json.dumps(info, ensure_ascii=False, indent=1) + "\n", force=True)
        shutil.rmtree(self.folder, ignore_errors=True)

    def give_up(self) -> None:
        """Leave nothing behind: for a build that no going on can save."""
        shutil.rmtree(self.folder, ignore_errors=True)
        with suppress(OSError):  # a corpus that was to be replaced stays
            self.corpus.rmdir()

    def _state(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.folder / _STATE).read_bytes())
        return found

    def _write(self, state: dict[str, Any]) -> None:
        write_whole(self.folder / _STATE, json.dumps(state, ensure_ascii=False, indent=1), force=True)


@contextmanager
def building(path: Path, settings: Settings, sources: Sequence[Source], *, force: bool) -> Iterator[Building]:
    """A new build in a folder, or the one under way there if it is of the same sources, read in the same way.

    With `force` a finished corpus is replaced, and another build under way is given up. One that ends before a shard is
    made leaves nothing behind: there is nothing to go on with.
    """
    check_folder(path, force=force)
    build = Building(path)
    try:
        build.folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _cannot_write(path, error) from error
    with locked(build.folder):
        wanted = {
            "reading": settings.reading(),
            "sources": [[source.name, source.role, source.size, source.sha256] for source in sources],
        }
        try:
            _begin(build, wanted, force=force)
            yield build
        finally:
            if not build.has_shards():
                build.give_up()


def _begin(build: Building, wanted: dict[str, Any], *, force: bool) -> None:
    try:
        found = build._state()
    except (OSError, ValueError):
        found = None
    if found is not None and build.has_shards():
        same = [found.get(key) == wanted[key] for key in wanted]
        if all(same):
            return
        if not force:
            message = f"a build of {_difference(found, wanted)} is under way here"
            raise InputError(message, remedy=_ANEW, file=str(build.corpus))
    empty(build.folder)
    build._write(wanted)


def _difference(found: dict[str, Any], wanted: dict[str, Any]) -> str:
    before, now = found.get("reading", {}), wanted["reading"]
    for name, value in now.items():
        if before.get(name) != value:
            return f"something else ({name}: {before.get(name)!r}, now {value!r})"
    return "other sources"


def check_folder(path: Path, *, force: bool) -> None:
    """The folder may be new, empty, a build under way or, with `force`, a corpus; nothing else is touched."""
    try:
        if not os.path.lexists(path):
            return
        if not path.is_dir():
            raise InputError("there is a file of this name", remedy="Name a folder.", file=str(path))
        names = {entry.name for entry in path.iterdir()}
    except OSError as error:
        raise _cannot_write(path, error) from error
    if INFO in names and not force:
        raise InputError("exists already", remedy="Name another, or add --force.", file=str(path))
    if not names & {INFO, BUILDING} and names:
        message = f"the folder holds something that is no corpus: {min(names)}"
        raise InputError(message, remedy="Name another folder.", file=str(path))


def _cannot_write(path: Path, error: OSError) -> InputError:
    remedy = "Name a folder that you may write to."
    return InputError(f"cannot be written: {error.strerror}", remedy=remedy, file=str(path))


def _sync(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())
