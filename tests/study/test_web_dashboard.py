"""The researcher's pages, for a browser without JavaScript."""

from pathlib import Path

import pytest
from sqlalchemy import func, select, update

import winoglot as wg
from study.answered import fill
from study.visitor import Visitor
from winoglot.study.create import create_study
from winoglot.study.settings import StudySettings
from winoglot.study.storage import (
    ResearcherSession,
    Storage,
    Study,
    token_hash,
)

TOKEN = "the-token"


def a_study(database: str, people: int = 0, **settings) -> Storage:
    chosen = {"training": 2, "problems": 12, "judgements": 4, "kinds": ("tense",), **settings}
    storage, _ = create_study(wg.load("winoglot-en")[:14], "Pronouns", database, StudySettings(**chosen))
    with storage.writing() as session:
        session.execute(update(Study).values(token_hash=token_hash(TOKEN)))
    if people:
        fill(storage, people, problems=12, days=3)
    return storage


def logged_in(storage: Storage, **options) -> Visitor:
    visitor = Visitor(storage, **options).open("/researcher/login").send("/researcher/login", token=TOKEN)
    assert visitor.url == "/researcher"
    return visitor


def count(storage: Storage, table: type) -> int:
    with storage.reading() as session:
        return session.scalar(select(func.count()).select_from(table)) or 0


@pytest.fixture
def storage(tmp_path: Path) -> Storage:
    with a_study(f"{tmp_path}/study.db", people=12) as storage:
        yield storage


@pytest.fixture
def researcher(storage: Storage) -> Visitor:
    return logged_in(storage)


def test_the_token_opens_the_dashboard_until_logout(database: str) -> None:
    with a_study(database) as storage:
        visitor = Visitor(storage).open("/researcher")
        assert visitor.url == "/researcher/login"
        visitor.send("/researcher/login", token=f" {TOKEN} ")
        assert (visitor.status, visitor.url) == (200, "/researcher")
        assert "Nobody has answered yet" in visitor.text
        kept = dict(visitor.client.cookies)
        visitor.send("/researcher/logout")
        visitor.client.cookies.update(kept)  # a stolen copy of the cookie is of no use afterwards
        assert visitor.open("/researcher").url == "/researcher/login"
        assert count(storage, ResearcherSession) == 0


def test_the_cookie_is_strict_and_unreadable_for_scripts(storage: Storage) -> None:
    visitor = Visitor(storage).open("/researcher/login")
    fields = visitor.form("/researcher/login").fields | {"token": TOKEN}
    response = visitor.client.post("/researcher/login", data=fields, follow_redirects=False)
    cookie = response.headers["set-cookie"]
    assert cookie.startswith("__Host-winoglot-researcher=")
    assert {"HttpOnly", "Secure", "SameSite=strict", "Path=/"} <= set(cookie.split("; "))
    assert TOKEN not in cookie
