"""What every page has: headers, cookies, tokens in forms, limits, and pages for errors."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text
from starlette.testclient import TestClient

from cases import for_each
from study.visitor import Visitor, a_study
from winoglot.study.storage import Storage
from winoglot.study.web.app import make_app
from winoglot.study.web.sessions import Limit, Limits

JSON = {"Accept": "application/json"}


@pytest.fixture(scope="module")
def storage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Storage]:
    with a_study(f"{tmp_path_factory.mktemp('study')}/study.db") as storage:
        yield storage


@for_each(
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


def test_errors_are_pages_or_data(storage: Storage) -> None:
    visitor = Visitor(storage).open("/nowhere")
    assert (visitor.status, visitor.title) == (404, "This page does not exist.")
    assert visitor.client.get("/nowhere", headers=JSON).json() == {"saved": False, "status": 404}
    assert visitor.client.put("/answer").status_code == 405


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
