"""One rule for all tests: in CI, a skipped test is a failure unless what it lacks is on a named list."""

import gc
import os
import shutil
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from rich.progress import Progress

from winoglot import progress, registry

# Two workers share the machine: with a thread pool in each, torch's small tensors spend their time waiting.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ["WINOGLOT_PROGRESS"] = "off"  # or what a command prints would depend on how busy the machine is
ABSENCES = (Path(__file__).parent / "allowed_absences.txt").read_text(encoding="utf-8")
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
ALLOWED = [line for line in ABSENCES.splitlines() if line and not line.startswith("#")]

settings.register_profile(
    "winoglot", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
settings.load_profile("winoglot")


# As on the command line: looking for garbage after every 700 new objects takes a tenth of the time.
gc.set_threshold(100_000, 50, 50)


def pytest_collection_modifyitems(items):
    """Slow tests come first: while one worker waits for a browser or a server, the others have enough to do."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


def pytest_collection_finish():
    """What the libraries and the tests consist of stays: the garbage collector need not look at it every time."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="module", autouse=True)
def _freeze_what_stays():
    """The same for what a test module has loaded: experiments collect garbage after every model."""
    yield
    gc.collect()
    gc.freeze()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """Turn a skip that nobody allowed into a failure."""
    outcome = yield
    report = outcome.get_result()
    if report.skipped and os.environ.get("CI") and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        if not is_allowed(reason):
            report.outcome = "failed"
            report.longrepr = f"In CI this test may not be skipped: {reason!r} is not in tests/allowed_absences.txt."


@pytest.hookimpl(hookwrapper=True)
def pytest_make_collect_report(collector):
    """The same for a whole module that skips itself."""
    outcome = yield
    report = outcome.get_result()
    if report.skipped and os.environ.get("CI"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        if not is_allowed(reason):
            report.outcome = "failed"
            report.longrepr = f"In CI this module may not be skipped: {reason!r}."


def is_allowed(reason: str) -> bool:
    """Whether a reason for skipping names something on the list."""
    return reason.removeprefix("Skipped: ").removeprefix("absent: ") in ALLOWED and "absent: " in reason


@pytest.fixture(scope="session")
def public_data() -> Path:
    """Public collections to try things on, where the environment says they are."""
    folder = os.environ.get("WINOGLOT_DATA")
    if not folder or not Path(folder).is_dir():
        pytest.skip("absent: WINOGLOT_DATA")
    return Path(folder)


@pytest.fixture
def run_winoglot(monkeypatch, capsys):
    """Call the command line in this process: exit code, standard output, standard error."""
    from winoglot.cli.main import main

    monkeypatch.delenv("COLUMNS", raising=False)

    def call(*arguments):
        monkeypatch.setattr(sys, "argv", ["winoglot", *map(str, arguments)])
        try:
            main()
            code = 0
        except SystemExit as stop:
            code = stop.code or 0
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


@pytest.fixture
def printed(run_winoglot):
    """Call the command line for what it prints to standard output; it must succeed."""

    def call(*arguments):
        code, out, err = run_winoglot(*arguments)
        assert code == 0, err
        return out

    return call


@pytest.fixture
def refused(run_winoglot):
    """Call the command line with what it must refuse, printing nothing: the reason as one line, which names these."""

    def call(*arguments, says=""):
        code, out, err = run_winoglot(*arguments)
        reason = " ".join(err.split())
        assert (code, out) == (2, ""), reason
        assert reason
        assert "Traceback" not in reason
        for words in [says] if isinstance(says, str) else says:
            assert words in reason
        return reason

    return call


@pytest.fixture
def outside(tmp_path, monkeypatch):
    """Announce a module of this source as another package would: outside(kind, name, source)."""
    found = {}
    installed = registry._outside
    monkeypatch.setattr(registry, "_outside", lambda package: installed(package) | found.get(package, {}))
    monkeypatch.syspath_prepend(tmp_path)

    def announce(kind, name, source):
        module = f"outside_{len(list(tmp_path.glob('outside_*.py')))}_{tmp_path.name}".replace("-", "_")
        (tmp_path / f"{module}.py").write_text(source, "utf-8")
        package = registry.KINDS[kind].package
        found.setdefault(package, {})[name] = EntryPoint(name, module, package)
        return module

    return announce


@pytest.fixture
def quick_training(monkeypatch):
    """One thread, since small matrices gain nothing by more; and checkpoints need not survive a loss of power."""
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    monkeypatch.setattr(os, "fsync", lambda _: None)
    yield
    torch.set_num_threads(threads)


@pytest.fixture
def on_terminal(monkeypatch):
    """Call it to make standard error a wide terminal on which bars appear at once, and show every step."""
    update = Progress.update

    def change():
        monkeypatch.setattr(Progress, "update", lambda *step, **values: update(*step, **values | {"refresh": True}))
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
        monkeypatch.setattr(progress, "_FIRST", 0.0)
        monkeypatch.setenv("TERM", "xterm")
        monkeypatch.setenv("COLUMNS", "200")

    return change


@pytest.fixture(scope="session")
def browser():
    """Chromium, opened once per worker."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
        found = next(filter(None, map(shutil.which, BROWSERS)), own if Path(own).exists() else None)
        if found is None:
            pytest.skip("absent: chromium")
        opened = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield opened
        opened.close()
