"""The pages of a participation: welcome, consent, problems, pause, the end."""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Depends
from sqlalchemy import func, select
from starlette.exceptions import HTTPException
from starlette.requests import Request  # noqa: TC002  (FastAPI reads the annotations of routes)
from starlette.responses import JSONResponse, RedirectResponse, Response

from winoglot.study import participation, steps
from winoglot.study.questions.base import MAX_TEXT, RefusedError, too_long
from winoglot.study.questions.table import questions_of
from winoglot.study.settings import MAX_BACKGROUND
from winoglot.study.steps import Closed, Consent, Done, Screen
from winoglot.study.storage import CLOSED, Participant, now
from winoglot.study.web.questionnaire import (
    FieldError,
    Sent,
    background_question,
    heading,
    introduction,
    length,
    read_answers,
    sanitised,
    shown_again,
    shown_problems,
)
from winoglot.study.web.sessions import PARTICIPANT, forget_cookie, read_cookie, set_cookie
from winoglot.study.web.site import (
    Form,
    StudySite,
    address,
    onward,
    participant_token,
    read_form,
    site_of,
    value,
    wants_json,
)
from winoglot.study.web.texts import language_name

router = APIRouter()
SentForm = Annotated[Form, Depends(read_form)]

_MOST_WAITING = 1000  # people who joined within the last hour and have not consented yet


@router.get("/")
def welcome(request: Request) -> Response:
    """What the study is, and how to take part."""
    site = site_of(request)
    count, minutes = length(site.storage)
    if site.state == CLOSED:
        return site.message(request, "closed")
    takes_part = _person(request, site) is not None
    return site.page(
        request, "welcome.html", known=takes_part, open=site.settings.open, texts_to_read=count, minutes=minutes
    )


@router.post("/join")
def join(request: Request, form: SentForm) -> Response:
    """A new participant, unless this browser already is one."""
    site = site_of(request)
    site.check_form(request, form, site.limits.answers)
    if _person(request, site) is not None:
        return onward(request, "/study")
    site.check_limit(f"join {address(request)}", site.limits.joining)
    with site.storage.reading() as session:
        not_consented = select(func.count()).where(
            Participant.consented.is_(None), Participant.seen > now() - timedelta(hours=1)
        )
        if (session.scalar(not_consented) or 0) >= _MOST_WAITING:
            raise HTTPException(503, headers={"Retry-After": "600"})
    token = participation.join(site.storage)
    if token is None:
        return onward(request, "/")
    response = onward(request, "/study")
    set_cookie(request, response, site.signer, PARTICIPANT, token)
    return response


@router.get("/p/{token}")
def personal_link(request: Request, token: str) -> Response:
    """A personal link: from now on the browser is known. One that is somebody else's asks first."""
    site = site_of(request)
    person = _linked(request, site, token)
    if person is None:
        return site.message(request, "unknown-link", 404)
    if _person(request, site) not in (None, person):
        return site.page(request, "switch.html", link=_link(request), action=f"/p/{token}")
    return _enter(request, site, token)


@router.post("/p/{token}")
def switch(request: Request, token: str, form: SentForm) -> Response:
    """Go on as the person whom the link belongs to, in a browser that was somebody else's."""
    site = site_of(request)
    site.check_form(request, form, site.limits.answers)
    if _linked(request, site, token) is None:
        return site.message(request, "unknown-link", 404)
    return _enter(request, site, token)


def _linked(request: Request, site: StudySite, token: str) -> int | None:
    """The person whom a link belongs to; unknown links are counted."""
    guesses = f"link {address(request)}"
    if site.limiter.is_exhausted(guesses, site.limits.links):
        raise HTTPException(429, headers={"Retry-After": "60"})
    person = participation.enter(site.storage, token)
    if person is None:
        site.check_limit(guesses, site.limits.links)
    return person


def _enter(request: Request, site: StudySite, token: str) -> Response:
    response = RedirectResponse("/study", 303)
    set_cookie(request, response, site.signer, PARTICIPANT, token)
    return response


@router.get("/study")
def study(request: Request, at: str = "") -> Response:
    """The present step, or with `at` an earlier screen."""
    site, person = _site_and_person(request)
    site.check_limit(f"person {person}", site.limits.pages)
    step = steps.step(site.storage, person, _number(at))
    if isinstance(step, Screen):
        return _screen(request, site, step)
    if isinstance(step, Consent):
        return _consent(request, site, step)
    if isinstance(step, Done):
        return _last_page(request, site, person, step)
    if isinstance(step, Closed):
        return site.message(request, "closed")
    return site.message(request, "unknown-link", 404)


