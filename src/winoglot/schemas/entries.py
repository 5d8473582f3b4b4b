"""The keys of the notation: what a collection's YAML file may hold. The editors' JSON Schema is made from these."""

from __future__ import annotations

from typing import Annotated, Required, TypedDict

from winoglot.schemas.model import Effect, Features, Inference, Source

FORMAT_VERSION = 1


class TermsEntry(TypedDict, total=False):
    """Heads whose association is measured."""

    candidates: Annotated[list[str], "one word a candidate"]
    segment: Annotated[list[str | None] | str | None, "one word an alternative; empty where the alternative is"]


class SharedEntry(TypedDict, total=False):
    """What a schema, one of its items and a variant have in common."""

    text: Annotated[str | None, "the sentence: {pronoun}, {} where it is not spoken, [one|other] alternatives"]
    candidates: Annotated[list[str], "what the pronoun may refer to, in citation form, with article"]
    mentions: Annotated[list[list[str]], "a list a candidate: where the text mentions it; Clara#2 is the second Clara"]
    features: Annotated[list[Features | None] | None, "one a candidate; wins over what grammar finds"]
    phrase: Annotated[str | None, "the phrase that a possessive pronoun belongs to"]
    tags: Annotated[list[str], "switchable, associative, a kind of reasoning, a type of pronoun, …"]
    terms: Annotated[TermsEntry | None, "the words whose association is measured"]


class ItemEntry(SharedEntry, total=False):
    """One item, written out."""

    id: Annotated[str, "schema id, a dot and a number; by position unless given"]
    parallel_id: Annotated[str, "by the schema's unless given"]
    of: Annotated[int, "in a variant: the position of the original, from 0; by position unless given"]
    answer: Annotated[int | None, "index of the right candidate; null: unlabelled"]
    question: Annotated[str | None, "the question whose answer is the candidate"]
    hypotheses: Annotated[list[str] | None, "one a candidate: what follows if it is the answer"]
    readings: Annotated[list[str | None] | None, "one a candidate: written by hand, the insertion marked with {…}"]
    inferences: Annotated[list[Inference], "inference pairs where there is no marked text"]
    source: Annotated[Source | None, "where the item comes from"]


class AlternativesEntry(SharedEntry, total=False):
    """Items written as one text with alternatives, or one by one."""

    items: Annotated[list[ItemEntry], "the items one by one, where brackets cannot say it"]
    answers: Annotated[list[int | None], "index of the right candidate, one an alternative; null: unlabelled"]
    question: Annotated[list[str | None] | str | None, "one for all alternatives, or one each"]
    hypotheses: Annotated[list[list[str] | str] | None, "by alternative, then candidate"]
    readings: Annotated[list[list[str | None]] | None, "by alternative, then candidate; the insertion marked with {…}"]


class VariantEntry(AlternativesEntry, total=False):
    """A variant: the keys that change; the others are the schema's."""

    effect: Annotated[Effect, "what the change does to the answer"]
    impossible: Annotated[str, "why this schema cannot have such a variant"]


class SchemaEntry(AlternativesEntry, total=False):
    """A schema."""

    id: Required[Annotated[str, "unique; the same in all languages"]]
    parallel_id: Annotated[str, "the id that aligns languages, where it is not this schema's own"]
    explanation: Annotated[str | None, "the everyday fact behind the answers"]
    variants: Annotated[dict[str, VariantEntry], "by kind"]
    note: Annotated[str | None, "for readers of this file"]
    source: Annotated[Source | None, "where the schema comes from"]


class CollectionEntry(TypedDict, total=False):
    """The whole file."""

    winoglot: Annotated[int, "version of this file format"]
    collection: Required[Annotated[str, "the collection's name: letters, digits, - _ ."]]
    version: Annotated[str, "of the collection"]
    language: Required[Annotated[str, "BCP 47: en, pt-BR, zh"]]
    description: Annotated[str | None, "one or two sentences"]
    licence: Annotated[str | None, "SPDX name, such as CC-BY-4.0"]
    citation: Annotated[str | None, "how to cite it"]
    provenance: Annotated[list[str] | str | None, "how it came about, one line a step"]
    keep_names: Annotated[list[str] | None, "names that winoglot rename keeps, as it keeps famous ones"]
    schemas: Required[Annotated[list[SchemaEntry], "the schemas"]]
