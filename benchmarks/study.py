"""A study under load and under faults: many people at once, on this machine, with a server that may be killed.

Creates a study of `winoglot-en` in an empty database (a temporary SQLite file, or `--db postgresql://…`), serves it
with `winoglot study serve` on a loopback address, and lets people take part who read a page, think, and send an answer.
Prints how long replies take, then compares the database with what was acknowledged: no answer may be lost, doubled or
changed. Exit code 1 if one is.

--kills N         kill -9 the server N times, evenly over the run, and start it again
--full SECONDS    for so long, nothing can be written (SQLite: the server's files cannot grow; PostgreSQL: read-only)
--bare            first the same load on an endpoint that writes one row, to compare with
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import numpy as np
from sqlalchemy import func, insert, select, text

import winoglot as wg
from winoglot.study.create import create_study
from winoglot.study.database import create_storage
from winoglot.study.settings import StudySettings
from winoglot.study.storage import Decision, FailedLogin, Storage, Task

if TYPE_CHECKING:
    from collections.abc import Iterator

_FIELD = re.compile(r'name="(form_token|submission|task)" value="([^"]*)"')
_CHOICE = re.compile(r'name="(answer-\d+)" id="[^"]*" value="(\d)"')
_WAIT = 30.0  # seconds that a server may take to start


@dataclass
class Load:
    """What people measured, and what was acknowledged."""

    port: int
    answer_seconds: list[float] = field(default_factory=list)
    page_seconds: list[float] = field(default_factory=list)
    acknowledged: dict[int, int] = field(default_factory=dict)  # task and the place of what was chosen
    errors: dict[str, int] = field(default_factory=dict)
    finished: int = 0

    def note(self, error: str) -> None:
        """Count an error after which the same was asked again."""
        self.errors[error] = self.errors.get(error, 0) + 1


class Browser:
    """One person's connection: as little as HTTP needs, so that measuring does not take the machine from the server."""

    def __init__(self, port: int) -> None:
        """Connect when something is asked."""
        self.port = port
        self.cookies: dict[str, str] = {}
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None

    async def ask(self, method: str, path: str, form: dict[str, str] | None = None) -> tuple[int, str]:
        """Status and body; ConnectionError if the server goes away."""
        body = urlencode(form or {}).encode()
        lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", f"Content-Length: {len(body)}"]
        lines += ["Cookie: " + "; ".join(f"{name}={value}" for name, value in self.cookies.items())] * bool(
            self.cookies
        )
        if method == "POST":
            lines += ["Content-Type: application/x-www-form-urlencoded", "Accept: application/json"]
        try:
            if self.writer is None:
                self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
            assert self.reader is not None
            self.writer.write("\r\n".join([*lines, "", ""]).encode() + body)
            await self.writer.drain()
            head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            length = re.search(r"content-length: (\d+)", head, re.IGNORECASE)
            content = await self.reader.readexactly(int(length.group(1))) if length else b""
        except (OSError, asyncio.IncompleteReadError) as error:
            self.close()
            raise ConnectionError(type(error).__name__) from error
        for name, value in re.findall(r"set-cookie: ([^=]+)=([^;]*)", head, re.IGNORECASE):
            self.cookies[name] = value
        if "connection: close" in head.lower():
            self.close()
        return int(head.split(" ", 2)[1]), content.decode()

    async def ask_until(self, load: Load, method: str, path: str, form: dict[str, str] | None = None) -> str:
        """The body of a reply that succeeds; what fails is asked again, unchanged, as a page does."""
        while True:
            try:
                status, body = await self.ask(method, path, form)
            except ConnectionError as error:
                load.note(f"connection: {error}")
            else:
                if status < 400:
                    return body
                load.note(f"status {status}")
                if status not in (429, 503):
                    raise RuntimeError(f"{method} {path}: {status} {body[:300]}")
            await asyncio.sleep(0.5)

    def close(self) -> None:
        """Leave."""
        if self.writer is not None:
            self.writer.close()
        self.reader = self.writer = None


