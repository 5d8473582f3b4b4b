"""Figures are tables of estimates on a shared axis: which rows they have, and where everything is drawn."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.made_runs import Made, pairs_of, run_of
from winoglot.report.figure import Axis, Cell, Figure, Group, Row, axis_of
from winoglot.report.runs import leaderboard, perturbations, preference, robustness, runs_page, subsets
from winoglot.report.summary import FEW, Accuracy, summarise
from winoglot.statistics.formatting import interval, number, p_value
from winoglot.statistics.intervals import Estimate

GOOD, COIN, NONE = [(1, 1)] * 30, [(0, 1)] * 30, [(None, None)] * 30
shares = st.tuples(st.floats(0, 1), st.floats(0, 1)).map(sorted)
levels = st.sampled_from([(), (0.5,), (0.25,), (1 / 3,), (0.5, 1 / 3)])


@given(st.lists(shares, min_size=1, max_size=6), levels)
def test_an_axis_holds_every_interval_and_every_chance_level(intervals, chance):
    axis = Axis.around(intervals, chance)
    assert all(axis.holds(end) for one in intervals for end in one)
    assert all(axis.holds(level) for level in chance)
    assert all(-0.1 <= axis.place(end) <= 100.1 for one in intervals for end in one)


@given(st.lists(shares, min_size=1, max_size=6), levels)
def test_ticks_are_whole_percents_and_few_enough_to_read(intervals, chance):
    axis = Axis.around(intervals, chance)
    assert all(abs(100 * tick - round(100 * tick)) < 1e-6 for tick in axis.ticks)
    steps = {round(100 * (after - before)) for before, after in zip(axis.ticks, axis.ticks[1:], strict=False)}
    assert len(steps) == 1
    assert steps <= {1, 2, 5, 10, 20, 25, 50}
    assert 2 <= len(axis.labels) <= 4
    assert 0 <= axis.low <= axis.ticks[0] <= axis.ticks[-1] <= axis.high <= 1


@given(st.lists(shares, min_size=1, max_size=6), st.sampled_from([0.5, 0.25, 0.2]))
def test_chance_is_a_tick_with_a_number(intervals, level):
    assert level in Axis.around(intervals, (level,)).labels


@given(st.lists(st.tuples(st.floats(-1, 1), st.floats(-1, 1)).map(sorted), min_size=1, max_size=5))
def test_differences_have_an_axis_with_zero(intervals):
    axis = Axis.around(intervals, (0.0,), "points")
    assert 0.0 in axis.labels
    assert all(axis.holds(end) for one in intervals for end in one)


@given(st.lists(st.floats(0.001, 1e6), min_size=1, max_size=5))
def test_other_units_have_an_axis_too(values):
    axis = Axis.around([(value, value) for value in values], (), "plain")
    assert all(axis.holds(value) for value in values)
    assert len(axis.labels) <= 4


def test_an_axis_is_zoomed_to_the_data():
    axis = Axis.around([(0.47, 0.56), (0.5, 0.61)], (0.5,))
    assert (axis.low, axis.high) == (0.45, 0.65)


def estimate(value=0.5, n=100, width=0.1):
    return Estimate(value, max(0.0, value - width), min(1.0, value + width), n, "BCa over 50 schemas")


def test_outliers_may_lie_beyond_the_axis_and_are_all_there_is_if_nothing_else_is():
    near, far = (Row(("solver",), (Cell(estimate(value), 0.5), None)) for value in (0.55, 0.05))
    far = replace(far, role="baseline")
    axis = axis_of([near, far])
    assert not axis.holds(0.05)
    assert axis.clipped(0.05) == 0.0
    assert axis_of([far]).holds(0.05)


def test_numbers_are_written_as_they_are_read():
    assert [number(value, "points") for value in (0.0204, -0.0204, -0.00001)] == ["+2.0", "−2.0", "0.0"]
    assert number(-0.00001, "percent") == "0.0"
    assert interval(Estimate(-0.02, -0.1, 0.06, 50, "BCa"), "points") == "−10.0 to +6.0"
    assert interval(Estimate.undefined("no items"), "percent") == ""
    assert [p_value(p) for p in (None, 0.0505, 0.0449, 0.9996)] == ["", "p = 0.0505", "p = 0.045", "p = 1"]


def test_a_cell_knows_whether_it_is_based_on_few_and_excludes_chance():
    assert [Cell(estimate(n=n)).is_few for n in (FEW - 1, FEW)] == [True, False]
    assert [Cell(estimate(value), 0.5).is_clear for value in (0.55, 0.65, 0.35)] == [False, True, True]
    assert not Cell(estimate(0.9)).is_clear
    assert Cell(Accuracy(0.4, 0.3, 0.5, 60, "BCa", 12)).abstained == 12


def test_wide_figures_are_cut_into_parts_of_about_equal_width():
    def parts(count):
        row = Row(("model",), (Cell(estimate()),) * count)
        return Figure("f", "t", "u", ("Solver",), ("c",) * count, (Group((row,)),)).parts()

    assert parts(1) == [(0,)]
    assert parts(5) == [(0, 1, 2, 3, 4)]
    assert parts(6) == [(0, 1, 2), (3, 4, 5)]
    assert [len(part) for part in parts(11)] == [4, 4, 3]


def board(*runs, human=()):
    return leaderboard(summarise(runs, human))


def ways(model, outcomes=COIN, styles=("naive", "grammatical"), **keys):
    return [run_of(pairs_of(outcomes), model, readings=style, **keys) for style in styles]


def test_readings_are_a_switch_only_if_every_model_has_both():
    def shown(*runs):
        return robustness(summarise(runs)).figures["robustness"]

    both = shown(*ways("one"), *ways("two"), *ways("first"))
    assert (both.facets, both.headings) == (("grammatical", "naive"), ("Solver",))
    assert {(row.labels[0], row.facet) for row in both.rows} == {
        ("one", 0),
        ("one", 1),
        ("two", 0),
        ("two", 1),
        ("first", None),  # is shown with either
    }
    uneven = shown(*ways("one"), *ways("two", styles=("naive",)))
    assert (uneven.facets, uneven.headings) == ((), ("Solver", "Settings"))
    assert {row.labels for row in uneven.rows} == {("one", "grammatical"), ("one", "naive"), ("two", "naive")}
    half = shown(*ways("one"), *ways("one", styles=("naive",), scoring="full"))
    assert half.facets == ()
    assert ("one", "full, naive") in {row.labels for row in half.rows}


def test_a_leaderboard_has_one_setting_of_each_model_and_says_which_if_they_differ():
    same = board(*ways("one"), *ways("two"))
    assert (same.headings, [row.labels for row in same.rows]) == (("Solver", "Rank"), [("one", "1–2"), ("two", "1–2")])
    assert same.caption.startswith("Partial scoring and grammatical readings.")
    uneven = board(*ways("one"), *ways("two", styles=("naive",)))
    assert [row.labels[2] for row in uneven.rows] == ["grammatical readings", "naive readings"]
    seeds = board(*(run_of(pairs_of(COIN), "one", seed=seed) for seed in (1, 2)))
    assert [row.labels[2] for row in seeds.rows] == ["seed 1", "seed 2"]


def test_people_models_and_baselines_are_groups_in_this_order():
    figure = board(
        run_of(pairs_of(COIN), "first"), run_of(pairs_of(COIN), "model"), human=[run_of(pairs_of(GOOD), "people")]
    )
    assert [[row.role for row in group.rows] for group in figure.groups] == [["people"], ["model"], ["baseline"]]


def test_abstentions_add_what_guesses_would_have_given():
    silent = board(run_of(pairs_of([(1, 1)] * 12 + [(None, None)] * 18), "model"))
    (cell,) = silent.cells
    assert silent.has_guesses
    assert (cell.estimate.value, cell.guesses.value, cell.abstained) == (0.4, pytest.approx(0.7), 36)
    assert not board(run_of(pairs_of(GOOD), "model")).has_guesses


def test_a_baseline_that_mostly_abstains_does_not_widen_the_axis():
    figure = board(run_of(pairs_of(COIN), "model"), run_of(pairs_of(NONE), "longer"))
    model, silent = figure.cells
    assert figure.axis.holds(model.estimate.low)
    assert not figure.axis.holds(silent.estimate.value)


def test_the_axis_of_a_leaderboard_holds_the_intervals_of_all_models():
    figure = board(run_of(pairs_of(GOOD), "good"), run_of(pairs_of(COIN), "coin"), run_of(pairs_of(NONE), "mute"))
    assert all(figure.axis.holds(end) for cell in figure.cells for end in (cell.estimate.low, cell.estimate.high))


def varied(kinds, model="model", choice=0):
    item = [Made(answer=at, choice=at, variants=tuple((kind, choice) for kind in kinds)) for at in (0, 1)]
    return run_of([item] * 12, model, kinds=tuple(kinds))


def test_each_measure_of_robustness_is_shown_against_its_own_chance_level():
    figures = robustness(summarise([varied(("switched", "tense"))])).figures.values()
    groups = [group for figure in figures for group in figure.groups]
    chance = {group.title: [cell.chance for row in group.rows for cell in row.cells] for group in groups}
    assert chance.pop("Robust accuracy") == [None]
    assert chance == {"Pair accuracy": [0.25], "Consistency": [0.5], "Stability, tense": [0.5]}
    assert all(group.note for group in groups)


def test_perturbations_have_a_row_for_each_kind_and_a_choice_of_solver():
    runs = [varied(("switched", "tense"), "good"), varied(("switched", "tense"), "bad", 1)]
    figure = perturbations(summarise(runs)).figures["perturbations"]
    assert {row.labels for row in figure.rows} == {("switched",), ("tense",)}
    assert figure.facets == ("good", "bad")
    assert {row.facet for row in figure.rows} == {0, 1}
    (switched, *_) = [row.gloss for row in figure.rows if row.labels == ("switched",)]
    assert "n = 24" in switched
    assert "the answer moves to the other candidate" in switched
    assert perturbations(summarise([run_of(pairs_of(GOOD))])) is None


def test_the_preference_for_a_mention_is_shown_if_segments_were_masked():
    run = varied(("segment-masked", "tense"))
    (cell,) = preference(summarise([run])).figures["preference"].cells
    assert (cell.estimate.value, cell.estimate.n, cell.chance) == (1.0, 24, 0.5)
    assert preference(summarise([varied(("tense",))])) is None


def test_subsets_are_grouped_and_say_their_sizes():
    run = run_of([[Made(tags=("social",)), Made(choice=1, tags=("social",))]] * 12, "model")
    figure = subsets(summarise([run, run_of(pairs_of(GOOD[:12]), "first")])).figures["subsets"]
    rows = {row.labels[0]: row for group in figure.groups for row in group.rows}
    assert all(group.title and group.rows for group in figure.groups)
    assert rows["social"].gloss == "n = 24"
    assert rows["social"].cells[0].estimate.value == 0.5
    assert figure.facets == ()  # of models only, if there is one


def test_the_title_names_a_subset_only_if_it_is_clearly_harder():
    def title(choice):
        social, physical = Made(tags=("social",)), Made(tags=("physical",), choice=choice)
        languages = ("en", [[social, social]] * 30), ("fr", [[social, social]] * 30 + [[social, physical]] * 30)
        return subsets(summarise([run_of(made, "model", name=tag, language=tag) for tag, made in languages])).title

    assert title(1) == "“physical” looks hardest: 0.0% of 30 items right in French"
    assert title(0) == "No subset looks clearly harder than the rest"


def test_subsets_of_few_items_are_a_figure_of_their_own():
    social, rest = Made(tags=("social",)), Made()
    section = subsets(summarise([run_of([[social, social]] * 5 + [[rest, rest]] * 20, "model")]))
    assert "social" in {row.labels[0] for row in section.figures["subsets-few"].rows}
    assert "social" not in {row.labels[0] for row in section.figures["subsets"].rows}
    assert all(cell.estimate.n >= FEW for cell in section.figures["subsets"].cells)


def test_figures_appear_only_with_data():
    assert set(runs_page(summarise([run_of(pairs_of(GOOD), "model")])).shown(Figure)) == {
        "accuracy",
        "robustness",
        "subsets",
    }
    assert set(runs_page(summarise([run_of([[Made(answer=None)]])])).shown(Figure)) == {"accuracy"}
