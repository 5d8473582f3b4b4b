"""WinoGrande: JSON Lines, a sentence with a gap and two options.

The keys are `qID`, `sentence` with a gap `_`, `option1`, `option2`, and `answer`, which is "1" or "2".
The test file has no answers. Rows whose `qID` differs only in its last digit are one schema. Extra spaces beside the
`_` mean nothing and are removed.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError, describe
from winoglot.formats.base import what_is_lost
from winoglot.formats.importing.repairs import tidy_gap
from winoglot.formats.importing.rows import SourceRow, build_collection
from winoglot.formats.importing.sources import json_objects
from winoglot.schemas.spans import Span
from winoglot.schemas.text import counted, needs_space

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.formats.base import InputFile, Repaired
    from winoglot.schemas.model import Collection, Item, Schema

SUFFIXES = ()
_KEYS = ("sentence", "option1", "option2")
_NUMBERED = re.compile(r"(.+)-([1-9])", re.DOTALL)
_GAP = re.compile(r"_+")


def sniff(head: str) -> bool:
    """The first line is a JSON object with a sentence and two options."""
    line = head.lstrip().partition("\n")[0]
    return line.startswith("{") and all(f'"{key}"' in line for key in _KEYS)


def read(file: InputFile) -> Collection:
    """Read the rows; the language is English unless the caller says otherwise."""
    rows: list[SourceRow] = []
    seen: dict[tuple[str, str], int] = {}
    for number, value in json_objects(file, _KEYS):
        name = value.get("qID")
        name = name.strip() if isinstance(name, str) and name.strip() else str(number)
        with file.skipping(number, f"row {name}") as repaired:
            row = _row(number, name, value, repaired)
            rows.append(row)
            for key, content in (("sentence", row.text or ""), ("qID", name if "qID" in value else "")):
                first = seen.setdefault((key, content), number) if content else number
                if first != number:
                    repaired(f"the same {key} as in line {first}; kept")
    return build_collection(rows, file, file.language or "en")


def _row(number: int, name: str, value: dict[str, Any], repaired: Repaired) -> SourceRow:
    wrong = next((key for key in _KEYS if not isinstance(value[key], str)), None)
    if wrong is not None:
        raise InputError(f"{wrong}: expected text, found {describe(value[wrong])}")
    sentence, *options = (value[key].strip() for key in _KEYS)
    answer = value.get("answer")
    answer = str(answer) if type(answer) is int else answer
    if answer not in ("1", "2", "", None):
        raise InputError(f'answer: expected "1" or "2", found {describe(answer)}')
    if options[0].casefold() == options[1].casefold():
        raise InputError(f"its two options are the same: {options[0]!r}")
    gaps = [Span(*match.span()) for match in _GAP.finditer(sentence)]
    if len(gaps) != 1:
        raise InputError(f"its sentence: expected exactly one '_', found {len(gaps) or 'none'}")
    before, after = sentence[: gaps[0].start], sentence[gaps[0].end :]
    if gaps[0].of(sentence) != "_":
        repaired(f"its gap {gaps[0].of(sentence)!r} is read as '_'")
    text, gap = tidy_gap(f"{before}_{after}", Span(len(before), len(before) + 1))
    numbered = _NUMBERED.fullmatch(name)
    return SourceRow(
        line=number,
        source_id=name,
        candidates=tuple(options),
        answer=int(answer) - 1 if answer else None,
        text=text,
        pronoun=gap,
        group=(numbered[1] if numbered else name) if "qID" in value else None,
    )


def write(collection: Collection) -> str:
    """One row per item, with a gap for its pronoun; `lost` says which items are missing."""
    rows = []
    used: set[str] = set()
    for schema in collection.schemas:
        for item, name in zip(schema.items, _names(schema, used), strict=True):
            used.add(name)
            if _obstacle(item) is None:
                options = {f"option{number}": candidate.text for number, candidate in enumerate(item.candidates, 1)}
                answer = {} if item.answer is None else {"answer": str(item.answer + 1)}
                rows.append({"qID": name, "sentence": _with_gap(item)} | options | answer)
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _names(schema: Schema, used: set[str]) -> list[str]:
    """The source's own ids if they keep the schema together, else ids made from the schema's."""
    source_ids = [item.source.id or "" if item.source else "" for item in schema.items]
    matches = [_NUMBERED.fullmatch(name) for name in source_ids]
    if (
        all(matches)
        and len({match[1] for match in matches if match}) == 1
        and len({*source_ids} - used) == len(source_ids)
    ):
        return source_ids
    return [f"{schema.id}-{number}" for number in range(1, len(schema.items) + 1)]


def _with_gap(item: Item) -> str:
    before, _, after = item.parts
    if item.pronoun_form == "zero":
        return before + " " * needs_space(before, "x") + "_" + " " * needs_space("x", after) + after
    return f"{before}_{after}"


def lost(collection: Collection) -> list[str]:
    """What WinoGrande's rows cannot hold."""

    def of_item(item: Item) -> Iterator[str]:
        if item.pronoun_form in ("word", "zero"):
            yield "the pronoun becomes a gap"

    large = [schema.id for schema in collection.schemas if len(schema.items) > 9]
    grouping = [f"the grouping of schemas with more than nine items: {', '.join(large)}"] if large else []
    return what_is_lost(collection, _obstacle, of_item) + grouping


def _obstacle(item: Item) -> str | None:
    if item.text is None:
        return "there is no text"
    if len(item.candidates) != 2:
        return f"it has {counted(len(item.candidates), 'candidate')} instead of two"
    if "_" in item.parts[0] + item.parts[2]:
        return "the text has another '_'"
    return None
