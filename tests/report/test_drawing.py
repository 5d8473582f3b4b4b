"""Figures as pictures: well formed, on their own, drawn to scale, in the formats that papers take."""

import re
from xml.etree import ElementTree as ET

import pytest

from metrics.made_runs import pairs_of, run_of, varied_schema
from winoglot import InputError
from winoglot.report.drawing import figure_files, figure_svg, plot_svg
from winoglot.report.figure import Axis, Cell, Figure, Group, Row
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
        assert float(root.attrib["width"]) > 100, name
        assert float(root.attrib["height"]) > 30, name


def test_figures_refer_to_nothing_outside_and_run_nothing(every_kind):
    for name, svg in every_kind.items():
        bare = svg.replace('xmlns="http://www.w3.org/2000/svg"', "")
        assert not re.search(r"https?://|<image|@import|@font-face|href|<script|url\(|var\(", bare), name


def test_names_with_markup_are_drawn_as_text(every_kind):
    assert any(shown.startswith("<script>") for shown in texts(ET.fromstring(every_kind["accuracy.svg"])))


def test_points_are_drawn_where_their_values_are_on_the_axis():
    values = (0.4, 0.45, 0.5, 0.6)
    root = drawn(*(Cell(estimate(value), 0.5) for value in values))
    places = [float(point.attrib["cx"]) for point in elements(root, "circle")]
    ends = places[0], places[-1]
    shares = [(place - ends[0]) / (ends[1] - ends[0]) for place in places]
    assert shares == pytest.approx([(value - 0.4) / 0.2 for value in values], abs=0.01)
    chance = {line.attrib["x1"] for line in elements(root, "line") if line.attrib.get("stroke-dasharray") == "2 2.5"}
    assert [float(place) for place in chance] == pytest.approx([places[2]], abs=0.1)


def test_an_estimate_beyond_the_axis_is_an_arrow_and_no_point():
    root = drawn(
        Cell(estimate(0.1), 0.5), Cell(Accuracy(0.07, 0.04, 0.11, 200, "BCa", 172), 0.5), Cell(estimate(0.9), 0.5)
    )
    assert elements(root, "circle") == []
    arrows = [text for text in texts(root) if text[0] in "◂▸"]
    assert arrows == ["◂", "◂ 172 abstained", "▸"]
    assert {"10.0", "7.0", "90.0"} <= set(texts(root))


def test_an_interval_that_reaches_beyond_the_axis_is_cut_at_its_end():
    root = drawn(Cell(Estimate(0.5, 0.1, 0.9, 50, "BCa"), 0.5), Cell(Estimate(0.5, 0.4, 0.6, 50, "BCa"), 0.5))
    cut, whole = [line.attrib for line in elements(root, "line") if line.attrib.get("stroke-linecap") == "round"]
    assert (cut["x1"], cut["x2"]) == (whole["x1"], whole["x2"])


def test_few_items_are_hollow_and_dashed():
    root = drawn(Cell(estimate(n=FEW - 1), 0.5), Cell(estimate(n=FEW), 0.5))
    assert [point.attrib["fill"] for point in elements(root, "circle")] == ["#ffffff", "#1d5fae"]
    dashes = [line.attrib.get("stroke-dasharray") for line in elements(root, "line") if "stroke-linecap" in line.attrib]
    assert dashes == ["3 2", None]


def test_intervals_that_include_chance_are_pale_in_exploratory_figures_only():
    def shades(**keys):
        root = drawn(
            Cell(Estimate(0.5, 0.4, 0.6, 50, "BCa"), 0.5), Cell(Estimate(0.56, 0.52, 0.6, 50, "BCa"), 0.5), **keys
        )
        return [point.attrib["fill"] for point in elements(root, "circle")]

    assert shades() == ["#1d5fae", "#1d5fae"]
    assert shades(is_exploratory=True) == ["#7896bb", "#1d5fae"]


def test_what_is_not_there_is_a_dash_and_what_is_undefined_is_nothing():
    root = drawn(None, Cell(Estimate.undefined("no items"), 0.5))
    assert texts(root).count("–") == 1
    assert elements(root, "circle") == []


def test_a_figure_with_a_choice_is_one_file_for_each():
    rows = tuple(Row(("model",), (Cell(estimate(), 0.5),), "model", facet) for facet in (0, 1))
    axis = Axis(0.4, 0.6, (0.4, 0.5, 0.6), 0.5)
    facets = ("grammatical", "naive")
    figure = Figure("accuracy", "T", "u", ("Solver",), ("en",), (Group(rows),), axis, facets=facets, facet="Readings")
    files = figure_files([figure], [], ["svg"])
    assert list(files) == ["accuracy.svg", "accuracy-naive.svg"]
    for make, told in zip(files.values(), facets, strict=True):
        root = ET.fromstring(make())
        assert len(elements(root, "circle")) == 1
        assert told in elements(root, "title")[0].text


def test_pdf_and_png_are_made_from_the_same_drawing():
    run = run_of(pairs_of([(1, 0)] * 12), "大语言模型")
    figures = runs_page(summarise([run])).shown(Figure)
    files = figure_files([figures["accuracy"]], [], ["svg", "pdf", "png"])
    svg, pdf, png = (files[f"accuracy.{kind}"]() for kind in ("svg", "pdf", "png"))
    root = ET.fromstring(svg)
    assert pdf.startswith(b"%PDF")
    assert png.startswith(b"\x89PNG")
    size = int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")
    assert size == pytest.approx((3 * float(root.attrib["width"]), 3 * float(root.attrib["height"])), abs=3)


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
