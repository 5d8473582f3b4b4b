"""Folders that work is done in: a corpus, its counts, a run, a training.

- One process at a time works in a folder: `lock`.
- A folder that contains something else is left alone: `WorkFolder.check`.
- The description, a JSON file, makes the folder what it is. It is written last, so that a reader sees the old result or
  the new one and never a mixture: `WorkFolder.publish` and `WorkFolder.read`.
- Unfinished work is resumed only with the settings it was started with: `check_same`.
- A full disk is an input error that says what to do: `on_full`.
- What can be computed again is kept in the user's cache: `cache_folder`, `disk_cached`.
"""

from __future__ import annotations

import errno
import hashlib
import itertools
import json
import os
import shutil
import socket
import tempfile
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from winoglot.errors import InputError
from winoglot.files import LOCK, check_plain, did_you_mean_path, names_in, parse_json, write_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from filelock import BaseFileLock

Value = TypeVar("Value")
_OLD_LOCK = "lock"  # what earlier versions left in the folders of trainings
_ATTEMPTS = 1000  # a folder that keeps vanishing is not a race
_MOST_DESCRIBED = 2**28  # bytes of a description: a run over a million items has a hash of each
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_BRIEFLY = 0.1  # seconds in which a process that is just leaving a folder has removed its lock
_NO_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP)  # of a network file system without locks: work without one


@dataclass(frozen=True)
class WorkFolder:
    """A folder and what Winoglot keeps in it. Each kind of folder is a subclass that fills in the class variables."""

    path: Path

    what: ClassVar[str]  # what messages call it: "corpus"
    description: ClassVar[str]  # the JSON file that makes the folder one: "corpus.json"
    format: ClassVar[int]
    keys: ClassVar[frozenset[str]] = frozenset()  # keys that the description must have besides its format
    started: ClassVar[frozenset[str]] = frozenset()  # files and folders that unfinished work leaves
    make: ClassVar[str]  # remedies: how to make one if there is none,
    again: ClassVar[str]  # how to recreate it when it is damaged,
    resume: ClassVar[str] = "Run the same command again to continue."  # how to continue one that is not finished,
    replace: ClassVar[str] = "Name another folder, or add --force."  # and how to get past one that is in the way

    def check(self, *, force: bool = False, resume: bool = False) -> None:
        """Refuse a folder that must not be written to.

        A missing or empty folder is always accepted, unfinished work with `resume`, anything of this kind with `force`.
        A folder that contains only other things is never touched.
        """
        try:
            if not os.path.lexists(self.path):
                return
            if not self.path.is_dir():
                raise InputError("this is a file, not a folder", remedy="Name a folder.", file=str(self.path))
            names = names_in(self.path) - {_OLD_LOCK}
        except OSError as error:
            raise _cannot_write(self.path, error) from error
        if names and not names & {self.description, *self.started}:
            message = f"the folder contains something other than a {self.what}: {min(names)}"
            raise InputError(message, remedy="Name another folder.", file=str(self.path))
        if self.description in names and not force:
            raise InputError(f"this {self.what} already exists", remedy=self.replace, file=str(self.path))
        if names and not (force or resume):
            raise InputError(f"an unfinished {self.what} already exists", remedy=self.replace, file=str(self.path))

    def read(self) -> dict[str, Any]:
        """The content of the description; a missing, unfinished, damaged or outdated one is an input error."""
        file = self.path / self.description
        if self.path.exists() and not self.path.is_dir():
            remedy = f"Name the folder that contains {self.description}."
            raise InputError(f"this is a file, not the folder of a {self.what}", remedy=remedy, file=str(self.path))
        if not file.is_file():
            if any((self.path / name).exists() for name in self.started):
                raise InputError(f"the {self.what} is not finished", remedy=self.resume, file=str(self.path))
            message = f"no {self.what} here: {self.description} is missing"
            hint = "" if self.path.exists() else did_you_mean_path(self.path)
            raise InputError(message, remedy=f"{hint}{self.make}", file=str(self.path))
        return read_description(file, what=self.what, format_number=self.format, keys=self.keys, remedy=self.again)

    def publish(self, result: Path, info: Mapping[str, Any]) -> None:
        """Move the files of the folder `result` into place; the description comes last.

        A process that is killed in between leaves a folder without a description, never one that mixes two results.
        """
        (self.path / self.description).unlink(missing_ok=True)
        for file in sorted(result.iterdir()):
            with file.open("rb") as content:
                os.fsync(content.fileno())
            file.replace(self.path / file.name)
        write_description(self.path / self.description, info)


def write_description(file: Path, info: Mapping[str, Any]) -> None:
    """Write a JSON file that describes what lies beside it, whole or not at all."""
    write_whole(file, json.dumps(info, ensure_ascii=False, indent=1) + "\n", force=True)


def read_description(
    file: Path, *, what: str, format_number: int, keys: Collection[str], remedy: str
) -> dict[str, Any]:
    """A JSON file that describes a `what`; one with another format or without one of the keys is an input error."""
    check_plain(file, _MOST_DESCRIBED, remedy)
    try:
        info = parse_json(file.read_bytes())
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {error}", remedy=remedy, file=str(file)) from error
    missing = {"format", *keys} - (info.keys() if isinstance(info, dict) else set())
    if missing:
        message = f"does not describe a {what}: {', '.join(sorted(missing))} missing"
        raise InputError(message, remedy=remedy, file=str(file))
    if info["format"] != format_number:
        message = f"the {what} has format {info['format']!r}; this version reads format {format_number}"
        raise InputError(message, remedy=remedy, file=str(file))
    description: dict[str, Any] = info
    return description


