"""Bars on a terminal and in a notebook; plain lines when standard error is neither."""

import io
import sys
import time
import types
from contextlib import redirect_stderr
from threading import Event

import pytest

import winoglot as wg
from cases import listed
from runs.scripted import Scripted, collection
from winoglot import progress
from winoglot.cli.console import working
from winoglot.cli.main import _called
from winoglot.progress import PlainProgress, ProgressLine, current, show_progress, told_in_lines


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
        with show_progress("items", bytes_in=["read"]) as begin:
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


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(progress, "_FIRST", 0.0)
    monkeypatch.setattr(progress, "_EVERY", 0.0)


@pytest.fixture
def cells(monkeypatch):
    """A kernel of a notebook, as far as the bar asks for one: what its cell shows, in order."""
    shown = []

    class Handle:
        def update(self, content):
            shown.append(content._repr_mimebundle_((), ())["text/plain"])

    def display(content, display_id):
        handle = Handle()
        handle.update(content)
        return handle

    ipython, display_module = types.ModuleType("IPython"), types.ModuleType("IPython.display")
    ipython.get_ipython = lambda: types.SimpleNamespace(kernel=object())
    display_module.display = display
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", display_module)
    return shown


def work(shown=True):
    with show_progress("items", shown=shown) as begin:
        report = begin("tiny on many")
        for done in range(1, 4):
            time.sleep(0.02)  # the bar appears from a thread of its own
            report(done, 3)


def test_a_terminal_shows_a_bar_that_is_removed_at_the_end(monkeypatch, impatient):
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setenv("TERM", "xterm")
    work()
    written = sys.stderr.getvalue()
    assert "tiny on many" in written
    assert written.rpartition("━")[2].count("\x1b[2K") >= 1


def test_a_notebook_shows_one_output_that_ends_with_the_time(cells, impatient):
    work()
    assert "tiny on many" in cells[-3]
    assert "2 of 3" in cells[-3]
    assert "Done in 0 s." in cells[-1]


def test_work_that_fails_is_not_said_to_be_done(cells, impatient):
    def interrupted():
        with show_progress("items") as begin:
            report = begin("tiny on many")
            time.sleep(0.05)
            report(1, 3, "loss 2.1")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert "1 of 3" in cells[-2]
    assert "loss 2.1" in cells[-2]
    assert "Stopped after 0 s." in cells[-1]


def test_a_terminal_that_is_gone_does_not_end_the_work(monkeypatch, impatient):
    class Gone(Terminal):
        def write(self, text):
            raise OSError("gone")

    monkeypatch.setattr(sys, "stderr", Gone())
    work()


def test_nothing_is_shown_where_nobody_looks_or_if_it_is_turned_off_or_soon_done(monkeypatch, cells, capsys):
    work()  # soon done
    monkeypatch.setattr(progress, "_FIRST", 0.0)
    monkeypatch.setattr(progress, "_EVERY", 0.0)
    work(shown=False)
    assert cells == []
    monkeypatch.delitem(sys.modules, "IPython")
    work()
    assert capsys.readouterr() == ("", "")


def test_evaluate_shows_its_progress_unless_told_not_to(impatient, cells, tmp_path, monkeypatch):
    monkeypatch.setenv("WINOGLOT_CACHE", str(tmp_path))

    class Slow(Scripted):
        def score(self, questions, scorings):
            time.sleep(0.02)
            return super().score(questions, scorings)

    wg.evaluate(collection(200), Slow(), progress=False)
    assert cells == []
    slow = Slow()
    slow.fingerprint = "another"
    wg.evaluate(collection(200), slow)
    assert any("scripted on many" in cell and "of 400" in cell for cell in cells)
    assert "Done in" in cells[-1]
