"""The researcher's pages, for a browser without JavaScript."""

import csv
import io
import json
import re
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import func, select, update

import winoglot as wg
from cases import for_each
from study.answered import fill
from study.visitor import Visitor
from winoglot.study.create import create_study, set_state
from winoglot.study.database import open_storage
from winoglot.study.issues import decide_item
from winoglot.study.settings import StudySettings
from winoglot.study.storage import (
    Decision,
    Participant,
    ResearcherSession,
    Storage,
    Study,
    Task,
    token_hash,
)
from winoglot.study.web import snapshot
from winoglot.study.web.texts import PAGE_LANGUAGES

TOKEN = "the-token"


def a_study(database: str, people: int = 0, language: str = "en", **settings) -> Storage:
    usual = {"training": 2, "problems": 12, "judgements": 4, "kinds": ("tense",), "page_language": language}
    chosen = StudySettings(**(usual | settings))
    storage, _ = create_study(wg.load(f"winoglot-{language}")[:14], "Pronouns", database, chosen)
    with storage.writing() as session:
        session.execute(update(Study).values(token_hash=token_hash(TOKEN)))
    if people:
        fill(storage, people, problems=12, days=3)
    return storage


def logged_in(storage: Storage, **options) -> Visitor:
    visitor = Visitor(storage, **options).open("/researcher/login").send("/researcher/login", token=TOKEN)
    assert visitor.url == "/researcher"
    return visitor


def count(storage: Storage, table: type) -> int:
    with storage.reading() as session:
        return session.scalar(select(func.count()).select_from(table)) or 0


