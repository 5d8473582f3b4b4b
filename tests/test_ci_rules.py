"""The rule for skipped tests is itself under test: a skip nobody allowed turns the run red in CI."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEST = """
import pytest

def test_skips():
    pytest.skip({reason!r})
"""


@pytest.mark.parametrize(
    ("reason", "ci", "passes"),
    [
        ("absent: WINOGLOT_DATA", "true", True),
        ("absent: something else", "true", False),
        ("not today", "true", False),
        ("WINOGLOT_DATA", "true", False),
        ("not today", "", True),
    ],
)
def test_only_named_absences_may_skip_in_ci(tmp_path, reason, ci, passes):
    for name in ("conftest.py", "allowed_absences.txt"):
        (tmp_path / name).write_text((ROOT / "tests" / name).read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "test_it.py").write_text(TEST.format(reason=reason))
    environment = {**os.environ, "CI": ci}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", str(tmp_path)]
    assert (
        subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, check=False).returncode == 0
    ) is passes
