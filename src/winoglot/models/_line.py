"""The connections of one batch of requests, shared by its threads and closed behind the last of them."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from winoglot.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from types import TracebackType

    import httpx


class Line:
    """Open while a batch is under way. A batch may end while threads still wait for answers that nobody wants.

    Connections closed under such a thread may be left half open, so whoever talks last closes them.
    """

    def __init__(self, headers: Mapping[str, str], connections: int) -> None:
        """Nothing is sent yet."""
        import httpx

        limits = httpx.Limits(max_connections=connections)
        self._http = httpx.Client(headers=dict(headers), limits=limits, follow_redirects=False)
        self._lock = threading.Lock()
        self._talking = 0
        self._over = False

    def __enter__(self) -> Line:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with self._lock:
            self._over = True
            last = not self._talking
        if last:
            self._http.close()

    @contextmanager
    def talk(self) -> Iterator[httpx.Client]:
        """For one request."""
        with self._lock:
            if self._over:
                raise InputError("the requests were stopped", remedy="Run the same command again.")
            self._talking += 1
        try:
            yield self._http
        finally:
            with self._lock:
                self._talking -= 1
                last = self._over and not self._talking
            if last:
                self._http.close()