@router.post("/consent")
def consent(request: Request, form: SentForm) -> Response:
    """Agree to take part."""
    site, person = _check_form(request, form)
    names = site.settings.background
    background = {name: value(form, f"background-{number}")[:MAX_BACKGROUND] for number, name in enumerate(names)}
    missing = [name for name in _boxes(site) if value(form, name) != "yes"]
    if missing:
        step = steps.step(site.storage, person)
        if isinstance(step, Consent):
            return _consent(request, site, step, form=form, background=background)
        return onward(request, "/study")
    try:
        participation.consent(site.storage, person, background)
    except RefusedError as refused:
        if refused.why == "invalid":
            raise HTTPException(400) from refused
        return RedirectResponse("/study", 303)  # closed or revoked: the page says so
    return onward(request, "/study")


@router.post("/answer")
def answer(request: Request, form: SentForm) -> Response:
    """Store the answers of one screen."""
    site, person = _check_form(request, form)
    sent = read_answers(form, site.settings)
    if sent is None:
        raise HTTPException(400)
    if sent.is_incomplete:
        return _incomplete_page(request, site, person, sent)
    try:
        saved = participation.answer(site.storage, person, sent.answers)
    except RefusedError as refused:
        if refused.why == "invalid":
            raise HTTPException(400) from refused
        if refused.why in ("too-long", "reason-missing"):
            return _incomplete_page(request, site, person, sent)
        if wants_json(request):  # the page that a script shows then explains
            raise HTTPException(409) from refused
        return RedirectResponse("/study", 303)
    return onward(request, f"/study?at={saved.tasks[0]}" if saved.part == "training" else "/study")


@router.get("/link")
def link(request: Request) -> Response:
    """Pause: the personal link, with which one can go on later."""
    site, person = _site_and_person(request)
    return site.page(request, "link.html", link=_link(request), deletable=_may_delete(site, person))


@router.post("/pause")
def pause(request: Request, form: SentForm) -> Response:
    """Forget the person on this device, so that they can go on elsewhere or later."""
    _check_form(request, form)
    response = onward(request, "/left")
    forget_cookie(request, response, PARTICIPANT)
    return response


@router.get("/left")
def left(request: Request) -> Response:
    """The page after leaving the study on a device."""
    return site_of(request).message(request, "left", forget=True)


@router.post("/comment")
def comment(request: Request, form: SentForm) -> Response:
    """What a person says about the whole study."""
    site, person = _check_form(request, form)
    try:
        participation.comment(site.storage, person, value(form, "comment"))
    except RefusedError as refused:
        step = steps.step(site.storage, person)
        if refused.why == "too-long" and isinstance(step, Done):
            return _last_page(request, site, person, step, error=too_long(site.texts), comment=value(form, "comment"))
    return onward(request, "/study")


@router.post("/delete")
def delete(request: Request, form: SentForm) -> Response:
    """Delete everything about the person who asks."""
    site, person = _check_form(request, form)
    if not _may_delete(site, person):
        raise HTTPException(409)
    participation.delete_person(site.storage, person)
    response = onward(request, "/deleted")
    forget_cookie(request, response, PARTICIPANT)
    return response


@router.get("/deleted")
def deleted(request: Request) -> Response:
    """The page after everything has been deleted."""
    return site_of(request).message(request, "deleted", forget=True)


def _person(request: Request, site: StudySite) -> int | None:
    token = participant_token(request)
    return None if token is None else participation.enter(site.storage, token)


class NotEnteredError(HTTPException):
    """The visitor is no participant, or not any more."""


def _site_and_person(request: Request) -> tuple[StudySite, int]:
    """The site, and the person who asks."""
    site = site_of(request)
    person = _person(request, site)
    if person is None:
        has_cookie = read_cookie(request, site.signer, PARTICIPANT) is not None
        raise NotEnteredError(404 if has_cookie else 401)
    return site, person


def _check_form(request: Request, form: Form) -> tuple[StudySite, int]:
    """The site, and the person who sent a form."""
    site = site_of(request)
    site.check_form(request, form, site.limits.answers)
    return _site_and_person(request)


