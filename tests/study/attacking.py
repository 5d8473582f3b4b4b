"""What attackers write, a collection full of it, and a reader that finds markup which is not ours."""

import re
from html.parser import HTMLParser
from typing import Any

from sqlalchemy import func, select

from winoglot.schemas.model import Candidate, Collection, Item, Schema, Span
from winoglot.study.storage import Storage, StudyTable

MARKUP = """'"></p></textarea><script>alert(1)</script><img src=x onerror=alert(1)>{{7*7}}${7*7}%(name)s"""
SQL = "'); DROP TABLE task; DELETE FROM participant WHERE '1'='1'; --"
TAGS = frozenset(
    """a b blockquote body br button code dd details div dl dt em form h1 h2 h3 h4 head header hr html input kbd label
    li link main mark meta ol option p pre nav progress rect script section select small
    span strong summary svg table tbody td text textarea th thead title tr ul caption circle g line footer""".split()  # noqa: SIM905
)


class _Markup(HTMLParser):
    """Elements and attributes that no page of ours has."""

    def __init__(self) -> None:
        super().__init__()
        self.wrong: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.wrong += [tag] * (tag not in TAGS)
        self.wrong += [f"{name}={value}" for name, value in given.items() if name.startswith("on") or name == "style"]
        for name in ("href", "src", "action", "formaction"):
            if not re.match(r"/(?!/)|#|$", given.get(name, "")):
                self.wrong.append(f"{name}={given[name]}")
        self.wrong += ["script"] * (tag == "script" and not given.get("src", "").startswith("/static/"))


def wrong_markup(html: str) -> list[str]:
    reader = _Markup()
    reader.feed(html)
    return reader.wrong


def counts(storage: Storage) -> dict[str, int]:
    with storage.reading() as session:
        return {
            name: session.scalar(select(func.count()).select_from(one)) or 0
            for name, one in StudyTable.metadata.tables.items()
        }


def evil_collection() -> Collection:
    schemas = []
    for number in range(6):
        items = []
        for version in range(2):
            text = f"Ana {MARKUP} thanked Eva {SQL} in {number} because she {version}"
            at = text.index("she")
            names = (Candidate(f"Ana{MARKUP}"), Candidate(f"=Eva{SQL}"))
            question = f"Who {MARKUP}?"
            values: dict[str, Any] = {"pronoun": Span(at, at + 3), "candidates": names, "question": question}
            items.append(Item(f"evil-{number}.{version}", f"evil-{number}", text=text, answer=version, **values))
        schemas.append(Schema(f"evil-{number}", tuple(items), explanation=f"Because {MARKUP}"))
    return Collection("evil", "en", tuple(schemas))
