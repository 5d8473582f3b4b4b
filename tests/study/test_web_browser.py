"""Whole participations in a real browser: desktop and phone, by keyboard, without JavaScript, with a bad connection."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from study.visitor import a_study
from study.visitor import served as running
from winoglot.study.storage import Decision, Storage, Task
from winoglot.study.web.app import make_app
from winoglot.study.web.texts import texts

pytestmark = pytest.mark.slow
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@contextmanager
def served(storage: Storage) -> Iterator[str]:
    """The address of a server, as long as the block runs."""
    with running(make_app(storage)) as (_, (host, port)):
        yield f"http://{host}:{port}"


@pytest.fixture
def storage(tmp_path: Path) -> Iterator[Storage]:
    with a_study(f"{tmp_path}/study.db", completion_code=True) as storage:
        yield storage


@pytest.fixture
def address(storage: Storage) -> Iterator[str]:
    with served(storage) as address:
        yield address


Opening = Callable[..., Any]


@pytest.fixture
def new_page(browser: Any) -> Iterator[Opening]:
    """A page in a browser of its own, which notes everything that should not happen."""
    contexts = []

    def opened(**options: Any) -> Any:
        context = browser.new_context(**(DESKTOP | options))
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.troubles = []
        page.on("console", lambda message: page.troubles.append(message.text))
        page.on("pageerror", lambda error: page.troubles.append(str(error)))
        page.on("request", lambda sent: "127.0.0.1" in sent.url or page.troubles.append(sent.url))
        return page

    yield opened
    for context in contexts:
        context.close()


def begin(page: Any, address: str) -> None:
    page.goto(address)
    page.click("form[action='/join'] button")
    page.check("#able")
    page.check("#agreed")
    go_on(page)


def go_on(page: Any) -> None:
    """Press the button at the end of a page, and wait for the next page."""
    with page.expect_navigation():
        page.click(".foot .main")


def choose(page: Any, at: int = 0) -> None:
    """Choose an answer on a page with one problem, and go on."""
    page.locator(".ans").nth(at).click()
    go_on(page)


def to_test(page: Any, address: str) -> None:
    """The first problem of the test."""
    begin(page, address)
    for _ in range(2):
        choose(page)
        go_on(page)
    assert title(page).startswith("Text 1 of 5")


def title(page: Any) -> str:
    return str(page.title().partition(" – ")[0])


def decisions(storage: Storage, part: str = "test") -> list[tuple[int, int | None]]:
    """Task and choice of every decision, in the order in which they were made."""
    query = select(Decision.task_id, Decision.choice).join(Task).where(Task.part == part).order_by(Decision.id)
    with storage.reading() as session:
        return [tuple(row) for row in session.execute(query)]


def check_page(page: Any, *schemes: str) -> None:
    """Accessible in light and dark, or only in these schemes, and no wider than the screen."""
    from axe_playwright_python.sync_playwright import Axe

    page.wait_for_load_state("load")  # on a busy machine, the page before it may not be gone yet
    for scheme in schemes or ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found = Axe().run(page)
        assert found.violations_count == 0, f"{title(page)}, {scheme}: {found.generate_report()}"
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0
    assert page.locator("h1").count() == 1


def finish(page: Any, check: Callable[[Any], None] = lambda _page: None) -> list[str]:
    """Go on to the end; the titles of the pages on the way."""
    titles = []
    while not page.locator("form[action='/comment']").count():
        titles.append(title(page))
        check(page)
        go_on(page) if page.locator(".feedback").count() else choose(page)
    return titles


def check_language(page: Any, language: str) -> None:
    """Nothing on the page is in English, and nothing says that it is in another language."""
    translated = texts(language)
    english = {one for one in filter(None, texts("en")._catalog.values()) if translated.gettext(one) != one}
    assert not english.intersection(page.locator("body").inner_text().splitlines())
    assert set(page.locator("[lang]").evaluate_all("(all) => all.map((one) => one.lang.slice(0, 2))")) == {language}


@pytest.mark.parametrize("device", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_whole_participation_on_accessible_pages(
    new_page: Opening, address: str, storage: Storage, device: dict[str, Any]
) -> None:
    page = new_page(**device)
    page.goto(address)
    check_page(page)
    page.click("form[action='/join'] button")
    check_page(page)
    page.check("#able")
    page.check("#agreed")
    go_on(page)
    seen: set[str] = set()

    def check(page: Any) -> None:
        kind = re.sub(r"\d+", "", title(page)) + str(page.locator(".feedback").count())
        if kind not in seen:
            seen.add(kind)
            check_page(page)
            if kind.startswith("Text"):  # with a flag and the comment that it opens
                page.locator(".chip").first.click()
                page.locator("textarea").fill("Both fit.")
                check_page(page)

    titles = finish(page, check)
    assert [one for one in titles if one.startswith("Text")] == [f"Text {at} of 5" for at in range(1, 6)]
    assert len(seen) == 4
    page.locator("details").evaluate_all("(all) => all.forEach((one) => (one.open = true))")
    check_page(page)
    assert page.troubles == []
    page.fill("#comment", "Fine.")
    page.click("form[action='/comment'] button")
    page.get_by_text("Your comment is saved").wait_for()
    page.goto(f"{address}/link")
    page.locator("details").evaluate_all("(all) => all.forEach((one) => (one.open = true))")
    check_page(page)
    page.click("form[action='/delete'] button")
    page.wait_for_url("**/deleted")
    check_page(page)
    assert decisions(storage) == []


@pytest.mark.parametrize(
    ("language", "device"),
    [("fr", DESKTOP), ("pt", PHONE), ("zh", PHONE), ("de", DESKTOP), ("ru", PHONE), ("ja", PHONE)],
    ids=["fr-desktop", "pt-phone", "zh-phone", "de-desktop", "ru-phone", "ja-phone"],
)
def test_a_whole_participation_in_another_language(
    new_page: Opening, tmp_path: Path, language: str, device: dict[str, Any]
) -> None:
    def check(page: Any) -> None:
        check_language(page, language)

    with a_study(f"{tmp_path}/study.db", language, completion_code=True) as storage, served(storage) as address:
        page = new_page(**device)
        page.goto(address)
        check(page)
        begin(page, address)
        check_page(page)
        titles = finish(page, check)
        assert len(titles) > 2 * 2 + 5
        page.locator("details").evaluate_all("(all) => all.forEach((one) => (one.open = true))")
        check_page(page)
        check(page)
        assert texts(language).gettext("Thank you. Your answers are saved.") == page.inner_text("h1")
        assert len(decisions(storage)) == 5
        for path in ("/link", "/left", "/p/nobody", "/nowhere"):
            page.goto(address + path)
            check(page)


def test_pages_with_errors_and_ten_problems_are_accessible(new_page: Opening, tmp_path: Path) -> None:
    questions = ("native-language", "age", "Where did you grow up? | here | there")
    settings = {"per_screen": 10, "problems": 9, "training": 1, "background": questions, "consent": "# Hello\n\nYou."}
    with a_study(f"{tmp_path}/ten.db", **settings) as storage, served(storage) as address:
        page = new_page(**PHONE)
        page.goto(address)
        page.click("form[action='/join'] button")
        page.click(".next")
        page.locator(".summary").wait_for()
        check_page(page)
        page.check("#agreed")
        page.click(".next")
        choose(page)
        go_on(page)
        page.locator(".many").wait_for()
        page.locator("summary").nth(1).click()
        page.locator(".chip").nth(2).click()
        page.locator(".ans").first.click()
        page.click(".next")
        page.locator(".summary").wait_for()
        check_page(page)
        assert page.evaluate("document.activeElement.className") == "summary"
        assert page.locator(".problem > .error:visible").count() == 9
        assert page.locator(".ans :checked").count() == 1
        page.locator(".summary a").first.click()
        assert page.evaluate("document.activeElement.getAttribute('role')") == "radiogroup"
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.type") == "radio"
        page.locator(".summary").focus()
        page.keyboard.type("121212121")  # each key answers the next problem that has no answer
        assert page.locator(".error:visible").count() == 0
        go_on(page)
        assert title(page) == "Text 11 of 11" or title(page).startswith("Second look")
        for path in ("/p/nobody", "/nowhere"):
            page.goto(address + path)
            check_page(page)


def test_by_keyboard_alone(new_page: Opening, address: str, storage: Storage) -> None:
    page = new_page()
    page.goto(address)

    def tab_to(selector: str) -> None:
        for _ in range(30):
            page.keyboard.press("Tab")
            if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
                assert page.evaluate(
                    """() => [document.activeElement, document.activeElement.closest('label')].some((one) =>
                    one && getComputedStyle(one).outlineStyle !== 'none')"""
                )
                return
        raise AssertionError(f"{selector} is out of reach")

    tab_to("form[action='/join'] button")
    page.keyboard.press("Enter")
    page.wait_for_url("**/study")
    for box in ("#able", "#agreed"):
        tab_to(box)
        page.keyboard.press("Space")
    tab_to(".next")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    for keys in (("1",), (), ("2",), (), ("1", "a"), ("0",), ("2", "u")):  # two texts of practice with their feedback
        for key in keys:
            page.keyboard.press(key)
        with page.expect_navigation():
            page.keyboard.press("Enter")
    # without shortcuts, as every form works
    tab_to("input[type=radio]")
    page.keyboard.press("ArrowDown")
    tab_to("[data-keys]")
    page.keyboard.press("Enter")
    page.keyboard.press("0")
    assert page.locator(".answers :checked").get_attribute("data-key") == "2"
    page.locator(".next").focus()
    with page.expect_navigation():
        page.keyboard.press("Enter")
    with storage.reading() as session:
        rows = session.execute(
            select(Task.ambiguous, Task.unnatural, Task.choice).where(Task.part == "test").order_by(Task.position)
        ).all()
    assert [row[:2] for row in rows[:4]] == [(True, False), (False, False), (False, True), (False, False)]
    assert rows[1].choice is None
    assert page.troubles == []


@pytest.mark.parametrize("device", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_without_javascript(new_page: Opening, address: str, storage: Storage, device: dict[str, Any]) -> None:
    page = new_page(**device, java_script_enabled=False)
    begin(page, address)
    assert not page.locator("kbd").first.is_visible()
    titles = finish(page)
    assert [one for one in titles if one.startswith("Text")] == [f"Text {at} of 5" for at in range(1, 6)]
    assert len(decisions(storage)) == 5
    page.locator("summary").last.click()
    page.click("form[action='/delete'] button")
    page.wait_for_url("**/deleted")


def test_an_answer_given_without_a_connection_is_sent_when_it_is_back_also_by_another_page(
    new_page: Opening, address: str, storage: Storage
) -> None:
    from playwright.sync_api import expect

    def answer_offline(page: Any) -> None:
        page.context.set_offline(True)
        page.locator(".ans").nth(1).click()
        page.click(".next")
        page.locator(".status").wait_for()

    page = new_page()
    to_test(page, address)
    answer_offline(page)
    assert "There is no connection" in page.locator(".status").inner_text()
    check_page(page)
    page.click(".next", force=True)  # impatience changes nothing
    assert decisions(storage) == []
    with page.expect_navigation():
        page.context.set_offline(False)
    assert title(page) == "Text 2 of 5"
    assert len(decisions(storage)) == 1
    assert page.evaluate("Object.keys(localStorage)") == []
    answer_offline(page)
    context = page.context
    page.close()
    context.set_offline(False)
    page = context.new_page()
    page.goto(f"{address}/study")
    expect(page).to_have_title(re.compile("^Text 3 of 5"))
    assert len(decisions(storage)) == 2


@pytest.mark.parametrize("faults", [("503", "429"), ("lost",)], ids=["fails", "reply lost"])
def test_a_server_that_fails_for_a_while_gets_one_answer(
    new_page: Opening, address: str, storage: Storage, faults: tuple[str, ...]
) -> None:
    page, left = new_page(), list(faults)
    to_test(page, address)

    def reply(route: Any) -> None:
        fault = left.pop(0) if left else ""
        if fault == "lost":
            assert route.fetch().status == 200
            route.abort()
        elif fault:
            route.fulfill(status=int(fault))
        else:
            route.continue_()

    page.route("**/answer", reply)
    page.locator(".ans").nth(0).click()
    with page.expect_navigation(timeout=30_000):
        page.click(".next")
    assert title(page) == "Text 2 of 5"
    assert left == []
    assert len(decisions(storage)) == 1


@pytest.mark.parametrize("javascript", [True, False])
def test_a_double_click_is_one_answer(new_page: Opening, address: str, storage: Storage, javascript: bool) -> None:
    page = new_page(java_script_enabled=javascript)
    to_test(page, address)
    page.locator(".ans").nth(0).click()
    page.locator(".next").dblclick()
    page.get_by_text("2 of 5", exact=True).wait_for()
    assert page.locator(".answers :checked").count() == 0
    assert len(decisions(storage)) == 1


def test_the_browsers_back_button_leads_to_the_problem_before(
    new_page: Opening, address: str, storage: Storage
) -> None:
    page = new_page()
    to_test(page, address)
    choose(page, 0)
    page.wait_for_url("**at=*")
    choose(page, 0)
    page.wait_for_url("**at=*")
    assert title(page) == "Text 3 of 5"
    page.go_back()
    assert title(page) == "Text 2 of 5"
    assert page.locator(".answers input").nth(0).is_checked()
    choose(page, 1)
    assert title(page) == "Text 3 of 5"
    made = decisions(storage)
    assert [task for task, _choice in made] == [made[0][0], made[1][0], made[1][0]]
    assert made[1][1] != made[2][1]


def test_two_tabs_make_one_answer_with_its_history(new_page: Opening, address: str, storage: Storage) -> None:
    first = new_page()
    to_test(first, address)
    second = first.context.new_page()
    second.goto(f"{address}/study")
    choose(first, 0)
    choose(second, 1)
    assert title(first) == title(second) == "Text 2 of 5"
    (task, before), (same, after) = decisions(storage)
    assert task == same
    assert before != after
    with storage.reading() as session:
        assert session.scalars(select(Task.choice).where(Task.id == task)).one() == after


def test_leaving_removes_what_the_browser_kept(new_page: Opening, address: str) -> None:
    page = new_page()
    to_test(page, address)
    page.locator(".ans").nth(1).click()
    page.locator(".chip").nth(0).click()
    page.fill("textarea", "Hm.")
    page.reload()
    assert page.locator(".answers input").nth(1).is_checked()
    assert page.locator(".chip input").nth(0).is_checked()
    assert page.input_value("textarea") == "Hm."
    assert "Hm." in page.evaluate("Object.values(localStorage).join()")
    page.goto(f"{address}/link")
    page.get_by_text("Leave the study on this device").click()
    page.get_by_role("button", name="Leave").click()
    page.get_by_text("You have left the study on this device.").wait_for()
    assert page.evaluate("Object.keys(localStorage)") == []


def test_only_the_time_that_a_page_is_visible_counts(new_page: Opening, address: str, storage: Storage) -> None:
    page = new_page()
    page.clock.install()
    to_test(page, address)

    def turn(hidden: str) -> None:
        page.evaluate(
            f"""() => {{ Object.defineProperty(document, 'hidden', {{ value: {hidden}, configurable: true }});
            document.dispatchEvent(new Event('visibilitychange')); }}"""
        )

    page.clock.run_for(20_000)
    turn("true")
    page.clock.run_for(600_000)
    turn("false")
    page.clock.run_for(30_000)
    choose(page)
    with storage.reading() as session:
        seconds = session.scalars(select(Decision.seconds).join(Task).where(Task.part == "test")).one()
    assert 50 <= seconds < 600


def test_the_personal_link_is_copied(new_page: Opening, address: str) -> None:
    page = new_page(permissions=["clipboard-read", "clipboard-write"])
    to_test(page, address)
    page.click(".top a")
    page.click(".copy")
    page.get_by_text("Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == page.locator("#link").inner_text()
