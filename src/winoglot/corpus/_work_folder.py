"""A folder in which something large is made: by one process at a time, and a disk that is full is told as such."""

from __future__ import annotations

import errno
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING

from winoglot.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_LOCK = "lock"
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Alone at work in a folder; the lock goes with the process, however that ends."""
    try:
        import fcntl
    except ImportError:  # not on Windows: there two processes in one folder are not noticed
        yield
        return
    with (folder / _LOCK).open("wb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            remedy = "Wait for it, or name another folder."
            raise InputError("another process is at work here", remedy=remedy, file=str(folder.parent)) from error
        yield


def empty(folder: Path) -> None:
    """Remove everything in a folder but its lock."""
    for entry in folder.iterdir():
        if entry.is_dir():
            shutil.rmtree(entry)
        elif entry.name != _LOCK:
            entry.unlink()


@contextmanager
def told_when_full(out: Path, remedy: str) -> Iterator[None]:
    """A disk that is full while `out` is made is an input error."""
    try:
        yield
    except OSError as error:
        if error.errno not in _FULL:
            raise
        free = shutil.disk_usage(out.resolve().parent).free
        message = f"cannot be written: {error.strerror} ({free / 1e6:.0f} MB free)"
        raise InputError(message, remedy=remedy, file=str(out)) from error
