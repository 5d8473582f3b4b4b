"""Databases that are damaged, of a newer version or of another program: every command says so, and none fails."""

import re
import shutil
import sqlite3
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cases import for_each, listed
from study.answered import fill
from study.participants import small_collection
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


def _cut(share: float) -> Callable[[Path], None]:
    return lambda file: file.write_bytes(file.read_bytes()[: int(share * file.stat().st_size)])


def _overwrite(start: float, content: bytes) -> Callable[[Path], None]:
    def damage(file: Path) -> None:
        stored = bytearray(file.read_bytes())
        at = int(start * len(stored))
        stored[at : at + len(content)] = content
        file.write_bytes(stored)

    return damage


DAMAGE: dict[str, Callable[[Path], Any]] = {
    "empty": lambda file: file.write_bytes(b""),
    "a text": lambda file: file.write_text("This is not a database, but it is long enough to be one." * 20),
    "a folder": lambda file: (file.unlink(), file.mkdir()),
    **{f"cut at {share}": _cut(share) for share in (0.001, 0.1, 0.5, 0.9, 0.99)},
    **{f"zeros at {start}": _overwrite(start, bytes(4096)) for start in (0, 0.02, 0.2, 0.8)},
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


@pytest.fixture
def copy(sound: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(sound, tmp_path / "study.db"))


@pytest.fixture
def study_command(copy: Path, run_winoglot) -> Callable[[str], tuple[int, str, str]]:
    """Run a command on the copy, about one of its people."""
    number = _numbers(copy)[0]

    def run(command: str) -> tuple[int, str, str]:
        words = command.replace("NUMBER", number).replace("FOLDER", str(copy.parent)).split()
        return run_winoglot("study", *words, "--db", str(copy))

    return run


def _is_refused(study_command, commands: Iterable[str]) -> None:
    for command in commands:
        code, out, err = study_command(command)
        assert code == 2, (command, out, err)
        assert re.search(r"study\.db.*\. \w", " ".join(err.split())), (command, err)  # the file, and what to do


@pytest.mark.parametrize("damage", DAMAGE)
def test_every_command_refuses_a_damaged_database(copy: Path, study_command, damage: str) -> None:
    DAMAGE[damage](copy)
    others = COMMANDS if damage == "cut at 0.5" else [Random(damage).choice(COMMANDS)]
    _is_refused(study_command, ("serve", "results", *others))


@listed
def test_every_command_refuses_a_database_that_somebody_changed(change: str, copy: Path, study_command) -> None:
    with sqlite3.connect(copy, isolation_level=None) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(change)
    connection.close()
    others = COMMANDS if "9001" in change else [Random(change).choice(COMMANDS)]
    _is_refused(study_command, ("serve", "results", *others))


def test_changed_bytes_never_make_a_command_fail(sound: Path, copy: Path, study_command) -> None:
    """A few bytes anywhere: the database is refused, or what is read makes sense."""
    rng, refused = Random(39), 0
    for number in range(80):
        stored = bytearray(sound.read_bytes())
        for _ in range(rng.choice((1, 3, 30))):
            stored[rng.randrange(len(stored))] ^= 1 << rng.randrange(8)
        for journal in copy.parent.glob("study.db-*"):
            journal.unlink()
        copy.write_bytes(stored)
        try:
            open_storage(str(copy)).engine.dispose()
        except InputError:
            refused += 1
            continue
        for command in ("results", "issues", f"export -o FOLDER/{number}", f"run -o FOLDER/{number}-runs"):
            code, out, err = study_command(command)
            assert code in (0, 2), (number, command, out, err)
    assert refused > 10


@for_each("journal", ["delete", "wal"])
def test_another_programs_database_stays_as_it_is(tmp_path: Path, journal: str) -> None:
    file = tmp_path / f"{journal}.sqlite"
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
