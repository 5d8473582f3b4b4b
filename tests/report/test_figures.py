"""Figures show what the numbers say: drawn to scale, readable without eyes or colours, and on their own."""

import re
from collections import Counter
from itertools import pairwise
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from winoglot.report._forest import MOST_LINES, split
from winoglot.report._labels import all_different, columns, lines
from winoglot.report._multiples import counts, ticks
from winoglot.report._theme import style
from winoglot.report.rows import FEW, Accuracy, Bar, Contrast, Margins, Reliability

from winoglot.report import figures
from winoglot.statistics.intervals import Estimate

pytestmark = pytest.mark.slow  # figures are drawn many times over
PLOT = 230  # width of the axis, from 0 to 1
NASTY = '<script>alert("x")</script> & co'
ODD_NAMES = (
    "gemma-3-270m, partial scoring, grammatical readings",
    "causal:/models/organisation/a-rather-long-name-of-a-model-7b-instruct-v2.1",
    "大语言模型-七十亿参数-指令微调版本",
    "نموذج لغوي كبير",
    NASTY,
)


def estimate(value=0.5, n=100):
    return Estimate(value, max(0.0, value - 0.1), min(1.0, value + 0.1), n, "BCa over 50 schemas")


def points(svg):
    """Where points stand, as shares of the axis, with the colour inside."""
    found = re.findall(r'<path transform="translate\(([-\d.]+),[-\d.]+\)" d="M3\.708[^"]*" fill="([^"]+)"', svg)
    return [(float(x) / PLOT, fill) for x, fill in found if float(x) >= 0]


def texts(svg):
    return [element.text for element in ET.fromstring(svg).iter() if element.text and element.text.strip()]


def all_figures(models=ODD_NAMES, groups=(("English", 100), ("中文", 12), ("العربية", 1))):
    """One of every kind."""
    cells = [(model, group, n) for group, n in groups for model in models]
    measures = ("pair accuracy", "consistency", "stability")
    bars = [Bar(model, group, estimate(n=n), chance=0.5) for model, group, n in cells]
    by_measure = [Bar(model, group, estimate(n=n), series=name) for model, group, n in cells for name in measures]
    contrasts = [
        Contrast(one, other, group, Estimate(0.2, 0.1, 0.3, n, "BCa"), 0.01, True, 0.08)
        for group, n in groups
        for place, one in enumerate(models)
        for other in models[place + 1 :]
    ]
    return [
        *figures.accuracy(bars),
        *figures.robustness(by_measure),
        *figures.readings(by_measure),
        *figures.subsets(by_measure),
        *figures.reliability(
            [Reliability(model, group, ((0.6, estimate(n=n)),), estimate(0.06), 0.03) for model, group, n in cells]
        ),
        *figures.margins([Margins(model, group, (0.5,) * n) for model, group, n in cells]),
        *figures.comparisons(contrasts),
    ]


@pytest.fixture(scope="module")
def every_kind():
    return all_figures()


def test_points_stand_where_their_values_are_on_an_axis_from_zero_to_one():
    values = [0.0, 0.25, 0.6, 1.0]
    (figure,) = figures.accuracy([Bar(f"model {value}", "English", estimate(value)) for value in values])
    assert [x for x, _ in points(figure.svg())] == pytest.approx(values, abs=0.001)


def test_every_share_has_its_axis_from_zero_to_one(every_kind):
    def domains(spec):
        if isinstance(spec, dict):
            if isinstance(spec.get("scale"), dict):
                yield tuple(spec["scale"]["domain"])
            for part in spec.values():
                yield from domains(part)
        elif isinstance(spec, list):
            for part in spec:
                yield from domains(part)

    for figure in every_kind:
        kind = figure.name.partition("-")[0]
        if kind in {"accuracy", "robustness", "readings", "subsets"}:
            assert set(domains(figure.spec)) == {(0.0, 1.0)}, figure.name
        if kind == "calibration":  # a confidence is the larger of two shares
            assert set(domains(figure.spec)) == {(0.0, 1.0), (0.5, 1.0)}
        if kind == "margins":
            assert all(low in {0, -high} for low, high in domains(figure.spec))


def test_every_specification_keeps_to_the_schema_of_vega_lite(every_kind):
    from altair.vegalite.schema import Root

    for figure in every_kind:
        for spec in (figure.spec, figure.narrow):
            Root.validate({key: value for key, value in spec.items() if key != "config"})


