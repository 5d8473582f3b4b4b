import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import mcnemar

from winoglot.metrics._mcnemar import exact_mcnemar


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=200))
def test_p_values_equal_those_of_statsmodels(answers):
    table = np.zeros((2, 2))
    for a, b in answers:
        table[int(a), int(b)] += 1
    found = exact_mcnemar(*zip(*answers, strict=True))
    assert found.value == pytest.approx(min(1.0, mcnemar(table, exact=True).pvalue))
    assert found.n == table[0, 1] + table[1, 0]


def test_solvers_that_never_differ_are_not_told_apart():
    assert exact_mcnemar([1, 0, 1], [1, 0, 1]).value == 1.0


def test_abstentions_and_unpaired_answers_are_refused():
    with pytest.raises(ValueError, match="right \\(1\\) and wrong \\(0\\)"):
        exact_mcnemar([1, 0.5], [1, 0])
    with pytest.raises(ValueError, match="cannot be paired"):
        exact_mcnemar([1, 0, 1], [1, 0])
