"""Fixtures: databases to keep a study in."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from study.databases import postgres_program, postgres_server


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """A PostgreSQL server, as long as the tests of one process run."""
    if not postgres_program("initdb"):
        pytest.skip("absent: PostgreSQL (initdb)")
    with postgres_server() as address:
        yield address


@pytest.fixture(scope="session", autouse=True)
def one_event_loop() -> Iterator[None]:
    """All requests of test clients run in one thread; by default each would start one of its own."""
    from anyio.from_thread import start_blocking_portal
    from starlette.testclient import TestClient

    with start_blocking_portal() as portal, pytest.MonkeyPatch.context() as patch:
        patch.setattr(TestClient, "portal", portal)
        yield


@pytest.fixture(scope="session", autouse=True)
def no_waiting_for_the_disk() -> Iterator[None]:
    """No test pulls the plug: SQLite need not wait, at each commit of this process, until the disk has everything."""
    from sqlalchemy import event
    from sqlalchemy.pool import Pool

    def checked_out(connection: Any, *_more: object) -> None:
        if isinstance(connection, sqlite3.Connection):
            connection.execute("PRAGMA synchronous = OFF")

    event.listen(Pool, "checkout", checked_out)
    yield
    event.remove(Pool, "checkout", checked_out)


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database: every test runs on SQLite and on PostgreSQL."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/study.db"
    import psycopg

    address = request.getfixturevalue("postgres")
    name = f"study_{uuid4().hex}"  # a schema of the server's one database: as empty, and made at once
    with psycopg.connect(f"{address}/postgres", autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}")
    return f"{address}/postgres?options=-csearch_path%3D{name}"
