"""Tables that people write: CSV with any separator, and spreadsheets; columns by name or mapped."""

from datetime import date

import openpyxl
import pytest

import winoglot as wg
from cases import listed
from format_samples import sample
from winoglot.loading import load_with_report

CSV = sample("table")
HEADER = ("text", "pronoun", "candidates", "answer")
WIDE = ("The kite would not go into the bag because it was too wide.", "it", "the kite|the bag", "A")
NARROW = ("The kite would not go into the bag because it was too narrow.", "it", "the kite|the bag", "B")


def load(tmp_path, rows, name="rows.csv", separator=",", **options):
    path = tmp_path / name
    if name.endswith(".xlsx"):
        workbook = openpyxl.Workbook()
        for row in rows:
            workbook.active.append(row)
        workbook.save(path)
    else:
        path.write_text("".join(separator.join(row) + "\n" for row in rows), encoding="utf-8")
    return load_with_report(path, **{"language": "en"} | options)


def contents(collection):
    return [(i.text, i.pronoun, [c.text for c in i.candidates], i.answer, i.schema_id) for i in collection.items]


def test_a_row_is_an_item(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text(CSV, encoding="utf-8")
    collection, report = load_with_report(path, language="en")
    wide, narrow, late = collection.items
    assert (wide.text, wide.pronoun.of(wide.text)) == (WIDE[0], "it")
    assert [item.answer for item in collection.items] == [0, 1, None]
    assert wide.schema_id == narrow.schema_id == "kite"
    assert late.text == 'Nora told Vera, "Wait", because she was late.'
    assert (report.repaired, report.skipped) == ([], [])


@pytest.mark.parametrize(("name", "separator"), [("rows.csv", ";"), ("rows.tsv", "\t"), ("rows.xlsx", "")])
def test_the_same_table_in_another_file_is_the_same_collection(tmp_path, name, separator):
    rows = [HEADER, WIDE, NARROW]
    assert contents(load(tmp_path, rows, name, separator)[0]) == contents(load(tmp_path, rows)[0])


def test_columns_with_other_names_are_mapped(tmp_path, printed):
    rows = [("Satz", "Wort", "eins", "zwei", "richtig"), (WIDE[0], "it", "the kite", "the bag", "1")]
    rows += [(NARROW[0], "it", "the kite", "the bag", "2")]
    columns = {"text": "Satz", "pronoun": "Wort", "candidates": ["eins", "zwei"], "answer": "richtig"}
    collection, _ = load(tmp_path, rows, columns=columns)
    assert [item.answer for item in collection.items] == [0, 1]
    options = [
        f"--column={field}={names if isinstance(names, str) else ','.join(names)}" for field, names in columns.items()
    ]
    target = tmp_path / "out.jsonl"
    assert "2 items" in printed("import", tmp_path / "rows.csv", "-o", target, "--language", "en", *options)
    assert contents(wg.load(target)) == contents(collection)


def test_candidates_may_stand_in_numbered_columns(tmp_path):
    rows = [("text", "candidate 1", "candidate 2", "answer"), ("Ann saw Bea, but {she} left.", "Ann", "Bea", "0")]
    rows += [("Ann heard Bea, but {} left.", "Ann", "Bea", "1")]
    collection, _ = load(tmp_path, [[f'"{cell}"' for cell in row] for row in rows])
    assert [(item.pronoun_form, item.answer) for item in collection.items] == [("word", 0), ("zero", 1)]


@listed
def test_a_row_that_is_wrong_is_left_out_with_the_reason(row, why, tmp_path):
    collection, report = load(tmp_path, [HEADER, WIDE, row])
    assert len(collection.items) == 1
    assert why in report.skipped[0].why
    assert report.skipped[0].line == 3


@listed
def test_a_table_without_its_columns_is_refused(header, options, message, tmp_path):
    with pytest.raises(wg.InputError, match=message) as caught:
        load(tmp_path, [header, WIDE], **options)
    assert caught.value.remedy


def test_merged_cells_dates_and_damage_are_refused(tmp_path):
    workbook = openpyxl.Workbook()
    for row in (HEADER, WIDE, NARROW):
        workbook.active.append(row)
    workbook.active.merge_cells("C2:C3")
    path = tmp_path / "rows.xlsx"
    workbook.save(path)
    with pytest.raises(wg.InputError, match="the cells C2:C3 are merged"):
        wg.load(path, language="en")
    with pytest.raises(wg.InputError, match="cell D2 is a date"):
        load(tmp_path, [HEADER, (*WIDE[:3], date(2026, 1, 2))], "rows.xlsx")
    path.write_bytes(path.read_bytes()[:900])
    with pytest.raises(wg.InputError, match="cannot be read"):
        wg.load(path, language="en")


def test_a_second_sheet_is_not_read_and_that_is_said(tmp_path):
    workbook = openpyxl.Workbook()
    for row in (HEADER, WIDE):
        workbook.active.append(row)
    workbook.create_sheet("Notes")
    workbook.save(tmp_path / "rows.xlsx")
    _, report = load_with_report(tmp_path / "rows.xlsx", language="en")
    assert "only the first sheet is read, not 'Notes'" in report.repaired[0].why
