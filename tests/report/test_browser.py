"""The report in a real browser: phone, laptop, paper; light and dark; by keyboard; for people who cannot see it."""

import re
from dataclasses import replace

import pytest

import winoglot as wg
from metrics.made_runs import Made, pairs_of, run_of
from report.made_logic import good, model
from six_schemas import six
from winoglot.report import report
from winoglot.report.analysis import analysis_page
from winoglot.report.logic import LogicReport, logic_page
from winoglot.runs.run import Prediction, Run, Settings

pytestmark = pytest.mark.slow
WIDTHS = (360, 390, 768, 1366)
OPEN_ALL = "document.querySelectorAll('details').forEach((one) => (one.open = true))"
ENDS = """(node) => {
  const last = document.createRange(), texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  let text; while (texts.nextNode()) text = texts.currentNode;
  last.setStart(text, text.length - 1); last.setEnd(text, text.length);
  return [node, last].map((one) => one.getBoundingClientRect().toJSON());
}"""


def scored(run, model, scoring, style):
    """A made-up model that is sometimes right, over the items of a run."""
    settings = Settings(model, scoring, style, "0" * 16, kinds=run.settings.kinds)
    predictions = []
    for number, prediction in enumerate(run.predictions):
        choice = (number // 3 + (style == "naive") + (scoring == "full")) % 2
        scores = (-2.0, -2.5 - number / 9)[:: 1 if choice == 0 else -1]
        window = "punctuation" if number == 1 else ""
        predictions.append(replace(prediction, choice=choice, scores=scores, window=window))
    return Run(run.collection, settings, tuple(predictions))


@pytest.fixture(scope="module")
def runs():
    """Two parallel collections, one in another script, a model asked in four ways, and two rules."""
    made = []
    for language in ("en", "zh"):
        rules = [wg.evaluate(six(language), model, kinds=["switched"]) for model in ("first", "longer")]
        made += rules
        made += [
            scored(rules[0], "a-model", way, style) for way in ("partial", "full") for style in ("naive", "grammatical")
        ]
    return made


@pytest.fixture(scope="module")
def page_file(runs, tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "report.html"
    readers = replace(runs[0], settings=replace(runs[0].settings, model="readers"), is_baseline=False)
    report(runs, path, human=[readers], title="Six schemas")
    return path


@pytest.fixture
def open_page(browser, page_file):
    contexts = []

    def opened(width=1366, scheme="light", file=page_file, fragment="", **keys):
        size = {"width": width, "height": 800}
        context = browser.new_context(viewport=size, color_scheme=scheme, **keys)
        contexts.append(context)
        page = context.new_page()
        page.troubles = []
        page.on("console", lambda message: page.troubles.append(message.text))
        page.on("pageerror", lambda error: page.troubles.append(str(error)))
        page.on(
            "request", lambda request: request.url.startswith(("file:", "blob:")) or page.troubles.append(request.url)
        )
        page.goto(file.as_uri() + fragment)
        if keys.get("java_script_enabled", True):
            page.locator("#item > *").first.wait_for(state="attached")
        return page

    yield opened
    for context in contexts:
        context.close()


def overflow(page):
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


def rows(page):
    """The first labels of the visible rows of the leaderboard."""
    found = "(all) => all.filter((one) => one.offsetParent).map((one) => one.cells[0].textContent)"
    return page.locator("#accuracy-table tbody tr").evaluate_all(found)


def shown_item(page):
    return page.locator("#item h3").inner_text()


def count(page):
    return int(page.locator("#count").inner_text().split()[0].replace(",", ""))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1366])
def test_the_page_is_accessible_with_everything_open(open_page, width, scheme):
    from axe_playwright_python.sync_playwright import Axe

    page = open_page(width, scheme)
    page.evaluate(OPEN_ALL)
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    assert page.troubles == []


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_wider_than_the_screen(open_page, width):
    page = open_page(width)
    assert overflow(page) == 0
    page.evaluate(OPEN_ALL)
    assert overflow(page) == 0


