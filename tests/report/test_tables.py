"""Tables say the same to papers, repositories and programs, whatever the names in them hold."""

import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from winoglot.report.rows import Accuracy, Bar, Contrast
from winoglot.report.table import Table, estimate_text, percent

from metrics.made_runs import Made, run_of
from winoglot.report.page import tables_of
from winoglot.report.sections import sections
from winoglot.report.summary import summarise
from winoglot.report.tables import bar_table, contrast_table, table_files
from winoglot.statistics.intervals import Estimate

SHARE = Estimate(0.5627, 0.5012, 0.6218, 263, "BCa over 131 schemas")
names = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), min_size=1, max_size=30)
shares = st.tuples(*[st.floats(0, 1)] * 3).map(sorted)
estimates = st.builds(lambda parts, n: Estimate(parts[1], parts[0], parts[2], n, "BCa"), shares, st.integers(1, 5000))


def one_cell(text):
    return Table("names", "caption", ("name", "accuracy"), ((text, SHARE),))


@given(estimates)
def test_an_estimate_is_written_with_its_interval_and_n(estimate):
    found = re.fullmatch(r"([\d.]+) \[([\d.]+), ([\d.]+)\], n = (\d+)", estimate_text(estimate))
    value, low, high = (float(part) / 100 for part in found.groups()[:3])
    assert (value, low, high) == pytest.approx((estimate.value, estimate.low, estimate.high), abs=0.00051)
    assert int(found[4]) == estimate.n


@given(names)
def test_markdown_keeps_a_row_a_row(text):
    line = one_cell(text).markdown().split("\n")[2]
    assert len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) == 3


@given(names)
def test_markdown_takes_no_name_for_markup(text):
    line = one_cell(text).markdown().split("\n")[2].removesuffix(" | 56.3 [50.1, 62.2], n = 263 |")
    bare = re.sub(r"\\.", "", line.removeprefix("|"))
    assert not set(bare) & set("`*_[]<>|~&#\\")


@given(names)
def test_latex_escapes_every_special_character(text):
    row = one_cell(text).latex().split("\n")[9]
    cell = row[: row.rindex(" & 56.3")]
    rest = re.sub(r"\\[a-z]+\{\}|\\[{}$&%#_]|\{\[\}|\$-\$|\$\\pm\$", "", cell)
    assert not set(rest) & set("\\{}$&%#_~^[")


def test_latex_is_a_booktabs_table_with_numbers_to_the_right():
    text = one_cell("gemma_3").latex()
    assert r"\begin{tabular}{lr}" in text
    assert text.index(r"\toprule") < text.index(r"\midrule") < text.index(r"\bottomrule")
    assert r"gemma\_3 & 56.3 [50.1, 62.2], n = 263 \\" in text
    assert r"\label{tab:names}" in text


@given(st.lists(st.tuples(names, estimates), min_size=1, max_size=5))
def test_csv_gives_back_every_name_and_number_in_full(rows):
    table = Table("names", "caption", ("name", "accuracy"), tuple(rows))
    read = list(csv.DictReader(io.StringIO(table.csv())))
    assert [row["name"] for row in read] == [name for name, _ in rows]
    for row, (_, estimate) in zip(read, rows, strict=True):
        assert float(row["accuracy"]) == estimate.value
        assert (float(row["accuracy low"]), float(row["accuracy high"])) == (estimate.low, estimate.high)
        assert (int(row["accuracy n"]), row["accuracy method"]) == (estimate.n, estimate.method)


def test_csv_of_an_undefined_estimate_has_the_reason_and_no_number():
    read = list(csv.DictReader(io.StringIO(Table("t", "c", ("a",), ((Estimate.undefined("no items"),),)).csv())))
    assert read == [{"a": "", "a low": "", "a high": "", "a n": "0", "a method": "no items"}]


def test_a_table_says_how_its_intervals_were_made():
    exact = Estimate(1.0, 0.9, 1.0, 20, "exact (Clopper-Pearson) over 10 schemas, all alike")
    table = Table("t", "Some numbers.", ("a",), ((SHARE,), (exact,), (SHARE,), (Estimate.undefined("no items"),)))
    assert table.full_caption == "Some numbers. Intervals: BCa, exact (Clopper-Pearson)."
    assert r"\caption{Some numbers. Intervals: BCa, exact (Clopper-Pearson).}" in table.latex()
    assert Table("t", "Some names", ("a",), (("x",),)).full_caption == "Some names"