def check_same(
    recorded: Mapping[str, Any], requested: Mapping[str, Any], *, what: str, remedy: str, folder: Path | str
) -> None:
    """Refuse to resume work that was started with other settings, and name the first that differs.

    >>> check_same({"seed": 1}, {"seed": 2}, what="training", remedy="Use --seed 1.", folder="models/pt")
    Traceback (most recent call last):
    winoglot.errors.InputError: models/pt: this training was started with seed 1, not 2. Use --seed 1.
    """
    for name, value in requested.items():
        recorded_value = recorded.get(name)
        if recorded_value != value:
            is_short = all(item is None or isinstance(item, str | int | float) for item in (recorded_value, value))
            difference = f"{name} {recorded_value!r}, not {value!r}" if is_short else f"different {name}"
            raise InputError(f"this {what} was started with {difference}", remedy=remedy, file=str(folder))


@contextmanager
def on_full(out: Path, remedy: str) -> Iterator[None]:
    """While `out` is written, report a full disk as an input error that ends with `remedy`."""
    try:
        yield
    except OSError as error:
        if error.errno not in _FULL:
            raise
        free = shutil.disk_usage(next(path for path in (out, *out.resolve().parents) if path.exists())).free
        message = f"cannot be written: {error.strerror} ({free / 1e6:.0f} MB free)"
        raise InputError(message, remedy=remedy, file=str(out)) from error


@contextmanager
def lock(folder: Path) -> Iterator[None]:
    """Make this the only process that works in a folder, which is created if missing and removed again if left empty.

    The operating system releases the lock when the process ends, even when it is killed. If another process holds it,
    the input error names that process.
    """
    from filelock import FileLock, Timeout  # imported here, since most commands lock nothing

    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    file = folder / LOCK
    # No soft lock where the system has none: what a killed process left of it would keep others out.
    file_lock = FileLock(file, fallback_to_soft=False, thread_local=False)
    try:
        _acquire(file_lock)
        with suppress(OSError):  # on a full disk the lock holds, only without our name
            file.write_text(f"process {os.getpid()} on {socket.gethostname()}", encoding="utf-8")
    except Timeout as error:
        owner = ""
        with suppress(OSError):
            owner = file.read_text(encoding="utf-8").strip()
        message = f"another process is working here{f' ({owner})' if owner else ''}"
        remedy = "Wait until it has finished, or name another folder."
        raise InputError(message, remedy=remedy, file=str(folder)) from error
    except OSError as error:
        if error.errno not in _NO_LOCKS:
            raise _cannot_write(folder, error) from error
    try:
        yield
    finally:
        with suppress(OSError):  # before the release: whoever has it open then sees that it is gone, and tries again
            file.unlink()
        file_lock.release()
        with suppress(OSError):  # stops at the first folder that is not empty
            for path in missing:
                path.rmdir()


def _acquire(file_lock: BaseFileLock) -> None:
    """Acquire the lock; filelock.Timeout if another process holds it."""
    for attempt in itertools.count(1):
        try:
            file_lock.acquire(timeout=_BRIEFLY, poll_interval=_BRIEFLY / 10)
        except FileNotFoundError:  # its last user has just removed the folder
            if attempt == _ATTEMPTS:
                raise
        else:
            return


def _cannot_write(folder: Path, error: OSError) -> InputError:
    remedy = "Name a folder that you can write to."
    return InputError(f"cannot be written: {error.strerror}", remedy=remedy, file=str(folder))


def disk_cached(key: Sequence[object], compute: Callable[[], Value]) -> Value:
    """What `compute` returns, which must be JSON: computed once, then kept in the cache under a hash of the key."""
    value: Value | None = recall(key)
    if value is None:
        value = compute()
        remember(key, value)
    return value


def recall(key: Sequence[object]) -> Any:
    """What was kept under a key; None if nothing was.

    A value that was damaged, or that is of another kind, does not match its checksum and is ignored.
    """
    file = _remembered(key)
    try:
        checksum, stored = parse_json(file.read_bytes())
        return stored if checksum == _checksum(file.stem, stored) else None
    except (OSError, ValueError, TypeError):
        return None


def remember(key: Sequence[object], value: object) -> None:
    """Keep a value, which must be JSON, in the cache under a hash of the key; without a cache it is forgotten."""
    file = _remembered(key)
    with suppress(OSError, InputError):
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, json.dumps([_checksum(file.stem, value), value]), force=True)


def _remembered(key: Sequence[object]) -> Path:
    name = hashlib.sha256(json.dumps(key).encode()).hexdigest()[:32]
    return cache_folder() / "remembered" / f"{name}.json"


def _checksum(name: str, value: object) -> str:
    return hashlib.sha256(f"{name} {json.dumps(value)}".encode()).hexdigest()[:16]


def cache_folder() -> Path:
    """The folder for what can be computed again: `WINOGLOT_CACHE`, or one in the user's cache. It may not exist yet."""
    if folder := os.environ.get("WINOGLOT_CACHE"):
        return Path(folder)
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "winoglot"
    except RuntimeError:  # a user without a home
        return Path(tempfile.gettempdir()) / f"winoglot-{os.getuid()}"
