import json
from dataclasses import asdict, replace
from itertools import product
from math import comb

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.made_runs import Made, made_schemas, pairs_of, run_of
from simulated_answers import two_solvers
from winoglot import InputError
from winoglot.runs.comparing import compare, compare_all
from winoglot.statistics.intervals import bootstrap_ratio
from winoglot.statistics.significance import holm


def solvers(seed, schemas, discordance, difference, share=0.7):
    """Two runs on the same items, the first better by `difference` in the long run."""
    right = two_solvers(np.random.default_rng(seed), schemas, discordance, difference, share)
    pairs = [side.astype(int).reshape(-1, 2).tolist() for side in right]
    return run_of(pairs_of(pairs[0]), "one"), run_of(pairs_of(pairs[1]), "other")


@settings(max_examples=40)
@given(made_schemas(largest=7), st.randoms(use_true_random=False))
def test_everything_equals_what_a_plain_loop_computes(schemas, random):
    others = [
        [replace(made, choice=random.choice([None, *range(made.candidates)])) for made in items] for items in schemas
    ]
    rows = [
        (int(one.choice == one.answer), int(other.choice == other.answer), place)
        for place, (items, theirs) in enumerate(zip(schemas, others, strict=True))
        for one, other in zip(items, theirs, strict=True)
        if one.answer is not None
    ]
    if not rows:
        with pytest.raises(InputError, match="has a label"):
            compare(run_of(schemas), run_of(others))
        return
    found = compare(run_of(schemas), run_of(others))
    first, second, places = zip(*rows, strict=True)
    gaps = [a - b for a, b in zip(first, second, strict=True)]
    assert (found.items, found.schemas) == (len(rows), len(set(places)))
    assert found.estimate_first.value == pytest.approx(sum(first) / len(rows))
    assert found.estimate_second.value == pytest.approx(sum(second) / len(rows))
    expected = bootstrap_ratio(gaps, [1] * len(rows), places, bounds=(-1, 1))
    assert (found.difference.value, found.difference.low, found.difference.high) == pytest.approx(
        (expected.value, expected.low, expected.high)
    )
    totals = [sum(gap for gap, at in zip(gaps, places, strict=True) if at == place) for place in set(places)]
    patterns = [sum(s * t for s, t in zip(p, totals, strict=True)) for p in product((1, -1), repeat=len(totals))]
    assert found.test.value == pytest.approx(np.mean([abs(p) >= abs(sum(gaps)) for p in patterns]))
    assert (found.only_first, found.only_second) == (gaps.count(1), gaps.count(-1))
    split = gaps.count(1) + gaps.count(-1)
    binomial = sum(comb(split, k) for k in range(min(gaps.count(1), gaps.count(-1)) + 1)) / 2**split
    assert found.mcnemar.value == pytest.approx(min(1, 2 * binomial))


def test_swapping_the_runs_swaps_the_outcome():
    one, other = solvers(1, 60, 0.4, 0.1)
    there, back = compare(one, other), compare(other, one)
    assert there.difference.value == pytest.approx(-back.difference.value)
    assert (there.test.value, there.detectable, there.schemas_needed) == (
        back.test.value,
        back.detectable,
        back.schemas_needed,
    )
    assert (there.first, there.second) == (back.second, back.first) == ("one", "other")


def test_a_small_difference_is_said_not_to_be_distinguishable():
    found = compare(*solvers(5, 139, 0.3, 0.02))
    assert not found.is_distinguishable
    low, high = (f"{100 * limit:+.1f}".replace("-", "−") for limit in (found.difference.low, found.difference.high))
    size = f"{100 * found.detectable:.0f}"
    assert found.sentence == (
        f"not distinguishable: 95% interval {low} … {high} points; "
        f"with 278 items only differences over {size} points can be detected"
    )
    assert found.difference.low < 0 < found.difference.high
    assert 5 < float(size) < 15


@pytest.mark.parametrize("is_turned", [False, True])
def test_a_large_difference_names_the_better_run_with_a_positive_interval(is_turned):
    one, other = solvers(3, 139, 0.4, 0.3)
    found = compare(other, one) if is_turned else compare(one, other)
    assert found.is_distinguishable
    value = f"{100 * abs(found.difference.value):.1f}"
    assert found.sentence.startswith(f"one is better than other by {value} points: 95% interval +")
    assert "−" not in found.sentence
    assert f"p = {found.test.value:.0e}" in found.sentence


