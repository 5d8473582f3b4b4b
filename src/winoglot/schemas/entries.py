"""The keys of the notation: what a collection's YAML file may contain.

pydantic checks files against these, and `json_schema` makes the editors' JSON Schema of them.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Annotated, Any, Literal, Required

from pydantic import BeforeValidator, ConfigDict, Discriminator, Field, Tag, WithJsonSchema, with_config
from typing_extensions import TypedDict

from winoglot.errors import InputError, error_path
from winoglot.schemas.documents import Plain
from winoglot.schemas.model import Adaptation, Animacy, Collection, Effect, Gender, Number, Role, Validation
from winoglot.schemas.validation import UNION_TAGS, adapter, check_entry

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from winoglot.schemas.model import Schema


def _as_number(value: object) -> object:
    plain = isinstance(value, Plain) and len(value) < 10 and value.isascii() and value.removeprefix("-").isdecimal()
    return int(value) if plain else value  # type: ignore[call-overload]


def _as_share(value: object) -> object:
    plain = isinstance(value, Plain) and len(value) < 10 and value.isascii() and value.replace(".", "", 1).isdecimal()
    return float(value) if plain else value  # type: ignore[arg-type]


def _as_truth(value: object) -> object:
    return {"true": True, "false": False}.get(value.lower(), value) if isinstance(value, Plain) else value


def _list_or_text(value: object) -> str:
    return UNION_TAGS[0] if isinstance(value, list) else UNION_TAGS[1]


# An editor sees an unquoted 1.0 or yes as a number or a truth value; the notation takes them as the text they are.
Text = Annotated[str, WithJsonSchema({"type": ["string", "number", "boolean"]})]
Index = Annotated[int, BeforeValidator(_as_number)]
Share = Annotated[float, BeforeValidator(_as_share)]
Truth = Annotated[bool, BeforeValidator(_as_truth)]
TextOrTexts = Annotated[
    Annotated[list[Text], Tag(UNION_TAGS[0])] | Annotated[Text, Tag(UNION_TAGS[1])], Discriminator(_list_or_text)
]
TextOrSome = Annotated[
    Annotated[list[Text | None], Tag(UNION_TAGS[0])] | Annotated[Text, Tag(UNION_TAGS[1])], Discriminator(_list_or_text)
]


def about(description: str) -> Any:
    """The description of a key that an editor shows."""
    return Field(description=description)


@with_config(ConfigDict(strict=True, extra="forbid"))
class Entry(TypedDict):
    """A mapping of the notation; an absent key was not written."""


class FeaturesEntry(Entry, total=False):
    """The grammatical features of a candidate."""

    gender: Gender | None
    number: Number | None
    animacy: Animacy | None


class InferenceEntry(Entry, total=False):
    """A premise, a hypothesis, and whether the first entails the second (null: unlabelled)."""

    premise: Required[Text]
    hypothesis: Required[Text]
    entailed: Truth | None


class SourceEntry(Entry, total=False):
    """Where a schema or an item comes from."""

    collection: Required[Text]
    id: Text | None
    hash: Annotated[Text | None, about("of the source when it was translated: shows whether it has changed since")]


class BlindAnswerEntry(Entry, total=False):
    """The answers of a model that did not know the key."""

    model: Required[Text]
    fingerprint: Required[Text]
    agrees: Required[Annotated[Truth, about("whether it chose the draft's answers")]]


class MadeEntry(Entry, total=False):
    """How a schema or variant was made, and who judged it."""

    by: Required[Literal["rule", "person", "model"]]
    model: Annotated[Text | None, about("the model that drafted it")]
    fingerprint: Annotated[Text | None, about("of the model's weights")]
    prompt: Annotated[Text | None, about("the hash of all that the model was shown besides the text")]
    settings: Annotated[Text | None, about("the model's settings")]
    date: Annotated[Text | None, about("of the draft")]
    draft: Annotated[Text | None, about("the text as the model wrote it; removed when somebody has judged it")]
    changed: Annotated[Share | None, about("the share of the draft that a person changed, from 0 to 1")]
    judged_by: Annotated[list[Text], about("who judged it")]
    read_by: Annotated[list[BlindAnswerEntry], about("the models whose blind answers the judges saw")]


class TermsEntry(Entry, total=False):
    """Heads whose association is measured."""

    candidates: Annotated[list[Text], about("one word per candidate")]
    segment: Annotated[TextOrSome | None, about("one word per alternative; empty if the alternative is empty")]


class SharedEntry(Entry, total=False):
    """What a schema, one of its items and a variant have in common."""

    text: Annotated[Text | None, about("the sentence: {pronoun}, {} if it is not spoken, [one|other] alternatives")]
    candidates: Annotated[list[Text], about("what the pronoun may refer to, in citation form, with article")]
    mentions: Annotated[
        list[list[Text]],
        about("one list per candidate: where the text mentions it; Clara#2 is the second Clara"),
    ]
    features: Annotated[
        list[FeaturesEntry | None] | None,
        about("one per candidate; overrides what the grammar finds"),
    ]
    roles: Annotated[
        list[Role | None] | None,
        about("one per candidate: what its first mention is in its clause; agent: of a passive"),
    ]
    phrase: Annotated[Text | None, about("the phrase that a possessive pronoun belongs to")]
    tags: Annotated[list[Text], about("switchable, associative, a kind of knowledge, a type of pronoun, …")]
    terms: Annotated[TermsEntry | None, about("the words whose association is measured")]


class ItemEntry(SharedEntry, total=False):
    """One item, written out."""

    id: Annotated[Text, about("schema id, a dot and a number; by position unless given")]
    parallel_id: Annotated[Text, about("from the schema's unless given")]
    of: Annotated[Index, about("in a variant: the position of the original, from 0; by position unless given")]
    answer: Annotated[Index | None, about("index of the right candidate; null: unlabelled")]
    question: Annotated[Text | None, about("the question whose answer is the candidate")]
    hypotheses: Annotated[list[Text] | None, about("one per candidate: what follows if it is the answer")]
    readings: Annotated[
        list[Text | None] | None,
        about("one per candidate: written by hand, the insertion marked with {…}"),
    ]
    confidence: Annotated[Share | None, about("how sure readers were of their answer: their mean, from 0 to 1")]
    inferences: Annotated[list[InferenceEntry], about("inference pairs, if there is no marked text")]
    source: Annotated[SourceEntry | None, about("where the item comes from")]


class AlternativesEntry(SharedEntry, total=False):
    """Items written as one text with alternatives, or one by one."""

    items: Annotated[list[ItemEntry], about("the items one by one, if brackets cannot express them")]
    answers: Annotated[list[Index | None], about("index of the right candidate, one per alternative; null: unlabelled")]
    question: Annotated[TextOrSome | None, about("one for all alternatives, or one each")]
    hypotheses: Annotated[list[TextOrTexts] | None, about("by alternative, then candidate")]
    readings: Annotated[
        list[list[Text | None]] | None,
        about("by alternative, then candidate; the insertion marked with {…}"),
    ]
    confidence: Annotated[
        list[Share | None],
        about("how sure readers were of their answer: their mean, from 0 to 1, one per alternative"),
    ]


class VariantEntry(AlternativesEntry, total=False):
    """A variant: the keys that change; the others are the schema's."""

    effect: Annotated[Effect, about("what the change does to the answer")]
    impossible: Annotated[Text, about("why this schema cannot have such a variant")]
    made: Annotated[MadeEntry | None, about("how the variant was made")]


