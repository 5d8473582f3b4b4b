"""Where a study's database is: a SQLite file or PostgreSQL, created, or opened and brought up to date."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import create_engine, event, select, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

from winoglot.errors import InputError
from winoglot.study.storage import Storage, Study

if TYPE_CHECKING:
    from sqlalchemy.engine import URL, Connection, Engine

_MIGRATIONS = Path(__file__).parent / "migrations"
_BUSY_SECONDS = 30  # how long a SQLite transaction waits for another one


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
    return _opened(address, new=False)


def _opened(url: URL, *, new: bool) -> Storage:
    storage = Storage(_engine(url))
    try:
        try:
            _prepare(storage, url, new=new)
        except DBAPIError as error:
            if not error.connection_invalidated:
                raise
            _prepare(storage, url, new=new)  # the server ended the connection, to restart perhaps: with a new one
    except DBAPIError as error:
        storage.engine.dispose()
        reason = str(error.orig).strip().splitlines()[0]
        remedy = "Check the address, that the server is running, and that you may write there."
        raise InputError(f"the database {_shown(url)} cannot be used: {reason}", remedy=remedy) from error
    except InputError:
        storage.engine.dispose()
        raise
    return storage


def _prepare(storage: Storage, url: URL, *, new: bool) -> None:
    exists = _revision(storage.engine) is not None and _has_study(storage)
    if exists and new:
        raise InputError(f"there is a study in {_shown(url)} already", remedy="Give each study its own database.")
    if not exists and not new:
        raise _no_study(url)
    migrate(storage.engine)
    if not new:
        _ = storage.settings, storage.problems  # now: transactions that need them hold a connection already


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
