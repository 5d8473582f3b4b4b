"""Attacks on the researcher's pages: wrong tokens, forged cookies, forms of other sites, scripts in comments."""

import io
import json
import zipfile
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select, update
from starlette.testclient import TestClient

from study.attacking import MARKUP, SQL, counts, evil_collection, wrong_markup
from study.visitor import HOME, Visitor
from winoglot.study.create import create_study, renew_token
from winoglot.study.settings import StudySettings
from winoglot.study.storage import FailedLogin, ResearcherSession, Storage, Study, new_token, now
from winoglot.study.web.sessions import Limit, Limits, Signer

COOKIE = "__Host-winoglot-researcher"
PAGES = ("", "/items", "/item?id=evil-0.0", "/people", "/comments", "/export.csv", "/export.jsonl", "/export.zip")
ACTIONS = ("decide", "close", "open", "pilot", "delete", "revoke", "invite", "logout")
MANY = Limits(answers=Limit(1000, 1000), login=Limit(1000, 1000))


class Attacked:
    """A study full of scripts and SQL in which one person has taken part."""

    def __init__(self, database: str) -> None:
        settings = StudySettings(training=0, problems=6, checks=1, background=("native-language",))
        self.storage, self.token = create_study(evil_collection(), f"Study {MARKUP}", database, settings)
        visitor = Visitor(self.storage).open("/").send("/join")
        visitor.send("/consent", able="yes", agreed="yes", background__0=MARKUP)
        while "Thank you" not in visitor.title:
            task = visitor.form("/answer").fields["task"]
            visitor.answer(0, **{f"comment-{task}": MARKUP + SQL, f"unnatural-{task}": "yes"})
        visitor.send("/comment", comment=MARKUP + SQL)
        self.participant = visitor

    def logged_in(self) -> Visitor:
        visitor = Visitor(self.storage, limits=MANY).open("/researcher/login")
        visitor.send("/researcher/login", token=self.token)
        assert visitor.url == "/researcher"
        return visitor


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    made = Attacked(f"{tmp_path_factory.mktemp('study')}/study.db")
    with made.storage:
        yield made


def state(storage: Storage) -> str:
    with storage.reading() as session:
        return session.scalars(select(Study.state)).one()


def test_nobody_else_sees_anything(attacked: Attacked) -> None:
    participant = attacked.participant
    for visitor in (Visitor(attacked.storage), participant):
        for page in PAGES:
            reply = visitor.client.get(f"/researcher{page}", follow_redirects=False)
            assert (reply.status_code, reply.headers["location"]) == (303, "/researcher/login"), page
            assert reply.content == b""
    token = participant.signed_form_token()
    for action in ACTIONS:
        reply = participant.client.post(
            f"/researcher/{action}", data={"form_token": token, "count": "1"}, follow_redirects=False
        )
        assert reply.headers["location"] == "/researcher/login"
    assert state(attacked.storage) == "open"


def test_cookies_that_nobody_signed_or_that_are_over(attacked: Attacked) -> None:
    researcher = attacked.logged_in()
    good, signer = researcher.client.cookies[COOKIE], researcher.app.state.site.signer
    session = signer.read("researcher", good)
    ends, _, token = session.partition("-")
    participant = attacked.participant.client.cookies["__Host-winoglot-participant"]
    forged = [
        session,
        f"{session}.{'0' * 64}",
        Signer("another study").signed("researcher", session),
        signer.signed("participant", session),
        signer.signed("researcher", f"{ends}-{new_token()}"),  # somebody who has read the secret, but knows no session
        signer.signed("researcher", f"{ends}-{attacked.token}"),
        signer.signed("researcher", f"1-{token}"),
        signer.signed("researcher", "x-"),
        participant,
        participant.replace("participant", "researcher"),
    ]
    client = TestClient(researcher.app, base_url=HOME, follow_redirects=False)
    for cookie in forged:
        assert client.get("/researcher", headers={"Cookie": f"{COOKIE}={cookie}"}).status_code == 303, cookie
    assert client.get("/researcher", headers={"Cookie": f"{COOKIE}={good}"}).status_code == 200
    with attacked.storage.writing() as writing:
        writing.execute(update(ResearcherSession).values(token_hash="another"))
    assert client.get("/researcher", headers={"Cookie": f"{COOKIE}={good}"}).status_code == 303


def test_logging_in_makes_a_new_session_and_logging_out_ends_only_that(attacked: Attacked) -> None:
    first, second = attacked.logged_in(), attacked.logged_in()
    cookie = first.client.cookies[COOKIE]
    assert cookie != second.client.cookies[COOKIE]
    first.send("/researcher/logout")
    first.client.cookies.set(COOKIE, cookie, domain="study.example")
    assert first.open("/researcher").url == "/researcher/login"
    assert second.open("/researcher").url == "/researcher"
    cookie = second.client.cookies[COOKIE]
    second.open("/researcher/login").send("/researcher/login", token=attacked.token)
    second.client.cookies.set(COOKIE, cookie, domain="study.example")
    assert second.open("/researcher").url == "/researcher/login"  # the session before was ended, not kept beside it


def test_a_new_token_replaces_the_one_that_leaked(tmp_path: Path) -> None:
    attacked = Attacked(f"{tmp_path}/study.db")
    with attacked.storage:
        researcher = attacked.logged_in()
        token = renew_token(attacked.storage)
        assert researcher.open("/researcher").url == "/researcher/login"
        assert researcher.send("/researcher/login", token=attacked.token).status == 401
        assert researcher.send("/researcher/login", token=token).url == "/researcher"


