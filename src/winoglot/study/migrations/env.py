"""Alembic runs this file. The connection comes from `winoglot.study.database.migrate`."""

from alembic import context

from winoglot.study.storage import StudyTable

context.configure(
    connection=context.config.attributes["connection"], target_metadata=StudyTable.metadata, render_as_batch=True
)
with context.begin_transaction():
    context.run_migrations()
