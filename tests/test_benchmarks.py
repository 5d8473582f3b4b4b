import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
SCRIPTS = sorted(path for path in BENCHMARKS.glob("*.py") if "__main__" in path.read_text(encoding="utf-8"))


@pytest.mark.slow
@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_every_benchmark_says_what_it_does_without_doing_it(path):
    done = subprocess.run([sys.executable, path, "--help"], capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("usage: ")


@pytest.mark.parametrize(
    ("arguments", "code", "shown"), [(["--help"], 0, "--real"), (["klingon"], 2, "unknown list 'klingon'")]
)
def test_the_grammar_benchmark_says_how_it_is_called(arguments, code, shown):
    command = [sys.executable, BENCHMARKS / "grammar.py", *arguments]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == code
    assert shown in done.stdout + done.stderr
