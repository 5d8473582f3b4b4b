"""Connections that keep the server waiting are closed: a thousand of them would keep everybody else out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    from asyncio import TimerHandle, Transport


class TimedProtocol(H11Protocol):
    """HTTP as uvicorn speaks it, but a request must arrive in time, and its reply be taken.

    Uvicorn closes connections that are silent after a reply. It waits forever for a request that arrives byte by byte,
    or for a reader that stops in the middle of a reply.
    """

    seconds = 60.0  # from the connection, or the first byte of a further request, to the last byte of the request
    _arriving: TimerHandle | None = None  # while a request does
    _taking: TimerHandle | None = None  # while a reply should be

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Close the connection unless a request arrives in time."""
        super().connection_made(transport)
        self._arriving = self.loop.call_later(self.seconds, transport.close)

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timers of a connection that has ended."""
        self._stop()
        super().connection_lost(exc)
        if self._taking is not None:
            self._taking.cancel()

    def data_received(self, data: bytes) -> None:
        """A part of a request. Further parts do not extend its time."""
        super().data_received(data)
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):  # all of it is here
            self._stop()
        elif self._arriving is None and not self.transport.is_closing():
            self._arriving = self.loop.call_later(self.seconds, self.transport.close)

    def pause_writing(self) -> None:
        """The other side takes nothing of a long reply for now."""
        super().pause_writing()
        self._taking = self.loop.call_later(self.seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """The other side reads again, so the reply may go on."""
        super().resume_writing()
        if self._taking is not None:
            self._taking.cancel()

    def _stop(self) -> None:
        if self._arriving is not None:
            self._arriving.cancel()
            self._arriving = None
