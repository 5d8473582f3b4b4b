"""The pages of results are what the rows say now, short, and readable on any screen."""

import functools
import http.server
import re
import shutil
import subprocess
import sys
import threading
from itertools import product
from pathlib import Path

import pytest
import yaml

from winoglot.statistics.intervals import Estimate

ROOT = Path(__file__).parents[1]
PAGES = ROOT / "docs" / "results"
MOST_WORDS, MOST_ON_A_PAGE = 6_000, 300
NOT_WORDS = re.compile(
    r"<(figure|table|details|style)\b.*?</\1>|<[^>]+>|^---$.*?^---$|```.*?```", re.DOTALL | re.MULTILINE
)


@pytest.fixture(scope="module")
def made():
    """The script, imported."""
    sys.path.insert(0, str(ROOT / "scripts"))
    try:
        import results_pages
    finally:
        sys.path.pop(0)
    return results_pages


@pytest.fixture
def plan():
    return yaml.safe_load((ROOT / "results" / "plan.yaml").read_text(encoding="utf-8"))


def row(made, finding, value, low, high, p, *, unit, label="", **columns):
    about = {"finding": finding, "role": "primary", "label": label, "unit": unit, "low": str(low), "metric": "accuracy"}
    empty = dict.fromkeys(("model", "collection", "language", "scoring", "kind", "subset"), "")
    return made.Finding(empty | about | columns, Estimate(value, low, high, 320, "BCa over 160 schemas"), p, p)


def word_count(text):
    return len(NOT_WORDS.sub(" ", text).split())


@pytest.mark.slow
def test_making_the_pages_again_changes_nothing(made):
    files = made.files()
    assert {path.name for path in PAGES.iterdir()} == {path.name for path in files}
    for path, text in files.items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name}: run python scripts/results_pages.py"


def test_pages_of_questions_are_what_the_rows_say_now(made, plan):
    pages, cards = made.question_pages(plan, made.read_rows(made.RESULTS / "findings.csv"))
    assert len(cards) == len(pages) == len(plan["findings"])
    pages |= {f"{name}.md": made.earlier_page(name) for name in made.words()["earlier"]}
    pages["published.md"] = made.published_page()
    for name, text in pages.items():
        assert (PAGES / name).read_text(encoding="utf-8") == text, f"{name}: run python scripts/results_pages.py"


def test_pages_are_short(plan):
    counts = {path.name: word_count(path.read_text(encoding="utf-8")) for path in PAGES.glob("*.md")}
    assert sum(counts.values()) <= MOST_WORDS, counts
    assert {name for name in counts if name.removesuffix(".md") in {one["id"] for one in plan["findings"]}} <= {
        name for name, count in counts.items() if count <= MOST_ON_A_PAGE
    }


def test_no_digit_of_a_result_is_typed(made, plan):
    for declared in plan["findings"]:
        text = made.words()["findings"][declared["id"]]
        assert not re.search(r"\d", text["cannot"] + re.sub(r"WSC273", "", text["about"])), declared["id"]


@pytest.mark.parametrize("unit", ["%", "points"])
def test_every_sentence_depends_on_the_test_and_the_direction(made, plan, unit):
    level = 0.5 if unit == "%" else 0.0
    shares = {"capable", "preference", "depth"}
    for declared in plan["findings"]:
        name = declared["id"]
        if (name in shares) != (unit == "%"):
            continue
        said = {
            (sign, p): made.said(
                name, row(made, name, level + sign * 0.12, *sorted((level, level + sign * 0.2)), p, unit=unit)
            )
            for sign, p in product((1, -1), (0.01, 0.2))
        }
        clear = said[1, 0.01], said[-1, 0.01]
        assert len({re.sub(r"[\d.+−%–]+", "", sentence) for sentence in clear}) == 2, name
        without_numbers = {re.sub(r"[\d.+−%–]+", "", said[sign, 0.2]) for sign in (1, -1)}
        assert len(without_numbers) == 1, f"{name}: a difference that is not significant has a direction"
        for sentence in said.values():
            assert sentence.endswith(".")
            assert "95% interval" in sentence


def test_a_page_shows_its_primary_row_first_and_others_as_exploratory(made, plan):
    primary = row(made, "capable", 0.62, 0.6, 0.64, 0.001, unit="%", label="mean over nine languages", metric="success")
    about = {
        "role": "exploratory",
        "metric": "success",
        "model": "Qwen2.5",
        "collection": "winoglot-zh",
        "language": "zh",
    }
    other = row(made, "capable", 0.583, 0.55, 0.61, 0.2, unit="%", **about)
    pages, cards = made.question_pages(plan, [other, primary])
    page = pages["capable.md"]
    places = [page.index(text) for text in ("The model is right in 62.0%", ">62.0<", "exploratory", "Chinese", "58.3")]
    assert places == sorted(places)
    assert "more than guessing" in page
    assert "Not measured yet" in pages["grammar.md"]
    assert cards[0]["sentence"] in page


