"""The database of a study: its tables, and transactions after which nothing that was acknowledged can be lost.

One database holds one study. SQLite (the default) and PostgreSQL are used through the same tables. What was asked is a
`Task`: one person, one problem, one part of the study; its row also holds the present answer, so that there is exactly
one. Every decision that led to it is a `Decision`, which is only ever added.
"""

from __future__ import annotations

import secrets
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from sqlalchemy import JSON, DateTime, ForeignKey, Index, UniqueConstraint, create_engine, event, select, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, relationship
from sqlalchemy.types import TypeDecorator

from winoglot.errors import InputError
from winoglot.study.settings import StudySettings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Dialect
    from sqlalchemy.engine import URL, Connection, Engine

_MIGRATIONS = Path(__file__).parent / "migrations"
_BUSY_SECONDS = 30  # how long a SQLite transaction waits for another one

# What a problem is for; attention checks are asked among the test problems.
TRAINING, TEST, CHECK = ("training", "test", "check")
# What a task can belong to besides training and test.
VERIFICATION, EXPERT = ("verification", "expert")
# What a person can say when a problem is shown again, and an expert about a problem that the majority missed.
KEEP, MISTAKE, REASON, TOO_AMBIGUOUS = VERDICTS = ("keep", "mistake", "reason", "too-ambiguous")
PILOT, OPEN, CLOSED = STATES = ("pilot", "open", "closed")


def now() -> datetime:
    """The time, as all tables store it."""
    return datetime.now(UTC)


def new_token() -> str:
    """What opens a personal link or the dashboard: 192 random bits, so that nobody can guess it."""
    return secrets.token_urlsafe(24)


def token_hash(token: str) -> str:
    """What is stored of a token. It has too many random bits to be found by trying, so a plain hash is enough."""
    return sha256(token.encode(errors="surrogatepass")).hexdigest()


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
    """Base of all tables."""

    type_annotation_map: ClassVar[Any] = {datetime: _Moment(), dict[str, Any]: JSON(), list[int]: JSON()}


class Study(StudyTable):
    """The study: one row."""

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

    task: Mapped[Task] = relationship(back_populates="decisions")


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

    def __init__(self, url: URL) -> None:
        """Open; `open_storage` and `create_storage` also look at what is there."""
        self.url = url
        self.engine = _engine(url)

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
        connection = self.engine.connect().execution_options(winoglot_writes=True)
        with connection, Session(connection, expire_on_commit=False) as session, session.begin():
            yield session

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


def create_storage(url: str) -> Storage:
    """A new database for a study: a new SQLite file, or an empty PostgreSQL database."""
    address = _url(url)
    place = _file(address)
    if place is not None and not place.exists():
        _make_private(place)
    return _opened(address, new=True)


def open_storage(url: str) -> Storage:
    """The database of an existing study, brought up to date if an earlier version of Winoglot created it."""
    address = _url(url)
    place = _file(address)
    if place is not None and not place.exists():
        raise _no_study(address)
    storage = _opened(address, new=False)
    _ = storage.settings, storage.problems  # now: transactions that need them hold a connection already
    return storage


def _opened(url: URL, *, new: bool) -> Storage:
    storage = Storage(url)
    try:
        exists = _revision(storage.engine) is not None and _has_study(storage)
        if exists and new:
            raise InputError(f"there is a study in {_shown(url)} already", remedy="Give each study its own database.")
        if not exists and not new:
            raise _no_study(url)
        migrate(storage.engine)
    except DBAPIError as error:
        storage.engine.dispose()
        reason = str(error.orig).strip().splitlines()[0]
        remedy = "Check the address, that the server is running, and that you may write there."
        raise InputError(f"the database {_shown(url)} cannot be used: {reason}", remedy=remedy) from error
    except InputError:
        storage.engine.dispose()
        raise
    return storage


def _no_study(url: URL) -> InputError:
    remedy = "Create one: winoglot study create COLLECTION --name NAME --db DATABASE."
    return InputError(f"there is no study in {_shown(url)}", remedy=remedy)


def migrate(engine: Engine) -> None:
    """Create the tables, or change those of an earlier version to the present ones."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    with engine.connect().execution_options(winoglot_writes=True) as connection, connection.begin():
        if engine.dialect.name == "postgresql":  # one migration at a time, however many servers start
            connection.execute(text("SELECT pg_advisory_xact_lock(20200521)"))
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def _revision(engine: Engine) -> str | None:
    from alembic.migration import MigrationContext

    with engine.connect() as connection:
        return MigrationContext.configure(connection).get_current_revision()


def _has_study(storage: Storage) -> bool:
    """Whether creating it was not interrupted."""
    with storage.reading() as session:
        return session.scalar(select(Study.id)) is not None


def _url(given: str) -> URL:
    """A URL, or the path of a SQLite file."""
    if "://" not in given:
        return make_url("sqlite://").set(database=given)
    try:
        url = make_url(given)
    except ArgumentError:
        url = None
    if url is None or url.get_backend_name() not in ("sqlite", "postgresql"):
        raise InputError(
            "the database is neither SQLite nor PostgreSQL",
            remedy="Give a file, as in --db study.db, or postgresql://user@host/name.",
        )
    if url.drivername == "postgresql":
        url = url.set(drivername="postgresql+psycopg")
    if url.get_backend_name() == "sqlite" and not url.database:
        raise InputError("a study in memory would be lost", remedy="Give a file, as in --db study.db.")
    return url


def _file(url: URL) -> Path | None:
    return Path(url.database or "") if url.get_backend_name() == "sqlite" else None


def _make_private(place: Path) -> None:
    """An empty file that other users of the machine cannot read; SQLite makes its journal like it."""
    try:
        place.touch(0o600)
    except OSError as error:
        remedy = "Check the path, and that you may write there."
        raise InputError(f"the database {place} cannot be created: {error.strerror}", remedy=remedy) from error


def _shown(url: URL) -> str:
    """For messages: the file, or the address without its password."""
    return str(_file(url) or url.set(drivername="postgresql").render_as_string(hide_password=True))


def _engine(url: URL) -> Engine:
    if url.get_backend_name() == "postgresql":
        return create_engine(url, pool_size=10, max_overflow=10, pool_pre_ping=True, hide_parameters=True)
    engine = create_engine(url, connect_args={"timeout": _BUSY_SECONDS}, hide_parameters=True)

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # this module says BEGIN itself
        # What is deleted is overwritten in the file, not only marked as free.
        for setting in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "secure_delete = ON"):
            connection.execute(f"PRAGMA {setting}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("winoglot_writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine
