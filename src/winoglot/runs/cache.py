"""Scores that were computed before: by model, settings, texts and window, so that nothing is scored twice."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from typing import TYPE_CHECKING

from winoglot._version import __version__
from winoglot.models._cache import cache_folder
from winoglot.models.base import Question, Scores, Solver

if TYPE_CHECKING:
    from collections.abc import Sequence

_TABLE = "CREATE TABLE IF NOT EXISTS scores (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID"


class ScoreCache:
    """A table in the user's cache folder; where it cannot be written, everything is just computed."""

    def __init__(self) -> None:
        """Open it, or do without."""
        self.connection: sqlite3.Connection | None = None
        try:
            cache_folder().mkdir(parents=True, exist_ok=True)
            self.connection = sqlite3.connect(cache_folder() / "scores.sqlite", timeout=10, isolation_level=None)
            self.connection.execute("PRAGMA journal_mode=WAL")
            self.connection.execute(_TABLE)
        except (OSError, sqlite3.Error):
            self.connection = None

    def get(self, keys: Sequence[str]) -> dict[str, Scores]:
        """What is known of these."""
        if self.connection is None:
            return {}
        found = {}
        try:
            for key in keys:
                row = self.connection.execute("SELECT value FROM scores WHERE key = ?", (key,)).fetchone()
                if row:
                    values, note, skipped = json.loads(row[0])
                    found[key] = Scores(tuple(values), note, skipped)
        except (sqlite3.Error, ValueError, TypeError):
            self.connection = None  # a broken cache is no reason to fail
        return found

    def put(self, scores: dict[str, Scores]) -> None:
        """Keep these."""
        if self.connection is None:
            return
        rows = [(key, json.dumps([one.values, one.note, one.skipped])) for key, one in scores.items()]
        try:
            self.connection.execute("BEGIN")
            self.connection.executemany("INSERT OR REPLACE INTO scores VALUES (?, ?)", rows)
            self.connection.execute("COMMIT")
        except sqlite3.Error:
            self.connection = None


def key_of(solver: Solver, question: Question, scoring: str) -> str:
    """Everything that a score depends on."""
    settings = sorted((name, str(value)) for name, value in solver.settings.items())
    parts = [
        __version__,
        solver.fingerprint,
        settings,
        scoring,
        [reading.text for reading in question.readings],
        [len(reading.before) for reading in question.readings],
        [len(reading.inserted) for reading in question.readings],
        len(question.window.text),
        question.language,
        question.item.hash,
        question.item.question,
    ]
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False).encode()).hexdigest()
