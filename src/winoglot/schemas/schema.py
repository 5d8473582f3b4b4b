"""A schema: a text with a pronoun, candidates and alternatives that move the answer."""

from __future__ import annotations

import re
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from winoglot.errors import InputError, inside, located
from winoglot.schemas.forms import Source
from winoglot.schemas.item import Item, Variant
from winoglot.schemas.typed import check_types
from winoglot.schemas.words import check_name, check_text, check_texts

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Impossible:
    """A kind of variant that this schema cannot have, and why."""

    kind: str
    reason: str

    def __post_init__(self) -> None:
        """Both are stated."""
        check_types(self)
        check_name(self.kind, "a kind of variant")
        check_text(self.reason, "the reason")
        if self.reason.lower() in ("true", "yes"):
            raise InputError("the reason is missing", remedy='Write why: {impossible: "…"}.')


@dataclass(frozen=True)
class Schema:
    """One or more items that share a situation, the variants derived from them, and what their author says."""

    id: str
    items: tuple[Item, ...]
    variants: tuple[Variant, ...] = ()
    impossible: Annotated[tuple[Impossible, ...], "kinds of variant that cannot be made, with the reason"] = ()
    explanation: Annotated[str | None, "the everyday fact behind the answers"] = None
    note: str | None = None
    source: Source | None = None
    parallel_id: Annotated[str, "the same for the same schema in all languages"] = ""

    def __post_init__(self) -> None:
        """Ids fit together, and every variant does to its original what its effect says."""
        check_types(self)
        check_name(self.id, "a schema's id")
        with located(schema=self.id):
            object.__setattr__(self, "parallel_id", self.parallel_id or self.id)
            check_name(self.parallel_id, "a parallel id")
            check_texts(explanation=self.explanation, note=self.note)
            if not self.items:
                raise InputError("the schema has no items", remedy="Give it a 'text', or 'items'.")
            if any(isinstance(item, Variant) for item in self.items):
                raise InputError("a variant stands among the originals", remedy="Put it under 'variants'.")
            order = {kind: number for number, kind in enumerate(self.kinds)}
            object.__setattr__(self, "variants", tuple(sorted(self.variants, key=lambda v: order[v.kind])))
            self._check_ids()
            for index, variant in enumerate(self.variants):
                with inside("variants", index):
                    self._check_variant(variant)
            self._check_impossible()

    def _check_ids(self) -> None:
        numbers = [self._number(item) for item in self.items]
        _check_unique(numbers, "item")
        if numbers != sorted(numbers):
            raise InputError("the items are not in the order of their ids", remedy="Reorder or renumber them.")
        _check_unique([variant.id for variant in self.variants], "variant")

    def _number(self, item: Item) -> int:
        found = re.fullmatch(re.escape(self.id) + r"\.(0|[1-9][0-9]{0,5})", item.id)
        if not found or item.schema_id != self.id:
            raise InputError(
                f"the item {item.id!r} does not belong to the schema {self.id!r}",
                remedy=f"Items of this schema are called {self.id}.0, {self.id}.1, ….",
            )
        return int(found.group(1))

    def _check_variant(self, variant: Variant) -> None:
        original = next((item for item in self.items if item.id == variant.variant_of), None)
        if original is None or variant.schema_id != self.id:
            raise InputError(
                f"the variant {variant.id!r} is derived from {variant.variant_of!r}, which is no item of this schema",
                remedy=f"Items of this schema: {', '.join(item.id for item in self.items)}.",
            )
        texts, original_texts = ([c.text for c in item.candidates] for item in (variant, original))
        if texts != original_texts and sorted(texts) == sorted(original_texts):
            raise InputError(
                f"the variant {variant.id!r} has its original's candidates in another order",
                remedy="A candidate's index is its identity: keep the order; the answer and the text change.",
                path=("candidates",),
            )
        if variant.id != f"{original.id}~{variant.kind}":
            raise InputError(f"the variant is called {variant.id!r}", remedy=f"Call it {original.id}~{variant.kind}.")
        same = variant.answer == original.answer
        flipped = original.answer is None or (variant.answer is not None and not same)
        if (variant.effect == "keeps" and not same) or (variant.effect == "flips" and not flipped):
            raise InputError(
                f"the variant {variant.id!r} {variant.effect} the answer, "
                f"but its answer is {variant.answer} and its original's {original.answer}",
                remedy="Correct the answer or the effect (keeps, flips, removes).",
                path=("answer",),
            )

    def _check_impossible(self) -> None:
        effects = {(variant.kind, variant.effect) for variant in self.variants}
        if len(effects) > len(self.kinds):
            raise InputError("variants of one kind differ in their effect", remedy="Give them kinds of their own.")
        _check_unique([impossible.kind for impossible in self.impossible], "impossible kind")
        both = {impossible.kind for impossible in self.impossible} & {variant.kind for variant in self.variants}
        if both:
            raise InputError(f"{min(both)!r} is both given and impossible", remedy="Take one of the two out.")

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags that all its items have."""
        return tuple(tag for tag in self.items[0].tags if all(tag in item.tags for item in self.items))

    def spoken_in(self, language: str) -> Schema:
        """The same schema, whose items know their language."""
        if all(item.language == language for item in (*self.items, *self.variants)):
            return self
        schema = copy(self)  # nothing changes that was checked
        for name in ("items", "variants"):
            items = tuple(_spoken(item, language) for item in getattr(self, name))
            object.__setattr__(schema, name, items)
        return schema

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of its variants, in the order of their first appearance."""
        return tuple(dict.fromkeys(variant.kind for variant in self.variants))


def _spoken(item: Item, language: str) -> Item:
    spoken = copy(item)
    object.__setattr__(spoken, "language", language)
    return spoken


def _check_unique(values: Sequence[object], what: str) -> None:
    twice = next((value for index, value in enumerate(values) if value in values[:index]), None)
    if twice is not None:
        raise InputError(f"{what} {twice!r} appears twice", remedy="Keep one of them, or rename one.")
