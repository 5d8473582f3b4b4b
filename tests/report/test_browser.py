"""The report in a real browser: phone, laptop, paper; light and dark; by keyboard; for people who cannot see it."""

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

import winoglot as wg
from metrics.made_runs import Made, pairs_of, run_of
from six_schemas import six
from winoglot.report import report
from winoglot.runs.run import Prediction, Run, Settings

SIZES = {"phone": (360, 740), "laptop": (1280, 800)}
PLACES = """(node) => {
  const last = document.createRange();
  last.setStart(node.lastChild, node.lastChild.length - 1);
  last.setEnd(node.lastChild, node.lastChild.length);
  return [node, last].map((one) => one.getBoundingClientRect().toJSON());
}"""
pytestmark = pytest.mark.slow
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
        found = next(filter(None, map(shutil.which, BROWSERS)), own if Path(own).exists() else None)
        if found is None:
            pytest.skip("absent: chromium")
        opened = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def runs():
    """Real collections, two of them in scripts of their own, a model made up that is sometimes right, and rules."""
    made = []
    for language in ("en", "zh"):
        collection = six(language)
        made += [wg.evaluate(collection, model, kinds=["switched"]) for model in ("first", "chance")]
        for style in ("naive", "grammatical"):
            made.append(scored(made[-2] if style == "naive" else made[-3], style))
    return made


def scored(run, style):
    settings = Settings("a-model", "partial", style, "0" * 16, kinds=run.settings.kinds)
    predictions = []
    for number, prediction in enumerate(run.predictions):
        choice = (number // 3 + (style == "naive")) % 2
        scores = (-2.0, -2.5 - number / 9)
        scores = scores if choice == 0 else scores[::-1]
        predictions.append(
            replace(prediction, choice=choice, scores=scores, window="punctuation" if number == 1 else "")
        )
    return Run(run.collection, settings, tuple(predictions))


@pytest.fixture(scope="module")
def page_file(runs, tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "report.html"
    report(runs, path)
    return path


@pytest.fixture
def open_page(browser, page_file):
    contexts = []

    def opened(size="laptop", scheme="light", file=page_file, fragment=""):
        width, height = SIZES[size]
        context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
        contexts.append(context)
        page = context.new_page()
        page.troubles = []
        page.on("console", lambda message: page.troubles.append(message.text))
        page.on("pageerror", lambda error: page.troubles.append(str(error)))
        page.on("request", lambda request: request.url.startswith("file:") or page.troubles.append(request.url))
        page.goto(file.as_uri() + fragment)
        return page

    yield opened
    for context in contexts:
        context.close()


def wait_for_count(page, words):
    page.locator("#count", has_text=words).wait_for(timeout=5000)


def overflow(page):
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_the_page_is_accessible_and_fits(open_page, size, scheme):
    from axe_playwright_python.sync_playwright import Axe

    page = open_page(size, scheme)
    assert overflow(page) == 0
    page.evaluate("document.querySelectorAll('details').forEach((details) => (details.open = true))")
    assert overflow(page) == 0
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    assert page.troubles == []


def test_dark_is_dark_and_paper_is_white(open_page):
    page = open_page(scheme="dark")
    background = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(background) == "rgb(13, 17, 23)"
    page.emulate_media(media="print")
    assert page.evaluate(background) == "rgb(255, 255, 255)"


@pytest.mark.parametrize("size", SIZES)
def test_figures_fit_the_screen_at_the_size_they_were_drawn_in(open_page, size):
    page = open_page(size)
    drawn = page.locator("figure svg:visible")
    assert drawn.count() == page.locator("figure").count() > 3
    shrunk = drawn.evaluate_all(
        "(all) => all.filter((svg) => svg.getBoundingClientRect().width < svg.viewBox.baseVal.width - 1).length"
    )
    scrolled = "(all) => all.filter((box) => box.scrollWidth > box.clientWidth).length"
    assert (shrunk, page.locator(".figure-scroll").evaluate_all(scrolled)) == (0, 0)


def test_every_figure_has_a_text_and_its_numbers(open_page):
    page = open_page()
    for figure in page.locator("figure").all():
        assert len(figure.locator("svg:visible").get_attribute("aria-label")) > 20
        assert figure.locator("table tbody tr").count() > 0


def test_on_paper_nothing_is_cut_and_what_was_folded_is_open(open_page):
    page = open_page()
    assert page.pdf(format="A4").startswith(b"%PDF")
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 688, "height": 1000})  # A4 less its margins
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details.more:not([open])").count() == 0
    assert overflow(page) == 0
    cut = "[...document.querySelectorAll('main .scroll')].filter((box) => box.scrollWidth > box.clientWidth + 1).length"
    assert page.evaluate(cut) == 0
    assert not page.locator("#filters").is_visible()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("details.more[open]").count() == 0


