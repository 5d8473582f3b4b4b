"""Databases that are damaged, of a newer version or of another program: every command says so, and none fails."""

import re
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from study.answered import fill
from study.participants import a_study, small_collection
from winoglot.errors import InputError
from winoglot.study.create import create_study
from winoglot.study.database import create_storage, open_storage
from winoglot.study.settings import AGE, StudySettings

COMMANDS = (
    "token",
    "pilot",
    "open",
    "close",
    "results",
    "results --json",
    "issues",
    "invite --count 1 --expert",
    "revoke NUMBER",
    "delete NUMBER --yes",
    "export -o FOLDER/export",
    "export --to jspsych -o FOLDER/jspsych",
    "run -o FOLDER/runs",
    "codes",
)


def _sql(*statements: str) -> Callable[[Path], None]:
    def damage(file: Path) -> None:
        with sqlite3.connect(file, isolation_level=None) as connection:
            connection.execute("PRAGMA foreign_keys = OFF")
            connection.execute("PRAGMA writable_schema = ON")
            for statement in statements:
                connection.execute(statement)
        connection.close()

    return damage


def _cut(share: float) -> Callable[[Path], None]:
    return lambda file: file.write_bytes(file.read_bytes()[: int(share * file.stat().st_size)])


def _overwrite(start: float, content: bytes) -> Callable[[Path], None]:
    def damage(file: Path) -> None:
        stored = bytearray(file.read_bytes())
        at = int(start * len(stored))
        stored[at : at + len(content)] = content
        file.write_bytes(stored)

    return damage