def test_forms_of_other_sites_and_sessions_change_nothing(attacked: Attacked) -> None:
    researcher, other = attacked.logged_in(), attacked.logged_in()
    own, foreign = (one.form("/researcher/logout").fields["form_token"] for one in (researcher, other))
    visiting = Visitor(attacked.storage).open("/").form("/join").fields["form_token"]
    before = counts(attacked.storage)
    for action in ACTIONS:
        post = researcher.client.post
        for token in ("", "0" * 64, foreign, visiting, attacked.participant.signed_form_token(), "é"):
            fields = {"form_token": token, "count": "1", "person": "x"}
            assert post(f"/researcher/{action}", data=fields).status_code == 403, (action, token)
        for site in ("cross-site", "same-site"):
            reply = post(f"/researcher/{action}", data={"form_token": own}, headers={"Sec-Fetch-Site": site})
            assert reply.status_code == 403
        assert post(f"/researcher/{action}", json={"form_token": own}).status_code == 415
        assert researcher.client.get(f"/researcher/{action}").status_code in (404, 405)
    assert state(attacked.storage) == "open"
    assert counts(attacked.storage) == before
    assert researcher.open("/researcher").url == "/researcher"


def test_tokens_cannot_be_tried_for_long_but_nobody_is_locked_out(tmp_path: Path) -> None:
    attacked = Attacked(f"{tmp_path}/study.db")
    with attacked.storage:
        researcher = attacked.logged_in()
        guesser = Visitor(attacked.storage).open("/researcher/login")
        statuses = [guesser.send("/researcher/login", token=new_token()).status for _ in range(9)]
        statuses += [
            guesser.client.post("/researcher/login", data=guesser.form("/researcher/login").fields | {"token": text})
            .status_code
            for text in ("", SQL, MARKUP, "\0", "é", "a" * 50_000, *("x" * number for number in range(1, 9)))
        ]  # fmt: skip
        assert statuses[:10] == [401] * 10
        assert set(statuses[10:]) == {429}
        assert COOKIE not in guesser.client.cookies
        assert {column.name for column in FailedLogin.__table__.columns} == {"id", "at"}  # nothing says who it was
        elsewhere = Visitor(attacked.storage).open("/researcher/login")  # another process: its own count by address
        assert elsewhere.send("/researcher/login", token="wrong").status == 429
        assert elsewhere.response.headers["retry-after"] == "600"
        assert researcher.open("/researcher/people").url == "/researcher/people"
        attacked.logged_in()
        with attacked.storage.writing() as session:
            session.execute(update(FailedLogin).values(at=now() - timedelta(minutes=11)))
        elsewhere.open("/researcher/login").send("/researcher/login", token="wrong")
        assert (elsewhere.status, "This is not the researcher’s token" in elsewhere.text) == (401, True)


def test_what_people_write_is_text_on_every_page_and_in_every_file(attacked: Attacked) -> None:
    researcher = attacked.logged_in()
    pages = []
    for path in (*PAGES[:5], f"?done={MARKUP}", f"/items?kind={MARKUP}", f"/{MARKUP}"):
        pages.append(researcher.open(f"/researcher{path}").html)
        assert len(researcher.page.ids) == len(set(researcher.page.ids))
    assert [wrong_markup(page) for page in pages] == [[] for _ in pages]
    assert sum("&lt;script&gt;alert(1)" in page for page in pages) == len(pages)
    assert not any("<script>alert" in page for page in pages)
    for path, kind in (("csv", "text/csv"), ("jsonl", "application/jsonl"), ("parquet", "application/vnd")):
        reply = researcher.client.get(f"/researcher/export.{path}")
        assert reply.headers["content-type"].startswith(kind)
        assert reply.headers["content-disposition"].startswith("attachment")
        assert reply.headers["x-content-type-options"] == "nosniff"
    lines = researcher.client.get("/researcher/export.jsonl").text.splitlines()
    assert {json.loads(line)["comment"] for line in lines} == {MARKUP + SQL}
    archive = zipfile.ZipFile(io.BytesIO(researcher.client.get("/researcher/export.zip").content))
    assert not any(name.startswith(("/", "..")) for name in archive.namelist())
    personal = attacked.participant.open("/link").html.partition("/p/")[2].partition("<")[0]
    assert not any(personal.encode() in archive.read(name) for name in archive.namelist())


def test_fields_with_anything_in_them(database: str) -> None:
    attacked = Attacked(database)
    researcher = attacked.logged_in()
    token = researcher.form("/researcher/logout").fields["form_token"]
    before = counts(attacked.storage)
    texts = (SQL, MARKUP, "\0", "", "http://[", "//[::1", "9" * 400, "-1", "²", "1e3", "\ud7ff\uffff", "a\r\nX-A: b")
    for text in texts:
        for action in ("delete", "revoke", "invite"):
            fields = {"form_token": token, "person": text, "count": text, "expert": text}
            reply = researcher.client.post(f"/researcher/{action}", data=fields, follow_redirects=False)
            assert reply.status_code == 303, (action, text)
            assert "x-a" not in reply.headers
    pages = ("items?page=x", "items?page=-1", "items?page=" + "9" * 5000, "comments?page=1e9", "item?id=%00", "item")
    for query in pages:
        reply = researcher.client.get(f"/researcher/{query}")
        assert reply.status_code in (200, 400, 404), query
        assert "<h1" in reply.text
    assert counts(attacked.storage) == before
    attacked.storage.engine.dispose()
