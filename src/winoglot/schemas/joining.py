"""Several items in one entry of the notation: what they share once, where they differ in brackets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

Entry = dict[str, Any]


def join_values(key: str, values: list[Any]) -> Any | None:
    """One value for all alternatives, in the form its key takes; None where there is no such form."""
    same = all(value == values[0] for value in values)
    even = all(isinstance(value, list) for value in values) and len({len(value) for value in values}) == 1
    match key:
        case "answer" | "readings":
            return values
        case "question" | "hypotheses":
            return values[0] if same and values[0] else values
        case "candidates" if even:
            return [_link(column) for column in zip(*values, strict=True)]
        case "mentions" if even:
            return [_link_mentions(column) for column in zip(*values, strict=True)]
        case "terms":
            return _join_terms(values)
        case "phrase" if all(values):
            return _link(values)
        case "features" | "tags" if same:
            return values[0]
        case _:
            return None


def join_texts(rows: list[list[str]]) -> str | None:
    """Shared pieces once, differing ones in brackets; the longer of two shared ones has the space of an absent word."""
    if len({len(row) for row in rows}) > 1 or (len(rows) > 1 and len(rows[0]) == 1):
        return None
    result = ""
    for number, column in enumerate(zip(*rows, strict=True)):
        result += f"[{'|'.join(column)}]" if number % 2 else max(column, key=len)
    return result


def _link(values: Sequence[str]) -> str:
    return values[0] if all(value == values[0] for value in values) else f"[{'|'.join(values)}]"


def _link_mentions(rows: Sequence[list[str]]) -> list[str]:
    longest = max(map(len, rows))
    padded = [row + [""] * (longest - len(row)) for row in rows]
    return [_link(column) for column in zip(*padded, strict=True)]


def _join_terms(rows: list[Entry]) -> Entry:
    result: Entry = {}
    candidates = [row.get("candidates", []) for row in rows]
    if all(candidates) and len({len(terms) for terms in candidates}) == 1:
        result["candidates"] = [_link(column) for column in zip(*candidates, strict=True)]
    segment = [row.get("segment") for row in rows]
    if any(segment):
        result["segment"] = segment
    return result
