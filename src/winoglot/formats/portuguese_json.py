"""The JSON of the Portuguese collection, and the English file of the same shape: sentences already substituted.

A list of objects: `question_id`, `correct_sentence`, `incorrect_sentence`, `manually_fixed_*` of both (may be absent or
empty), `correct_switched`, `incorrect_switched` (empty where the candidates cannot be switched), `is_associative`,
`is_switchable`, `translated`. Labels are lists of objects with `index` (the `question_id`), `sentence`, and
`is_associative` or `is_switchable`.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError, describe
from winoglot.formats._alignment import align, find_insertion, substituted_row, switched_row
from winoglot.formats._language import LANGUAGES, language_of
from winoglot.formats._objects import without_duplicates
from winoglot.formats._rows import Row, RowVariant, build_collection
from winoglot.languages.base import function_words
from winoglot.schemas.model import WrittenReading
from winoglot.schemas.text import folded, primary

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from winoglot.formats.base import InputFile
    from winoglot.schemas.mentions import FunctionWords
    from winoglot.schemas.model import Collection

SUFFIXES = ()
TAKES_LABELS = True
_FLAGS = {"is_associative": "associative", "is_switchable": "switchable"}
# Of the words of a label's sentence, how many the item's must have: it may correct a typing error, not be another one.
_SAME_SENTENCE = 0.6

Object = dict[str, Any]


def sniff(head: str) -> bool:
    """A list whose first object has the sentences of this format."""
    first = head.lstrip().removeprefix("[").lstrip().partition("}")[0]
    return head.lstrip().startswith("[") and '"question_id"' in first and '"correct_sentence"' in first


def read(file: InputFile) -> Collection:
    """Read what is translated; the labels of other files replace those of this one."""
    objects = [(line, row) for line, value in parse_list(file) if (row := _checked(line, value, file)) is not None]
    if not objects:
        why = file.report.skipped[0].why if file.report.skipped else "its list is empty"
        raise InputError(f"no object can be used: {why}", remedy="Is the file in another format?", file=file.label)
    language = _language([row["correct_sentence"] for _, row in objects if row["translated"]], file)
    objects = _with_labels(objects, language, file)
    rows = []
    seen: dict[str, int] = {}
    for line, row in objects:
        name = f"row {row['question_id']}"
        if not row["translated"]:
            file.skipped(line, name, "it is not translated")
            continue
        if name in seen:
            file.repaired(line, name, f"the same question_id as in line {seen[name]}; kept, not parallel to anything")
        try:
            made = _row(line, row, file, function_words(language))
            rows.append(replace(made, parallel_id="") if name in seen else made)
            seen.setdefault(name, line)
        except InputError as error:
            file.skipped(line, name, error.message)
    return build_collection(rows, file, language)


def parse_list(file: InputFile) -> Iterator[tuple[int, object]]:
    """The values of a file's one JSON list, each with the line it begins in."""
    decoder = json.JSONDecoder(object_pairs_hook=without_duplicates)
    text, line, counted = file.text, 1, 0
    at = _skip_blanks(text, 0)
    separator = text[at : at + 1]
    if separator != "[":
        remedy = "The file begins with '[' and holds one object an item."
        raise InputError(f"expected a list, found {describe(text[at : at + 40])}", remedy=remedy, file=file.label)
    try:
        while separator != "]":
            at = _skip_blanks(text, at + 1)
            line += text.count("\n", counted, at)
            counted = at
            if separator == "," or text[at : at + 1] != "]":
                value, at = decoder.raw_decode(text, at)
                yield line, value
                at = _skip_blanks(text, at)
            separator = text[at : at + 1]
            if separator not in (",", "]"):
                raise json.JSONDecodeError("expecting ',' or ']'", text, at)
        if _skip_blanks(text, at + 1) < len(text):
            raise json.JSONDecodeError("something follows the list", text, at + 1)
    except json.JSONDecodeError as error:
        message, remedy = f"this is not JSON: {error.msg}", "The file may have been cut short or edited."
        raise InputError(message, remedy=remedy, file=file.label, line=error.lineno, column=error.colno) from error
    except InputError as error:
        error.file, error.line = error.file or file.label, error.line or line
        raise
    except (ValueError, RecursionError) as error:
        message = "this JSON is nested too deep or has too long a number"
        raise InputError(message, remedy="This format has no such thing.", file=file.label, line=line) from error


def _skip_blanks(text: str, at: int) -> int:
    found = re.compile(r"[ \t\r\n]*").match(text, at)
    return found.end() if found else at


def _checked(line: int, value: object, file: InputFile) -> Object | None:
    """The object with every key of the format and its sentences without surplus blanks; None where that is not so."""
    fault = _fault(value)
    if fault is not None or not isinstance(value, dict):
        file.skipped(line, "object", fault or "")
        return None
    row: Object = {"question_id": str(value["question_id"]), "translated": bool(value.get("translated", True))}
    row |= {flag: bool(value.get(flag, False)) for flag in _FLAGS}
    for key in _SENTENCES:
        text = value.get(key) or ""
        row[key] = " ".join(text.split())
        if row[key] != text:
            file.repaired(line, f"{key} of row {row['question_id']}", "surplus blanks taken out")
    return row


_REQUIRED = ("correct_sentence", "incorrect_sentence")
_FIXED = tuple(f"manually_fixed_{key}" for key in _REQUIRED)
_SWITCHED = ("correct_switched", "incorrect_switched")
_SENTENCES = (*_REQUIRED, *_FIXED, *_SWITCHED)


