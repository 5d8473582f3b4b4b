"""One page for people, with tables and figures beside it; nothing is fetched, nothing is overwritten unasked."""

import base64
import json
import re
import shlex
import zlib
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest

from cases import listed
from contrast import contrast
from metrics.made_runs import Made, pairs_of, run_of, varied_schema
from winoglot import InputError
from winoglot.report import items as items_module
from winoglot.report import report
from winoglot.runs.run import Prediction, Run
from winoglot.runs.store import save_run

GOOD, COIN, NONE = [(1, 1)] * 12, [(0, 1)] * 12, [(None, None)] * 12


def page_of(runs, folder, **keys):
    report(runs, folder / "report.html", **keys)
    return (folder / "report.html").read_text(encoding="utf-8")


def data_in(page):
    packed = page.partition('<script id="data" type="text/plain">')[2].partition("</script>")[0]
    return json.loads(zlib.decompress(base64.b64decode(packed)))


def words(html):
    """What is read, without markup and with single spaces."""
    return " ".join(unescape(re.sub(r"<(style|script).*?</\1>|<[^>]*>", " ", html, flags=re.DOTALL)).split())


def titles(page):
    return dict(re.findall(r'<section id="(\w+)".*?<h2[^>]*>(.*?)</h2>', page, flags=re.DOTALL))


def varied_runs():
    """A model with both readings, scores and variants, two rules that abstain, and guesses."""
    item = varied_schema()
    kinds = ("switched", "segment-masked")
    runs = [run_of([item] * 12, "model", readings=style, kinds=kinds) for style in ("naive", "grammatical")]
    silent = [replace(one, choice=None, scores=(), variants=()) for one in item]
    guessing = [replace(one, scores=(), variants=()) for one in item]
    return [
        *runs,
        run_of([guessing] * 2 + [silent] * 10, "longer", scoring="choice"),
        run_of([guessing] * 12, "chance", scoring="choice"),
    ]


@pytest.fixture(scope="module")
def runs():
    return varied_runs()


@pytest.fixture(scope="module")
def full_page(runs, tmp_path_factory):
    """The page of these runs, for tests that only read it."""
    people = [run_of([[Made(answer=at, choice=at) for at in (0, 1)]] * 12, "readers")]
    return page_of(runs, tmp_path_factory.mktemp("full"), human=people)


@pytest.fixture(scope="module")
def page_of_one(tmp_path_factory):
    return page_of([run_of(pairs_of(GOOD), "one")], tmp_path_factory.mktemp("one"))


def test_the_page_begins_with_verdict_evidence_and_leaderboard(page_of_one):
    assert "<h1>one beats chance in English</h1>" in page_of_one
    text = words(page_of_one.partition("<main>")[2])
    order = ["one beats chance", "100.0% right in English", "1 model, 1 language", "Accuracy % of items right"]
    places = [text.index(part) for part in order]
    assert places == sorted(places)


def test_sections_come_in_order_and_are_in_the_contents(full_page):
    order = [
        "differences", "chance", "robustness", "perturbations", "preference", "subsets", "readings", "margins",
        "items", "reproduce",
    ]  # fmt: skip
    assert list(titles(full_page)) == order
    contents = full_page.partition("<ol>")[2].partition("</ol>")[0]
    assert re.findall(r'href="#(\w+)"', contents) == ["top", *order]


def test_section_titles_state_findings(full_page):
    found = {name: words(title) for name, title in titles(full_page).items()}
    assert found["chance"] == "Accuracy is above chance in both tests"
    assert found["robustness"] == "model gets all items right in 100% of schemas"
    assert found["readings"] == "Grammatical readings make no clear difference: at most 0.0 points"
    assert found["perturbations"] == "This rewording does not clearly change accuracy for model (grammatical)"


def test_sections_without_data_are_left_out(page_of_one, tmp_path):
    assert list(titles(page_of_one)) == ["chance", "robustness", "subsets", "items", "reproduce"]
    unlabelled = page_of([run_of([[Made(answer=None), Made(answer=None)]])], tmp_path)
    assert list(titles(unlabelled)) == ["items", "reproduce"]
    assert "<h1>No labelled items, so nothing can be right or wrong</h1>" in unlabelled


