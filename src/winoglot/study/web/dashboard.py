"""The researcher's pages: how the study is doing, what people answered, who they are, and what can be done about it."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Depends
from sqlalchemy import select
from starlette.exceptions import HTTPException
from starlette.requests import Request  # noqa: TC002  (FastAPI reads the annotations of routes)
from starlette.responses import RedirectResponse, Response

from winoglot.errors import InputError
from winoglot.study.answers import LEAST_GROUP, read_answers
from winoglot.study.create import find_person, invite, revoke, set_state
from winoglot.study.export import (
    answer_table,
    as_json_lines,
    as_parquet,
    item_table,
    people_table,
    table_as_csv,
    tables,
)
from winoglot.study.issues import decide_item
from winoglot.study.participation import delete_person
from winoglot.study.questions.base import MAX_TEXT
from winoglot.study.storage import CLOSED, OPEN, PILOT, Participant
from winoglot.study.web.figures import Numbers, Scale, alpha_axis, seconds_axis, share_axis, verdict, why_excluded
from winoglot.study.web.login import researcher
from winoglot.study.web.questionnaire import background_question
from winoglot.study.web.site import Form, StudySite, read_form, site_of, value
from winoglot.study.web.snapshot import Snapshot, Snapshots

if TYPE_CHECKING:
    from collections.abc import Callable

    from winoglot.study.export import ExportedTable

router = APIRouter(prefix="/researcher")
ResearcherCookie = Annotated[str, Depends(researcher)]
SentForm = Annotated[Form, Depends(read_form)]

_PER_PAGE = 50
_FIRST_ROWS = 10  # of a list that has a page of its own
_MOST_LINKS = 500  # at once; the command line makes more
_FORMATS: dict[str, tuple[str, Callable[[ExportedTable], str | bytes]]] = {
    "csv": ("text/csv; charset=utf-8", table_as_csv),
    "jsonl": ("application/jsonl; charset=utf-8", as_json_lines),
    "parquet": ("application/vnd.apache.parquet", as_parquet),
}
_TABLES = {"answers": answer_table, "people": people_table, "items": item_table}


@router.get("")
def overview(request: Request, cookie: ResearcherCookie, pilot: str = "", done: str = "") -> Response:
    """How the study is doing."""
    site, show, snapshot = _study(request, pilot)
    title, evidence = verdict(snapshot, site.texts, show)
    kinds = snapshot.results.kinds
    values: dict[str, Any] = {
        "title": title,
        "evidence": evidence,
        "shares": share_axis(
            [
                *(row.accuracy for row in kinds),
                *snapshot.results.versions.values(),
                *(row.accuracy for row in snapshot.results.background),
            ]
        ),
        "alphas": alpha_axis([row.alpha for row in kinds] + [row.alpha_after for row in kinds]),
        "times": seconds_axis([row.seconds for row in kinds]),
        "further": Scale(0.0, 1.0, (0.0, 0.25, 0.5, 0.75, 1.0)),
        "stabilities": share_axis([row.stability for row in snapshot.results.stability]),
        "some": _FIRST_ROWS,
        "question": lambda question: background_question(question, "", site.texts).label,
        "least": LEAST_GROUP,
    }
    return _page(request, cookie, "overview", snapshot, done=done, **values)


@router.get("/items")
def items(request: Request, cookie: ResearcherCookie, pilot: str = "", kind: str = "", page: int = 1) -> Response:
    """All items with their answers."""
    _site, _show, snapshot = _study(request, pilot)
    rows = [row for row in snapshot.items if kind in ("", row.problem.kind)]
    pages = max(1, -(-len(rows) // _PER_PAGE))
    page = min(max(page, 1), pages)
    page_rows = rows[_PER_PAGE * (page - 1) : _PER_PAGE * page]
    values: dict[str, Any] = {"rows": page_rows, "kind": kind, "page": page, "pages": pages, "found": len(rows)}
    return _page(request, cookie, "items", snapshot, **values, shares=share_axis([row.accuracy for row in page_rows]))


@router.get("/item")
def item(request: Request, cookie: ResearcherCookie, id: str = "", pilot: str = "", done: str = "") -> Response:  # noqa: A002
    """One item: its text, its key, and every answer."""
    _site, _show, snapshot = _study(request, pilot)
    row = next((row for row in snapshot.items if row.problem.item_id == id), None)
    if row is None:
        raise HTTPException(404)
    expert = [answer for answer in snapshot.study.expert if answer.item_id == id]
    return _page(request, cookie, "item", snapshot, done=done, row=row, expert=expert)


@router.get("/people")
def people(request: Request, cookie: ResearcherCookie, pilot: str = "", done: str = "") -> Response:
    """Everybody who takes part: how far they are, and what can be done."""
    _site, _show, snapshot = _study(request, pilot)
    values = {"shares": share_axis([row.accuracy for row in snapshot.people])}
    return _page(request, cookie, "people", snapshot, done=done, **values)


@router.get("/comments")
def comments(request: Request, cookie: ResearcherCookie, pilot: str = "", page: int = 1) -> Response:
    """Everything that people wrote."""
    _site, _show, snapshot = _study(request, pilot)
    pages = max(1, -(-len(snapshot.remarks) // _PER_PAGE))
    page = min(max(page, 1), pages)
    page_remarks = snapshot.remarks[_PER_PAGE * (page - 1) : _PER_PAGE * page]
    return _page(request, cookie, "comments", snapshot, remarks=page_remarks, page=page, pages=pages)


@router.get("/export.{format}")
def export(
    request: Request,
    cookie: ResearcherCookie,  # noqa: ARG001 (only researchers may export)
    format: str,  # noqa: A002 (named in the route)
    pilot: str = "",
    table: str = "answers",
) -> Response:
    """The answers, the people or the items as a table, or everything that `study export` writes, in one file."""
    site = site_of(request)
    study = read_answers(site.storage, pilot=_is_pilot(site, pilot))
    if format == "zip":
        return _download(_zipped(tables(site.storage, study)), "application/zip", "study.zip")
    if format not in _FORMATS or table not in _TABLES:
        raise HTTPException(404)
    kind, write = _FORMATS[format]
    return _download(write(_TABLES[table](study)), kind, f"{table}.{format}")


@router.post("/decide")
def decided(request: Request, form: SentForm, cookie: ResearcherCookie) -> Response:
    """Keep, repair or drop an item, or take that back; then on where the form was."""
    site, name = _check_form(request, form, cookie), value(form, "item")
    try:
        decide_item(site.storage, name, value(form, "decision"), value(form, "note") if "note" in form else None)
    except InputError as error:
        raise HTTPException(400) from error
    pilot = {"pilot": value(form, "pilot")} if "pilot" in form else {}
    if value(form, "page") == "item":
        return _redirect_back("/researcher/item", "decided", id=name, **pilot)
    return _redirect_back("/researcher", "decided", **pilot, anchor=f"item-{name}")


@router.post("/invite")
def invited(request: Request, form: SentForm, cookie: ResearcherCookie) -> Response:
    """New personal links. They are shown on this page and never again."""
    site = _check_form(request, form, cookie)
    expert, count = value(form, "expert") == "yes", value(form, "count")
    if not (count.isascii() and count.isdigit() and len(count) < 5 and 1 <= int(count) <= _MOST_LINKS):
        return _redirect_back("/researcher/people", "bad-count")
    try:
        tokens = invite(site.storage, int(count), expert=expert)
    except InputError:
        return _redirect_back("/researcher/people", "not-closed")
    _snapshots(request).forget()
    base = str(request.base_url).rstrip("/")
    links = [f"{base}/p/{token}" for token in tokens]
    return _page(request, cookie, "links", _study(request, "")[2], links=links, expert=expert)


@router.post("/delete")
def delete(request: Request, form: SentForm, cookie: ResearcherCookie) -> Response:
    """Delete a participant and everything about them."""
    return _to_person(request, form, cookie, "deleted")


@router.post("/revoke")
def revoked(request: Request, form: SentForm, cookie: ResearcherCookie) -> Response:
    """Make a personal link invalid."""
    return _to_person(request, form, cookie, "revoked")


@router.post("/{state}")
def change_state(request: Request, form: SentForm, cookie: ResearcherCookie, state: str) -> Response:
    """Close the study, open it (again), or make it a pilot."""
    states = {"close": CLOSED, "open": OPEN, "pilot": PILOT}
    if state not in states:
        raise HTTPException(404)
    set_state(_check_form(request, form, cookie).storage, states[state])
    _snapshots(request).forget()
    return _redirect_back("/researcher", states[state])


def _to_person(request: Request, form: Form, cookie: str, outcome: str) -> Response:
    site = _check_form(request, form, cookie)
    try:
        person = find_person(site.storage, value(form, "person"))
    except InputError:
        return _redirect_back("/researcher/people", "unknown-person")
    if outcome == "deleted":
        delete_person(site.storage, person)
    else:
        revoke(site.storage, person)
    _snapshots(request).forget()
    return _redirect_back("/researcher/people", outcome)


def _check_form(request: Request, form: Form, cookie: str) -> StudySite:
    site = site_of(request)
    site.check_form(request, form, site.limits.answers, researcher=cookie)
    return site


def _redirect_back(path: str, done: str, anchor: str = "", **query: str) -> Response:
    return RedirectResponse(f"{path}?{urlencode(query | {'done': done})}{'#' + quote(anchor) if anchor else ''}", 303)


def _snapshots(request: Request) -> Snapshots:
    app = request.app
    if not hasattr(app.state, "snapshots"):
        app.state.snapshots = Snapshots(site_of(request).storage)
    snapshots: Snapshots = app.state.snapshots
    return snapshots


def _is_pilot(site: StudySite, requested: str) -> bool:
    """Whether the pilot's answers are asked for: while the study is a pilot, unless it says otherwise."""
    return requested == "yes" or (requested != "no" and site.state == PILOT)


