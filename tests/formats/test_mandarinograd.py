"""Mandarinograd's JSON: questions or inference pairs, in words that are joined."""

import json

import pytest

import winoglot as wg
from cases import listed
from format_samples import reading, sample

SAMPLE = sample("mandarinograd")
read = reading("mandarinograd", "rows.json")


def test_questions_find_their_pronoun_and_pairs_of_a_text_are_one_item(tmp_path):
    collection, report = read(tmp_path, SAMPLE)
    assert collection.language == "zh"
    first, second, pairs = collection.items
    assert (first.text, first.pronoun.of(first.text)) == ("钥匙放不进盒子，因为它太大了。", "它")
    assert first.question == "什么太大了？"
    assert [item.candidates[item.answer].text for item in (first, second)] == ["钥匙", "盒子"]
    assert first.schema_id == second.schema_id
    assert [pair.entailed for pair in pairs.inferences] == [True, False]
    assert pairs.inferences[0].hypothesis == "小林要迟到了。"
    assert report.skipped == []


def test_a_list_an_object_of_objects_and_lines_are_the_same(tmp_path):
    rows = json.loads(SAMPLE)
    texts = [item.text for item in read(tmp_path, SAMPLE)[0].items]
    for content in (
        json.dumps({str(number): row for number, row in enumerate(rows)}),
        "".join(json.dumps(row) + "\n" for row in rows),
    ):
        assert [item.text for item in read(tmp_path, content)[0].items] == texts


def test_a_masked_copy_of_the_text_marks_the_pronoun(tmp_path):
    row = {
        "id": 7,
        "french_schema_no": 3,
        "text": "Inès a prévenu Lucie, mais elle pensait qu'elle partait.",
        "masked_text": "Inès a prévenu Lucie, mais elle pensait qu'<mask> partait.",
        "question": "Qui partait ?",
        "correct_answer": "Lucie",
        "wrong_answer": "Inès",
    }
    (item,) = read(tmp_path, json.dumps([row]))[0].items
    assert (item.pronoun.start, item.language, item.answer, item.schema_id) == (43, "fr", 1, "3")


@listed
def test_an_object_that_is_wrong_is_left_out_with_the_reason(change, why, tmp_path):
    rows = json.loads(SAMPLE)
    rows[2] |= change
    collection, report = read(tmp_path, json.dumps(rows))
    assert len(collection.items) == 3
    assert [remark.why for remark in report.skipped] == [why]


def test_a_file_that_does_not_show_its_language_needs_it(tmp_path):
    row = {
        "text": "Ann saw Bea when she fell.",
        "question": "Who fell?",
        "correct_answer": "Ann",
        "wrong_answer": "Bea",
    }
    with pytest.raises(wg.InputError, match="does not name its language") as caught:
        read(tmp_path, json.dumps([row]))
    assert "--language" in caught.value.remedy
    assert read(tmp_path, json.dumps([row]), "en")[0].items[0].pronoun.start == 17
