"""What all pages share: the study's facts, rendering, forms that are read with care, and replies in HTML or JSON."""

from __future__ import annotations

import secrets
from asyncio import Semaphore
from functools import cache
from hashlib import sha256
from ipaddress import IPv6Address
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

import jinja2
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from winoglot.palette import PALETTE
from winoglot.schemas.text import is_unspaced
from winoglot.study.web.sessions import (
    PARTICIPANT,
    VISITOR,
    Limits,
    RateLimiter,
    Signer,
    read_cookie,
    set_cookie,
)
from winoglot.study.web.texts import language_name, texts

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from winoglot.study.settings import StudySettings
    from winoglot.study.storage import Storage
    from winoglot.study.web.sessions import Limit

STATIC = Path(__file__).parent / "static"
_FILES = {path.name: path for path in (*STATIC.iterdir(), PALETTE)}
_MOST_BYTES = 256 * 1024  # of a form: ten comments of 2000 Chinese characters fit
_MOST_FIELDS = 200
_MOST_FORMS = 20  # that are worked on at once: half of Starlette's threads, so that there are always some for pages

Form = dict[str, list[str]]


class StudySite:
    """A study as its pages see it. Only what never changes is kept."""

    def __init__(self, storage: Storage, limits: Limits) -> None:
        """Read the study's facts once."""
        self.storage = storage
        self.limits = limits
        self.limiter = RateLimiter()
        self.forms = Semaphore(_MOST_FORMS)
        with storage.reading() as session:
            study = storage.study(session)
        self.name = study.name
        self.language = study.language
        self.signer = Signer(study.secret)
        language = self.settings.page_language
        self.texts = texts(language)
        self.templates = _templates(language)
        self._shared = {  # by all pages
            "study_name": self.name,
            "page_language": language,
            "item_language": self.language,
            "language_of_items": language_name(self.language, language),
            "space": "" if is_unspaced(language_name(language, language)[-1]) else " ",  # between sentences
            "person_key": None,
            "forget": False,
        }

    @property
    def settings(self) -> StudySettings:
        """What was fixed when the study was created."""
        return self.storage.settings

    @property
    def state(self) -> str:
        """Pilot, open or closed, at this moment."""
        with self.storage.reading() as session:
            return self.storage.study(session).state

    def page(
        self, request: Request, template: str, status: int = 200, *, researcher: str | None = None, **values: Any
    ) -> HTMLResponse:
        """A page with its forms tied to the visitor, who becomes known by a cookie."""
        token, visitor = researcher or participant_token(request), None
        if token is None:
            visitor = read_cookie(request, self.signer, VISITOR) or secrets.token_urlsafe(16)
        values["form_token"] = self.signer.form_token(token or visitor or "")
        if token is not None and researcher is None:
            # Under this name the browser keeps unsent answers. It says nothing about the link.
            values["person_key"] = self.signer.signature("device", token)[:16]
        response = HTMLResponse(self.templates.get_template(template).render(self._shared | values), status)
        if visitor is not None:
            set_cookie(request, response, self.signer, VISITOR, visitor)
        return response

    def message(self, request: Request, what: str | int, status: int = 200, **values: Any) -> HTMLResponse:
        """A page that says one thing; `what` names it in its template."""
        return self.page(request, "message.html", status, what=what, **values)

    def check_form(self, request: Request, form: Form, limit: Limit, *, researcher: str | None = None) -> None:
        """Refuse forms that were not on one of our pages for this browser, and too many of them."""
        session = researcher or participant_token(request) or read_cookie(request, self.signer, VISITOR)
        if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            raise HTTPException(403)
        if session is None or not self.signer.is_form_token(session, value(form, "form_token")):
            raise HTTPException(403)
        self.check_limit(session, limit)

    def check_limit(self, who: str, limit: Limit) -> None:
        """Refuse requests of somebody who asks too often."""
        if not self.limiter.allows(who, limit):
            raise HTTPException(429, headers={"Retry-After": "10"})


@cache
def _templates(language: str) -> jinja2.Environment:
    """The templates in a language; each is compiled when a page first needs it."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("winoglot.study.web"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n"],
    )
    environment.install_gettext_translations(texts(language), newstyle=True)  # type: ignore[attr-defined]
    environment.globals |= {"static": static, "translated": texts(language).gettext}
    return environment


def site_of(request: Request) -> StudySite:
    """The site that a request is for."""
    site: StudySite = request.app.state.site
    return site


def participant_token(request: Request) -> str | None:
    """The token of the personal link that this browser came with."""
    return read_cookie(request, site_of(request).signer, PARTICIPANT)


def address(request: Request) -> str:
    """Where a request comes from: only ever used to count, never stored."""
    host = request.client.host if request.client else ""
    try:
        six = IPv6Address(host)
    except ValueError:
        return host
    return host if six.ipv4_mapped else six.packed[:8].hex()  # one household has all addresses that begin like this


def wants_json(request: Request) -> bool:
    """Whether a script asks, not a browser on behalf of a person."""
    return request.headers.get("accept", "").startswith("application/json")


def onward(request: Request, url: str) -> Response:
    """The reply after something was saved, which says where to go next."""
    if wants_json(request):
        return JSONResponse({"saved": True, "next": url})
    return RedirectResponse(url, 303)


async def read_form(request: Request) -> AsyncIterator[Form]:
    """The fields of a form, if it is not too large. If many others are worked on, it waits here, without a thread."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise HTTPException(415)
    body = b""
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > _MOST_BYTES:
                raise HTTPException(413)
        form = parse_qs(body.decode("ascii"), keep_blank_values=True, max_num_fields=_MOST_FIELDS)
    except (ClientDisconnect, ValueError) as error:  # gone before the end; not ASCII, or too many fields
        raise HTTPException(400) from error
    async with site_of(request).forms:
        yield form


def value(form: Form, name: str) -> str:
    """A field that is there once, or not at all; a new line is one character, as browsers count it."""
    return form.get(name, [""])[-1].replace("\r\n", "\n")


@cache
def static(name: str) -> str:
    """The address of a file that browsers may keep: another content has another address."""
    return f"/static/{name}?v={sha256(_FILES[name].read_bytes()).hexdigest()[:12]}"
