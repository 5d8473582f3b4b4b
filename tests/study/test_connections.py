"""A server that others keep waiting: a locked database, a full disk, and connections that are slow."""

import socket
import sqlite3
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
import uvicorn
from sqlalchemy import event, text

from cases import for_each
from study.visitor import Visitor, a_study, served
from winoglot.study import storage as storage_module
from winoglot.study.create import invite
from winoglot.study.participation import consent, enter
from winoglot.study.steps import step
from winoglot.study.storage import Storage
from winoglot.study.web import app
from winoglot.study.web.app import make_app
from winoglot.study.web.connections import TimedProtocol
from winoglot.study.web.sessions import Limit, Limits, Signer

PEOPLE = 50  # more than there are threads


class Impatient(TimedProtocol):
    seconds = 0.5


def app_of(storage: Storage) -> Any:
    return make_app(storage, Limits(joining=Limit(1000, 1000)))


@pytest.fixture
def storage(tmp_path: Path) -> Iterator[Storage]:
    with a_study(f"{tmp_path}/study.db") as storage:
        yield storage


@contextmanager
def locked(storage: Storage) -> Iterator[None]:
    """Somebody else writes, and does not end."""
    other = storage.engine.raw_connection()
    sqlite = storage.engine.dialect.name == "sqlite"
    other.cursor().execute("BEGIN IMMEDIATE" if sqlite else "SELECT * FROM participant FOR UPDATE")
    try:
        yield
    finally:
        other.rollback()
        other.close()


def test_pages_are_read_while_many_wait_to_write(database: str) -> None:
    with a_study(database) as storage, served(app_of(storage)) as (_, (host, port)):
        with storage.reading() as session:
            signer = Signer(storage.study(session).secret)
        cookies, forms = [], []
        for token in invite(storage, PEOPLE):
            person = enter(storage, token)
            consent(storage, person, {})
            task = step(storage, person).problems[0].task
            cookies.append({"Cookie": f"winoglot-participant={signer.signed('participant', token)}"})
            fields = {"form_token": signer.form_token(token), "submission": token, "task": str(task)}
            forms.append(fields | {f"answer-{task}": "1"})
        with (
            httpx.Client(
                base_url=f"http://{host}:{port}", timeout=60, limits=httpx.Limits(max_connections=80)
            ) as client,
            ThreadPoolExecutor(PEOPLE) as pool,
        ):
            with locked(storage):
                waiting = [
                    pool.submit(client.post, "/answer", data=form, headers=cookie)
                    for form, cookie in zip(forms, cookies, strict=True)
                ]
                time.sleep(1)
                assert not any(one.done() for one in waiting)
                for path in ("/health", "/", "/study", "/researcher/login", "/static/study.css"):
                    assert client.get(path, headers=cookies[0], timeout=5).status_code == 200, path
            assert [one.result().status_code for one in waiting] == [303] * PEOPLE


