from metrics.made_runs import Made, pairs_of, run_of
from winoglot.metrics import success


def test_an_abstention_counts_one_half():
    assert success.estimate(run_of(pairs_of([(None, None), (1, 0)]))).value == 0.5
    assert success.estimate(run_of(pairs_of([(None, 1)]))).value == 0.75


def test_items_of_more_candidates_are_left_out_by_name():
    run = run_of([[Made(), Made(candidates=3)], *([Made(candidates=4)] for _ in range(3))])
    found = success.estimate(run)
    assert (found.value, found.n) == (1.0, 1)
    assert found.method.endswith("; left out: 4 not of two candidates (s0.1, s1.0, s2.0, …)")