@pytest.mark.parametrize("width", WIDTHS)
def test_no_figure_is_cut_and_no_text_is_smaller_than_twelve_pixels(open_page, width):
    page = open_page(width)
    cut = "(all) => all.filter((one) => one.offsetParent && one.scrollWidth > one.clientWidth + 1).length"
    assert page.locator("table.dw, table.board, .plots").evaluate_all(cut) == 0
    small = """() => [...document.querySelectorAll('main *')].filter((one) => one.textContent.trim() && one.offsetParent
        && parseFloat(getComputedStyle(one).fontSize) < 11.9).map((one) => one.outerHTML.slice(0, 80))"""
    assert page.evaluate(small) == []


def test_dark_is_dark_and_paper_is_white(open_page):
    page = open_page(scheme="dark")
    background = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(background) == "rgb(16, 20, 24)"
    page.emulate_media(media="print")
    assert page.evaluate(background) == "rgb(255, 255, 255)"


def test_every_drawing_is_named_or_repeats_a_number_beside_it(open_page):
    page = open_page()
    page.evaluate(OPEN_ALL)
    unnamed = "(all) => all.filter((one) => !one.closest('[aria-hidden=true], [role=img][aria-label]')).length"
    assert page.locator("main svg").evaluate_all(unnamed) == 0
    values = page.locator("td:has(.v)")
    assert values.count() > 20
    told = "(all) => all.filter((one) => !one.querySelector('.v').textContent.trim()).length"
    assert values.evaluate_all(told) == 0


def test_the_keyboard_reaches_everything_and_shows_where_it_is(open_page):
    page = open_page()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    assert page.locator(".skip").bounding_box()["x"] >= 0
    seen = []
    for _ in range(300):
        page.keyboard.press("Tab")
        focus = page.evaluate(
            """() => { const one = document.activeElement, shown = one.closest('label') || one;
            return {tag: one.tagName, id: one.id, name: one.className, text: one.textContent.slice(0, 20),
            line: [one, shown].some((each) => getComputedStyle(each).outlineStyle !== 'none')}; }"""
        )
        if focus["tag"] == "BODY":
            break
        assert focus["line"], focus
        seen.append(focus)
    ids = {one["id"] for one in seen}
    assert {"i-column", "i-by", "i-kind", "i-tag", "i-right", "i-wrong", "i-order", "i-search", "i-also"} <= ids
    texts = {one["text"] for one in seen}
    assert {"English", "CSV", "LaTeX", "← Previous", "Next →", "Copy"} <= texts
    assert {"A", "BUTTON", "INPUT", "SUMMARY", "SELECT", "PRE"} <= {one["tag"] for one in seen}
    assert sum(one["name"] == "hr" for one in seen) == 1  # one stop for the whole heat map


def test_a_folded_part_opens_by_keyboard(open_page):
    page = open_page()
    page.locator("details.fold summary").first.focus()
    page.keyboard.press("Enter")
    assert page.locator("details.fold").first.evaluate("(node) => node.open")


def test_the_leaderboard_is_sorted_within_its_groups(open_page, twelve):
    page = open_page(file=twelve)
    values = "(all, at) => all.map((one) => +one.cells[at].dataset.v)"
    head = page.locator("#accuracy-table thead th", has_text="French")
    at = head.evaluate("(one) => one.cellIndex")
    for order, reverse in (("descending", True), ("ascending", False)):
        head.locator("button").click()
        assert head.get_attribute("aria-sort") == order
        sizes = []
        for body in page.locator("#accuracy-table tbody").all():
            found = body.locator("tr:not(.grp)").evaluate_all(values, at)
            assert found == sorted(found, reverse=reverse)
            assert body.locator("tr").first.get_attribute("class") == "grp"
            sizes.append(len(found))
        assert sum(sizes) == 12
        assert len(sizes) > 1