def test_health_tells_a_full_disk(storage: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
    visitor = Visitor(storage)
    assert visitor.client.get("/health").json() == {"status": "ok"}
    monkeypatch.setattr(storage_module, "disk_usage", lambda _: SimpleNamespace(free=1_000_000))
    reply = visitor.client.get("/health")
    assert (reply.status_code, reply.json()) == (503, {"status": "unavailable", "reason": "the disk is full"})


def test_health_tells_that_there_was_no_space_for_an_answer(storage: Storage) -> None:
    visitor = Visitor(storage).begin()
    limited = []

    def limit(connection: sqlite3.Connection, *_more: object) -> None:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        limited.append(connection.execute(f"PRAGMA max_page_count = {pages}"))

    event.listen(storage.engine, "checkout", limit)
    for _ in range(40):
        if not visitor.asks:
            visitor.open("/study")
        task = visitor.form("/answer").fields["task"]
        if visitor.answer(0, **{f"comment-{task}": "x" * 2000}).status == 503:
            break
    assert visitor.status == 503
    assert visitor.client.get("/health").json()["reason"] == "the disk is full"


@contextmanager
def postgres_study(postgres: str, name: str) -> Iterator[tuple[Storage, Any]]:
    """A study in a database of its own, and a connection of somebody who may change how it works."""
    import psycopg

    with psycopg.connect(f"{postgres}/postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        with a_study(f"{postgres}/{name}") as storage:
            yield storage, connection


def test_health_tells_a_read_only_database(postgres: str) -> None:
    with postgres_study(postgres, "reading") as (storage, connection):
        client = Visitor(storage).client
        assert client.get("/health").json() == {"status": "ok"}
        connection.execute("ALTER DATABASE reading SET default_transaction_read_only = on")
        storage.engine.dispose()
        reply = client.get("/health")
        assert (reply.status_code, reply.json()["reason"]) == (503, "the database is read-only")


def test_health_does_not_wait_for_a_database_that_does_not_answer(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "_HEALTH_SECONDS", 0.5)
    with postgres_study(postgres, "silent") as (storage, _), storage.engine.connect() as other:
        client = Visitor(storage).client
        other.execute(text("LOCK TABLE study IN ACCESS EXCLUSIVE MODE"))
        reply = client.get("/health")
        assert (reply.status_code, reply.json()["reason"]) == (503, "the database does not answer")
        other.rollback()
        assert client.get("/health").json() == {"status": "ok"}


def _closed(connection: socket.socket, rest: bytes = b"") -> bool:
    """Whether the server ends a connection on which a byte comes now and then."""
    connection.settimeout(0.1)
    for at in range(100):
        try:
            connection.sendall(rest[at : at + 1])
            if not connection.recv(65_536):
                return True
        except TimeoutError:
            continue
        except ConnectionError:
            return True
    return False


FORM = b"Content-Type: application/x-www-form-urlencoded"
POST = b"POST /join HTTP/1.1\r\nHost: a\r\n" + FORM + b"\r\nContent-Length: 900\r\n\r\n"
GET = b"GET /health HTTP/1.1\r\nHost: a\r\n\r\n"


@for_each(
    ("first", "rest"),
    [
        (b"", b""),
        (b"GET / HTTP/1.1\r\nX: ", b"a" * 100),
        (POST, b"b" * 100),
        (GET + b"GET / HTTP/1.1\r\nX: ", b"a" * 100),
    ],
)
def test_a_request_that_does_not_arrive_in_time_ends_the_connection(
    storage: Storage, capfd: pytest.CaptureFixture[str], first: bytes, rest: bytes
) -> None:
    with served(app_of(storage), http=Impatient) as (_, address), socket.create_connection(address) as connection:
        connection.sendall(first)
        assert _closed(connection, rest)
    assert "Traceback" not in capfd.readouterr().err


def test_a_reader_who_stops_in_the_middle_of_a_reply_is_left() -> None:
    async def endless(_scope: object, _receive: object, send: object) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for _ in range(400):
            await send({"type": "http.response.body", "body": bytes(2**16), "more_body": True})
        await send({"type": "http.response.body", "body": b""})

    with (
        served(endless, http=Impatient, lifespan="off") as (server, address),
        socket.create_connection(address) as connection,
    ):
        connection.sendall(GET)
        connections, seen = server.server_state.connections, False
        for _ in range(100):
            time.sleep(0.1)
            seen = seen or bool(connections)
            if seen and not connections:
                break
        assert seen
        assert not connections


def test_requests_in_time_are_answered_one_after_the_other(storage: Storage) -> None:
    with (
        served(app_of(storage), http=Impatient) as (_, (host, port)),
        httpx.Client(base_url=f"http://{host}:{port}") as client,
    ):
        for _ in range(6):  # on one connection, for longer than one request may take
            assert client.get("/health").status_code == 200
            time.sleep(0.2)


def test_study_serve_has_the_limit(storage: Storage, run_winoglot, monkeypatch: pytest.MonkeyPatch) -> None:
    started = {}
    monkeypatch.setattr(uvicorn, "run", lambda *_, **options: started.update(options))
    monkeypatch.setenv("WINOGLOT_STUDY_DB", "")
    monkeypatch.setenv("WINOGLOT_STUDY_URL", "")
    code, _, err = run_winoglot("study", "serve", "--db", str(storage.engine.url.database), "--port", "18765")
    assert code == 0, err
    assert started["http"] is TimedProtocol
    assert TimedProtocol.seconds == 60
