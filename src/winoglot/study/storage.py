"""The database of a study: its tables, and transactions after which nothing that was acknowledged can be lost.

One database holds one study. SQLite (the default) and PostgreSQL are used through the same tables. What was asked is a
`Task`: one person, one problem, one part of the study; its row also holds the present answer, so that there is exactly
one. Every decision that led to it is a `Decision`, which is only ever added.
"""

from __future__ import annotations

import os
import re
import secrets
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from shutil import disk_usage
from threading import BoundedSemaphore
from typing import TYPE_CHECKING, Any, ClassVar, Self

from sqlalchemy import JSON, DateTime, ForeignKey, Index, UniqueConstraint, select, text
from sqlalchemy.exc import TimeoutError as NoConnectionError
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, relationship
from sqlalchemy.types import TypeDecorator

from winoglot.study.settings import StudySettings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Dialect
    from sqlalchemy.engine import Engine

# What a problem is for; attention checks are asked among the test problems.
TRAINING, TEST, CHECK = ("training", "test", "check")
# What a task can belong to besides training and test.
VERIFICATION, EXPERT = ("verification", "expert")
# What a person can say when a problem is shown again, and an expert about a problem that the majority missed.
KEEP, MISTAKE, REASON, TOO_AMBIGUOUS = VERDICTS = ("keep", "mistake", "reason", "too-ambiguous")
# What a researcher can decide about an item, besides keeping it.
REPAIR, DROP = ("repair", "drop")
BUSY_SECONDS = 30  # how long a transaction that writes waits for others
MOST_WRITERS = 10  # transactions that write, or on SQLite wait until they may, at once
_LEAST_FREE = 16 * 2**20  # bytes on the disk of a SQLite file, below which it counts as full
_JOURNAL_MILLISECONDS = 2000  # how long emptying SQLite's journal waits for people who read
PILOT, OPEN, CLOSED = STATES = ("pilot", "open", "closed")
# What an answer says, as tasks and decisions store it. Questions that not every study asks share the last column.
ANSWER_COLUMNS = ("choice", "verdict", "ambiguous", "unnatural", "comment", "further")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")  # all but tabs and new lines


def now() -> datetime:
    """The time, as all tables store it."""
    return datetime.now(UTC)


def new_token() -> str:
    """What opens a personal link or the dashboard: 192 random bits, so that nobody can guess it."""
    return secrets.token_urlsafe(24)


def token_hash(token: str) -> str:
    """What is stored of a token. It has too many random bits to be found by trying, so a plain hash is enough."""
    return sha256(token.encode(errors="surrogatepass")).hexdigest()


def storable_text(text: str) -> str:
    """Text that both databases can store, and a terminal print: lines of it, without control characters."""
    return _CONTROL.sub("", text.encode(errors="replace").decode()).strip()


class _Moment(TypeDecorator[datetime]):
    """A moment in UTC. SQLite forgets the time zone, so it is put back."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """What was stored, in UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class StudyTable(DeclarativeBase):
    """The base class of all tables."""

    type_annotation_map: ClassVar[Any] = {datetime: _Moment(), dict[str, Any]: JSON(), list[int]: JSON()}


class Study(StudyTable):
    """The study, of which the database has one row."""

    __tablename__ = "study"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    created: Mapped[datetime] = mapped_column(default=now)
    state: Mapped[str] = mapped_column(default=OPEN)  # pilot, open or closed
    stored_settings: Mapped[dict[str, Any]]
    collection: Mapped[str]  # YAML, variants included: what was asked can always be read again
    collection_name: Mapped[str]
    language: Mapped[str]  # of the collection
    token_hash: Mapped[str]  # of the researcher's token, which is printed once and stored nowhere
    secret: Mapped[str] = mapped_column(default=lambda: secrets.token_hex(32))  # signs cookies and forms

    @property
    def settings(self) -> StudySettings:
        """What was fixed when the study was created."""
        return StudySettings.from_json(self.stored_settings)


