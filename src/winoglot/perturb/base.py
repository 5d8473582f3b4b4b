"""What a kind of perturbation offers, and what kinds share.

A kind is one module (or folder) of this package, found by its name: `after-only` is `after_only`. It offers one of

    def perturb(item: Item) -> Variant
    def perturb(schema: Schema, context: Context) -> tuple[Variant, ...] | Proposed

The second sees the whole schema, its collection and a seed, and returns one variant per item. If it is not sure of
them, it returns them as `Proposed`, with what a reader must check: they are written to a review file and never
evaluated. An `InputError` or `NotDerivedError` says why the schema has none. The module's docstring says what the
variant measures; `winoglot list perturbations` shows its first line. Nothing else needs to change: `evaluate --kinds`,
`readings --kinds`, runs and reports ask the registry. Another package adds a kind with an entry point in the group
`winoglot.perturb`.

A typical kind finds its edits, raising `NotDerivedError` if there are none, and ends with `variant_of`. A control
ends with `controls.control`; a kind that a language's grammar decides is an entry in `grammatical`. A kind
that only makes sense for schemas that an author has approved names their tag as `TAG` (as `switched` does).
"""

from __future__ import annotations

import inspect
import shlex
from collections import Counter
from copy import copy
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

from winoglot import registry
from winoglot.errors import InputError, PluginError, describe, did_you_mean
from winoglot.languages.base import NotDerivedError
from winoglot.languages.rewriting import REWRITINGS, check_rule
from winoglot.schemas.model import BY_RULE, Collection, Item, Schema, Variant
from winoglot.schemas.spans import Edit, Span, edited, moved
from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from collections.abc import Collection as Container

    from winoglot.schemas.model import Effect


ALL = "all"  # in place of kinds: those that a collection has or that can be derived
COMPOSED = "+"  # between two kinds: the second is made of the first's variants
_CONTENT = [field.name for field in fields(Item) if field.init and field.name not in ("id", "parallel_id")]


# For whole collections: what runs and commands call.


@dataclass(frozen=True)
class Context:
    """What a perturbation sees besides the schema."""

    collection: Collection
    seed: int = 0


@dataclass(frozen=True)
class Proposed:
    """Variants that a reader must accept before they are used, and what to check."""

    variants: tuple[Variant, ...]
    reason: str


@dataclass(frozen=True)
class Derived:
    """A collection with the variants that could be derived; by schema id, proposals and the reasons for having none."""

    collection: Collection
    proposed: dict[str, Proposed]
    refused: dict[str, str]


def with_variants(
    collection: Collection, kind: str, perturb: Callable[..., Any], among: Container[str], seed: int = 0
) -> Derived:
    """Derive a kind of variant for the schemas named in `among`, unless they have it already.

    A schema gets variants of all its items or of none, because half a pair is not a pair.
    """
    context = Context(collection, seed)
    proposed: dict[str, Proposed] = {}
    refused: dict[str, str] = {}
    schemas = []
    for schema in collection.schemas:
        if schema.id in among and kind not in schema.kinds:
            try:
                variants = derived_variants(schema, kind, perturb, context)
            except PluginError:
                raise
            except (InputError, NotDerivedError) as error:
                refused[schema.id] = error.message if isinstance(error, InputError) else str(error)
            else:
                if isinstance(variants, Proposed):
                    proposed[schema.id] = variants
                else:
                    schema = replace(schema, variants=schema.variants + _by_rule(variants))  # noqa: PLW2901
        schemas.append(schema)
    return Derived(replace(collection, schemas=tuple(schemas)), proposed, refused)


def _by_rule(variants: tuple[Variant, ...]) -> tuple[Variant, ...]:
    """The variants, which say that a rule made them."""
    copies = tuple(copy(variant) for variant in variants)  # valid already, so nothing is checked again
    for variant in copies:
        object.__setattr__(variant, "made", BY_RULE)
    return copies


def derived_variants(
    schema: Schema, kind: str, perturb: Callable[..., Any], context: Context
) -> tuple[Variant, ...] | Proposed:
    """The variants of one schema; InputError or NotDerivedError if it has none."""
    for impossible in schema.impossible:
        if impossible.kind == kind:
            raise InputError(f"its author says: {impossible.reason}")
    if _takes_item(perturb):
        result: Any = tuple(_call_plugin(kind, item.id, perturb, item) for item in schema.items)
    else:
        result = _call_plugin(kind, schema.id, perturb, schema, context)
    _check_variants(kind, schema, result.variants if isinstance(result, Proposed) else result)
    return cast("tuple[Variant, ...] | Proposed", result)


def _takes_item(perturb: Callable[..., Any]) -> bool:
    """Whether a perturbation takes one item at a time, rather than a schema and its context."""
    return len(inspect.signature(perturb).parameters) == 1


