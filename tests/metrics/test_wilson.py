import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from winoglot.metrics._wilson import wilson


@given(st.integers(1, 3000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.floats(0.5, 0.999))
def test_limits_equal_those_of_statsmodels(counts, level):
    found = wilson(*counts, level=level)
    assert (found.low, found.high) == pytest.approx(proportion_confint(*counts, 1 - level, "wilson"), abs=1e-10)
    assert 0 <= found.low <= found.value <= found.high <= 1


def test_the_name_says_what_is_assumed_and_the_level_where_it_is_unusual():
    assert wilson(3, 4).method == "Wilson, items taken as independent"
    assert wilson(3, 4, level=0.9).method == "90% Wilson, items taken as independent"


def test_no_trials_and_too_many_successes():
    assert wilson(0, 0).value is None
    with pytest.raises(ValueError, match="5 successes among 4"):
        wilson(5, 4)