def test_what_rests_on_few_is_hollow_and_says_why():
    bars = [Bar("many", "English", estimate(n=FEW)), Bar("few", "English", estimate(n=FEW - 1))]
    (figure,) = figures.accuracy(bars)
    drawn = points(figure.svg(inline=False))
    assert [fill for _, fill in drawn] == ["#0072b2", "#ffffff"]
    assert figure.table.texts()[1][-1] == f"n = {FEW - 1}, fewer than {FEW}"
    assert f"n below {FEW}" in texts(figure.svg())


def test_a_reason_of_its_own_makes_a_bar_hollow_too():
    (figure,) = figures.accuracy([Bar("model", "English", estimate(), note="half of the items failed")])
    assert [fill for _, fill in points(figure.svg(inline=False))] == ["#ffffff"]
    assert "few items" in texts(figure.svg())
    assert figure.table.texts()[0][-1] == "half of the items failed"


def test_an_undefined_estimate_has_no_point_but_its_reason():
    (figure,) = figures.accuracy([Bar("model", "English", Estimate.undefined("no items with an answer"))])
    assert points(figure.svg()) == []
    assert "undefined: no items with an answer" in texts(figure.svg())
    assert "undefined: no items with an answer" in figure.alt


def test_numbers_stand_beside_each_point():
    (figure,) = figures.accuracy([Bar("model", "English", Estimate(0.5627, 0.5012, 0.6218, 263, "BCa"))])
    assert "56.3 [50.1, 62.2], n = 263" in texts(figure.svg())


def test_abstentions_stand_beside_the_point_and_a_cross_where_guessing_would_have_put_it():
    silent = Accuracy(0.07, 0.04, 0.11, 200, "BCa over 50 schemas", abstained=172)
    (figure,) = figures.accuracy([Bar("silent", "English", silent, chance=0.5), Bar("other", "English", estimate())])
    shown = texts(figure.svg())
    assert "7.0 [4.0, 11.0], n = 200, 172 abstained" in shown
    assert "if it had guessed instead of abstaining" in shown
    crosses = re.findall(r'translate\(([\d.]+),[\d.]+\)" d="M-2\.\d+,-2\.\d+L', figure.svg())
    assert float(crosses[-1]) / PLOT == pytest.approx(0.07 + 0.5 * 172 / 200, abs=0.005)  # after that of the key
    assert "172 abstained" in figure.alt
    assert "An abstention is not right" in figure.caption


def test_who_never_abstains_has_no_cross_and_no_word_of_it():
    (figure,) = figures.accuracy([Bar("model", "English", Accuracy.of(estimate(), 0), chance=0.5)])
    assert "abst" not in figure.svg() + figure.caption


def test_a_figure_for_a_phone_is_as_wide_as_one_and_says_the_same(every_kind):
    for figure in every_kind:
        width = float(ET.fromstring(figure.svg(narrow=True)).attrib["width"])
        assert width <= 328, (figure.name, width)
        small = re.findall(r'font-size="([\d.]+)px"', figure.svg(narrow=True))
        assert min(map(float, small)) >= 11
        if figure.name.startswith(("accuracy", "subsets")):
            numbers = [
                [text for text in texts(figure.svg(narrow=narrow)) if "n = " in text] for narrow in (False, True)
            ]
            assert Counter(numbers[0]) == Counter(numbers[1])


def test_the_matrix_keeps_to_the_order_given():
    found = Estimate(0.2, 0.1, 0.3, 100, "BCa")
    contrasts = [Contrast("A", "C", "English", found), Contrast("B", "C", "English", found)]
    (figure,) = figures.comparisons(contrasts, ("B", "A", "unknown", "C"))
    assert {"1 · B", "2 · A", "3 · C"} <= set(texts(figure.svg()))
    assert {"1 · B", "2 · A", "3 · C"} <= set(texts(figure.svg(narrow=True)))


def test_chance_is_drawn_where_it_lies_for_each_measure():
    bars = [Bar("model", "English", estimate(), series="pairs", chance=0.25), Bar("model", "English", estimate())]
    (figure,) = figures.robustness(bars)
    dashed = re.findall(r'<line transform="translate\(([\d.]+),[^>]*stroke-dasharray="3,3"', figure.svg())
    assert [float(x) / PLOT for x in dashed] == pytest.approx([0.25], abs=0.005)


def test_series_differ_in_shape_as_well_as_in_colour():
    bars = [Bar("model", "English", estimate(), series=name) for name in ("one", "two", "three")]
    (figure,) = figures.robustness(bars)
    found = re.findall(r'<path transform="[^"]*" d="([^"]+)" fill="var\(--figure-(\d)', figure.svg())
    assert len({shape for shape, _ in found}) == len({colour for _, colour in found}) == 3


