"""Where a study's database is: a SQLite file or PostgreSQL, created, or opened and brought up to date."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import JSON, create_engine, event, inspect, select, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

from winoglot.errors import InputError
from winoglot.study.settings import StudySettings
from winoglot.study.storage import (
    BUSY_SECONDS,
    CHECK,
    EXPERT,
    MOST_WRITERS,
    STATES,
    TEST,
    TRAINING,
    VERDICTS,
    VERIFICATION,
    Storage,
    Study,
    StudyTable,
)

if TYPE_CHECKING:
    from alembic.config import Config
    from sqlalchemy import Table
    from sqlalchemy.engine import URL, Connection, Engine

_MIGRATIONS = Path(__file__).parent / "migrations"
_RESTORE = "restore a backup, or save what can be read with sqlite3 FILE .recover."


def create_storage(url: str) -> Storage:
    """A new database for a study: a new SQLite file, or an empty PostgreSQL database."""
    address = _url(url)
    place = _file(address)
    if place is not None and not place.exists():
        _make_private(place)
    return _open_database(address, new=True)


def open_storage(url: str) -> Storage:
    """The database of an existing study, brought up to date if an earlier version of Winoglot created it."""
    address = _url(url)
    place = _file(address)
    if place is not None and not place.exists():
        raise _no_study(address)
    return _open_database(address, new=False)


def unusable(url: URL, error: DBAPIError) -> InputError:
    """What to say when a database fails."""
    reason = str(error.orig).strip().partition("\n")[0]
    remedy = "Check the address, that the server is running, and that you may write there."
    if url.get_backend_name() == "sqlite":
        remedy = f"Check that you may write there and that the disk is not full; if it is damaged: {_RESTORE}"
    return InputError(f"the database {_display_name(url)} cannot be used: {reason}", remedy=remedy)


def _open_database(url: URL, *, new: bool) -> Storage:
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
        raise unusable(url, error) from error
    except UnicodeDecodeError as error:  # a name of a table, or a message about it
        storage.engine.dispose()
        raise _damage_error(url, "its texts cannot be read") from error
    except InputError:
        storage.engine.dispose()
        raise
    return storage


def _prepare(storage: Storage, url: URL, *, new: bool) -> None:
    """Bring a study's tables up to date; whatever is not a study is left as it is."""
    if not new and url.get_backend_name() == "sqlite":
        _check_pages(storage.engine, url)
    exists = _is_ours(storage.engine, url, new=new) and _has_study(storage, url)
    if exists and new:
        raise InputError(
            f"there is a study in {_display_name(url)} already", remedy="Give each study its own database."
        )
    if not exists and not new:
        raise _no_study(url)
    if url.get_backend_name() == "sqlite":
        _write_ahead(storage.engine)
    migrate(storage.engine)
    if not new:
        _check_tables(storage.engine, url)
        if url.get_backend_name() == "sqlite":
            _check_rows(storage, url)
        _ = storage.settings, storage.problems  # now: transactions that need them hold a connection already


def _no_study(url: URL) -> InputError:
    remedy = "Create one: winoglot study create COLLECTION --name NAME --db DATABASE."
    return InputError(f"there is no study in {_display_name(url)}", remedy=remedy)


def migrate(engine: Engine) -> None:
    """Create the tables, or change those of an earlier version to the present ones."""
    from alembic import command

    config = _config()
    with engine.connect().execution_options(winoglot_writes=True) as connection, connection.begin():
        if engine.dialect.name == "postgresql":  # one migration at a time, however many servers start
            connection.execute(text("SELECT pg_advisory_xact_lock(20200521)"))
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def _config() -> Config:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    return config


def _is_ours(engine: Engine, url: URL, *, new: bool) -> bool:
    """Whether there are tables of ours; an error if they are of a version that is not known here."""
    from alembic.script import ScriptDirectory

    names = set(inspect(engine).get_table_names())
    if not {"alembic_version", Study.__tablename__} <= names:
        if new and names:
            remedy = "Give a new file, or an empty PostgreSQL database."
            raise InputError(f"the database {_display_name(url)} holds something else", remedy=remedy)
        return False
    with engine.connect() as connection:
        versions = connection.scalars(text("SELECT version_num FROM alembic_version")).all()
    revisions = {script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions()}
    if len(versions) != 1:
        raise _damage_error(url, f"it has {len(versions)} versions instead of one")
    if versions[0] not in revisions:
        raise InputError(
            f"the database {_display_name(url)} was made by a newer version of Winoglot, or by another program: "
            f"version {versions[0]!r} of its tables is unknown",
            remedy="Update Winoglot: pip install --upgrade 'winoglot[study]'.",
        )
    return True


def _has_study(storage: Storage, url: URL) -> bool:
    """Whether creating it was not interrupted."""
    with storage.reading() as session:
        ids = session.scalars(select(Study.id)).all()
    if ids not in ([], [1]):
        raise _damage_error(url, f"it has {len(ids)} rows about the study instead of one")
    return bool(ids)


def _damage_error(url: URL, what: str) -> InputError:
    return InputError(
        f"the database {_display_name(url)} is damaged: {what}", remedy=_RESTORE[0].upper() + _RESTORE[1:]
    )


