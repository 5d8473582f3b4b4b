"""JSON Lines: the exact and complete form of a collection.

One line for the collection, then one per schema, spans and all.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Required

from winoglot.errors import Faults, InputError, located
from winoglot.formats.importing.sources import json_errors, without_duplicates
from winoglot.schemas.entries import HeadEntry, check_version, collection_from, head_of, schema_as_json
from winoglot.schemas.model import Schema
from winoglot.schemas.text import language_tag
from winoglot.schemas.validation import check_entry, check_json

if TYPE_CHECKING:
    from winoglot.formats.base import InputFile
    from winoglot.schemas.model import Collection

SUFFIXES = (".jsonl",)


class HeaderEntry(HeadEntry, total=False):
    """The first line. It counts the schemas, so that a truncated file is noticed."""

    schemas: Required[int]


def sniff(head: str) -> bool:
    """The first line of such a file begins with the format's version."""
    return head.lstrip().startswith('{"winoglot":')


def read(file: InputFile) -> Collection:
    """Read a collection; whatever is wrong with the file is an input error with its line and key."""
    with located(file=file.label):
        lines = [(number, line) for number, line in enumerate(file.text.split("\n"), 1) if line.strip()]
        if not lines:
            raise InputError("the file is empty", remedy="Give a file that contains a collection.")
        header = _read_header(*lines[0])
        faults, schemas = Faults(), []
        for number, line in lines[1:]:
            with faults.collected():
                schemas.append(_read_schema(number, line, header["language"]))
        faults.raise_together()
        if len(schemas) != header["schemas"]:
            raise InputError(
                f"the first line announces {header['schemas']} schemas, {len(schemas)} follow",
                remedy="The file was truncated or edited: get the file again, or correct the number.",
                line=lines[-1][0],
            )
        try:
            return collection_from(header, schemas)
        except InputError as error:
            match error.path:
                case ("schemas", int(number), *rest):
                    error.line, error.path = lines[1 + number][0], tuple(rest)
                case _:
                    error.line = lines[0][0]
            raise


def lines(file: InputFile) -> dict[str, int]:
    """The line of each schema, by id; only for a file that can be read."""
    numbered = [(number, line) for number, line in enumerate(file.text.split("\n"), 1) if line.strip()]
    return {json.loads(line)["id"]: number for number, line in numbered[1:]}


def _read_header(number: int, line: str) -> HeaderEntry:
    with located(line=number):
        value = _parse(line, number)
        if not isinstance(value, dict) or "winoglot" not in value:
            raise InputError(
                "the first line does not describe a collection",
                remedy='It is {"winoglot": 1, "collection": "…", "version": "…", "language": "…", "schemas": 6}.',
            )
        check_version(value["winoglot"])
        header: HeaderEntry = check_entry(HeaderEntry, value)
        return header


def _read_schema(number: int, line: str, language: str) -> Schema:
    value = _parse(line, number)
    schema_id = value.get("id") if isinstance(value, dict) else None
    with located(line=number, schema=schema_id if isinstance(schema_id, str) else None):
        schema: Schema = check_json(Schema, line, value)
        for name, items in (("items", schema.items), ("variants", schema.variants)):
            for place, item in enumerate(items):
                if item.language and language_tag(item.language) != language_tag(language):
                    raise InputError(
                        f"the language is {item.language!r}, that of the collection {language!r}",
                        remedy="Leave the key out, or put the item into a collection of its language.",
                        path=(name, place, "language"),
                    )
        return schema


def _parse(line: str, number: int) -> Any:
    with located(line=number), json_errors(first_line=number):
        return json.loads(line, object_pairs_hook=without_duplicates)


def write(collection: Collection) -> str:
    """The collection as JSON Lines; reading it back gives an equal one."""
    rows = [head_of(collection) | {"schemas": len(collection.schemas)}]
    rows += [schema_as_json(schema) for schema in collection.schemas]
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