class Problem(StudyTable):
    """An item or variant of the collection as people see it, or an attention check."""

    __tablename__ = "problem"

    id: Mapped[int] = mapped_column(primary_key=True)
    item_id: Mapped[str] = mapped_column(unique=True)  # of an attention check: `check-1` and so on
    item_hash: Mapped[str]
    schema_id: Mapped[str]
    kind: Mapped[str]
    version: Mapped[int]  # the number of the alternative, which the original and its variants share
    part: Mapped[str]  # training, test or check
    content: Mapped[dict[str, Any]]  # before, pronoun, after, question (or null), candidates
    answer: Mapped[int]
    explanation: Mapped[str] = mapped_column(default="")  # shown after a training problem
    panel: Mapped[int | None]  # of a variant: the one panel that judges it; of an original null: every panel does


class Participant(StudyTable):
    """A person, known by a random number and a link. Nothing here says who it is."""

    __tablename__ = "participant"

    id: Mapped[int] = mapped_column(primary_key=True)
    number: Mapped[str] = mapped_column(unique=True)  # random; stands for the person in every export
    token_hash: Mapped[str] = mapped_column(unique=True)  # of the personal link
    created: Mapped[datetime] = mapped_column(default=now)
    panel: Mapped[int] = mapped_column(default=0)
    expert: Mapped[bool] = mapped_column(default=False)
    pilot: Mapped[bool] = mapped_column(default=False)  # taken part while the study was a pilot: not in the results
    revoked: Mapped[bool] = mapped_column(default=False)
    consented: Mapped[datetime | None]
    background: Mapped[dict[str, Any]] = mapped_column(default=dict)
    assigned: Mapped[datetime | None]  # when the test problems were drawn
    seen: Mapped[datetime | None]  # the last request
    tested: Mapped[datetime | None]  # when the last test problem was answered and verification began
    finished: Mapped[datetime | None]
    comment: Mapped[str] = mapped_column(default="")
    code: Mapped[str] = mapped_column(default="")  # completion code

    tasks: Mapped[list[Task]] = relationship(
        back_populates="participant", cascade="all, delete-orphan", passive_deletes=True, order_by="Task.position"
    )


