"""What every page has: headers, cookies, tokens in forms, limits, and pages for errors."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text, update
from starlette.testclient import TestClient

from study.visitor import Visitor, a_study
from winoglot.study.create import invite
from winoglot.study.storage import Participant, Storage, now
from winoglot.study.web.app import make_app
from winoglot.study.web.sessions import Limit, Limits, Signer

JSON = {"Accept": "application/json"}


@pytest.fixture(scope="module")
def storage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Storage]:
    with a_study(f"{tmp_path_factory.mktemp('study')}/study.db") as storage:
        yield storage


def test_a_signature_is_for_one_purpose_and_one_study() -> None:
    signer = Signer("secret")
    signed = signer.signed("participant", "token")
    assert signer.read("participant", signed) == "token"
    assert signer.read("researcher", signed) is None
    assert Signer("other").read("participant", signed) is None
    for forged in ("", ".", "token", "token.", f"{signed}0", signed[:-1], f"other{signed}", "é.é", "x" * 300):
        assert signer.read("participant", forged) is None
    assert not signer.is_form_token("token", "é")


@pytest.mark.parametrize("path", ["/", "/health", "/nowhere", "/static/study.css", "/p/nobody"])
def test_every_reply_has_the_headers(storage: Storage, path: str) -> None:
    headers = Visitor(storage).open(path).response.headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert "max-age" in headers["strict-transport-security"]
    assert ("immutable" if "static" in path else "no-store") in headers["cache-control"]


def test_pages_have_no_script_or_style_of_their_own(storage: Storage) -> None:
    visitor = Visitor(storage).begin()
    assert visitor.html.count("<script") == 1
    assert not any(part in visitor.html for part in ("<style", "style=", " onclick", "javascript:", "http://"))


@pytest.mark.parametrize(
    ("address", "secure"),
    [("https://study.example", True), ("http://study.example", True), ("http://127.0.0.1", False)],
)
def test_cookies_are_for_this_server_and_no_script(storage: Storage, address: str, secure: bool) -> None:
    reply = TestClient(make_app(storage), base_url=address).get("/")
    cookie = reply.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "Domain" not in cookie
    assert ("Secure" in cookie) == secure
    assert cookie.startswith("__Host-") == secure


def test_a_form_of_another_site_is_refused(storage: Storage) -> None:
    visitor, somebody = Visitor(storage).begin(), Visitor(storage).begin()
    token = {"form_token": visitor.form("/answer").fields["form_token"]}
    foreign = {"form_token": somebody.form("/answer").fields["form_token"]}
    for action in ("/consent", "/answer", "/comment", "/delete", "/pause", "/join"):
        for fields in ({"a": "b"}, {"form_token": "0" * 64}, foreign):
            assert visitor.client.post(action, data=fields).status_code == 403
        cross = visitor.client.post(action, data=token, headers={"Sec-Fetch-Site": "cross-site"})
        assert cross.status_code == 403
        assert "This page is out of date." in cross.text
    assert visitor.open("/study").title == "Practice: text 1 of 2"


def test_nobody_answers_for_somebody_else(storage: Storage) -> None:
    visitor, other = Visitor(storage).begin(), Visitor(storage).begin()
    task = other.form("/answer").fields["task"]
    fields = visitor.form("/answer").fields | {"task": task, f"answer-{task}": "1"}
    assert visitor.client.post("/answer", data=fields, headers=JSON).status_code == 409
    assert visitor.open(f"/study?at={task}").form("/answer").fields["task"] != task
    assert other.open("/study").form("/answer").fields["task"] == task


def test_answers_that_no_form_of_ours_sends(storage: Storage) -> None:
    visitor = Visitor(storage).begin()
    form = visitor.form("/answer").fields
    task = form["task"]
    for changed in (
        {"task": "0"},
        {"task": "²"},
        {"task": "9" * 40},
        {"task": "-1"},
        {f"answer-{task}": "7"},
        {f"answer-{task}": "0"},
        {f"answer-{task}": "0; DROP TABLE task"},
        {f"answer-{task}": "too-ambiguous"},
        {f"again-{task}": "keep"},
        {f"again-{task}": "change-1"},
        {f"again-{task}": "mistake-1"},
        {f"again-{task}": "change-"},
        {"submission": "no!"},
        {"submission": "x" * 100},
    ):
        fields = form | {f"answer-{task}": "1"} | changed
        fields.setdefault(f"answer-{fields['task']}", "1")
        assert visitor.client.post("/answer", data=fields).status_code == 400, changed
    assert visitor.open("/study").form("/answer").fields["task"] == task


def test_times_that_make_no_sense_are_unknown(storage: Storage) -> None:
    visitor = Visitor(storage).begin()
    for seconds in ("", "nan", "-1", "1e99", "soon", "12.5"):
        if not visitor.asks:
            visitor.open("/study")
        task = visitor.form("/answer").fields["task"]
        assert visitor.answer(0, **{f"seconds-{task}": seconds}).status == 200


def test_bodies_that_are_too_large_or_no_form(storage: Storage) -> None:
    visitor = Visitor(storage).begin()
    post = visitor.client.post
    assert post("/answer", data={"comment-1": "a" * 300_000}).status_code == 413
    assert post("/answer", data={f"field-{number}": "" for number in range(1000)}).status_code == 400
    assert post("/answer", json={"task": 1}).status_code == 415
    assert post("/answer", files={"file": b"content"}).status_code == 415
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    for body in (b"\xff\xfe", b"", b"form_token=%FF%00", b"&&==&"):
        assert post("/answer", content=body, headers=form).status_code in (400, 403)


def test_too_many_requests_have_to_wait(storage: Storage) -> None:
    few = Limit(3, 1)
    limits = Limits(answers=Limit(6, 1), pages=few, joining=few, links=few)
    visitor = Visitor(storage, limits=limits)
    assert [visitor.open("/p/nobody").status for _ in range(4)] == [404, 404, 404, 429]
    assert visitor.response.headers["retry-after"]
    visitor = Visitor(storage, limits=limits).begin()
    assert [visitor.open("/study").status for _ in range(2)] == [200, 429]  # joining and agreeing showed two pages
    assert visitor.title == "That was a little too fast."


def test_unknown_links_do_not_keep_the_researcher_from_logging_in(storage: Storage) -> None:
    visitor = Visitor(storage, limits=Limits(links=Limit(2, 1), login=Limit(2, 1)))
    assert [visitor.open("/p/nobody").status for _ in range(3)] == [404, 404, 429]
    login = [visitor.open("/researcher/login").send("/researcher/login", token="x").status for _ in range(3)]
    assert login == [401, 401, 429]
    visitor = Visitor(storage, limits=Limits(links=Limit(2, 1), login=Limit(2, 1)))
    for _ in range(3):
        visitor.open("/researcher/login").send("/researcher/login", token="x")
    assert visitor.open("/p/nobody").status == 404


def test_people_who_join_and_do_not_agree_fill_the_study_and_unused_links_do_not(tmp_path: Path) -> None:
    with a_study(f"{tmp_path}/study.db") as storage:
        invite(storage, 1000)
        assert Visitor(storage).open("/").send("/join").status == 200
        with storage.writing() as session:
            session.execute(update(Participant).values(seen=now()))
        assert Visitor(storage).open("/").send("/join").status == 503


def test_errors_are_pages_or_data(storage: Storage) -> None:
    visitor = Visitor(storage).open("/nowhere")
    assert (visitor.status, visitor.title) == (404, "This page does not exist.")
    assert visitor.client.get("/nowhere", headers=JSON).json() == {"saved": False, "status": 404}
    assert visitor.client.get("/static/../sessions.py").status_code == 404
    assert visitor.client.get("/static/%2e%2e/sessions.py").status_code == 404
    assert visitor.client.put("/answer").status_code == 405
    assert visitor.open("/docs").status == visitor.open("/openapi.json").status == 404


def test_a_database_that_does_not_answer(tmp_path: Path) -> None:
    with a_study(f"{tmp_path}/study.db") as storage:
        visitor = Visitor(storage).begin()
        assert visitor.client.get("/health").json() == {"status": "ok"}
        with storage.writing() as session:
            session.execute(text("ALTER TABLE participant RENAME TO gone"))
        visitor.answer()
        assert (visitor.status, visitor.title) == (503, "The study is not available at the moment.")
        assert visitor.response.headers["retry-after"] == "5"
        with storage.writing() as session:
            session.execute(text("ALTER TABLE gone RENAME TO participant"))
        assert visitor.open("/study").asks