def test_the_readings_are_switched(open_page):
    page = open_page()
    visible = "(all) => all.filter((one) => one.offsetParent).map((one) => one.className.match(/f\\d/)[0])"
    models = page.locator("#robustness-table tbody tr.m")
    assert set(models.evaluate_all(visible)) == {"f0"}
    page.locator("#robustness-figure label", has_text="naive").click()
    assert set(models.evaluate_all(visible)) == {"f1"}


def test_on_a_phone_figures_show_one_collection_at_a_time(open_page):
    page = open_page(390)
    figure = page.locator("#from-best-figure")
    shown = "(all) => all.filter((one) => one.offsetParent).map((one) => one.dataset.l)"
    assert set(figure.locator("td[data-l]").evaluate_all(shown)) == {"Mean"}
    figure.locator(".langs label", has_text="Chinese").click()
    assert set(figure.locator("td[data-l]").evaluate_all(shown)) == {"Chinese"}
    board = page.locator("#accuracy-figure")
    assert set(board.locator("td[data-l]").evaluate_all(shown)) == {"Mean", "English", "Chinese"}


def test_a_row_of_the_heat_map_opens_its_schema(open_page):
    page = open_page()
    assert count(page) == 12
    row = page.locator("#map .hr").nth(3)
    row.click()
    assert row.get_attribute("aria-pressed") == "true"
    assert shown_item(page) == f"{row.locator('.id').inner_text()}.0"
    assert page.locator("#item .sent").count() == 2  # both items of the schema
    assert re.match(rf"{row.locator('.id').inner_text()}: .*(right|wrong)", row.get_attribute("aria-label"))
    page.keyboard.press("ArrowDown")
    assert shown_item(page).startswith(page.locator("#map .hr .id").nth(4).inner_text())
    assert page.evaluate("document.activeElement.getAttribute('aria-pressed')") == "true"
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    assert shown_item(page).startswith(page.locator("#map .hr .id").nth(2).inner_text())


def test_the_panel_stays_in_view_beside_the_map(open_page, twelve):
    page = open_page(file=twelve)
    page.locator("#map .hr").nth(3).evaluate("(one) => one.scrollIntoView()")
    assert 0 <= page.locator("#item").bounding_box()["y"] < 100
    narrow = open_page(390, file=twelve)
    narrow.locator("#map .hr").nth(2).click()
    below = "(one) => one.nextElementSibling.id"
    assert narrow.locator("#map .hr").nth(2).evaluate(below) == "item"


def test_previous_and_next_go_round_and_keep_the_focus(open_page):
    page = open_page()
    first = shown_item(page)
    page.click("text=← Previous")
    assert shown_item(page).startswith(page.locator("#map .hr .id").last.inner_text())
    page.click("text=Next →")
    assert shown_item(page) == first
    assert page.evaluate("document.activeElement.textContent") == "Next →"


def test_search_and_filters_narrow_the_items(open_page):
    page = open_page()
    page.fill("#i-search", "MICROPHONE.0")
    assert count(page) == 1
    assert shown_item(page) == "call-microphone.0"
    page.fill("#i-search", "no such words")
    assert count(page) == 0
    assert page.locator("#item").inner_text() == "No item matches."
    page.fill("#i-search", "")
    page.select_option("#i-kind", "switched")
    assert count(page) == 12
    assert shown_item(page).endswith("~switched")
    page.select_option("#i-kind", "original")
    page.select_option("#i-wrong", label="longer")
    wrong = count(page)
    page.select_option("#i-wrong", "")
    page.select_option("#i-right", label="longer")
    right = count(page)
    assert 0 < wrong + right <= 12
    assert page.locator("#item tr", has_text="longer").locator(".ok").count() > 0
    page.select_option("#i-wrong", label="first")
    assert 0 < count(page) < right  # longer is right and first is wrong
    page.select_option("#i-right", "")
    page.select_option("#i-wrong", "")
    tags = page.locator("#i-tag option").all_inner_texts()
    page.select_option("#i-tag", label=tags[-1])
    assert 0 < count(page) <= 12
    assert page.troubles == []