@pytest.fixture(scope="module")
def answered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of a study in which twelve people took part."""
    path = tmp_path_factory.mktemp("study") / "study.db"
    with a_study(str(path), people=12):
        return path


@pytest.fixture
def storage(answered: Path, tmp_path: Path) -> Iterator[Storage]:
    """The same for one test, which may do with it what it likes."""
    with open_storage(shutil.copy(answered, tmp_path)) as storage:
        yield storage


@pytest.fixture
def researcher(storage: Storage) -> Visitor:
    return logged_in(storage)


def test_the_token_opens_the_dashboard_until_logout(database: str) -> None:
    with a_study(database) as storage:
        visitor = Visitor(storage).open("/researcher")
        assert visitor.url == "/researcher/login"
        fields = visitor.form("/researcher/login").fields | {"token": TOKEN}
        reply = visitor.client.post("/researcher/login", data=fields, follow_redirects=False)
        cookie = reply.headers["set-cookie"]
        assert cookie.startswith("__Host-winoglot-researcher=")
        assert {"HttpOnly", "Secure", "SameSite=strict", "Path=/"} <= set(cookie.split("; "))
        assert TOKEN not in cookie
        visitor.open("/researcher/login").send("/researcher/login", token=f" {TOKEN} ")
        assert (visitor.status, visitor.url) == (200, "/researcher")
        assert "Nobody has answered yet" in visitor.text
        kept = dict(visitor.client.cookies)
        visitor.send("/researcher/logout")
        visitor.client.cookies.update(kept)  # a stolen copy of the cookie is of no use afterwards
        assert visitor.open("/researcher").url == "/researcher/login"
        assert count(storage, ResearcherSession) == 0


def test_the_overview_says_what_the_command_line_says(storage: Storage, researcher: Visitor) -> None:
    from winoglot.study.answers import read_answers
    from winoglot.study.results import study_results

    found = study_results(read_answers(storage))
    accuracy = found.originals.accuracy
    assert f"A single reader is right {100 * accuracy.value:.1f}% of the time" in researcher.text
    low, high = 100 * accuracy.low, 100 * accuracy.high
    assert f"95% interval {low:.1f}% to {high:.1f}%; n = {accuracy.n} answers by" in researcher.text
    for kind in found.kinds:
        for share in (kind.accuracy, kind.after, kind.majority, kind.full_agreement, kind.questions["ambiguous"]):
            assert f"{100 * share.low:.1f}–{100 * share.high:.1f}" in researcher.text
        assert f"{kind.alpha.low:.2f}–{kind.alpha.high:.2f}".replace("-", "−") in researcher.text
    assert found.excluded
    for number, why in found.excluded.items():
        assert f"{number} {why.replace('problems', 'items')}" in researcher.text


def test_every_answer_to_an_item_and_items_of_a_kind_page_by_page(storage: Storage, researcher: Visitor) -> None:
    link = re.search(r'href="(/researcher/item\?id=[^"]+)"', researcher.html)
    assert link is not None
    researcher.open(link[1].replace("&amp;", "&"))
    assert "All answers" in researcher.text
    assert re.search(r"% right before verification \(95% interval .* n = \d+\)", researcher.text)
    everything = researcher.open("/researcher/items").html.count('<th scope="row">')
    assert 0 < researcher.open("/researcher/items?kind=tense").html.count('<th scope="row">') < everything
    statuses = {"item?id=no-such-item": 404, "item": 404, "items?page=99&kind=no-such-kind": 200, "items?page=x": 400}
    assert {path: researcher.open(f"/researcher/{path}").status for path in statuses} == statuses


def test_tables_to_download(storage: Storage, researcher: Visitor) -> None:
    response = researcher.client.get("/researcher/export.csv")
    assert response.headers["content-disposition"] == 'attachment; filename="answers.csv"'
    rows = list(csv.DictReader(io.StringIO(response.text)))
    lines = researcher.client.get("/researcher/export.jsonl").text.splitlines()
    assert len(rows) == len(lines) > 100
    assert json.loads(lines[0])["item"] == rows[0]["item"]
    people = list(csv.DictReader(io.StringIO(researcher.client.get("/researcher/export.csv?table=people").text)))
    assert {row["person"] for row in rows} == {row["person"] for row in people}
    assert researcher.client.get("/researcher/export.parquet").content[:4] == b"PAR1"
    with zipfile.ZipFile(io.BytesIO(researcher.client.get("/researcher/export.zip").content)) as archive:
        assert {"answers.csv", "people.parquet", "README.md", "judgements.jsonl"} <= set(archive.namelist())
    assert researcher.client.get("/researcher/export.exe").status_code == 404
    assert researcher.client.get("/researcher/export.csv?table=study").status_code == 404


def test_deleting_somebody_deletes_everything_about_them(database: str) -> None:
    with a_study(database, people=3) as storage:
        visitor = logged_in(storage).open("/researcher/people")
        with storage.reading() as session:
            person = session.scalars(select(Participant)).first()
            answers = session.scalar(select(func.count()).where(Task.participant_id == person.id))
        tasks, decisions = count(storage, Task), count(storage, Decision)
        fields = visitor.form("/researcher/delete").fields | {"person": person.number}
        visitor._at(visitor.client.post("/researcher/delete", data=fields))
        assert "everything about them have been deleted" in visitor.text
        assert person.number not in visitor.open("/researcher/people").html
        assert (count(storage, Participant), count(storage, Task)) == (2, tasks - answers)
        assert count(storage, Decision) < decisions


def test_links_are_shown_once_and_can_be_revoked(storage: Storage, researcher: Visitor) -> None:
    researcher.open("/researcher/people").send("/researcher/invite", count="3")
    links = re.findall(r"https://study\.example/p/\S+", researcher.html)
    assert len(links) == 3
    assert "cannot be shown again" in researcher.text
    guest = Visitor(storage).open(links[0].removeprefix("https://study.example"))
    assert guest.url == "/study"
    researcher.open("/researcher/people")
    assert "3 personal links have not been used yet." in researcher.text
    assert links[0] not in researcher.html
    revoke = next(
        form for form in researcher.page.forms if form.action == "/researcher/revoke" and not form.fields["person"]
    )
    researcher._at(researcher.client.post("/researcher/revoke", data=revoke.fields | {"person": links[0]}))
    assert "no longer valid" in researcher.text
    assert guest.open("/study").status == 404
    researcher._at(researcher.client.post("/researcher/revoke", data=revoke.fields | {"person": "nobody"}))
    assert "No participant has this number or link" in researcher.text
    for number in ("0", "-1", "1e3", "501", "x", ""):
        researcher.open("/researcher/people").send("/researcher/invite", count=number)
        assert "The number of links must be between 1 and 500" in researcher.text


def test_items_are_kept_repaired_or_dropped(storage: Storage, researcher: Visitor) -> None:
    def pressed() -> list[str]:
        return re.findall(r'aria-pressed="true">(\w+)', researcher.html)

    listed = researcher.open("/researcher").form("/researcher/decide").fields
    assert pressed() == []
    looks = int(re.search(r"(\d+) items? needs? a look", researcher.text)[1])
    researcher.send("/researcher/decide", decision="drop")
    assert researcher.url.startswith("/researcher?done=decided#item-")
    assert pressed() == ["Drop"]
    assert "1 item is marked to drop but still counted; without it, a single reader is right" in researcher.text
    assert f" {looks - 1} item" in researcher.text
    researcher.open(f"/researcher/item?id={listed['item']}").send("/researcher/decide", decision="drop", note="<b>Hm.")
    assert "Your decision about the item is saved" in researcher.text
    assert researcher.form("/researcher/decide").fields["note"] == "<b>Hm."
    researcher.open("/researcher").send("/researcher/decide", decision="repair")
    assert pressed() == ["Repair"]
    assert "marked to drop" not in researcher.text
    assert "Repair" in researcher.open("/researcher/items").text
    rows = csv.DictReader(io.StringIO(researcher.open("/researcher/export.csv?table=items").html))
    assert [(row["item"], row["note"]) for row in rows if row["decision"]] == [(listed["item"], "<b>Hm.")]
    researcher.open("/researcher").send("/researcher/decide", decision="")
    assert pressed() == []
    for wrong in ({"decision": "burn"}, {"item": "nothing.0"}, {"note": "x" * 2001}):
        sent = listed | {"decision": "drop"} | wrong
        assert researcher.client.post("/researcher/decide", data=sent).status_code == 400
    assert pressed() == []


def test_results_are_computed_once_for_everybody_who_looks(storage: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshot, "_FRESH", 1000.0)
    snapshots = logged_in(storage).app.state.snapshots
    before = snapshots.get(pilot=False)
    assert snapshots.get(pilot=False) is before
    item = before.to_check[0].problem.item_id
    decide_item(storage, item, "drop")  # by another process: it is shown without computing the rest again
    after = snapshots.get(pilot=False)
    assert after.results.kinds is before.results.kinds
    assert after.results.dropped.items == 1
    assert next(row for row in after.items if row.problem.item_id == item).decided.decision == "drop"
    Visitor(storage).begin().finish()  # more answers, soon after: those who look wait for them
    assert snapshots.get(pilot=False) is after
    with storage.writing() as session:  # what was deleted is gone at once
        session.delete(session.scalars(select(Participant)).first())
    assert len(snapshots.get(pilot=False).people) == len(before.people)  # one more, one less
    assert snapshots.get(pilot=False) is not after


def test_a_study_is_closed_for_its_experts_and_opened_again(storage: Storage, researcher: Visitor) -> None:
    participant = Visitor(storage).begin()
    researcher.open("/researcher/people").send("/researcher/invite", count="1", expert="yes")
    assert "Experts can be invited once the study is closed" in researcher.text
    researcher.open("/researcher").send("/researcher/close")
    assert "The study is closed: nobody can start or continue." in researcher.text
    assert "The study is closed." in participant.open("/study").text
    researcher.open("/researcher/people").send("/researcher/invite", count="1", expert="yes")
    assert "For experts: one link per person." in researcher.text
    researcher.open("/researcher").send("/researcher/open")
    assert "The study is open: people can start and continue." in researcher.text
    assert participant.open("/study").asks


def test_a_pilot_is_shown_apart(tmp_path: Path) -> None:
    with a_study(f"{tmp_path}/study.db") as storage:
        set_state(storage, "pilot")
        Visitor(storage).begin().finish()
        visitor = logged_in(storage)
        assert "1 participant " in visitor.open("/researcher/people").text
        visitor.open("/researcher").send("/researcher/open")
        assert "Nobody has answered yet" in visitor.text
        assert "0 participants" in visitor.open("/researcher/people?pilot=no").text
        assert "1 participant " in visitor.open("/researcher/people?pilot=yes").text


def test_groups_of_people_are_shown_unless_they_are_small(tmp_path: Path) -> None:
    own = "Where did <you> grow up? | here | there"
    with a_study(f"{tmp_path}/study.db", people=12, background=("age", own)) as storage:
        with storage.writing() as session:  # one person says where they grew up
            session.execute(update(Participant).where(Participant.id == 1).values(background={own: "here"}))
        visitor = logged_in(storage)
        assert re.search(r"How old are you\? 18–29 \d", visitor.text)
        assert "30–39" not in visitor.text  # four people
        assert "Where did" not in visitor.text
        people = list(csv.DictReader(io.StringIO(visitor.client.get("/researcher/export.csv?table=people").text)))
        assert {row["age"] for row in people} == {"18–29", ""}
        assert {row["Where did <you> grow up?"] for row in people} == {""}


@for_each("language", sorted({*PAGE_LANGUAGES} - {"en"}))
def test_the_dashboard_speaks_the_language_of_the_pages(tmp_path: Path, language: str) -> None:
    with a_study(f"{tmp_path}/{language}.db", people=5, page_language=language) as storage:
        visitor = logged_in(storage)
        for path in ("", "/items", "/people", "/comments"):
            assert visitor.open(f"/researcher{path}").status == 200
            assert f'<html lang="{language}">' in visitor.html
