"""The notation: a collection in YAML, as people write it."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import yaml

from winoglot.errors import Faults, InputError, error_path
from winoglot.languages.base import function_words
from winoglot.schemas.documents import Document, read_yaml
from winoglot.schemas.entries import CollectionEntry, SchemaEntry, check_version, collection_from, head_of
from winoglot.schemas.model import repeated_id
from winoglot.schemas.notation import parse_schema
from winoglot.schemas.serialise import serialise_schema
from winoglot.schemas.text import language_tag
from winoglot.schemas.validation import check_entry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.formats.base import InputFile
    from winoglot.schemas.model import Collection

SUFFIXES = (".yaml", ".yml")


def sniff(head: str) -> bool:
    """A file of the notation names its collection or its schemas at the left margin."""
    return bool(re.search(r"^(winoglot|collection|schemas):", head, re.MULTILINE))


def read(file: InputFile) -> Collection:
    """Read the notation; whatever is wrong with it is an input error with line and column."""
    return parse(file.text, file.label)


def parse(text: str, label: str) -> Collection:
    """The collection in a text of the notation; the label is what errors call it."""
    document = read_yaml(text, label)
    try:
        with _locating(document):
            return _collection(document.value)
    except InputError as error:
        faults = Faults()
        known = {single.path[1] for single in error.all if single.path[:1] == ("schemas",) and len(single.path) > 1}
        for single in sorted([*error.all, *_errors(document, besides=known)], key=lambda error: error.line or 0):
            single.others = ()
            faults.add(single)
        raise faults.together() from None


@contextmanager
def _locating(document: Document) -> Iterator[None]:
    """Give the input errors of this block their place: file, line, column and schema."""
    with document.locating():
        try:
            yield
        except InputError as error:
            for single in error.all:
                match single.path:
                    case ("schemas", int(number), *_) if single.schema is None:
                        entry = document.value["schemas"][number]
                        schema_id = entry.get("id") if isinstance(entry, dict) else None
                        single.schema = str(schema_id) if isinstance(schema_id, str) else None
            raise


def _errors(document: Document, besides: set[str | int]) -> Iterator[InputError]:
    """What is wrong with the schemas of a document that was refused, except those at the places `besides`."""
    value = document.value
    if not isinstance(value, dict) or not isinstance(value.get("schemas"), list):
        return
    try:
        words = function_words(language_tag(value["language"]))
    except (InputError, KeyError, TypeError, AttributeError):  # that is an error already
        return
    first: dict[str, int] = {}
    for number, entry in enumerate(value["schemas"]):
        schema_id = entry.get("id") if isinstance(entry, dict) else None
        faults = Faults()
        with faults.collected(), _locating(document), error_path("schemas", number):
            if isinstance(schema_id, str) and first.setdefault(schema_id, number) != number:
                raise repeated_id(first[schema_id])
        if number not in besides:
            with faults.collected(), _locating(document), error_path("schemas", number):
                parse_schema(check_entry(SchemaEntry, entry), words)
        yield from faults.errors.values()


def lines(file: InputFile) -> dict[str, int]:
    """The line of each schema, item and kind of variants, by id; only for a file that can be read."""
    document = read_yaml(file.text, file.label)
    line_of: dict[str, int] = {}
    for position, entry in enumerate(document.value["schemas"]):
        path, schema = ("schemas", position), str(entry["id"])
        line_of[schema] = document.marks[path].line + 1
        for kind, written in {"": entry, **entry.get("variants", {})}.items():
            place = (*path, "variants", kind) if kind else path
            ending = f"~{kind}" if kind else ""
            for index, item in enumerate(written.get("items", ())):
                item_id = item.get("id", f"{schema}.{item.get('of', index)}{ending}")
                line_of[str(item_id)] = document.marks[(*place, "items", index)].line + 1
            if "text" in written:  # with alternatives
                line = document.keys[(*place, "text")].line + 1
                line_of.update({f"{schema}.{index}{ending}": line for index in range(len(entry.get("answers", ())))})
    return line_of


def _collection(value: object) -> Collection:
    if isinstance(value, dict):
        check_version(value.get("winoglot"))
    entry: CollectionEntry = check_entry(CollectionEntry, value)
    with error_path("language"):
        words = function_words(language_tag(entry["language"]))
    schemas = []
    for index, schema in enumerate(entry["schemas"]):
        with error_path("schemas", index):
            schemas.append(parse_schema(schema, words))
    return collection_from(entry, schemas)


def write(collection: Collection) -> str:
    """The collection in the notation; reading it back gives an equal one."""
    words = function_words(collection.language)
    schemas = [serialise_schema(schema, words) for schema in collection.schemas]
    content = head_of(collection) | {"schemas": schemas}
    return dump_yaml(content)


def dump_yaml(content: object) -> str:
    """Plain values as people write them in the notation."""
    return yaml.dump(content, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=10**9)


class _Dumper(yaml.SafeDumper):
    """Blocks for structure; short lists of words on one line, as people write them."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        """Indent lists below their key."""
        del indentless
        super().increase_indent(flow, indentless=False)

    def ignore_aliases(self, data: object) -> bool:
        """The notation has no anchors."""
        del data
        return True


def _represent_list(dumper: _Dumper, values: list[Any]) -> yaml.Node:
    flow = all(value is None or isinstance(value, int | str) for value in values)
    short = sum(len(str(value)) + 2 for value in values) < 100
    return dumper.represent_sequence("tag:yaml.org,2002:seq", values, flow_style=flow and short)


_Dumper.add_representer(list, _represent_list)
