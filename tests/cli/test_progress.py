"""Progress in plain lines, when standard error is not a terminal."""

import io
import sys
from contextlib import redirect_stderr
from threading import Event

import pytest

from cases import listed
from winoglot.cli import progress
from winoglot.cli.console import progress_bar, working
from winoglot.cli.main import _called
from winoglot.cli.progress import PlainProgress, ProgressLine, current, told_in_lines


class Watched(io.StringIO):
    """A file that says when something was written to it."""

    def __init__(self):
        super().__init__()
        self.written = Event()

    def write(self, text):
        count = super().write(text)
        if "\n" in text:
            self.written.set()
        return count


@pytest.fixture
def log(monkeypatch):
    """A file for standard error, with the first line due at once."""
    file = Watched()
    monkeypatch.delenv(progress.SWITCH, raising=False)
    monkeypatch.setattr(progress, "_FIRST", 0.0)
    return file


def test_a_long_job_is_reported_in_a_line(log):
    with redirect_stderr(log), told_in_lines("winoglot check"):
        assert log.written.wait(60)
    assert log.getvalue().startswith("winoglot check: working, 0 s so far\n")


def test_counted_work_says_what_is_done_how_fast_and_how_long_it_will_take():
    task = ProgressLine("winoglot-pt causal:m", "items", str, 0.0)
    assert task.line(3.0) == "winoglot-pt causal:m: working, 3 s so far"
    task.advanced(100, 400)  # resumed there
    task.first = (100, 5.0)
    assert task.line(6.0) == "winoglot-pt causal:m: 100 of 400 items"
    task.advanced(150, 400, "loss 3.2")
    assert task.line(15.0) == "winoglot-pt causal:m: 150 of 400 items, 5 items/s, 50 s left, loss 3.2"
    task.advanced(101, 400)
    assert task.line(25.0).startswith("winoglot-pt causal:m: 101 of 400 items, 0.05 items/s, 1 h 39 min left")


def test_what_a_bar_would_show_on_a_terminal_is_what_the_lines_are_about(log, monkeypatch):
    monkeypatch.setattr(progress, "_FIRST", 3600.0)
    with redirect_stderr(log), told_in_lines("winoglot corpus build"):
        with progress_bar("items", bytes_in=["read"]) as begin:
            begin("read")(2_000_000, 8_000_000)
            assert current().line(0.0) == "read: 2.0 MB of 8.0 MB"
            begin("count")(7, 0)
            assert current().line(0.0) == "count: 7 items"
            begin("count")(7, 7)
            assert "winoglot corpus build: working" in current().line(0.0)
        with working("comparing 12 runs"):
            assert current().line(current().started + 90) == "comparing 12 runs: working, 1 min 30 s so far"
    assert current() is None
    assert log.getvalue() == ""


@listed
def test_the_command_is_named_with_its_group(monkeypatch, arguments, name):
    monkeypatch.setattr(sys, "argv", ["winoglot", *arguments])
    assert _called() == name


@pytest.mark.parametrize("why", ["off", "terminal", "closed"])
def test_there_are_no_lines_on_a_terminal_when_turned_off_or_without_standard_error(log, monkeypatch, why):
    if why == "off":
        monkeypatch.setenv(progress.SWITCH, "off")
    elif why == "terminal":
        log.isatty = lambda: True
    with redirect_stderr(None if why == "closed" else log), told_in_lines("winoglot check"):
        assert current() is None


def test_a_log_that_cannot_be_written_does_not_stop_the_work(log):
    log.close()
    job = PlainProgress("winoglot check", 0.0)
    ended = iter([False, True])
    job.ended.wait = lambda pause: next(ended)
    with redirect_stderr(log):
        job.report()
