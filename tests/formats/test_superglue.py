"""SuperGLUE's Winograd task: one candidate a row, word indices, a label."""

import contextlib
import json

import pytest

import winoglot as wg
from cases import for_each
from format_samples import reading
from six_schemas import six
from strategies import some_collections
from winoglot.formats import superglue

TEXT = 'Otto passed the salt to Emil, and "he" sneezed.'
OTTO = (TEXT, 0, "Otto", 7, "he")
EMIL = (TEXT, 5, "Emil", 7, "he")


def row(text, at1, span1, at2, span2, label=..., idx=...):
    target = {"span1_index": at1, "span1_text": span1, "span2_index": at2, "span2_text": span2}
    extra = {"idx": idx, "label": label}
    return {"text": text, "target": target} | {key: value for key, value in extra.items() if value is not ...}


def lines(*rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


read = reading("superglue", "salt.jsonl")


def one(tmp_path, *rows):
    collection, report = read(tmp_path, lines(*rows))
    (item,) = collection.items
    return item, report


def held(collection):
    return [(i.text, i.pronoun, i.candidates, i.answer, i.inferences) for i in collection.items]


def test_two_rows_about_one_pronoun_are_one_item(tmp_path):
    item, report = one(tmp_path, row(*EMIL, False, 4), row(*OTTO, True, 5))
    assert item.text == TEXT
    assert item.pronoun.of(TEXT) == "he"
    assert [(c.text, [m.of(TEXT) for m in c.mentions]) for c in item.candidates] == [
        ("Otto", ["Otto"]),
        ("Emil", ["Emil"]),
    ]
    assert item.answer == 0
    assert item.inferences == ()
    assert item.source == wg.Source("salt.jsonl", "4,5")
    assert (report.repaired, report.skipped) == ([], [])
    assert read(tmp_path, lines(row(*OTTO)), "de")[0].language == "de"


def test_rows_about_another_pronoun_of_the_same_text_are_another_item(tmp_path):
    text = "Ada told Eva that she liked her."
    collection, _ = read(tmp_path, lines(row(text, 0, "Ada", 4, "she", True), row(text, 0, "Ada", 6, "her", False)))
    assert [item.pronoun.of(text) for item in collection.items] == ["she", "her"]


@pytest.mark.parametrize(
    ("label", "answer", "entailed"), [(True, 0, []), (False, None, [False]), (..., None, []), (None, None, [])]
)
def test_the_label_of_a_single_row_is_not_lost(tmp_path, label, answer, entailed):
    item, _ = one(tmp_path, row(*EMIL, label))
    assert item.answer == answer
    assert [pair.entailed for pair in item.inferences] == entailed
    assert all(pair.premise == TEXT and '"Emil" sneezed' in pair.hypothesis for pair in item.inferences)
    item, report = one(tmp_path, row(*EMIL, True), row(*OTTO, True))
    assert (item.answer, [pair.entailed for pair in item.inferences]) == (None, [True, True])
    assert [remark.line for remark in report.repaired] == [1]


@pytest.mark.parametrize("index", [5, 9, 0])
def test_a_wrong_index_leads_to_the_nearest_occurrence(tmp_path, index):
    text = "He saw that he was late before he left home."
    item, report = one(tmp_path, row(text, 8, "home", index, "he", False))
    assert item.pronoun.start == {5: 12, 9: 31, 0: 0}[index]
    assert sum("'he'" in remark.what for remark in report.repaired) == (index != 0)


@pytest.mark.parametrize("index", [99, -1, None, "7", True])
def test_an_index_that_is_none_does_no_harm_where_the_words_occur_once(tmp_path, index):
    item, report = one(tmp_path, row(TEXT, index, "Emil", 7, "he", True))
    assert item.candidates[0].mentions[0].of(TEXT) == "Emil"
    assert [remark.line for remark in report.repaired] == [1]


def test_the_same_candidate_twice_is_joined_or_contradicts(tmp_path):
    text = "Otto said that Otto thought he sneezed."
    twice = [row(text, 0, "Otto", 5, "he", True), row(text, 3, "Otto", 5, "he", True)]
    item, report = one(tmp_path, *twice)
    assert [mention.start for mention in item.candidates[0].mentions] == [0, 15]
    assert [remark.line for remark in report.repaired] == [2]
    _, report = one(tmp_path, twice[0], row(text, 3, "otto", 5, "he", False))
    assert [remark.line for remark in report.skipped] == [2]


@for_each(
    ("broken", "why"),
    [
        ({"text": 5, "target": {}}, "text: expected text"),
        ({"text": "a", "target": []}, "target: expected a mapping"),
        ({"text": "a"}, "'target' is missing"),
        ({"text": "a", "target": {"span1_index": 0}}, "target.span1_text: expected text, found nothing"),
        (row(*OTTO, "yes"), "label: expected true or false"),
        (row(TEXT, 0, "Hugo", 7, "he"), "'Hugo' does not occur"),
        (row("It is said it fell on Otto.", 6, "Otto", 99, "it"), "occurs 2 times"),
        (row("Otto\u0001 sneezed as he ran.", 0, "Otto", 3, "he", False), "U+0001"),
        (row(TEXT, 7, "he", 7, "he"), "its candidate is the pronoun"),
    ],
)
def test_a_broken_row_is_left_out_with_its_line(tmp_path, broken, why):
    collection, report = read(tmp_path, lines(row(*OTTO, True), broken, row(*EMIL, False)))
    assert len(collection.items) == 1
    assert [(remark.line, why in remark.why) for remark in report.skipped] == [(2, True)]
    with pytest.raises(wg.InputError, match="'target' is missing") as caught:
        read(tmp_path, '{"text": "a"}\n')
    assert caught.value.line == 1
    with pytest.raises(wg.InputError, match="no row in the file can be used"):
        read(tmp_path, lines(row(TEXT, 0, "Hugo", 7, "he")))


def test_reading_what_was_written_gives_the_same(tmp_path):
    rows = [row(*EMIL, False), row(*OTTO, True), row("Ada fed Eva as she wept.", 0, "Ada", 4, "she", False)]
    collection, _ = read(tmp_path, lines(*rows))
    again, report = read(tmp_path, superglue.write(collection))
    assert held(again) == held(collection)
    assert (report.repaired, report.skipped, superglue.lost(collection)) == ([], [], [])
    again, report = read(tmp_path, superglue.write(six("en")))
    assert [(i.text, i.pronoun, i.answer) for i in again.items] == [
        (i.text, i.pronoun, i.answer) for i in six("en").items
    ]
    assert report.skipped == []
    assert any(line.startswith("variants: ") for line in superglue.lost(six("en")))


def test_what_word_indices_cannot_say_is_left_out_and_listed(tmp_path):
    zh = six("zh")
    written = {json.loads(line)["text"] for line in superglue.write(zh).splitlines()}
    listed = [line for line in superglue.lost(zh) if line.startswith("left out")]
    missing = [item.id for item in zh.items if item.text not in written]
    assert all(any(name in line for line in listed) for name in missing)
    for collection in some_collections():
        written = superglue.write(collection)
        assert written or superglue.lost(collection)
        with contextlib.suppress(wg.InputError):
            assert len(read(tmp_path, written)[0].items) <= len(collection.items)


def test_chinese_rows_count_characters_and_have_their_label_as_text(tmp_path):
    text = "老师把伞借给学生，因为他没有带。"
    teacher, pupil = row(text, 0, "老师", 11, "他", "false"), row(text, 6, "学生", 11, "他", "true")
    item, report = one(tmp_path, teacher, pupil)
    assert (item.language, item.pronoun.start, item.answer) == ("zh", 11, 1)
    assert [[mention.of(text) for mention in candidate.mentions] for candidate in item.candidates] == [
        ["老师"],
        ["学生"],
    ]
    assert (report.repaired, report.skipped) == ([], [])
    item, report = one(tmp_path, row(text, 5, "学生", 10, "他", "true"))
    assert item.pronoun.start == 11
    assert [remark.line for remark in report.repaired] == [1, 1]
