from dataclasses import replace

import pytest
from hypothesis import given, settings

from metrics.made_runs import Made, collection_of, made_schemas, run_of
from six_schemas import six
from winoglot.examples import Answers, ExampleSet, example_of
from winoglot.metrics.base import metric, wordings
from winoglot.metrics.robustness import (
    consistency,
    delta_accuracy,
    delta_quality,
    first_mentions,
    position_preference,
    robust_accuracy,
    stability,
)
from winoglot.statistics.intervals import bootstrap_ratio
from winoglot.statistics.tally import over_schemas

KEPT = ("tense", "number")


def by_hand(schemas):
    """Whether the index changed, and the schema, for each switched item that was answered twice."""
    return [
        (made.choice != choice, place)
        for place, items in enumerate(schemas)
        for made in items
        for _, choice in made.variants
        if made.candidates == 2 and made.choice is not None and choice is not None
    ]


@settings(max_examples=50)
@given(made_schemas(kinds=("switched",)))
def test_a_consistent_choice_is_another_index_and_ties_stay_out(schemas):
    pairs = by_hand(schemas)
    found = consistency.of(run_of(schemas))
    assert found.n == len(pairs)
    if pairs:
        expected = bootstrap_ratio([p[0] for p in pairs], [1] * len(pairs), [p[1] for p in pairs])
        assert (found.value, found.low, found.high) == (expected.value, expected.low, expected.high)
    else:
        assert found.value is None


def test_what_is_left_out_is_counted_by_its_reason():
    items = [(0, 1), (0, 0), (None, 1), (0, None), (None, None)]
    run = run_of([[Made(choice=first, variants=(("switched", second),))] for first, second in items])
    assert (run.consistency().value, run.consistency().n) == (0.5, 2)
    assert run.consistency().method.endswith("; left out: 3 with an abstention on either side")
    found = stability.of(run, "switched")
    assert (found.value, found.method.endswith("; left out: 5 whose answer is not kept")) == (None, True)
    collection = six("en")
    switched = collection.variants("switched")
    found = consistency.of(Answers(collection, {switched[0].id: 0, switched[1].id: 0, switched[1].variant_of: 1}))
    assert (found.n, found.method.endswith("; left out: 1 without their original")) == (1, True)
    masked = run_of([[Made(variants=(("segment-masked", 1),))]])
    found = delta_accuracy.of(masked, "segment-masked")
    assert found.method == "no labelled items of kind 'segment-masked'; left out: 1 unlabelled"
    plain = run_of([[Made()]])
    assert str(consistency.of(plain)) == "undefined, n=0, no items of kind 'switched'"
    assert stability.of(plain).method == "no kind of variant is named"
    assert position_preference.of(plain).method == "no items of kind 'segment-masked'"
    none = "no labelled items with variants that keep the answer; left out: 1 without a variant"
    assert robust_accuracy.of(plain).method == none


@pytest.mark.parametrize("language", ["en", "fr", "pt", "zh"])
def test_the_key_is_consistent_and_a_name_is_not(language):
    collection = six(language)
    items = (*collection.items, *collection.variants("switched"))
    assert consistency.of(Answers(collection, {item.id: item.answer for item in items})).value == 1.0
    assert consistency.of(Answers(collection, {item.id: 0 for item in items})).value == 0.0


@settings(max_examples=50)
@given(made_schemas(kinds=("tense", "number")))
def test_a_stable_choice_is_the_same_index_whatever_the_label(schemas):
    run = run_of(schemas)
    for kind in ("tense", "number"):
        same = [
            made.choice == choice
            for items in schemas
            for made in items
            for of_kind, choice in made.variants
            if of_kind == kind and None not in (made.choice, choice)
        ]
        found = stability.of(run, kind)
        assert found.n == len(same)
        assert found.value == (pytest.approx(sum(same) / len(same)) if same else None)


