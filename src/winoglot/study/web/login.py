"""Who may see the dashboard: people who gave the researcher's token, for half a day or until they log out.

A cookie holds when the session ends and a random token, signed; the database holds the token's hash. So nobody can make
a cookie up, not even with a copy of the database, and a session that was ended is over wherever its cookie is.
"""

from __future__ import annotations

import hmac
from datetime import UTC, datetime, timedelta
from typing import Annotated

from fastapi import APIRouter, Depends
from sqlalchemy import delete, func, or_, select
from starlette.exceptions import HTTPException
from starlette.requests import Request  # noqa: TC002  (FastAPI reads the annotations of routes)
from starlette.responses import RedirectResponse, Response

from winoglot.study.storage import FailedLogin, ResearcherSession, new_token, now, token_hash
from winoglot.study.web.sessions import HOURS, RESEARCHER, forget_cookie, read_cookie, set_cookie
from winoglot.study.web.site import Form, StudySite, address, read_form, site_of, value, wants_json

router = APIRouter(prefix="/researcher")
SentForm = Annotated[Form, Depends(read_form)]

_MOST_FAILED = 10  # wrong tokens within the time, from anywhere: then the next wrong one has to wait
_WITHIN = timedelta(minutes=10)


class NotLoggedInError(HTTPException):
    """The visitor has not given the token, or too long ago."""


def researcher(request: Request) -> str:
    """The session of the researcher who asks."""
    site = site_of(request)
    session = read_cookie(request, site.signer, RESEARCHER)
    if session is None or not _is_valid(site, session):
        raise NotLoggedInError(401)
    return session


def not_logged_in(request: Request, error: NotLoggedInError) -> Response:
    """Ask for the token."""
    if wants_json(request):
        raise HTTPException(error.status_code)
    return RedirectResponse("/researcher/login", 303)


@router.get("/login")
def login_page(request: Request) -> Response:
    """The form for the token."""
    return _page(request)


@router.post("/login")
def login(request: Request, form: SentForm) -> Response:
    """Compare the token. A wrong one is counted, without saying who sent it."""
    site = site_of(request)
    site.check_form(request, form, site.limits.answers)
    limiter_key = f"login {address(request)}"
    if site.limiter.is_exhausted(limiter_key, site.limits.login):
        raise HTTPException(429, headers={"Retry-After": "60"})
    sent_hash = token_hash(value(form, "token").strip())
    with site.storage.writing() as session:
        study = site.storage.study(session, lock=True)  # one attempt at a time, however many workers
        failure_count = select(func.count()).select_from(FailedLogin).where(FailedLogin.at > now() - _WITHIN)
        if hmac.compare_digest(sent_hash, study.token_hash):  # even then, or anybody could lock the researcher out
            token, wait = new_token(), False
            ends = now() + timedelta(hours=HOURS[RESEARCHER])
            old_hash = token_hash((read_cookie(request, site.signer, RESEARCHER) or "").partition("-")[2])
            is_over = or_(ResearcherSession.expires < now(), ResearcherSession.token_hash == old_hash)
            session.execute(delete(ResearcherSession).where(is_over))
            session.add(ResearcherSession(token_hash=token_hash(token), expires=ends))
        elif (session.scalar(failure_count) or 0) >= _MOST_FAILED:
            token, wait = None, True
        else:
            token, wait = None, False
            session.execute(delete(FailedLogin).where(FailedLogin.at < now() - timedelta(days=1)))
            session.add(FailedLogin())
    if token is None:
        site.check_limit(limiter_key, site.limits.login)
        return _page(request, 429 if wait else 401, error="wait" if wait else "wrong")
    response = RedirectResponse("/researcher", 303)
    set_cookie(request, response, site.signer, RESEARCHER, f"{int(ends.timestamp())}-{token}")
    return response


@router.post("/logout")
def logout(request: Request, form: SentForm, cookie: Annotated[str, Depends(researcher)]) -> Response:
    """End the session, wherever its cookie is."""
    site = site_of(request)
    site.check_form(request, form, site.limits.answers, researcher=cookie)
    with site.storage.writing() as session:
        session.execute(delete(ResearcherSession).where(ResearcherSession.token_hash == _hash(cookie)))
    response = RedirectResponse("/researcher/login", 303)
    forget_cookie(request, response, RESEARCHER)
    return response


def _is_valid(site: StudySite, session: str) -> bool:
    ends, _, _token = session.partition("-")
    if not ends.isdigit() or datetime.fromtimestamp(int(ends), UTC) < now():
        return False
    query = select(ResearcherSession.id).where(ResearcherSession.token_hash == _hash(session))
    with site.storage.reading() as reading:
        return reading.scalar(query) is not None


def _hash(session: str) -> str:
    return token_hash(session.partition("-")[2])


def _page(request: Request, status: int = 200, error: str = "") -> Response:
    response = site_of(request).page(request, "researcher/login.html", status, error=error)
    if status == 429:
        response.headers["Retry-After"] = str(int(_WITHIN.total_seconds()))
    return response
