"""Tables say the same to papers, repositories and programs, whatever the names in them contain."""

import csv
import io
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.made_runs import Made, pairs_of, run_of
from winoglot.files import unguarded
from winoglot.report.details import across_table, calibration_table, gaps_table, uncalibrated_table
from winoglot.report.figure import Cell
from winoglot.report.page import page_files
from winoglot.report.runs import leaderboard, robustness, runs_page, subsets
from winoglot.report.summary import summarise
from winoglot.report.tables import Table, comparison_rows, estimate_rows, figure_tables, summary_csv
from winoglot.statistics.intervals import Estimate

GOOD, COIN = [(1, 1)] * 30, [(0, 1)] * 30
COLUMN = 7.7  # centimetres of a column in a two-column paper
SHARE = Cell(Estimate(0.5627, 0.5012, 0.6218, 263, "BCa over 131 schemas"))
names = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp")), min_size=1, max_size=22)


def one_cell(text):
    return Table("names", "caption", ("name", "accuracy"), ((text, SHARE),))


@settings(max_examples=60)
@given(names)
def test_markdown_keeps_a_row_a_row_and_takes_no_name_for_markup(text):
    line = one_cell(text).markdown().split("\n")[2]
    assert len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) == 3
    bare = re.sub(r"\\.", "", line.removeprefix("|").removesuffix(" | 56.3 [50.1, 62.2] |"))
    assert not set(bare) & set("`*_[]<>|~&#\\")


@settings(max_examples=60)
@given(names)
def test_latex_escapes_every_special_character(text):
    row = next(line for line in one_cell(text).latex().split("\n") if " & 56.3" in line)
    cell = row[: row.rindex(" & 56.3")]
    rest = re.sub(r"\\[a-z]+\{\}|\\[{}$&%#_]|\{\[\}|\$-\$|\$\\pm\$", "", cell)
    assert not set(rest) & set("\\{}$&%#_~^[")


def test_latex_is_a_booktabs_table_with_intervals_below_the_values():
    text = one_cell("gemma_3").latex()
    assert r"\begin{tabular}{@{}lr@{}}" in text
    assert text.index(r"\toprule") < text.index(r"\midrule") < text.index(r"\bottomrule")
    assert "gemma\\_3 & 56.3 \\\\[-2pt]\n & {\\scriptsize 50.1--62.2} \\\\" in text
    assert r"\label{tab:names}" in text
    assert r"\caption{caption. n = 263. 95\% intervals: BCa.}" in text


def test_a_caption_says_n_and_cells_their_own_if_they_differ_and_how_the_intervals_were_made():
    exact = Cell(Estimate(1.0, 0.9, 1.0, 20, "exact (Clopper-Pearson) over 10 schemas, all alike"))
    table = Table("t", "Some numbers", ("a",), ((SHARE,), (exact,), (SHARE,), (Cell(Estimate.undefined("no items")),)))
    assert table.markdown().endswith("Some numbers. n = 20 to 263. 95% intervals: BCa, exact (Clopper-Pearson).\n")
    assert table.markdown().splitlines()[2:4] == ["| 56.3 [50.1, 62.2] n=263 |", "| 100.0 [90.0, 100.0] n=20 |"]
    crossed = [Cell(Estimate(0.5, 0.4, 0.6, 90, f"over 2 seeds and {groups} twin groups")) for groups in (45, "1,090")]
    table = Table("t", "Some seeds", ("a", "b", "c"), ((*crossed, SHARE),))
    assert table.full_caption == "Some seeds. n = 90 to 263. 95% intervals: over seeds and twin groups, BCa."
    assert Table("t", "Some names", ("a",), (("x",),)).markdown().endswith("\nSome names\n")


def test_differences_carry_their_sign_and_what_is_undefined_a_dash():
    cells = Cell(Estimate(-0.02, -0.1, 0.06, 50, "BCa")), Cell(Estimate.undefined("no items")), None
    rows = tuple(zip("ABC", cells, strict=True))
    table = Table("t", "c", ("a", "b"), rows, "points")
    assert [row[1] for row in table.texts()] == ["−2.0 [−10.0, +6.0]", "–", ""]
    assert "A & $-$2.0 " in table.latex()
    assert r"{\scriptsize $-$10.0, 6.0}" in table.latex()


