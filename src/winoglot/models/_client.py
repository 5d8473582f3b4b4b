"""Requests to a server that speaks the OpenAI protocol: patient, counted, never showing the key."""

from __future__ import annotations

import email.utils
import json
import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError, printable
from winoglot.models._key import KEYS, Key
from winoglot.models._line import Line
from winoglot.models._parallel import in_parallel
from winoglot.models._usage import Usage

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_PASSING = {408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529}  # worth another attempt
_HOPELESS = {401, 402, 403, 404, 405}  # every other request would end the same
_LARGEST = 64 * 2**20  # bytes of an answer
_LONGEST_PAUSE = 60.0  # seconds between attempts, unless the server asks for more
_OWN = {400, 413, 422}  # what a server says of one request: too long, not allowed
# Failed requests in a row that say that the server is at fault, not the item: fewer while nothing has succeeded.
_GIVE_UP_AFTER, _GIVE_UP_AT_FIRST = 10, 3


@dataclass(frozen=True)
class Serving:
    """How a server is treated; each field is an option of the remote family. None of them changes an answer."""

    retries: int = 5
    backoff: float = 1.0  # seconds before the first retry, doubled each time
    timeout: float = field(default=120.0, metadata={"least": 0.05})  # seconds for one whole answer
    longest_wait: float = 300.0  # seconds a server may ask us to wait
    concurrency: int = field(default=8, metadata={"least": 1, "most": 256})  # requests under way at once
    price_in: float | None = None  # of a million tokens read, in whatever currency
    price_out: float | None = None  # of a million tokens written


@dataclass(frozen=True)
class Failed:
    """Why a request got no answer though others do."""

    reason: str
    status: int | None = None


@dataclass(frozen=True)
class _Call:
    """A request, what is to be made of its answer, and how long that may take."""

    method: str
    path: str
    body: Any
    read: Callable[[Any], Any]
    timeout: float
    line: Line


class _PassingError(Exception):
    """An attempt failed in a way that another one may not; `wait` is what the server asked for."""

    def __init__(self, reason: str, *, status: int | None = None, wait: float = 0.0) -> None:
        super().__init__(reason)
        self.failed = Failed(reason, status)
        self.wait = wait


