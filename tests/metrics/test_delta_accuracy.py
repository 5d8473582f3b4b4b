import pytest
from hypothesis import given, settings

from metrics.made_runs import Made, made_schemas, run_of
from winoglot.metrics import delta_accuracy
from winoglot.statistics.intervals import bootstrap_ratio


@settings(max_examples=50)
@given(made_schemas(kinds=("tense",)))
def test_it_is_the_difference_of_two_accuracies_on_the_same_items(schemas):
    both = [
        (choice == made.answer, made.choice == made.answer, place)
        for place, items in enumerate(schemas)
        for made in items
        for _, choice in made.variants
        if made.answer is not None
    ]
    found = delta_accuracy.estimate(run_of(schemas), "tense")
    assert found.n == len(both)
    if both:
        after, before, clusters = zip(*both, strict=True)
        assert found.value == pytest.approx(sum(after) / len(both) - sum(before) / len(both))
        gains = [a - b for a, b in zip(after, before, strict=True)]
        expected = bootstrap_ratio(gains, [1] * len(both), clusters, bounds=(-1, 1))
        assert (found.low, found.high) == (expected.low, expected.high)


def test_originals_without_a_variant_do_not_count():
    run = run_of(
        [[Made(choice=1)], [Made(choice=1)], [Made(variants=(("tense", 0),))], [Made(variants=(("tense", 1),))]]
    )
    assert (delta_accuracy.estimate(run, "tense").value, delta_accuracy.estimate(run, "tense").n) == (-0.5, 2)


def test_switched_items_have_an_answer_of_their_own():
    assert delta_accuracy.estimate(run_of([[Made(variants=(("switched", 1),))]]), "switched").value == 0.0
    assert delta_accuracy.estimate(run_of([[Made(variants=(("switched", 0),))]]), "switched").value == -1.0


def test_without_an_answer_there_is_nothing_to_lose():
    found = delta_accuracy.estimate(run_of([[Made(variants=(("segment-masked", 1),))]]), "segment-masked")
    assert found.value is None
    assert found.method == "no labelled items of kind 'segment-masked'; left out: 1 unlabelled"
