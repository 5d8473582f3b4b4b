"""Writing into a translation what its source looked like, and leaving every other character of the file as it is."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from winoglot.errors import InputError, nearest
from winoglot.files import exists
from winoglot.formats._yaml_values import read_yaml
from winoglot.formats.base import InputFile
from winoglot.formats.yaml import SUFFIXES
from winoglot.schemas.spans import Edit, Span, edited
from winoglot.writing.source_hash import source_hash
from winoglot.writing.work_file import read_work_file

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from winoglot.schemas.model import Collection

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True)
class Recording:
    """The file's new text, the schemas whose source is recorded in it, and those that name another source."""

    text: str
    recorded: tuple[str, ...]
    of_another: tuple[str, ...]


def record(source: Collection, translation: str | Path, *, all_missing: bool, revised: Sequence[str] = ()) -> Recording:
    """Record the state of the source, where none is recorded yet and in the schemas named as revised.

    A schema that says it comes from another collection is left alone.
    """
    path = Path(translation)
    if not exists(path) or path.suffix.lower() not in SUFFIXES:
        raise InputError(f"{str(translation)!r} is no YAML file to write into", remedy="Name the translation's file.")
    works = read_work_file(path).schemas
    known = {name for work in works for name in (work.id, work.parallel_id)}
    for name in revised:
        if name not in known:
            raise InputError(f"there is no schema {name!r} in {path}", remedy=nearest(name, known))
    hashes = {schema.parallel_id: (schema.id, source_hash(schema)) for schema in source.schemas}
    wanted: dict[str, dict[str, str]] = {}
    of_another = []
    for work in works:
        missing = all_missing and work.begun and not (work.source and work.source.hash)
        if work.parallel_id not in hashes or not (missing or {work.id, work.parallel_id}.intersection(revised)):
            continue
        if work.source and work.source.collection != source.name:
            of_another.append(work.id)
            continue
        schema, now = hashes[work.parallel_id]
        wanted[work.id] = {"collection": source.name, "id": schema, "hash": now}
    file = InputFile(path, None)
    return Recording(recorded(file.text, wanted, file.label), tuple(wanted), tuple(of_another))


def recorded(text: str, sources: Mapping[str, Mapping[str, str]], file: str) -> str:
    """A collection's YAML text in which the schemas named have these sources.

    >>> print(recorded("schemas:\\n  - id: a  # one\\n    text: ''\\n", {"a": {"collection": "b", "hash": "12"}}, "f"))
    schemas:
      - id: a  # one
        text: ''
        source: {collection: "b", hash: "12"}
    <BLANKLINE>
    """
    expected = read_yaml(text, file).value
    edits: list[Edit] = []
    root = yaml.compose(text, Loader=_LOADER)
    for entry, value in zip(_value(root, "schemas").value, expected["schemas"], strict=True):
        if wanted := sources.get(value["id"]):
            before = value.get("source") or wanted
            if not isinstance(before, dict):
                raise _not_writable(file, value["id"])
            edits.append(_edit(text, entry, wanted))
            value["source"] = before | {"hash": wanted["hash"]}
    text = edited(text, edits)
    try:
        written = read_yaml(text, file).value
    except InputError as error:
        raise _not_writable(file) from error
    if written != expected:
        raise _not_writable(file)
    return text


def _not_writable(file: str, schema: str | None = None) -> InputError:
    return InputError(
        "the source cannot be written into the file as it is",
        remedy="Write it by hand: source: {collection: …, id: …, hash: …}.",
        file=file,
        schema=schema,
    )


def _edit(text: str, entry: Any, wanted: Mapping[str, str]) -> Edit:
    here = _value(entry, "source")
    whole = "{" + ", ".join(f"{key}: {_quoted(one)}" for key, one in wanted.items()) + "}"
    if here is None:
        return _added(text, entry, "source", whole)
    if not here.value or isinstance(here, yaml.ScalarNode):  # null, in words or in none
        return _instead(text, here, whole)
    before = _value(here, "hash")
    if before is None:
        return _added(text, here, "hash", _quoted(wanted["hash"]))
    return _instead(text, before, _quoted(wanted["hash"]))


def _instead(text: str, value: Any, words: str) -> Edit:
    start = value.start_mark.index
    return Edit(Span(start, value.end_mark.index), words if text[:start].endswith(" ") else f" {words}")


def _added(text: str, mapping: Any, key: str, words: str) -> Edit:
    """One more key at the end of a mapping: before its brace, or on a line of its own."""
    if mapping.flow_style:
        place = mapping.end_mark.index - 1
        comma = " " if text[:place].rstrip().endswith(",") else ", "
        return Edit(Span(place, place), f"{comma}{key}: {words}")
    last = _last(mapping)
    line_end = text.find("\n", len(text[: last.end_mark.index].rstrip()))  # a block of text reaches to the next key
    newline = "\r\n" if text[:line_end].endswith("\r") else "\n"
    place = len(text) if line_end < 0 else line_end + 1
    indent = " " * mapping.value[0][0].start_mark.column
    begin = newline if line_end < 0 else ""
    return Edit(Span(place, place), f"{begin}{indent}{key}: {words}{newline}")


def _last(node: Any) -> Any:
    """What stands last in a mapping or list."""
    while isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        node = node.value[-1][1] if isinstance(node, yaml.MappingNode) else node.value[-1]
    return node


def _value(mapping: Any, key: str) -> Any:
    return next((value for name, value in mapping.value if name.value == key), None)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