def test_guessing_is_the_dashed_line_and_no_row(full_page):
    board = full_page.partition('id="accuracy-table"')[2].partition("</table>")[0]
    assert re.findall(r'<span class="nm">([^<]*)</span>', board) == ["people (readers)", "model", "longer"]
    assert "Guessing has no row: the dashed line shows it." in full_page
    assert "chance, 50%" in words(full_page)


def test_abstentions_are_written_beside_the_number_and_guesses_where_it_is_pointed_at(full_page, page_of_one):
    board = full_page.partition('id="accuracy-table"')[2].partition("</table>")[0]
    row = next(part for part in board.split("<tr") if ">longer<" in part)
    assert "20 abst." in row
    assert 'data-a="20; with guesses 58.3"' in row
    assert re.search(r'class="off" x="0%"', row)
    assert "<circle" not in row
    assert "abst." not in page_of_one.partition("<section")[0].partition("How to read")[0]


def test_readings_are_a_switch_of_figures_about_all_settings(full_page):
    figure = full_page.partition('id="robustness-figure"')[2].partition("</figure>")[0]
    assert re.findall(r'name="f-robustness" value="f(\d)"[^>]*>(\w+)<', figure) == [
        ("0", "grammatical"),
        ("1", "naive"),
    ]


def test_few_items_are_hollow_with_the_reason(tmp_path, page_of_one):
    page = page_of([run_of(pairs_of(GOOD[:3]))], tmp_path)
    board = page.partition('id="accuracy-table"')[2].partition("</table>")[0]
    assert '<td class="L few"' in board
    assert "fewer than 20 items: do not rank" in page
    assert "Fewer than 20 items in English" in page
    assert '<td class="L few"' not in page_of_one.partition('id="accuracy-table"')[2].partition("</table>")[0]


def test_differences_are_from_the_best_and_all_pairs_are_folded(tmp_path):
    silent = run_of(pairs_of([(1, 0)] * 2 + [(None, None)] * 28), "c")
    page = page_of([run_of(pairs_of([(1, 1)] * 30), "a"), run_of(pairs_of([(1, 0)] * 30), "b"), silent], tmp_path)
    figure = page.partition('id="from-best-table"')[2].partition("</table>")[0]
    assert re.findall(r'<span class="nm">([^<]*)<.*?data-v="([^"]*)"', figure, flags=re.DOTALL) == [
        ("b", "-50.0"),
        ("c", "-96.7"),
    ]
    matrix = page.partition('class="mx pairs"')[2].partition("</table>")[0]
    cells = re.findall(r'<td class="(\w+)" data-l="(\d)" data-v="([^"]*)"[^>]*data-m="([^"]*)">([^<]*)</td>', matrix)
    assert [(tone, column, value, text) for tone, column, value, _, text in cells] == [
        ("yes", "1", "-50.0", "−50"),
        ("yes", "1", "-96.7", "−97"),
        ("abs", "2", "-46.7", "−47"),
    ]
    assert cells[-1][3] == ", corrected p < 0.001".replace("<", "&lt;")
    assert "Both other models are clearly below a" in page
    assert page.index("<details", page.index('id="differences"')) < page.index('class="mx pairs"')


def test_pairs_that_may_not_be_compared_say_why(tmp_path):
    runs = [run_of(pairs_of(GOOD), name=name, prefix=name) for name in ("apples", "pears")]
    text = words(page_of(runs, tmp_path))
    assert "1 pair of runs not compared: apples and pears share no items" in text


class _Checked(HTMLParser):
    """Every tag that is opened is closed, in order."""

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.scripts = [], [], 0

    def handle_starttag(self, tag, attrs):
        if tag not in {"meta", "br", "input", "wbr", "line", "circle", "rect", "path", "link"}:
            self.open.append(tag)
        self.ids += [value for name, value in attrs if name == "id"]
        self.scripts += tag == "script"

    def handle_endtag(self, tag):
        while self.open and self.open[-1] != tag and self.open[-1] in {"li", "p", "option", "dt", "dd"}:
            self.open.pop()
        assert self.open.pop() == tag


