"""The rule for skipped tests is itself under test: a skip nobody allowed turns the run red in CI."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
REASONS = {
    "absent: WINOGLOT_DATA": "skipped",
    "absent: something else": "failed",
    "not today": "failed",
    "WINOGLOT_DATA": "failed",
}
TESTS = f"""
import pytest

@pytest.mark.parametrize("reason", {list(REASONS)!r})
def test_skips(reason):
    pytest.skip(reason)
"""
MODULE = 'import pytest\n\npytest.skip("not today", allow_module_level=True)\n'


def outcomes(folder, ci):
    """Run the tests in a process of their own: its exit code, and how each test ended."""
    environment = {**os.environ, "CI": ci}
    command = [sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider", "-p", "no:xdist", str(folder)]
    ended = subprocess.run(command, env=environment, cwd=folder, capture_output=True, check=False, encoding="utf-8")
    found = re.findall(r"::test_skips\[(.*?)\] (SKIPPED|FAILED|PASSED)", ended.stdout)
    return ended.returncode, {reason: outcome.lower() for reason, outcome in found}


@pytest.fixture
def folder(tmp_path):
    for name in ("conftest.py", "allowed_absences.txt"):
        (tmp_path / name).write_text((ROOT / "tests" / name).read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "test_it.py").write_text(TESTS)
    return tmp_path


def test_only_named_absences_may_skip_in_ci(folder):
    assert outcomes(folder, "true") == (1, REASONS)
    (folder / "test_it.py").write_text(MODULE)
    assert outcomes(folder, "true")[0] not in (0, 5)  # 5: no tests were found


def test_anything_may_skip_elsewhere(folder):
    (folder / "test_module.py").write_text(MODULE)
    assert outcomes(folder, "") == (0, dict.fromkeys(REASONS, "skipped"))