def test_items_are_ordered_by_how_many_solvers_are_wrong(open_page):
    page = open_page()
    right = "(all) => all.map((one) => one.querySelectorAll('.y').length)"
    page.select_option("#i-order", "hard")
    found = page.locator("#map .hr").evaluate_all(right)
    assert found == sorted(found)
    assert len(set(found)) > 1


def test_another_collection_has_its_own_items_and_the_parallel_item_is_a_click_away(open_page):
    page = open_page(fragment="#six-en/piano-sale.1")
    page.select_option("#i-also", label="Chinese")
    assert shown_item(page) == "piano-sale.1"
    assert page.locator("#item .sent").first.get_attribute("lang") == "zh"
    assert page.locator("#i-column option:checked").inner_text() == "Chinese"
    page.select_option("#i-by", label="collections: longer")
    assert page.locator("#heads span").all_inner_texts() == ["schema", "en", "zh"]


def test_an_address_leads_to_its_item(open_page):
    page = open_page(fragment="#six-zh/piano-sale.1~switched")
    assert shown_item(page) == "piano-sale.1~switched"
    assert page.locator("#item h3").evaluate("(one) => one.parentNode.hash") == "#six-zh/piano-sale.1~switched"
    assert page.locator("#item").evaluate("(one) => one.getBoundingClientRect().top < innerHeight")
    page.evaluate("location.hash = '#six-en/call-microphone.0'")
    page.locator("#item h3", has_text="call-microphone.0").wait_for()


def test_an_unknown_address_does_no_harm(open_page):
    page = open_page(fragment="#six-en/%E0%A4%A")
    assert count(page) == 12
    assert page.troubles == []


def test_an_item_shows_marks_readings_scores_and_outcomes(open_page):
    page = open_page(fragment="#six-en/call-microphone.0")
    card = page.locator("#item")
    text = card.locator(".sent").first
    card.locator("details summary").click()
    assert (
        text.evaluate("(one) => one.textContent")
        == "Anna could not hear Julia on the call because her speaker was broken."
    )
    assert text.locator(".pronoun").inner_text() == "her"
    assert text.locator("[class^=candidate-]").all_inner_texts() == ["Anna", "Julia"]
    assert [one.get_attribute("data-letter") for one in text.locator("[data-letter]").all()] == ["A", "B"]
    told = card.inner_text()
    assert "Anna's speaker was broken" in told
    assert "Answer: " in told
    assert re.search(r"−2\.\d\d", told)
    row = card.locator(".dt tbody tr", has_text="partial, naive")
    assert re.search(r"[AB]\s*[✓✗]\s*(right|wrong)", row.locator("td.s").first.evaluate("(one) => one.textContent"))
    assert card.locator(".sc .w").count() > 0
    assert [one.strip() for one in card.locator(".dt thead th").all_inner_texts()] == ["Solver", "1", "2"]


def test_columns_of_the_page_can_be_saved_as_csv_and_latex(open_page, tmp_path):
    page = open_page()
    saved = {}
    for kind in ("csv", "tex"):
        with page.expect_download() as caught:
            page.locator(f"#accuracy-figure [data-x={kind}]").click()
        caught.value.save_as(tmp_path / kind)
        assert caught.value.suggested_filename == f"accuracy.{kind}"
        saved[kind] = (tmp_path / kind).read_text("utf-8")
    head, *body = saved["csv"].splitlines()
    assert head.startswith("group,Solver,Mean,Mean low,Mean high,Mean n,English,English low,English high,English n,Ch")
    assert [line.split(",")[1] for line in body] == ["people (readers)", "a-model", "first", "longer"]
    assert saved["tex"].count(r"\\") == 5
    assert "a-model" in saved["tex"]  # its hyphen is no minus
    assert {line.split(",")[0] for line in body} == {"People", "Model", "Baselines"}  # without the number of its rows
    assert r"\toprule" in saved["tex"]
    page.locator("#accuracy-figure tbody tr:visible td:nth-child(2)").first.evaluate(
        "cell => cell.textContent = 'a;=cmd|x'"
    )
    with page.expect_download() as caught:
        page.locator("#accuracy-figure [data-x=csv]").click()
    caught.value.save_as(tmp_path / "guarded")
    assert ",a;'=cmd|x," in (tmp_path / "guarded").read_text("utf-8")  # as `guarded` in winoglot.files writes it


