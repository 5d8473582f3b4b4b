from dataclasses import replace

from cases import for_each
from checks.good import collection_of, findings_of, good_schemas, one, put, with_items, with_second_item
from winoglot.checks.segment_marked import check
from winoglot.languages.base import function_words
from winoglot.schemas.notation import parse_schema
from winoglot.schemas.spans import Span

SCHEMAS = good_schemas()


found = findings_of(check)


@for_each(("language", "schema"), SCHEMAS)
@for_each("where", ["start", "end", "unmarked"])
def test_a_difference_outside_the_marks_is_found(language, schema, where):
    def spoil(item):
        if where == "start":
            return put(item, Span(0, 0), "Ora" if language == "pt" else "Oh")
        return replace(item, text=item.text + "!") if where == "end" else replace(item, segment=())

    (finding,) = found(collection_of(language, [with_second_item(schema, spoil)]))
    assert (finding.schema, finding.item, finding.severity) == (schema.id, f"{schema.id}.1", None)


@for_each(("language", "schema"), SCHEMAS)
def test_a_schema_without_marks_gets_a_warning(language, schema):
    spoilt = with_items(schema, lambda item: replace(item, segment=()))
    (finding,) = found(collection_of(language, [spoilt]))
    assert (finding.schema, finding.severity) == (schema.id, "warning")


def test_the_difference_is_quoted_from_its_word_on():
    texts = ("Ann saw the small cats when {she} [left].", "Ann saw the small cabs when {she} [sang].")
    entry = {"id": "one", "candidates": ["Ann"], "items": [{"text": text, "answer": 0} for text in texts]}
    (finding,) = found(collection_of("en", [parse_schema(entry, function_words("en"))]))
    assert finding.message == "outside the marked places, one.1 has 'cabs when she ' where one.0 has 'cats when she '"


def test_blanks_and_single_items_do_not_matter():
    assert found(one("Ann saw Bea, and {she} [left].", ["Ann", "Bea"], [0])) == []
    collection = one("Ann saw Bea, and {she} [left|sang].", ["Ann", "Bea"])
    (schema,) = collection.schemas
    spaced = with_second_item(schema, lambda item: replace(item, text=item.text.replace(".", " .")))
    assert found(collection_of("en", [spaced])) == []
