"""The Portuguese collection's HTML: written by hand, so no two items have their blanks in the same places."""

import json

import pytest

import winoglot as wg
from cases import listed
from format_samples import reading, sample
from winoglot.errors import InputError
from winoglot.formats import portuguese_html
from winoglot.formats.base import InputFile

PAGE = sample("portuguese-html")


read = reading("portuguese-html", "page.html")


def test_every_field_is_read(tmp_path):
    collection, report = read(tmp_path, PAGE)
    assert collection.language == "pt-BR"
    first, second, third = collection.items
    assert first.text == "A corda não passa pela argola porque ela é muito grossa."
    assert second.text == "A corda não passa pela argola porque ela é muito estreita."
    assert third.text == "Rui & Nina leram o livro da avó deles, que sorriu."
    assert [item.pronoun.of(item.text) for item in collection.items] == ["ela", "ela", "deles"]
    assert [c.text for c in first.candidates] == ["a corda", "A argola"]
    assert [m.of(second.text) for m in second.candidates[1].mentions] == ["pela argola"]
    assert [item.answer for item in collection.items] == [0, 1, None]
    assert [item.parallel_id for item in collection.items] == ["wsc.0", "wsc.1", "wsc.3"]
    assert (first.source.id, first.tags, len(collection.schemas)) == ("0", (), 2)
    odd, unanswered = report.repaired
    assert (odd.line, odd.what, "type 'B'" in odd.why) == (11, "item 1", True)
    assert (unanswered.line, unanswered.what, "'?' names no option" in unanswered.why) == (22, "item 3", True)
    (remark,) = report.skipped
    assert (remark.line, remark.what) == (17, "item 2")
    assert remark.why.startswith("its text is in en, not in pt-BR: 'The rope does not go through the ring")


def test_the_json_of_the_collection_labels_its_page(tmp_path):
    labels = [
        {
            "question_id": number,
            "correct_sentence": sentence,
            "is_associative": number == 1,
            "is_switchable": number < 2,
            "translated": True,
        }
        for number, sentence in (
            (0, "A corda não passa pela argola porque a corda é muito grossa."),
            (1, "A corda não passa pela argola porque a argola é muito estreita."),
            (3, "Another sentence altogether."),
            (9, "Ninguém sabe."),
        )
    ]
    path = tmp_path / "labels.json"
    path.write_text(json.dumps(labels), encoding="utf-8")
    collection, report = read(tmp_path, PAGE, labels=(path,))
    assert [item.tags for item in collection.items] == [("switchable",), ("associative", "switchable"), ()]
    assert [(r.what, r.why) for r in report.skipped[1:]] == [
        ("label 3 of labels.json", "its sentence is not that of 3.0"),
        ("label 9 of labels.json", "no item of the collection has its sentence or its number"),
    ]


def test_a_label_of_a_sentence_written_anew_is_joined_by_its_number_and_reported(tmp_path):
    collection, _ = read(tmp_path, PAGE)
    first_word = collection.items[2].text.split()[0]
    sentences = ["".join(item.parts[::2]) for item in collection.items[:2]] + [
        f"{first_word} hoje ninguém mais reconhece."
    ]
    labels = [
        {"index": int(item.source.id), "sentence": sentence, "is_associative": 1}
        for item, sentence in zip(collection.items, sentences, strict=False)
    ]
    path = tmp_path / "labels.json"
    path.write_text(json.dumps(labels), encoding="utf-8")
    collection, report = read(tmp_path, PAGE, labels=(path,))
    assert all("associative" in item.tags for item in collection.items[:3])
    assert [remark.what for remark in report.repaired if "joined by its number" in remark.why] == [
        "label 3 of labels.json"
    ]


def test_a_file_whose_labels_all_name_other_items_is_refused(tmp_path):
    path = tmp_path / "labels.json"
    labels = [{"index": number, "sentence": "Nada disso está na página.", "is_associative": 1} for number in (800, 900)]
    path.write_text(json.dumps(labels), encoding="utf-8")
    with pytest.raises(InputError, match=r"labels.json: none of its 2 labels belongs to an item of"):
        read(tmp_path, PAGE, labels=(path,))


def test_the_caller_may_want_the_other_language_or_another_region(tmp_path):
    english, report = read(tmp_path, PAGE, "en")
    assert [item.parallel_id for item in english.items] == ["wsc.2"]
    assert len(report.skipped) == 3
    assert read(tmp_path, PAGE, "pt-PT")[0].language == "pt-PT"


def test_an_english_and_in_an_option_is_put_right_where_the_text_shows_it(tmp_path):
    collection, report = read(tmp_path, PAGE.replace("Rui &amp; Nina", "Rui e Nina"))
    assert collection.items[2].candidates[0].text == "Rui e Nina"
    assert "partly in English; read as 'Rui e Nina'" in [remark.why for remark in report.repaired]


@listed
def test_the_pronoun_among_other_marks(tmp_path, old, new, text, pronoun):
    item = read(tmp_path, PAGE.replace(old, new))[0].items[0]
    assert item.text.startswith(text)
    assert item.pronoun.of(item.text) == pronoun


@listed
def test_a_broken_item_is_left_out_and_the_others_stay(tmp_path, old, new, why):
    collection, report = read(tmp_path, PAGE.replace(old, new))
    assert [item.parallel_id for item in collection.items] == ["wsc.1", "wsc.3"]
    assert report.skipped[0].line == 3 or report.skipped[-1].line == 3
    assert any(why in remark.why for remark in report.skipped)


def test_lists_that_are_not_closed_do_no_harm(tmp_path):
    assert read(tmp_path, PAGE.replace("</ol>\n      <p>", "\n      <p>"))[0].items == read(tmp_path, PAGE)[0].items
    assert read(tmp_path, PAGE.replace("</li>\n<li>", "\n<li>"))[0].items == read(tmp_path, PAGE)[0].items


@listed
def test_pages_of_another_shape_are_refused(tmp_path, content, message):
    with pytest.raises(wg.InputError) as caught:
        read(tmp_path, content)
    assert message in caught.value.message
    assert caught.value.remedy


@pytest.mark.parametrize("letter", ["ß", "ﬁ", "Z", "1", "AB"])
def test_an_answer_that_is_no_letter_of_an_option_is_reported(tmp_path, letter):
    collection, report = read(tmp_path, PAGE.replace("</b> A. ", f"</b> {letter}. "))
    assert collection.items[0].answer is None
    assert any(f"its answer {letter!r} names no option" in remark.why for remark in report.repaired)


@pytest.mark.parametrize("name", ["portuguese_wsc.html", "portuguese_wsc_portuguese_names.html"])
def test_the_published_pages(public_data, name):
    file = InputFile(public_data / "collections" / name)
    collection = portuguese_html.read(file)
    assert len(collection.items) == 277
    assert len(file.report.skipped) == 8
    assert all(remark.what.startswith("item ") and "is in en" in remark.why for remark in file.report.skipped)
    assert sum(item.answer == 0 for item in collection.items) == 139
    assert all(item.pronoun_form == "word" and len(item.candidates) == 2 for item in collection.items)
    for item in collection.items:
        before, after = item.text[: item.pronoun.start], item.text[item.pronoun.end :]
        assert before == "" or before[-1] in ' "'
        assert after[0] in ' ."'
        assert "  " not in item.text
        assert " ." not in item.text
