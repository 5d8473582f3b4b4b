"""Figures as pictures: well formed, on their own, drawn to scale, in the formats that papers take."""

import re
from xml.etree import ElementTree as ET

import pytest

from metrics.made_runs import pairs_of, run_of, varied_schema
from report import made_figures
from winoglot import InputError
from winoglot.report.drawing import figure_files, figure_svg, plot_svg
from winoglot.report.figure import Axis, Cell, Figure, Group, Row
from winoglot.report.paper import Paper
from winoglot.report.plots import Plot
from winoglot.report.runs import runs_page
from winoglot.report.summary import FEW, Accuracy, summarise
from winoglot.statistics.intervals import Estimate

NASTY = '<script>alert("x")</script> & co'
ODD_NAMES = ("causal:/models/organisation/a-rather-long-name-of-a-model-7b", "大语言模型", "نموذج", NASTY)


def estimate(value=0.5, n=100):
    return Estimate(value, max(0.0, value - 0.1), min(1.0, value + 0.1), n, "BCa over 50 schemas")


def drawn(*cells, axis=None, **keys):
    """The drawing of a figure with one column and a row for each cell, and all its elements."""
    rows = tuple(Row((f"model {at}",), (cell,), "model") for at, cell in enumerate(cells))
    axis = axis or Axis(0.4, 0.6, (0.4, 0.5, 0.6), 0.5)
    figure = Figure("f", "Title", "percent", ("Solver",), ("English",), (Group(rows),), axis, **keys)
    return ET.fromstring(figure_svg(figure))


def elements(root, tag):
    return list(root.iter(f"{{http://www.w3.org/2000/svg}}{tag}"))


def texts(root):
    return [element.text for element in elements(root, "text") if element.text]


@pytest.fixture(scope="module")
def contents():
    """The contents of a report with every kind of figure and names that are hard to draw."""
    item = varied_schema()
    runs = [
        run_of(
            [item] * 12, model, readings=style, name=f"made-{tag}", language=tag, kinds=("switched", "segment-masked")
        )
        for tag in ("en", "zh")
        for model in ODD_NAMES
        for style in ("naive", "grammatical")
    ]
    return runs_page(summarise(runs, [run_of([item] * 12, NASTY, name="made-en")]))


@pytest.fixture(scope="module")
def every_kind(contents):
    files = figure_files(contents.shown(Figure).values(), contents.shown(Plot).values(), ["svg"])
    return {name: make() for name, make in files.items()}


def test_every_figure_of_the_page_is_a_file_whatever_the_names_of_solvers(every_kind, contents):
    names = {name.removesuffix(".svg") for name in every_kind}
    assert {"accuracy", "robustness", "robustness-naive", "perturbations", "preference", "subsets"} <= names
    assert {"readings", "choices", "reading-styles", "calibration", "margins"} <= names
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) for name in names)
    for figure in contents.shown(Figure).values():
        own = [name for name in names if re.fullmatch(rf"{figure.name}(-.*)?", name)]
        assert len(own) >= len(figure.facets), figure.name


def test_every_figure_is_well_formed_and_says_what_it_is(every_kind):
    for name, svg in every_kind.items():
        root = ET.fromstring(svg)
        assert elements(root, "title")[0].text, name
        assert root.attrib["width"] == "174.00mm", name
        assert float(root.attrib["height"].removesuffix("mm")) > 10, name


def test_figures_refer_to_nothing_outside_and_run_nothing(every_kind):
    for name, svg in every_kind.items():
        bare = svg.replace('xmlns="http://www.w3.org/2000/svg"', "")
        assert not re.search(r"https?://|<image|@import|@font-face|href|<script|url\(|var\(", bare), name


def test_names_with_markup_are_drawn_as_text(every_kind):
    assert any(shown.startswith("<script>") for shown in texts(ET.fromstring(every_kind["accuracy.svg"])))


def places(root, tag, *names):
    """Where elements are, in percent of the drawings that they are in."""
    return [tuple(float(element.attrib[name].removesuffix("%")) for name in names) for element in elements(root, tag)]


def intervals(root):
    return [line for line in elements(root, "line") if line.attrib.get("class") == "k"]


def marks(root):
    """The classes of the drawings with an interval."""
    return [
        drawing.attrib.get("class", "")
        for drawing in elements(root, "svg")
        if any(line.attrib.get("class") == "k" for line in drawing)
    ]


