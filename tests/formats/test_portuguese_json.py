"""The JSON of substituted sentences, in Portuguese and English, and the labels that are joined with it."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import winoglot as wg
from cases import listed
from format_samples import reading
from mutations import JSON_VALUES
from winoglot.formats import portuguese_html, portuguese_json
from winoglot.formats.base import InputFile
from winoglot.formats.importing.labels import with_labels


def row(number, right, wrong, switched=("", ""), **more):
    return {
        "question_id": number,
        "correct_sentence": right,
        "incorrect_sentence": wrong,
        "correct_switched": switched[0],
        "incorrect_switched": switched[1],
        "is_associative": False,
        "is_switchable": bool(switched[0]),
        "translated": True,
    } | more


ROWS = [
    row(
        0,
        "Lena pediu o mapa a Dora porque Lena se perdeu.",
        "Lena pediu o mapa a Dora porque Dora se perdeu.",
        (
            "Dora pediu o mapa a Lena porque Dora se perdeu.",
            "Dora pediu o mapa a Lena porque Lena se perdeu.",
        ),
    ),
    row(
        1,
        "Lena pediu o mapa a Dora porque Dora o tinha.",
        "Lena pediu o mapa a Dora porque Lena o tinha.",
        is_associative=True,
    ),
    row(5, "She saw the goat.", "She saw the cow.", translated=False),
    row(7, "O pastor chamou um cão. O animal latiu.", "O pastor chamou um cão. O pastor latiu."),
    row(
        8,
        "A pintora saudou o pedreiro e abriu a porta do pedreiro ontem.",
        "A pintora saudou o pedreiro e abriu a porta da pintora ontem.",
    ),
]
LABELS = [
    {"index": 8, "sentence": "The painter greeted the mason and opened [his] door.", "is_switchable": 1},
    {"index": 1, "sentence": "Lena asked Dora for the map because [she] had it.", "is_switchable": 0},
    {"index": 99, "sentence": "It is nowhere on the map.", "is_switchable": 1},
]


read_content = reading("portuguese-json", "rows.json")


def read(tmp_path, rows, language=None, labels=()):
    paths = tuple(tmp_path / f"labels{number}.json" for number, _ in enumerate(labels))
    for path, content in zip(paths, labels, strict=True):
        path.write_text(json.dumps(content), encoding="utf-8")
    content = rows if isinstance(rows, str) else json.dumps(rows, indent=1)
    return read_content(tmp_path, content, language, paths)


def test_aligned_sentences_become_a_text_with_a_blank_and_others_stay_readings(tmp_path):
    collection, report = read(tmp_path, ROWS)
    first, second, unaligned, contracted = collection.items
    assert collection.language == "pt-BR"
    assert first.text == "Lena pediu o mapa a Dora porque _ se perdeu."
    assert (first.pronoun_form, first.readings, first.source.id) == ("blank", (), "0")
    assert [candidate.text for candidate in second.candidates] == ["Lena", "Dora"]
    assert (first.answer, second.answer) == (0, 1)
    assert (first.tags, second.tags) == (("switchable",), ("associative",))
    assert [item.parallel_id for item in collection.items] == ["wsc.0", "wsc.1", "wsc.7", "wsc.8"]
    assert (unaligned.text, unaligned.candidates) == (None, ())
    assert unaligned.readings[unaligned.answer].text == "O pastor chamou um cão. O animal latiu."
    assert contracted.text == "A pintora saudou o pedreiro e abriu a porta _ ontem."
    assert [candidate.text for candidate in contracted.candidates] == ["a pintora", "o pedreiro"]
    assert [r.inserted.of(r.text) for r in contracted.readings] == ["da pintora", "do pedreiro"]
    assert contracted.readings[contracted.answer].text == ROWS[4]["correct_sentence"]
    (remark,) = report.skipped
    assert (remark.what, remark.why) == ("row 5", "it is not translated")
    assert json.dumps(ROWS, indent=1).splitlines()[remark.line] == '  "question_id": 5,'


def test_switched_sentences_become_a_variant_that_flips(tmp_path):
    (variant,) = read(tmp_path, ROWS)[0].variants("switched")
    assert variant.id == "0.0~switched"
    assert variant.effect == "flips"
    assert variant.text == "Dora pediu o mapa a Lena porque _ se perdeu."
    assert [candidate.text for candidate in variant.candidates] == ["Lena", "Dora"]
    assert variant.answer == 1


def test_switched_sentences_without_a_text_keep_the_candidates_identities(tmp_path):
    switched = ("Um cão chamou o pastor. O pastor latiu.", "Um cão chamou o pastor. O animal latiu.")
    rows = [row(7, ROWS[3]["correct_sentence"], ROWS[3]["incorrect_sentence"], switched)]
    collection, _ = read(tmp_path, rows)
    (item,), (variant,) = collection.items, collection.variants()
    assert variant.answer == 1 - item.answer
    assert variant.readings[variant.answer].text == switched[0]
    assert "animal" in item.readings[item.answer].text
    assert "animal" in variant.readings[item.answer].text
    collection, report = read(tmp_path, [ROWS[0] | {"incorrect_switched": ""}])
    assert (collection.variants(), "only one" in report.skipped[0].why) == ((), True)


def test_corrected_sentences_become_the_written_readings(tmp_path):
    fixed = "Lena pediu o mapa a Dora porque ela, Lena, se perdeu."
    collection, _ = read(tmp_path, [ROWS[0] | {"manually_fixed_correct_sentence": fixed}])
    (item,) = collection.items
    assert item.readings[1] is None
    assert item.readings[0].text == fixed
    assert item.readings[0].inserted.start == fixed.rindex("Lena")
    fixed = "O pastor chamou um cão. O bicho latiu."
    (item,) = read(tmp_path, [ROWS[3] | {"manually_fixed_correct_sentence": fixed}])[0].items
    assert item.readings[item.answer].text == fixed
    fixed = {"manually_fixed_incorrect_sentence": "Lena pediu o mapa porque a amiga se perdeu."}
    collection, report = read(tmp_path, [ROWS[0] | fixed])
    assert (collection.items[0].readings, "not certain" in report.skipped[0].why) == ((), True)


def test_labels_are_joined_on_their_index(tmp_path):
    collection, report = read(tmp_path, ROWS, labels=[LABELS])
    assert [item.tags for item in collection.items] == [("switchable",), ("associative",), (), ("switchable",)]
    assert [(r.what, r.why) for r in report.repaired] == [("is_switchable of 8.0", "True according to labels0.json")]
    assert [r.what for r in report.skipped] == ["row 5", "label 99 of labels0.json"]


def test_a_label_of_another_sentence_is_left_out_and_a_file_without_labels_refused(tmp_path):
    labels = [
        {"index": 1, "sentence": "O pastor chamou os animais [dele].", "is_associative": 0},
        {"index": 0, "sentence": "Lena pedio o mapa a Dora porque [ela] se perdeu.", "is_associative": 1},
        {"index": 7, "is_associative": "yes"},
        "nothing",
    ]
    collection, report = read(tmp_path, ROWS, labels=[labels])
    assert [item.tags for item in collection.items[:2]] == [("associative", "switchable"), ("associative",)]
    assert "not that of" in report.skipped[1].why
    assert sum(remark.why == "is_associative: expected 0 or 1" for remark in report.skipped) == 2
    with pytest.raises(wg.InputError, match="has no labels") as caught:
        read(tmp_path, ROWS, labels=[[{"index": 1}]])
    assert caught.value.file.endswith("labels0.json")


def test_english_is_recognised_and_a_wrong_language_refused(tmp_path):
    rows = [row(0, "The cup hit the jug and the cup broke.", "The cup hit the jug and the jug broke.")]
    collection, _ = read(tmp_path, rows)
    assert collection.language == "en"
    assert collection.items[0].text == "The cup hit the jug and _ broke."
    assert read(tmp_path, ROWS, "pt-PT")[0].language == "pt-PT"
    with pytest.raises(wg.InputError, match="are in en, not in pt"):
        read(tmp_path, rows, "pt")
    with pytest.raises(wg.InputError, match="neither Portuguese nor English"):
        read(tmp_path, [row(0, "Xyz xyz.", "Xyz zyx.")])


@listed
def test_a_broken_object_is_left_out_and_names_its_key(tmp_path, change, why):
    collection, report = read(tmp_path, [ROWS[0] | change, ROWS[1]])
    assert [item.parallel_id for item in collection.items] == ["wsc.1"]
    assert why in report.skipped[0].why
    assert report.skipped[0].line == 2


def test_surplus_blanks_and_repeated_ids_are_reported(tmp_path):
    spaced = ROWS[0] | {"correct_sentence": ROWS[0]["correct_sentence"].replace(" o mapa", "  o mapa ")}
    collection, report = read(tmp_path, [spaced, ROWS[1] | {"question_id": 0}])
    assert collection.items[0].text == "Lena pediu o mapa a Dora porque _ se perdeu."
    assert [remark.what for remark in report.repaired] == ["correct_sentence of row 0", "row 0"]


@listed
def test_files_of_another_shape_are_refused_with_their_line(tmp_path, content, message, line):
    refused(tmp_path, content, message, line)


def test_what_is_too_deep_or_too_long_is_refused(tmp_path):
    refused(tmp_path, "[" * 100_000, "nested too deep", 1)
    refused(tmp_path, "[\n" + "9" * 10_000 + "]", "a number that is too long", 2)


def refused(tmp_path, content, message, line):
    with pytest.raises(wg.InputError) as caught:
        read(tmp_path, content)
    assert message in caught.value.message
    assert caught.value.line == line
    assert caught.value.remedy


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(number=st.integers(0, 4), key=st.sampled_from(sorted(ROWS[0])), value=JSON_VALUES)
def test_values_of_the_wrong_shape_harm_only_their_object(tmp_path, number, key, value):
    rows = [dict(entry) for entry in ROWS]
    rows[number][key] = value
    assert len(read(tmp_path, rows)[0].items) >= 3


@pytest.mark.parametrize(
    ("name", "items", "associative", "switchable", "texts"),
    [("portuguese_wsc.json", 277, 35, 135, 240), ("english_wsc.json", 273, 37, 131, 235)],
)
def test_the_published_files(public_data, name, items, associative, switchable, texts):
    folder = public_data / "collections"
    labels = (folder / "WSC_associative_label.json", folder / "WSC_switched_label.json")
    for given_labels in ((), labels):
        file = InputFile(folder / name, labels=given_labels)
        collection = with_labels(portuguese_json.read(file), file)
        assert len(collection.items) == items
        assert sum("associative" in item.tags for item in collection.items) == associative
        assert sum("switchable" in item.tags for item in collection.items) == switchable
        assert len(collection.variants("switched")) == switchable
        assert sum(item.text is not None for item in collection.items) > texts
        assert {remark.why for remark in file.report.skipped} <= {
            "it is not translated",
            "no item of the collection has its sentence or its number",
        }
        assert file.report.repaired == []


def test_published_sentences_align_at_the_pronoun(public_data):
    folder = public_data / "collections"
    labels = json.loads((folder / "WSC_switched_label.json").read_text(encoding="utf-8"))
    after = {str(label["index"]): label["sentence"].partition("]")[2] for label in labels}
    for item in portuguese_json.read(InputFile(folder / "english_wsc.json")).items:
        if item.text is not None:
            words = [letters(text) for text in (item.text[item.pronoun.end :], after[item.source.id])]
            assert words[0][:4] == words[1][:4]
            assert abs(len(words[0]) - len(words[1])) <= 1


def letters(text):
    return "".join(character for character in text.lower() if character.isalnum())


def test_the_published_page_and_file_pair_up(public_data):
    folder = public_data / "collections"
    page = {i.parallel_id: i for i in portuguese_html.read(InputFile(folder / "portuguese_wsc.html")).items}
    items = portuguese_json.read(InputFile(folder / "portuguese_wsc.json")).items
    assert {item.parallel_id for item in items} == set(page)
    for item in items:
        if item.text is not None:
            other = page[item.parallel_id]
            assert item.text[: item.pronoun.start].lower() == other.text[: other.pronoun.start].lower()
            names = [i.candidates[i.answer].text.lower() for i in (item, other)]
            assert names[0] == names[1]
