"""The web application of a study: its routes, the headers that every reply has, and the pages for errors."""

from __future__ import annotations

import asyncio
import logging
import math
import re
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as NoConnectionError
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request  # noqa: TC002  (FastAPI reads the annotations of routes)
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.staticfiles import StaticFiles

from winoglot.palette import PALETTE
from winoglot.study.web import dashboard, login, participant
from winoglot.study.web.sessions import Limits
from winoglot.study.web.site import STATIC, StudySite, site_of, wants_json

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from winoglot.study.storage import Storage

_LOG = logging.getLogger(__name__)
_SILENCE = 60.0  # seconds until the same trouble with the database is logged again
_HEALTH_SECONDS = 5.0  # in which the database must answer
_FULL = re.compile("disk is full|disk I/O error|No space left|could not extend")
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "same-origin",  # `no-referrer` would also hide from us where a form was
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "X-Robots-Tag": "noindex",
}
_YEAR = 365 * 24 * 3600


def make_app(storage: Storage, limits: Limits | None = None, *, base_url: str | None = None) -> FastAPI:
    """The application that serves a study; `base_url` is where browsers reach it, whatever their requests say."""
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None, redirect_slashes=False, lifespan=_lifespan)
    app.state.site = StudySite(storage, limits or Limits())
    app.state.troubles = {}
    app.state.full = -math.inf  # when storing something last failed for want of space
    app.state.health = ThreadPoolExecutor(1, "health")
    app.add_middleware(_Headers, base_url=base_url)
    app.include_router(participant.router)
    app.include_router(login.router)
    app.include_router(dashboard.router)
    app.add_api_route("/static/palette.css", lambda: FileResponse(PALETTE))
    app.mount("/static", StaticFiles(directory=STATIC))
    app.add_api_route("/health", _health)
    app.add_exception_handler(participant.NotEnteredError, participant.not_entered)  # type: ignore[arg-type]
    app.add_exception_handler(login.NotLoggedInError, login.not_logged_in)  # type: ignore[arg-type]
    app.add_exception_handler(HTTPException, _refusal_page)  # type: ignore[arg-type]
    app.add_exception_handler(RequestValidationError, _not_understood)
    app.add_exception_handler(DBAPIError, _unavailable)
    app.add_exception_handler(NoConnectionError, _unavailable)
    app.add_exception_handler(Exception, _failure_page)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    """When the server stops, close the database: SQLite then empties its journal, and with it what was deleted."""
    yield
    app.state.health.shutdown(wait=False)
    app.state.site.storage.engine.dispose()


class _Headers:
    """Headers for every reply. Pages are never kept by a browser, files always."""

    def __init__(self, app: ASGIApp, base_url: str | None) -> None:
        self.app = app
        self.address = urlsplit(base_url) if base_url else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if self.address is not None:  # links and cookies depend on it: neither a browser nor a proxy decides
            scope["scheme"] = self.address.scheme
            other_headers = [(name, value) for name, value in scope["headers"] if name != b"host"]
            scope["headers"] = [(b"host", self.address.netloc.encode()), *other_headers]

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(_headers(scope, message["status"]))
                if headers.get("content-type", "").endswith("xml"):  # the icon; Starlette adds it to text only
                    headers["content-type"] += "; charset=utf-8"
            await send(message)

        await self.app(scope, receive, with_headers)


def _headers(scope: Scope, status: int) -> dict[str, str]:
    is_static = scope["path"].startswith("/static/") and status == 200
    headers = {**_HEADERS, "Cache-Control": f"public, max-age={_YEAR}, immutable" if is_static else "no-store"}
    if scope["scheme"] == "https":
        headers["Strict-Transport-Security"] = f"max-age={_YEAR}"
    return headers


async def _health(request: Request) -> Response:
    """Whether answers can be stored, for programs that watch the server. It has a thread of its own."""
    state = request.app.state
    check = asyncio.get_running_loop().run_in_executor(state.health, state.site.storage.trouble)
    try:
        trouble = await asyncio.wait_for(check, _HEALTH_SECONDS)
    except (DBAPIError, NoConnectionError, TimeoutError):
        trouble = "the database does not answer"
    if not trouble and time.monotonic() - state.full < _SILENCE:
        trouble = "the disk is full"
    if trouble:
        return JSONResponse({"status": "unavailable", "reason": trouble}, 503)
    return JSONResponse({"status": "ok"})


def _refusal_page(request: Request, error: HTTPException) -> Response:
    """A request that cannot be answered, or not now."""
    return _error(request, error.status_code, dict(error.headers or {}))


def _not_understood(request: Request, error: Exception) -> Response:  # noqa: ARG001
    """An address with something else where a number belongs."""
    return _error(request, 400, {})


def _unavailable(request: Request, error: Exception) -> Response:
    """The database does not answer, cannot be written or is full. What was asked for has not happened."""
    cause = str(getattr(error, "orig", error)).partition("\n")[0]  # without the statement and what a person wrote
    if _FULL.search(cause):
        request.app.state.full = time.monotonic()
    last_logged: dict[str, float] = request.app.state.troubles
    if time.monotonic() - last_logged.get(cause, -_SILENCE) >= _SILENCE:  # one line, not one per waiting person
        last_logged[cause] = time.monotonic()
        _LOG.error("the database cannot be used: %s", cause)
    return _error(request, 503, {"Retry-After": "5"})


def _failure_page(request: Request, error: Exception) -> Response:  # noqa: ARG001  (logged by the server)
    """A mistake of ours. Starlette answers it outside of all other layers, so the headers are not there yet."""
    return _error(request, 500, _headers(request.scope, 500))


def _error(request: Request, status: int, headers: dict[str, str]) -> Response:
    if wants_json(request):
        response: Response = JSONResponse({"saved": False, "status": status}, status)
    else:
        template = "researcher/message.html" if request.url.path.startswith("/researcher") else "message.html"
        response = site_of(request).page(request, template, status, what=status)
    response.headers.update(headers)
    return response
