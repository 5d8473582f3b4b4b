"""WinoGrande: JSON Lines with a blank and two options."""

import json

import pytest

import winoglot as wg
from cases import listed
from format_samples import reading
from six_schemas import six
from winoglot.formats import winogrande
from winoglot.formats.base import InputFile

KEYS = ("qID", "sentence", "option1", "option2", "answer")
ROWS = [
    ("A7-2", "Noor lent Vera a coat since _ was freezing.", "Vera", "Noor", "1"),
    ("A7-1", "Noor lent Vera a coat since _ was too warm.", "Vera", "Noor", "2"),
    ("B9-1", "The ladder did not reach the roof as the _ was short.", "ladder", "roof", "1"),
]


def lines(rows):
    return "".join(json.dumps(dict(zip(KEYS, row, strict=False))) + "\n" for row in rows)


read = reading("winogrande", "coats.jsonl")


def held(collection):
    return [
        [(i.text, i.pronoun, [c.text for c in i.candidates], i.answer) for i in schema.items]
        for schema in collection.schemas
    ]


def test_every_field_is_read(tmp_path):
    collection, report = read(tmp_path, lines(ROWS))
    first = collection.items[0]
    assert collection.language == "en"
    assert first.text == ROWS[0][1]
    assert first.pronoun.of(first.text) == "_"
    assert first.source == wg.Source("coats.jsonl", "A7-2")
    assert [c.text for c in first.candidates] == ["Noor", "Vera"]
    assert [item.answer for item in collection.items] == [1, 0, 0]
    assert [schema.id for schema in collection.schemas] == ["A7", "B9"]
    assert (report.repaired, report.skipped) == ([], [])
    assert read(tmp_path, lines(ROWS), "fr")[0].language == "fr"
    apart, _ = read(tmp_path, lines([ROWS[0], ROWS[2], ROWS[1]]))
    assert [len(schema.items) for schema in apart.schemas] == [2, 1]


@pytest.mark.parametrize("answer", ["", None, ...])
def test_a_row_without_an_answer_is_unlabelled(tmp_path, answer):
    row = dict(zip(KEYS, ROWS[0], strict=True)) | {"answer": answer}
    if answer is ...:
        del row["answer"]
    collection, report = read(tmp_path, json.dumps(row))
    assert collection.items[0].answer is None
    assert not report.skipped


@listed
def test_surplus_spaces_around_the_blank_go(tmp_path, sentence, tidy):
    collection, _ = read(tmp_path, lines([("x", sentence, "Noor", "Vera", "1")]))
    assert collection.items[0].text == tidy
    assert collection.items[0].pronoun.of(tidy) == "_"
    collection, report = read(tmp_path, lines([("x", "Noor saw Vera, and ___ hid.", "Noor", "Vera", "1")]))
    assert collection.items[0].text == "Noor saw Vera, and _ hid."
    assert [remark.line for remark in report.repaired] == [1]


@listed
def test_a_broken_row_is_left_out_with_its_line(tmp_path, row, why):
    collection, report = read(tmp_path, lines([ROWS[0], row, ROWS[1]]))
    assert len(collection.items) == 2
    assert [remark.line for remark in report.skipped] == [2]
    assert why in report.skipped[0].why


@pytest.mark.parametrize(
    "line", ["{", "[1]", "null", '{"qID": 1, "qID": 2}', r'{"qID": "\ud800"}', "[" * 10**5, "9" * 10**4]
)
def test_a_line_that_is_no_object_is_left_out_and_one_given_twice_reported(tmp_path, line):
    collection, report = read(tmp_path, lines([*ROWS, ROWS[2]]) + "\n" + line + "\n")
    assert len(collection.items) == 4
    assert [remark.line for remark in report.skipped] == [6]
    assert {remark.line for remark in report.repaired} == {4}


@listed
def test_a_file_of_another_shape_says_which_key_and_where(tmp_path, content, message, line):
    with pytest.raises(wg.InputError, match=message) as caught:
        read(tmp_path, content)
    assert caught.value.line == line
    assert "option1" in caught.value.remedy


def test_reading_what_was_written_gives_the_same(tmp_path):
    collection, _ = read(tmp_path, lines(ROWS))
    assert winogrande.lost(collection) == []
    again, report = read(tmp_path, winogrande.write(collection))
    assert [item.source.id for item in again.items] == ["A7-2", "A7-1", "B9-1"]
    assert held(again) == held(collection)
    assert (report.repaired, report.skipped) == ([], [])


def test_what_it_cannot_hold_is_listed_and_items_that_do_not_fit_are_left_out():
    three = wg.Item("a.0", "a", text="_ hid.", pronoun=wg.Span(0, 1), candidates=tuple(map(wg.Candidate, "xyz")))
    bare = wg.Item("b.0", "b", readings=(wg.WrittenReading("A hid."), wg.WrittenReading("B hid.")))
    zero = wg.Item("c.0", "c", text="X saw Y and hid.", pronoun=wg.Span(11, 11), candidates=three.candidates[:2])
    collection = wg.Collection("c", "en", tuple(wg.Schema(item.schema_id, (item,)) for item in (three, bare, zero)))
    (line,) = winogrande.write(collection).splitlines()
    assert json.loads(line)["sentence"] == "X saw Y and _ hid."
    lost = "\n".join([*winogrande.lost(collection), *winogrande.lost(six("en"))])
    for words in (
        *("left out because it has 3 candidates instead of two: a.0", "left out because there is no text: b.0"),
        *("the pronoun becomes a gap: c.0", "the pronoun becomes a gap: call-microphone.0"),
        *("variants: ", "question: ", "hypotheses: ", "licence"),
    ):
        assert words in lost


@pytest.mark.parametrize(
    ("name", "items", "schemas"), [("dev", 1267, 983), ("train_s", 640, 320), ("train_m", 2558, 1279)]
)
def test_the_published_files_are_read_whole_and_written_back(tmp_path, public_data, name, items, schemas):
    file = InputFile(public_data / "collections" / "winogrande" / f"{name}.jsonl")
    collection = winogrande.read(file)
    assert winogrande.sniff(file.text[:4096])
    assert (len(collection.items), len(collection.schemas), file.report.skipped) == (items, schemas, [])
    assert winogrande.lost(collection) == []
    assert held(read(tmp_path, winogrande.write(collection))[0]) == held(collection)
