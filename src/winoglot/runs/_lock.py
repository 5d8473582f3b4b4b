"""One process at a time writes a run's folder; the lock goes with the process, however that ends."""

from __future__ import annotations

import os
import socket
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING

from winoglot.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LOCK = ".winoglot-lock"  # a temporary name, so that a killed process's file is no content of the folder


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Alone at work in a folder, which is made where it is missing; if nothing was put there, it goes again.

    Another process that is at work there is named in an input error.
    """
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    file = _taken(folder)
    try:
        yield
    finally:
        with suppress(OSError):
            (folder / LOCK).unlink()
        file.close()
        with suppress(OSError):  # the first that is not empty ends it
            for path in missing:
                path.rmdir()


def _taken(folder: Path) -> IO[str]:
    """The open lock file, ours until it is closed."""
    while True:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            remedy = "Name another folder with -o."
            raise InputError(f"{folder} cannot be made: {error.strerror}", remedy=remedy) from error
        try:
            file = (folder / LOCK).open("a+", encoding="utf-8")
        except FileNotFoundError:  # its last user has just removed the folder
            continue
        except OSError as error:
            remedy = "Name a folder that you may write to."
            raise InputError(f"{folder} cannot be written: {error.strerror}", remedy=remedy) from error
        if _locks(file, folder):
            return file
        file.close()


def _locks(file: IO[str], folder: Path) -> bool:
    """Whether the file is locked now; not where its last user has removed it in the meantime."""
    try:
        import fcntl
    except ImportError:  # not on Windows: there two processes in one folder are not noticed
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        file.seek(0)
        owner = file.read().strip()
        file.close()
        raise InputError(
            f"{folder} is being written by {owner or 'another process'}",
            remedy="Wait until it has ended, then give the command again, or name another folder with -o.",
        ) from error
    except OSError:  # a file system without locks
        return True
    try:
        is_there = os.path.samestat(os.fstat(file.fileno()), (folder / LOCK).stat())
    except FileNotFoundError:
        return False
    if is_there:
        with suppress(OSError):  # a full disk holds the lock, if not our name
            file.truncate(0)
            file.write(f"process {os.getpid()} on {socket.gethostname()}")
            file.flush()
    return is_there