def test_every_figure_is_well_formed_named_and_told(every_kind):
    kinds = {figure.name.partition("-")[0] for figure in every_kind}
    assert kinds == {"accuracy", "robustness", "readings", "subsets", "calibration", "margins", "comparisons"}
    for figure in every_kind:
        root = ET.fromstring(figure.svg())
        assert root.attrib["role"] == "img"
        assert root.attrib["aria-label"] == figure.alt
        assert figure.table.rows
        assert figure.caption
        inner = [key for element in list(root.iter())[1:] for key in element.attrib if key in {"role", "aria-label"}]
        assert not inner


def test_names_of_figures_are_those_of_one_file_each(every_kind):
    names = Counter(figure.name for figure in every_kind)
    assert set(names.values()) == {1}
    assert all(re.fullmatch(r"[a-z]+(-\d+)?", name) for name in names)


def test_figures_refer_to_nothing_outside_themselves(every_kind):
    for figure in every_kind:
        svg = figure.svg().replace('xmlns="http://www.w3.org/2000/svg"', "")
        assert not re.search(r"https?://|<image|@import|@font-face|href|<script|url\(", svg), figure.name
        assert not re.search(r'\bid="', svg), "two figures of a page would share it"


@pytest.mark.slow
def test_figures_fit_on_a_printed_page():
    many = [f"causal:org/model-{number}b-instruct" for number in range(20)]
    for figure in all_figures(many, [("English", 100), ("Português", 100)]):
        root = ET.fromstring(figure.svg())
        assert float(root.attrib["height"]) <= 1000, figure.name
        assert float(root.attrib["width"]) <= 820, figure.name


def test_colours_are_the_pages_inside_a_page_and_fixed_outside(every_kind):
    for figure in every_kind:
        inside, outside = figure.svg(), figure.svg(inline=False)
        assert not re.search(r'"#[0-9a-f]{6}"', inside), figure.name
        assert "var(" not in outside
        assert '<rect width="100%" height="100%" fill="#ffffff"/>' in outside


def luminance(colour):
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return float(np.dot(linear, (0.2126, 0.7152, 0.0722)))


def contrast(one, other):
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_colours_stand_out_from_the_page(scheme):
    block = style().split("@media screen")[scheme]
    named = dict(re.findall(r"--figure-([\w-]+):\s*(#[0-9a-f]{6})", block))
    assert contrast(named["ink"], named["page"]) >= 7
    assert contrast(named["soft"], named["page"]) >= 4.5
    assert all(contrast(named[str(number)], named["page"]) >= 3 for number in range(1, 7))
    assert all(contrast(named["ink"], named[fill]) >= 4.5 for fill in ("better", "worse", "line"))


def test_pictures_have_the_size_of_the_drawing():
    (figure,) = figures.accuracy([Bar("model", "English", estimate())])
    root = ET.fromstring(figure.svg())
    png = figure.png(scale=2)
    assert png.startswith(b"\x89PNG")
    size = int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")
    assert size == pytest.approx((2 * float(root.attrib["width"]), 2 * float(root.attrib["height"])), abs=1)
    assert figure.pdf().startswith(b"%PDF")


@pytest.mark.parametrize(
    "draw",
    [
        figures.accuracy,
        figures.robustness,
        figures.readings,
        figures.subsets,
        figures.reliability,
        figures.margins,
        figures.comparisons,
    ],
)
def test_nothing_gives_no_figure(draw):
    assert draw([]) == ()


def test_the_alternative_gives_all_numbers_of_a_few_and_the_ends_of_many():
    bars = [Bar(f"model {at}", "English", estimate(0.4 + at / 100), chance=0.5) for at in range(20)]
    (few,) = figures.accuracy(bars[:3])
    (many,) = figures.accuracy(bars)
    assert all(f"model {at}" in few.alt for at in range(3))
    assert "highest model 19 59.0 [49.0, 69.0], n = 100" in many.alt
    assert "lowest model 0 40.0 [30.0, 50.0], n = 100" in many.alt
    assert "0 of 20 intervals lie entirely above chance" in many.alt
    assert "table" in many.alt


def test_a_cell_of_the_matrix_is_its_row_less_its_column():
    found = Contrast("A", "B", "English", Estimate(0.2, 0.1, 0.3, 100, "BCa"), 0.01, True)
    (figure,) = figures.comparisons([found])
    assert {"1 · A", "2 · B", "−20.0", "[−30.0, −10.0]"} <= set(texts(figure.svg()))
    assert "A is better than B" in figure.alt
    assert '"var(--figure-worse, ' in figure.svg().partition("row better")[0].partition("−20.0")[0]


