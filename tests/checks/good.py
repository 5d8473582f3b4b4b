"""Good schemas, written out with all they may have, and ways to spoil them."""

from dataclasses import replace
from functools import cache
from pathlib import Path

from cases import cases_file
from six_schemas import LANGUAGES, six
from winoglot.checks.base import CheckContext
from winoglot.languages.base import function_words
from winoglot.schemas.model import Collection
from winoglot.schemas.notation import parse_schema
from winoglot.schemas.spans import Span

_WRITTEN = cases_file(Path(__file__))["_WRITTEN"]
_TAGGED = cases_file(Path(__file__))["_TAGGED"]


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


@cache
def tagged_schemas(language):
    """Eleven with tags: the six parallel ones with their variants, and five more."""
    tags = ["switchable", "subject", "physical"]
    more = [
        {"id": f"more-{number}", "text": text, "candidates": candidates.split(", "), "answers": answers, "tags": tags}
        for number, (text, candidates, answers) in enumerate(_TAGGED[language])
    ]
    return [*six(language).schemas, *(parse_schema(entry, function_words(language)) for entry in more)]


TAGGED = [(language, schema) for language in LANGUAGES for schema in tagged_schemas(language)]


def collection_of(language, schemas, name="tried"):
    """A collection of these schemas."""
    return Collection(name=name, language=language, schemas=tuple(schemas))


def with_items(schema, change, new_id=None):
    """The schema with its items changed by a function, perhaps under another id; its variants are left out."""
    new_id = new_id or schema.id
    items = [
        replace(change(item), id=f"{new_id}.{number}", schema_id=new_id, parallel_id="")
        for number, item in enumerate(schema.items)
    ]
    return replace(schema, id=new_id, items=tuple(items), variants=(), parallel_id="")


def single(schema, answer, new_id):
    """Only the schema's first item, with the answer given."""
    return with_items(
        replace(schema, items=schema.items[:1], variants=()), lambda item: replace(item, answer=answer), new_id
    )


def with_second_item(schema, spoil):
    """The schema with only its second item spoilt."""
    first, second = schema.items
    return replace(schema, items=(first, spoil(second)))


def findings_of(check):
    """A function that gives what a rule finds in a collection."""
    return lambda collection: list(check(collection, CheckContext()))


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