def arrows(root):
    """In a row each: the side on which an arrow is, and where its tip is."""
    return [
        (drawing.attrib["x"], drawing[0].attrib["d"].partition(",")[0])
        for drawing in elements(root, "svg")
        if drawing.attrib.get("class") == "off"
    ]


def test_points_are_drawn_where_their_values_are_on_the_axis():
    root = drawn(*(Cell(Estimate(value, value, value, 100, "BCa"), 0.5) for value in (0.4, 0.45, 0.5, 0.6)))
    assert places(root, "circle", "cx") == [(0,), (25,), (50,), (100,)]
    chance = [line for line in elements(root, "line") if line.attrib.get("class") == "z"]
    assert {line.attrib["x1"] for line in chance} == {"50.0%", "50%"}  # the second is in the key


def test_an_estimate_beyond_the_axis_is_an_arrow_and_no_point():
    silent = Cell(Accuracy(0.07, 0.04, 0.11, 200, "BCa", 172), 0.5)
    root = drawn(Cell(estimate(0.1), 0.5), silent, Cell(estimate(0.9), 0.5))
    assert elements(root, "circle") == []
    assert arrows(root)[:3] == [("0%", "M0"), ("0%", "M0"), ("100%", "M0")]
    assert {"10.0", "7.0", "90.0", "172 abstained", "beyond the axis"} <= set(texts(root))


def test_an_interval_that_reaches_beyond_the_axis_ends_in_arrows():
    root = drawn(Cell(Estimate(0.5, 0.1, 0.9, 50, "BCa"), 0.5), Cell(Estimate(0.5, 0.4, 0.6, 50, "BCa"), 0.5))
    assert [(line.attrib["x1"], line.attrib["x2"]) for line in intervals(root)] == [("0.0%", "100.0%")] * 2
    assert arrows(root)[:2] == [("0%", "M-7"), ("100%", "M7")]
    assert len(arrows(root)) == 4  # and both in the key


def test_marks_are_those_of_the_page_and_a_key_says_what_they_mean():
    wide, apart = Estimate(0.5, 0.4, 0.6, 50, "BCa"), Estimate(0.56, 0.52, 0.6, 50, "BCa")
    cells = Cell(estimate(n=FEW - 1), 0.5), Cell(wide, 0.5, p=0.4), Cell(apart, 0.5, p=0.01, is_significant=True)
    for keys, expected, meaning in (
        ({}, ["few", "", ""], "fewer than 20 items"),
        ({"is_tested": True}, ["few", "hollow", ""], "not significantly different from chance"),
        ({"is_exploratory": True}, ["few", "quiet", ""], "interval includes chance"),
    ):
        root = drawn(*cells, **keys)
        assert marks(root)[:3] == expected
        assert meaning in texts(root)
        assert len(marks(root)) == 3 + len(set(expected) - {""})


def test_what_is_not_there_is_a_dash_unless_a_row_or_a_column_has_nothing():
    there, undefined = Cell(estimate(), 0.5), Cell(Estimate.undefined("no items"), 0.5)
    rows = [("a", there, None, None), ("b", None, undefined, None), ("c", None, None, None)]
    group = Group(tuple(Row((name,), tuple(cells), "model") for name, *cells in rows))
    axis = Axis(0.4, 0.6, (0.4, 0.5, 0.6), 0.5)
    root = ET.fromstring(figure_svg(Figure("f", "Title", "percent", ("Solver",), ("en", "fr", "pt"), (group,), axis)))
    assert texts(root).count("–") == 2
    assert len(marks(root)) == 1
    assert {"a", "b", "en", "fr"} <= set(texts(root))
    assert not {"c", "pt"} & set(texts(root))


def test_a_figure_with_a_choice_is_one_file_for_each():
    rows = tuple(Row(("model",), (Cell(estimate(), 0.5),), "model", facet) for facet in (0, 1))
    axis = Axis(0.4, 0.6, (0.4, 0.5, 0.6), 0.5)
    facets = ("grammatical", "naive")
    figure = Figure("accuracy", "T", "u", ("Solver",), ("en",), (Group(rows),), axis, facets=facets, facet="Readings")
    files = figure_files([figure], [], ["svg"])
    assert list(files) == ["accuracy.svg", "accuracy-naive.svg"]
    for make, told in zip(files.values(), facets, strict=True):
        root = ET.fromstring(make())
        assert len(marks(root)) == 1
        assert told in elements(root, "title")[0].text


