"""The French collection's XML: a schema with its two words, each of which gives a text and a question."""

import pytest

import winoglot as wg
from cases import listed
from format_samples import reading, sample

XML = sample("french-xml")
read = reading("french-xml", "schemas.xml")


def test_each_word_makes_an_item_whose_pronoun_is_the_one_asked_for(tmp_path):
    collection, report = read(tmp_path, XML)
    assert collection.language == "fr"
    pronouns = [[item.pronoun.of(item.text) for item in schema.items] for schema in collection.schemas]
    assert pronouns == [["il", "il"], ["elle", "elle"]]
    first, second, *_ = collection.items
    assert (first.text, first.answer) == ("Le tapis n'entre pas dans le placard parce qu'il est trop long.", 0)
    assert (second.question, second.answer) == ("Qu'est-ce qui est trop étroit ?", 1)
    assert [span.of(item.text) for item in (first, second) for span in item.segment] == ["long", "étroit"]
    assert [item.parallel_id for item in collection.items] == ["wsc-schema-12.A", "wsc-schema-12.B", "2.0", "2.1"]
    assert all("no pronoun is marked" in remark.why for remark in report.repaired)
    assert report.skipped == []


def test_a_second_adaptation_of_an_english_schema_is_parallel_to_nothing(tmp_path):
    collection, _ = read(tmp_path, XML.replace('engn="000"', 'engn="12"'))
    assert collection.schemas[1].items[0].parallel_id == "2.0"


@listed
def test_what_a_schema_lacks_is_said(old, new, why, tmp_path):
    collection, report = read(tmp_path, XML.replace(old, new, 1))
    assert [schema.id for schema in collection.schemas][-1] == "2"
    assert why in report.skipped[0].why
    assert report.skipped[0].line == 3


def test_a_file_of_something_else_is_refused(tmp_path):
    with pytest.raises(wg.InputError, match="expected one <schema> per schema"):
        read(tmp_path, "<schemas><item/></schemas>")