def test_without_script_figures_and_tables_are_there(open_page):
    page = open_page(java_script_enabled=False)
    assert page.locator("h1").is_visible()
    assert page.locator("#accuracy-table svg").first.is_visible()
    assert page.locator("#reproduce pre").first.is_visible()
    assert "The items need JavaScript" in page.locator("noscript").inner_text()
    assert not page.locator("#browser").is_visible()
    assert not page.locator("button:visible").count()
    assert page.locator("nav ol a").first.is_visible()


def test_on_paper_nothing_is_cut_and_what_was_folded_is_open(open_page):
    page = open_page()
    assert page.pdf(format="A4").startswith(b"%PDF")
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 688, "height": 1000})  # A4 less its margins
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("main details:not([open])").count() == 0
    assert overflow(page) == 0
    cut = "(all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.outerHTML.slice(0, 90))"
    assert page.locator("main .scroll, main pre, main table").evaluate_all(cut) == []
    assert page.locator(".ctl:visible, nav:visible, .btn:visible").count() == 0


def test_on_paper_rows_figures_and_items_are_kept_whole(open_page):
    page = open_page()
    page.emulate_media(media="print")
    style = "(node) => getComputedStyle(node).breakInside"
    for kind in ("#accuracy-table tr", ".card", ".ex"):
        assert page.locator(kind).first.evaluate(style) == "avoid", kind


def one_item(text, pronoun, candidates, language="en", **keys):
    start = text.index(pronoun)
    parts = tuple(wg.Candidate(one, (wg.Span(text.index(one), text.index(one) + len(one)),)) for one in candidates)
    place = wg.Span(start, start + len(pronoun))
    item = wg.Item("s.0", "s", text=text, pronoun=place, candidates=parts, answer=0)
    collection = wg.Collection("one", language, (wg.Schema("s", (item,)),))
    made = {"choice": 0, "scores": tuple(-1.0 - at for at in range(len(parts)))} | keys
    return Run(collection, Settings("m", "partial", "naive", "0" * 16), (Prediction("s.0", item.hash, **made),))


def test_right_to_left_text_runs_right_to_left(open_page, tmp_path):
    report([one_item("رأت سلمى ليلى لأن هي وصلت.", "هي", ("سلمى", "ليلى"), "ar")], tmp_path / "ar.html")
    page = open_page(360, file=tmp_path / "ar.html")
    text = page.locator("#item .sent")
    assert text.get_attribute("lang") == "ar"
    page.locator("#item summary").click()
    readings = page.locator("#item .rds dd > [lang]").all()
    assert len(readings) == 2
    for one in (text, *readings):
        assert one.evaluate("(node) => getComputedStyle(node).direction") == "rtl"
    box, stop = text.evaluate(ENDS)
    assert stop["left"] - box["left"] < box["right"] - stop["right"]  # the full stop ends the sentence, at its left
    assert overflow(page) == 0


def test_three_candidates_have_three_letters_and_three_readings(open_page, tmp_path):
    report([one_item("Ana met Bea and Cleo and she left.", "she", ("Ana", "Bea", "Cleo"))], tmp_path / "three.html")
    page = open_page(file=tmp_path / "three.html")
    letters = "(all) => all.map((one) => one.dataset.letter)"
    assert page.locator("#item .sent [data-letter]").evaluate_all(letters) == ["A", "B", "C"]
    colours = "(all) => new Set(all.map((one) => getComputedStyle(one).color)).size"
    assert page.locator("#item .sent [class^=candidate-]").evaluate_all(colours) == 3
    assert page.locator("#item .rds dd").count() == 3
    assert "chance, 33.3%" in page.locator("#top").inner_text()