async def take_part(load: Load, number: int, problems: int, pause: float) -> None:
    """One person, from the first page to the last problem."""
    browser = Browser(load.port)
    await asyncio.sleep(pause * number / 200)  # not everybody comes in the same second
    form = dict(_FIELD.findall(await browser.ask_until(load, "GET", "/")))
    await browser.ask_until(load, "POST", "/join", form)
    form = dict(_FIELD.findall(await browser.ask_until(load, "GET", "/study")))
    await browser.ask_until(load, "POST", "/consent", {**form, "able": "yes", "agreed": "yes"})
    for _ in range(problems):
        began = time.perf_counter()
        page = await browser.ask_until(load, "GET", "/study")
        load.page_seconds.append(time.perf_counter() - began)
        fields, choices = dict(_FIELD.findall(page)), _CHOICE.findall(page)
        name, place = choices[hash(fields["submission"]) % len(choices)]
        await asyncio.sleep(max(0.0, pause - (time.perf_counter() - began)))
        began = time.perf_counter()
        await browser.ask_until(load, "POST", "/answer", {**fields, name: place})
        load.answer_seconds.append(time.perf_counter() - began)
        load.acknowledged[int(fields["task"])] = int(place)
    load.finished += 1
    browser.close()


class Server:
    """`winoglot study serve` in a process of its own, which can be killed and started again."""

    def __init__(self, db: str, port: int, workers: int) -> None:
        """Start nothing yet."""
        program = str(Path(sys.executable).with_name("winoglot"))
        self.command = [program, "study", "serve", "--db", db, "--port", str(port), "--workers", str(workers)]
        self.port = port
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it; it takes a moment until it answers."""
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL, start_new_session=True)

    def wait(self) -> None:
        """Wait until it can be reached."""
        began = time.monotonic()
        while time.monotonic() - began < _WAIT:
            with socket.socket() as trial:
                if trial.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        raise SystemExit("the server did not start")

    def kill(self) -> None:
        """Kill it and its workers, as a crash of the machine would."""
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


async def killing(server: Server, load: Load, kills: int, answers: int) -> None:
    for number in range(1, kills + 1):
        while len(load.acknowledged) < answers * number / (kills + 1):
            await asyncio.sleep(0.05)
        server.kill()
        server.start()


async def unwritable(server: Server, storage: Storage, load: Load, seconds: float, answers: int) -> None:
    """In the middle of the run, nothing can be stored for a while."""
    while len(load.acknowledged) < answers / 2:
        await asyncio.sleep(0.05)
    if storage.engine.dialect.name == "postgresql":
        name = storage.engine.url.database
        _administer(storage, f'ALTER DATABASE "{name}" SET default_transaction_read_only = on')
        await asyncio.sleep(seconds)
        _administer(storage, f'ALTER DATABASE "{name}" SET default_transaction_read_only = off')
        return
    assert server.process is not None
    group = os.getpgid(server.process.pid)
    for limit in ("1", "unlimited"):
        for process in _processes(group):
            subprocess.run(["prlimit", f"--pid={process}", f"--fsize={limit}:unlimited"], check=True)
        await asyncio.sleep(seconds)


def _administer(storage: Storage, command: str) -> None:
    """Change a setting, and let all connections begin anew."""
    with storage.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("SET default_transaction_read_only = off"))
        connection.execute(text(command))
        connection.execute(
            text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
                 "AND pid <> pg_backend_pid()")
        )  # fmt: skip
    storage.engine.dispose()


def _processes(group: int) -> Iterator[int]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if os.getpgid(int(entry.name)) == group:
                    yield int(entry.name)
            except ProcessLookupError:
                continue


def check(storage: Storage, load: Load) -> int:
    """Compare the database with what was acknowledged; the number of differences."""
    with storage.reading() as session:
        query = select(Task.id, Task.choice, Task.order).where(Task.answered.is_not(None))
        stored = {row.id: row.order.index(row.choice) + 1 for row in session.execute(query)}
        decisions = session.scalar(select(func.count()).select_from(Decision)) or 0
    lost = sum(task not in stored for task in load.acknowledged)
    changed = sum(stored.get(task) not in (None, place) for task, place in load.acknowledged.items())
    unknown = len(stored.keys() - load.acknowledged.keys())
    doubled = decisions - len(stored)
    print(
        f"acknowledged {len(load.acknowledged):,}, stored {len(stored):,}; lost {lost}, changed {changed}, "
        f"doubled {doubled}, stored but not acknowledged {unknown}"
    )
    return lost + changed + doubled


def times(name: str, seconds: list[float]) -> None:
    middle, most, last = (1000 * np.quantile(seconds, share) for share in (0.5, 0.95, 0.99))
    print(f"{name}: median {middle:.0f} ms, 95% {most:.0f} ms, 99% {last:.0f} ms, n={len(seconds):,}")


def bare_app() -> Any:
    """An endpoint that writes one row, in a database of its own."""
    from fastapi import FastAPI

    app, storage = FastAPI(), create_storage(os.environ["BARE_DB"])

    @app.post("/row")
    def row() -> dict[str, bool]:
        with storage.writing() as session:
            session.execute(insert(FailedLogin))
        return {"saved": True}

    return app


async def bare_load(port: int, people: int, rows: int, pause: float) -> list[float]:
    found: list[float] = []

    async def one(number: int) -> None:
        browser = Browser(port)
        await asyncio.sleep(pause * number / people)
        for _ in range(rows):
            began = time.perf_counter()
            await browser.ask("POST", "/row")
            found.append(time.perf_counter() - began)
            await asyncio.sleep(max(0.0, pause - (time.perf_counter() - began)))
        browser.close()

    await asyncio.gather(*(one(number) for number in range(people)))
    return found


def bare(people: int, rows: int, pause: float, port: int) -> None:
    """The same number of writes per second on the endpoint that does nothing else."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "uvicorn", "--factory", "study:bare_app", "--port", str(port)]
        command += ["--log-level", "warning", "--no-access-log"]
        environment = {**os.environ, "BARE_DB": f"{folder}/bare.db"}
        with subprocess.Popen(command, cwd=Path(__file__).parent, env=environment) as process:
            server = Server("", port, 1)
            server.wait()
            times("a bare endpoint that writes one row", asyncio.run(bare_load(port, people, rows, pause)))
            process.kill()


