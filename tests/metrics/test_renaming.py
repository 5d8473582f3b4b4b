from statistics import mean, stdev

import numpy as np
import pytest
from hypothesis import given, settings

import winoglot as wg
from metrics.made_runs import Made, made_schemas, run_of
from winoglot.metrics.base import estimates
from winoglot.metrics.renaming import name_spread, renamed, renamed_sd
from winoglot.statistics.intervals import bootstrap_ratio

DRAWS = ("renamed-1", "renamed-2", "renamed-3")


def item(right, *drawn):
    """An item answered right or wrong, and so in each draw; without draws, nobody in it could be renamed."""
    return Made(choice=1 - right, variants=tuple((f"renamed-{k}", 1 - one) for k, one in enumerate(drawn, 1)))


def test_items_without_names_count_the_same_in_every_draw():
    run = run_of([[item(1, 1, 0), item(0)], [item(1), item(0, 0, 1)], [item(1, 0, 0)]])
    draws = [2 / 5, 2 / 5]  # right in draw 1: s0.0 and s1.0; in draw 2: s1.0 and s1.1
    found = name_spread(run)
    assert (found.mean, found.sd, found.lowest, found.highest) == (mean(draws), 0, 2 / 5, 2 / 5)
    assert (found.draws, found.renamed, found.items) == (2, 3, 5)
    assert renamed.of(run).value == pytest.approx(mean(draws))
    assert renamed.of(run).method.endswith("; 2 draws of names, 3 of 5 items renamed")


@settings(max_examples=50)
@given(made_schemas(kinds=DRAWS))
def test_mean_and_spread_are_those_of_the_draws(schemas):
    run = run_of(schemas)
    kinds = [kind for number, kind in enumerate(DRAWS, 1) if all(run.outcomes(k) for k in DRAWS[:number])]
    labelled = [outcome for outcome in run.outcomes() if outcome.right is not None]
    if not kinds or not labelled:
        assert name_spread(run) is None
        assert (renamed.of(run).value, renamed_sd(run).value) == (None, None)
        return
    by_draw = []
    for kind in kinds:
        other = {outcome.example.variant_of: outcome.right for outcome in run.outcomes(kind)}
        by_draw.append([bool(other.get(one.example.id, one.right)) for one in labelled])
    accuracies = [mean(draw) for draw in by_draw]
    found, estimate = name_spread(run), renamed.of(run)
    assert (found.lowest, found.highest) == (min(accuracies), max(accuracies))
    assert found.mean == pytest.approx(mean(accuracies))
    shares = np.mean(by_draw, axis=0)
    expected = bootstrap_ratio(shares, [1] * len(shares), [one.example.cluster for one in labelled])
    assert (estimate.value, estimate.low, estimate.high) == (expected.value, expected.low, expected.high)
    if len(kinds) > 1:
        assert found.sd == pytest.approx(stdev(accuracies))
        assert renamed_sd(run).value == pytest.approx(100 * found.sd)
        assert renamed_sd(run).low <= renamed_sd(run).value + 1e-9
    else:
        assert (found.sd, renamed_sd(run).value) == (None, None)


def test_a_solver_that_ignores_names_has_no_spread_up_to_a_limit_that_shrinks_with_the_schemas():
    few, many = (renamed_sd(run_of([[item(1, 1, 1)]] * number)) for number in (10, 160))
    assert (few.value, few.low, many.value, many.low) == (0, 0, 0, 0)
    assert 0 < many.high < 1 < few.high < 10
    assert many.method.startswith("exact (Clopper-Pearson) over 160 schemas, none varies")


def test_only_items_with_names_are_asked_again():
    english = wg.load("winoglot-en")[:12]
    run = wg.evaluate(english, "longer", renamed=2)
    drawn = {outcome.example.variant_of for outcome in run.outcomes("renamed-1")}
    assert 0 < len(drawn) < len(english.items)
    assert len(run.predictions) == len(english.items) + 2 * len(drawn)
    for outcome in run.outcomes("renamed-2"):
        original = next(one for one in english.items if one.id == outcome.example.variant_of)
        assert outcome.example.answer == original.answer
        assert outcome.example.options != tuple(one.text for one in original.candidates)
    assert "|renamed:2 sha:" in run.signature
    assert run.settings.kinds == ()
    assert {"renamed", "renamed-sd"} <= estimates(run).keys()