def test_the_page_is_well_formed_and_no_id_occurs_twice(full_page, page_of_one):
    for page in (full_page, page_of_one):
        checked = _Checked()
        checked.feed(re.sub(r"(<\w+[^>]*)/>", r"\1>", page))
        assert checked.open == []
        assert len(set(checked.ids)) == len(checked.ids)


def test_nothing_is_fetched(full_page):
    assert "default-src 'none'" in full_page
    assert not re.search(r"""\s(?:src|href)=["'](?!#)""", full_page)
    assert not re.search(r"@import|url\((?!#)|https?://", full_page)


def test_the_same_runs_make_the_same_page(page_of_one, tmp_path):
    assert page_of(run_of(pairs_of(GOOD), "one"), tmp_path) == page_of_one
    assert page_of((run for run in [run_of(pairs_of(GOOD), "one")]), tmp_path, force=True) == page_of_one


def test_markup_in_texts_and_names_stays_text(tmp_path):
    run = run_of([[Made(choice=None), Made()]] * 12, "<img src=x onerror=alert(2)>")
    noted = replace(run.predictions[0], note="</script><script>alert(1)")
    run = replace(run, predictions=(noted, *run.predictions[1:]))
    made = page_of([run], tmp_path, title="<i>T</i>", tables="latex,markdown,csv", figures="svg")
    assert not re.search(r"<img|<i>T|<script>alert", made)
    assert made.count("<script") == 2
    assert "</script><script>alert(1)" in data_in(made)["notes"]
    assert "<img" not in (tmp_path / "report-figures" / "accuracy.svg").read_text("utf-8")


def test_a_title_stands_above_the_verdict(tmp_path):
    made = page_of([run_of(pairs_of(GOOD), "one")], tmp_path, title="My thesis")
    assert re.search(r'<p class="kick">My thesis</p>\s*<h1>one beats chance in English</h1>', made)
    assert "<title>My thesis – Winoglot report</title>" in made


def test_people_alone_are_what_the_page_is_about(tmp_path):
    made = page_of([], tmp_path, human=[run_of(pairs_of([(1, 0), (1, 1)] * 10))])
    assert "<h1>People answer 75.0% of the items as intended</h1>" in made
    assert list(titles(made)) == ["robustness", "items", "reproduce"]


@pytest.mark.parametrize(
    "schemas", [[[Made()]], pairs_of([(None, None)] * 3), [[Made(candidates=3), Made(candidates=3)]]]
)
def test_any_small_run_makes_a_page(schemas, tmp_path):
    made = page_of([run_of(schemas)], tmp_path)
    assert "Fewer than 20 items" in made
    assert len(data_in(made)["items"]) == sum(map(len, schemas))


def commands_in(page):
    shown = unescape(page.partition('aria-label="Commands">')[2].partition("</pre>")[0])
    return [shlex.split(line) for line in shown.replace("\\\n", " ").split("\n")]


def test_the_commands_can_be_pasted_as_they_are(tmp_path):
    keys = {"kinds": ("switched", "tense"), "limit": 12, "seed": 4}
    runs = [
        run_of(pairs_of(GOOD), f"causal:/models/a path with spaces/{'long-' * 9}{name}", readings=style, **keys)
        for name in "ab"
        for style in ("naive", "grammatical")
    ]
    runs = [replace(run, options={"prompt": "it's <b>"}) for run in runs]
    made = page_of(runs, tmp_path, title="It’s “mine” & yours")
    assert re.search(r"\\\n  --", made)
    evaluate, again = commands_in(made)
    assert [word for word in evaluate if "causal:" in word] == [runs[0].settings.model, runs[2].settings.model]
    told = dict(pairwise(evaluate))
    assert (told["--readings"], told["--kinds"]) == ("naive,grammatical", "switched,tense")
    assert (told["--limit"], told["--seed"], told["--option"]) == ("12", "4", "prompt=it's <b>")
    assert again == ["winoglot", "report", "runs", "-o", "report.html", "--title", "It’s “mine” & yours"]


