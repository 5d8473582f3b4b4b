"""What notebooks show: HTML that is whole and short, data frames, and a progress bar only where someone looks."""

import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser

import pytest

import winoglot as wg

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
    assert "<i>A ✓ &amp;B" in text_of(item)
    assert "no <items>" in text_of(shown["undefined estimate"])


def test_a_run_shows_its_metrics_by_kind_and_why_it_abstained_and_a_collection_its_first_schemas(runs):
    text = text_of(runs[2])
    assert "accuracyoriginal40.3% [37, 43]" in text
    assert "accuracyswitched" in text
    assert "62 abstentions: 62 tie" in text
    empty = replace(runs[0], predictions=(), settings=replace(runs[0].settings, kinds=()))
    assert "nothing was answered" in text_of(empty)
    text = text_of(PT)
    assert "160 schemas" in text
    assert "… and 155 more schemas" in text
    assert (PT[4].id in text, PT[5].id in text) == (True, False)


def test_a_run_gives_outcomes_by_id_and_one_by_one(runs):
    run = runs[0]
    assert len(run) == len(list(run)) == len(run.predictions) == len(run.to_frame())
    assert run["piano-sale.0"].example.id == "piano-sale.0"
    with pytest.raises(wg.InputError, match=r"no item 'piano-sale.9'. Did you mean 'piano-sale\.\d"):
        run["piano-sale.9"]
    with pytest.raises(wg.InputError, match="expected an item's id, found Collection"):
        run[PT]


def test_an_outcome_says_what_was_chosen_and_whether_that_is_right(runs):
    assert repr(runs[0]["piano-sale.0"]) == "<Outcome piano-sale.0: chose 0 (Daiane), wrong>"
    assert repr(runs[0]["piano-sale.1"]) == "<Outcome piano-sale.1: chose 0 (Daiane), right>"
    assert repr(runs[2]["piano-sale.1"]) == "<Outcome piano-sale.1: abstained (tie)>"
    assert repr(runs[2]["piano-sale.1"].example) == "<Example piano-sale.1: Daiane | Melina, answer 0>"


def test_the_frame_of_a_run_says_what_was_chosen_and_whether_it_was_right(runs):
    frame = runs[2].to_frame()
    originals = frame[frame.kind == "original"]
    assert originals.right.mean() == pytest.approx(runs[2].accuracy().value)
    assert originals.choice.isna().sum() == 62
    assert (str(frame.choice.dtype), str(frame.right.dtype)) == ("Int64", "boolean")
    both = originals.join(PT.to_frame()[["candidate_1"]])
    chosen = both[both.choice == 1]
    assert (chosen.chosen == chosen.candidate_1).all()


def test_the_frame_of_several_runs_or_comparisons_has_a_row_for_each(runs, shown):
    frame = runs.to_frame()
    assert list(frame.model) == ["first", "first", "longer", "longer"]
    assert list(frame.accuracy) == [run.accuracy().value for run in runs]
    assert (frame.accuracy_low <= frame.accuracy).all()
    assert frame.consistency.notna().all()
    differences = [one.difference.value for one in shown["comparisons"]]
    assert list(shown["comparisons"].to_frame().difference) == differences
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
