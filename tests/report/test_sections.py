"""A section is a function in a list; the builder puts it into the page, its contents, and what is exported."""

import re

import pytest

from metrics.made_runs import Made, pairs_of, run_of
from winoglot.report import runs as report_on_runs
from winoglot.report.figure import Cell, Group, Matrix, MatrixCell, Row, figure_of
from winoglot.report.page import Page, Section, page_files, sections_of
from winoglot.report.plots import Panel, Plot
from winoglot.report.runs import runs_page
from winoglot.report.summary import summarise
from winoglot.report.tables import Table
from winoglot.statistics.intervals import Estimate

HALF = Estimate(0.5, 0.4, 0.6, 100, "BCa over 50 schemas")


def new_section(summary):
    """One part of each shape, and no macro in any template."""
    rows = [Row(("first row",), (Cell(HALF, 0.5),), "model"), Row(("empty row",), (None,), "model")]
    bins = {"bins": []}
    return Section(
        "novelty",
        "New topic",
        f"{len(summary.runs)} run has something new",
        (
            figure_of("new-figure", "New figure", "%", ("Model",), ["here"], [Group(tuple(rows)), Group(())]),
            Plot("new-plot", "square", "New plot", "%", (Panel("panel", "a square", bins),)),
            Table("new-table", "New table", ("name", "count"), (("one", 3),)),
            Matrix(
                "new-matrix", "New matrix", "%", "Trained by asked", "Trained on", ("en",),
                (("m", "1 seed", (MatrixCell(HALF, "yes", "+1.0"),)), ("n", "", (None,))), {"yes": "better"}, "", "S",
            ),
            None,
        ),
    )  # fmt: skip


@pytest.fixture
def files(monkeypatch, tmp_path):
    """All files of a report whose list of sections has one more line."""
    monkeypatch.setattr(report_on_runs, "SECTIONS", (*report_on_runs.SECTIONS, new_section))
    page = runs_page(summarise([run_of(pairs_of([(1, 1)] * 12), "one")]))
    made = page_files(page, tmp_path / "report.html", ("latex", "markdown"), ("svg",))
    return {str(path.relative_to(tmp_path)): make() for path, make in made.items()}


def test_a_section_is_one_function_and_one_line_and_then_everywhere(files):
    page = files["report.html"]
    assert '<li><a href="#novelty">New topic</a></li>' in page
    assert '<h2 id="novelty-title">1 run has something new</h2>' in page
    section = page.partition('<section id="novelty"')[2].partition("</section>")[0]
    shown = re.findall(r'id="(new-\w+)(?:-numbers)?-figure"', section)
    assert shown == ["new-figure", "new-plot", "new-table", "new-matrix"]
    tables = {
        f"report-tables/new-{name}.{suffix}" for name in ("figure", "table", "matrix") for suffix in ("tex", "md")
    }
    assert tables | {"report-figures/new-figure.svg", "report-figures/new-plot.svg"} <= files.keys()
    assert "50.0" in files["report-tables/new-matrix.md"]


def test_rows_and_groups_without_a_value_are_not_drawn(files):
    assert "first row" in files["report.html"]
    assert "empty row" not in files["report.html"] + files["report-tables/new-figure.md"]
    empty = Row(("a",), (None,), "model")
    assert figure_of("f", "t", "%", ("Model",), ["here"], [Group((empty,)), Group(())]) is None


def test_a_page_that_nobody_has_seen_is_a_list():
    """Any template with macros will do; this one has none for the section."""

    def nothing(_subject):
        return None

    sections = sections_of(summarise([run_of(pairs_of([(1, 1)] * 12), "one")]), [nothing, new_section])
    assert [section.name for section in sections] == ["novelty"]
    result = Section("result", "Result", "It is new", sections[0].parts[:1])
    page = Page("tuning.html", None, "Winoglot news", "News – Winoglot", result, sections, "News", ("50%.",), "1 run.")
    html = page.html("news.html")
    for text in ("<title>News – Winoglot</title>", "<h1>It is new</h1>", '<p class="evidence">50%.</p>', "Trained on"):
        assert text in html
    assert 'id="data"' not in html
    assert page.markdown().startswith("# News\n\nIt is new. 50%.\n\n## New figure, %\n\n| Model | here |")


def in_languages(*sides, model="m"):
    """A run in each language, on items with a synonym variant that has the same outcome."""
    runs = []
    for tag, outcomes in zip(("en", "fr", "zh"), sides, strict=False):
        schemas = [[Made(choice=1 - r, variants=(("synonym", 1 - r),)) for r in pair] for pair in outcomes]
        runs.append(run_of(schemas, model, name=f"made-{tag}", language=tag, kinds=("synonym",)))
    return runs


def section_of(runs):
    [section] = [section for section in runs_page(summarise(runs)).sections if section.name == "languages"] or [None]
    return section


def test_a_solver_that_is_right_elsewhere_in_another_language_has_a_section_that_says_so():
    section = section_of(in_languages([(1, 1), (0, 0)] * 8, [(0, 0), (1, 1)] * 8))
    assert section.title.startswith("Another language costs m 100.0 points of agreement more than another wording")
    matrix = section.matrices["language-agreement"]
    cells = [[cell and (cell.estimate.value, cell.below, cell.tone) for cell in row] for _, _, row in matrix.rows]
    assert cells == [[(1, "1.00", "yes"), None], [(0, "−1.00", ""), (1, "1.00", "yes")]]
    between, ceiling = section.tables["languages"].texts()
    assert between[:3] == ["m", "en fr", "between languages"]
    assert ceiling[2] == "with synonym"
    assert "< 0.001" in ceiling


def test_what_no_test_supports_is_not_claimed():
    once = in_languages([(1, 1), (0, 0)] * 2, [(0, 0), (1, 1)] * 2)
    assert section_of(once).title.startswith("No clear cost of another language beyond another wording (synonym) for m")


def test_without_variants_agreement_itself_is_the_finding():
    runs = [run_of(pairs_of([(1, 1), (1, 0)] * 6), "m", name=f"made-{tag}", language=tag) for tag in ("en", "fr", "zh")]
    section = section_of(runs)
    assert section.title.startswith("m agrees with itself between languages in 100.0% of items")
    assert [name for name, _, _ in section.matrices["language-agreement"].rows] == ["French", "Chinese"]


def test_one_language_or_runs_that_do_not_fit_together_have_no_such_section():
    [english] = in_languages([(1, 1), (1, 0)] * 6)
    assert section_of([english]) is None
    elsewhere = run_of(pairs_of([(1, 1)] * 6), "m", name="else", language="fr", prefix="t")
    assert section_of([english, elsewhere]) is None
