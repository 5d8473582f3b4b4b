"""Answers to questions that not every study asks."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add a column to tasks and decisions; earlier studies ask no such questions."""
    for table in ("task", "decision"):
        op.add_column(table, sa.Column("further", sa.JSON(), nullable=False, server_default="{}"))
