"""The database of a study, on SQLite and on PostgreSQL."""

from datetime import UTC

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text

from cases import listed
from study.participants import a_person, a_study, answer_all, small_collection
from winoglot.errors import InputError
from winoglot.study.answers import read_answers
from winoglot.study.database import create_storage, open_storage
from winoglot.study.settings import StudySettings
from winoglot.study.storage import Storage, Study, StudyTable


def _study(name: str = "pilot") -> Study:
    settings = StudySettings(kinds=("tense",), page_language="pt")
    values = {"stored_settings": settings.as_json(), "collection": "", "collection_name": "c", "language": "pt"}
    return Study(id=1, name=name, token_hash="", **values)


def test_what_was_written_is_there_when_the_database_is_opened_again(database: str) -> None:
    with create_storage(database) as storage, storage.writing() as session:
        session.add(_study())
    with open_storage(database) as storage, storage.reading() as session:
        study = storage.study(session)
    assert study.settings == StudySettings(kinds=("tense",), page_language="pt")
    assert study.created.tzinfo == UTC
    with pytest.raises(InputError, match="already"):  # one database holds one study
        create_storage(database)


def test_a_block_that_fails_leaves_nothing(database: str) -> None:
    def fail(storage: Storage) -> None:
        with storage.writing() as session:
            session.add(_study())
            session.flush()
            raise RuntimeError

    with create_storage(database) as storage:
        with pytest.raises(RuntimeError):
            fail(storage)
        with storage.reading() as session:
            assert session.get(Study, 1) is None


def test_migrations_make_the_tables_that_the_program_uses_and_keep_answers(database: str) -> None:
    with a_study(database, small_collection(4), training=0, checks=0) as storage:
        answer_all(storage, a_person(storage))
        before = read_answers(storage).all_answers
        with storage.engine.connect() as connection:
            assert compare_metadata(MigrationContext.configure(connection), StudyTable.metadata) == []
        with storage.writing() as session:  # as in the first version
            session.execute(text("DROP TABLE item_decision"))
            for table in ("task", "decision"):
                session.execute(text(f"ALTER TABLE {table} DROP COLUMN further"))
            session.execute(text("UPDATE alembic_version SET version_num = '0001'"))
    with open_storage(database) as storage, storage.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), StudyTable.metadata) == []
        assert read_answers(storage).all_answers == before


def test_creating_a_study_can_be_interrupted_and_repeated(database: str) -> None:
    for _ in range(2):
        with pytest.raises(InputError, match="there is no study in"):
            open_storage(database)
        create_storage(database).engine.dispose()


@listed
def test_addresses_that_cannot_be_used(address: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        create_storage(address)
    assert "hunter2" not in str(caught.value)  # a password
