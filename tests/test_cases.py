"""Cases in one test are all tried, and those that fail are named."""

import re
from pathlib import Path

import pytest
import yaml

from cases import for_each


def test_every_case_is_tried_and_one_that_fails_is_named():
    tried = []

    @for_each(("low", "high"), [(1, 2), (4, 3), (5, 6)])
    def is_ordered(low, high):
        tried.append((low, high))
        assert low < high

    with pytest.raises(AssertionError) as failure:
        is_ordered()
    assert tried == [(1, 2), (4, 3), (5, 6)]
    assert failure.value.__notes__ == ["Case: low=4, high=3"]


def test_several_failures_are_all_named():
    @for_each("number", range(4))
    def is_even(number):
        assert number % 2 == 0

    with pytest.raises(ExceptionGroup, match="2 of 4 cases fail") as failure:
        is_even()
    assert [error.__notes__ for error in failure.value.exceptions] == [["Case: number=1"], ["Case: number=3"]]


@for_each("first", [1, 2])
@for_each("second", [3, 4])
@pytest.mark.parametrize("third", [5])
def test_cases_of_cases_leave_fixtures_and_parameters_to_pytest(first, second, third, tmp_path):
    assert first < second < third
    assert tmp_path.is_dir()


def test_no_cases_are_an_error():
    with pytest.raises(AssertionError, match="without cases"):
        for_each("case", [])


FILES = sorted(Path(__file__).parent.rglob("cases/*.yaml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parts[-3]}/{path.stem}")
def test_every_list_of_cases_is_read(path):
    """A list whose test was renamed or removed would be read by nobody."""
    modules = [path.parents[1] / f"{prefix}{path.stem}.py" for prefix in ("test_", "")]
    source = "".join(module.read_text(encoding="utf-8") for module in modules if module.exists())
    read = re.findall(r"^@listed\n(?:@.*\n)*def (\w+)", source, re.MULTILINE)
    read += re.findall(r'cases_file\(Path\(__file__\)\)\["(\w+)"\]', source)
    assert sorted(yaml.safe_load(path.read_text(encoding="utf-8"))) == sorted(read)
