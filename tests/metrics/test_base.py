import re
from dataclasses import replace
from inspect import signature

import pytest
from hypothesis import given, settings

import winoglot as wg
from cases import for_each
from metrics.made_runs import Made, made_schemas, run_of
from six_schemas import six, six_file
from winoglot import InputError
from winoglot.metrics.base import Metric, estimates, labelled, metric, metrics
from winoglot.statistics.intervals import Estimate
from winoglot.statistics.tally import Tally

METRICS = {known.name: known for known in metrics()}
KINDS = ("switched", "tense", "segment-masked")


@settings(max_examples=20)
@given(made_schemas(kinds=KINDS))
def test_every_metric_is_an_estimate_within_its_bounds_for_any_run_and_kind(schemas):
    run = run_of(schemas)
    items = sum(map(len, schemas))
    for name, known in METRICS.items():
        kinds = KINDS if "kind" in signature(known.estimate or known.cases).parameters else ()
        for found in (known.of(run), *(known.of(run, kind) for kind in kinds)):
            assert isinstance(found, Estimate)
            assert found.n <= items
            if found.value is not None:
                assert (
                    (-1 if name in ("delta-accuracy", "delta-quality", "knowledge") else 0)
                    <= found.low
                    <= found.value
                    <= found.high
                    <= 1
                )
            assert found.method


@pytest.mark.parametrize("name", ["accuracy", "exactness", "pair-accuracy", "quality", "success"])
def test_a_solver_that_knows_everything_has_all_of_it(name):
    run = run_of([[Made(answer=0, choice=0), Made(answer=1, choice=1)] for _ in range(30)])
    found = METRICS[name].of(run)
    assert (found.value, found.high) == (1.0, 1.0)
    assert found.low < 1.0


def test_a_metric_says_what_a_run_lacks():
    pairs = run_of([[Made(variants=(("switched", 1),)), Made()]])
    single, unlabelled = run_of([[Made()], [Made()]]), run_of([[Made(answer=None)]])
    assert [metric("pair-accuracy").lacks(run) for run in (pairs, single, unlabelled)] == ["", "clusters", "labels"]
    assert [metric("consistency").lacks(run) for run in (pairs, single)] == ["", "variants:switched"]
    scored = run_of([[Made(scores=(-1.0, -2.0))]])
    assert [metric("calibration").lacks(run) for run in (single, scored)] == ["scores", ""]
    assert metric("stability").lacks(pairs) == "variants"
    with pytest.raises(InputError, match=r"there is no metric 'pairs': that column is pair-accuracy\. Write"):
        metric("pairs")
    assert set(estimates(pairs)) == {"accuracy", "pair-accuracy", "consistency"}
    assert set(estimates(single)) == {"accuracy"}
    with pytest.raises(ValueError, match="needs 'weather'; known needs: labels, scores"):
        replace(metric("accuracy"), needs=("weather",))


def test_the_chance_level_follows_the_number_of_options():
    pair = [outcome.example for outcome in run_of([[Made(candidates=3), Made()]]).outcomes()]
    assert metric("accuracy").chance_on(pair) == pytest.approx((1 / 3 + 1 / 2) / 2)
    assert metric("pair-accuracy").chance_on(pair) == pytest.approx(1 / 6)
    assert metric("consistency").chance_on(pair) == 1 / 2
    assert metric("calibration").chance_on(pair) is None


def test_names_may_have_underscores_and_an_unknown_one_brings_the_nearest(outside):
    assert metric("pair_accuracy").name == "pair-accuracy"
    with pytest.raises(InputError, match="no metric 'acuracy'") as caught:
        run_of([[Made()]]).estimate("acuracy")
    assert "Did you mean 'accuracy'?" in caught.value.remedy
    outside("metrics", "my_metric", "def estimate(run):\n    'Mine.'\n")
    assert (metric("my_metric").name, metric("my_metric").description) == ("my_metric", "Mine.")