def test_texts_are_left_out_if_there_are_too_many_and_the_page_says_so(tmp_path, monkeypatch):
    run = run_of([[Made(scores=(-1.0, -2.0)), Made(scores=(-2.0, -1.0))]] * 12, "one")
    whole = data_in(page_of([run], tmp_path))
    assert ("left" in whole, "t" in whole["items"][0], "v" in whole["runs"][0]) == (False, True, True)
    monkeypatch.setattr(items_module, "MOST_PREDICTIONS", 23)
    short = data_in(page_of([run], tmp_path, force=True))
    assert short["left"] == "Texts, readings and scores of the items are left out, as there are 24 predictions."
    assert [item["i"] for item in short["items"]] == [item["i"] for item in whole["items"]]
    assert not {"t", "n", "r", "q", "w"} & {key for item in short["items"] for key in item}
    assert "v" not in short["runs"][0]
    assert short["runs"][0]["o"] == whole["runs"][0]["o"]


def files_in(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_tables_and_figures_are_written_into_folders_beside_the_page(tmp_path, runs):
    report(runs, tmp_path / "mine.html", tables="latex,csv", figures=["svg"])
    found = files_in(tmp_path)
    assert {name.partition("/")[0] for name in found} == {"mine.html", "mine-tables", "mine-figures"}
    assert {"mine-tables/accuracy.tex", "mine-tables/estimates.csv", "mine-tables/comparisons.csv"} <= set(found)
    assert {Path(name).suffix for name in found} == {".html", ".tex", ".csv", ".svg"}
    assert "mine-figures/accuracy.svg" in found


@listed
def test_an_unknown_format_is_an_input_error_with_the_nearest(keys, said, remedy, tmp_path):
    with pytest.raises(InputError, match=re.escape(said)) as caught:
        report([run_of(pairs_of(GOOD))], tmp_path / "report.html", **keys)
    assert remedy in caught.value.remedy
    assert files_in(tmp_path) == []


def test_an_existing_file_is_kept_unless_forced(tmp_path):
    (tmp_path / "report.html").write_text("mine")
    with pytest.raises(InputError, match="exists already") as caught:
        report([run_of(pairs_of(GOOD))], tmp_path / "report.html")
    assert "force=True" in caught.value.remedy
    assert (tmp_path / "report.html").read_text() == "mine"
    report([run_of(pairs_of(GOOD))], tmp_path / "report.html", force=True)
    assert "<h1>" in (tmp_path / "report.html").read_text("utf-8")


def test_nothing_is_written_if_one_of_the_files_exists(tmp_path):
    (tmp_path / "report-tables").mkdir()
    (tmp_path / "report-tables" / "accuracy.md").write_text("mine")
    with pytest.raises(InputError, match=r"accuracy\.md.*exists already"):
        report([run_of(pairs_of(GOOD))], tmp_path / "report.html", figures="svg", tables="markdown")
    assert files_in(tmp_path) == ["report-tables/accuracy.md"]
    assert (tmp_path / "report-tables" / "accuracy.md").read_text() == "mine"


@pytest.mark.parametrize("given", ["runs", b"runs", Path("runs"), ["runs"], None, {"one": 1}, 3])
def test_what_is_no_run_is_an_input_error_that_says_what_to_pass(given, tmp_path):
    with pytest.raises(InputError, match="expected a run, found") as caught:
        report(given, tmp_path / "report.html")
    assert "winoglot.evaluate" in caught.value.remedy
    assert files_in(tmp_path) == []


def test_the_command_writes_the_page_and_prints_table_verdict_and_places(tmp_path, run_winoglot):
    save_run(run_of(pairs_of(GOOD), "one"), tmp_path / "runs" / "one")
    save_run(run_of(pairs_of(COIN), "readers"), tmp_path / "people")
    target = tmp_path / "report.html"
    asked = ("report", tmp_path / "runs", "-o", target, "--title", "Mine", "--human", tmp_path / "people")
    code, out, _ = run_winoglot(*asked, "--tables", "latex,csv", "--figures", "svg")
    assert code == 0
    assert "one beats chance in English." in out
    assert "people (readers)" in out
    assert out.splitlines()[-3:] == [
        f"Report: {target}",
        f"Tables: {tmp_path / 'report-tables'}",
        f"Figures: {tmp_path / 'report-figures'}",
    ]
    assert run_winoglot(*asked)[0] == 2
    assert run_winoglot(*asked, "--force")[1].splitlines()[-1] == f"Report: {target}"
    code, _, error = run_winoglot(*asked, "--force", "--figures", "jpg")
    assert (code, "no format 'jpg' for figures" in error) == (2, True)
    for option, value, what in (("--width", "wide", "width of a figure"), ("--font", "a;b", "name of a font")):
        code, _, error = run_winoglot(*asked, "--force", option, value)
        assert (code, f"{value!r} is not the {what}" in error) == (2, True)


def test_a_piped_table_has_one_line_per_run_however_long_the_names(tmp_path, run_winoglot, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    long = "causal:/models/" + "a-long-name/" * 14
    save_run(run_of(pairs_of([(1, None)] * 12), long), tmp_path / "runs" / "one")
    save_run(run_of(pairs_of(COIN), "first"), tmp_path / "runs" / "two")
    _, out, _ = run_winoglot("report", tmp_path / "runs", "-o", tmp_path / "report.html")
    lines = out.splitlines()[:3]
    assert [re.sub(r" \[[^]]*\]", "", line).split() for line in lines] == [
        ["solver", "collection", "accuracy", "n", "abstained", "with", "guesses"],
        [long, "English", "50.0", "24", "12", "75.0"],
        ["first", "English", "50.0", "24", "0"],
    ]
    assert "Guessing gives 50.0." in out


def test_the_table_keeps_to_the_width_of_the_terminal(tmp_path, run_winoglot, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    save_run(run_of(pairs_of(GOOD), "a-model-of-a-name"), tmp_path / "runs" / "one")
    _, out, _ = run_winoglot("report", tmp_path / "runs", "-o", tmp_path / "report.html")
    assert all(len(line) <= 40 for line in out.partition("Accuracy in")[0].splitlines())


def test_a_folder_without_runs_is_bad_input(tmp_path, run_winoglot):
    code, _, error = run_winoglot("report", tmp_path, "-o", tmp_path / "report.html")
    assert code == 2
    assert "there is no run in" in error


def test_fifty_thousand_predictions_keep_the_page_small_enough(tmp_path):
    """The page's own limit is on its items; here it is checked on what one prediction costs."""
    made = [
        [Made(choice=(at * 7 + number) % 3 % 2, scores=(-31.1 - at, -30.4)) for number in (0, 1)] for at in range(250)
    ]
    run = run_of(made, "model-0")
    runs = [run, *(Run(run.source, replace(run.settings, model=f"model-{n}"), _scored(run, n)) for n in range(1, 10))]
    size = len(page_of(runs, tmp_path))
    empty = len(page_of([run], tmp_path, force=True))
    assert (size - empty) / (9 * 500) * 50_000 < 2_500_000


def _scored(run, number):
    return tuple(
        Prediction(one.item_id, one.item_hash, one.choice, tuple(score - 1.37 * number for score in one.scores))
        for one in run.predictions
    )


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_colours_stand_out_from_the_page_and_from_each_other(scheme, page_of_one):
    style = page_of_one.partition("<style>")[2].partition("</style>")[0]
    block = [block for block in re.findall(r":root \{(.*?)\}", style, flags=re.DOTALL) if "--page" in block][scheme]
    named = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{3,6});", block))
    for text in ("ink", "soft", "model", "people", "wrong-ink"):
        assert contrast(named[text], named["page"]) >= 4.5, text
    for mark in ("base", "quiet", "zero", "ctl", "right", "wrong-edge", "skip", "focus"):
        assert contrast(named[mark], named["page"]) >= 3, mark
    assert contrast(named["right"], named["wrong"]) >= 2  # also in grey
    assert contrast(named["on"], named["right"]) >= 4.5
    assert contrast(named["on-wrong"], named["wrong"]) >= 4.5
