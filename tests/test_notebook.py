"""What notebooks show: HTML that is whole and short, data frames, and a progress bar only where someone looks."""

import io
import subprocess
import sys
import time
import types
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

import winoglot as wg
from runs.scripted import Scripted, collection
from winoglot import notebook

PT = wg.load("winoglot-pt")
SHOWN = ["collection", "schema", "item", "variant", "reading", "readings", "run", "runs", "estimate"]
SHOWN += ["undefined estimate", "comparison", "comparisons"]


@pytest.fixture(scope="module")
def runs():
    return wg.evaluate([PT, wg.load("winoglot-fr")], ["first", "longer"], kinds=["switched"])


@pytest.fixture(scope="module")
def shown(runs):
    """One of everything that a notebook can show, by its name in SHOWN."""
    made = [PT, PT[0], PT.items[0], PT.variants()[0], wg.readings(PT[0])[0], wg.readings(PT)]
    made += [runs[0], runs, runs[0].accuracy(), wg.Estimate.undefined("no <items>")]
    made += [wg.compare(runs[0], runs[2]), wg.compare_all(runs)]
    return dict(zip(SHOWN, made, strict=True))


class Whole(HTMLParser):
    """Fails unless every element that is opened is closed, in order."""

    def __init__(self):
        super().__init__()
        self.open, self.text = [], ""

    def handle_starttag(self, tag, attrs):
        self.open += [tag] if tag != "br" else []

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def text_of(value):
    parser = Whole()
    parser.feed(value._repr_html_())
    parser.close()
    assert parser.open == []
    return parser.text


@pytest.mark.parametrize("name", SHOWN)
def test_what_is_shown_is_whole_html_and_stays_small(name, shown):
    assert text_of(shown[name])
    assert len(shown[name]._repr_html_()) < 25_000
    assert len(repr(shown[name])) < 3000
    assert "object at 0x" not in repr(shown[name])


def test_text_of_a_collection_is_never_markup(shown):
    candidates = (wg.Candidate("<i>"), wg.Candidate("&amp;"))
    item = wg.Item("a.0", "a", text="a <b>& dela", pronoun=wg.Span(7, 11), candidates=candidates, answer=0)
    assert "a <b>& dela" in text_of(item)
    assert "<i> ✓ &amp;" in text_of(item)
    assert "no <items>" in text_of(shown["undefined estimate"])


def test_a_collection_shows_its_first_schemas_and_how_many_there_are():
    text = text_of(PT)
    assert "160 schemas" in text
    assert "… and 155 more schemas" in text
    assert PT[4].id in text
    assert PT[5].id not in text


def test_a_run_shows_its_metrics_by_kind_and_why_it_abstained(runs):
    text = text_of(runs[2])
    assert "accuracyoriginal38.8% [35, 42]" in text
    assert "accuracyswitched" in text
    assert "72 abstentions: 72 tie" in text


def test_a_run_without_predictions_is_shown_too(runs):
    assert "nothing was answered" in text_of(
        replace(runs[0], predictions=(), settings=replace(runs[0].settings, kinds=()))
    )


def test_a_run_gives_outcomes_by_id_and_one_by_one(runs):
    run = runs[0]
    assert len(run) == len(list(run)) == len(run.predictions) == len(run.to_frame())
    assert run["piano-sale.0"].example.id == "piano-sale.0"
    with pytest.raises(wg.InputError, match=r"no item 'piano-sale.9'. Did you mean 'piano-sale\.\d"):
        run["piano-sale.9"]
    with pytest.raises(wg.InputError, match="expected an item's id, found Collection"):
        run[PT]


def test_an_outcome_says_what_was_chosen_and_whether_that_is_right(runs):
    assert repr(runs[0]["piano-sale.0"]) == "<Outcome piano-sale.0: chose 0 (Dora), wrong>"
    assert repr(runs[0]["piano-sale.1"]) == "<Outcome piano-sale.1: chose 0 (Dora), right>"
    assert repr(runs[2]["piano-sale.1"]) == "<Outcome piano-sale.1: abstained (tie)>"
    assert repr(runs[2]["piano-sale.1"].example) == "<Example piano-sale.1: Dora | Mara, answer 0>"


def test_the_frame_of_a_run_says_what_was_chosen_and_whether_it_was_right(runs):
    frame = runs[2].to_frame()
    originals = frame[frame.kind == "original"]
    assert originals.right.mean() == pytest.approx(runs[2].accuracy().value)
    assert originals.choice.isna().sum() == 72
    assert (str(frame.choice.dtype), str(frame.right.dtype)) == ("Int64", "boolean")
    both = originals.join(PT.to_frame()[["candidate_1"]])
    chosen = both[both.choice == 1]
    assert (chosen.chosen == chosen.candidate_1).all()