def _study(request: Request, pilot: str) -> tuple[StudySite, Numbers, Snapshot]:
    site = site_of(request)
    return site, Numbers(site.settings.page_language), _snapshots(request).get(pilot=_is_pilot(site, pilot))


def _page(request: Request, cookie: str, name: str, snapshot: Snapshot, *, done: str = "", **values: Any) -> Response:
    site = site_of(request)
    show = Numbers(site.settings.page_language)

    def excluded(person: Any) -> str:
        return why_excluded(person, site.texts, show)

    with site.storage.reading() as session:
        has_pilot = session.scalar(select(Participant.id).where(Participant.pilot).limit(1)) is not None
    common: dict[str, Any] = {
        "name": name,
        "now": snapshot,
        "show": show,
        "done": done,
        "excluded": excluded,
        "has_pilot": has_pilot,
    }
    common |= {"most_links": _MOST_LINKS, "longest_note": MAX_TEXT}
    common |= {"query": "?" + urlencode({"pilot": "yes" if snapshot.pilot else "no"}) if has_pilot else ""}
    return site.page(request, f"researcher/{name}.html", researcher=cookie, **(common | values))


def _download(content: str | bytes, kind: str, name: str) -> Response:
    return Response(content, media_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})


def _zipped(files: dict[str, str | bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()