def pages_of(pdf):
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def test_on_paper_items_follow_each_other(open_page, tmp_path):
    report([long_run(f"model-{number}", 5, seed=number) for number in range(8)], tmp_path / "eight.html")
    page = open_page(file=tmp_path / "eight.html")
    flowing = pages_of(page.pdf(format="A4"))
    page.add_style_tag(content="@media print { .item { break-inside: avoid } }")
    assert flowing < pages_of(page.pdf(format="A4")) - 1


def test_on_paper_short_tables_stay_whole_and_no_last_row_alone(open_page):
    page = open_page()
    page.emulate_media(media="print")
    style = "(node, name) => getComputedStyle(node)[name]"
    table = page.locator("#accuracy > .scroll table")
    assert table.evaluate(style, "breakInside") == "avoid"
    assert table.locator("tbody tr").last.evaluate(style, "breakBefore") == "avoid"


def test_on_paper_the_table_of_accuracy_stands_under_its_lead(open_page):
    page = open_page()
    page.emulate_media(media="print")
    tops = [page.locator(f"#accuracy > {name}").first.bounding_box()["y"] for name in ("p", ".scroll", "figure")]
    assert tops == sorted(tops)


def test_the_keyboard_reaches_everything_and_shows_where_it_is(open_page):
    page = open_page()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    assert page.locator(".skip").bounding_box()["x"] >= 0
    seen = []
    for _ in range(300):
        page.keyboard.press("Tab")
        focus = page.evaluate(
            "({tag: document.activeElement.tagName, id: document.activeElement.id,"
            " line: getComputedStyle(document.activeElement).outlineStyle})"
        )
        if focus["tag"] == "BODY":
            break
        assert focus["line"] != "none", focus
        seen.append(focus["id"] or focus["tag"])
    assert {"f-search", "f-outcome", "next", "SUMMARY", "A"} <= set(seen)


def test_a_folded_table_opens_by_keyboard(open_page):
    page = open_page()
    page.locator("details.more summary").first.focus()
    page.keyboard.press("Enter")
    assert page.locator("details.more").first.evaluate("(node) => node.open")


def test_search_and_filters_narrow_the_items(open_page):
    page = open_page()
    count = page.locator("#count")
    total = int(count.inner_text().rsplit(" ", 1)[1].rstrip("."))
    page.fill("#f-search", "MICROPHONE.0")
    wait_for_count(page, "that fit")
    assert page.locator(".item h3").all_inner_texts()[0] == "call-microphone.0"
    page.click("text=Show all")
    wait_for_count(page, "of 48.")
    page.select_option("#f-column", label="Chinese")
    page.select_option("#f-solver", label="chance")
    page.select_option("#f-outcome", "wrong")
    wait_for_count(page, "that fit")
    assert page.locator(".item p.text").first.get_attribute("lang") == "zh"
    for row in page.locator(".item tr", has_text="chance").all():
        assert "wrong" in row.inner_text()
    page.fill("#f-search", "no such words")
    wait_for_count(page, "No item")
    assert total == 48


def test_pages_turn_and_the_focus_goes_along(open_page):
    page = open_page()
    first = page.locator(".item h3").first.inner_text()
    page.click("#next")
    assert page.locator(".item h3").first.inner_text() != first
    assert page.evaluate("document.activeElement.className") == "item"
    assert "Items 11 to 20" in page.locator("#count").inner_text()
    page.select_option("#page", "0")
    assert page.locator("#previous").is_disabled()


def test_an_address_leads_to_its_item_on_whatever_page_it_is(open_page):
    page = open_page(fragment="#item:six-zh/piano-sale.1~switched")
    aimed = page.locator(".item.aimed")
    assert aimed.locator("h3").inner_text() == "piano-sale.1~switched"
    assert page.evaluate("document.activeElement.id") == "item:six-zh/piano-sale.1~switched"
    assert aimed.locator("h3 a").get_attribute("href") == "#item:six-zh/piano-sale.1~switched"
    page.evaluate("location.hash = '#item:six-en/call-microphone.0'")
    page.locator(".aimed h3", has_text="call-microphone.0").wait_for()


def test_an_unknown_address_does_no_harm(open_page):
    page = open_page(fragment="#item:%E0%A4%A")
    assert page.locator(".item").count() == 10
    assert page.troubles == []


def test_an_item_shows_marks_readings_scores_and_outcome(open_page):
    page = open_page(fragment="#item:six-en/call-microphone.0")
    item = page.locator(".item.aimed")
    text = item.locator("p.text")
    assert text.inner_text() == "AnnaA could not hear JuliaB on the call because her speaker was broken."
    assert text.locator("mark.pronoun").inner_text() == "her"
    assert "A: Anna could not hear Julia on the call because Anna's speaker was broken." in item.inner_text()
    row = item.locator("tr", has_text="a-model, naive readings").inner_text()
    assert "−2" in row
    assert "right" in row or "wrong" in row