def test_a_module_with_no_more_than_a_function_is_a_metric(outside):
    source = (
        "from winoglot.metrics.accuracy import quality\n\ndef estimate(run):\n    'Toy.'\n    return quality.of(run)\n"
    )
    outside("metrics", "toy", source)
    run = run_of([[Made(), Made(choice=None)]])
    assert metric("toy").description == "Toy."
    assert run.estimate("toy") == run.quality()
    with pytest.raises(InputError, match="cannot be restricted to a kind"):
        metric("toy").of(run, "tense")


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("def estimate(run): return 1 / 0", "failed: ZeroDivisionError: division by zero"),
        ("def estimate(run): return 0.5", "returned 0.5, expected an Estimate or a Tally"),
        ("def cases(run): return 1.0", "returned 1.0, expected a Tally"),
    ],
)
def test_an_outside_metric_that_fails_is_undefined_in_tables_and_an_error_by_name(
    outside, run_winoglot, source, reason
):
    reason = f"({outside('metrics', 'toy', source)}) {reason}"
    run = run_of([[Made()]])
    with pytest.raises(InputError, match=f"^the metric toy {re.escape(reason)}"):
        run.estimate("toy")
    found = estimates(run)
    assert found["toy"] == Estimate.undefined(f"not computed: the metric toy {reason}")
    assert found["accuracy"].value is not None
    code, out, err = run_winoglot("evaluate", six_file("en"), "--model", "first")
    assert (code, "accuracy" in out, "toy" in out) == (0, True, False)
    assert err.count(f"Warning: the metric toy {reason}\n") == 1


def test_the_legend_says_percent_only_of_percents(outside, printed):
    source = (
        "from winoglot.metrics.base import Metric\nfrom winoglot.statistics.intervals import Estimate\n"
        "PLUGINS = {'toy': Metric('toy', 'Toy.', lambda run: Estimate(2.0, 1.0, 3.0, 9, 'exact'), unit='nats')}\n"
    )
    command = ("evaluate", six_file("en"), "--model", "first")
    assert "Percent, with 95% intervals" in printed(*command)
    outside("metrics", "toy", source)
    out = printed(*command)
    assert "2.000 [1.000, 3.000]" in out
    assert "Percent unless a unit is given, with 95% intervals" in out


def test_a_metric_has_cases_or_an_estimate_and_only_cases_give_an_estimate_over_seeds():
    def nothing(run):
        return Tally(())

    for roles in ({}, {"estimate": nothing, "cases": nothing}):
        with pytest.raises(ValueError, match="needs cases or estimate, one of them"):
            Metric("toy", "Toy.", **roles)
    run = run_of([[Made()], [Made(choice=1)]])
    made = metric("calibration").over_seeds([run, run])
    assert made.value is None
    assert made.method == "calibration is not a mean over cases, so it has no estimate over seeds"


def test_denominators_weigh_the_cases_over_schemas_and_over_seeds():
    """As in a share of tokens: each case counts as much as its denominator, and one without any not at all."""
    weights = {"s0.0": 3.0, "s1.0": 1.0, "s2.0": 0.0}

    def right(run):
        return labelled(run).tally(
            lambda outcome: weights[outcome.example.id] * outcome.right, lambda outcome: weights[outcome.example.id]
        )

    toy = Metric("toy", "Toy.", cases=right)
    runs = [run_of([[Made(answer=0, choice=c)] for c in choices]) for choices in ((0, 1, 0), (1, 0, 0))]
    assert [(toy.of(run).value, toy.of(run).n) for run in runs] == [(0.75, 2), (0.25, 2)]
    both = toy.over_seeds(runs)
    assert (both.value, both.n) == (0.5, 2)
    assert toy.over_seeds(runs[:1], base=runs[1]).value == 0.5


def right_where_the_text_is_long(run, kind=None):
    return labelled(run, kind).where(lambda outcome: len(outcome.example.item.text) > 80, "short").share(right)


def right(outcome):
    return outcome.right


def test_a_metric_of_ones_own_is_a_function_or_a_metric_and_reaches_the_item():
    run = wg.evaluate(six("en"), "first", kinds=["switched"])
    long = [outcome.right for outcome in run.outcomes() if len(outcome.example.item.text) > 80]
    estimate = run.estimate(right_where_the_text_is_long)
    assert (estimate.n, estimate.value) == (len(long), sum(long) / len(long))
    assert run.estimate(right_where_the_text_is_long, "switched") == right_where_the_text_is_long(run, "switched")
    counting = Metric("long", "Right in long texts.", cases=lambda run: labelled(run).tally(right))
    assert run.estimate(counting) == run.estimate(lambda run: labelled(run).tally(right)) == run.accuracy()
    assert run.estimate(counting, interval="wilson") == run.accuracy(interval="wilson")


@for_each(
    ("given", "says"),
    [
        (3, "expected a metric, found 3. Give its name"),
        (["accuracy"], "expected a metric, found a list"),
        (int, "expected a metric, found type"),
        (lambda: 0.5, "expected a metric, found function"),
        (len, "the metric len (builtins) returned 12, expected an Estimate or a Tally"),
        (lambda run: 1 / 0, "failed: ZeroDivisionError"),
    ],
)
def test_what_is_no_metric_is_refused(given, says):
    with pytest.raises(InputError, match=re.escape(says)):
        wg.evaluate(six("en"), "first").estimate(given)
