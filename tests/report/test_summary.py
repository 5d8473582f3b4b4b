"""The numbers of a report are those of the metrics, tests and comparisons, and nothing is compared that may not be."""

from dataclasses import replace

import pytest
from hypothesis import given, settings

from cases import listed
from metrics.made_runs import Made, made_schemas, pairs_of, run_of
from winoglot import InputError
from winoglot.metrics.accuracy import accuracy, pair_accuracy, with_guesses
from winoglot.metrics.base import metric
from winoglot.report.columns import columns
from winoglot.report.details import gaps_table
from winoglot.report.figure import Figure
from winoglot.report.findings import cautions, evidence, facts, verdict
from winoglot.report.runs import runs_page
from winoglot.report.summary import summarise
from winoglot.runs.comparing import compare_all
from winoglot.statistics.significance import holm

GOOD, BAD = [(1, 1)] * 30, [(0, 1)] * 30


def test_no_runs_are_an_input_error():
    with pytest.raises(InputError, match="no runs"):
        summarise([])


def test_a_run_without_predictions_is_an_input_error():
    with pytest.raises(InputError, match="the run of solver on made has no predictions"):
        summarise([replace(run_of(pairs_of(GOOD)), predictions=())])


def test_estimates_are_those_of_the_metrics():
    run = run_of(pairs_of([(1, 0), (1, 1), (None, 1)]))
    (one,) = summarise([run]).runs
    found = accuracy.of(run)
    assert (one.accuracy.value, one.accuracy.low, one.accuracy.high, one.accuracy.n) == (
        found.value,
        found.low,
        found.high,
        6,
    )
    assert one.accuracy.abstained == 1
    assert one.guesses == with_guesses(run)
    assert one.metrics == {"pair-accuracy": pair_accuracy.of(run)}


def test_a_solver_that_is_right_whenever_it_answers_beats_chance_although_it_mostly_abstains():
    (one,) = summarise([run_of(pairs_of([(1, 1)] * 12 + [(None, None)] * 40))]).runs
    assert (one.accuracy.n, one.accuracy.abstained) == (104, 80)
    assert one.accuracy.value < 0.5 < one.guesses.value
    assert one.beats_chance is True


def three(outcomes):
    """Schemas of two items with three candidates each."""
    return [[Made(choice=None if right is None else 1 - right, candidates=3) for right in one] for one in outcomes]


def test_items_with_three_candidates_are_tested_against_one_in_three():
    def beats(outcomes):
        return summarise([run_of(three(outcomes))]).runs[0].beats_chance

    assert beats([(1, 1)] * 30) is True
    assert beats([(1, 0)] * 60) is True  # one half is more than one third
    assert beats([(0, 0)] * 60) is False
    assert beats([(1, 1)] * 12 + [(None, None)] * 40) is True
    (both,) = summarise([run_of(pairs_of([(0, 0)] * 12) + three([(1, 1)] * 30))]).runs
    assert (both.guess, both.accuracy.n) == (pytest.approx((24 / 2 + 60 / 3) / 84), 84)
    assert both.beats_chance is True


def test_p_values_are_corrected_over_all_models_or_else_over_all_rules():
    runs = [run_of(pairs_of(GOOD), name) for name in ("one", "two", "first")]
    found = summarise(runs)
    assert len(found.tested) == 2
    assert [one.corrected_p is None for one in found.runs] == [False, False, True]
    assert [one.corrected_p for one in found.tested] == holm([one.chance.value for one in found.tested])
    rules = summarise([run_of(pairs_of(GOOD), name) for name in ("first", "longer", "chance")])
    assert [one.solver.name for one in rules.tested] == ["first", "longer"]


def test_abstentions_are_counted_for_each_subset_and_unlabelled_items_are_not():
    silent = [Made(choice=None, tags=("social",)), Made(choice=None, answer=None, tags=("social",)), Made()]
    (one,) = summarise([run_of([silent])]).runs
    assert {name: part.abstained for name, part in one.subsets.items() if name == "social"} == {"social": 1}
    assert (one.accuracy.n, one.accuracy.abstained) == (2, 1)


def test_choices_within_schemas_are_counted_once_each():
    def schema(first, second):
        return [Made(answer=0, choice=first), Made(answer=1, choice=second)]

    made = [schema(0, 1)] * 4 + [schema(0, 0)] * 3 + [schema(1, 0)] * 2 + [schema(None, 1), [Made()], [Made(), Made()]]
    (one,) = summarise([run_of(made)]).runs
    assert one.choices == {"right": 4, "same": 3, "changed": 2, "silent": 1}  # one item, or one answer, cannot tell


def test_a_difference_is_due_to_abstentions_if_less_than_half_would_remain_with_guesses():
    coin, silent, bad = [(1, 0)] * 30, [(1, 0)] * 5 + [(None, None)] * 25, [(0, 0)] * 28 + [(0, None)] * 2
    found = summarise([run_of(pairs_of(made), name) for made, name in ((coin, "a"), (silent, "b"), (bad, "c"))])
    by_name = {(one.first.solver.name, one.second.solver.name): one for one in found.compared}
    assert by_name["a", "b"].comparison.is_distinguishable
    assert by_name["a", "b"].is_by_abstaining
    assert not by_name["a", "c"].is_by_abstaining


def test_comparisons_are_those_of_the_command():
    runs = [run_of(pairs_of(GOOD), "good"), run_of(pairs_of(BAD), "bad"), run_of(pairs_of(BAD), "as-bad")]
    made = [one.comparison.corrected_p for one in summarise(runs).compared]
    assert made == [one.corrected_p for one in compare_all(runs).made]


