"""Requests to a server that speaks the OpenAI protocol: retried, some at a time, counted, never showing the key.

Requests run in an event loop that lives as long as their batch: the first error that concerns all of them cancels the
rest, and the connections are closed with the loop.

An address may come from a file that somebody else wrote, so a key is sent only to the server that the user set it for:
the public services below have variables of their own, WINOGLOT_API_KEY is for servers on this machine, and the variable
WINOGLOT_KEYS names those of others. No key leaves this machine unencrypted, and redirects are not followed.
"""

from __future__ import annotations

import asyncio
import email.utils
import ipaddress
import json
import os
import random
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from annotated_types import Ge, Le

from winoglot.errors import InputError, printable, require_extra
from winoglot.settings import NonNegativeFloat, NonNegativeInt

if TYPE_CHECKING:
    import httpx
    import tenacity

Result = TypeVar("Result")

EXAMPLE = "Write remote:http://HOST:PORT/v1#MODEL."
KEYS = "WINOGLOT_KEYS"  # environment variable: HOST=VARIABLE or HOST:PORT=VARIABLE, separated by commas
_LOOPBACK = "localhost"  # stands for every address of this machine
_VARIABLES = {  # the environment variables that keys are usually kept in
    _LOOPBACK: "WINOGLOT_API_KEY",
    "api.anthropic.com": "ANTHROPIC_API_KEY",
    "api.deepseek.com": "DEEPSEEK_API_KEY",
    "api.groq.com": "GROQ_API_KEY",
    "api.mistral.ai": "MISTRAL_API_KEY",
    "api.openai.com": "OPENAI_API_KEY",
    "api.together.xyz": "TOGETHER_API_KEY",
    "generativelanguage.googleapis.com": "GEMINI_API_KEY",
    "openrouter.ai": "OPENROUTER_API_KEY",
    "router.huggingface.co": "HF_TOKEN",
}
_TRANSIENT = {408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529}  # worth another attempt
_HOPELESS = {401, 402, 403, 404, 405}  # every other request would end in the same way
_OWN = {400, 413, 422}  # what a server says about one request: too long, not allowed
_LARGEST = 64 * 2**20  # bytes of an answer
_LONGEST_PAUSE = 60.0  # seconds between attempts, unless the server asks for more
# Failures in a row that show that the server is at fault, not the item: fewer while nothing has succeeded.
_MOST_FAILURES, _MOST_FAILURES_AT_FIRST = 10, 3


@dataclass(frozen=True)
class Serving:
    """How a server is treated; each field is an option of the remote family. None of them changes an answer."""

    retries: NonNegativeInt = 5
    backoff: NonNegativeFloat = 1.0  # seconds before the first retry, doubled each time
    timeout: Annotated[float, Ge(0.05)] = 120.0  # seconds for one whole answer
    longest_wait: NonNegativeFloat = 300.0  # seconds that a server may ask us to wait
    concurrency: Annotated[int, Ge(1), Le(256)] = 8  # requests at the same time
    price_in: NonNegativeFloat | None = None  # of a million tokens read, in any currency
    price_out: NonNegativeFloat | None = None  # of a million tokens written


@dataclass(frozen=True)
class Failed:
    """Why a request got no answer, if others do."""

    reason: str
    status: int | None = None