def _call_plugin(kind: str, what: str, perturb: Callable[..., Any], *arguments: object) -> Any:
    place = f", of {'schema' if isinstance(arguments[0], Schema) else 'item'} {what!r},"
    return registry.call_plugin(
        f"the perturbation {kind!r}",
        perturb,
        *arguments,
        remedy="Correct its function perturb, or leave the kind out.",
        passes=lambda error: isinstance(error, NotDerivedError),
        where=lambda: place,
    )


def _check_variants(kind: str, schema: Schema, result: object) -> None:
    """Refuse what a perturbation must not return; it may come from another package."""
    variants = result if isinstance(result, tuple) else (result,)
    for variant in variants:
        if not isinstance(variant, Variant) or variant.kind != kind:
            what = f"a variant of kind {variant.kind!r}" if isinstance(variant, Variant) else describe(variant)
            raise InputError(
                f"the perturbation {kind!r} returned {what} for {schema.id}, expected a Variant of kind {kind!r}",
                remedy="Correct the function perturb of that module, or leave the kind out.",
            )
    if [variant.variant_of for variant in variants] != [item.id for item in schema.items]:
        raise InputError(
            f"the perturbation {kind!r} returned {len(variants)} variants for {schema.id}, "
            f"expected one for each of its {counted(len(schema.items), 'item')}, in their order",
            remedy="Correct the function perturb of that module, or leave the kind out.",
        )


def derived(item: Item, kind: str) -> Variant:
    """The variant of one item, of a kind that can be derived from it alone."""
    perturb = registry.load("perturbations", kind).perturb
    if not _takes_item(perturb):
        raise InputError(
            f"the kind {kind!r} can only be derived for whole schemas, not for the single item {item.id}",
            remedy=f'Give the collection: wg.perturb(collection, "{kind}").',
        )
    variant: Variant = _call_plugin(kind, item.id, perturb, item)
    return variant


def with_kinds(
    collection: Collection, kinds: Sequence[str], whole: Collection | None = None, seed: int = 0
) -> Collection:
    """The collection with variants of these kinds: stored ones, or derived where the rules are sure.

    If the collection is a sample of `whole`, the whole decides which schemas get variants, so that a schema has the
    same ones in both; the sample may then have none at all.
    """
    return _with_kinds(collection, tuple(kinds), whole or collection, seed) if kinds else collection


@lru_cache(maxsize=32)  # several models and styles of readings need the same variants
def _with_kinds(collection: Collection, kinds: tuple[str, ...], whole: Collection, seed: int) -> Collection:
    is_sample = len(collection.schemas) < len(whole.schemas)
    for kind in kinds:
        derived = derive(collection, kind, whole, seed)
        collection = derived.collection
        if kind not in collection.kinds and is_sample:
            with_kinds(whole, [kind], seed=seed)  # an input error if no schema has one
        elif kind not in collection.kinds:
            refused = derived.refused | {name: proposal.reason for name, proposal in derived.proposed.items()}
            raise InputError(
                f"no schema of {collection.name} has a variant of kind {kind!r}",
                remedy=_why_none(kind, refused, collection.file or collection.name),
            )
    return collection


def named_kinds(collection: Collection, kinds: Sequence[str]) -> tuple[str, ...]:
    """The kinds named, where `all` stands for those that the collection has or that can be derived."""
    if ALL not in kinds:
        return tuple(kinds)
    return tuple(dict.fromkeys((*with_all_kinds(collection)[1], *(kind for kind in kinds if kind != ALL))))


def with_all_kinds(collection: Collection, seed: int = 0) -> tuple[Collection, tuple[str, ...]]:
    """The collection with all variants that it has or that can be derived, and their kinds."""
    kinds: list[str] = []
    for kind in dict.fromkeys((*collection.kinds, *registry.names("perturbations"))):
        try:
            collection = with_kinds(collection, [kind], seed=seed)
        except PluginError:
            raise
        except InputError:  # no schema has such a variant
            continue
        kinds.append(kind)
    return collection, tuple(kinds)


def derive(collection: Collection, kind: str, whole: Collection | None = None, seed: int = 0) -> Derived:
    """The collection with its variants of a kind, those that are only proposed, and why other schemas have none.

    A kind may be composed: `tense+segment-masked` masks the segment of the variants of kind `tense`.
    """
    whole = whole or collection
    if kind in REWRITINGS and kind not in whole.kinds:
        check_rule(whole.language, kind)
    if kind in registry.names("perturbations"):
        plugin = registry.load("perturbations", kind)
        return with_variants(
            collection, kind, plugin.perturb, schemas_to_perturb(whole, getattr(plugin, "TAG", None)), seed
        )
    if kind in whole.kinds:
        return Derived(collection, {}, {})
    first, plus, last = kind.rpartition(COMPOSED)
    if plus and last in registry.names("perturbations"):
        return _derive_composed(collection, derive(collection, first, whole, seed), first, last, seed)
    unknown = last or kind  # "tense+" has no second kind
    raise InputError(
        f"{collection.name} has no variants of kind {unknown!r}, and none can be derived",
        remedy=did_you_mean(unknown, {*registry.names("perturbations"), *whole.kinds}),
    )


