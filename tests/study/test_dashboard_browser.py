"""The researcher's pages in a real browser: desktop and phone, light and dark, with and without JavaScript."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from study.answered import fill
from study.test_web_browser import (
    DESKTOP,
    PHONE,
    Opening,
    check_language,
    check_page,
    choose,
    go_on,
    new_page,
    served,
)
from study.test_web_dashboard import TOKEN, a_study
from winoglot.study.create import invite, set_state
from winoglot.study.issues import decide_item
from winoglot.study.storage import Storage, Task

__all__ = ["new_page"]  # a fixture
pytestmark = pytest.mark.slow
PAGES = ("", "/items", "/people", "/comments")
OPEN_ALL = "document.querySelectorAll('details').forEach((one) => (one.open = true))"


@pytest.fixture
def storage(tmp_path: Path) -> Iterator[Storage]:
    with a_study(f"{tmp_path}/study.db", people=14, panels=2, background=("native-language", "age")) as storage:
        yield storage


@pytest.fixture
def address(storage: Storage) -> Iterator[str]:
    with served(storage) as address:
        yield address


def log_in(page: Any, address: str, token: str = TOKEN) -> None:
    page.goto(f"{address}/researcher/login")
    page.fill("#token", token)
    with page.expect_navigation():
        page.click("button.main")


@pytest.mark.parametrize("device", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_every_page_is_accessible_and_fits(new_page: Opening, address: str, device: dict[str, Any]) -> None:
    page = new_page(**device)
    log_in(page, address, "wrong")
    assert page.locator("#token-error").is_visible()
    check_page(page)
    page.troubles.clear()  # the browser notes the status of the page
    log_in(page, address)
    for path in PAGES:
        page.goto(f"{address}/researcher{path}")
        page.evaluate(OPEN_ALL)
        check_page(page)
    page.goto(f"{address}/researcher/items")
    page.click("tbody a >> nth=0")
    check_page(page)
    page.goto(f"{address}/researcher/people")
    page.click("text=Create links")
    check_page(page)
    assert page.troubles == []


@pytest.mark.parametrize(
    ("language", "device", "scheme"),
    [
        ("fr", DESKTOP, "dark"),
        ("pt", PHONE, "light"),
        ("zh", PHONE, "dark"),
        ("de", DESKTOP, "light"),
        ("ru", PHONE, "dark"),
        ("ja", PHONE, "light"),
    ],
    ids=["fr-desktop-dark", "pt-phone-light", "zh-phone-dark", "de-desktop-light", "ru-phone-dark", "ja-phone-light"],
)
def test_experts_and_the_dashboard_in_another_language(
    new_page: Opening, tmp_path: Path, language: str, device: dict[str, Any], scheme: str
) -> None:
    page = new_page(**device)

    def check() -> None:
        page.evaluate(OPEN_ALL)
        check_page(page, scheme)
        check_language(page, language)

    with a_study(f"{tmp_path}/study.db", people=14, panels=2, language=language) as storage:
        missed = [one for one in storage.problems.values() if one.part == "test"][:2]
        with storage.writing() as session:
            session.execute(update(Task).where(Task.problem_id.in_([one.id for one in missed])).values(choice=None))
        decide_item(storage, missed[0].item_id, "drop", missed[0].item_id)
        set_state(storage, "closed")
        (link,) = invite(storage, 1, expert=True)
        with served(storage) as address:
            page.goto(f"{address}/p/{link}")
            check()
            page.check("#able")
            page.check("#agreed")
            go_on(page)
            page.locator(".chip").first.click()  # opens the comment
            check()
            choose(page, 2)  # too ambiguous
            while page.locator(".ans").count():
                choose(page)
            check()
            log_in(page, address)
            for path in (*PAGES, f"/item?id={missed[0].item_id}"):
                page.goto(f"{address}/researcher{path}")
                check()
            assert page.troubles == []


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without"])
def test_what_a_researcher_does(new_page: Opening, address: str, scripts: bool) -> None:
    page = new_page(java_script_enabled=scripts)
    log_in(page, address)
    assert re.match(r"A single reader is right \d+\.\d% of the time", page.inner_text("h1"))
    page.click("button >> text=Drop")
    assert page.inner_text("[aria-pressed=true]") == "Drop"
    assert "1 item is marked to drop but still counted" in page.inner_text(".evidence")
    page.click(".dis a >> nth=0")
    page.fill("#note", "Both fit.")
    page.click("[aria-pressed=true]")  # takes it back
    assert page.locator("[aria-pressed=true]").count() == 0
    assert page.input_value("#note") == "Both fit."
    assert page.locator("h2", has_text="All answers").is_visible()
    page.click("nav >> text=Overview")
    with page.expect_download() as download:
        page.click("text=Answers (CSV)")
    assert download.value.path().read_text().startswith("person,panel,item,")
    page.click("nav >> text=People")
    number = page.inner_text("tbody th >> nth=0")
    page.click("tbody summary >> nth=0")
    page.click(f"text=Delete {number}")
    assert page.inner_text("[role=status]") == "✓ This person and everything about them have been deleted."
    assert page.locator("tbody th", has_text=number).count() == 0
    page.click("nav >> text=Overview")
    page.click("button >> text=Close the study")
    assert page.inner_text(".badge") == "Closed"
    page.click("button >> text=Reopen the study")
    assert page.inner_text(".badge") == "Open"
    page.click("text=Log out")
    page.goto(f"{address}/researcher/people")
    assert page.url.endswith("/researcher/login")
    assert page.troubles == []


def test_numbers_are_kept_up_to_date(new_page: Opening, tmp_path: Path) -> None:
    with a_study(f"{tmp_path}/empty.db") as storage, served(storage) as address:
        page = new_page()
        page.clock.install()
        log_in(page, address)
        assert page.inner_text("h1") == "Nobody has answered yet"
        fill(storage, 8, problems=12)
        page.wait_for_timeout(5500)  # results are computed at most every five seconds
        page.clock.fast_forward(16_000)
        page.wait_for_selector("h1 >> text=A single reader is right")
        page.click("text=Pause automatic updates")
        assert page.locator("text=Resume automatic updates").is_visible()
        assert page.troubles == []