def test_long_names_and_words_do_not_widen_a_phone(open_page, tmp_path):
    runs = [
        run_of(pairs_of([(1, 0)] * 12), f"causal:/models/{'very-long-name/' * 6}{number}", readings=style, scoring=way)
        for number in range(3)
        for style in ("naive", "grammatical")
        for way in ("partial", "full")
    ]
    runs.append(run_of(pairs_of([(1, 0)] * 12), "x" * 90))
    report(runs, tmp_path / "long.html", title="Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen " * 2)
    for width in (360, 1366):
        page = open_page(width, file=tmp_path / "long.html")
        page.evaluate(OPEN_ALL)
        assert overflow(page) == 0
        named = page.locator("#accuracy-table .nm").first
        assert named.get_attribute("title") in {run.settings.model for run in runs}
        assert page.locator("#accuracy-table").inner_text().replace("\n", "").count("very-long-name/") >= 3


def test_texts_with_markup_are_shown_as_they_are(open_page, tmp_path):
    text = "<b>Ana</b> met <img src=x onerror=alert(1)> Bea; she left."
    report([one_item(text, "she", ("Ana", "Bea"), choice=None, note="<u>")], tmp_path / "markup.html")
    page = open_page(file=tmp_path / "markup.html")
    assert page.locator("#item .sent").evaluate("(one) => one.textContent") == text
    assert page.locator("#item img, #item u").count() == 0
    assert "<u>" in page.locator("#item").inner_text()
    assert page.troubles == []


MANY = ("en", "fr", "pt", "zh", "ja", "de", "es", "it", "ru", "nl", "pl", "sv", "fi", "ar")


def many_runs(models, schemas, tags=("en",)):
    """Items answered by a fixed pattern."""
    return [
        run_of(
            [
                [
                    Made(answer=at, choice=(place * 7 + at + number) % 3 % 2, scores=(-31.123, -30.456 - place))
                    for at in (0, 1)
                ]
                for place in range(schemas)
            ],
            f"organisation/model-{number}",
            name=f"made-{tag}",
            language=tag,
        )
        for tag in tags
        for number in range(models)
    ]


@pytest.mark.parametrize(("models", "schemas", "tags"), [(20, 30, ("en",)), (2, 600, ("en",)), (2, 20, MANY)])
def test_many_models_items_and_collections_stay_usable(open_page, tmp_path, models, schemas, tags):
    path = tmp_path / "many.html"
    report(many_runs(models, schemas, tags), path)
    assert path.stat().st_size < 3_000_000
    page = open_page(390, file=path)
    assert overflow(page) == 0
    page.fill("#i-search", "s19.1")
    assert shown_item(page) == "s19.1"
    page.set_viewport_size({"width": 1366, "height": 800})
    assert overflow(page) == 0
    assert page.troubles == []


HUBS = (
    "Qwen/Qwen3-235B-A22B-Instruct-2507", "openai/gpt-oss-120b", "meta-llama/Llama-3.3-70B-Instruct",
    "google/gemma-3-27b-it", "mistralai/Mistral-Small-3.2-24B-Instruct-2506", "utter-project/EuroLLM-9B-Instruct",
    "google/gemma-3-4b-pt", "HuggingFaceTB/SmolLM3-3B", "Qwen/Qwen2.5-1.5B-Instruct", "Qwen/Qwen3-1.7B-Base",
    "FacebookAI/xlm-roberta-large", "google/gemma-3-270m",
)  # fmt: skip


def hub_runs(names, tags, schemas):
    """Models that are right the less often the later they are named."""
    return [
        run_of(
            [
                [
                    Made(answer=at, choice=at if (7 * place + 3 * number + at) % 25 > 2 * number % 25 else 1 - at)
                    for at in (0, 1)
                ]
                for place in range(schemas)
            ],
            name,
            name=f"made-{tag}",
            language=tag,
        )
        for tag in tags
        for number, name in enumerate(names)
    ]


