"""How much work something takes: counted, which is the same on every machine, and bounded, so that it ends."""

import signal
import sys
from contextlib import contextmanager

import pytest


def calls(function, *arguments):
    """How many calls it makes, of functions in Python and in C."""
    count = 0

    def on_event(_frame, event, _argument):
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(on_event)
    try:
        function(*arguments)
    finally:
        sys.setprofile(before)
    return count


def assert_linear(function, made, size=500):
    """Four times the input may take four times the calls, and some more; a quadratic step would take sixteen times."""
    function(made(size))  # what is read once, or kept, does not count
    small, large = calls(function, made(size)), calls(function, made(4 * size))
    assert large < 5 * small + 1000, f"{small} calls for {size}, {large} for {4 * size}"


@contextmanager
def bounded(seconds=30):
    """Fail if the block takes more processor time: what calls do not show, such as a search that begins again."""

    def stop(*_):
        pytest.fail(f"it took more than {seconds} seconds of processor time, expected one or two")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
