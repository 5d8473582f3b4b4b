"""Good schemas, written out with all they may have, and ways to spoil them."""

from dataclasses import replace
from functools import cache
from pathlib import Path

from cases import cases_file
from six_schemas import LANGUAGES, six
from winoglot.languages.base import function_words
from winoglot.schemas.model import Collection
from winoglot.schemas.notation import parse_schema
from winoglot.schemas.spans import Span

_WRITTEN = cases_file(Path(__file__))["_WRITTEN"]


def _build(language, written):
    name, text, candidates, asked, predicate = written
    candidates = candidates.split(", ")
    space, question_mark, stop = ("", "？", "。") if language == "zh" else (" ", "?", ".")
    entry = {
        "id": name,
        "text": text.replace("PREDICATE", predicate),
        "candidates": candidates,
        "answers": [0, 1],
        "question": asked + space + predicate + question_mark,
        "hypotheses": [c[0].upper() + c[1:] + space + predicate + stop for c in candidates],
    }
    return parse_schema(entry, function_words(language))


@cache
def own(language):
    """The six schemas written here."""
    return [_build(language, written) for written in _WRITTEN[language]]


@cache
def parallel(language):
    """Six more, the same in every language, without their variants, which rules do not look at."""
    return [replace(schema, variants=()) for schema in six(language).schemas]


def good_schemas():
    """Forty-eight pairs of a language and a schema that no rule has anything to say against."""
    return [(language, schema) for language in LANGUAGES for schema in (*own(language), *parallel(language))]


def good_collections():
    """The same, a collection a language."""
    schemas = good_schemas()
    return [collection_of(language, [s for of, s in schemas if of == language]) for language in LANGUAGES]


def collection_of(language, schemas):
    """A collection of these schemas."""
    return Collection(name="tried", language=language, schemas=tuple(schemas))


def with_items(schema, spoil):
    """The schema with its items spoilt by a function."""
    return replace(schema, items=tuple(spoil(item) for item in schema.items))


def with_second_item(schema, spoil):
    """The schema with only its second item spoilt."""
    first, second = schema.items
    return replace(schema, items=(first, spoil(second)))


def put(item, span, surface):
    """The item with other words in place of a span; marks after it move along, and those around it grow."""
    shift = len(surface) - (span.end - span.start)
    text = item.text[: span.start] + surface + item.text[span.end :]

    def moved(mark):
        start = mark.start + shift if mark.start >= span.end and mark != span else mark.start
        return Span(start, mark.end + shift if mark.end >= span.end else mark.end)

    return replace(
        item,
        text=text,
        pronoun=moved(item.pronoun),
        segment=tuple(moved(place) for place in item.segment),
        candidates=tuple(replace(c, mentions=tuple(moved(m) for m in c.mentions)) for c in item.candidates),
        phrase=None,
        readings=(),
    )


def one(text, candidates, answers=(0, 1), language="en", **more):
    """A collection of one schema."""
    entry = {"id": "one", "text": text, "candidates": candidates, "answers": list(answers), **more}
    return collection_of(language, [parse_schema(entry, function_words(language))])