TABLES = ("study", "problem", "participant", "task", "decision", "item_decision", "failed_login", "researcher_session")
DAMAGE: dict[str, Callable[[Path], None]] = {
    "a newer version": _sql("UPDATE alembic_version SET version_num = '9001'"),
    "two versions": _sql("INSERT INTO alembic_version VALUES ('0001')"),
    "no version": _sql("DELETE FROM alembic_version"),
    "another column for the version": _sql("ALTER TABLE alembic_version RENAME version_num TO version"),
    "empty": lambda file: file.write_bytes(b""),
    "a text": lambda file: file.write_text("This is not a database, but it is long enough to be one." * 20),
    "a folder": lambda file: (file.unlink(), file.mkdir()),
    "only its header": _cut(0.001),
    **{f"cut at {share}": _cut(share) for share in (0.1, 0.3, 0.5, 0.7, 0.9, 0.99)},
    **{f"zeros at {start}": _overwrite(start, bytes(4096)) for start in (0, 0.02, 0.2, 0.5, 0.8)},
    **{f"without {table}": _sql(f"DROP TABLE {table}") for table in TABLES},
    **{
        f"{table} without {column}": _sql(f"ALTER TABLE {table} RENAME {column} TO other")
        for table, column in (
            ("study", "state"),
            ("study", "stored_settings"),
            ("problem", "content"),
            ("participant", "background"),
            ("participant", "seen"),
            ("task", "seconds"),
            ("decision", "submission"),
            ("item_decision", "note"),
            ("researcher_session", "expires"),
        )
    },
    **{
        change: _sql(f"UPDATE {change}")
        for change in (
            "study SET id = 2",
            "study SET stored_settings = '{}'",
            "study SET stored_settings = '[1'",
            "study SET stored_settings = json_set(stored_settings, '$.participants', 'many')",
            "study SET stored_settings = json_set(stored_settings, '$.exclusions', 3)",
            "study SET stored_settings = json_set(stored_settings, '$.per_screen', 0)",
            "study SET state = 'ajar'",
            "study SET created = 'yesterday'",
            "study SET secret = x'ff00'",
            "problem SET content = '{}' WHERE id = 3",
            "problem SET content = 'null' WHERE id = 3",
            "problem SET content = json_set(content, '$.candidates[0]', 5) WHERE id = 3",
            "problem SET answer = 7 WHERE id = 3",
            "problem SET part = 'exam' WHERE id = 3",
            "participant SET background = '[]' WHERE id = 2",
            "participant SET consented = 'soon' WHERE id = 2",
            "participant SET number = x'c328' WHERE id = 2",
            "task SET problem_id = 999 WHERE id = 9",
            "task SET participant_id = 999 WHERE id = 9",
            "task SET choice = 9 WHERE id = 9",
            "task SET choice = 'first' WHERE id = 9",
            "task SET \"order\" = '[0, 0]' WHERE id = 9",
            "task SET verdict = 'hm' WHERE id = 9",
            "task SET seconds = 'long' WHERE id = 9",
            "decision SET at = 5 WHERE id = 9",
        )
    },
}


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study that people have answered."""
    file = tmp_path_factory.mktemp("sound") / "study.db"
    settings = StudySettings(training=1, problems=6, checks=2, completion_code=True, background=(AGE,))
    with create_study(small_collection(), "Rooms", str(file), settings)[0] as storage:
        fill(storage, people=8)
    return file


def _numbers(file: Path) -> list[str]:
    with sqlite3.connect(file) as connection:
        numbers = [number for (number,) in connection.execute("SELECT number FROM participant")]
    connection.close()
    return numbers


def test_a_sound_database_is_accepted_by_every_command(sound: Path, tmp_path: Path, run_winoglot) -> None:
    file = shutil.copy(sound, tmp_path / "study.db")
    first, second, *_ = _numbers(Path(file))
    for number, command in zip((first, second) * len(COMMANDS), COMMANDS, strict=False):
        words = command.replace("NUMBER", number).replace("FOLDER", str(tmp_path)).split()
        code, _, err = run_winoglot("study", *words, "--db", str(file))
        assert code == 0, (command, err)


@pytest.mark.parametrize("damage", DAMAGE)
def test_every_command_refuses_a_damaged_database(sound: Path, tmp_path: Path, run_winoglot, damage: str) -> None:
    file = Path(shutil.copy(sound, tmp_path / "study.db"))
    number = _numbers(file)[0]
    DAMAGE[damage](file)
    others = COMMANDS if damage in ("a newer version", "cut at 0.5") else [Random(damage).choice(COMMANDS)]
    for command in ("serve", "results", *others):
        words = command.replace("NUMBER", number).replace("FOLDER", str(tmp_path)).split()
        code, out, err = run_winoglot("study", *words, "--db", str(file))
        assert code == 2, (command, out, err)
        assert re.search(r"study\.db.*\. \w", " ".join(err.split())), (command, err)  # the file, and what to do


def test_changed_bytes_never_make_a_command_fail(sound: Path, tmp_path: Path, run_winoglot) -> None:
    """A few bytes anywhere: the database is refused, or what is read makes sense."""
    rng, refused = Random(39), 0
    for number in range(80):
        file = Path(shutil.copy(sound, tmp_path / f"study-{number}.db"))
        stored = bytearray(file.read_bytes())
        for _ in range(rng.choice((1, 3, 30))):
            stored[rng.randrange(len(stored))] ^= 1 << rng.randrange(8)
        file.write_bytes(stored)
        try:
            open_storage(str(file)).engine.dispose()
        except InputError:
            refused += 1
            continue
        for command in ("results", "issues", "export -o FOLDER", "run -o FOLDER-runs"):
            words = command.replace("FOLDER", f"{tmp_path}/{number}").split()
            code, out, err = run_winoglot("study", *words, "--db", str(file))
            assert code in (0, 2), (number, command, out, err)
    assert refused > 10


@pytest.mark.parametrize("journal", ["delete", "wal"])
def test_another_programs_database_stays_as_it_is(tmp_path: Path, journal: str) -> None:
    file = tmp_path / "places.sqlite"
    with sqlite3.connect(file) as connection:
        connection.execute(f"PRAGMA journal_mode = {journal}")
        connection.execute("CREATE TABLE places (url TEXT)")
    connection.close()
    before = file.read_bytes()
    with pytest.raises(InputError, match="there is no study in"):
        open_storage(str(file))
    with pytest.raises(InputError, match="holds something else"):
        create_storage(str(file))
    assert file.read_bytes() == before


def test_another_programs_tables_in_postgresql_stay_as_they_are(postgres: str) -> None:
    import psycopg

    with psycopg.connect(f"{postgres}/postgres", autocommit=True) as connection:
        connection.execute("CREATE SCHEMA places")
        connection.execute("CREATE TABLE places.places (url TEXT)")
    with pytest.raises(InputError, match="holds something else"):
        create_storage(f"{postgres}/postgres?options=-csearch_path%3Dplaces")


def test_a_newer_version_in_either_database(database: str) -> None:
    from sqlalchemy import text

    with a_study(database) as storage, storage.writing() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9001'"))
    with pytest.raises(InputError, match="newer version"):
        open_storage(database)