def test_test_and_interval_that_disagree_are_both_told():
    one = compare(run_of(pairs_of([(1, 1)] * 12)), run_of(pairs_of([(0, 0), (1, 0), (0, 0)] + [(1, 1)] * 9), "other"))
    assert (one.test.value, one.is_distinguishable) == (0.25, False)
    assert one.difference.low > 0
    assert one.sentence.startswith("not distinguishable (p = 0.250; the interval excludes 0, but of 24 items in 12")
    one = compare(run_of(pairs_of([(1, 1)] * 6)), run_of(pairs_of([(1, 0)] * 6), "other"))
    assert (one.test.value, one.is_distinguishable) == (2 / 64, True)
    assert (
        one.sentence
        == "solver is better than other by 50 points: 95% interval −18.9 … +73.0, p = 0.031 (the interval includes 0; "
        "of 12 items in 6 schemas, only 6 distinguish the runs, and the test decides)"
    )


def test_a_difference_that_shows_is_never_smaller_than_six_schemas_that_tip():
    # one of each pair is right in either run, so no schema tips, and nothing seems to vary
    found = compare(run_of(pairs_of([(1, 0)] * 100)), run_of(pairs_of([(0, 1)] * 100), "other"))
    assert found.test.value == 1.0
    assert found.detectable == pytest.approx(6 / 200)
    assert found.schemas_needed == 60
    assert found.planning == "100 schemas are enough to detect 5 points: about 60 like these suffice."


def test_planning_says_how_many_schemas_the_difference_needs():
    one, other = solvers(5, 139, 0.3, 0.02)
    found = compare(one, other)
    assert found.schemas_needed > 139
    assert found.planning == (
        f"To detect 5 points, about {found.schemas_needed:,} schemas like these are needed; there are 139."
    )
    assert compare(one, other, difference=0.1).schemas_needed < found.schemas_needed
    assert compare(one, other, difference=found.detectable).schemas_needed == pytest.approx(139, abs=1)
    with pytest.raises(InputError, match="between 0 and 100"):
        compare(one, other, difference=0)


def test_with_five_schemas_no_difference_can_show():
    found = compare(run_of(pairs_of([(1, 1)] * 5)), run_of(pairs_of([(0, 0)] * 5), "other"))
    assert (found.test.value, found.detectable) == (pytest.approx(2 / 32), None)
    assert found.sentence.endswith("; with 5 schemas no difference can be detected")
    found = compare(run_of([[Made()]]), run_of([[Made(choice=1)]], "other"))
    assert (found.items, found.detectable, found.schemas_needed, found.planning) == (1, None, None, "")
    assert "with 1 schema no difference can be detected" in found.sentence


def test_variants_of_a_kind_are_compared_on_request():
    schemas = [[Made(choice=1, variants=(("switched", place % 2),))] for place in range(12)]
    others = [[Made(variants=(("switched", 0),))] for _ in range(12)]
    found = compare(run_of(schemas), run_of(others, "other"), kind="switched")
    assert (found.kind, found.estimate_first.value, found.estimate_second.value) == ("switched", 0.5, 0.0)
    assert compare(run_of(schemas), run_of(others, "other")).estimate_second.value == 1.0


def test_a_comparison_goes_through_json():
    found = compare(*solvers(5, 20, 0.3, 0.02))
    told = json.loads(json.dumps(found.as_json()))
    assert told["difference"] == asdict(found.difference)
    assert (told["sentence"], told["distinguishable"]) == (found.sentence, found.is_distinguishable)
    assert str(found) == f"one and other: {found.sentence}"
    with pytest.raises(InputError, match=r"expected a run, found 'runs/x'\. .*load_run"):
        compare(solvers(0, 4, 0.5, 0.0)[0], "runs/x")


def many(seed, accuracies, schemas=60):
    rng = np.random.default_rng(seed)
    return [
        run_of(pairs_of((rng.random((schemas, 2)) < accuracy).astype(int).tolist()), f"solver-{place}")
        for place, accuracy in enumerate(accuracies)
    ]


def test_many_runs_are_compared_pair_by_pair_with_holms_correction():
    runs = many(2, [0.5, 0.6, 0.72, 0.9])
    found = compare_all(runs)
    singles = {(i, j): compare(runs[i], runs[j]) for i in range(4) for j in range(i + 1, 4)}
    assert [(one.first, one.second) for one in found.made] == [(f"solver-{i}", f"solver-{j}") for i, j in singles]
    assert [one.test for one in found.made] == [one.test for one in singles.values()]
    assert [one.corrected_p for one in found.made] == holm([one.test.value for one in singles.values()])
    assert all(one.comparisons == 6 for one in found.made)
    assert all(one.detectable > single.detectable for one, single in zip(found.made, singles.values(), strict=True))