class Client:
    """A server's address and how to talk to it; the key is sent in a header and kept nowhere else."""

    def __init__(self, url: str, serving: Serving) -> None:
        """Take the address and read the key; nothing is sent yet."""
        require_extra("remote models need", "httpx", "tenacity", extra="models")
        self.url = url
        self.serving = serving
        self.requests = self.retries = self.tokens_in = self.tokens_out = 0
        self._key = _Key(url)
        self._not_before = 0.0  # a server that asks one request to wait asks all of them
        self._has_succeeded = False
        self._failures_in_a_row = 0

    @property
    def is_local(self) -> bool:
        """Whether the server is on this machine."""
        return self._key.is_local

    @property
    def spent(self) -> dict[str, float]:
        """What all requests so far have used: counts, tokens, and their cost if prices were given."""
        counts: dict[str, float] = {"requests": self.requests, "retries": self.retries}
        counts |= {"tokens_in": self.tokens_in, "tokens_out": self.tokens_out}
        price_in, price_out = self.serving.price_in, self.serving.price_out
        if price_in is None and price_out is None:
            return counts
        return counts | {"cost": (self.tokens_in * (price_in or 0.0) + self.tokens_out * (price_out or 0.0)) / 1e6}

    def get(self, path: str) -> Any | Failed:
        """The answer to one request without a body, with a shorter timeout than the others."""
        call = _Call("GET", path, None, lambda answer: answer, min(30.0, self.serving.timeout))
        return _in_event_loop(self._send([call], self._answer))[0]

    def post(self, path: str, body: Mapping[str, Any]) -> Any | Failed:
        """Send one request, and return its answer."""
        call = _Call("POST", path, body, lambda answer: answer, self.serving.timeout)
        return _in_event_loop(self._send([call], self._answer))[0]

    def post_all(
        self,
        path: str,
        bodies: Sequence[Mapping[str, Any]],
        read: Callable[[Any], Any],
        keep: Callable[[int, Any], None] | None = None,
    ) -> list[Any]:
        """What `read` makes of the answers to many requests, which are sent some at a time.

        It raises ValueError, KeyError, IndexError or TypeError for a wrong answer. Failures of single requests are
        returned; a failing server raises. `keep` gets each request's number and answer as soon as it is there.
        """
        calls = [_Call("POST", path, body, read, self.serving.timeout) for body in bodies]
        results = _in_event_loop(self._send(calls, self._judged, keep))
        failures = [result for result in results if isinstance(result, Failed)]
        if failures and not self._has_succeeded:
            raise self.error_of(failures[0])
        return results

    def error_of(self, failed: Failed) -> InputError:
        """The failure as an error, if nothing can continue without an answer."""
        remedies = {
            401: self._key.remedy,
            403: self._key.remedy,
            404: "Check the address and the model's name.",
            429: "Wait, or lower --option concurrency=N, then run the same command again to continue.",
        }
        remedy = remedies.get(failed.status or 0, "Check that the server runs, then run the same command again.")
        return InputError(f"{self.url}: {failed.reason}", remedy=remedy)

    async def _send(
        self,
        calls: Sequence[_Call],
        answer: Callable[[httpx.AsyncClient, _Call], Coroutine[Any, Any, Any]],
        keep: Callable[[int, Any], None] | None = None,
    ) -> list[Any]:
        import httpx

        most = self.serving.concurrency
        results: list[Any] = [None] * len(calls)
        pending = iter(enumerate(calls))

        async def work(http: httpx.AsyncClient) -> None:
            for number, call in pending:
                result = results[number] = await answer(http, call)
                if keep and not isinstance(result, Failed):
                    keep(number, result)

        limits = httpx.Limits(max_connections=most)
        # A server on this machine is never asked through a proxy, which may be another machine.
        direct = dict.fromkeys(("http://", "https://", "all://")) if self._key.is_local else None
        async with httpx.AsyncClient(
            headers=self._key.headers(), limits=limits, mounts=direct, follow_redirects=False
        ) as http:
            try:
                async with asyncio.TaskGroup() as group:
                    for _ in range(min(most, len(calls))):
                        group.create_task(work(http))
            except ExceptionGroup as errors:
                raise errors.exceptions[0] from None
        return results

    async def _judged(self, http: httpx.AsyncClient, call: _Call) -> Any | Failed:
        """The answer; raises if the failure is not this request's own."""
        result = await self._answer(http, call)
        if not isinstance(result, Failed):
            self._has_succeeded, self._failures_in_a_row = True, 0
        elif result.status not in _OWN:
            self._failures_in_a_row += 1
            most = _MOST_FAILURES if self._has_succeeded else _MOST_FAILURES_AT_FIRST
            if self._failures_in_a_row >= most or result.status in {429, None, *_HOPELESS}:
                raise self.error_of(result)
        return result

    async def _answer(self, http: httpx.AsyncClient, call: _Call) -> Any | Failed:
        import tenacity

        retrying = tenacity.AsyncRetrying(
            retry=tenacity.retry_if_exception(
                lambda error: isinstance(error, _TransientError) and error.wait <= self.serving.longest_wait
            ),
            stop=tenacity.stop_after_attempt(self.serving.retries + 1),
            wait=self._pause,
            before_sleep=self._before_retry,
            reraise=True,
        )
        try:
            return await retrying(self._attempt, http, call)
        except _TransientError as error:
            count = self.serving.retries + 1
            more = f", {count} times" if count > 1 else ""
            if error.wait > self.serving.longest_wait:
                more = f"; it asks for a wait of {error.wait:.0f} s"
            return Failed(f"{error}{more}", error.status)

    def _pause(self, state: tenacity.RetryCallState) -> float:
        """The seconds before the next attempt: twice as long as before, with jitter."""
        pause = min(_LONGEST_PAUSE, self.serving.backoff * 2.0 ** (state.attempt_number - 1)) * random.uniform(0.5, 1.0)
        return pause * 0.1 if _wait_of(state) else pause  # then only so that not all come back at the same moment

    def _before_retry(self, state: tenacity.RetryCallState) -> None:
        self.retries += 1
        if wait := _wait_of(state):
            self._not_before = max(self._not_before, time.monotonic() + wait)

    async def _attempt(self, http: httpx.AsyncClient, call: _Call) -> Any | Failed:
        import httpx

        while (remaining := self._not_before - time.monotonic()) > 0:
            await asyncio.sleep(remaining)
        try:
            async with asyncio.timeout(call.timeout):
                status, headers, data = await self._exchange(http, call)
        except (httpx.TimeoutException, TimeoutError) as error:
            raise _TransientError(f"no answer within {call.timeout:g} s", status=0) from error
        except httpx.HTTPError as error:
            if isinstance(error, httpx.ConnectError) and self._key.is_local and not self._has_succeeded:
                return Failed("no connection: nothing listens there")  # on this machine, waiting changes nothing
            reason = str(error).rstrip(".") or type(error).__name__
            raise _TransientError(self._key.hidden(f"no connection: {reason}")) from error
        except (httpx.InvalidURL, UnicodeError) as error:
            raise InputError(f"{self.url} is not an address", remedy=EXAMPLE) from error
        if status in _TRANSIENT:
            raise _TransientError(self._error_text(status, data), status=status, wait=_asked_wait(headers))
        if status != 200:
            return Failed(self._error_text(status, data), status)
        try:
            answer = json.loads(data)
            self._count_tokens(answer)  # paid for, whether it can be read or not
            return call.read(answer)
        except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError) as error:
            raise _TransientError("an answer that does not follow the OpenAI protocol", status=200) from error

    async def _exchange(self, http: httpx.AsyncClient, call: _Call) -> tuple[int, Mapping[str, str], bytes]:
        """Status, headers and the whole content; an enormous one is treated like one that never ends."""
        self.requests += 1
        content = bytearray()
        address = f"{self.url}/{call.path}"
        async with http.stream(call.method, address, json=call.body, timeout=call.timeout) as response:
            async for part in response.aiter_bytes():
                content += part
                if len(content) > _LARGEST:
                    raise TimeoutError
            return response.status_code, response.headers, bytes(content)

    def _count_tokens(self, answer: object) -> None:
        usage = answer.get("usage") if isinstance(answer, dict) else None
        counts = usage if isinstance(usage, dict) else {}
        prompt_tokens, completion_tokens = (counts.get(name) for name in ("prompt_tokens", "completion_tokens"))
        self.tokens_in += prompt_tokens if isinstance(prompt_tokens, int) and prompt_tokens > 0 else 0
        self.tokens_out += completion_tokens if isinstance(completion_tokens, int) and completion_tokens > 0 else 0

    def _error_text(self, status: int, data: bytes) -> str:
        """The status and what the server says about it, on one line."""
        try:
            answer = json.loads(data)
            inner = answer.get("error", answer)
            message = inner.get("message") if isinstance(inner, dict) else inner
        except (ValueError, AttributeError, RecursionError):
            message = None
        words = " ".join(printable(self._key.hidden(str(message))).split())  # hidden before a cut could halve the key
        return f"the server answers {status}" + (f": {words[:200]}" if message else "")