@pytest.fixture(scope="module")
def twelve(tmp_path_factory):
    """Twelve models with the names they have on the hub, in four languages."""
    path = tmp_path_factory.mktemp("twelve") / "report.html"
    report(hub_runs(HUBS, ("en", "fr", "pt", "zh"), 40), path)
    return path


@pytest.fixture(scope="module")
def forty(tmp_path_factory):
    """Forty models in six languages, some of whose names are long or look like markup."""
    names = [*HUBS, "laboratory/" + "mixture-of-experts-" * 10, '<b>x</b>&"', *(f"lab/model-{n}" for n in range(26))]
    path = tmp_path_factory.mktemp("forty") / "report.html"
    report(hub_runs(names, MANY[:6], 5), path)
    return path


@pytest.mark.parametrize(
    ("models", "file", "width"),
    [(12, "twelve", 390), (12, "twelve", 768), (12, "twelve", 1366), (40, "forty", 390), (40, "forty", 1366)],
)
def test_many_models_fit_every_cell(open_page, request, models, file, width):
    """No text is wider than its cell, and no column of the panel is too narrow to read."""
    page = open_page(width, file=request.getfixturevalue(file))
    page.evaluate(OPEN_ALL)
    assert overflow(page) == 0
    wide = """() => ['.board', '.dw', '.mx', '.dt', '.ex']
        .flatMap((kind) => [...document.querySelectorAll(`${kind} td, ${kind} th`)])
        .filter((one) => one.offsetParent && !one.closest('.scroll') && one.scrollWidth > one.clientWidth + 1)
        .map((one) => one.outerHTML.slice(0, 120))"""
    assert page.evaluate(wide) == []
    narrow = "(all) => all.filter((one) => one.offsetParent && one.clientWidth < 40).length"
    assert page.locator("#item tbody th").evaluate_all(narrow) == 0
    assert page.locator("#item tbody tr").count() == models
    empty = """(all) => all.filter((one) => one.offsetParent)
        .filter((one) => ![...one.querySelectorAll('td')].some((cell) => cell.offsetParent)).length"""
    assert page.locator("table.dw").evaluate_all(empty) == 0  # none is left over from a collection that is not shown
    assert page.troubles == []


def test_on_a_phone_the_leaderboard_is_sorted_and_numbers_are_whole(open_page, twelve):
    page = open_page(390, file=twelve)
    shown = "(all) => all.map((one) => getComputedStyle(one, '::after').content)"
    numbers = page.locator("#accuracy-table td.L").evaluate_all(shown)
    assert len(numbers) == 48
    starts = "(all) => all.map((one) => one.querySelector('.c-m').getBoundingClientRect().left)"
    lefts = "(all) => all.map((one) => one.querySelector('td.L:not(.c-m)').getBoundingClientRect().left)"
    blocks = page.locator("#accuracy-table tbody tr:not(.grp)")
    assert blocks.evaluate_all(starts) == blocks.evaluate_all(lefts)
    assert all(re.fullmatch(r'"\d+"', number) for number in numbers)
    assert not page.locator("#accuracy-table td.L .v:visible").count()
    page.select_option(".sort select", label="Chinese")
    at = "(all) => all.map((one) => +one.querySelectorAll('td[data-v]')[4].dataset.v)"
    for body in page.locator("#accuracy-table tbody").all():
        found = body.locator("tr:not(.grp)").evaluate_all(at)
        assert found == sorted(found, reverse=True)


def test_rows_of_numbers_stand_below_one_another_on_a_phone(open_page, forty):
    page = open_page(390, file=forty)
    first = page.locator("#accuracy-table tbody tr:not(.grp)").first
    lefts = first.locator("td.L:not(.c-m)").evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().left)")
    assert lefts[4:] == lefts[:2]  # six languages, four to a row


def test_the_heads_of_a_wide_map_stand_above_its_rows(open_page, forty):
    page = open_page(390, file=forty)
    page.locator("#map").scroll_into_view_if_needed()
    heads, row = page.locator("#heads").bounding_box(), page.locator(".hr").first.bounding_box()
    assert heads["y"] + heads["height"] <= row["y"] + 1