def test_the_matrix_colours_nothing_that_rests_on_few():
    found = Contrast("A", "B", "English", Estimate(0.9, 0.5, 1.0, 6, "BCa"), 0.03, True)
    (figure,) = figures.comparisons([found])
    cell = figure.svg().partition("−90.0")[0]
    assert "--figure-worse" not in cell
    assert f"different, but n below {FEW}" in texts(figure.svg())


def test_the_matrix_colours_no_difference_that_is_one_of_abstaining():
    found = Contrast("A", "B", "English", Estimate(0.4, 0.3, 0.5, 100, "BCa"), 0.001, True, is_by_abstaining=True)
    (figure,) = figures.comparisons([found])
    assert "--figure-worse" not in figure.svg().partition("−40.0")[0]
    assert "different, but mostly by abstaining" in texts(figure.svg())
    assert "mostly by abstaining" in figure.alt
    assert figure.table.texts()[0][5] == "yes, mostly by abstaining"


def test_the_matrix_says_what_it_rests_on_and_why_a_cell_is_missing():
    pairs = [("A", "B", 100), ("A", "C", 120)]
    found = [Contrast(one, other, "English", Estimate(0.0, -0.1, 0.1, n, "BCa"), 1.0) for one, other, n in pairs]
    (figure,) = figures.comparisons(found)
    assert {"0.0", "[−10.0, +10.0]", "differences in points; n = 100 to 120"} <= set(texts(figure.svg()))
    assert "empty: the two differ in several respects" in texts(figure.svg())


def test_pairs_that_may_not_be_compared_are_dashes_with_the_reason_in_the_table():
    refused = Contrast("A", "B", "English", Estimate.undefined("not compared"), refused="the items have changed")
    (figure,) = figures.comparisons([refused])
    assert {"–", "–: not compared"} <= set(texts(figure.svg()))
    assert "not compared: the items have changed" in figure.table.texts()[0]


@given(
    st.lists(
        st.tuples(st.sampled_from("abcdefghijklmnopqrst"), st.sampled_from(("en", "pt", "zh")), st.sampled_from("xyz")),
        unique=True,
    )
)
def test_parts_hold_every_bar_once_and_no_more_than_fit(names):
    bars = [Bar(label, group, estimate(), series=series) for label, group, series in names]
    parts = list(split(bars))
    assert Counter(bar for part in parts for bar in part) == Counter(bars)
    assert all(len(part) <= MOST_LINES for part in parts)


@given(st.lists(st.text(min_size=1, max_size=80), unique=True, max_size=12), st.integers(10, 40))
def test_short_names_stay_different(names, longest):
    short = all_different(names, longest)
    assert len({tuple(one) for one in short.values()}) == len(names)


@given(st.text(max_size=200), st.integers(10, 40))
def test_lines_keep_to_their_width(text, longest):
    assert all(columns(line) <= longest for line in lines(text, longest))
    assert len(lines(text, longest)) <= 3


@given(st.lists(st.floats(-100, 100).filter(lambda value: value != 0)), st.floats(0.5, 50))
def test_bars_of_a_histogram_hold_every_margin_on_its_side(values, limit):
    found = counts(values, limit)
    assert sum(found[:10]) == sum(value < 0 for value in values)
    assert sum(found[10:]) == sum(value > 0 for value in values)


def test_a_histogram_counts_as_numpy_does():
    values = np.random.default_rng(0).normal(0, 3, 500)
    clipped = np.clip(values, -5, 5)
    assert counts(list(values), 5.0) == list(np.histogram(clipped, bins=20, range=(-5, 5))[0])


@given(st.integers(0, 100_000))
def test_ticks_reach_the_highest_bar_in_a_few_even_steps(most):
    marks = ticks(most)
    assert marks[0] == 0
    assert marks[-1] >= most
    assert 2 <= len(marks) <= 5
    assert len({after - before for before, after in pairwise(marks)}) == 1


def test_margins_that_are_not_finite_are_left_out():
    rows = [Margins("model", "English", (float("inf"), float("nan"), 1.0, 0.0))]
    (figure,) = figures.margins(rows)
    assert f"n = 2, fewer than {FEW}; 1 at 0 not drawn" in texts(figure.svg())
    assert figure.table.texts()[0][2] == "2"


def test_a_figure_makes_three_files(tmp_path):
    files = figures.figure_files(figures.accuracy([Bar("model", "English", estimate())]), tmp_path)
    assert [path.name for path in files] == ["accuracy.svg", "accuracy.pdf", "accuracy.png"]
    assert all(len(make()) > 500 for make in files.values())