def test_numbers_and_counts_are_written_as_people_read_them():
    table = Table("t", "c", ("a", "b", "c"), (("x", 0.25, 12345),))
    assert table.texts() == [["x", "25.0", "12,345"]]
    assert [table.is_number(place) for place in range(3)] == [False, True, True]


LANGUAGES = ("en", "pt", "fr", "zh")


@pytest.fixture(scope="module")
def four_languages():
    """Two models with both readings and a rule in four languages; one model is better."""
    runs = []
    for tag in LANGUAGES:
        about = {"name": f"made-{tag}", "language": tag}
        for model, outcomes in (("gemma-3-270m", GOOD), ("causal:/models/organisation/name-7b-instruct", COIN)):
            runs += [
                run_of(pairs_of(outcomes), model, readings=style, scoring=scoring, **about)
                for style in ("naive", "grammatical")
                for scoring in ("partial", "full")
            ]
        runs.append(run_of(pairs_of([(1, None)] * 30), "longer", **about))
    return summarise(runs)


def test_the_tables_of_a_leaderboard_have_mean_and_rank(four_languages):
    made = figure_tables(leaderboard(four_languages))
    assert len(made) == 2  # without and with guesses
    for table in made:
        assert table.headings == ("Solver", "Rank", "Mean", *LANGUAGES)
        assert "n = " not in table.latex().partition(r"\caption")[0]
        assert table.latex().count("n = 60 to 240.") == 1
        assert r"{\scriptsize rank 1}" in table.latex()
        assert table.latex().count(r"\midrule") == 3  # below the headings, and between groups
    assert [table.name for table in made] == ["accuracy", "accuracy-with-guesses"]
    assert "a guess for each abstention" in made[1].caption


def test_names_are_cut_to_fit_a_column_only_if_they_stay_different():
    def table(*models):
        return Table("t", "c", ("solver", *LANGUAGES), tuple((model, *[SHARE] * 4) for model in models))

    short = table("organisation/name-small").latex()
    assert r"organi\dots{}name-small &" in short
    assert r"\begin{table}[t]" in short
    alike = table("organisation/x-name-small", "organisation/y-name-small").latex()
    assert r"organisa\dots{}/x-name-small &" in alike
    assert r"\begin{table*}[t]" in alike


def test_a_table_too_wide_for_a_column_takes_both():
    wide = Table("t", "c", ("solver", *map(str, range(9))), (("model", *[SHARE] * 9),))
    assert r"\begin{table*}[t]" in wide.latex()


def test_a_star_marks_what_the_corrected_test_shows_and_nothing_else(four_languages):
    table, guessed = figure_tables(leaderboard(four_languages))
    for row in table.rows:
        assert {cell.is_significant for cell in row if isinstance(cell, Cell)} == {"gemma" in row[0]}
    assert "100.0*" in table.latex()
    assert "50.0*" not in table.latex()
    assert "*: significant after Holm's correction" in table.caption
    assert "0*" not in guessed.latex()


def test_groups_with_their_own_axis_are_tables_of_their_own():
    item = [Made(answer=at, choice=at, variants=(("switched", 1 - at), ("tense", at))) for at in (0, 1)]
    figures = robustness(summarise([run_of([item] * 12, kinds=("switched", "tense"))])).figures.values()
    assert [table.name for figure in figures for table in figure_tables(figure)] == [
        "robustness-pair-accuracy",
        "robustness-consistency",
        "robustness-robust-accuracy",
        "stability-stability-tense",
    ]


def test_tables_of_solvers_have_different_files_and_names_of_any_script():
    item = [Made(answer=at, choice=at, tags=("social",)) for at in (0, 1)]
    solvers = ("plain", "模型", "نموذج", "org/m", "org:m", "x" * 300)
    section = subsets(summarise([run_of([item] * 12, solver) for solver in solvers]))
    tables = [table.name for table in figure_tables(section.figures["subsets"])]
    assert len(set(tables)) == len(solvers)
    assert max(map(len, tables)) < 120