@settings(max_examples=50)
@given(made_schemas(kinds=("tense",)))
def test_delta_accuracy_is_the_difference_of_two_accuracies_on_the_same_items(schemas):
    both = [
        (choice == made.answer, made.choice == made.answer, place)
        for place, items in enumerate(schemas)
        for made in items
        for _, choice in made.variants
        if made.answer is not None
    ]
    found = delta_accuracy.of(run_of(schemas), "tense")
    assert found.n == len(both)
    if both:
        after, before, clusters = zip(*both, strict=True)
        assert found.value == pytest.approx(sum(after) / len(both) - sum(before) / len(both))
        gains = [a - b for a, b in zip(after, before, strict=True)]
        expected = bootstrap_ratio(gains, [1] * len(both), clusters, bounds=(-1, 1))
        assert (found.low, found.high) == (expected.low, expected.high)


def test_delta_quality_is_the_change_on_items_answered_in_both():
    items = [
        Made(variants=(("tense", None),)),
        Made(choice=None, variants=(("tense", 0),)),
        Made(choice=1, variants=(("tense", 0),)),
        Made(variants=(("tense", 0),)),
        Made(answer=None, variants=(("tense", 0),)),
    ]
    run = run_of([items])
    assert (delta_accuracy.of(run, "tense").value, delta_accuracy.of(run, "tense").n) == (1 / 4, 4)
    found = delta_quality.of(run, "tense")
    assert (found.value, found.n) == (1 / 2, 2)
    assert "2 with an abstention on either side" in found.method


def test_switched_items_have_an_answer_of_their_own():
    assert delta_accuracy.of(run_of([[Made(variants=(("switched", 1),))]]), "switched").value == 0.0
    assert delta_accuracy.of(run_of([[Made(variants=(("switched", 0),))]]), "switched").value == -1.0


@settings(max_examples=50)
@given(made_schemas(kinds=("tense", "number", "after-only", "switched")))
def test_robust_items_are_right_in_every_wording(schemas):
    judged = [
        [made.choice == made.answer, *(choice == made.answer for kind, choice in made.variants if kind in KEPT)]
        for items in schemas
        for made in items
        if made.answer is not None and any(kind in KEPT for kind, _ in made.variants)
    ]
    found = robust_accuracy.of(run_of(schemas, kinds=("after-only", "number", "switched", "tense")))
    assert found.n == len(judged)
    assert found.value == (pytest.approx(sum(map(all, judged)) / len(judged)) if judged else None)


def test_controls_draws_and_what_is_derived_from_controls_are_no_wordings():
    kinds = ("after-only", "renamed", "renamed-1", "tense", "tense+segment-masked", "tense+number", "scrambled")
    run = run_of([[Made(variants=tuple((kind, 0) for kind in kinds))]], kinds=kinds)
    assert wordings(run) == ["tense", "tense+number"]
    run = run_of([[Made(variants=(("after-only", 0),))]], kinds=("after-only",))
    assert metric("robust-accuracy").lacks(run) == "wordings"


@settings(max_examples=50)
@given(made_schemas(kinds=("segment-masked",)))
def test_position_preference_is_the_share_of_first_mentions_among_the_answers(schemas):
    choices = [
        choice
        for items in schemas
        for made in items
        for _, choice in made.variants
        if made.candidates == 2 and choice is not None
    ]
    found = position_preference.of(run_of(schemas))
    assert found.n == len(choices)
    assert found.value == (pytest.approx(choices.count(0) / len(choices)) if choices else None)


def test_a_choice_without_an_order_of_mention_is_left_out():
    item = collection_of([[Made()]]).items[0]
    bare = replace(item, candidates=(item.candidates[0], replace(item.candidates[1], mentions=())))
    examples = ExampleSet("made", (example_of(item), replace(example_of(bare), id="s1.0")))
    found = over_schemas(first_mentions(Answers(examples, {"s0.0": 0, "s1.0": 0}), None))
    assert (found.value, found.n) == (1.0, 1)
    assert found.method.endswith("; left out: 1 without an order of mention")
