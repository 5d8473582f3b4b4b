import json
import subprocess
import sys
from dataclasses import FrozenInstanceError, asdict

import pytest

from winoglot import registry
from winoglot.metrics._p_value import PValue
from winoglot.metrics.base import Estimate


def test_an_estimate_reads_as_one_line():
    estimate = Estimate(0.5627, 0.5012, 0.6218, 263, "BCa over 131 schemas")
    assert str(estimate) == "0.563 [0.501, 0.622], n=263, BCa over 131 schemas"
    assert str(Estimate(-1e-9, -0.25, 0.25, 4, "Wilson")).startswith("0.000 [-0.250")
    assert f"{estimate:.1%}" == "56.3% [50.1%, 62.2%], n=263, BCa over 131 schemas"


def test_what_is_undefined_says_why_instead_of_a_number():
    assert str(Estimate.undefined("no switchable items")) == "undefined, n=0, no switchable items"
    assert asdict(Estimate.undefined("no items")) == {
        "value": None,
        "low": None,
        "high": None,
        "n": 0,
        "method": "no items",
    }


def test_an_estimate_goes_through_json_unchanged():
    estimate = Estimate(0.5, 0.25, 0.75, 4, "Wilson")
    assert Estimate(**json.loads(json.dumps(asdict(estimate)))) == estimate


@pytest.mark.parametrize(
    "parts",
    [
        (0.5, None, 0.7, 3),
        (None, 0.1, 0.2, 3),
        (0.5, 0.7, 0.3, 3),
        (float("nan"), 0.0, 1.0, 3),
        (0.5, float("-inf"), 1.0, 3),
        (0.5, 0.4, 0.6, -1),
    ],
)
def test_impossible_estimates_are_refused(parts):
    with pytest.raises(ValueError, match=r"estimate|limit"):
        Estimate(*parts, "some method")


def test_estimates_do_not_change():
    with pytest.raises(FrozenInstanceError):
        Estimate(0.5, 0.4, 0.6, 9, "some method").value = 1.0


def test_a_p_value_shows_its_monte_carlo_error_only_when_it_has_one():
    assert str(PValue(0.0312, 0.0017, 48, "10,000 random flips of 131 schemas")).startswith("p=0.031±0.0017, n=48")
    assert str(PValue(0.0312, 0.0, 48, "exact flips of 131 schemas")).startswith("p=0.031, n=48")
    assert str(PValue(2.5e-7, 0.0, 48, "exact flips of 131 schemas")).startswith("p=2.5e-07, n=48")
    with pytest.raises(ValueError, match="between 0 and 1"):
        PValue(1.5, 0.0, 1, "some method")


MODULES = ("base", "_bootstrap", "_calibration", "_holm", "_mcnemar", "_permutation", "_power", "_wilson")


def test_the_statistics_are_no_metrics_and_import_scipy_only_when_they_compute():
    assert not set(MODULES) & set(registry.names("metrics"))
    imports = "; ".join(f"import winoglot.metrics.{module}" for module in MODULES)
    code = f"import sys; {imports}; sys.exit('scipy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
