"""The JSON of the Portuguese collection, and the English file like it.

The sentences are already substituted.

A list of objects: `question_id`, `correct_sentence`, `incorrect_sentence`, `manually_fixed_*` of both (may be absent or
empty), `correct_switched`, `incorrect_switched` (empty if the candidates cannot be switched), `is_associative`,
`is_switchable`, `translated`.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError, describe
from winoglot.formats.importing.alignment import align, find_insertion, substituted_row, switched_row
from winoglot.formats.importing.labels import FLAGS, parse_list, tags_of
from winoglot.formats.importing.rows import SourceRow, SourceVariant, build_collection
from winoglot.formats.importing.sources import LANGUAGES, language_of, nothing_usable
from winoglot.languages.base import function_words
from winoglot.schemas.model import WrittenReading
from winoglot.schemas.text import primary

if TYPE_CHECKING:
    from collections.abc import Iterable

    from winoglot.formats.base import InputFile
    from winoglot.schemas.mentions import FunctionWords
    from winoglot.schemas.model import Collection

SUFFIXES = ()
_REQUIRED = ("correct_sentence", "incorrect_sentence")
_FIXED = tuple(f"manually_fixed_{key}" for key in _REQUIRED)
_SWITCHED = ("correct_switched", "incorrect_switched")
_SENTENCES = (*_REQUIRED, *_FIXED, *_SWITCHED)

Entry = dict[str, Any]


def sniff(head: str) -> bool:
    """A list whose first object has the keys of this format."""
    first = head.lstrip().removeprefix("[").lstrip().partition("}")[0]
    return head.lstrip().startswith("[") and '"question_id"' in first and '"correct_sentence"' in first


def read(file: InputFile) -> Collection:
    """Read the objects that are marked as translated."""
    entries: list[tuple[int, Entry]] = []
    for line, value in parse_list(file):
        with file.skipping(line, "object"):
            entries.append((line, _checked(line, value, file)))
    if not entries:
        raise nothing_usable(file, "object")
    language = _language([entry["correct_sentence"] for _, entry in entries if entry["translated"]], file)
    rows: list[SourceRow] = []
    seen: dict[str, int] = {}
    for line, entry in entries:
        name = f"row {entry['question_id']}"
        with file.skipping(line, name):
            if not entry["translated"]:
                raise InputError("it is not translated")
            row = _row(line, entry, file, function_words(language))
            first = seen.setdefault(name, line)
            if first != line:
                why = f"the same question_id as in line {first}; kept, but not parallel to anything"
                file.repaired(line, name, why)
                row = replace(row, parallel_id="")
            rows.append(row)
    return build_collection(rows, file, language)


def _checked(line: int, value: object, file: InputFile) -> Entry:
    """The object with every key of the format, its sentences without extra spaces."""
    if not isinstance(value, dict):
        raise InputError(f"expected an object, found {describe(value)}")
    missing = [key for key in ("question_id", *_REQUIRED) if value.get(key) in (None, "")]
    if missing:
        raise InputError(f"the key {missing[0]!r} is missing or empty")
    number = value["question_id"]
    if isinstance(number, bool) or not isinstance(number, int | str) or not str(number).strip():
        raise InputError(f"'question_id': expected a number or a name, found {describe(number)}")
    for key in _SENTENCES:
        if not isinstance(value.get(key) or "", str):
            raise InputError(f"{key!r}: expected text, found {describe(value[key])}")
    for key in (*FLAGS, "translated"):
        if value.get(key, False) not in (True, False):
            raise InputError(f"{key!r}: expected true or false, found {describe(value[key])}")
    entry: Entry = {"question_id": str(number), "translated": bool(value.get("translated", True))}
    entry |= {flag: bool(value.get(flag, False)) for flag in FLAGS}
    for key in _SENTENCES:
        text = value.get(key) or ""
        entry[key] = " ".join(text.split())
        if entry[key] != text:
            file.repaired(line, f"{key} of row {number}", "extra spaces removed")
    return entry


def _language(sentences: Iterable[str], file: InputFile) -> str:
    language = language_of(" ".join(sentences))
    if file.language is None:
        if language is None:
            remedy = "Name the language with --language."
            raise InputError("the sentences are neither Portuguese nor English", remedy=remedy, file=file.label)
        return language
    if language and primary(file.language) in map(primary, LANGUAGES) and primary(language) != primary(file.language):
        remedy = "Leave the language out, or name another file."
        raise InputError(f"the sentences are in {language}, not in {file.language}", remedy=remedy, file=file.label)
    return file.language


def _row(line: int, entry: Entry, file: InputFile, words: FunctionWords) -> SourceRow:
    name = entry["question_id"]
    base = SourceRow(
        line,
        name,
        answer=0,
        tags=tags_of(entry),
        parallel_id=f"wsc.{name}" if re.fullmatch(r"\d{1,9}", name) else "",
    )
    right, wrong = (entry[key] for key in _REQUIRED)
    row = substituted_row(base, align(right, wrong, words), (right, wrong), words)
    row = replace(row, readings=_hand_written(row, [entry[key] for key in _FIXED], file, words))
    right, wrong = (entry[key] for key in _SWITCHED)
    if right and wrong:
        row = replace(row, variants=(SourceVariant("switched", "flips", switched_row(row, right, wrong, words)),))
    elif right or wrong:
        file.skipped(line, f"switched of row {name}", "only one of its two sentences is given")
    return row


def _hand_written(
    row: SourceRow, fixed: list[str], file: InputFile, words: FunctionWords
) -> tuple[WrittenReading | None, ...]:
    """The row's readings, with those that a person corrected replaced."""
    readings = list(row.readings or (None, None))
    for index, sentence in enumerate(fixed):
        inserted = None
        if sentence and row.text is not None and row.pronoun is not None:
            inserted = find_insertion(sentence, row.text, row.pronoun, row.candidates[index], words)
        if sentence and (inserted or row.text is None):
            readings[index] = WrittenReading(sentence, inserted)
        elif sentence:
            why = "it is not certain which words are in the pronoun's place"
            file.skipped(row.line, f"the corrected sentence {sentence!r} of row {row.source_id}", why)
    return tuple(readings) if any(readings) else ()
