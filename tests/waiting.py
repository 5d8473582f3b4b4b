"""Waiting for what another process does, but not for ever."""

import time

import pytest

MOST = 120  # seconds: far more than any of it takes


def wait_until(happened, what, process):
    """Return when `happened()` holds; fail if the process ends before, or if it takes too long."""
    end = time.monotonic() + MOST
    poll = process.poll if hasattr(process, "poll") else lambda: process.exitcode
    while not happened():
        if poll() is not None and not happened():
            pytest.fail(f"the process ended with {poll()}, expected {what} first")
        if time.monotonic() > end:
            process.kill()
            pytest.fail(f"expected {what} within {MOST} seconds")
        time.sleep(0.002)


def has_lines(log, lines):
    """Whether a log has at least this many lines."""
    return log.exists() and len(log.read_bytes().splitlines()) >= lines
