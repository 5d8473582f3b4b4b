"""What a file says of a collection beside its schemas: its fields, in one place for all of our own formats."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from winoglot.schemas.entries import FORMAT_VERSION
from winoglot.schemas.model import Collection

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from winoglot.schemas.model import Schema

_KEYS = {"name": "collection"}  # the key is the field's name but for this one
_FIELDS = [field for field in dataclasses.fields(Collection) if field.name != "schemas"]


def head_of(collection: Collection) -> dict[str, Any]:
    """The version of the format and every field that is not empty, by key."""
    head: dict[str, Any] = {"winoglot": FORMAT_VERSION}
    for field in _FIELDS:
        value = getattr(collection, field.name)
        if value:
            head[_KEYS.get(field.name, field.name)] = list(value) if isinstance(value, tuple) else value
    return head


def collection_from(head: Mapping[str, Any], schemas: Iterable[Schema]) -> Collection:
    """The collection that a file's head and schemas make up."""
    given = {field.name: head.get(_KEYS.get(field.name, field.name)) for field in _FIELDS}
    fields = {name: value for name, value in given.items() if value is not None}
    if isinstance(fields.get("provenance"), str):
        fields["provenance"] = (fields["provenance"],)
    return Collection(schemas=tuple(schemas), **fields)