def read(text):
    return list(csv.DictReader(io.StringIO(text)))


@pytest.fixture(scope="module")
def everything():
    """A summary with variants, subsets, scores, abstentions, and two kinds of readings."""

    def schema(at):
        return [
            Made(
                answer=number,
                choice=(at + number) % 5 % 2 if at % 7 else None,
                scores=(-1.23456, -(at + 1) / 7),
                tags=("social",),
                variants=(("switched", at % 2),),
            )
            for number in (0, 1)
        ]

    made = [schema(at) for at in range(40)]
    return summarise([run_of(made, "model", readings=style, kinds=("switched",)) for style in ("naive", "grammatical")])


def test_csv_has_one_row_for_each_estimate_and_gives_back_every_number_in_full(everything):
    rows = read(summary_csv(everything)["estimates.csv"]())
    assert len(rows) == sum(1 for _ in estimate_rows(everything))
    keys = ("solver", "scoring", "readings", "settings", "collection", "metric", "kind", "subset")
    assert len({tuple(row[key] for key in keys) for row in rows}) == len(rows)

    def number_of(one, metric, kind="", subset=""):
        (row,) = [
            row
            for row in rows
            if (row["metric"], row["kind"], row["subset"]) == (metric, kind, subset)
            and row["readings"] == one.run.settings.readings
        ]
        return {name: row[name] and float(row[name]) for name in ("value", "low", "high", "n", "p", "corrected_p")}

    def numbers(estimate):
        return {"value": estimate.value, "low": estimate.low, "high": estimate.high, "n": estimate.n}

    for one in everything.runs:
        tests = {"p": one.chance.value, "corrected_p": one.corrected_p}
        assert number_of(one, "accuracy") == numbers(one.accuracy) | tests
        assert number_of(one, "accuracy-with-guesses") == numbers(one.guesses) | tests
        for name, found in one.metrics.items():
            if found.value is not None:
                assert number_of(one, name).items() >= numbers(found).items()
        for kind, measures in one.kinds.items():
            defined = {name: made for name, made in measures.items() if made.value is not None}
            assert all(number_of(one, name, kind).items() >= numbers(made).items() for name, made in defined.items())
        assert number_of(one, "accuracy", subset="social").items() >= numbers(one.subsets["social"]).items()
        assert number_of(one, "calibration-error").items() >= numbers(one.calibration.error).items()
    assert {row["role"] for row in rows} == {"model"}
    assert {row["language"] for row in rows} == {"en"}


def test_csv_of_an_undefined_estimate_has_the_reason_and_no_number():
    rows = read(summary_csv(summarise([run_of([[Made(answer=None)]])]))["estimates.csv"]())
    assert [rows[0][name] for name in ("metric", "value", "low", "n")] == ["accuracy", "", "", "0"]
    assert rows[0]["method"]


def test_csv_guards_names_that_look_like_formulas_and_no_numbers():
    runs = [run_of(pairs_of(pairs), model=name) for name, pairs in (("=1;=2", COIN), ("b", GOOD))]
    made = summary_csv(summarise(runs))
    texts = [make() for make in made.values()]
    assert all("'=1;'=2" in text for text in texts)
    assert not any(re.search("(^|[^'])=[12]", text, re.MULTILINE) for text in texts)
    assert float(read(made["comparisons.csv"]())[0]["difference"]) < 0


def test_csv_of_comparisons_has_every_pair_and_why_others_are_missing(everything):
    (row,) = read(summary_csv(everything)["comparisons.csv"]())
    made = everything.compared[0].comparison
    assert float(row["difference"]) == made.difference.value
    assert (float(row["p"]), float(row["corrected_p"])) == (made.test.value, made.corrected_p)
    assert row["outcome"] == "no significant difference"
    apart = summarise([run_of(pairs_of(GOOD), name=name, prefix=name) for name in ("apples", "pears")])
    (refused,) = comparison_rows(apart)
    assert refused["outcome"].startswith("not compared: ")
    assert "difference" not in refused
    alone = summary_csv(summarise([run_of(pairs_of(GOOD))]))["comparisons.csv"]()
    assert read(alone) == []