async def run(options: argparse.Namespace, server: Server, storage: Storage, load: Load) -> None:
    pause = options.people / options.rate
    answers = options.people * options.problems
    beside = []
    if options.kills:
        beside.append(asyncio.create_task(killing(server, load, options.kills, answers)))
    if options.full:
        beside.append(asyncio.create_task(unwritable(server, storage, load, options.full, answers)))
    await asyncio.gather(*(take_part(load, number, options.problems, pause) for number in range(options.people)))
    await asyncio.gather(*beside)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--db", default="", help="an empty PostgreSQL database; default: a temporary SQLite file")
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--problems", type=int, default=100, help="per person")
    parser.add_argument("--rate", type=float, default=50, help="answers per second, of all people together")
    parser.add_argument("--workers", type=int, default=1, help="of the server; more than one needs PostgreSQL")
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--full", type=float, default=0, metavar="SECONDS")
    parser.add_argument("--bare", action="store_true")
    parser.add_argument("--port", type=int, default=8765)
    options = parser.parse_args()
    if options.bare:
        bare(options.people, max(1, options.problems // 10), options.people / options.rate, options.port)
    with tempfile.TemporaryDirectory() as folder:
        db = options.db or f"{folder}/study.db"
        settings = StudySettings(
            training=0, checks=0, verification=False, problems=options.problems, participants=options.people
        )
        storage, _ = create_study(wg.load("winoglot-en"), "Load", db, settings)
        server, load = Server(db, options.port, options.workers), Load(options.port)
        server.start()
        server.wait()
        began = time.monotonic()
        try:
            asyncio.run(run(options, server, storage, load))
        finally:
            server.kill()
        took = time.monotonic() - began
        print(
            f"{storage.engine.dialect.name}: {load.finished} of {options.people} people finished; "
            f"{len(load.acknowledged) / took:.0f} answers/s for {took:.0f} s"
        )
        times("answers", load.answer_seconds)
        times("pages", load.page_seconds)
        print(f"asked again after: {json.dumps(load.errors) if load.errors else 'nothing'}")
        with storage:
            wrong = check(storage, load)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
