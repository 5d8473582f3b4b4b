"""Predictions in a table: CSV with a head, separated by commas, semicolons or tabs.

Columns: `item_id`; `choice` (a candidate's index from 0, or its text; empty for an abstention) or `score_0`, `score_1`
… (one a candidate, the higher the better), or both, and then the choice counts; `item_hash`, if it is there, must be
the item's.
"""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING

from winoglot.errors import InputError, located
from winoglot.languages.base import function_words
from winoglot.runs._foreign import Answer, by_scores
from winoglot.schemas.text import counted, folded

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from winoglot.schemas.model import Item

_SCORE = re.compile(r"score_([0-9]{1,2})")
_ABSTAINED = frozenset({"", "none", "null", "nan"})


def read(text: str, file: str, items: Mapping[str, Item], tolerance: float) -> Iterator[Answer]:
    """The answers of a table, line by line."""
    separator = max(",;\t", key=text.partition("\n")[0].count)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        head = [name.strip() for name in next(rows, [])]
        with located(file=file, line=1):
            _check_head(head)
        for row in rows:
            if any(cell.strip() for cell in row):
                with located(file=file, line=rows.line_num):
                    yield _answer(rows.line_num, _cells(head, row), items, tolerance)
    except csv.Error as error:
        raise InputError(f"no table: {error}", remedy="Write it as CSV.", file=file, line=rows.line_num) from error


def _check_head(head: list[str]) -> None:
    named = ", ".join(map(repr, head)) or "nothing"
    remedy = "The first line names the columns: item_id and choice, or item_id, score_0 and score_1."
    if "item_id" not in head:
        raise InputError(f"there is no column 'item_id' among {named}", remedy=remedy)
    if "choice" not in head and not any(map(_SCORE.fullmatch, head)):
        raise InputError(f"there is neither 'choice' nor 'score_0' among {named}", remedy=remedy)
    twice = next((name for name in head if head.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"two columns are called {twice!r}", remedy="Rename one of them.")


def _cells(head: list[str], row: list[str]) -> dict[str, str]:
    if len(row) != len(head):
        raise InputError(
            f"the line has {counted(len(row), 'cell')}, the head {len(head)}",
            remedy="Quote cells that hold separators.",
        )
    return {name: cell.strip() for name, cell in zip(head, row, strict=True)}


def _answer(line: int, cells: dict[str, str], items: Mapping[str, Item], tolerance: float) -> Answer:
    label = cells["item_id"]
    item = items.get(label)
    if item is None:
        return Answer(line, label, why="the collection has no such item")
    if cells.get("item_hash", item.hash) != item.hash:
        return Answer(line, label, why=f"the item is another one by now: its hash is {item.hash}")
    scores = _scores(cells, item)
    if "choice" not in cells:
        return by_scores(line, label, item, scores, tolerance)
    choice = _choice(cells["choice"], item)
    known = scores if any(value is not None for value in scores) else ()
    return Answer(line, label, item, choice, known, "" if choice is not None else "abstained")


def _scores(cells: dict[str, str], item: Item) -> tuple[float | None, ...]:
    scores: list[float | None] = [None] * item.candidate_count
    for name, cell in cells.items():
        found = _SCORE.fullmatch(name)
        if not found or not cell:
            continue
        index = int(found.group(1))
        if index >= len(scores):
            raise InputError(f"{item.id} has no candidate {index}", remedy=f"Leave {name} empty here.")
        try:
            scores[index] = float(cell)
        except ValueError as error:
            raise InputError(f"{name} is {cell!r}, not a number", remedy="Write it as -12.5, or nothing.") from error
    return tuple(scores)


def _choice(cell: str, item: Item) -> int | None:
    """The index that a cell gives, as a number or by the candidate's text, its determiner aside."""
    if cell.lower() in _ABSTAINED:
        return None
    if re.fullmatch(r"[0-9]{1,9}(\.0+)?", cell):
        index = int(cell.partition(".")[0])
        if index < item.candidate_count:
            return index
    else:
        plain = function_words(item.language).without_determiner
        named = [
            at for at, one in enumerate(item.candidates) if folded(cell) in map(folded, (one.text, plain(one.text)))
        ]
        if len(named) == 1:
            return named[0]
    known = ", ".join(f"{at} ({one.text})" for at, one in enumerate(item.candidates)) or str(item.candidate_count)
    raise InputError(f"{cell!r} is no candidate of {item.id}", remedy=f"Candidates: {known}; empty for an abstention.")
