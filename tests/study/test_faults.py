"""A server in a process of its own: killed, unable to write, restarted, behind a proxy, asked in bad HTTP."""

import json
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import pytest
from sqlalchemy import Engine, event, select, text

from study.attacking import evil_collection
from winoglot.study.create import create_study
from winoglot.study.database import open_storage
from winoglot.study.settings import StudySettings
from winoglot.study.storage import Study, new_token

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PROGRAM = [sys.executable, "-c", "from winoglot.cli.main import main; main()", "study", "serve"]


@pytest.fixture(params=["sqlite", "postgresql"])
def own_database(request: pytest.FixtureRequest) -> list[str]:
    """Options for a database that nobody else uses: it becomes read-only."""
    if request.param == "sqlite":
        return []
    import psycopg

    address, name = request.getfixturevalue("postgres"), f"faults_{uuid4().hex}"
    with psycopg.connect(f"{address}/postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return ["--db", f"{address}/{name}", "--workers", "2"]


def test_every_acknowledged_answer_is_stored_once_whatever_happens(own_database: list[str]) -> None:
    """The benchmark, small: kill -9 twice, and in between nothing can be written. People go on, and nothing is lost."""
    load = f"--people 8 --problems 5 --rate 16 --kills 2 --full 1 --port {free_port()}"
    done = subprocess.run(
        [sys.executable, ROOT / "benchmarks/study.py", *load.split(), *own_database],
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "8 of 8 people finished" in done.stdout
    assert "acknowledged 40, stored 40; lost 0, changed 0, doubled 0, stored but not acknowledged 0" in done.stdout
    errors = json.loads(done.stdout.partition("asked again after: ")[2].splitlines()[0])
    assert errors["status 503"] > 0
    assert sum(number for name, number in errors.items() if name.startswith("connection")) > 0
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("own_database", ["postgresql"], indirect=True)
def test_a_worker_that_starts_while_the_server_ends_its_connections_tries_again(own_database: list[str]) -> None:
    import psycopg

    address = own_database[1]
    create_study(evil_collection(), "Study", address, StudySettings(training=0, problems=3, checks=0))[
        0
    ].engine.dispose()
    ended = []

    def end(connection: Any, _cursor: object, statement: str, *_more: object) -> None:
        if "alembic_version" in statement and len(ended) < 1:
            ended.append(connection.connection.driver_connection.info.backend_pid)
            with psycopg.connect(address, autocommit=True) as other:
                other.execute("SELECT pg_terminate_backend(%s)", ended)

    event.listen(Engine, "before_cursor_execute", end)
    try:
        with open_storage(address) as storage:
            assert storage.settings.problems == 3
    finally:
        event.remove(Engine, "before_cursor_execute", end)
    assert ended


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


class Served:
    """A server, what it printed, and a client that sends bytes."""

    def __init__(self, folder: Path) -> None:
        settings = StudySettings(training=0, problems=3, checks=0)
        self.storage, self.token = create_study(evil_collection(), "Study", f"{folder}/study.db", settings)
        self.port, self.printed, self.journal = free_port(), folder / "printed.txt", folder / "study.db-wal"
        options = ["--db", f"{folder}/study.db", "--port", str(self.port), "--base-url", "https://study.example/"]
        self.command = [*PROGRAM, *options]
        self.start()

    def start(self) -> None:
        with self.printed.open("ab") as file:
            self.process = subprocess.Popen(self.command, stdout=file, stderr=subprocess.STDOUT)
        for _ in range(300):
            with socket.socket() as trial:
                if trial.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.1)
        raise AssertionError(self.printed.read_text())

    def send(self, content: bytes) -> str:
        """The reply to what a program sends that then waits."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as connection:
            found = b""
            with suppress(BrokenPipeError, ConnectionResetError):  # closed before everything was sent
                connection.sendall(content)
                while part := connection.recv(65_536):
                    found += part
                    head, _, body = found.partition(b"\r\n\r\n")
                    length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
                    if length and len(body) >= int(length[1]):
                        break
        return found.decode("utf-8", "replace")

    def ask(self, method: str, path: str, form: dict[str, str] | None = None, **headers: str) -> str:
        body = urlencode(form or {})
        lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", f"Content-Length: {len(body)}"]
        lines += ["Content-Type: application/x-www-form-urlencoded"] * (form is not None)
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        return self.send(("\r\n".join([*lines, "", ""]) + body).encode())


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    found = Served(tmp_path_factory.mktemp("served"))
    with found.storage:
        try:
            yield found
        finally:
            found.process.kill()
            found.process.wait()


def cookies(reply: str) -> str:
    return "; ".join(re.findall(r"set-cookie: ([^;]+)", reply, re.IGNORECASE))


def form(reply: str) -> dict[str, str]:
    return dict(re.findall(r'name="(form_token|submission|task)" value="([^"]*)"', reply))


def join(served: Served) -> str:
    """The cookie of somebody who has agreed to take part."""
    welcome = served.ask("GET", "/")
    mine = cookies(served.ask("POST", "/join", form(welcome), Cookie=cookies(welcome)))
    agreed = {"able": "yes", "agreed": "yes", "background-0": "Schnabeltier"}
    served.ask("POST", "/consent", form(served.ask("GET", "/study", Cookie=mine)) | agreed, Cookie=mine)
    return mine


def test_behind_a_proxy_that_speaks_plain_http(served: Served) -> None:
    """What the proxy forgets to say does not matter: cookies are Secure, and links lead to the study's address."""
    welcome = served.ask("GET", "/")
    assert re.search(r"set-cookie: __Host-winoglot-visitor=[^\r]*; Secure", welcome, re.IGNORECASE)
    assert "strict-transport-security" in welcome.lower()
    assert "server:" not in welcome.lower()
    joined = served.ask("POST", "/join", form(welcome), Cookie=cookies(welcome), X_Forwarded_Proto="http")
    assert " 303 " in joined.splitlines()[0]
    page = served.ask("GET", "/link", Cookie=cookies(joined), X_Forwarded_Host="evil.example")
    assert 'id="link">https://study.example/p/' in page


def test_people_behind_a_proxy_are_counted_one_by_one(served: Served) -> None:
    def status(address: str) -> str:
        return served.ask("GET", f"/p/{new_token()}", X_Forwarded_For=f"198.51.100.9, {address}").split()[1]

    assert [status("203.0.113.5") for _ in range(25)][-1] == "429"
    assert status("203.0.113.6") == "404"
    assert [status(f"2001:db8:1:2::{number}") for number in range(25)][-1] == "429"  # one household
    assert status("2001:db8:1:3::1") == "404"


@pytest.mark.parametrize(
    ("content", "statuses"),
    [
        (b"nonsense\r\n\r\n", "400"),
        (b"GET /\x00 HTTP/1.1\r\nHost: a\r\n\r\n", "400 404"),
        (b"GET http://evil.example/ HTTP/1.1\r\nHost: a\r\n\r\n", "400 404"),
        (b"GET / HTTP/1.1\r\n\r\n", "400"),
        (b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "400"),
        (b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"a" * 200_000 + b"\r\n\r\n", "400 431"),
        (b"POST /join HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", "400"),
        (b"POST /join HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc", "400"),
        (b"POST /join HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "400 415"),
        (
            b"POST /answer HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\n"
            b"Content-Length: 900000000\r\n\r\n" + b"a" * 300_000,  # the rest never comes
            "413",
        ),
        (
            b"POST /answer HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n" + (b"4000\r\n" + b"a" * 0x4000 + b"\r\n") * 20,
            "413",
        ),
    ],
    ids=range(11),
)  # fmt: skip
def test_malformed_http(served: Served, content: bytes, statuses: str) -> None:
    reply = served.send(content)
    assert not reply or reply.split(" ")[1] in statuses.split()  # nothing: the connection was closed
    assert "Traceback" not in reply


def test_nothing_secret_is_printed(served: Served) -> None:
    mine = join(served)
    token = mine.partition("=")[2].partition(".")[0]
    served.ask("GET", f"/p/{token}", X_Forwarded_For="203.0.113.77")
    asked = form(served.ask("GET", "/study", Cookie=mine))
    answer = {**asked, f"answer-{asked['task']}": "1", f"comment-{asked['task']}": "Schnabeltier"}
    login = served.ask("GET", "/researcher/login")
    for given in (f"wrong-{served.token}", served.token):
        served.ask("POST", "/researcher/login", {**form(login), "token": given}, Cookie=cookies(login))
    with served.storage.writing() as session:  # the database fails
        session.execute(text("ALTER TABLE decision RENAME TO gone"))
    served.ask("POST", "/answer", answer, Cookie=mine)
    failed = served.ask("POST", "/answer", answer, Cookie=mine)
    assert " 503 " in failed.splitlines()[0]
    assert "may not have been saved" in failed
    with served.storage.writing() as session:
        session.execute(text("ALTER TABLE gone RENAME TO decision"))
    assert " 303 " in served.ask("POST", "/answer", answer, Cookie=mine).splitlines()[0]
    with served.storage.reading() as session:
        secret = session.scalars(select(Study.secret)).one()
    time.sleep(0.2)
    printed = served.printed.read_text()
    assert "https://study.example/researcher" in printed
    assert printed.count("the database cannot be used") == 1  # not a line for each person who waits
    for hidden in (token, served.token, secret, asked["form_token"], "203.0.113", "127.0.0.1", "Schnabeltier"):
        assert hidden not in printed, hidden
    assert "Traceback" not in printed


def test_a_restart_in_the_middle_changes_nothing_for_people(served: Served) -> None:
    """SIGTERM, as systemd sends it. The page from before can still be sent."""
    mine = join(served)
    asked = form(served.ask("GET", "/study", Cookie=mine))
    served.process.send_signal(signal.SIGTERM)
    assert served.process.wait(20) in (0, -signal.SIGTERM)
    served.storage.engine.dispose()  # the only other process that has the file open
    assert not served.journal.exists()  # so that nothing deleted stays in it
    served.start()
    assert form(served.ask("GET", "/study", Cookie=mine))["task"] == asked["task"]
    sent = served.ask("POST", "/answer", {**asked, f"answer-{asked['task']}": "1"}, Cookie=mine)
    assert " 303 " in sent.splitlines()[0]
    assert form(served.ask("GET", "/study", Cookie=mine))["task"] != asked["task"]