def test_what_only_the_correction_takes_away_is_said():
    found = compare_all(many(2, [0.5, 0.6, 0.7], schemas=30))
    taken = [one for one in found.made if one.test.value <= 0.05 < one.corrected_p]
    assert taken
    for one in taken:
        told = f"(p = {one.test.value:.3f}, corrected {one.corrected_p:.3f})"
        assert one.sentence.startswith(f"not distinguishable after correction for 3 comparisons {told}: 95% interval")


def test_equal_solvers_are_seldom_told_apart_however_many_there_are():
    families = [compare_all(many(seed, [0.6] * 3, schemas=20)).made for seed in range(60)]
    wrong = sum(any(one.is_distinguishable for one in family) for family in families)
    assert scipy.stats.binomtest(wrong, 60, 0.05, alternative="greater").pvalue > 0.01


def test_pairs_that_may_not_be_compared_are_listed_with_the_reason():
    runs = [run_of(pairs_of([(1, 0)] * 6), model) for model in ("a", "b")]
    stranger = run_of(pairs_of([(1, 0)] * 6), "a", name="others", prefix="t")
    found = compare_all([*runs, stranger])
    assert len(found.made) == 1
    assert found.refused == (("a, made", "a, others", "made and others share no items"),)
    assert found.passed_over == 1
    with pytest.raises(InputError, match="share no items"):
        compare_all([runs[0], stranger])
    with pytest.raises(InputError, match="only one run"):
        compare_all(runs[:1])
    with pytest.raises(InputError, match="no runs"):
        compare_all([])


def test_quality_is_compared_on_items_that_both_answered():
    one = run_of(pairs_of([(1, None), (1, 0), (0, 1), (1, 1)]))
    other = run_of(pairs_of([(0, 1), (1, None), (0, 0), (None, 1)]), "other")
    found = compare(one, other, metric="quality")
    assert (found.metric, found.items, found.schemas) == ("quality", 5, 4)
    assert found.left_out == ("3 that count in one run only",)
    assert (found.estimate_first.value, found.estimate_second.value) == (4 / 5, 2 / 5)
    assert (found.only_first, found.only_second, found.mcnemar.n) == (2, 0, 2)
    assert found.as_json()["quality_first"]["value"] == 4 / 5
    assert "accuracy_first" in compare(one, other).as_json()


def test_consistency_is_compared_without_naming_its_kind():
    schemas = [[Made(variants=(("switched", 1),)), Made(variants=(("switched", place % 2),))] for place in range(8)]
    others = [[Made(variants=(("switched", 0),)), Made(choice=None)] for _ in range(8)]
    found = compare(run_of(schemas), run_of(others, "other"), metric="consistency")
    assert (found.kind, found.items, found.estimate_first.value, found.estimate_second.value) == ("switched", 8, 1, 0)
    assert found.sentence.startswith("consistency is higher for solver than for other by 100 points")


def test_pair_accuracy_is_compared_by_schema():
    one, other = run_of(pairs_of([(1, 1)] * 7)), run_of(pairs_of([(1, 0)] * 7), "other")
    found = compare(one, other, metric="pair-accuracy")
    assert (found.items, found.case, found.difference.value, found.test.value) == (7, "schema", 1, 2 / 2**7)


@given(made_schemas(largest=7), st.randoms(use_true_random=False))
def test_knowledge_differs_by_twice_what_success_does(schemas, random):
    others = [[replace(made, choice=random.choice([None, 0, 1])) for made in items] for items in schemas]
    one, other = run_of(schemas), run_of(others, "other")
    if not any(made.answer is not None and made.candidates == 2 for items in schemas for made in items):
        with pytest.raises(InputError, match=r"has a label|nothing counts"):
            compare(one, other, metric="success")
        return
    success, knowledge = (compare(one, other, metric=name) for name in ("success", "knowledge"))
    assert knowledge.difference.value == pytest.approx(2 * success.difference.value)
    assert knowledge.test.value == success.test.value
    assert knowledge.mcnemar is None


@pytest.mark.parametrize(
    ("metric", "why"),
    [
        ("f1", "some items weigh more than others"),
        ("calibration", "not a mean over items"),
        ("stability", "Name their kind"),
        ("consistency", "no items of kind 'switched'"),
        ("twin-accuracy", "no twins"),
        ("flatness", "no metric 'flatness'"),
    ],
)
def test_what_runs_cannot_be_compared_by_is_said(metric, why):
    one, other = run_of(pairs_of([(1, 0)])), run_of(pairs_of([(0, None)]), "other")
    with pytest.raises(InputError, match=why):
        compare_all([one, other], metric=metric)
