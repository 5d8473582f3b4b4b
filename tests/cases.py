"""Many small cases in one test, written beside it or in a file of their own."""

import functools
import inspect
from pathlib import Path

import pytest
import yaml

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def for_each(names, cases):
    """Call a test with every case, as `pytest.mark.parametrize` does, but as one test.

    A test costs pytest several milliseconds, which is more than most cases take. All cases are tried, and the ones that
    fail are named. A fixture is made once for all of them.
    """
    cases = list(cases)
    assert cases, "a test without cases cannot fail"
    parameters = [names] if isinstance(names, str) else list(names)

    def decorate(test):
        @functools.wraps(test)
        def with_every_case(**fixtures):
            failures = []
            for case in cases:
                values = dict(zip(parameters, [case] if isinstance(names, str) else case, strict=True))
                try:
                    test(**values, **fixtures)
                except Exception as error:  # whatever it is, the other cases are tried too
                    error.add_note("Case: " + ", ".join(f"{name}={value!r:.300}" for name, value in values.items()))
                    failures.append(error)
            if len(failures) == 1:
                raise failures[0]
            if failures:
                raise ExceptionGroup(f"{len(failures)} of {len(cases)} cases fail", failures)

        signature = inspect.signature(test).parameters
        rest = [signature[name] for name in signature if name not in parameters]
        with_every_case.__signature__ = inspect.Signature(rest)
        return with_every_case

    return decorate


def listed(test):
    """Call a test with every case that its file of cases has under its name.

    The cases of `languages/test_tokens.py` stand in `languages/cases/tokens.yaml`. A case is a mapping of the test's
    parameters, or the value of the first one. A test that needs fixtures gets fresh ones for every case.
    """
    cases = cases_file(Path(inspect.getfile(test)))[test.__name__]
    if isinstance(cases[0], dict):
        names = list(cases[0])
        cases = [tuple(case[name] for name in names) for case in cases]
    else:
        names = [next(iter(inspect.signature(test).parameters))]
        cases = [(case,) for case in cases]
    needs_fixtures = len(inspect.signature(test).parameters) > len(names)
    return pytest.mark.parametrize(names, cases)(test) if needs_fixtures else for_each(names, cases)(test)


def path_of_cases(module: Path) -> Path:
    """The file of cases of a test module."""
    return module.parent / "cases" / f"{module.stem.removeprefix('test_')}.yaml"


@functools.cache
def cases_file(module: Path):
    """The cases of all tests of a module, by the test's name."""
    return yaml.load(path_of_cases(module).read_text(encoding="utf-8"), Loader=_LOADER)