def _check_pages(engine: Engine, url: URL) -> None:
    """A SQLite file that is cut short or has changed bytes may still answer some queries, wrongly."""
    with engine.connect() as connection:
        wrong = connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar()
        if wrong != "ok":
            raise _damage_error(url, str(wrong).replace("\n", " "))
        if row := connection.exec_driver_sql("PRAGMA foreign_key_check").first():
            raise _damage_error(url, f"row {row[1]} of {row[0]} is about a row of {row[2]} that does not exist")


def _check_tables(engine: Engine, url: URL) -> None:
    inspector = inspect(engine)
    names = set(inspector.get_table_names())
    for table in StudyTable.metadata.sorted_tables:
        if table.name not in names:
            raise _damage_error(url, f"the table {table.name!r} is missing")
        columns = {column["name"] for column in inspector.get_columns(table.name)}
        if missing := [column.name for column in table.columns if column.name not in columns]:
            raise _damage_error(url, f"the column {missing[0]!r} of {table.name!r} is missing")


def _check_rows(storage: Storage, url: URL) -> None:
    """SQLite stores any value in any column, so every row is read once."""
    candidates: dict[int, int] = {}
    with storage.reading() as session:
        for table in StudyTable.metadata.sorted_tables:
            try:
                faults = (_fault(table, row, candidates) for row in session.execute(select(table)))
                fault = next(filter(None, faults), "")
            except (ValueError, TypeError, KeyError) as error:  # a date, JSON or settings that nobody can read
                fault = f"a value cannot be read ({error})"
            if fault:
                raise _damage_error(url, f"{table.name}: {fault}")


def _fault(table: Table, row: Any, candidates: dict[int, int]) -> str:
    """What is wrong with a row; `candidates` counts those of each problem, which come before the tasks."""
    for column, value in zip(table.columns, row, strict=True):
        expected = column.type.python_type
        if isinstance(column.type, JSON):
            expected = list if column.name == "order" else dict
        if not (isinstance(value, expected) or (value is None and column.nullable)):
            return f"{column.name} of row {row[0]} is {value!r}"
    makes_sense = True
    match table.name:
        case "study":
            StudySettings.from_json(row.stored_settings)
            makes_sense = row.state in STATES
        case "problem":
            texts = row.content["candidates"]
            candidates[row.id] = len(texts)
            words = [*texts, *(row.content[name] for name in ("before", "pronoun", "after"))]
            makes_sense = all(isinstance(word, str) for word in words) and "question" in row.content
            makes_sense = makes_sense and row.part in (TRAINING, TEST, CHECK) and 0 <= row.answer < len(texts)
        case "participant":
            makes_sense = all(isinstance(answer, str) for answer in row.background.values())
        case "task":
            indices = range(candidates[row.problem_id])
            makes_sense = row.part in (TRAINING, TEST, VERIFICATION, EXPERT) and sorted(row.order) == list(indices)
            makes_sense = makes_sense and row.choice in (None, *indices) and row.verdict in (None, *VERDICTS)
    return "" if makes_sense else f"row {row[0]} makes no sense"


def _url(address: str) -> URL:
    """A URL, or the path of a SQLite file."""
    try:
        url = make_url(address) if "://" in address else make_url("sqlite://").set(database=address)
    except ArgumentError:
        url = None
    if url is None or url.get_backend_name() not in ("sqlite", "postgresql"):
        raise InputError(
            "the database is neither SQLite nor PostgreSQL",
            remedy="Give a file, as in --db study.db, or postgresql://user@host/name.",
        )
    if url.drivername == "postgresql":
        url = url.set(drivername="postgresql+psycopg")
    if url.get_backend_name() == "sqlite" and url.database in (None, "", ":memory:"):
        raise InputError("a study in memory would be lost", remedy="Give a file, as in --db study.db.")
    if url.get_backend_name() == "sqlite" and url.query:  # `uri=true&mode=memory` among them
        raise InputError("a SQLite file has no options", remedy="Give the file alone, as in --db study.db.")
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


def _display_name(url: URL) -> str:
    """The name of a database in messages: the file, or the address without its password."""
    return str(_file(url) or url.set(drivername="postgresql").render_as_string(hide_password=True))


def _write_ahead(engine: Engine) -> None:
    """Readers do not wait for writers from now on: the file remembers it."""
    connection = engine.raw_connection()
    try:
        connection.execute("PRAGMA journal_mode = WAL")
    finally:
        connection.close()


def _engine(url: URL) -> Engine:
    pool = {"pool_size": MOST_WRITERS, "max_overflow": 10}  # as many to read with as to write with
    if url.get_backend_name() == "postgresql":
        return create_engine(url, **pool, pool_pre_ping=True, hide_parameters=True)
    engine = create_engine(url, **pool, connect_args={"timeout": BUSY_SECONDS}, hide_parameters=True)

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # this module says BEGIN itself
        # What is deleted is overwritten in the file, not only marked as free.
        for setting in ("synchronous = FULL", "foreign_keys = ON", "secure_delete = ON"):
            connection.execute(f"PRAGMA {setting}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("winoglot_writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine
