"""Many small cases in one test."""

import functools
import inspect


def for_each(names, cases):
    """Call a test with every case, as `pytest.mark.parametrize` does, but as one test.

    A test costs pytest several milliseconds, which is more than most cases take. All cases are tried, and the ones that
    fail are named. A fixture is made once for all of them.
    """
    cases = list(cases)
    assert cases, "a test without cases cannot fail"

    def decorate(test):
        @functools.wraps(test)
        def with_every_case(**fixtures):
            failures = []
            for case in cases:
                given = {names: case} if isinstance(names, str) else dict(zip(names, case, strict=True))
                try:
                    test(**given, **fixtures)
                except Exception as error:  # whatever it is, the other cases are tried too
                    error.add_note("Case: " + ", ".join(f"{name}={value!r:.300}" for name, value in given.items()))
                    failures.append(error)
            if len(failures) == 1:
                raise failures[0]
            if failures:
                raise ExceptionGroup(f"{len(failures)} of {len(cases)} cases fail", failures)

        own = [names] if isinstance(names, str) else names
        parameters = inspect.signature(test).parameters
        with_every_case.__signature__ = inspect.Signature([parameters[name] for name in parameters if name not in own])
        return with_every_case

    return decorate
