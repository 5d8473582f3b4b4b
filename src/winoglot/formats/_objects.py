"""JSON Lines of other makers: one object a line, read with all their faults named."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError, describe

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from winoglot.formats.base import InputFile


def json_objects(file: InputFile, keys: Iterable[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a JSON Lines file that have all these keys, with their lines; the other lines are reported."""
    found = False
    for number, line in enumerate(file.text.split("\n"), 1):
        if not line.strip():
            continue
        fault = None
        try:
            value = json.loads(line, object_pairs_hook=without_duplicates)
            json.dumps(value, ensure_ascii=False).encode()
        except json.JSONDecodeError as error:
            fault = f"it is not JSON: {error.msg} at column {error.colno}"
        except UnicodeEncodeError:
            fault = "it holds half a character (a lone surrogate)"
        except InputError as error:
            fault = error.message
        except (ValueError, RecursionError):
            fault = "its JSON is nested too deep or has too long a number"
        else:
            if not isinstance(value, dict):
                fault = f"expected a JSON object, found {describe(value)}"
            else:
                missing = next((key for key in keys if key not in value), None)
                fault = None if missing is None else f"the key {missing!r} is missing"
        if fault is None:
            found = True
            yield number, value
        else:
            file.skipped(number, f"line {number}", fault)
    if not found:
        first = file.report.skipped[0] if file.report.skipped else None
        raise InputError(
            f"no line can be used: {first.why}" if first else "the file is empty",
            remedy=f"Each line is a JSON object with the keys {', '.join(keys)}; is the file in another format?",
            file=file.label,
            line=first.line if first else None,
        )


def without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object as a dictionary; a key that appears twice is an input error."""
    result = dict(pairs)
    if len(result) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        twice = next(key for key, count in counts.items() if count > 1)
        raise InputError(f"the key {twice!r} appears twice in one object", remedy="Keep one of them.")
    return result
