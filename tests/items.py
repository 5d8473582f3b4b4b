"""Items written in the notation, for tests of grammar."""

from winoglot import Item
from winoglot.languages.base import function_words
from winoglot.schemas.markup import parse
from winoglot.schemas.model import Collection
from winoglot.schemas.notation import parse_schema


def schema(text, candidates, language="pt", **keys):
    """A schema in the notation, read as a collection's file would be."""
    answers = [None] * (parse(text).count or 1)
    entry = {"id": "s", "text": text, "candidates": candidates, "answers": answers} | keys
    made = parse_schema(entry, function_words(language))
    return Collection(name="tests", language=language, schemas=(made,)).schemas[0]


def item(text, candidates, language="pt", **keys) -> Item:
    """Its first item."""
    return schema(text, candidates, language, **keys).items[0]
