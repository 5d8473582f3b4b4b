from dataclasses import replace

import pytest
from hypothesis import given, settings
from winoglot.report.cautions import cautions
from winoglot.report.finding import finding
from winoglot.report.rows import Accuracy

import winoglot as wg
from metrics.made_runs import Made, made_schemas, pairs_of, run_of
from winoglot import InputError
from winoglot.metrics.accuracy import accuracy, pair_accuracy
from winoglot.metrics.base import metric
from winoglot.report.again import commands
from winoglot.report.columns import columns
from winoglot.report.sections import sections
from winoglot.report.summary import summarise
from winoglot.runs.comparing import compare_all
from winoglot.runs.store import find_runs, load_run
from winoglot.statistics.significance import holm

GOOD, BAD, NONE = [(1, 1)] * 30, [(0, 1)] * 30, [(None, None)] * 30


def test_no_runs_is_an_input_error():
    with pytest.raises(InputError, match="no runs"):
        summarise([])


def test_a_run_without_predictions_is_an_input_error():
    with pytest.raises(InputError, match="has no predictions"):
        summarise([replace(run_of(pairs_of(GOOD)), predictions=())])


def test_figures_are_those_of_the_metrics():
    run = run_of(pairs_of([(1, 0), (1, 1), (None, 1)]))
    (one,) = summarise([run]).runs
    assert one.accuracy == Accuracy.of(accuracy(run), abstained=1)
    assert one.metrics == {"pair-accuracy": pair_accuracy(run)}


def test_who_abstains_on_most_and_is_right_else_is_better_than_guessing_and_not_worse():
    (one,) = summarise([run_of(pairs_of([(1, 1)] * 12 + [(None, None)] * 40))]).runs
    assert (one.accuracy.n, one.accuracy.abstained) == (104, 80)
    assert one.accuracy.value < 0.5 < one.success.value
    assert one.beats_chance is True


def test_abstentions_are_counted_for_each_subset_and_unlabelled_items_are_not():
    silent = [Made(choice=None, tags=("social",)), Made(choice=None, answer=None, tags=("social",)), Made()]
    (one,) = summarise([run_of([silent])]).runs
    assert {name: part.abstained for name, part in one.subsets.items() if name == "social"} == {"social": 1}
    assert (one.accuracy.n, one.accuracy.abstained) == (2, 1)


def test_a_difference_is_by_abstaining_where_guessing_would_have_left_less_than_half_of_it():
    coin, silent, bad = [(1, 0)] * 30, [(1, 0)] * 5 + [(None, None)] * 25, [(0, 0)] * 28 + [(0, None)] * 2
    found = summarise([run_of(pairs_of(made), name) for made, name in ((coin, "a"), (silent, "b"), (bad, "c"))])
    by_name = {(one.first.solver, one.second.solver): one for one in found.compared}
    assert by_name["a", "b"].comparison.is_distinguishable
    assert by_name["a", "b"].is_by_abstaining
    assert not by_name["a", "c"].is_by_abstaining
    (section,) = [one for one in sections(found) if one.id == "comparisons"]
    assert "1 of these differences is mostly due to abstentions" in section.lead[1]


def test_each_measure_of_robustness_has_what_guessing_gives():
    item = Made(variants=(("switched", 1), ("tense", 0)))
    (robust,) = [
        one
        for one in sections(summarise([run_of([[item, item]] * 12, kinds=("switched", "tense"))]))
        if one.id == "robustness"
    ]
    (figure,) = robust.figures
    guessed = {row[2]: row[4].value for row in figure.table.rows}
    assert guessed == {"pair accuracy": 0.25, "consistency": 0.5, "stability, tense": 0.5}


def calibration_of(*runs):
    return next((one for one in sections(summarise(runs)) if one.id == "calibration"), None)


def test_scores_that_are_no_log_probabilities_have_margins_and_a_reason_for_no_calibration():
    scored = [[Made(scores=(0.9, 0.4)), Made(choice=1, scores=(0.1, 0.3))]] * 12
    for scoring in ("cosine", "imported", "pll"):
        section = calibration_of(run_of(scored, "model", scoring=scoring))
        assert section.lead[0].startswith("The scores of model are not known to be log probabilities")
        (table,) = section.tables
        assert table.rows[0][:4] == ("English", "model", 24, 12)
        assert not section.figures
    both = calibration_of(run_of(scored, "model", scoring="cosine"), run_of(scored, "other"))
    assert [table.name for table in both.tables] == ["calibration", "margins-uncalibrated"]


def test_a_model_without_scores_is_said_to_have_no_margins_and_a_rule_needs_none():
    section = calibration_of(run_of(pairs_of(GOOD), "model", scoring="imported"))
    assert section.lead == ("No margins, because there are no scores for two candidates: model.",)
    assert calibration_of(run_of(pairs_of(GOOD), "first", scoring="choice")) is None


def test_comparisons_are_those_of_the_command():
    runs = [run_of(pairs_of(GOOD), "good"), run_of(pairs_of(BAD), "bad"), run_of(pairs_of(BAD), "as-bad")]
    made = [one.comparison.corrected_p for one in summarise(runs).compared]
    assert made == [one.corrected_p for one in compare_all(runs).made]


def two_ways(outcomes, model):
    return [run_of(pairs_of(outcomes), model, readings=style) for style in ("naive", "grammatical")]


def test_a_rule_that_is_shown_once_is_compared_with_a_model_whatever_its_readings():
    found = summarise([*two_ways(GOOD, "model"), *two_ways(BAD, "first"), *two_ways(BAD, "second")])
    told = [(one.first.solver, one.second.solver) for one in found.compared]
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