def test_the_frame_of_several_runs_has_a_row_for_each_with_its_metrics(runs):
    frame = runs.to_frame()
    assert list(frame.model) == ["first", "first", "longer", "longer"]
    assert list(frame.accuracy) == [run.accuracy().value for run in runs]
    assert (frame.accuracy_low <= frame.accuracy).all()
    assert frame.consistency.notna().all()


def test_the_frame_of_comparisons_has_a_row_for_each(shown):
    frame = shown["comparisons"].to_frame()
    assert len(frame) == len(shown["comparisons"])
    assert list(frame.difference) == [one.difference.value for one in shown["comparisons"]]
    assert len(shown["comparison"].to_frame()) == 1


@pytest.mark.parametrize("name", ["collection", "run", "runs", "comparison", "comparisons"])
def test_without_pandas_the_error_says_what_to_install(name, monkeypatch, shown):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(wg.InputError, match=r'needs pandas.*pip install "winoglot\[notebook\]"'):
        shown[name].to_frame()


def test_pandas_and_ipython_are_imported_only_when_they_are_needed():
    program = (
        "import sys, winoglot as wg; pt = wg.load('winoglot-pt')[:2]; run = wg.evaluate(pt, 'first');"
        "repr(run), run._repr_html_(), pt._repr_html_(); print([n for n in ('pandas', 'IPython') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("[]\n", "")


# Progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(notebook, "_PATIENCE", 0.0)
    monkeypatch.setattr(notebook, "_EVERY", 0.0)


@pytest.fixture
def cells(monkeypatch):
    """A kernel of a notebook, as far as the bar asks for one: what its cell shows, in order."""
    shown = []

    class Handle:
        def update(self, data, raw):
            shown.append(data)

    def display(data, raw, display_id):
        shown.append(data)
        return Handle()

    ipython, display_module = types.ModuleType("IPython"), types.ModuleType("IPython.display")
    ipython.get_ipython = lambda: types.SimpleNamespace(kernel=object())
    display_module.display = display
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", display_module)
    return shown


def work(shown=True):
    with notebook.progress("items", shown=shown) as begin:
        report = begin("tiny on many")
        for done in range(1, 4):
            time.sleep(0.02)  # the bar appears from a thread of its own
            report(done, 3)


def test_a_terminal_shows_one_line_that_is_removed_at_the_end(monkeypatch, impatient):
    monkeypatch.setattr(sys, "stderr", Terminal())
    work()
    written = sys.stderr.getvalue()
    assert "tiny on many: 3 of 3 items" in written
    assert written.endswith("\r\x1b[2K")
    assert "\n" not in written


def test_a_notebook_shows_one_output_that_ends_with_the_time(cells, impatient):
    work()
    assert cells[-2]["text/plain"] == "tiny on many: 3 of 3 items"
    assert '<progress value="3" max="3">' in cells[-2]["text/html"]
    assert cells[-1]["text/plain"] == "Done in 0 s."


def test_work_that_fails_is_not_said_to_be_done(cells, impatient):
    def interrupted():
        with notebook.progress("items") as begin:
            report = begin("tiny on many")
            time.sleep(0.05)
            report(1, 3)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert [one["text/plain"] for one in cells][-2:] == ["tiny on many: 1 of 3 items", "Stopped after 0 s."]


def test_a_terminal_that_is_gone_does_not_end_the_work(monkeypatch, impatient):
    class Gone(Terminal):
        def write(self, text):
            raise OSError("gone")

    monkeypatch.setattr(sys, "stderr", Gone())
    work()


def test_work_that_is_soon_done_shows_nothing(cells):
    work()
    assert cells == []


def test_nothing_is_shown_where_nobody_looks_or_if_it_is_turned_off(monkeypatch, impatient, cells, capsys):
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
    assert any("scripted on many: " in one["text/plain"] and "of 400 items" in one["text/plain"] for one in cells)
    assert cells[-1]["text/plain"].startswith("Done in")


def test_a_script_whose_output_is_piped_writes_nothing_of_its_own(tmp_path):
    program = (
        "import winoglot as wg; from winoglot import notebook; notebook._PATIENCE = 0.0;"
        "wg.evaluate(wg.load('winoglot-pt'), ['first', 'longer'], limit=20)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=Path(tmp_path)
    )
    assert (done.stdout, done.stderr) == ("", "")
