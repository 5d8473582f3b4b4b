"""Good schemas in four languages, and ways to spoil them."""

from dataclasses import replace
from pathlib import Path

from cases import cases_file
from six_schemas import LANGUAGES, six
from winoglot.languages.base import function_words
from winoglot.schemas.model import Collection
from winoglot.schemas.notation import parse_schema
from winoglot.schemas.spans import Span

# text, candidates, answers, tags
_WRITTEN = cases_file(Path(__file__))["_WRITTEN"]


def good_schemas(language):
    """Eleven good schemas: six that are parallel and some more."""
    written = [
        parse_schema(
            {
                "id": f"more-{number}",
                "text": text,
                "candidates": candidates.split(", "),
                "answers": answers,
                "tags": ["switchable", "subject", "physical"],
            },
            function_words(language),
        )
        for number, (text, candidates, answers) in enumerate(_WRITTEN[language])
    ]
    return [*six(language).schemas, *written]


ALL = [(language, schema) for language in LANGUAGES for schema in good_schemas(language)]


def collection_of(language, schemas, name="made"):
    return Collection(name=name, language=language, schemas=tuple(schemas))


def good_collections():
    return [collection_of(language, good_schemas(language)) for language in LANGUAGES]


def with_items(schema, change, new_id=None):
    """The schema with each item changed; its variants are left out."""
    new_id = new_id or schema.id
    items = [
        replace(change(item), id=f"{new_id}.{number}", schema_id=new_id, parallel_id="")
        for number, item in enumerate(schema.items)
    ]
    return replace(schema, id=new_id, items=tuple(items), variants=(), parallel_id="")


def single(schema, answer, new_id):
    """Only the schema's first item, with the answer given."""
    item = replace(schema.items[0], id=f"{new_id}.0", schema_id=new_id, answer=answer, parallel_id="")
    return replace(schema, id=new_id, items=(item,), variants=(), parallel_id="")


def insert(item, at, words, *, into_segment=False):
    """The item with words put in at a position; spans behind it move, and a segment may take them in."""

    def moved(span, *, grows=False):
        by = len(words)
        if span.start >= at and not (grows and span.end == at):
            return Span(span.start + by, span.end + by)
        return Span(span.start, span.end + by) if span.end > at or grows else span

    candidates = [replace(c, mentions=tuple(map(moved, c.mentions))) for c in item.candidates]
    segment = [moved(place, grows=into_segment and place.end == at) for place in item.segment]
    return replace(
        item,
        text=item.text[:at] + words + item.text[at:],
        pronoun=moved(item.pronoun),
        candidates=tuple(candidates),
        segment=tuple(segment),
        readings=(),
    )
