import pytest
from hypothesis import given, settings

from metrics.made_runs import Made, made_schemas, run_of
from winoglot.metrics.base import metrics
from winoglot.statistics.intervals import Estimate

METRICS = {one.name: one.estimate for one in metrics()}
KINDS = ("switched", "tense", "segment-masked")


def test_the_metrics_are_those_that_are_documented():
    assert set(METRICS) >= {
        "accuracy",
        "calibration",
        "consistency",
        "delta-accuracy",
        "exactness",
        "pair-accuracy",
        "position-preference",
        "quality",
        "stability",
        "success",
    }


@settings(max_examples=20)
@given(made_schemas(kinds=KINDS))
def test_every_metric_is_an_estimate_within_its_bounds_for_any_run_and_kind(schemas):
    run = run_of(schemas)
    items = sum(map(len, schemas))
    for name, estimate in METRICS.items():
        for found in (estimate(run), *(estimate(run, kind) for kind in KINDS)):
            assert isinstance(found, Estimate)
            assert found.n <= items
            if found.value is not None:
                assert (-1 if name == "delta-accuracy" else 0) <= found.low <= found.value <= found.high <= 1
            assert found.method


@pytest.mark.parametrize("name", ["accuracy", "exactness", "pair-accuracy", "quality", "success"])
def test_a_solver_that_knows_everything_has_all_of_it(name):
    run = run_of([[Made(answer=0, choice=0), Made(answer=1, choice=1)] for _ in range(30)])
    found = METRICS[name](run)
    assert (found.value, found.high) == (1.0, 1.0)
    assert found.low < 1.0