def _fault(value: object) -> str | None:
    if not isinstance(value, dict):
        return f"expected an object, found {describe(value)}"
    missing = [key for key in ("question_id", *_REQUIRED) if value.get(key) in (None, "")]
    if missing:
        return f"the key {missing[0]!r} is missing or empty"
    number = value["question_id"]
    if isinstance(number, bool) or not isinstance(number, int | str) or not str(number).strip():
        return f"'question_id' is neither a number nor a name: {describe(number)}"
    for key in _SENTENCES:
        if not isinstance(value.get(key) or "", str):
            return f"{key!r} is no text: {describe(value[key])}"
    for key in (*_FLAGS, "translated"):
        if value.get(key, False) not in (True, False):
            return f"{key!r} is neither true nor false: {describe(value[key])}"
    return None


def _language(sentences: Iterable[str], file: InputFile) -> str:
    found = language_of(" ".join(sentences))
    if file.language is None:
        if found is None:
            remedy = "Say which with --language."
            raise InputError("the sentences are neither Portuguese nor English", remedy=remedy, file=file.label)
        return found
    if found and primary(file.language) in map(primary, LANGUAGES) and primary(found) != primary(file.language):
        remedy = "Leave the language out, or name another file."
        raise InputError(f"the sentences are {found}, not {file.language}", remedy=remedy, file=file.label)
    return file.language


def _row(line: int, row: Object, file: InputFile, words: FunctionWords) -> Row:
    tags = tuple(tag for flag, tag in _FLAGS.items() if row[flag])
    base = Row(line, row["question_id"], answer=0, tags=tags, parallel_id=_parallel_id(row["question_id"]))
    right, wrong = (row[key] for key in _REQUIRED)
    made = substituted_row(base, align(right, wrong, words), (right, wrong))
    made = replace(made, readings=_hand_written(made, [row[key] for key in _FIXED], file, words))
    right, wrong = (row[key] for key in _SWITCHED)
    if right and wrong:
        made = replace(made, variants=(RowVariant("switched", "flips", switched_row(made, right, wrong, words)),))
    elif right or wrong:
        file.skipped(line, f"switched of row {row['question_id']}", "only one of its two sentences is given")
    return made


def _parallel_id(question_id: str) -> str:
    return f"wsc.{question_id}" if re.fullmatch(r"\d{1,9}", question_id) else ""


def _hand_written(
    row: Row, fixed: list[str], file: InputFile, words: FunctionWords
) -> tuple[WrittenReading | None, ...]:
    """The row's readings, those that a person corrected in place of the others."""
    readings = list(row.readings or (None, None))
    for index, sentence in enumerate(fixed):
        inserted = None
        if sentence and row.text is not None and row.pronoun is not None:
            inserted = find_insertion(sentence, row.text, row.pronoun, row.candidates[index], words)
        if sentence and (inserted or row.text is None):
            readings[index] = WrittenReading(sentence, inserted)
        elif sentence:
            why = "where the candidate stands in the pronoun's place is not certain"
            file.skipped(row.line, f"the corrected sentence {sentence!r} of row {row.source_id}", why)
    return tuple(readings) if any(readings) else ()


def _with_labels(objects: list[tuple[int, Object]], language: str, file: InputFile) -> list[tuple[int, Object]]:
    """The objects with the flags of the label files, joined on the index."""
    if not file.labels:
        return objects
    rows = {row["question_id"]: (line, dict(row)) for line, row in objects}
    for path in file.labels:
        labels = list(parse_list(replace(file, path=path, name="")))
        flags = [flag for flag in _FLAGS if any(isinstance(label, dict) and flag in label for _, label in labels)]
        if not flags:
            remedy = "A file of labels is a list of objects with 'index' and 'is_associative' or 'is_switchable'."
            raise InputError("the file holds no labels", remedy=remedy, file=str(path))
        sentences = [str(label.get("sentence", "")) for _, label in labels if isinstance(label, dict)]
        comparable = primary(language_of(" ".join(sentences)) or language) == primary(language)
        for line, label in labels:
            what, fault = _label_fault(label, rows, flags, comparable=comparable)
            if fault is not None or not isinstance(label, dict):
                file.skipped(line, f"{what} of {path.name}", fault or "")
                continue
            place, row = rows[str(label["index"])]
            for flag in flags:
                if row[flag] != bool(label[flag]):
                    file.repaired(place, f"{flag} of row {label['index']}", f"{bool(label[flag])} after {path.name}")
                row[flag] = bool(label[flag])
    return [(line, row | {flag: rows[row["question_id"]][1][flag] for flag in _FLAGS}) for line, row in objects]


def _label_fault(
    label: object, rows: dict[str, tuple[int, Object]], flags: list[str], *, comparable: bool
) -> tuple[str, str | None]:
    """What a label is called, and why it cannot be joined; one in another language is not compared with its item."""
    if not isinstance(label, dict) or any(label.get(flag) not in (0, 1) for flag in flags):
        return "label", f"{' and '.join(flags)} must be 0 or 1"
    number = str(label.get("index"))
    if number not in rows:
        return f"label {number}", "no object of the collection has that question_id"
    line, row = rows[number]
    own = re.findall(r"\w+", folded(str(label.get("sentence", ""))))
    shared = [word for word in own if word in re.findall(r"\w+", folded(row["correct_sentence"]))]
    if comparable and len(shared) < _SAME_SENTENCE * len(own):
        return f"label {number}", f"its sentence is not that of line {line}"
    return f"label {number}", None
