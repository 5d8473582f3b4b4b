"""Changing single values in a collection's YAML text and leaving every other character, comments included, as it is."""

from __future__ import annotations

import json
import re
from itertools import chain
from typing import TYPE_CHECKING, Any

import yaml

from winoglot.errors import InputError
from winoglot.files import exists, write_whole
from winoglot.formats.base import InputFile
from winoglot.formats.yaml import SUFFIXES, dump_yaml, parse
from winoglot.languages.base import function_words
from winoglot.loading import path_of, save
from winoglot.schemas.documents import LOADER, read_yaml
from winoglot.schemas.serialise import serialise_schema
from winoglot.schemas.spans import Edit, Span, edited

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from winoglot.schemas.model import Collection

    Change = Callable[[Any, dict[str, Any]], Edit | None]

_PLAIN = re.compile(r"[^\W\d_][\w '’.-]*")


def is_yaml(path: Path) -> bool:
    """Whether the path is an existing file of the notation."""
    return exists(path) and path.suffix.lower() in SUFFIXES


def edit_schemas(text: str, file: str, change: Change, refusal: InputError) -> str:
    """The text with one edit per schema that `change` returns one for.

    `change` is given the schema's YAML node and its value, and brings the value up to date with its edit. If the edited
    text does not read as these values, because the file is written in an unexpected way, `refusal` is raised.
    """
    expected = read_yaml(text, file).value
    nodes = value_of(yaml.compose(text, Loader=LOADER), "schemas").value
    changes = [change(node, value) for node, value in zip(nodes, expected["schemas"], strict=True)]
    text = edited(text, [edit for edit in changes if edit])
    try:
        content = read_yaml(text, file).value
    except InputError as error:
        raise refusal from error
    if content != expected:
        raise refusal
    return text


def value_of(mapping: Any, key: str) -> Any:
    """The node of a mapping's value; None if it has no such key."""
    return next((value for name, value in mapping.value if name.value == key), None)


def replaced(text: str, value: Any, words: str) -> Edit:
    """An edit that replaces a value."""
    start = value.start_mark.index
    return Edit(Span(start, value.end_mark.index), words if text[:start].endswith(" ") else f" {words}")


def added(text: str, mapping: Any, key: str, words: str) -> Edit:
    """An edit that adds a key at the end of a mapping: before its brace, or on lines of its own."""
    if mapping.flow_style:
        place = mapping.end_mark.index - 1
        comma = " " if text[:place].rstrip().endswith(",") else ", "
        return Edit(Span(place, place), f"{comma}{key}: {words}")
    last = _last_node(mapping)
    line_end = text.find("\n", len(text[: last.end_mark.index].rstrip()))  # a block of text reaches to the next key
    newline = "\r\n" if text[:line_end].endswith("\r") else "\n"
    place = len(text) if line_end < 0 else line_end + 1
    indent = " " * mapping.value[0][0].start_mark.column
    gap = "" if words.startswith("\n") else " "
    lines = f"{key}:{gap}{words}".split("\n")
    begin = newline if line_end < 0 else ""
    return Edit(Span(place, place), begin + "".join(f"{indent}{line}{newline}" for line in lines))


def quoted(text: str) -> str:
    """A text in quotes, which both JSON and YAML read."""
    return json.dumps(text, ensure_ascii=False)


def _last_node(node: Any) -> Any:
    """What a mapping or list ends with."""
    while isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        node = node.value[-1][1] if isinstance(node, yaml.MappingNode) else node.value[-1]
    return node


def save_variants(source: str, collection: Collection, kinds: Iterable[str], output: Path, *, force: bool) -> None:
    """Write a collection that has gained variants; between YAML files, keep the source's text around them."""
    path = path_of(source)
    if is_yaml(path) and output.suffix.lower() in SUFFIXES:
        file = InputFile(path, None)
        words = function_words(collection.language)
        entries = {schema.id: serialise_schema(schema, words).get("variants", {}) for schema in collection.schemas}
        content = file.text
        try:
            for kind in kinds:
                variants_by_schema = {name: variants[kind] for name, variants in entries.items() if kind in variants}
                content = with_variants_added(content, kind, variants_by_schema, file.label)
        except InputError:  # the file is written in a way that leaves no room for them
            pass
        else:
            write_whole(output, content, force=force)
            return
    save(collection, output, force=force)


def save_rewritten(source: str, before: Collection, after: Collection, output: Path, *, force: bool) -> None:
    """Write a collection whose values have changed; between YAML files, keep the source's text around them."""
    path = path_of(source)
    if is_yaml(path) and output.suffix.lower() in SUFFIXES:
        file = InputFile(path, None)
        old, new = ({s.id: serialise_schema(s, function_words(c.language)) for s in c.schemas} for c in (before, after))
        head = {"collection": after.name, "provenance": list(after.provenance)}
        content = with_values_changed(file.text, head, old, new, file.label)
        try:
            is_same = parse(content, file.label) == after
        except InputError:  # the file is written in a way that leaves no room for them
            is_same = False
        if is_same:
            write_whole(output, content, force=force)
            return
    save(after, output, force=force)


