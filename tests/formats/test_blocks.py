"""Five-line blocks: sentence, pronoun, candidates, gold, a blank line."""

import pytest

import winoglot as wg
from cases import listed
from format_samples import reading, sample
from winoglot.formats import blocks
from winoglot.formats.base import InputFile

GOOD = sample("blocks")


read = reading("blocks", "birds.txt")


def one(tmp_path, content):
    collection, report = read(tmp_path, content)
    (item,) = collection.items
    return item, report


def test_every_field_is_read_and_the_gold_that_comes_first_does_not_stay_first(tmp_path):
    collection, report = read(tmp_path, GOOD)
    first, second, third = collection.items
    assert collection.language == "en"
    assert first.text == "The heron chased the duck because [MASK] was hungry."
    assert (first.pronoun.of(first.text), first.pronoun_form) == ("[MASK]", "blank")
    assert third.pronoun.of(third.text) == "she"
    assert third.candidates[third.answer].text == "Inês"
    assert third.source == wg.Source("birds.txt", "11")
    assert second.schema_id == first.schema_id != third.schema_id
    assert not report.repaired
    assert not report.skipped
    assert [[c.text for c in item.candidates] for item in (first, second)] == [["the heron", "the duck"]] * 2
    assert (first.answer, second.answer) == (0, 1)
    assert read(tmp_path, GOOD, "pt-BR")[0].language == "pt-BR"


@listed
def test_surplus_spaces_around_the_blank_go_and_no_others(tmp_path, written, tidy):
    item, report = one(tmp_path, f"{written}\n[MASK]\nLia,Ana\nAna\n")
    assert item.text == tidy
    assert item.pronoun.of(tidy) == "[MASK]"
    assert not report.repaired


@listed
def test_of_several_pronouns_the_one_that_opens_the_clause_after_the_candidates_is_taken(tmp_path, sentence, at):
    item, report = one(tmp_path, f"{sentence}\nthey\nthe crew,the ship\nthe crew\n")
    assert item.pronoun.start == at
    assert [remark.line for remark in report.repaired] == ([1] if sentence.lower().count("they") > 1 else [])


def test_a_pronoun_inside_a_longer_word_is_none(tmp_path):
    item, report = one(tmp_path, "The shed hid the hen and he left.\nhe\nthe shed,the hen\nthe hen\n")
    assert item.pronoun.start == 25
    assert not report.repaired


@listed
def test_candidates_are_told_by_the_gold(tmp_path, block, candidates, gold, repaired):
    item, report = one(tmp_path, block)
    assert len(item.candidates) == candidates
    assert item.candidates[item.answer].text == gold
    assert [remark.line for remark in report.repaired] == repaired


@listed
def test_what_cannot_be_decided_is_left_out_with_its_line(tmp_path, block, why):
    collection, report = read(tmp_path, f"{GOOD}{block}\n\n{GOOD}")
    assert len(collection.items) == 6
    assert [remark.line for remark in report.skipped] == [16]
    assert why in report.skipped[0].why


def test_a_block_without_gold_has_no_answer(tmp_path):
    collection, report = read(tmp_path, "Ana saw Lia as she left.\nshe\nAna,Lia\n\n\n" + GOOD)
    assert [item.answer is None for item in collection.items] == [True, False, False, False]
    assert [remark.line for remark in report.repaired] == [1]


@pytest.mark.parametrize(
    ("change", "lines"),
    [
        (lambda text: text.replace("\n\n", "\n\n\n \n"), []),
        (lambda text: text.replace("\n", "\r\n"), []),
        (lambda text: "\n" + text.rstrip(), []),
        (lambda text: text.replace("\n\n", "\n"), [5, 9]),
        (lambda text: text.replace("she\n", "\nshe\n\n"), [11]),
    ],
)
def test_blank_lines_in_odd_places_do_no_harm(tmp_path, change, lines):
    wanted = [(item.text, item.answer) for item in read(tmp_path, GOOD)[0].items]
    collection, report = read(tmp_path, change(GOOD))
    assert [(item.text, item.answer) for item in collection.items] == wanted
    assert [remark.line for remark in report.repaired] == lines
    assert not report.skipped


def test_the_same_sentence_twice_is_reported_and_kept(tmp_path):
    collection, report = read(tmp_path, GOOD + GOOD)
    assert len(collection.items) == 6
    assert [remark.line for remark in report.repaired] == [16, 21, 26]


@pytest.mark.parametrize("content", ["", "\n\n", "collection: x\nlanguage: en\n", '{"a": 1}\n', "a\tb\n"])
def test_a_file_without_blocks_is_refused_with_a_remedy(tmp_path, content):
    with pytest.raises(wg.InputError, match="five lines"):
        read(tmp_path, content)
    assert not blocks.sniff(content)


@pytest.mark.parametrize(
    ("name", "items", "repaired"),
    [("wsc273", 273, 0), ("PDP", 60, 0), ("WinoGender", 240, 0), ("dpr_test", 564, 18), ("dpr_train", 1316, 39)],
)
def test_the_published_files_are_read_whole(public_data, name, items, repaired):
    file = InputFile(public_data / "collections" / f"{name}.txt")
    collection = blocks.read(file)
    assert blocks.sniff(file.text[:4096])
    assert (len(collection.items), len(file.report.repaired), len(file.report.skipped)) == (items, repaired, 0)
    assert 0.4 < sum(item.answer == 0 for item in collection.items) / items < 0.6
    assert not any("  [MASK]" in item.text or "[MASK] ." in item.text for item in collection.items)
    assert sum(len(item.candidates) > 2 for item in collection.items) == (15 if name == "PDP" else 0)
