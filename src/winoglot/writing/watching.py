"""Noticing that a file was saved."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_PAUSE = 0.3  # seconds between two looks: saving seems to be answered at once, and nothing is kept busy


def saved(path: Path, pause: float = _PAUSE) -> Iterator[None]:
    """Once at the beginning, then whenever the file has been saved; for ever.

    A file that is away for a moment, as when an editor puts a new one in its place, is waited for.
    """
    before = _stamp(path)  # first, so that a save while the caller reads is not missed
    yield
    while True:
        time.sleep(pause)
        now = _stamp(path)
        if now is not None and now != before:
            before = now
            yield


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