def with_values_changed(
    text: str, head: Mapping[str, Any], old: Mapping[str, Any], new: Mapping[str, Any], file: str
) -> str:
    """A collection's YAML text with other values in its head and, where old and new ones differ, in its schemas.

    A schema in which the text has other keys than the new one is written anew.

    >>> text = "collection: mine  # old\\nschemas:\\n  - id: a  # one\\n    text: 'Ana riu.'  # two\\n"
    >>> old, new = ({"a": {"id": "a", "text": sentence}} for sentence in ("Ana riu.", "Eva riu."))
    >>> print(with_values_changed(text, {"collection": "other"}, old, new, "f"))
    collection: other  # old
    schemas:
      - id: a  # one
        text: "Eva riu."  # two
    <BLANKLINE>
    """
    root, value = yaml.compose(text, Loader=LOADER), read_yaml(text, file).value
    line_end = text.index("\n", value_of(root, "collection").end_mark.index) + 1
    edits = []
    for key, words in head.items():
        if key in value:
            edits += _changes(text, value_of(root, key), value[key], None, words)
        else:
            edits.append(Edit(Span(line_end, line_end), f"{key}: {_one_line(words)}\n"))
    for node, entry in zip(value_of(root, "schemas").value, value["schemas"], strict=True):
        edits += _changes(text, node, entry, old.get(entry["id"]), new.get(entry["id"]))
    return edited(text, edits)


def _changes(text: str, node: Any, written: Any, old: Any, new: Any) -> list[Edit]:
    """The edits that turn what is written for an old value into a new one, as few and small as its structure allows."""
    if old == new:
        return []
    if isinstance(written, dict) and isinstance(new, dict) and written.keys() <= new.keys():
        old_entry = old if isinstance(old, dict) else {}
        changes = (_changes(text, value_of(node, key), written[key], old_entry.get(key), new[key]) for key in written)
        new_keys = {key: new[key] for key in new if key not in written and old_entry.get(key) != new[key]}
        return [
            *chain.from_iterable(changes),
            *(added(text, node, key, _one_line(inner)) for key, inner in new_keys.items()),
        ]
    if isinstance(written, list) and isinstance(new, list) and len(written) == len(new):
        old_items = old if isinstance(old, list) and len(old) == len(new) else [None] * len(new)
        parts = zip(node.value, written, old_items, new, strict=True)
        return [
            edit
            for part, item, old_entry, new_item in parts
            for edit in _changes(text, part, item, old_entry, new_item)
        ]
    start, end = node.start_mark.index, len(text[: _last_node(node).end_mark.index].rstrip())  # before comments
    if isinstance(new, str):
        is_plain = not node.style and _PLAIN.fullmatch(new) and (" " in node.value or " " not in new)
        return [Edit(Span(start, end), new if is_plain else quoted(new))]
    if not isinstance(new, dict) or node.flow_style:
        return [Edit(Span(start, end), _one_line(new))]
    lines = dump_yaml(new).splitlines()
    return [Edit(Span(start, end), ("\n" + " " * node.start_mark.column).join(lines))]


def with_variants_added(text: str, kind: str, variants: Mapping[str, dict[str, Any]], file: str) -> str:
    """A collection's YAML text in which these schemas have variants of the kind, unless they have them already.

    >>> text = "schemas:\\n  - id: a  # one\\n    text: x\\n"
    >>> print(with_variants_added(text, "switched", {"a": {"text": "y"}}, "f"))
    schemas:
      - id: a  # one
        text: x
        variants:
          switched:
            text: y
    <BLANKLINE>
    """

    def change(node: Any, value: dict[str, Any]) -> Edit | None:
        present = value.get("variants") or {}
        entry = variants.get(value["id"])
        if entry is None or kind in present:
            return None
        value["variants"] = present | {kind: read_yaml(dump_yaml(entry), file).value}
        node_of_variants = value_of(node, "variants")
        if node_of_variants is not None and present:
            return added(text, node_of_variants, kind, _block(entry, node_of_variants))
        if node_of_variants is not None:
            return replaced(text, node_of_variants, _one_line({kind: entry}))
        return added(text, node, "variants", _block({kind: entry}, node))

    refusal = InputError(
        "variants cannot be added to the file as it is written",
        remedy="Write the file again with another name.",
        file=file,
    )
    return edit_schemas(text, file, change, refusal)


def _block(value: dict[str, Any], parent: Any) -> str:
    """A value below its key, or on one line inside braces."""
    if parent.flow_style:
        return _one_line(value)
    return "\n" + "\n".join(f"  {line}" for line in dump_yaml(value).splitlines())


def _one_line(value: Any) -> str:
    return yaml.safe_dump(value, allow_unicode=True, sort_keys=False, default_flow_style=True, width=10**9).strip()