def test_runs_that_differ_in_several_respects_are_counted_as_rows():
    grammatical, naive = two_ways(GOOD, "model")[1], two_ways(BAD, "other")[0]
    found = summarise([grammatical, naive, run_of(pairs_of(BAD), "other", readings="grammatical")])
    assert (len(found.compared), found.passed_over) == (2, 1)


def test_runs_of_one_column_that_share_no_item_are_a_cell_with_the_reason():
    ends = [
        replace(run, predictions=run.predictions[part])
        for run, part in (
            (run_of(pairs_of(GOOD), "start"), slice(20)),
            (run_of(pairs_of(GOOD), "end"), slice(20, None)),
        )
    ]
    (section,) = [one for one in sections(summarise([*ends, run_of(pairs_of(BAD), "all")])) if one.id == "comparisons"]
    (figure,) = section.figures
    assert [row[5].partition(":")[0] for row in figure.table.rows] == ["yes", "yes", "not compared"]


def test_a_rule_that_readings_do_not_touch_is_shown_once():
    runs = [run_of(pairs_of(BAD), "first", readings=style) for style in ("naive", "grammatical")]
    found = summarise(runs)
    assert (found.solvers, found.shown_once) == (("first",), ("first",))


def test_settings_that_differ_between_columns_alone_tell_no_rows_apart():
    runs = [
        run_of(pairs_of(BAD), name=f"made-{tag}", language=tag, model_settings={"prompts": tag}) for tag in ("en", "fr")
    ]
    assert summarise(runs).solvers == ("solver",)


def test_one_model_on_two_collections_is_one_row():
    runs = [run_of(pairs_of(BAD), name=f"made-{tag}", language=tag) for tag in ("en", "pt-BR")]
    found = summarise(runs)
    assert (found.solvers, [column.label for column in found.columns]) == (("solver",), ["English", "Portuguese"])


def test_a_changed_item_makes_another_column_and_is_not_compared():
    one, other = run_of(pairs_of(GOOD), "one"), run_of([[Made(answer=1)] * 2] * 30, "other")
    found = summarise([one, other])
    assert [column.label.partition(" sha:")[0] for column in found.columns] == ["made@1.0", "made@1.0"]
    assert not found.compared
    said = " ".join(cautions(found))
    assert "There are 2 versions" in said
    assert "in different versions" in said


def test_part_of_the_items_shares_the_column_and_is_said():
    whole, part = run_of(pairs_of(GOOD), "whole"), run_of(pairs_of(GOOD), "part")
    part = replace(part, predictions=part.predictions[:40])
    found = summarise([whole, part])
    assert len(found.columns) == 1
    assert found.runs[1].gaps.missing == 20
    assert any("part (40)" in said for said in cautions(found))


def test_collections_that_share_nothing_are_not_compared():
    runs = [run_of(pairs_of(GOOD), name=name, prefix=name) for name in ("apples", "pears")]
    found = summarise(runs)
    assert not found.compared
    assert any("share no items" in said for said in cautions(found))


def test_guessing_is_the_mean_over_the_numbers_of_candidates():
    run = run_of([[Made(candidates=2), Made(candidates=2)], [Made(candidates=3), Made(candidates=3)]])
    (column,) = columns([run])[0]
    assert column.chance == pytest.approx((1 / 2 + 1 / 3) / 2)
    assert metric("pair-accuracy").chance_on(column.examples) == pytest.approx((1 / 4 + 1 / 9) / 2)


def test_p_values_are_corrected_over_models_only():
    runs = [run_of(pairs_of(GOOD), name) for name in ("one", "two", "chance")]
    found = summarise(runs)
    assert found.tests == 2
    assert [one.corrected_p is None for one in found.runs] == [False, False, True]


@settings(max_examples=25)
@given(made_schemas(("switched",)))
def test_any_run_is_summarised(schemas):
    found = summarise([run_of(schemas, "model", kinds=("switched",)), run_of(schemas, "chance", kinds=("switched",))])
    assert finding(found)
    assert found.runs[0].gaps.items == sum(map(len, schemas))


def test_the_commands_make_no_run_that_is_not_there():
    en, fr = wg.load("winoglot-en"), wg.load("winoglot-fr")
    runs = [wg.evaluate(en, "first"), wg.evaluate(fr, "first"), wg.evaluate(en, "second", limit=2)]
    assert commands(runs) == [
        "winoglot evaluate winoglot-en winoglot-fr --model first --scoring choice --readings grammatical -o runs",
        "winoglot evaluate winoglot-en --model second --scoring choice --readings grammatical --limit 2 -o runs",
        "winoglot report runs -o report.html",
    ]


def test_the_commands_make_runs_of_other_settings_in_other_folders(tmp_path, monkeypatch, run_winoglot):
    en = wg.load("winoglot-en")
    runs = [wg.evaluate(en, "chance", limit=3, seed=seed) for seed in (1, 2)]
    runs += [wg.evaluate(en, "first", limit=2), wg.evaluate(en, "first", limit=3), wg.evaluate(en, "chance", limit=2)]
    made = commands(runs)
    assert [command.partition("--readings grammatical ")[2] for command in made[:-1]] == [
        "--limit 3 --seed 1 -o runs",
        "--limit 3 --seed 2 -o runs-2",
        "--limit 2 -o runs-3",
        "--limit 3 -o runs",
    ]
    assert made[-1] == "winoglot report runs runs-2 runs-3 -o report.html"
    monkeypatch.chdir(tmp_path)
    assert [run_winoglot(*command.split()[1:])[0] for command in made] == [0] * len(made)
    again = [load_run(folder) for name in ("runs", "runs-2", "runs-3") for folder in find_runs(tmp_path / name)]
    assert {run.signature for run in again} == {run.signature for run in runs}