def test_a_finding_without_a_primary_row_says_why_and_shows_what_was_looked_at(made, plan):
    about = {"role": "exploratory", "metric": "success", "collection": "winoglot-en", "label": "untuned"}
    other = row(made, "form", 0.644, 0.594, 0.691, None, unit="%", **about)
    pages, cards = made.question_pages(plan, [other])
    page = pages["form.md"]
    places = [page.index(text) for text in ("Not measured yet. Neither", ">64.4<", "All numbers")]
    assert places == sorted(places)
    assert not any(card["row"] for card in cards)


def test_the_interval_of_a_size_has_no_direction(made):
    less = row(made, "languages", -0.28, -0.32, -0.23, 0.001, unit="points")
    assert "by 28 points (95% interval 23.0–32.0)" in made.said("languages", less)


def test_two_primary_rows_of_a_finding_are_refused(made, plan):
    one = row(made, "capable", 0.62, 0.6, 0.64, 0.001, unit="%")
    with pytest.raises(ValueError, match="capable has 2 primary rows"):
        made.question_pages(plan, [one, one])


def test_rows_of_several_units_do_not_share_an_axis(made):
    rows = [("", "a", row(made, "grammar", 0.1, 0, 0.2, 0.1, unit=unit)) for unit in ("%", "points")]
    with pytest.raises(ValueError, match="rows of one unit"):
        made.drawn(rows, "grammar")


def test_labels_say_languages_and_models_in_words(made):
    tuned = row(made, "memory", 0.1, 0.0, 0.2, 0.1, unit="nats", model="seen 16 277 s1", language="en+pt-BR")
    assert made.label_of(tuned, ["model"]) == "the collection 16×, seed 1"
    assert made.label_of(tuned, ["language"]) == "English and Portuguese"
    assert made.matches(tuned, {"language": ["en+pt"], "model": "seen*"})
    assert not made.matches(tuned, {"model": "unseen*"})


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The address of the documentation, built; without the pages of the API, which take longest."""
    pytest.importorskip("mkdocs")
    folder = tmp_path_factory.mktemp("site")
    docs = folder / "docs"
    docs.mkdir()
    shutil.copytree(PAGES, docs / "results")
    config = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    config |= {"plugins": [], "hooks": [], "strict": False, "nav": None, "docs_dir": str(docs)}
    (folder / "mkdocs.yml").write_text(yaml.safe_dump(config), encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "mkdocs",
        "build",
        "--quiet",
        "-f",
        str(folder / "mkdocs.yml"),
        "-d",
        str(folder / "built"),
    ]
    subprocess.run(command, check=True, env={"NO_MKDOCS_2_WARNING": "1", "PATH": "", "PYTHONPATH": ""})

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    handler = functools.partial(Quiet, directory=str(folder / "built"))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/results/"
    server.shutdown()
    server.server_close()


@pytest.mark.slow
@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1366, "light")])
def test_pages_are_accessible_and_fit_the_screen(browser, site, width, scheme):
    from axe_playwright_python.sync_playwright import Axe

    page = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme).new_page()
    for path in sorted(PAGES.glob("*.md")):
        page.goto(site + ("" if path.stem == "index" else f"{path.stem}/"))
        page.evaluate("document.querySelectorAll('.results details, details.results').forEach(d => { d.open = true; })")
        assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0, (
            path.name
        )
        found = Axe().run(page, context={"include": [["article.md-content__inner"]]})
        assert found.violations_count == 0, f"{path.name}: {found.generate_report()}"


@pytest.mark.slow
def test_the_leaderboard_sorts_shows_a_language_and_compares_two(browser, site):
    page = browser.new_page()
    page.goto(site + "leaderboard/")
    page.select_option("#shown", label="Chinese")
    shown = page.locator(".lb tbody td.on .n").all_inner_texts()
    assert len(shown) > 2
    assert [float(text) for text in shown] == sorted((float(text) for text in shown), reverse=True)
    page.uncheck("#baselines")
    assert page.locator(".lb tbody tr.b:visible").count() == 0
    page.check("#baselines")
    page.focus(".lb thead th:first-child button")
    page.keyboard.press("Enter")
    names = page.locator(".lb tbody th").all_inner_texts()
    assert names == sorted(names, key=str.lower)
    page.select_option("#one", index=1)
    page.select_option("#two", index=0)
    title = page.locator("#compared .cap").inner_text()
    first, second = (page.locator(f"#one option >> nth={place}").inner_text() for place in (1, 0))
    assert title == f"{first} minus {second}, in points"
    drawn = page.locator("#compared tr >> nth=0").inner_text()
    table = page.locator('#pairs [data-pair="0 1"] td').nth(2)
    assert f"{-100 * float(table.get_attribute('data-v')):+.1f}".replace("-", "−") in drawn
    page.select_option("#two", index=1)
    assert page.locator("#compared").inner_text() == "Choose two different models."


@pytest.mark.slow
def test_without_a_script_everything_is_in_plain_tables(browser, site):
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(site + "leaderboard/")
    assert page.locator(".tools:visible").count() == 0
    assert (
        page.locator(".lb tbody tr >> nth=0").locator("td:visible").count()
        == len(page.locator(".lb thead th").all()) - 1
    )
    assert page.locator("#pairs tbody tr").count() > 2
