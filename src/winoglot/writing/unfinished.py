"""Unfinished files of the notation: what can be read of them, schema by schema."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError, error_path
from winoglot.formats.base import InputFile
from winoglot.languages.base import function_words
from winoglot.loading import check_language, load
from winoglot.schemas.documents import Document, read_yaml
from winoglot.schemas.entries import CollectionEntry, SchemaEntry, SourceEntry, collection_from
from winoglot.schemas.model import Collection, Made, Schema, Source
from winoglot.schemas.notation import parse_made, parse_schema, parse_source
from winoglot.schemas.text import language_tag
from winoglot.schemas.validation import check_entry
from winoglot.writing.yaml_edits import is_yaml

if TYPE_CHECKING:
    from collections.abc import Mapping

    from winoglot.schemas.mentions import FunctionWords

_NEEDED = ("text", "candidates")
_FILLED_IN = (*_NEEDED, "question", "hypotheses", "explanation", "terms")


@dataclass(frozen=True)
class UnfinishedSchema:
    """One schema of the file: its content, what is missing, or what is wrong with it."""

    id: str
    parallel_id: str
    schema: Schema | None
    empty: tuple[str, ...] = ()  # keys without content, and required keys that are missing
    begun: bool = True  # whether anything has been written
    error: str = ""
    source: Source | None = None
    made: Made | None = None


@dataclass(frozen=True)
class UnfinishedFile:
    """All schemas of the file, and the collection of those that are complete (None if none is)."""

    schemas: tuple[UnfinishedSchema, ...]
    collection: Collection | None
    untranslatable: dict[str, str] = field(default_factory=dict)  # why, by the id of the source's schema


def read_unfinished(source: str | Path, language: str | None = None) -> UnfinishedFile:
    """Read a file of the notation as far as it is finished; a collection in any other format is loaded as usual.

    A file that is not YAML, or that lacks the collection's name or language, is an input error.
    """
    path = Path(source)
    if not is_yaml(path):
        collection = load(source, language=language)
        finished = (
            UnfinishedSchema(schema.id, schema.parallel_id, schema, source=schema.source, made=schema.made)
            for schema in collection.schemas
        )
        return UnfinishedFile(tuple(finished), collection, collection.untranslatable)
    file = InputFile(path, language)
    document = read_yaml(file.text, file.label)
    with document.locating():
        head, entries = _parts(document.value)
        check_language(language_tag(head["language"]), language, file.label)
        words = function_words(language_tag(head["language"]))
        schemas = [_unfinished_schema(entry, index, words, document) for index, entry in enumerate(entries)]
        return _collect_complete(head, schemas)


def _parts(value: object) -> tuple[CollectionEntry, list[Mapping[str, Any]]]:
    """The head of the file, checked, and its schemas as they are."""
    if not isinstance(value, dict) or not isinstance(value.get("schemas"), list):
        raise InputError("the file has no list of schemas", remedy="Start with: winoglot new --from … --to … -o FILE.")
    filled_entries = {key: inner for key, inner in value.items() if not _is_empty(inner)}
    head: CollectionEntry = check_entry(CollectionEntry, filled_entries | {"schemas": []})
    for index, entry in enumerate(value["schemas"]):
        with error_path("schemas", index):
            if not isinstance(entry, dict) or not isinstance(entry.get("id"), str):
                raise InputError("this schema has no id", remedy="Start each schema with '- id: …'.")
    return head, value["schemas"]


def _unfinished_schema(
    entry: Mapping[str, Any], index: int, words: FunctionWords, document: Document
) -> UnfinishedSchema:
    empty, filled_entry = _split_empty(entry)
    name = str(entry["id"])
    parallel_id = entry.get("parallel_id")
    known_as = str(parallel_id) if parallel_id and isinstance(parallel_id, str) else name
    unfinished = UnfinishedSchema(name, known_as, None, tuple(empty), _is_begun(filled_entry))
    try:
        with document.locating(), error_path("schemas", index):
            with error_path("source"):
                source = check_entry(SourceEntry, entry["source"]) if entry.get("source") is not None else None
            unfinished = replace(unfinished, source=parse_source({"source": source}))
            checked_entry = check_entry(SchemaEntry, filled_entry)
            unfinished = replace(unfinished, made=parse_made(checked_entry))
            if any(key.rpartition(".")[2] in _NEEDED for key in empty):
                return unfinished
            return replace(unfinished, schema=parse_schema(checked_entry, words))
    except InputError as error:
        return replace(unfinished, error=str(error))


def _split_empty(entry: Mapping[str, Any]) -> tuple[list[str], dict[str, Any]]:
    """The keys that are still empty, and the entry without them."""
    empty = [key for key in _FILLED_IN if key in entry and _is_empty(entry[key])]
    filled_entry = {key: value for key, value in entry.items() if key not in empty}
    if not isinstance(entry.get("items"), list):
        empty += [key for key in _NEEDED if key not in entry and "readings" not in entry]
        return empty, filled_entry
    items = []
    for number, item in enumerate(entry["items"]):
        missing = [key for key in _FILLED_IN if isinstance(item, dict) and key in item and _is_empty(item[key])]
        empty += [f"items[{number}].{key}" for key in missing]
        items.append({key: value for key, value in item.items() if key not in missing} if missing else item)
    return empty, filled_entry | {"items": items}


def _is_begun(filled_entry: Mapping[str, Any]) -> bool:
    parts = [filled_entry, *(item for item in filled_entry.get("items", ()) if isinstance(item, dict))]
    return any(key in part for part in parts for key in (*_FILLED_IN, "readings", "inferences"))


def _is_empty(value: object) -> bool:
    """Whether there is nothing, or an empty text in a list or mapping. Null inside a list is content."""
    if value is None or value in ([], {}):
        return True
    if isinstance(value, dict):
        return any(inner is not None and _is_empty(inner) for inner in value.values())
    if isinstance(value, list):
        return any(inner is not None and _is_empty(inner) for inner in value)
    return not str(value).strip()


def _collect_complete(head: CollectionEntry, schemas: list[UnfinishedSchema]) -> UnfinishedFile:
    """The collection of the complete schemas. A schema that clashes with another one gets the error instead."""
    while True:
        complete = [number for number, unfinished in enumerate(schemas) if unfinished.schema is not None]
        if not complete:
            return UnfinishedFile(tuple(schemas), None, head.get("untranslatable") or {})
        try:
            collection = collection_from(head, [schema for unfinished in schemas if (schema := unfinished.schema)])
        except InputError as error:
            match error.path:
                case ("schemas", int(number), *_):
                    schemas[complete[number]] = replace(schemas[complete[number]], schema=None, error=str(error))
                case _:
                    raise
        else:
            return UnfinishedFile(tuple(schemas), collection, collection.untranslatable)


def load_finished(
    source: str, language: str | None = None, *, without_faulty: bool = False
) -> tuple[Collection, list[str]]:
    """The finished schemas of a collection, and the ids of the others.

    A schema with a mistake is an input error, unless those are left out too; so is a file in which nothing is finished.
    """
    if not is_yaml(Path(source)):
        return load(source, language=language), []
    file = read_unfinished(source, language)
    if any(schema.error for schema in file.schemas) and not (without_faulty and file.collection):
        load(source, language=language)  # raises what is wrong with it
    if file.collection is None:
        raise InputError("no schema is finished yet", remedy=f"Fill it in: winoglot review {source}.", file=source)
    return file.collection, [schema.id for schema in file.schemas if schema.schema is None]