def two_ways(outcomes, model):
    return [run_of(pairs_of(outcomes), model, readings=style) for style in ("naive", "grammatical")]


def test_a_rule_that_is_shown_once_is_compared_with_a_model_whatever_its_readings():
    found = summarise([*two_ways(GOOD, "model"), *two_ways(BAD, "first"), *two_ways(BAD, "second")])
    told = [(one.first.solver.label, one.second.solver.label) for one in found.compared]
    assert sorted(told) == [
        ("first", "second"),
        ("model, grammatical readings", "first"),
        ("model, grammatical readings", "model, naive readings"),
        ("model, grammatical readings", "second"),
        ("model, naive readings", "first"),
        ("model, naive readings", "second"),
    ]
    assert (found.passed_over, {one.comparison.comparisons for one in found.compared}) == (0, {6})
    tests = [one.comparison.test.value for one in found.compared]
    assert [one.comparison.corrected_p for one in found.compared] == holm(tests)


def test_runs_that_differ_in_several_respects_are_not_compared_but_counted():
    grammatical, naive = two_ways(GOOD, "model")[1], two_ways(BAD, "other")[0]
    found = summarise([grammatical, naive, run_of(pairs_of(BAD), "other", readings="grammatical")])
    assert (len(found.compared), found.passed_over) == (2, 1)


def test_runs_that_share_no_item_are_refused_with_the_reason():
    start, end = run_of(pairs_of(GOOD), "start"), run_of(pairs_of(GOOD), "end")
    ends = [replace(start, predictions=start.predictions[:20]), replace(end, predictions=end.predictions[20:])]
    found = summarise([*ends, run_of(pairs_of(BAD), "all")])
    assert len(found.compared) == 2
    assert [(first.solver.name, second.solver.name) for first, second, _ in found.refused] == [("start", "end")]


def test_a_changed_item_makes_another_column_and_is_not_compared():
    one, other = run_of(pairs_of(GOOD), "one"), run_of([[Made(answer=1)] * 2] * 30, "other")
    found = summarise([one, other])
    assert [column.label.partition(" sha:")[0] for column in found.columns] == ["made@1.0", "made@1.0"]
    assert not found.compared
    said = " ".join(cautions(found))
    assert "There are 2 versions" in said
    assert "60 with different answers" in said


def test_a_run_over_some_of_the_items_shares_the_column_and_the_report_says_so():
    whole, part = run_of(pairs_of(GOOD), "whole"), run_of(pairs_of(GOOD), "part")
    part = replace(part, predictions=part.predictions[:40])
    found = summarise([whole, part])
    assert len(found.columns) == 1
    assert found.runs[1].missing == 20
    assert any("part (40)" in said for said in cautions(found))


def test_collections_that_share_nothing_are_not_compared():
    runs = [run_of(pairs_of(GOOD), name=name, prefix=name) for name in ("apples", "pears")]
    found = summarise(runs)
    assert not found.compared
    assert any("share no items" in said for said in cautions(found))


@listed
def test_models_that_were_asked_differently_come_with_a_caution(changes, said):
    found = summarise([run_of(pairs_of(GOOD), "one"), run_of(pairs_of(GOOD), "two", **changes)])
    assert any(line.startswith(said) for line in cautions(found))


def test_few_items_come_with_a_caution_and_enough_of_them_without():
    assert [line.partition(":")[0] for line in cautions(summarise([run_of(pairs_of(GOOD[:3]))]))] == [
        "Fewer than 20 items in English"
    ]
    assert cautions(summarise([run_of(pairs_of(GOOD))])) == []


def test_chance_is_the_mean_over_items_with_two_and_three_candidates():
    run = run_of([[Made(candidates=2), Made(candidates=2)], [Made(candidates=3), Made(candidates=3)]])
    (column,) = columns([run])[0]
    assert column.chance == pytest.approx((1 / 2 + 1 / 3) / 2)
    assert metric("pair-accuracy").chance_on(column.examples) == pytest.approx((1 / 4 + 1 / 9) / 2)


def test_unknown_tokens_and_skipped_characters_are_counted():
    run = run_of(pairs_of(GOOD))
    first, second, *rest = run.predictions
    first, second = replace(first, tokens=60, unknown=3, skipped=2), replace(second, tokens=60, skipped=5)
    table = gaps_table(summarise([replace(run, predictions=(first, second, *rest))]))
    assert table.headings[-3:] == ("window begins late", "characters skipped", "unknown tokens, %")
    assert table.rows[0][-3:] == (2, 7, pytest.approx(3 / 120))


def test_windows_are_counted_only_if_they_are_scored():
    made = [[Made(window="punctuation")]]
    table = gaps_table(summarise([run_of(made, "model"), run_of(made, "first", scoring="choice")]))
    assert (table.headings[-1], [row[-1] for row in table.rows]) == ("punctuation window", [1, 0])


@settings(max_examples=15)
@given(made_schemas(("switched",)))
def test_any_runs_make_a_summary_with_words_and_figures(schemas):
    found = summarise([run_of(schemas, "model", kinds=("switched",)), run_of(schemas, "first", kinds=("switched",))])
    assert verdict(found)
    assert "undefined" not in verdict(found) + evidence(found) + facts(found)
    assert found.runs[0].missing == 0
    for figure in runs_page(found).shown(Figure).values():
        assert all(
            len(row.cells) == len(figure.columns) and len(row.labels) == len(figure.headings) for row in figure.rows
        )
