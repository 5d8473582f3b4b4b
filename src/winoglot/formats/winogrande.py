"""WinoGrande: JSON Lines with `qID`, `sentence` with `_`, `option1`, `option2`, and `answer` "1" or "2".

The test file has no answers. Rows whose `qID` differs only in its last figure are one schema. Surplus spaces beside
the `_` mean nothing and are taken out.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from winoglot.errors import describe
from winoglot.formats._blanks import tidy_blank
from winoglot.formats._losses import without_a_place
from winoglot.formats._objects import json_objects
from winoglot.formats._rows import Row, build_collection
from winoglot.schemas.spans import Span
from winoglot.schemas.text import needs_space

if TYPE_CHECKING:
    from winoglot.formats.base import InputFile
    from winoglot.schemas.model import Collection, Item, Schema

SUFFIXES = ()
_KEYS = ("sentence", "option1", "option2")
_NUMBERED = re.compile(r"(.+)-([1-9])", re.DOTALL)
_BLANK = re.compile(r"_+")


def sniff(head: str) -> bool:
    """The first line is a JSON object with a sentence and two options."""
    line = head.lstrip().partition("\n")[0]
    return line.startswith("{") and all(f'"{key}"' in line for key in _KEYS)


def read(file: InputFile) -> Collection:
    """Read the rows; the language is English unless the caller says another."""
    rows: list[Row] = []
    seen: dict[str, int] = {}
    for number, value in json_objects(file, _KEYS):
        row = _row(number, value, file)
        if row is None:
            continue
        for what in {"sentence": row.text or "", "qID": row.source_id if "qID" in value else ""}.items():
            first = seen.setdefault(":".join(what), number) if what[1] else number
            if first != number:
                file.repaired(number, f"row {row.source_id}", f"the same {what[0]} as in line {first}; kept")
        rows.append(row)
    return build_collection(rows, file, file.language or "en")


def _row(number: int, value: dict[str, Any], file: InputFile) -> Row | None:
    name = value.get("qID")
    name = name.strip() if isinstance(name, str) and name.strip() else str(number)
    wrong = next((key for key in _KEYS if not isinstance(value[key], str)), None)
    if wrong is not None:
        file.skipped(number, f"row {name}", f"{wrong}: expected text, found {describe(value[wrong])}")
        return None
    sentence, *options = (value[key].strip() for key in _KEYS)
    answer = value.get("answer")
    answer = str(answer) if type(answer) is int else answer
    if answer not in ("1", "2", "", None):
        file.skipped(number, f"row {name}", f'answer: expected "1" or "2", found {describe(answer)}')
        return None
    if options[0].casefold() == options[1].casefold():
        file.skipped(number, f"row {name}", f"its two options are the same: {options[0]!r}")
        return None
    blanks = [Span(*match.span()) for match in _BLANK.finditer(sentence)]
    if len(blanks) != 1:
        file.skipped(number, f"row {name}", f"its sentence has {len(blanks) or 'no'} blanks '_' instead of one")
        return None
    before, after = sentence[: blanks[0].start], sentence[blanks[0].end :]
    if blanks[0].of(sentence) != "_":
        file.repaired(number, f"row {name}", f"its blank {blanks[0].of(sentence)!r} is written '_'")
    text, blank = tidy_blank(f"{before}_{after}", Span(len(before), len(before) + 1))
    numbered = _NUMBERED.fullmatch(name)
    return Row(
        line=number,
        source_id=name,
        candidates=tuple(options),
        answer=int(answer) - 1 if answer else None,
        text=text,
        pronoun=blank,
        group=(numbered[1] if numbered else name) if "qID" in value else None,
    )


def write(collection: Collection) -> str:
    """A row an item, its pronoun a blank; `lost` says which items are left out."""
    rows = []
    used: set[str] = set()
    for schema in collection.schemas:
        for item, name in zip(schema.items, _names(schema, used), strict=True):
            used.add(name)
            if _obstacle(item) is None:
                options = {f"option{number}": candidate.text for number, candidate in enumerate(item.candidates, 1)}
                answer = {} if item.answer is None else {"answer": str(item.answer + 1)}
                rows.append({"qID": name, "sentence": _with_blank(item)} | options | answer)
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def lost(collection: Collection) -> list[str]:
    """What WinoGrande has no place for."""
    obstacles: dict[str, list[str]] = {}
    for item in collection.items:
        obstacle = _obstacle(item)
        if obstacle is not None:
            obstacles.setdefault(obstacle, []).append(item.id)
    result = [f"left out, {obstacle}: {', '.join(ids)}" for obstacle, ids in obstacles.items()]
    words = [item.id for item in collection.items if item.pronoun_form in ("word", "zero") and not _obstacle(item)]
    result += [f"the pronoun becomes a blank: {', '.join(words)}"] if words else []
    large = [schema.id for schema in collection.schemas if len(schema.items) > 9]
    result += [f"the grouping of schemas of more than nine items: {', '.join(large)}"] if large else []
    return result + without_a_place(collection)


def _names(schema: Schema, used: set[str]) -> list[str]:
    """The source's own ids where they keep the schema together, else made from the schema's id."""
    given = [item.source.id or "" if item.source else "" for item in schema.items]
    found = [_NUMBERED.fullmatch(name) for name in given]
    if all(found) and len({match[1] for match in found if match}) == 1 and len({*given} - used) == len(given):
        return given
    return [f"{schema.id}-{number}" for number in range(1, len(schema.items) + 1)]


def _obstacle(item: Item) -> str | None:
    if item.text is None or item.pronoun is None:
        return "there is no text"
    if len(item.candidates) != 2:
        return "there are not two candidates"
    if "_" in item.text[: item.pronoun.start] + item.text[item.pronoun.end :]:
        return "the text has another '_'"
    return None


def _with_blank(item: Item) -> str:
    if item.text is None or item.pronoun is None:
        return ""
    before, after = item.text[: item.pronoun.start], item.text[item.pronoun.end :]
    if item.pronoun_form == "zero":
        return before + " " * needs_space(before, "x") + "_" + " " * needs_space("x", after) + after
    return f"{before}_{after}"
