"""The original collection's XML: blanks and dots wherever its lines were broken; what is written is read again."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import winoglot as wg
from cases import listed
from format_samples import reading, sample
from six_schemas import LANGUAGES
from strategies import spans, texts
from winoglot.formats import davis_xml
from winoglot.schemas.model import Candidate, Collection, Item, Schema

XML = sample("davis-xml")
BOMB = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))


read = reading("davis-xml", "file.xml")


def refused(tmp_path, content):
    with pytest.raises(wg.InputError) as caught:
        read(tmp_path, content)
    assert caught.value.remedy
    assert caught.value.file.endswith("file.xml")
    return caught.value


def test_every_field_is_read(tmp_path):
    collection, report = read(tmp_path, XML)
    first, second, third = collection.items
    assert collection.language == "en"
    assert first.text == "The ladder would not fit beside the wardrobe since it was too broad."
    assert second.text == "The ladder would not fit beside the wardrobe since it took all the room."
    assert third.text == "Olga told Vera about the boat, but she, as ever, & rightly, slept."
    assert [item.pronoun.of(item.text) for item in collection.items] == ["it", "it", "she"]
    assert [candidate.text for candidate in first.candidates] == ["the ladder", "the wardrobe"]
    assert [item.answer for item in collection.items] == [0, 1, None]
    assert [item.source.id for item in collection.items] == ["0", "1", "2"]
    assert len(collection.schemas) == 2
    assert [(remark.line, remark.what) for remark in report.repaired] == [(25, "schema 2")]
    assert report.skipped == []


@listed
def test_a_broken_schema_is_left_out_with_its_line(tmp_path, old, new, why):
    collection, report = read(tmp_path, XML.replace(old, new, 1))
    assert len(collection.items) == 2
    (remark,) = report.skipped
    assert why in remark.why
    assert remark.line == 4


def test_french_keeps_its_blanks_before_high_marks(tmp_path):
    text = "<txt1>Zoé a vu Inès ; où est-</txt1><pron>elle</pron><txt2>\u202f? Chez « elle » !</txt2>"
    xml = f"<collection><schema><text>{text}</text><answers><answer>Zoé</answer><answer>Inès</answer></answers>"
    collection, _ = read(tmp_path, xml + "<correctAnswer>A</correctAnswer></schema></collection>")
    assert collection.language == "fr"
    assert collection.items[0].text == "Zoé a vu Inès ; où est-elle\u202f? Chez « elle » !"


def test_the_language_is_the_callers_or_the_files(tmp_path):
    assert read(tmp_path, XML, "en-GB")[0].language == "en-GB"
    assert read(tmp_path, XML.replace("<collection>", '<collection xml:lang="en-IE">'))[0].language == "en-IE"
    assert "not a language tag" in refused(tmp_path, XML.replace("<collection>", '<collection xml:lang="?!">')).message
    unknown = XML.replace(">it<", ">zxy<").replace("> it <", ">zxy<").replace(">she<", ">zxy<")
    assert "does not name its language" in refused(tmp_path, unknown).message


@pytest.mark.parametrize(
    ("content", "message", "line"),
    [
        ("<collection>\n<schema>", "not XML", 2),
        ("<collection/>", "with 0 of them", 1),
        ("<html><schema/></html>", "found <html>", 1),
        ("words", "not XML", 1),
        ("<collection>\n<schema>&eacute;</schema></collection>", "undefined entity", 2),
        ('<!DOCTYPE a [\n<!ENTITY x "y">]>\n<collection><schema>&x;</schema></collection>', "entities", 2),
        ('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hosts">]><collection>&x;</collection>', "entities", 1),
        ('<!DOCTYPE a [<!ENTITY % x SYSTEM "http://example.org/x">%x;]><collection/>', "entities", 1),
        ('<?xml version="1.0" encoding="EBCDIC"?><collection/>', "", 1),
        (f'<!DOCTYPE a [<!ENTITY e0 "ha">{BOMB}]><collection><schema>&e11;</schema></collection>', "entities", 1),
        (XML.replace("<correctAnswer>", "<wrong>"), "not XML", 16),
    ],
)
def test_files_of_another_shape_are_refused_with_their_line(tmp_path, content, message, line):
    error = refused(tmp_path, content)
    assert message in error.message
    assert error.line == line


def core(item):
    return item.text, item.pronoun, [candidate.text for candidate in item.candidates], item.answer


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_bundled_item_is_read_again_and_pairs_stay_pairs(tmp_path, language):
    collection = wg.load(f"winoglot-{language}")
    again, report = read(tmp_path, davis_xml.write(collection))
    assert list(map(core, again.items)) == list(map(core, collection.items))
    made = {tuple(item.text for item in schema.items) for schema in again.schemas}
    parted = [one.id for one in collection.schemas if tuple(item.text for item in one.items) not in made]
    assert len(parted) <= 2, parted  # alternatives around the pronoun: 瞪了他一眼, 冲他赔笑
    assert (again.language, report.skipped) == (collection.language, [])
    assert any(line.startswith("question: ") for line in davis_xml.lost(collection))


def test_what_was_read_is_written_with_its_source_licence_and_citation(tmp_path):
    collection, _ = read(tmp_path, XML)
    xml = davis_xml.write(replace(collection, licence="CC---BY", citation="Somebody & Co."))
    assert "<!-- licence: CC- - -BY -->" in xml
    assert "<!-- citation: Somebody & Co. -->" in xml
    assert "<source>file.xml 1</source>" in xml
    assert list(map(core, read(tmp_path, xml)[0].items)) == list(map(core, collection.items))
    assert davis_xml.lost(collection) == []


def test_what_cannot_be_held_is_listed_and_not_written(tmp_path):
    collection, _ = read(tmp_path, XML)
    schema = collection.schemas[0]
    bare = [replace(candidate, mentions=()) for candidate in schema.items[0].candidates]
    dotted = [replace(bare[0], text="the ladder inc."), bare[1]]
    items = (
        replace(schema.items[0], candidates=tuple(bare), pronoun=wg.Span(44, 44), segment=()),
        replace(schema.items[1], candidates=tuple(dotted), segment=()),
    )
    changed = replace(collection, schemas=(replace(schema, items=items, note="By hand."), collection.schemas[1]))
    assert davis_xml.lost(changed) == [
        "left out because the pronoun is not spoken: 0.0",
        "left out because a candidate ends in a full stop or has line breaks: 0.1",
        "note: 0",
    ]
    assert len(read(tmp_path, davis_xml.write(changed))[0].items) == 1


@st.composite
def items(draw):
    text = draw(texts)
    pronoun = draw(spans(text).filter(lambda span: span.start == span.end or span.of(text).strip()))
    names = draw(st.lists(texts, min_size=1, max_size=3, unique=True))
    candidates = tuple(Candidate(name) for name in names)
    return Item("any.0", "any", text=text, pronoun=pronoun, candidates=candidates, answer=draw(st.none() | st.just(0)))


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(item=items(), language=st.sampled_from(["en", "fr", "zh", "pt-BR"]))
def test_any_item_is_listed_or_comes_back(tmp_path, item, language):
    collection = Collection("any", language, (Schema("any", (item,)),))
    xml = davis_xml.write(collection)
    listed = davis_xml.lost(collection)
    if "<schema>" not in xml:
        assert listed
        return
    (again,) = read(tmp_path, xml)[0].items
    assert again.text.split() == item.text.split()
    assert again.text == item.text or listed == ["double spaces, which become one: any.0"]
    assert {candidate.text for candidate in again.candidates} == {candidate.text for candidate in item.candidates}
    answers = [None if i.answer is None else i.candidates[i.answer].text for i in (item, again)]
    assert answers[0] == answers[1]
