import pytest
from hypothesis import given, settings

from metrics.made_runs import Made, made_schemas, run_of
from winoglot.metrics import accuracy, exactness, quality, success


@settings(max_examples=50)
@given(made_schemas())
def test_quality_and_success_are_those_of_the_formulas(schemas):
    run = run_of(schemas)
    labelled = [made for items in schemas for made in items if made.answer is not None]
    answered = [made for made in labelled if made.choice is not None]
    found = quality.estimate(run)
    assert found.n == len(answered)
    if answered:
        assert found.value == pytest.approx(sum(m.choice == m.answer for m in answered) / len(answered))
    two = [made for made in labelled if made.candidates == 2]
    found = success.estimate(run)
    assert found.n == len(two)
    if two:
        h, abstained = sum(m.choice == m.answer for m in two), sum(m.choice is None for m in two)
        assert found.value == pytest.approx((h + abstained / 2) / len(two))


@pytest.mark.parametrize(
    ("n", "right", "abstained", "published"),
    [
        (214, 65, 88, [30.37, 51.59, 50.93]),
        (214, 33, 158, [15.42, 58.93, 52.34]),
        (180, 72, 49, [40.00, 54.96, 53.61]),
        (273, 106, 83, [38.83, 55.79, 54.03]),
        (273, 147, 0, [53.85, 53.85, 53.85]),
    ],
)
def test_published_figures_of_solvers_that_abstain(n, right, abstained, published):
    choices = [0] * right + [None] * abstained + [1] * (n - right - abstained)
    run = run_of([[Made(choice=choice)] for choice in choices])
    found = [round(100 * metric.estimate(run).value, 2) for metric in (exactness, quality, success)]
    assert found == published


def test_abstentions_are_counted_where_they_are_left_out():
    found = quality.estimate(run_of([[Made(), Made(choice=None)]]))
    assert (found.value, found.n) == (1.0, 1)
    assert found.method.endswith("; left out: 1 abstained")
    assert quality.estimate(run_of([[Made(choice=None)]])).value is None


def test_without_abstentions_all_three_are_the_same():
    run = run_of([[Made(), Made(choice=1)], [Made()]])
    assert accuracy.estimate(run) == quality.estimate(run) == success.estimate(run)
