"""Labels of the items of a collection that other files hold: whether they are associative, or can be switched.

A label file is one JSON list of objects with `index`, `sentence`, and `is_associative` or `is_switchable`. The JSON of
the Portuguese collection, with `question_id` and `correct_sentence`, labels its page too.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError, describe, located
from winoglot.formats.importing.sources import json_errors, language_of, without_duplicates
from winoglot.schemas.text import folded, primary

if TYPE_CHECKING:
    from collections.abc import Mapping

    from winoglot.formats.base import InputFile

FLAGS = {"is_associative": "associative", "is_switchable": "switchable"}
# The share of a label's words that its item must have: the label may have other names or correct a typing error, not be
# another sentence.
_SAME_SENTENCE = 0.5


def tags_of(flags: Mapping[str, Any]) -> tuple[str, ...]:
    """The tags of an item with these flags."""
    return tuple(tag for flag, tag in FLAGS.items() if flags[flag])


def joined_labels(
    file: InputFile,
    language: str,
    rows: Mapping[str, tuple[int, str]],
    present: Mapping[str, Mapping[str, bool]] | None = None,
) -> dict[str, dict[str, bool]]:
    """The flags of each row by its number; those of the label files replace its own.

    Rows have a line and a sentence, with which a label must have most words in common; a label in another language is
    joined by its number alone.
    """
    flags_of_row = {number: dict(present[number]) if present else dict.fromkeys(FLAGS, False) for number in rows}
    for path in file.labels:
        labels = parse_list(replace(file, path=path, name=""))
        flags = [flag for flag in FLAGS if any(isinstance(label, dict) and flag in label for _, label in labels)]
        if not flags:
            remedy = "A label file is a list of objects with 'index' and 'is_associative' or 'is_switchable'."
            raise InputError("the file has no labels", remedy=remedy, file=str(path))
        sentences = [_sentence(label) for _, label in labels if isinstance(label, dict)]
        comparable = primary(language_of(" ".join(sentences)) or language) == primary(language)
        for line, label in labels:
            number = _number(label) if isinstance(label, dict) else ""
            with file.skipping(line, f"label {number} of {path.name}"):
                _check_label(label, rows, flags, comparable=comparable)
                for flag in flags:
                    flag_value = bool(label[flag])
                    if present and flags_of_row[number][flag] != flag_value:
                        file.repaired(
                            rows[number][0], f"{flag} of row {number}", f"{flag_value} according to {path.name}"
                        )
                    flags_of_row[number][flag] = flag_value
    return flags_of_row


def _check_label(label: Any, rows: Mapping[str, tuple[int, str]], flags: list[str], *, comparable: bool) -> None:
    """Refuse a label without a flag, of no row, or of another sentence."""
    if not isinstance(label, dict) or any(label.get(flag) not in (0, 1) for flag in flags):
        raise InputError(f"{' and '.join(flags)}: expected 0 or 1")
    if _number(label) not in rows:
        raise InputError("no item of the collection has that number")
    line, sentence = rows[_number(label)]
    label_words = re.findall(r"\w+", folded(_sentence(label)))
    words = set(re.findall(r"\w+", folded(sentence)))
    if comparable and sum(word in words for word in label_words) < _SAME_SENTENCE * len(label_words):
        raise InputError(f"its sentence is not that of line {line}")


def _number(label: dict[str, Any]) -> str:
    return str(label.get("index", label.get("question_id")))


def _sentence(label: dict[str, Any]) -> str:
    return str(label.get("sentence") or label.get("correct_sentence") or "")


def parse_list(file: InputFile) -> list[tuple[int, Any]]:
    """The values of a file that is one JSON list, each with the line in which it begins."""
    values: list[tuple[int, Any]] = []
    decoder = json.JSONDecoder(object_pairs_hook=without_duplicates)
    text, line, counted_to = file.text, 1, 0
    index = _skip_spaces(text, 0)
    separator = text[index : index + 1]
    if separator != "[":
        remedy = "The file must be one JSON list with one object per item."
        raise InputError(f"expected a list, found {describe(text[index : index + 40])}", remedy=remedy, file=file.label)
    while separator != "]":
        index = _skip_spaces(text, index + 1)
        line += text.count("\n", counted_to, index)
        counted_to = index
        with located(file=file.label, line=line), json_errors():
            if separator == "," or text[index : index + 1] != "]":
                value, index = decoder.raw_decode(text, index)
                values.append((line, value))
                index = _skip_spaces(text, index)
            separator = text[index : index + 1]
            if separator not in (",", "]"):
                raise json.JSONDecodeError("expecting ',' or ']'", text, index)
            if separator == "]" and _skip_spaces(text, index + 1) < len(text):
                raise json.JSONDecodeError("there is something after the list", text, index + 1)
    return values


def _skip_spaces(text: str, index: int) -> int:
    spaces = re.compile(r"[ \t\r\n]*").match(text, index)
    return spaces.end() if spaces else index