def test_right_to_left_text_runs_right_to_left(open_page, tmp_path):
    item = wg.Item(
        "s.0",
        "s",
        text="رأت سلمى ليلى لأن هي وصلت.",
        pronoun=wg.Span(18, 20),
        candidates=(wg.Candidate("سلمى", (wg.Span(4, 8),)), wg.Candidate("ليلى", (wg.Span(9, 13),))),
        answer=0,
    )
    collection = wg.Collection("arabic", "ar", (wg.Schema("s", (item,)),))
    run = Run(collection, Settings("m", "partial", "naive", "0" * 16), (Prediction("s.0", item.hash, 0, (-1.0, -2.0)),))
    report([run], tmp_path / "ar.html")
    page = open_page("phone", file=tmp_path / "ar.html")
    text = page.locator(".item p.text")
    assert text.evaluate("(node) => getComputedStyle(node).direction") == "rtl"
    assert text.get_attribute("lang") == "ar"
    readings = page.locator(".item details li[dir=auto], .item details li [dir=auto]").all()
    assert len(readings) == 2
    for reading in readings:
        assert reading.evaluate("(node) => getComputedStyle(node).direction") == "rtl"
        box, stop = reading.evaluate(PLACES)
        assert stop["left"] - box["left"] < 1  # the full stop ends the sentence, at its left
    assert overflow(page) == 0


def test_long_names_and_sentences_do_not_widen_a_phone(open_page, tmp_path):
    runs = [run_of(pairs_of([(1, 0)] * 12), f"causal:/models/{'very-long-name/' * 6}{number}") for number in range(3)]
    report(runs, tmp_path / "long.html", title="Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen " * 2)
    assert overflow(open_page("phone", file=tmp_path / "long.html")) == 0


def test_texts_with_markup_are_shown_as_they_are(open_page, tmp_path):
    item = wg.Item(
        "s.0",
        "s",
        text="<b>Ana</b> met <img src=x onerror=alert(1)> Bea; she left.",
        pronoun=wg.Span(49, 52),
        candidates=(wg.Candidate("Ana"), wg.Candidate("<i>Bea</i>")),
        answer=0,
    )
    collection = wg.Collection("markup", "en", (wg.Schema("s", (item,)),))
    run = Run(
        collection, Settings("m", "partial", "naive", "0" * 16), (Prediction("s.0", item.hash, None, note="<u>"),)
    )
    report([run], tmp_path / "markup.html")
    page = open_page(file=tmp_path / "markup.html")
    assert page.locator(".item p.text").inner_text() == item.text
    assert page.locator("#list img, #list b b, #list i, #list u").count() == 0
    assert page.troubles == []


def long_run(model, schemas, name="made", language="en", seed=0):
    """Items as long as real ones; answers by a fixed pattern."""
    made = [
        [Made(choice=(place * 7 + number + seed) % 3 % 2, scores=(-31.123, -30.456)) for number in (0, 1)]
        for place in range(schemas)
    ]
    run = run_of(made, model, name=name, language=language)
    filler = " on the long way from the market to the old harbour behind the town"

    def longer(item):
        return replace(
            item,
            text=item.text.replace(" she", f"{filler} she"),
            pronoun=wg.Span(item.pronoun.start + len(filler), item.pronoun.end + len(filler)),
        )

    found = tuple(replace(schema, items=tuple(map(longer, schema.items))) for schema in run.collection.schemas)
    return replace(run, source=replace(run.collection, schemas=found))


def test_a_typical_comparison_is_small_and_opens_in_under_a_second(open_page, tmp_path):
    runs = [
        long_run(f"model-{number}", 100, f"made-{tag}", tag, number)
        for tag in ("en", "pt", "fr", "zh")
        for number in range(6)
    ]
    path = tmp_path / "typical.html"
    report(runs, path)
    assert path.stat().st_size < 3_000_000
    page = open_page(file=path)
    assert page.locator(".item").count() == 10


@pytest.mark.parametrize(("models", "schemas"), [(20, 30), (2, 1500)])
def test_many_models_and_many_items_stay_usable(open_page, tmp_path, models, schemas):
    path = tmp_path / "many.html"
    report([long_run(f"organisation/model-{number}", schemas, seed=number) for number in range(models)], path)
    page = open_page("phone", file=path)
    assert overflow(page) == 0
    page.fill("#f-search", "s29 ")
    wait_for_count(page, "that fit")
    assert page.troubles == []