class SchemaEntry(AlternativesEntry, total=False):
    """A schema."""

    id: Required[Annotated[Text, about("unique; the same in all languages")]]
    parallel_id: Annotated[Text, about("the id that aligns languages, if it is not this schema's own")]
    adaptation: Annotated[
        Adaptation | None,
        about("how near it is to the same schema in other languages: what differs besides the words"),
    ]
    explanation: Annotated[Text | None, about("the everyday fact behind the answers")]
    variants: Annotated[dict[str, VariantEntry], about("by kind")]
    note: Annotated[Text | None, about("for readers of this file")]
    source: Annotated[SourceEntry | None, about("where the schema comes from")]
    made: Annotated[MadeEntry | None, about("how the schema was made")]


class HeadEntry(Entry, total=False):
    """What a file says about its collection as a whole."""

    winoglot: Annotated[Index, about("version of this file format")]
    collection: Required[Annotated[Text, about("the collection's name: letters, digits, - _ .")]]
    version: Annotated[Text, about("of the collection")]
    language: Required[Annotated[Text, about("BCP 47: en, pt-BR, zh")]]
    description: Annotated[Text | None, about("one or two sentences")]
    licence: Annotated[Text | None, about("SPDX name, such as CC-BY-4.0")]
    citation: Annotated[Text | None, about("how to cite it")]
    provenance: Annotated[TextOrTexts | None, about("how it was made, one line per step")]
    validated: Annotated[Validation | None, about("whose blind answers confirm the answers: models or people")]
    keep_names: Annotated[list[Text] | None, about("names that winoglot rename leaves unchanged, like famous ones")]
    untranslatable: Annotated[dict[Text, Text] | None, about("schemas of the source left out: why, by their ids")]


class CollectionEntry(HeadEntry, total=False):
    """The whole file."""

    schemas: Required[Annotated[list[SchemaEntry], about("the schemas")]]


FORMAT_VERSION = 1
_HEAD_KEYS = {
    field.name: "collection" if field.name == "name" else field.name
    for field in dataclasses.fields(Collection)
    if field.name not in {"schemas", "file"}
}


def check_version(value: object) -> None:
    """Refuse a file of a later version before its new keys look like mistakes; a file need not name a version."""
    if value is None:
        return
    with error_path("winoglot"):
        version = check_entry(Index, value)
        if version > FORMAT_VERSION:
            raise InputError(
                f"the file has format version {version}; this version of Winoglot reads up to {FORMAT_VERSION}",
                remedy="Upgrade: pip install --upgrade winoglot",
            )
        if version < 1:
            raise InputError(f"there is no format version {version}", remedy="The first is 1.")


def head_of(collection: Collection) -> dict[str, Any]:
    """What a file says about the collection as a whole: the format's version, and every field that is not empty."""
    head: dict[str, Any] = {"winoglot": FORMAT_VERSION}
    for name, key in _HEAD_KEYS.items():
        value = getattr(collection, name)
        if value:
            head[key] = list(value) if isinstance(value, tuple) else value
    return head


def collection_from(head: Mapping[str, Any], schemas: Iterable[Schema]) -> Collection:
    """The collection that a file's head and schemas make up."""
    fields = {name: head[key] for name, key in _HEAD_KEYS.items() if head.get(key) is not None}
    if isinstance(fields.get("provenance"), str):
        fields["provenance"] = (fields["provenance"],)
    try:
        return Collection(schemas=tuple(schemas), **fields)
    except InputError as error:
        error.path = tuple("collection" if error.path == ("name",) else step for step in error.path)
        raise


def schema_as_json(schema: Schema) -> dict[str, Any]:
    """A schema as JSON, spans included, without default values."""
    kind: Any = type(schema)
    items = {"__all__": {"language"}}  # the collection says it
    dumped: dict[str, Any] = adapter(kind).dump_python(
        schema, mode="json", exclude_defaults=True, exclude={"items": items, "variants": items}
    )
    return dumped