def test_columns_are_chosen_only_where_one_is_shown_at_a_time(open_page, forty):
    assert open_page(390, file=forty).locator(".langs:visible").count()
    assert not open_page(1366, file=forty).locator(".langs:visible").count()


def test_a_figure_in_parts_is_saved_as_a_table_for_each(open_page, forty, tmp_path):
    page = open_page(file=forty)
    figure = page.locator("#robustness-figure")
    for kind in ("csv", "tex"):
        with page.expect_download() as caught:
            figure.locator(f"[data-x={kind}]").click()
        caught.value.save_as(tmp_path / kind)
    parts = (tmp_path / "tex").read_text("utf-8").split("\n\n")
    assert len(parts) == figure.locator("table").count() == 2
    for part in parts:
        columns = re.search(r"\\begin\{tabular\}\{(\w+)\}", part)[1]
        assert {line.count(" & ") + 1 for line in part.splitlines() if line.endswith("\\\\")} == {len(columns)}
        assert r"\textless{}b\textgreater{}x" in part
        assert r"\&" in part
    heads = [part.splitlines()[0] for part in (tmp_path / "csv").read_text("utf-8").split("\n\n")]
    assert all(head.startswith("group,Solver,") for head in heads)


@pytest.mark.parametrize("file", ["twelve", "forty"])
def test_ticks_do_not_collide(open_page, request, file):
    collide = """() => [...document.querySelectorAll('svg.ax')].flatMap((one) => {
      const boxes = [...one.querySelectorAll('text')].map((each) => each.getBoundingClientRect());
      const shown = boxes.filter((box) => box.width);
      return shown.slice(1).filter((box, at) => box.left < shown[at].right + 1).map(() => one.outerHTML.slice(0, 200));
    })"""
    for width, media in ((390, "screen"), (1366, "screen"), (688, "print")):
        page = open_page(width, file=request.getfixturevalue(file))
        page.emulate_media(media=media)
        page.evaluate(OPEN_ALL)
        assert page.evaluate(collide) == []


@pytest.fixture(scope="module")
def other_pages(tmp_path_factory):
    """An analysis of solvers with long names, and a page about pairs."""
    rules = ["first", "second", "longer"]
    analysis = wg.analyse(six("en"), rules, kinds=["relative", "switched"], renamed=0, progress=False)
    long_names = {name: f"organisation/{name}-" + "a-long-name-" * 12 for name in rules}
    rows = tuple(replace(row, model=long_names.get(row.model, "")) for row in analysis.rows)
    pairs = LogicReport((model("able", good, languages="en pt"), model("control", good, control="premise-only")))
    pages = (analysis_page(replace(analysis, rows=rows)), logic_page(pairs))
    files = [tmp_path_factory.mktemp("others") / f"{place}.html" for place in range(len(pages))]
    for page, file in zip(pages, files, strict=True):
        file.write_text(page.html(file.name), encoding="utf-8")
    return files


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1366, "light")])
def test_the_other_pages_are_accessible_and_fit_the_screen_with_everything_open(browser, other_pages, width, scheme):
    from axe_playwright_python.sync_playwright import Axe

    for file in other_pages:
        page = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme).new_page()
        page.goto(file.as_uri())
        assert page.locator(".ex").count() == 1
        page.evaluate(OPEN_ALL)
        assert overflow(page) == 0
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()


def test_a_transfer_figure_is_downloaded_as_it_is_shown(browser, tmp_path):
    file = tmp_path / "page.html"
    file.write_text(
        logic_page(LogicReport((model("crossed", good, languages="en pt"),))).html(file.name), encoding="utf-8"
    )
    page = browser.new_page()
    page.goto(file.as_uri())
    with page.expect_download() as caught:
        page.click("#transfer-figure [data-x=csv]")
    heading, row = caught.value.path().read_text(encoding="utf-8").splitlines()
    assert heading == "Model,en,en low,en high,en n,pt,pt low,pt high,pt n"
    assert row.startswith("crossed,90.0,")
