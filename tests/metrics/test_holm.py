import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from winoglot.metrics._holm import holm


@settings(max_examples=30)  # theirs takes its time
@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_adjusted_values_equal_those_of_statsmodels(p_values):
    assert holm(p_values) == pytest.approx(list(multipletests(p_values, method="holm")[1]))


def test_no_comparison_needs_no_correction():
    assert holm([]) == []


def test_what_is_no_probability_is_refused():
    with pytest.raises(ValueError, match="between 0 and 1"):
        holm([0.2, 1.2])
    with pytest.raises(ValueError, match="finite"):
        holm([0.2, float("nan")])
