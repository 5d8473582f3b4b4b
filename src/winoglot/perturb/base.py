"""What a kind of perturbation offers, and what kinds share.

A kind is one module (or folder) of this package, found by its name: `after-only` is `after_only`. It offers

    def perturb(item: Item) -> Variant

which derives the variant or raises an `InputError` that says why this item has none. The module's docstring says what
the variant measures. Nothing else needs to change: `evaluate --kinds`, `readings --kinds`, `list perturbations`, runs
and reports ask the registry. Another package adds a kind with an entry point in the group `winoglot.perturb`.

A typical kind finds its edits, raising `NotDerivedError` if there are none, and ends with `variant_of`. A control
ends with `controls.control`. A kind that only makes sense for schemas that an author has approved names their tag as
`TAG` (as `switched` does).
"""

from __future__ import annotations

import shlex
from collections import Counter
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from winoglot import registry
from winoglot.errors import InputError, PluginError, describe, nearest
from winoglot.languages.base import NotDerivedError
from winoglot.schemas.model import Collection, Variant
from winoglot.schemas.spans import Edit, Span, edited, moved

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from collections.abc import Collection as Container

    from winoglot.schemas.model import Effect, Item, Schema


# For whole collections: what runs and commands call.


@dataclass(frozen=True)
class Derived:
    """A collection with the variants that could be derived, and the reason for each schema that has none."""

    collection: Collection
    refused: dict[str, str]


def with_variants(
    collection: Collection, kind: str, perturb: Callable[[Item], Variant], among: Container[str]
) -> Derived:
    """Derive a kind of variant for the schemas named in `among`, unless they have it already.

    A schema gets variants of all its items or of none, because half a pair is not a pair.
    """
    refused: dict[str, str] = {}
    schemas = []
    for schema in collection.schemas:
        made: tuple[Variant, ...] = ()
        if schema.id in among and kind not in schema.kinds:
            try:
                made = _derived(schema, kind, perturb)
            except PluginError:
                raise
            except InputError as error:
                refused[schema.id] = error.message
            _check_variants(kind, schema, made)
        schemas.append(replace(schema, variants=schema.variants + made) if made else schema)
    return Derived(replace(collection, schemas=tuple(schemas)), refused)


def _check_variants(kind: str, schema: Schema, made: Sequence[object]) -> None:
    """Refuse what a perturbation, which may be another package's, must not return."""
    for one in made:
        if not isinstance(one, Variant) or one.kind != kind:
            found = f"a variant of kind {one.kind!r}" if isinstance(one, Variant) else describe(one)
            raise InputError(
                f"the perturbation {kind!r} returned {found} for {schema.id}, expected a Variant of kind {kind!r}",
                remedy="Correct the function perturb of that module, or leave the kind out.",
            )


def _derived(schema: Schema, kind: str, perturb: Callable[[Item], Variant]) -> tuple[Variant, ...]:
    for impossible in schema.impossible:
        if impossible.kind == kind:
            raise InputError(f"its author says: {impossible.reason}")
    return tuple(_variant(item, kind, perturb) for item in schema.items)


def derived(item: Item, kind: str) -> Variant:
    """The variant of one item, of a kind that can be derived."""
    return _variant(item, kind, registry.load("perturbations", kind).perturb)


def _variant(item: Item, kind: str, perturb: Callable[[Item], Variant]) -> Variant:
    try:
        return perturb(item)
    except InputError:
        raise
    except Exception as error:
        if registry.is_built_in("perturbations", kind):
            raise  # a bug of ours: its traceback is what we need
        remedy = "Correct its function perturb, or leave the kind out."
        raise PluginError(f"the perturbation {kind!r}, of item {item.id!r},", error, remedy) from error


def with_kinds(collection: Collection, kinds: Sequence[str], whole: Collection | None = None) -> Collection:
    """The collection with variants of these kinds: stored ones, or derived where possible.

    If the collection is a sample of `whole`, the whole decides which schemas get variants, so that a schema has the
    same ones in both; the sample may then have none at all.
    """
    return _with_kinds(collection, tuple(kinds), whole or collection)


@lru_cache(maxsize=8)  # several models and styles of readings need the same variants
def _with_kinds(collection: Collection, kinds: tuple[str, ...], whole: Collection) -> Collection:
    known = registry.names("perturbations")
    is_sample = len(collection.schemas) < len(whole.schemas)
    for kind in kinds:
        refused: dict[str, str] = {}
        if kind in known:
            plugin = registry.load("perturbations", kind)
            among = _to_derive(whole, getattr(plugin, "TAG", None))
            derived = with_variants(collection, kind, plugin.perturb, among)
            collection, refused = derived.collection, derived.refused
        elif kind not in whole.kinds:
            raise InputError(
                f"{collection.name} has no variants of kind {kind!r}, and none can be derived",
                remedy=nearest(kind, {*known, *whole.kinds}),
            )
        if kind not in collection.kinds and is_sample:
            with_kinds(whole, [kind])  # an input error if no schema has one
        elif kind not in collection.kinds:
            raise InputError(
                f"no schema of {collection.name} has a variant of kind {kind!r}",
                remedy=_why_none(kind, refused, collection.file or collection.name),
            )
    return collection


def _why_none(kind: str, refused: Mapping[str, str], source: str) -> str:
    if kind == "switched":
        return f"Leave the kind out, or see why: winoglot switch {shlex.quote(source)} --suggest"
    reasons = Counter(refused.values()).most_common(1)
    return "Leave the kind out." + "".join(f" Most frequent reason ({count}): {reason}." for reason, count in reasons)


def _to_derive(collection: Collection, tag: str | None) -> set[str]:
    """The schemas that have the kind's tag, or all of them if none has or the kind needs no tag."""
    tagged = {schema.id for schema in collection.schemas if tag in schema.tags}
    return tagged or {schema.id for schema in collection.schemas}


# For one item: what kinds are made of.


def marked_text(item: Item) -> tuple[str, Span]:
    """The item's text and its pronoun; NotDerivedError if the item has only readings or inferences."""
    if item.text is None or item.pronoun is None:
        raise NotDerivedError("it has no text")
    return item.text, item.pronoun


def variant_of(item: Item, kind: str, effect: Effect, edits: Sequence[Edit], **changes: Any) -> Variant:
    """The item with its text edited and all its spans moved along.

    The effect decides the answer. Question, hypotheses and readings are left out, and `changes` replaces any field.
    """
    text, pronoun = marked_text(item)
    answer = item.answer
    if answer is not None and effect != "keeps":
        answer = 1 - answer if effect == "flips" else None
    fields: dict[str, Any] = {
        "text": edited(text, edits),
        "pronoun": moved(pronoun, edits),
        "candidates": tuple(
            replace(candidate, mentions=tuple(moved(mention, edits) for mention in candidate.mentions))
            for candidate in item.candidates
        ),
        "answer": answer,
        "segment": tuple(moved(place, edits) for place in item.segment),
        "phrase": item.phrase and moved(item.phrase, edits),
        "terms": item.terms,
        "tags": item.tags,
        "source": item.source,
        "language": item.language,
    }
    return Variant(
        id=f"{item.id}~{kind}",
        schema_id=item.schema_id,
        parallel_id=f"{item.parallel_id}~{kind}",
        kind=kind,
        variant_of=item.id,
        effect=effect,
        **fields | changes,
    )
