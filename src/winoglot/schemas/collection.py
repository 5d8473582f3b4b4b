"""A collection: named, versioned schemas of one language."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Annotated

from winoglot.errors import InputError, inside, nearest
from winoglot.schemas.hashing import hash_of_items
from winoglot.schemas.language_tag import language_tag
from winoglot.schemas.schema import Schema
from winoglot.schemas.typed import check_types
from winoglot.schemas.words import check_name, check_text, check_texts

if TYPE_CHECKING:
    from winoglot.schemas.item import Item, Variant


@dataclass(frozen=True)
class Collection:
    """Schemas of one language, with what a user must know before using them."""

    name: str
    language: Annotated[str, "BCP 47: pt-BR, zh, ja"]
    schemas: tuple[Schema, ...]
    version: str = "1.0"
    description: str | None = None
    licence: str | None = None
    citation: str | None = None
    provenance: Annotated[tuple[str, ...], "how it came about: one line a step"] = ()
    keep_names: Annotated[tuple[str, ...], "names that renaming keeps, as it keeps famous ones"] = ()

    def __post_init__(self) -> None:
        """The name may be a file's name; ids are unique."""
        check_types(self)
        with inside("collection"):
            check_name(self.name, "a collection's name")
        with inside("version"):
            check_name(self.version, "a collection's version")
        object.__setattr__(self, "language", language_tag(self.language))
        object.__setattr__(self, "schemas", tuple(schema.spoken_in(self.language) for schema in self.schemas))
        check_texts(description=self.description, licence=self.licence, citation=self.citation)
        for step in self.provenance:
            check_text(step, "the provenance")
        for index, name in enumerate(self.keep_names):
            with inside("keep_names", index):
                check_text(name, "a name to keep")
        if not self.schemas:
            raise InputError(f"the collection {self.name!r} has no schemas", remedy="Add at least one.")
        seen: dict[str, int] = {}
        parallel: dict[str, str] = {}
        for index, schema in enumerate(self.schemas):
            with inside("schemas", index):
                if schema.id in seen:
                    number = seen[schema.id] + 1
                    remedy = f"Rename one of the two; the other is schema number {number} of the file."
                    raise InputError("another schema has the same id", remedy=remedy, schema=schema.id)
                seen[schema.id] = index
                for item in schema.items:
                    other = parallel.setdefault(item.parallel_id, item.id)
                    if other != item.id:
                        raise InputError(
                            f"{item.id} has the parallel id {item.parallel_id!r}, and so has {other}",
                            remedy="A parallel id stands for one item in each language.",
                            schema=schema.id,
                        )

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """The originals, in source order."""
        return tuple(item for schema in self.schemas for item in schema.items)

    def variants(self, kind: str | None = None) -> tuple[Variant, ...]:
        """The stored variants, of one kind or of all, in source order."""
        variants = (variant for schema in self.schemas for variant in schema.variants)
        return tuple(variant for variant in variants if kind in (None, variant.kind))

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of its stored variants, sorted."""
        return tuple(sorted({kind for schema in self.schemas for kind in schema.kinds}))

    def schema(self, schema_id: str) -> Schema:
        """The schema of that id; an unknown one is an input error that names the nearest."""
        for schema in self.schemas:
            if schema.id == schema_id:
                return schema
        known = (schema.id for schema in self.schemas)
        raise InputError(f"{self.name} has no schema {schema_id!r}", remedy=nearest(schema_id, known))

    @cached_property
    def hash(self) -> str:
        """Over all originals: notes and variants do not change it."""
        return hash_of_items(self.items)

    def kind_hash(self, kind: str) -> str:
        """Over the stored variants of one kind."""
        return hash_of_items(self.variants(kind))