@pytest.mark.parametrize(("width", "millimetres"), [("column", 84), ("page", 174), ("3.25in", 82.55)])
def test_files_have_the_width_that_was_asked_for(width, millimetres):
    figures = runs_page(summarise([run_of(pairs_of([(1, 0)] * 12), "大语言模型")])).shown(Figure)
    files = figure_files([figures["accuracy"]], [], ["svg", "pdf", "png"], Paper.of(width))
    svg, pdf, png = (files[f"accuracy.{kind}"]() for kind in ("svg", "pdf", "png"))
    assert float(ET.fromstring(svg).attrib["width"].removesuffix("mm")) == millimetres
    assert float(re.search(rb"/MediaBox \[0 0 ([\d.]+)", pdf)[1]) == pytest.approx(millimetres / 25.4 * 72, abs=0.01)
    assert int.from_bytes(png[16:20], "big") == pytest.approx(millimetres / 25.4 * 300, abs=1)
    assert int.from_bytes(png[(at := png.index(b"pHYs") + 4) : at + 4], "big") == round(300 / 0.0254)


@pytest.mark.parametrize("width", ["84", "wide", "-3in", "5mm", "2000mm", "1e3mm", "", "column,page", 84])
def test_widths_that_are_none_are_refused(width):
    with pytest.raises(InputError, match=r"width of a figure|cannot be") as caught:
        Paper.of(width)
    assert "mm" in caught.value.remedy


@pytest.mark.parametrize("font", ["", " ", "'Arial'", 'A"/><script>', "Arial, Times", "a;b", "x" * 90, 3])
def test_fonts_that_are_none_are_refused(font):
    with pytest.raises(InputError, match="not the name of a font"):
        Paper.of(font=font)


def test_a_font_comes_before_those_with_the_letters_that_it_lacks():
    svg = figure_svg(next(iter(runs_page(summarise([run_of(pairs_of([(1, 0)] * 12))])).shown(Figure).values())), 0)
    named = Paper.of("column", "Times New Roman")
    assert named.fonts.startswith("'Times New Roman', Arial")
    assert "Times" not in svg
    assert Paper.of("column", "Fira Mono").length("illicit") > named.length("illicit") > Paper().length("illicit")


def test_columns_that_do_not_fit_stand_in_further_blocks():
    figure = made_figures.leaderboard(made_figures.COLUMNS)
    narrow, wide = (ET.fromstring(figure_svg(figure, 0, Paper.of(width))) for width in ("column", "page"))
    for root in (narrow, wide):
        shown = " ".join(texts(root))
        assert all(name.split()[0][:4] in shown for name in figure.columns)
    blocks = [sum(text.startswith("Solver") for text in texts(root)) for root in (narrow, wide)]
    assert blocks[0] > blocks[1] > 1
    assert float(narrow.attrib["font-size"]) == float(wide.attrib["font-size"]) == pytest.approx(10.67)


def test_without_the_converter_only_svg_can_be_made(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "vl_convert", None)
    figures = runs_page(summarise([run_of(pairs_of([(1, 0)] * 12))])).shown(Figure)
    files = figure_files([figures["accuracy"]], [], ["svg", "pdf"])
    assert files["accuracy.svg"]().startswith("<svg")
    with pytest.raises(InputError, match="figures as PDF need vl-convert") as caught:
        files["accuracy.pdf"]()
    assert "winoglot[report]" in caught.value.remedy


def test_plots_say_in_words_what_they_show(contents):
    plots = contents.shown(Plot)
    assert all(panel.alt for plot in plots.values() for panel in plot.panels)
    assert plots["choices"].panels[0].alt == "English: 12 of 12 schemas: all items right"
    assert plots["choices"].panels[-1].alt == (
        "Coin flips: 25% all items right, 50% same choice in all items, 25% choice changes, not all right"
    )
    assert plots["margins"].panels[0].alt == "English: score margins, 12 of 24 above 0"
    assert (
        "accuracy with naive and with grammatical readings: English 100.0 and 100.0"
        in plots["reading-styles"].panels[0].alt
    )
    assert all(ET.fromstring(plot_svg(plot)) is not None for plot in plots.values())
