"""PWS: languages side by side; the pronoun is told from the snippet."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

import winoglot as wg
from cases import cases_file, listed
from format_samples import reading
from winoglot.formats import pws
from winoglot.formats.base import InputFile, Report
from winoglot.formats.importing.sources import named_cells

FIELDS = ("sentence", "snippet", "answer1", "answer2", "correct_answer")
ROWS = cases_file(Path(__file__))["ROWS"]


def table(rows, *, extra="note"):
    """The rows of some languages side by side, columns in the order of the published file."""
    header = ["idx", "orig_id", *(f"{field}_{code}" for field in FIELDS for code in rows), "comment_en"]
    lines = ["\t".join(header)]
    for number in range(max(map(len, rows.values()))):
        cells = [rows[code][number][at] for at in range(len(FIELDS)) for code in rows]
        lines.append("\t".join([str(number + 40), "12", *cells, extra]))
    return "\n".join(lines) + "\n"


TABLE = table(ROWS)


read = reading("pws", "some.tsv")


def one(tmp_path, language, **cells):
    """What becomes of a single row in one language, some of its cells changed."""
    row = [cells.get(field, cell) for field, cell in zip(FIELDS, ROWS[language][0], strict=True)]
    other = ROWS[language][1]
    collection, report = read(tmp_path, table({language: [other, tuple(row)]}))
    found = [item for item in collection.items if item.source.id == "41"]
    return (found[0] if found else None), report


def marked(item):
    start, end = item.pronoun.start, item.pronoun.end
    return f"{item.text[:start]}{{{item.text[start:end]}}}{item.text[end:]}"


def test_a_snippet_that_repeats_the_clause_shows_the_pronoun(tmp_path):
    collection, report = read(tmp_path, TABLE, "en")
    (schema,) = collection.schemas
    assert [marked(item) for item in schema.items] == [
        "The goat chased the hen because {it} was angry.",
        "The goat chased the hen because {it} was slow.",
    ]
    assert [item.answer for item in schema.items] == [0, 1]
    assert [item.question for item in schema.items] == [None, None]
    assert report.repaired == report.skipped == []
    item, report = one(tmp_path, "por", sentence="Rute viu Dora e ela chamou por ela.", snippet="ela chamou por ela")
    assert marked(item) == "Rute viu Dora e {ela} chamou por ela."
    assert "first of 2 pronouns" in report.repaired[0].why
    with pytest.raises(wg.InputError, match="contains 6 languages: en, fr, hu, ja, pt, zh"):
        read(tmp_path, TABLE)


@listed
def test_a_question_leads_to_the_pronoun_and_that_is_reported(tmp_path, language, texts):
    collection, report = read(tmp_path, TABLE, language)
    assert [marked(item) for item in collection.items] == texts
    assert [schema.parallel_id for schema in collection.schemas] == ["12"]
    assert [item.parallel_id for item in collection.items] == ["12.40", "12.41"][: len(texts)]
    assert [item.source.id for item in collection.items] == ["40", "41"][: len(texts)]
    assert all(item.question.endswith(("?", "？")) for item in collection.items)
    assert [remark.line for remark in report.repaired] == [2, 3][: len(texts)]
    assert all("no pronoun is marked" in remark.why for remark in report.repaired)


def test_a_row_whose_pronoun_cannot_be_told_is_left_out(tmp_path):
    _, report = read(tmp_path, TABLE, "hu")
    assert [(remark.line, remark.what) for remark in report.skipped] == [(3, "row 41")]
    item, report = one(tmp_path, "en", sentence="The goat, tired, saw the hen.", snippet="the goat, tired")
    assert item is None
    assert "no pronoun" in report.skipped[0].why


def test_the_version_with_local_names_is_a_variant(tmp_path):
    collection, report = read(tmp_path, TABLE, "pt")
    (variant,) = collection.variants()
    assert (variant.id, variant.effect, variant.answer) == ("12.0~local-names", "keeps", 0)
    assert marked(variant) == "Iara viu Nair quando {ela} saiu."
    assert [candidate.text for candidate in variant.candidates] == ["Iara", "Nair"]
    assert report.repaired == report.skipped == []
    second = [(*ROWS["por2"][0][:4], "Nair"), ROWS["por2"][1]]  # another answer
    collection, report = read(tmp_path, table({"por": ROWS["por"], "por2": second}), "pt")
    assert collection.variants() == ()
    assert "not that of the first version" in report.skipped[0].why


@listed
def test_the_label_is_the_string_of_an_answer(tmp_path, gold, answer, reported):
    item, report = one(tmp_path, "en", correct_answer=gold)
    assert item.answer == answer
    assert [(remark.line, reported in remark.why) for remark in report.repaired] == ([(3, True)] if reported else [])


@pytest.mark.parametrize("field", ["sentence", "snippet", "answer1", "answer2"])
def test_a_row_that_lacks_something_or_has_shifted_is_left_out(tmp_path, field):
    item, report = one(tmp_path, "en", **{field: ""})
    assert (item, report.skipped[0].why) == (None, f"it has no {field} in en")
    item, report = one(tmp_path, "en", sentence="Two boats passed and they whistled.")
    assert (item, [(remark.line, "shifted" in remark.why) for remark in report.skipped]) == (None, [(3, True)])


def test_a_row_with_a_number_given_before_is_called_by_its_line(tmp_path):
    collection, report = read(tmp_path, TABLE.replace("\n41\t", "\n40\t"), "en")
    assert [item.parallel_id for item in collection.items] == ["12.40", "12.line-3"]
    assert [(remark.line, remark.what) for remark in report.repaired] == [(3, "row 40")]


def test_sentences_that_stand_some_rows_too_low_are_moved_up(tmp_path):
    rows = [list(ROWS["en"][0]) for _ in range(4)]
    for number, row in enumerate(rows):
        row[0], row[1] = f"{number} times the goat chased the hen, and it was angry.", f"{number}, it was angry"
    shifted = [["", *rows[0][1:]], *([above[0], *row[1:]] for above, row in pairwise(rows))]
    collection, report = read(tmp_path, table({"en": [*shifted, [rows[3][0], "", "", "", ""]]}), "en")
    assert [item.text for item in collection.items] == [row[0] for row in rows]
    assert ("rows 40 to 44", "'sentence_en' moved up by 1 row") in [(seen.what, seen.why) for seen in report.repaired]
    assert [remark.what for remark in report.skipped] == ["row 44"]


@listed
def test_an_answer_with_the_case_of_its_question_is_read_as_who_is_meant(
    tmp_path, language, sentence, snippet, answers, marked_text, candidates
):
    rows = [(sentence, snippet, *answers, answers[0])]
    collection, _ = read(tmp_path, table({language: [ROWS[language][0], *rows]}))
    item = collection.items[-1]
    assert marked(item) == marked_text
    assert ([candidate.text for candidate in item.candidates], item.answer) == (candidates, 0)


def test_answers_to_a_question_for_two_repeat_it_or_are_left_out(tmp_path):
    row = ("小雅信任小雯，因为她敬佩她。", "谁敬佩谁？", "小雅敬佩小雯", "小雯鼓励小雅", "小雅敬佩小雯")
    _, report = read(tmp_path, table({"man": [ROWS["man"][0], row]}), "zh")
    assert [remark.why for remark in report.skipped] == ["its question asks for two, and its answers do not repeat it"]


def test_csv_quotes_are_undone_and_others_stay(tmp_path):
    item, _ = one(tmp_path, "en", sentence='"The goat said ""boo"" to the hen because it was  angry."')
    assert item.text == 'The goat said "boo" to the hen because it was angry.'
    item, _ = one(tmp_path, "en", sentence='"Boo", said the goat to the hen because it was angry.')
    assert item.text == '"Boo", said the goat to the hen because it was angry.'


def test_ragged_rows_are_left_out_with_their_line(tmp_path):
    lines = TABLE.splitlines()
    collection, report = read(tmp_path, "\n".join([lines[0], lines[1] + "\tmore", "", lines[2]]), "en")
    assert len(collection.items) == 1
    assert [(remark.line, remark.why) for remark in report.skipped] == [(2, "expected 38 columns, found 39")]


@pytest.mark.parametrize("content", ["a\tb\n1\t2\n", "sentence_en\tsnippet_en\nx\ty\n", "{}", TABLE.partition("\n")[2]])
def test_a_header_without_a_language_is_refused(tmp_path, content):
    with pytest.raises(wg.InputError, match="has no language's columns") as caught:
        read(tmp_path, content)
    assert (caught.value.line, "sentence_en" in caught.value.remedy) == (1, True)


@listed
def test_a_row_that_mentions_neither_candidate_has_shifted(tmp_path, language, sentence, snippet, answers, kept):
    others = {
        "fr": ROWS["fr"][0],
        "en": ROWS["en"][0],
        "man": ("小李子见到小美，因为他来了。", "谁来了？", "小李子", "小美", "小美"),
        "rus": ("Пётр видел Олега, когда он шёл.", "Кто шёл?", "Пётр", "Олег", "Олег"),
    }
    rows = [others[language], (sentence, snippet, *answers, answers[0])]
    collection, report = read(tmp_path, table({language: rows}))
    assert ("41" in [item.source.id for item in collection.items]) == kept
    assert [("mentions neither candidate" in remark.why) for remark in report.skipped] == ([] if kept else [True])


@pytest.mark.parametrize(("language", "most_left_out"), [("fr", 13), ("zh", 15), ("pt", 2), ("en", 12), ("ru", 11)])
def test_of_the_published_file_few_sentences_are_left_out(public_data, language, most_left_out):
    file = InputFile(public_data / "collections" / "pws.tsv", language)
    collection = pws.read(file)
    code = {"zh": "man", "pt": "por", "ru": "rus"}.get(language, language)
    sentences = [cells[f"sentence_{code}"] for _, cells in named_cells(replace(file, report=Report()))]
    assert sum(map(bool, sentences)) - len(collection.items) <= most_left_out
    for item in collection.items:
        mentioned = [mention for candidate in item.candidates for mention in candidate.mentions]
        assert not any(mention.overlaps(item.pronoun) for mention in mentioned)