def not_entered(request: Request, error: NotEnteredError) -> Response:
    """Send visitors who are no participants to the beginning, or say that their link is no longer valid."""
    site = site_of(request)
    if wants_json(request):
        return JSONResponse({"saved": False, "status": error.status_code}, error.status_code)
    if error.status_code == 401:
        return RedirectResponse("/", 303)
    response = site.message(request, "unknown-link", 404, forget=True)
    forget_cookie(request, response, PARTICIPANT)
    return response


def _link(request: Request) -> str:
    return f"{str(request.base_url).rstrip('/')}/p/{participant_token(request)}"


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def _boxes(site: StudySite) -> dict[str, tuple[str, str]]:
    """What has to be ticked before the study begins: labels, and what is said if it is not.

    A text of the researcher's own says who may take part, so there is nothing more to ask.
    """
    texts, names = site.texts, {"language": language_name(site.language, site.settings.page_language)}
    agreement = (
        texts.gettext("I have read this and want to take part."),
        texts.gettext("Tick the box if you want to take part."),
    )
    if site.settings.consent:
        return {"agreed": agreement}
    able = (
        texts.gettext("I am 18 or older, and %(language)s is my first language or I speak it equally well.") % names,
        texts.gettext("You can only take part if you are 18 or older and speak %(language)s well.") % names,
    )
    return {"able": able, "agreed": agreement}


def _consent(
    request: Request, site: StudySite, step: Consent, form: Form | None = None, background: dict[str, str] | None = None
) -> Response:
    count, minutes = length(site.storage)
    errors, boxes = [], []
    for name, (label, required) in _boxes(site).items():
        is_ticked = form is not None and value(form, name) == "yes"
        error = required if form is not None and not is_ticked else ""
        boxes.append({"name": name, "label": label, "ticked": is_ticked, "error": error})
        if error:
            errors.append(FieldError(name, error))
    questions = [
        background_question(name, (background or {}).get(name, ""), site.texts) for name in site.settings.background
    ]
    return site.page(
        request,
        "consent.html",
        422 if errors else 200,
        errors=errors,
        boxes=boxes,
        background=questions,
        longest_background=MAX_BACKGROUND,
        consent_text=sanitised(site.settings.consent) if site.settings.consent else "",
        contact=site.settings.contact,
        expert=step.expert,
        texts_to_read=count,
        minutes=minutes,
    )


def _screen(request: Request, site: StudySite, screen: Screen, sent: Sent | None = None) -> Response:
    questions = questions_of(site.settings, screen.part)
    problems = shown_problems(screen, questions)
    errors = shown_again(problems, questions, sent, site.texts) if sent else []
    title, place = heading(screen, site.texts)
    return site.page(
        request,
        "screen.html",
        422 if errors else 200,
        title=title,
        place=place,
        questions=[(question, question.template(site.templates)) for question in questions],
        note=introduction(screen, site.texts, disagreements_only=site.settings.disagreements_only),
        problems=problems,
        answered=screen.problems[0].feedback is not None,
        again=all(problem.stored for problem in screen.problems),
        done=screen.position - 1,
        total=screen.total,
        back=f"/study?at={screen.previous}" if screen.previous else None,
        submission=secrets.token_urlsafe(12),
        errors=errors,
        longest_comment=MAX_TEXT,
    )


def _incomplete_page(request: Request, site: StudySite, person: int, sent: Sent) -> Response:
    """Show the screen again with what is missing, unless the person has gone on since."""
    if wants_json(request):
        raise HTTPException(422)
    step = steps.step(site.storage, person, next(iter(sent.fields)))
    if isinstance(step, Screen) and {problem.task for problem in step.problems} == set(sent.fields):
        return _screen(request, site, step, sent)
    return RedirectResponse("/study", 303)


def _may_delete(site: StudySite, person: int) -> bool:
    """Whether a person may still delete their answers: until the study closes, experts at any time."""
    with site.storage.reading() as session:
        expert = session.scalar(select(Participant.expert).where(Participant.id == person))
        return bool(expert) or site.storage.study(session).state != CLOSED


def _last_page(request: Request, site: StudySite, person: int, step: Done, **values: Any) -> Response:
    usual: dict[str, Any] = {"code": step.code, "comment": step.comment, "commented": bool(step.comment), "error": ""}
    values = usual | values
    return site.page(
        request,
        "done.html",
        422 if values["error"] else 200,
        link=_link(request),
        deletable=_may_delete(site, person),
        closed=site.state == CLOSED,
        longest_comment=MAX_TEXT,
        forget=True,
        **values,
    )