class Client:
    """A server's address and how to talk to it; the key lives in the header alone."""

    def __init__(self, url: str, serving: Serving) -> None:
        """Nothing is sent yet."""
        if find_spec("httpx") is None:
            raise InputError(
                "remote models need httpx, which is not installed", remedy='Run: pip install "winoglot[models]"'
            )
        self.url = url
        self.serving = serving
        self.usage = Usage()
        self._key = Key()
        self._lock = threading.Lock()
        self._not_before = 0.0  # a server that asks one request to wait asks all of them
        self._succeeded = False
        self._failed_in_a_row = 0

    def get(self, path: str) -> Any | Failed:
        """One request without a body, given up sooner than the others."""
        with self._line() as line:
            call = _Call("GET", path, None, lambda answer: answer, min(30.0, self.serving.timeout), line)
            return self._attempts(call, threading.Event())

    def post(self, path: str, body: Mapping[str, Any], read: Callable[[Any], Any]) -> Any | Failed:
        """What `read` makes of the answer; it raises ValueError, KeyError, IndexError or TypeError for a wrong one."""
        with self._line() as line:
            return self._attempts(_Call("POST", path, body, read, self.serving.timeout, line), threading.Event())

    def post_all(self, path: str, bodies: Sequence[Mapping[str, Any]], read: Callable[[Any], Any]) -> list[Any]:
        """The same for many, some at a time. Single failures are returned; a server that fails throughout raises."""

        with self._line() as line:

            def send(body: Mapping[str, Any], stop: threading.Event) -> Any | Failed:
                return self._judged(self._attempts(_Call("POST", path, body, read, self.serving.timeout, line), stop))

            results = in_parallel(send, bodies, self.serving.concurrency)
        failed = [result for result in results if isinstance(result, Failed)]
        if failed and not self._succeeded:
            raise self.error_of(failed[0])
        return results

    def error_of(self, failed: Failed) -> InputError:
        """The failure as an error, where nothing can go on without an answer."""
        remedies = {
            401: f"Put the server's key into the environment variable {KEYS[0]}.",
            403: f"Check the key in {KEYS[0]} and what it may be used for.",
            404: "Check the address and the model's name.",
            429: "Wait, or lower --option concurrency=N, then run the same command again: it goes on where it stopped.",
        }
        remedy = remedies.get(failed.status or 0, "See whether the server runs, then run the same command again.")
        return InputError(f"{self.url}: {failed.reason}", remedy=remedy)

    def _line(self) -> Line:
        return Line(self._key.headers(), self.serving.concurrency)

    def _judged(self, result: Any | Failed) -> Any | Failed:
        """Raise where the failure is not this item's own."""
        with self._lock:
            if not isinstance(result, Failed):
                self._succeeded, self._failed_in_a_row = True, 0
                return result
            if result.status in _OWN:
                return result
            self._failed_in_a_row += 1
            many = self._failed_in_a_row >= (_GIVE_UP_AFTER if self._succeeded else _GIVE_UP_AT_FIRST)
        if many or result.status == 429 or result.status in _HOPELESS or result.status is None:
            raise self.error_of(result)
        return result

    def _attempts(self, call: _Call, stop: threading.Event) -> Any | Failed:
        for attempt in range(self.serving.retries + 1):
            self._pause(stop)
            try:
                return self._attempt(call)
            except _PassingError as error:
                failed = error.failed
                if error.wait > self.serving.longest_wait:
                    reason = f"{failed.reason}; it asks for a wait of {error.wait:.0f} s"
                    return Failed(reason, failed.status)
                if attempt < self.serving.retries:
                    stop.wait(self._put_off(error.wait, attempt))
        count = self.serving.retries + 1
        return Failed(failed.reason + (f", {count} times" if count > 1 else ""), failed.status)

    def _put_off(self, wait: float, attempt: int) -> float:
        """The seconds before the next attempt: what the server asked for, else twice as long as before, with jitter."""
        usual = min(_LONGEST_PAUSE, self.serving.backoff * 2.0**attempt)
        spread = random.uniform(0.5, 1.0) * usual
        self.usage.retried()
        if wait:
            with self._lock:
                self._not_before = max(self._not_before, time.monotonic() + wait)
            spread *= 0.1  # only so that not all come back in the same instant
        return spread

    def _pause(self, stop: threading.Event) -> None:
        """As long as the server wants to be left alone."""
        while (left := self._not_before - time.monotonic()) > 0 and not stop.wait(left):
            pass
        if stop.is_set():
            raise InputError("the requests were stopped", remedy="Run the same command again.")

    def _attempt(self, call: _Call) -> Any | Failed:
        import httpx

        try:
            status, headers, data = self._exchange(call)
        except httpx.TimeoutException as error:
            raise _PassingError(f"no answer within {call.timeout:g} s", status=0) from error
        except httpx.HTTPError as error:
            raise _PassingError(self._key.hidden(f"no connection: {str(error) or type(error).__name__}")) from error
        except (httpx.InvalidURL, UnicodeError) as error:
            raise InputError(f"{self.url} is no address", remedy="Write remote:http://HOST:PORT/v1#MODEL.") from error
        if status in _PASSING:
            raise _PassingError(self._said(status, data), status=status, wait=_asked_wait(headers))
        if status != 200:
            return Failed(self._said(status, data), status)
        try:
            answer = json.loads(data)
            self.usage.add(answer)  # paid for, whether it can be read or not
            return call.read(answer)
        except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError) as error:
            raise _PassingError("an answer that is not of the OpenAI protocol", status=200) from error

    def _exchange(self, call: _Call) -> tuple[int, Mapping[str, str], bytes]:
        """Status, headers and the whole content; an endless or enormous one counts as none."""
        import httpx

        end = time.monotonic() + call.timeout
        parts, size = [], 0
        address = f"{self.url}/{call.path}"
        with call.line.talk() as http:
            self.usage.sent()
            with http.stream(call.method, address, json=call.body, timeout=call.timeout) as response:
                for part in response.iter_bytes():
                    parts.append(part)
                    size += len(part)
                    if time.monotonic() > end or size > _LARGEST:
                        raise httpx.ReadTimeout("the answer does not end")
                return response.status_code, response.headers, b"".join(parts)

    def _said(self, status: int, data: bytes) -> str:
        """The status and what the server says of it, on one line."""
        try:
            answer = json.loads(data)
            inner = answer.get("error", answer)
            message = inner.get("message") if isinstance(inner, dict) else inner
        except (ValueError, AttributeError, RecursionError):
            message = None
        words = " ".join(printable(self._key.hidden(str(message))).split())  # hidden before a cut could halve the key
        return f"the server answers {status}" + (f": {words[:200]}" if message else "")


def _asked_wait(headers: Mapping[str, str]) -> float:
    """The seconds in Retry-After, which may be a number or a date; 0 where there is none."""
    given = headers.get("retry-after", "").strip()
    try:
        return max(0.0, float(given))
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(given).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return 0.0