@given(st.lists(names, min_size=2, max_size=2, unique=True))
@settings(max_examples=10)
def test_csv_gives_back_any_name(models):
    found = summarise([run_of(pairs_of(GOOD[:3]), model) for model in models])
    rows = read(summary_csv(found)["estimates.csv"]())
    solvers = [row["solver"] for row in rows if row["metric"] == "accuracy" and not row["subset"]]
    assert list(map(unguarded, solvers)) == models


def test_only_the_formats_that_were_asked_for_are_made(everything, tmp_path):
    page = runs_page(everything)

    def names(*formats):
        return {path.name: make for path, make in page_files(page, tmp_path / "p.html", formats).items()}

    latex = names("latex").keys() - {"p.html"}
    assert {name.rpartition(".")[2] for name in latex} == {"tex"}
    assert {"accuracy.tex", "tests.tex", "subsets.tex", "calibration.tex", "gaps.tex", "sources.tex"} <= latex
    assert names("csv").keys() == {"p.html", "estimates.csv", "comparisons.csv"}
    both = names("latex", "markdown")
    assert {name.rpartition(".")[2] for name in both} == {"html", "tex", "md"}
    assert all(make() for make in both.values())


def test_scores_that_are_no_log_probabilities_have_margins_and_no_calibration():
    scored = [[Made(scores=(0.9, 0.4)), Made(choice=1, scores=(0.1, 0.3))]] * 12
    for scoring in ("cosine", "imported", "pll"):
        found = summarise([run_of(scored, "model", scoring=scoring)])
        assert uncalibrated_table(found).rows[0][:4] == ("model", "English", 24, 12)
        assert calibration_table(found) is None
    both = summarise([run_of(scored, "model", scoring="cosine"), run_of(scored, "other")])
    assert [len(make(both).rows) for make in (calibration_table, uncalibrated_table)] == [1, 1]


def test_what_could_not_be_asked_is_counted_without_columns_of_zeros():
    made = [[Made(window="punctuation", fallback=True), Made(choice=None)]] * 12
    table = gaps_table(summarise([run_of(made, "model"), run_of(pairs_of(GOOD[:12]), "first", scoring="choice")]))
    told = dict(zip(table.headings, table.texts()[0], strict=True))
    assert told == {
        "solver": told["solver"],
        "collection": "English",
        "items": "24",
        "abstained": "12",
        "why": "not said: 12",
        "fallback": "12",
        "punctuation window": "12",
    }
    assert gaps_table(summarise([run_of(pairs_of(GOOD))])) is None


def test_differences_between_collections_are_a_table():
    runs = [run_of(pairs_of(made), "m", name=f"made-{tag}", language=tag) for made, tag in ((GOOD, "en"), (COIN, "fr"))]
    (row,) = across_table(summarise(runs)).texts()
    assert row[1:3] == ["English", "French"]
    assert row[3].startswith("+50.0 [")
    assert row[-1] == "significant"
    alike = [run_of(pairs_of(GOOD), "m", name=f"made-{tag}", language=tag) for tag in ("en", "fr")]
    assert across_table(summarise(alike)) is None  # only what is significant is listed


def test_of_many_differences_between_collections_the_largest_are_listed():
    tags = ("en", "fr", "pt", "zh", "de", "es", "it", "ja", "ru")
    runs = [
        run_of(pairs_of(COIN if at % 2 else GOOD), model, name=f"made-{tag}", language=tag)
        for model in ("m", "n")
        for at, tag in enumerate(tags)
    ]
    summary = summarise(runs)
    sizes = [abs(row[3].estimate.value) for row in across_table(summary).rows]
    assert len(sizes) == 30
    assert sizes == sorted(sizes, reverse=True)
    assert "– 40 of 72 differences significant" in runs_page(summary).html("report.html")
    assert "shown are the 30 largest" in runs_page(summary).html("report.html")