def _derive_composed(collection: Collection, with_first: Derived, first: str, last: str, seed: int) -> Derived:
    """Perturb the variants of one kind by another, as if they were a collection of their own."""
    kind = f"{first}{COMPOSED}{last}"
    originals = {schema.id: schema for schema in collection.schemas}
    of_kind = {schema.id: [v for v in schema.variants if v.kind == first] for schema in with_first.collection.schemas}
    bare = [
        Schema(id=name, items=tuple(_as_item(variant) for variant in variants), parallel_id=originals[name].parallel_id)
        for name, variants in of_kind.items()
        if len(variants) == len(originals[name].items) and kind not in originals[name].kinds
    ]
    if not bare:
        return Derived(collection, {}, with_first.refused)
    plugin = registry.load("perturbations", last)
    of_first_kind = replace(collection, schemas=tuple(bare))
    derived = with_variants(
        of_first_kind, last, plugin.perturb, schemas_to_perturb(of_first_kind, getattr(plugin, "TAG", None)), seed
    )

    def variants(name: str, perturbed: Sequence[Variant]) -> tuple[Variant, ...]:
        effects = [
            _combined_effect(earlier.effect, later.effect)
            for earlier, later in zip(of_kind[name], perturbed, strict=True)
        ]
        return tuple(variants_from(originals[name].items, perturbed, kind, effects))

    added = {
        schema.id: variants(schema.id, schema.variants) for schema in derived.collection.schemas if schema.variants
    }
    schemas = (replace(schema, variants=schema.variants + added.get(schema.id, ())) for schema in collection.schemas)
    proposed = {
        name: Proposed(variants(name, proposal.variants), proposal.reason)
        for name, proposal in derived.proposed.items()
    }
    return Derived(replace(collection, schemas=tuple(schemas)), proposed, with_first.refused | derived.refused)


def _combined_effect(first: Effect, second: Effect) -> Effect:
    """What two changes do to the answer together."""
    for open_effect in ("removes", "unknown"):
        if open_effect in (first, second):
            return open_effect
    return "keeps" if first == second else "flips"


def _as_item(variant: Variant) -> Item:
    """The variant as a plain item, with the id of its original."""
    ids = {"id": variant.variant_of, "parallel_id": variant.parallel_id.rpartition("~")[0]}
    return Item(**{name: getattr(variant, name) for name in _CONTENT} | ids)


def variants_from(
    originals: Sequence[Item], items: Sequence[Item], kind: str, effects: Sequence[Effect]
) -> Iterator[Variant]:
    """Variants of the originals with the content of other items."""
    for original, item, effect in zip(originals, items, effects, strict=True):
        yield Variant(
            id=f"{original.id}~{kind}",
            parallel_id=f"{original.parallel_id}~{kind}",
            kind=kind,
            variant_of=original.id,
            effect=effect,
            made=BY_RULE,
            **{name: getattr(item, name) for name in _CONTENT},
        )


def _why_none(kind: str, refused: Mapping[str, str], source: str) -> str:
    if kind == "switched":
        return f"Leave the kind out, or see why: winoglot switch {shlex.quote(source)} --suggest"
    reasons = Counter(refused.values()).most_common(1)
    return "Leave the kind out of --kinds." + "".join(
        f" Most frequent reason ({count}): {reason}." for reason, count in reasons
    )


def schemas_to_perturb(collection: Collection, tag: str | None) -> set[str]:
    """The schemas that have the kind's tag, or all of them if none has or the kind needs no tag."""
    tagged = {schema.id for schema in collection.schemas if tag in schema.tags}
    return tagged or {schema.id for schema in collection.schemas}


# For one item: what kinds are made of.


def marked_text(item: Item) -> tuple[str, Span]:
    """The item's text and its pronoun; NotDerivedError if the item has only readings or inferences."""
    if item.text is None or item.pronoun is None:
        raise NotDerivedError("it has no text")
    return item.text, item.pronoun


def edited_text(item: Item, edits: Sequence[Edit]) -> dict[str, Any]:
    """The item's edited text, and the fields with its spans, moved along."""
    text, pronoun = marked_text(item)
    return {
        "text": edited(text, edits),
        "pronoun": moved(pronoun, edits),
        "candidates": tuple(
            replace(candidate, mentions=tuple(moved(mention, edits) for mention in candidate.mentions))
            for candidate in item.candidates
        ),
        "segment": tuple(moved(place, edits) for place in item.segment),
        "phrase": item.phrase and moved(item.phrase, edits),
    }


def variant_of(item: Item, kind: str, effect: Effect, edits: Sequence[Edit], **changes: Any) -> Variant:
    """The item with its text edited and all its spans moved along.

    The effect decides the answer. Question, hypotheses and readings are left out, and `changes` replaces any field.
    """
    answer = item.answer
    if answer is not None and effect != "keeps":
        answer = 1 - answer if effect == "flips" else None
    fields: dict[str, Any] = {
        **edited_text(item, edits),
        "answer": answer,
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