def test_csv_of_an_accuracy_has_its_abstentions():
    table = Table("t", "c", ("a",), ((Accuracy.of(SHARE, 7),), (percent(0.5),)))
    read = list(csv.DictReader(io.StringIO(table.csv())))
    assert [row["a abstained"] for row in read] == ["7", ""]
    assert [row["a"] for row in read] == ["0.5627", "0.5"]
    assert table.texts() == [["56.3 [50.1, 62.2], n = 263, 7 abstained"], ["50.0"]]


def test_a_report_gives_programs_its_numbers_in_full():
    def schema(at):
        return [Made(choice=number % 5 % 2, scores=(-1.23456, -number / 7)) for number in (at, at + 1)]

    runs = [run_of([schema(at) for at in range(40)], readings=style) for style in ("naive", "grammatical")]
    runs.append(run_of([[Made(), Made()]] * 40, "other", prefix="s"))
    found = summarise(runs)
    made = {table.name: table.csv() for one in sections(found) for table in tables_of(one)}

    def column(table, name):
        return [float(row[name]) for row in csv.DictReader(io.StringIO(made[table])) if row[name]]

    calibrated = [one.calibration for one in found.runs if one.calibration.error.value is not None]
    assert column("against-guessing", "p") == [one.chance.value for one in found.runs]
    assert column("against-guessing", "corrected p") == [one.corrected_p for one in found.runs]
    assert column("readings", "corrected p") == [one.comparison.corrected_p for one in found.readings_compared]
    assert column("calibration", "noise") == [one.noise for one in calibrated]
    assert column("calibration", "slope low") == [one.fit.slope.low for one in calibrated if one.fit.slope.value]
    assert column("accuracy", "English")[-1] == 0.5
    assert len(str(column("margins", "lowest")[0])) > 6


def test_differences_carry_their_sign():
    assert estimate_text(Estimate(-0.02, -0.1, 0.06, 50, "BCa"), is_signed=True) == "−2.0 [−10.0, +6.0], n = 50"
    table = contrast_table([Contrast("A", "B", "English", Estimate(-0.02, -0.1, 0.06, 50, "BCa"), 0.6, detectable=0.1)])
    assert table.texts() == [["English", "A", "B", "−2.0 [−10.0, +6.0], n = 50", "0.600", "no", "10.0"]]
    assert "$-$2.0 [$-$10.0, +6.0], n = 50" in table.latex()


def test_programs_read_shares_where_people_read_percent():
    table = contrast_table([Contrast("A", "B", "English", SHARE, 0.0004, is_distinguishable=True, detectable=0.081)])
    (row,) = csv.DictReader(io.StringIO(table.csv()))
    assert (row["adjusted p"], row["least detectable"]) == ("0.0004", "0.081")
    assert table.texts()[0][-3:] == ["< 0.001", "yes", "8.1"]


def test_a_refused_comparison_says_why():
    refused = Contrast("A", "B", "English", Estimate.undefined("no shared items"), refused="no shared items")
    assert contrast_table([refused]).texts()[0][5] == "not compared: no shared items"


def test_subsets_say_that_few_items_are_few():
    few = Estimate(1.0, 0.2, 1.0, 3, "exact over 2 schemas")
    bars = [Bar("gemma", "English", few, series="associative")]
    table = bar_table("subsets", "By subset.", bars, ("collection", "model", "subset"), "accuracy")
    assert table.texts() == [["English", "gemma", "associative", "100.0 [20.0, 100.0], n = 3", "n = 3, fewer than 20"]]


def test_a_row_that_does_not_fit_the_headings_is_refused():
    with pytest.raises(ValueError, match="2 cells under 1 headings"):
        Table("t", "c", ("a",), (("x", "y"),))


def test_a_table_makes_three_files(tmp_path):
    files = table_files([one_cell("gemma")], tmp_path)
    assert [path.name for path in files] == ["names.md", "names.tex", "names.csv"]
    assert all("gemma" in str(make()) for make in files.values())