@dataclass(frozen=True)
class _Call:
    """A request, what is made of its answer, and how long that may take."""

    method: str
    path: str
    body: Any
    read: Callable[[Any], Any]
    timeout: float


class _TransientError(Exception):
    """An attempt failed in a way that another one may not; `wait` is what the server asked for."""

    def __init__(self, reason: str, *, status: int | None = None, wait: float = 0.0) -> None:
        super().__init__(reason)
        self.status = status
        self.wait = wait


def _wait_of(state: tenacity.RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome else None
    return error.wait if isinstance(error, _TransientError) else 0.0


class _Key:
    """The key of a server, perhaps none: read from the environment, sent in one header, shown nowhere."""

    def __init__(self, url: str) -> None:
        """Read the key; refuse one that cannot be sent, or only unencrypted, without showing it."""
        self._host, self.is_local, is_encrypted = _server(url)
        variables = _variables()
        self._name = variables.get(self._host) or (variables[_LOOPBACK] if self.is_local else "")
        self._value = os.environ.get(self._name, "").strip()
        if not self._value.isascii() or not (self._value or "x").isprintable():
            message = f"the key in {self._name} has characters that are not allowed in a key"
            raise InputError(message, remedy="Set it again.")
        if self._value and not (self.is_local or is_encrypted):
            raise InputError(
                f"the key in {self._name} would be sent to {self._host} over plain HTTP",
                remedy="Write https:, or reach the server through a tunnel: ssh -L 8000:localhost:PORT HOST.",
            )

    @property
    def remedy(self) -> str:
        """What to do if the server asks for a key, or for another one."""
        if self._value:
            return f"Check the key in {self._name}, which is sent to {self._host}, and what it may be used for."
        if self._name in _VARIABLES.values():
            return f"Put the key of {self._host} into the environment variable {self._name}."
        if self._name:  # which is not shown: it may be the key itself
            return f"The environment variable that {KEYS} names for {self._host} is not set: put the key into it."
        return (
            f"No key is set for {self._host}. Put it into a variable and say that this server may have it: "
            f"export MY_KEY=… {KEYS}={self._host}=MY_KEY"
        )

    def __repr__(self) -> str:
        """Whether a key is set, never the key."""
        return "Key(set)" if self._value else "Key(none)"

    def headers(self) -> dict[str, str]:
        """The header that carries the key."""
        return {"Authorization": f"Bearer {self._value}"} if self._value else {}

    def hidden(self, text: str) -> str:
        """What a server says, without the key if it repeats it."""
        return text.replace(self._value, "[key]") if self._value else text


def _server(url: str) -> tuple[str, bool, bool]:
    """A server's host, with its port unless that is the usual one, whether it is on this machine, and whether by HTTPS.

    Read as the library reads the address that it connects to.

    >>> _server("https://API.openai.com:443/v1"), _server("http://[::1]:8000/v1")
    (('api.openai.com', False, True), ('localhost:8000', True, False))
    >>> _server("https://api.openai.com.example.org:8443")
    ('api.openai.com.example.org:8443', False, True)
    """
    import httpx

    try:
        address = httpx.URL(url)
    except (httpx.InvalidURL, UnicodeError) as error:
        raise InputError(f"{url!r} is not the address of a server", remedy=EXAMPLE) from error
    is_local = address.host == _LOOPBACK
    with suppress(ValueError):  # a name
        is_local = is_local or ipaddress.ip_address(address.host).is_loopback
    host = _LOOPBACK if is_local else f"[{address.host}]" if ":" in address.host else address.host
    return host if address.port is None else f"{host}:{address.port}", is_local, address.scheme == "https"


def _variables() -> dict[str, str]:
    """The environment variable with the key of each server, by host or host:port."""
    variables = {}
    for entry in filter(None, map(str.strip, os.environ.get(KEYS, "").split(","))):
        server, _, name = entry.rpartition("=")
        if not server.strip() or "/" in server or not name.strip().isidentifier():  # a key itself is not shown
            remedy = f"Write HOST=VARIABLE or HOST:PORT=VARIABLE, with commas between: {KEYS}=api.example.org=MY_KEY"
            raise InputError(f"{KEYS} has an entry that names no server and variable", remedy=remedy)
        variables[_server(f"https://{server.strip()}")[0]] = name.strip()
    return _VARIABLES | variables


def _asked_wait(headers: Mapping[str, str]) -> float:
    """The seconds in Retry-After, which may be a number or a date; 0 if there is none."""
    value = headers.get("retry-after", "").strip()
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return 0.0


def _in_event_loop(work: Coroutine[Any, Any, Result]) -> Result:
    """The result, from a new event loop; in a notebook, where one runs already, in a thread of its own."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()
