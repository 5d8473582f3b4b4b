"""Reading a source line by line, with a report of what cannot be used; and the language of a file or a text."""

from __future__ import annotations

import json
import re
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError, ManyLanguagesError, describe, did_you_mean
from winoglot.languages.base import function_words
from winoglot.schemas.text import MAX_CHARACTERS, folded, primary

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from winoglot.formats.base import InputFile

LANGUAGES = ("pt-BR", "en")
ANOTHER_FORMAT = "Is the file in another format?"


def split_cells(line: str) -> list[str]:
    """The cells of a tab-separated line, without the spaces around them."""
    return [cell.strip() for cell in line.split("\t")]


def header_cells(file: InputFile) -> list[str]:
    """The cells of the first line that is not empty."""
    return split_cells(file.text.lstrip("\r\n").partition("\n")[0])


def named_cells(file: InputFile) -> Iterator[tuple[int, dict[str, str]]]:
    """The cells of each line below the header, by the names in the header, with the line's number."""
    names = header_cells(file)
    rows = tab_separated(file, len(names))
    next(rows, None)
    for number, cells in rows:
        yield number, dict(zip(names, cells, strict=True))


def tab_separated(file: InputFile, columns: int) -> Iterator[tuple[int, list[str]]]:
    """The cells of each line with its number; one with other columns or very long cells is skipped and reported."""
    for number, line in enumerate(file.text.split("\n"), 1):
        if not line.strip():
            continue
        cells = split_cells(line)
        longest = max(map(len, cells))
        if len(cells) != columns:
            file.skipped(number, f"line {number}", f"expected {columns} columns, found {len(cells)}")
        elif longest > MAX_CHARACTERS:
            why = f"a cell has {longest} characters; at most {MAX_CHARACTERS} are possible"
            file.skipped(number, f"line {number}", why)
        else:
            yield number, cells


def json_objects(file: InputFile, keys: Sequence[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a JSON Lines file that have all these keys, with their lines; other lines are reported."""
    is_found = False
    for number, line in enumerate(file.text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            value = _json_object(line, keys)
        except InputError as error:
            column = f" at column {error.column}" if error.column else ""
            file.skipped(number, f"line {number}", error.message + column)
        else:
            is_found = True
            yield number, value
    if not is_found:
        raise nothing_usable(file, "line", f"Each line is a JSON object with the keys {', '.join(keys)}.")


def _json_object(line: str, keys: Sequence[str]) -> dict[str, Any]:
    with json_errors():
        value = json.loads(line, object_pairs_hook=without_duplicates)
        if re.search("[\ud800-\udfff]", json.dumps(value, ensure_ascii=False)):
            raise InputError("it contains half a character (a lone surrogate)")
    if not isinstance(value, dict):
        raise InputError(f"expected a JSON object, found {describe(value)}")
    missing = next((key for key in keys if key not in value), None)
    if missing is not None:
        raise InputError(f"the key {missing!r} is missing")
    return value


@contextmanager
def json_errors(first_line: int = 1) -> Iterator[None]:
    """Turn what Python's JSON parser objects to in the block into an input error, with line and column if known."""
    try:
        yield
    except json.JSONDecodeError as error:
        raise InputError(
            f"this is not JSON: {error.msg}",
            remedy="The file may have been cut short or edited: get it again, or correct it.",
            line=first_line + error.lineno - 1,
            column=error.colno,
        ) from error
    except RecursionError as error:
        raise InputError("this JSON is nested too deeply", remedy="Get the file again.") from error
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise InputError("this JSON has a number that is too long", remedy="Get the file again.") from error


def nothing_usable(file: InputFile, what: str, remedy: str = "") -> InputError:
    """The error to raise for a file in which no row, line or block can be used: it says why the first one cannot."""
    first = file.report.skipped[0] if file.report.skipped else None
    empty = f"the file has no {what}s" if file.text.strip() else "the file is empty"
    return InputError(
        f"no {what} in the file can be used: {first.why}" if first else empty,
        remedy=f"{remedy} {ANOTHER_FORMAT}".strip(),
        file=file.label,
        line=first.line if first else None,
    )


def choose_language(languages: Iterable[str], file: InputFile) -> str:
    """The language wanted of a file that has texts in these."""
    available = set(languages)
    if not available:
        raise InputError("no row names its language", remedy=ANOTHER_FORMAT, file=file.label)
    if file.language is None:
        if len(available) == 1:
            return available.pop()
        raise ManyLanguagesError(available, file.label)
    matching = [language for language in available if primary(language) == primary(file.language)]
    if not matching:
        raise InputError(
            f"the file has nothing in {file.language}", remedy=did_you_mean(file.language, available), file=file.label
        )
    return matching[0]


def language_of(text: str) -> str | None:
    """Portuguese or English, by the function words that only one of them has; None if neither has more.

    >>> language_of("A bola caiu no lago porque ela era redonda."), language_of("It fell into the lake.")
    ('pt-BR', 'en')
    """
    closed = {tag: function_words(tag).closed for tag in LANGUAGES}
    shared = closed["pt-BR"] & closed["en"]
    words = [word for word in re.findall(r"\w+", folded(text)) if word not in shared]
    portuguese, english = (sum(word in closed[tag] for word in words) for tag in LANGUAGES)
    return None if portuguese == english else LANGUAGES[english > portuguese]


def without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object as a dictionary; a key that appears twice is an input error."""
    result = dict(pairs)
    if len(result) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        twice = next(key for key, count in counts.items() if count > 1)
        raise InputError(f"the key {twice!r} appears twice in one object", remedy="Keep one of them.")
    return result