class Task(StudyTable):
    """One problem for one person, and the present answer to it."""

    __tablename__ = "task"
    __table_args__ = (
        UniqueConstraint("participant_id", "problem_id", "part"),
        UniqueConstraint("participant_id", "part", "position"),
        Index("task_by_problem", "problem_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    participant_id: Mapped[int] = mapped_column(ForeignKey("participant.id", ondelete="CASCADE"))
    problem_id: Mapped[int] = mapped_column(ForeignKey("problem.id"))
    part: Mapped[str]  # training, test (attention checks among them), verification or expert
    position: Mapped[int]
    order: Mapped[list[int]]  # the candidates' indices, as this person sees them
    shown: Mapped[datetime | None]
    answered: Mapped[datetime | None]  # null: not yet
    choice: Mapped[int | None]  # a candidate's index; null in an answered task: cannot say
    verdict: Mapped[str | None]  # in verification and for experts
    ambiguous: Mapped[bool] = mapped_column(default=False)
    unnatural: Mapped[bool] = mapped_column(default=False)
    comment: Mapped[str] = mapped_column(default="")
    seconds: Mapped[float | None]  # while the page was visible
    further: Mapped[dict[str, Any]] = mapped_column(default=dict)  # answers to further questions, by their names

    participant: Mapped[Participant] = relationship(back_populates="tasks")
    problem: Mapped[Problem] = relationship()
    decisions: Mapped[list[Decision]] = relationship(
        back_populates="task", cascade="all, delete-orphan", passive_deletes=True, order_by="Decision.id"
    )


class Decision(StudyTable):
    """One submission: an answer as it was sent. A form that is sent twice has the same `submission` and counts once."""

    __tablename__ = "decision"
    __table_args__ = (UniqueConstraint("task_id", "submission"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    task_id: Mapped[int] = mapped_column(ForeignKey("task.id", ondelete="CASCADE"))
    submission: Mapped[str]
    at: Mapped[datetime] = mapped_column(default=now)
    choice: Mapped[int | None]
    verdict: Mapped[str | None]
    ambiguous: Mapped[bool] = mapped_column(default=False)
    unnatural: Mapped[bool] = mapped_column(default=False)
    comment: Mapped[str] = mapped_column(default="")
    seconds: Mapped[float | None]
    further: Mapped[dict[str, Any]] = mapped_column(default=dict)

    task: Mapped[Task] = relationship(back_populates="decisions")


class ItemDecision(StudyTable):
    """What the researcher decides about an item in view of the answers. It changes no results."""

    __tablename__ = "item_decision"

    problem_id: Mapped[int] = mapped_column(ForeignKey("problem.id"), primary_key=True)
    decision: Mapped[str]  # keep, repair or drop; empty: none, or taken back
    note: Mapped[str]


class FailedLogin(StudyTable):
    """A wrong researcher's token: only when. After too many in a short time, further wrong ones have to wait."""

    __tablename__ = "failed_login"

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(default=now, index=True)


class ResearcherSession(StudyTable):
    """A browser that gave the researcher's token, until it logs out."""

    __tablename__ = "researcher_session"

    id: Mapped[int] = mapped_column(primary_key=True)
    token_hash: Mapped[str] = mapped_column(unique=True)  # of what its cookie holds
    expires: Mapped[datetime]


class Storage:
    """A study's database, opened."""

    def __init__(self, engine: Engine) -> None:
        """Take a database that has been opened by `database.py`."""
        self.engine = engine
        # Those who wait to write hold few connections, so that there are always some to read with.
        self._writers = BoundedSemaphore(MOST_WRITERS)

    def __enter__(self) -> Self:
        """`with open_storage(url) as storage`: connections are closed at the end."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Close all connections."""
        self.engine.dispose()

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A transaction that sees one state of the database and changes nothing."""
        connection = self.engine.connect()
        if self.engine.dialect.name == "postgresql":  # its default sees what others commit meanwhile
            connection = connection.execution_options(isolation_level="REPEATABLE READ")
        with connection, Session(connection, expire_on_commit=False) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A transaction that is durable once the block has ended, or has not happened.

        On SQLite it is the only one that writes meanwhile. On PostgreSQL, lock the rows that you read before you change
        them (`with_for_update`).
        """
        if not self._writers.acquire(timeout=BUSY_SECONDS):
            raise NoConnectionError(f"others have been writing for {BUSY_SECONDS} seconds")
        try:
            connection = self.engine.connect().execution_options(winoglot_writes=True)
            with connection, Session(connection, expire_on_commit=False) as session, session.begin():
                yield session
        finally:
            self._writers.release()

    def trouble(self) -> str:
        """Why nothing can be stored now, if that can be known without storing anything; empty: nothing is wrong."""
        with self.reading() as session:
            session.scalar(select(Study.id))
            if self.engine.dialect.name == "postgresql":
                read_only = session.scalar(text("SHOW transaction_read_only")) == "on"
                return "the database is read-only" if read_only else ""
        file = Path(self.engine.url.database or "").resolve()
        if disk_usage(file.parent).free < _LEAST_FREE:
            return "the disk is full"
        return "" if os.access(file, os.W_OK) and os.access(file.parent, os.W_OK) else "the database is read-only"

    def empty_journal(self) -> None:
        """Move SQLite's journal into the file and cut it to nothing: what was deleted is then nowhere any more.

        Waits for readers for a moment; if one stays longer, the journal is emptied with the next deletion, or when the
        database is closed.
        """
        if self.engine.dialect.name != "sqlite":
            return
        connection = self.engine.raw_connection()
        try:
            cursor = connection.cursor()
            timeout = cursor.execute("PRAGMA busy_timeout").fetchone()[0]
            cursor.execute(f"PRAGMA busy_timeout = {_JOURNAL_MILLISECONDS}")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            cursor.execute(f"PRAGMA busy_timeout = {timeout}")
        finally:
            connection.close()

    @cached_property
    def settings(self) -> StudySettings:
        """What was fixed when the study was created: read once."""
        with self.reading() as session:
            return StudySettings.from_json(session.scalars(select(Study.stored_settings)).one())

    @cached_property
    def problems(self) -> dict[int, Problem]:
        """All problems by their id. None is ever changed, so they are read once."""
        with self.reading() as session:
            return {problem.id: problem for problem in session.scalars(select(Problem).order_by(Problem.id))}

    def study(self, session: Session, *, lock: bool = False) -> Study:
        """The study; with `lock`, nobody else who asks for the lock goes on until this transaction ends."""
        query = select(Study).where(Study.id == 1)
        return session.scalars(query.with_for_update() if lock else query).one()
