from dataclasses import replace

from cases import for_each, listed
from checks.good import collection_of, findings_of, good_schemas, one, with_items
from winoglot.checks.written_readings import check
from winoglot.schemas.model import Candidate, Item, Schema, WrittenReading
from winoglot.schemas.spans import Span

SCHEMAS = good_schemas()
BEFORE = {"en": "", "pt": "para ", "fr": "chez ", "zh": ""}


found = findings_of(check)


def read(item, inserted):
    start, end = item.pronoun.start, item.pronoun.end
    return WrittenReading(item.text[:start] + inserted + item.text[end:], Span(start, start + len(inserted)))


def read_as(language, schema, *, order=1, marked=True):
    def write(item):
        made = [read(item, BEFORE[language] + candidate.text) for candidate in item.candidates]
        made = made if marked else [replace(reading, inserted=None) for reading in made]
        return replace(item, readings=tuple(made[::order]))

    return collection_of(language, [with_items(schema, write)])


@for_each(("language", "schema"), SCHEMAS)
def test_good_readings_contain_their_candidate(language, schema):
    assert found(read_as(language, schema)) == []


@for_each(("language", "schema"), SCHEMAS)
def test_readings_in_the_wrong_order_are_found(language, schema):
    findings = found(read_as(language, schema, order=-1))
    assert [finding.item for finding in findings] == [item.id for item in schema.items for _ in range(2)]
    assert "reading 0" in findings[0].message


@for_each(("language", "schema"), SCHEMAS)
def test_a_reading_that_keeps_the_pronoun_is_found(language, schema):
    def keep(item):
        pronoun = item.pronoun.of(item.text) or "quem"
        return replace(item, readings=(None, read(item, pronoun)))

    findings = found(collection_of(language, [with_items(schema, keep)]))
    assert [finding.item for finding in findings] == [item.id for item in schema.items]


@listed
def test_contractions_elisions_and_heads_count(language, candidates, inserted):
    readings = [[f"Vi {{{words}}}." for words in inserted]]
    made = one("Vi {x}.", candidates, [0], language, mentions=[[], []], readings=readings)
    assert found(made) == []


def test_readings_of_an_item_without_text():
    readings = (WrittenReading("Ann left as Ann was late."), WrittenReading("Ann left as Bea was late."))
    named = Item("a.0", "a", candidates=(Candidate("Ann"), Candidate("Cyn")), readings=readings, answer=0)
    (finding,) = found(collection_of("en", [Schema("a", (named,))]))
    assert "'Cyn'" in finding.message
    assert found(collection_of("en", [Schema("a", (replace(named, candidates=()),))])) == []
