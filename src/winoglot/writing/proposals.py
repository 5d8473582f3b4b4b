"""Review files: proposed variants, each with its original and the reason for doubt, which a reader accepts or rejects.

    winoglot perturb mine.yaml --kind tense --propose -o review.yaml
    (edit review.yaml)
    winoglot perturb mine.yaml --accept review.yaml -o mine-with-tense.yaml

A reader writes `accept` or `reject` after `decision:`, and may correct the variant, which is written as in a
collection. Proposals without a decision wait: they stay in the review file, and the file can be merged again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Annotated, Any, Literal, Required

from winoglot import registry
from winoglot.checks.texts import words
from winoglot.errors import InputError, did_you_mean
from winoglot.files import decode, read_bytes
from winoglot.formats.yaml import dump_yaml
from winoglot.languages.base import function_words
from winoglot.perturb.base import COMPOSED
from winoglot.schemas.documents import read_yaml
from winoglot.schemas.entries import Entry, SchemaEntry, Text, VariantEntry, about
from winoglot.schemas.model import BY_RULE, Collection, Impossible, Made
from winoglot.schemas.notation import DEFAULT_EFFECTS, parse_schema
from winoglot.schemas.serialise import serialise_schema
from winoglot.schemas.validation import check_entry

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from winoglot.perturb.base import Proposed
    from winoglot.schemas.documents import Document
    from winoglot.schemas.entries import AlternativesEntry
    from winoglot.schemas.model import Schema, Variant

UNNAMED = "a person"  # who judged it, unless a name is given
_MOST_BYTES = 16 * 2**20
_EXPECTED = "Name a file that `winoglot perturb … --propose -o FILE` wrote."
_HEAD = """\
# Proposed variants of {name}. For each one, write "accept" or "reject" after "decision:". What you accept is taken
# exactly as it stands under "variant:", so correct it there if needed; it must keep the answer. If you reject one
# because the schema cannot have such a variant, add a line "because:" that says why, and it will not be proposed again.
# Proposals without a decision are left for later. Then: winoglot perturb COLLECTION --accept FILE -o NEW-COLLECTION
"""


class ProposalEntry(Entry, total=False):
    """One proposal, and what its reader decided."""

    schema: Required[Annotated[Text, about("the id of its schema")]]
    kind: Required[Annotated[Text, about("the kind of variant")]]
    original: Required[Annotated[Text, about("the text that the proposal was made for; do not change it")]]
    reason: Required[Annotated[Text, about("what the rules are not sure of")]]
    decision: Required[Annotated[Literal["accept", "reject"] | None, about("accept, reject, or nothing yet")]]
    because: Annotated[Text | None, about("with reject: why the schema cannot have such a variant")]
    variant: Required[Annotated[VariantEntry, about("the variant, as in a collection")]]


class RefusedEntry(Entry, total=False):
    """A draft that did not pass, for readers of the file."""

    schema: Required[Text]
    kind: Required[Text]
    reason: Required[Annotated[Text, about("why the draft was refused")]]
    reply: Annotated[Text | None, about("what the model replied, or the beginning of it")]


class ReviewEntry(Entry, total=False):
    """The content of a review file."""

    proposals_for: Required[Annotated[Text, about("the name of the collection")]]
    proposals: Required[Annotated[list[ProposalEntry], about("the proposals")]]
    refused: Annotated[list[RefusedEntry], about("drafts of a model that did not pass, and why")]


@dataclass(frozen=True)
class Refusal:
    """A draft of a model that did not pass: of which schema and task, why not, and the beginning of the reply."""

    schema: str
    task: str
    reason: str
    reply: str


@dataclass(frozen=True)
class Accepted:
    """The collection with what was accepted, and which proposals (`schema~kind`) fared how.

    `present` are those that the collection had already, `waiting` those without a decision, and `overruled` those that
    were added although a model that read them blind had answered differently.
    """

    collection: Collection
    added: tuple[str, ...]
    rejected: tuple[str, ...]
    present: tuple[str, ...]
    waiting: tuple[str, ...]
    overruled: tuple[str, ...]


def review_file(
    collection: Collection, proposed: Mapping[str, Mapping[str, Proposed]], refused: Sequence[Refusal] = ()
) -> str:
    """The text of a review file for proposals by kind and schema; drafts that were refused are listed at its end."""
    table = function_words(collection.language)
    entries = []
    for schema in collection.schemas:
        for kind, by_schema in proposed.items():
            proposal = by_schema.get(schema.id)
            if proposal is not None:
                serialised = serialise_schema(replace(schema, variants=proposal.variants, impossible=()), table)
                entries.append(
                    {
                        "schema": schema.id,
                        "kind": kind,
                        "original": _original(schema),
                        "reason": proposal.reason,
                        "decision": None,
                        "variant": serialised["variants"][kind],
                    }
                )
    rows = [{"schema": r.schema, "kind": r.task, "reason": r.reason, "reply": r.reply or None} for r in refused]
    parts = {"proposals_for": collection.name, "proposals": entries}
    content = dump_yaml(parts | ({"refused": rows} if rows else {}))
    return _HEAD.format(name=collection.name) + content.replace("decision: null\n", "decision:\n")


def _original(schema: Schema) -> str:
    """The text of the schema, with its alternatives in brackets if that is possible."""
    content = serialise_schema(replace(schema, variants=(), impossible=()), function_words(schema.items[0].language))
    return str(content["text"]) if "text" in content else " / ".join(item.text or "" for item in schema.items)


def accept(collection: Collection, path: Path, judged_by: str = UNNAMED) -> Accepted:
    """Merge what was accepted in a review file; whatever is wrong with the file is an input error with its line.

    Variants store who judged them, and what share of a model's draft they changed.
    """
    document = _document(path)
    with document.locating():
        entry: ReviewEntry = check_entry(ReviewEntry, document.value)
        if entry["proposals_for"] != collection.name:
            raise InputError(
                f"these are proposals for {entry['proposals_for']!r}, not for {collection.name!r}",
                remedy=f"Give the collection {entry['proposals_for']!r}, or a review file made for this one.",
                path=("proposals_for",),
            )
        return _merge(collection, entry["proposals"], judged_by)


def _document(path: Path) -> Document:
    """The YAML of a review file; another file is refused as what it is."""
    try:
        data = read_bytes(path, _MOST_BYTES)
    except InputError as error:
        error.remedy = _EXPECTED
        raise
    if not data.strip():
        raise InputError("the file is empty", remedy=_EXPECTED, file=str(path))
    document = read_yaml(decode(data, str(path)), str(path))
    if not isinstance(document.value, dict) or "proposals" not in document.value:
        raise InputError("this is not a review file: it has no 'proposals'", remedy=_EXPECTED, file=str(path))
    return document


def _merge(collection: Collection, proposals: list[ProposalEntry], judged_by: str) -> Accepted:
    schemas = {schema.id: schema for schema in collection.schemas}
    outcome: dict[str, list[str]] = {"added": [], "rejected": [], "present": [], "waiting": [], "overruled": []}
    seen_labels: set[str] = set()
    for number, proposal in enumerate(proposals):
        path = ("proposals", number)
        schema_id, kind = proposal["schema"], proposal["kind"]
        label = f"{schema_id}~{kind}"
        if schema_id not in schemas:
            remedy = did_you_mean(schema_id, schemas)
            raise InputError(f"{collection.name} has no schema {schema_id!r}", remedy=remedy, path=(*path, "schema"))
        if label in seen_labels:
            raise InputError(f"{label} is proposed twice", remedy="Remove one of the two.", path=path, schema=schema_id)
        seen_labels.add(label)
        kinds = {*registry.names("perturbations"), *collection.kinds}
        unknown = [step for step in kind.split(COMPOSED) if step not in kinds and kind not in kinds]
        if unknown:
            message = f"there is no kind of variant {unknown[0]!r}"
            raise InputError(message, remedy=did_you_mean(unknown[0], kinds), path=(*path, "kind"), schema=schema_id)
        decision = proposal["decision"]
        if decision is None:
            outcome["waiting"].append(label)
        elif decision == "reject":
            outcome["rejected"].append(label)
            schemas[schema_id] = _reject(schemas[schema_id], proposal)
        else:
            former = schemas[schema_id]
            schemas[schema_id] = _accept(former, proposal, path, collection.language, judged_by)
            is_new = schemas[schema_id] is not former
            outcome["added" if is_new else "present"].append(label)
            made = schemas[schema_id].made_as(kind)
            if is_new and made and made.overruled:
                outcome["overruled"].append(label)
    if outcome["present"] and not outcome["added"]:
        raise InputError(
            f"everything accepted here is in {collection.name} already, for example {outcome['present'][0]}",
            remedy="The file has been merged before: decide on more proposals, or give the collection as it was.",
        )
    if not outcome["added"] and not outcome["rejected"]:
        raise InputError("nothing is decided yet", remedy='Write "accept" or "reject" after "decision:".')
    extended_collection = replace(collection, schemas=tuple(schemas[schema.id] for schema in collection.schemas))
    return Accepted(extended_collection, **{name: tuple(labels) for name, labels in outcome.items()})


def _reject(schema: Schema, proposal: ProposalEntry) -> Schema:
    because, kind = proposal.get("because"), proposal["kind"]
    if not because or kind in schema.kinds or kind in {statement.kind for statement in schema.impossible}:
        return schema
    return replace(schema, impossible=(*schema.impossible, Impossible(kind, because)))


def _accept(
    schema: Schema, proposal: ProposalEntry, path: tuple[str | int, ...], language: str, judged_by: str
) -> Schema:
    """The schema with the accepted variants; itself, if it has the same ones already."""
    kind = proposal["kind"]
    if proposal["original"] != _original(schema):
        raise InputError(
            f"the proposal was made for another text of {schema.id}; it is now {_original(schema)!r}",
            remedy="If you edited 'original', restore it; if the schema has changed, propose again: --propose.",
            path=(*path, "original"),
            schema=schema.id,
        )
    variants = parse_variant(schema, kind, proposal["variant"], path, language)
    existing = tuple(variant for variant in schema.variants if variant.kind == kind)
    if _contents(existing) == _contents(variants):
        return schema
    if existing or kind in {statement.kind for statement in schema.impossible}:
        problem = (
            f"has other variants of kind {kind!r}" if existing else f"cannot have one of kind {kind!r}, says its author"
        )
        remedy = f"Reject the proposal, or first remove {kind!r} from the schema's variants in the collection."
        raise InputError(f"{schema.id} {problem}", remedy=remedy, path=path, schema=schema.id)
    made = judged(variants[0].made, proposal["variant"], judged_by)
    return replace(schema, variants=(*schema.variants, *(replace(variant, made=made) for variant in variants)))


def _contents(variants: tuple[Variant, ...]) -> list[Variant]:
    """The variants, however they were made."""
    return [replace(variant, made=None) for variant in variants]


def judged(made: Made | None, entry: AlternativesEntry, judged_by: str) -> Made:
    """How a proposal was made, once somebody has accepted its entry: who, and what share of a model's draft changed.

    >>> draft = Made("model", model="chat:tiny", draft="Ana rang because {she} [sang|wept].")
    >>> made = judged(draft, {"text": "Ana rang, for {she} [sang|wept]."}, "Eva")
    >>> made.draft, made.changed, made.judged_by
    (None, 0.17, ('Eva',))
    """
    made = measured(made or BY_RULE, entry)
    return replace(made, judged_by=tuple(dict.fromkeys((*made.judged_by, judged_by))))


def measured(made: Made, entry: AlternativesEntry) -> Made:
    """How something was made, with what share of a model's draft its entry changes in place of the draft."""
    if made.draft is None:
        return made
    text = entry.get("text") or " ".join(item.get("text") or "" for item in entry.get("items", ()))
    alike = SequenceMatcher(None, words(made.draft), words(text), autojunk=False).ratio()
    return replace(made, draft=None, changed=round(1 - alike, 2))


def parse_variant(
    schema: Schema, kind: str, variant: VariantEntry, path: tuple[str | int, ...], language: str
) -> tuple[Variant, ...]:
    """The variants that an entry under a path of a file describes."""
    table = function_words(language)
    entry: dict[str, Any] = serialise_schema(replace(schema, variants=(), impossible=()), table)
    expected = DEFAULT_EFFECTS.get(kind, "keeps")
    if variant.get("effect", expected) != expected:
        raise InputError(
            f"a variant of kind {kind!r} {expected} the answer, but this one {variant['effect']} it",
            remedy="Remove 'effect' and correct the text, or reject the proposal.",
            path=(*path, "variant", "effect"),
            schema=schema.id,
        )
    try:
        parsed_schema = parse_schema(check_entry(SchemaEntry, entry | {"variants": {kind: variant}}), table)
    except InputError as error:
        if error.path[-1:] == ("answer",):
            error.remedy = "Correct the variant so that it keeps the answer, or reject the proposal."
        error.path = (*path, "variant", *error.path[2:])
        error.schema = schema.id
        raise
    return parsed_schema.in_language(language).variants
