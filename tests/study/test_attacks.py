"""Attacks on participants' pages: forged cookies, others' tasks, scripts, SQL, malformed requests, other hosts."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import func, select, update
from starlette.testclient import TestClient

from cases import cases_file, for_each
from study.attacking import MARKUP, SQL, counts, evil_collection, wrong_markup
from study.visitor import Visitor, a_study
from winoglot.study.answers import read_answers
from winoglot.study.create import create_study, find_person, revoke
from winoglot.study.database import open_storage
from winoglot.study.export import tables
from winoglot.study.platforms import platform_files
from winoglot.study.settings import StudySettings
from winoglot.study.storage import Decision, Participant, Problem, Storage, Study, Task
from winoglot.study.web.app import make_app
from winoglot.study.web.sessions import Limit, Limits, Signer

JSON = {"Accept": "application/json"}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
PARTS = b"--x\r\nContent-Disposition: form-data; name=task\r\n\r\n1\r\n"
COOKIE = "__Host-winoglot-participant"
FORMULAS = ("=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "a;=1", "＝1+1", "a\n＠SUM(A1)")


@pytest.fixture(scope="module")
def storage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Storage]:
    """A study that stays open; every test has its own participants."""
    with a_study(f"{tmp_path_factory.mktemp('study')}/study.db") as storage:
        yield storage


# Forged and replayed cookies, other people's tasks, forms of other sites.


def test_cookies_that_nobody_signed(storage: Storage) -> None:
    visitor = Visitor(storage).begin()
    good, signer = visitor.client.cookies[COOKIE], visitor.app.state.site.signer
    token = signer.read("participant", good)
    forged = [
        token,
        f"{token}.",
        f"{token}.{'0' * 64}",
        f"{token}x.{good.rpartition('.')[2]}",
        good[:-1] + ("0" if good[-1] != "0" else "1"),
        Signer("another study").signed("participant", token),
        signer.signed("visitor", token),
        signer.signed("researcher", token),
        f"{token}.{signer.form_token(token)}",
        "é.é",
        '"\\377\\000.\\377"',
        "." * 5000,
    ]
    for cookie in forged:
        reply = TestClient(visitor.app, base_url="https://study.example", follow_redirects=False).get(
            "/study", headers={"Cookie": f"{COOKIE}={cookie}".encode()}
        )
        assert (reply.status_code, reply.headers["location"]) == (303, "/"), cookie
    assert visitor.open("/study").asks


@for_each("how", ["deleted", "revoked"])
def test_a_kept_cookie_and_form_are_worth_nothing_afterwards(storage: Storage, how: str) -> None:
    visitor = Visitor(storage).begin()
    form, cookie = visitor.form("/answer").fields, visitor.client.cookies[COOKIE]
    link = visitor.open("/link").html.partition('id="link">')[2].partition("<")[0]
    if how == "deleted":
        visitor.send("/delete")
    else:
        revoke(storage, find_person(storage, link))
    before = counts(storage)
    visitor.client.cookies.set(COOKIE, cookie, domain="study.example")
    sent = {**form, f"answer-{form['task']}": "1", "able": "yes", "agreed": "yes", "comment": "again"}
    for action in ("/answer", "/consent", "/comment", "/delete"):
        assert visitor.client.post(action, data=sent, headers=JSON).status_code == 404
    for path in ("/study", f"/study?at={form['task']}", "/link", link.removeprefix("https://study.example")):
        visitor.client.cookies.set(COOKIE, cookie, domain="study.example")
        assert visitor.client.get(path).status_code == 404
    assert counts(storage) == before


def test_an_unknown_cookie_of_before_is_not_taken_over(storage: Storage) -> None:
    """Session fixation: what the browser had before joining does not open anything afterwards."""
    visitor = Visitor(storage).open("/")
    planted = visitor.client.cookies["__Host-winoglot-visitor"]
    early = visitor.form("/join").fields
    visitor.send("/join")
    assert planted.partition(".")[0] not in visitor.client.cookies[COOKIE]
    assert visitor.client.post("/consent", data=early | {"able": "yes", "agreed": "yes"}).status_code == 403
    other = Visitor(storage)
    other.client.cookies.set(COOKIE, planted, domain="study.example")
    assert other.open("/study").url == "/"


def test_nobody_answers_for_somebody_else(storage: Storage) -> None:
    visitor, other = Visitor(storage).begin(), Visitor(storage).begin()
    own, foreign = (one.form("/answer").fields["task"] for one in (visitor, other))
    before = counts(storage)
    fields = visitor.form("/answer").fields | {f"answer-{own}": "1"}
    not_yet = str(int(own) + 1)  # the second problem of the training has not been shown
    for tasks in (foreign, [own, foreign], not_yet):
        sent = fields | {"task": tasks, f"answer-{foreign}": "1", f"answer-{not_yet}": "1"}
        assert visitor.client.post("/answer", data=sent, headers=JSON).status_code == 409, tasks
    assert visitor.open(f"/study?at={foreign}").form("/answer").fields["task"] == own
    assert counts(storage) == before


def test_forms_of_other_sites_and_people_change_nothing(storage: Storage) -> None:
    visitor, somebody = Visitor(storage).begin(), Visitor(storage).begin()
    fields = visitor.form("/answer").fields
    fields[f"answer-{fields['task']}"] = "1"
    before = counts(storage)
    for action in ("/consent", "/answer", "/comment", "/delete", "/pause", "/join"):
        for token in ("", "é", "0" * 64, somebody.form("/answer").fields["form_token"]):
            reply = visitor.client.post(action, data=fields | {"form_token": token})
            assert reply.status_code == 403, (action, token)
        for site in ("cross-site", "same-site", "nonsense"):  # a browser that says where a form comes from is believed
            reply = visitor.client.post(action, data=fields, headers={"Sec-Fetch-Site": site})
            assert (reply.status_code, "This page is out of date." in reply.text) == (403, True), (action, site)
    assert counts(storage) == before
    assert visitor.client.post("/answer", data=fields, headers={"Sec-Fetch-Site": "same-origin"}).status_code == 200


def test_nothing_changes_by_following_a_link(storage: Storage) -> None:
    visitor = Visitor(storage).begin()
    for path in ("/join", "/consent", "/answer", "/comment", "/delete", "/pause"):
        for method in ("GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"):
            assert visitor.client.request(method, path).status_code == 405
    assert visitor.open("/study").asks


# Scripts and SQL wherever there is text.


def test_no_text_becomes_markup_a_template_or_sql(database: str) -> None:
    own = f"Where {MARKUP[6:50]}? | {SQL} | {MARKUP[50:]}"
    settings = StudySettings(training=2, problems=3, checks=1, background=("native-language", own), contact=MARKUP)
    with create_study(evil_collection(), f"Study {MARKUP}", database, settings)[0] as storage:
        visitor, pages = Visitor(storage), []
        visitor.open("/")
        pages.append(visitor.html)
        visitor.send("/join").send("/consent", background__0=MARKUP, background__1=SQL)
        pages.append(visitor.html)
        visitor.send("/consent", able="yes", agreed="yes", background__1=SQL)
        while "Thank you" not in visitor.title:
            pages.append(visitor.html)
            if visitor.asks:
                task = visitor.form("/answer").fields["task"]
                sent = {f"comment-{task}": MARKUP + SQL, f"ambiguous-{task}": "yes", "submission": "a" * 24}
                visitor.answer(0, **sent)
            else:
                visitor.open("/study")
            assert visitor.status == 200
        visitor.send("/comment", comment=MARKUP + SQL)
        pages += [visitor.html, visitor.open("/link").html, visitor.open(f"/{MARKUP}").html]
        assert [wrong_markup(page) for page in pages] == [[] for _ in pages]
        assert not any("49" in re.sub(r'value="[^"]*"|data-person="[^"]*"|v=\w+|/p/[^<]*', "", page) for page in pages)
        assert any("&lt;script&gt;alert(1)" in page for page in pages)
        with storage.reading() as session:
            person = session.scalars(select(Participant)).one()
            said = session.scalars(select(Task.comment).where(Task.part == "test")).all()
        assert person.comment == MARKUP + SQL
        assert person.background == {"native-language": MARKUP[:100], own: SQL}
        assert set(said) == {MARKUP + SQL}
        study = read_answers(storage)
        assert [json.loads(line)["comment"] for line in str(tables(storage, study)["answers.jsonl"]).splitlines()] == [
            MARKUP + SQL
        ] * 3
        for platform in ("pcibex", "jspsych"):
            made = {name: str(content) for name, content in platform_files(storage, platform).items()}
            shown = [made[name] for name in ("test.csv", "index.html") if name in made]
            assert not any("<script>alert" in one for one in shown)


def test_a_spreadsheet_computes_nothing(tmp_path: Path) -> None:
    with a_study(f"{tmp_path}/study.db", training=0, checks=0, problems=8, verification=False) as storage:
        visitor = Visitor(storage).open("/").send("/join")
        visitor.send("/consent", able="yes", agreed="yes", background__0="=1+1")
        for formula in FORMULAS:
            visitor.answer(0, **{f"comment-{visitor.form('/answer').fields['task']}": formula})
        visitor.send("/comment", comment="=1+1")
        made = tables(storage, read_answers(storage))
    names = ("answers.csv", "people.csv")
    assert sum(str(made[name]).count("'") for name in names) == len(FORMULAS) + 2
    cells = [cell for name in names for cell in re.split("[,;\t\n]", str(made[name]))]  # whatever separates them there
    assert not [cell for cell in cells if re.match(r"""[\s"]*([=+@＝＋－＠]|-(?![0-9.]+$))""", cell)]


def test_comments_cannot_steer_a_terminal(storage: Storage) -> None:
    visitor = Visitor(storage).begin()
    task = int(visitor.form("/answer").fields["task"])
    visitor.answer(0, **{f"comment-{task}": "a\x1b[2Jb\x07c\x9bd\x00e\u2028\r\nf\tg"})
    with storage.reading() as session:
        assert session.scalars(select(Task.comment).where(Task.id == task)).one() == "a[2Jbcde\u2028\nf\tg"


# Requests that no browser sends.


FIELDS = b"&".join(b"field-%d=" % number for number in range(1000))
BODIES: list[tuple[bytes, dict[str, str], str]] = [
    (b"\xff\xfe\x00", FORM, "400 403"),
    (b"form_token=%FF%00%C3%28&task=%00", FORM, "400 403"),
    (b"&&&===;;;", FORM, "400 403"),
    (b"task=1&" * 250, FORM, "400 403"),
    (FIELDS, FORM, "400"),
    (b"form_token=" + b"a" * 255_000, FORM, "400 403"),
    (b"a" * 300_000, FORM, "413"),
    ("form_token=é".encode("utf-16"), FORM, "400 403"),
    (b"", FORM, "400 403"),
    (b"{}", {"Content-Type": "application/json"}, "415"),
    (b"task=1", {"Content-Type": "text/plain"}, "415"),
    (b"task=1", {"Content-Type": "application/x-www-form-urlencoded-not"}, "415"),
    (b"task=1", {"Content-Type": "multipart/form-data"}, "415"),
    (PARTS, {"Content-Type": "multipart/form-data; boundary=x"}, "415"),
    (b"task=1", {}, "415"),
    (b"<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]>", {"Content-Type": "application/xml"}, "415"),
]


def test_malformed_bodies_are_refused_as_pages(storage: Storage) -> None:
    visitor = Visitor(storage, limits=Limits(answers=Limit(500, 500))).begin()
    before = counts(storage)
    for body, headers, statuses in BODIES:
        for action in ("/answer", "/join", "/consent", "/comment", "/delete", "/pause"):
            reply = visitor.client.post(action, content=body, headers=headers)
            assert str(reply.status_code) in statuses.split(), (action, body[:50])
            assert "<h1>" in reply.text
            assert "Traceback" not in reply.text
    assert counts(storage) == before


def test_fields_with_anything_in_them_change_nothing_else(storage: Storage) -> None:
    """Every field of the form, one at a time, with what breaks naive programs and with values of other forms."""
    visitor = Visitor(storage, limits=Limits(answers=Limit(500, 500))).begin()
    fields = visitor.form("/answer").fields
    task = fields["task"]
    names = ["task", "submission", *(f"{name}-{task}" for name in ("answer", "again", "ambiguous", "seconds"))]
    values = [SQL, MARKUP, "\0", "\ud7ff\uffff", "9" * 300, "-1", "1e400", "NaN", "..%2f", "²", "a\r\nSet-Cookie: x=y"]
    for name in names:
        for value in values:
            reply = visitor.client.post("/answer", data=fields | {f"answer-{task}": "9", name: value}, headers=JSON)
            assert reply.status_code in (400, 409, 422), (name, value)
            assert "x=y" not in str(reply.headers)
    wrong = {
        "task": ("0",),
        "submission": ("no!", "x" * 100),
        f"answer-{task}": ("7", "0", "0; DROP TABLE task", "too-ambiguous"),
        f"again-{task}": ("keep", "change-1", "mistake-1", "change-"),
    }
    for name, others in wrong.items():
        for value in others:
            sent = fields | {f"answer-{task}": "1", "answer-0": "1", name: value}
            assert visitor.client.post("/answer", data=sent).status_code == 400, (name, value)
    with storage.reading() as session:
        assert session.scalars(select(Task.answered).where(Task.id == int(task))).one() is None


def test_paths_to_nowhere(storage: Storage) -> None:
    limits = Limits(links=Limit(500, 500))
    client = TestClient(make_app(storage, limits), base_url="https://study.example", follow_redirects=False)
    paths = cases_file(Path(__file__))["test_paths_to_nowhere"]
    for path in (*paths, "/static/" + "a" * 5000, "/p/" + "a" * 20_000):
        reply = client.get(path)
        assert reply.status_code == 404, path
        assert reply.headers["cache-control"] == "no-store"
        assert "<h1>" in reply.text


def test_absurd_places_lead_to_the_present_one(storage: Storage) -> None:
    visitor = Visitor(storage).begin()
    task = visitor.form("/answer").fields["task"]
    for at in ("", "0", "-1", "²", "9" * 9, "9" * 5000, "%00", "1&at=2", "' OR 1=1", "1e3", "[]"):
        assert visitor.open(f"/study?at={at}").form("/answer").fields["task"] == task


# Other hosts, headers, and what leaves the server.


def test_a_host_header_decides_nothing(storage: Storage) -> None:
    app, visitor = make_app(storage, base_url="https://study.example"), Visitor(storage).begin()
    client = TestClient(app, base_url="http://127.0.0.1", follow_redirects=False)
    lies = {"X-Forwarded-Host": "evil.example", "Forwarded": "host=evil.example;proto=http"}
    for host in ("evil.example", "study.example:81", "127.0.0.1", "evil.example/a?b#", "[::1", '"><script>', ""):
        cookie = client.get("/", headers={"Host": host, **lies}).headers["set-cookie"]
        assert "Secure" in cookie
        assert cookie.startswith("__Host-")
        headers = {"Host": host, "Cookie": f"{COOKIE}={visitor.client.cookies[COOKIE]}", **lies}
        reply = client.get("/link", headers=headers)
        assert "strict-transport-security" in reply.headers
        assert 'id="link">https://study.example/p/' in reply.text
        assert "evil" not in reply.text
        client.cookies.clear()


def test_every_reply_has_the_headers(storage: Storage, tmp_path: Path) -> None:
    visitor = Visitor(storage).begin()

    def broken() -> None:
        raise RuntimeError("password=hunter2")

    visitor.app.add_api_route("/broken", broken)
    post = visitor.client.post
    replies = [
        visitor.client.get(path) for path in ("/", "/study", "/link", "/left", "/nowhere", "/p/x", "/health", "/broken")
    ]
    replies += [
        visitor.client.get("/broken", headers=JSON),
        *(visitor.client.get(f"/static/{name}") for name in ("study.js", "study.css", "icon.svg")),
        visitor.client.head("/"),
    ]
    replies += [post("/answer", data={"a": "b"}), post("/answer", content=b"", headers=FORM), post("/answer", json={})]
    assert sorted({reply.status_code for reply in replies}) == [200, 403, 404, 405, 415, 500]
    assert sum("immutable" in reply.headers["cache-control"] for reply in replies) == 3
    for reply in replies:
        policy = reply.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy and "*" not in policy  # noqa: PT018
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["x-frame-options"] == "DENY"
        assert "max-age" in reply.headers["strict-transport-security"]
        assert reply.headers["cache-control"] == "no-store" or "/static/" in str(reply.url)
        assert "access-control-allow-origin" not in reply.headers
        assert "server" not in reply.headers
        kind = reply.headers.get("content-type", "application/json")
        assert kind == "application/json" or kind.endswith("; charset=utf-8"), kind
        assert "hunter2" not in reply.text
        assert "Traceback" not in reply.text


def test_pages_ask_no_other_server(storage: Storage) -> None:
    visitor = Visitor(storage).begin()
    files = "".join(visitor.client.get(f"/static/{name}").text for name in ("study.css", "study.js", "icon.svg"))
    foreign = re.findall(r"(?:https?:)?//[\w.-]+\.\w+", re.sub(r"http://www\.w3\.org/2000/svg", "", files))
    assert foreign == []
    assert not re.search(r"@import|url\((?!['\"]?data:)", files)
    assert not re.search(r"\beval\b|innerHTML|outerHTML|insertAdjacentHTML|document\.write|new Function", files)
    for page in (visitor.html, visitor.open("/link").html):
        assert wrong_markup(page) == []


# The key, and what remains of people.


def the_same(html: str) -> str:
    return re.sub(r'name="submission" value="[^"]*"', "", html)


def test_pages_do_not_depend_on_the_key_before_it_is_due(tmp_path: Path) -> None:
    """Twice the same participation, with the key turned round: every page is the same but for feedback in training."""
    with a_study(f"{tmp_path}/study.db", completion_code=False) as storage:
        visitor = Visitor(storage).begin()
        storage.engine.dispose()
        shutil.copy(f"{tmp_path}/study.db", f"{tmp_path}/turned.db")
    with open_storage(f"{tmp_path}/turned.db") as other, other.writing() as session:
        turned = {"answer": 1 - Problem.answer, "explanation": "Another one."}
        session.execute(update(Problem).values(turned).where(Problem.part != "check"))
    with open_storage(f"{tmp_path}/study.db") as storage, open_storage(f"{tmp_path}/turned.db") as other:
        both = []
        for one in (storage, other):
            both.append(Visitor(one))
            both[-1].client.cookies.set(COOKIE, visitor.client.cookies[COOKIE], domain="study.example")
            both[-1].open("/study")
        feedback, asked = 0, []
        while "Thank you" not in both[0].title:
            pages = [the_same(one.html) for one in both]
            if not both[0].asks:
                feedback += pages[0] != pages[1]
                [one.open("/study") for one in both]
                continue
            assert pages[0] == pages[1]
            asked.append(both[0].title)
            # A person who cannot say disagrees with any key, so the second look is the same too.
            place = 0 if asked[-1].startswith(("Practice", "Second")) else -1
            for one in both:
                assert one.answer(place).status == 200
        assert feedback == 2
        assert sum(title.startswith("Text") for title in asked) == 5
        assert sum(title.startswith("Second look") for title in asked) == 4
        assert the_same(both[0].html) == the_same(both[1].html)


def test_deleting_leaves_nothing_of_a_person(database: str) -> None:
    with a_study(database) as storage:
        stays = Visitor(storage).begin()
        stays.answer()
        before, study = counts(storage), storage.engine.url.database or ""
        visitor = Visitor(storage).open("/").send("/join")
        visitor.send("/consent", able="yes", agreed="yes", background__0="Klingonisch")
        while "Thank you" not in visitor.title:
            if visitor.asks:
                visitor.answer(0, **{f"comment-{visitor.form('/answer').fields['task']}": "Schnabeltier"})
            else:
                visitor.open("/study")
        visitor.send("/comment", comment="Schnabeltier")
        assert counts(storage)["decision"] > before["decision"]
        visitor.send("/delete")
        assert counts(storage) == before
        with storage.reading() as session:
            assert (
                session.scalar(
                    select(func.count()).select_from(Decision).where(Decision.task_id.not_in(select(Task.id)))
                )
                == 0
            )
    if "sqlite" in database:  # nor in a part of the file that is no longer used
        content = Path(study).read_bytes()
        assert b"because" in content
        assert b"Schnabeltier" not in content
        assert b"Klingonisch" not in content
        assert not Path(f"{study}-wal").exists()


def test_tokens_are_nowhere_in_the_database(tmp_path: Path) -> None:
    storage, token = create_study(
        evil_collection(), "Study", f"{tmp_path}/study.db", StudySettings(training=1, checks=0)
    )
    with storage:
        visitor = Visitor(storage).begin()
        link = visitor.open("/link").html.partition("/p/")[2].partition("<")[0]
        with storage.reading() as session:
            assert len(session.scalars(select(Study.secret)).one()) == 64
    content = Path(f"{tmp_path}/study.db").read_bytes()
    assert token.encode() not in content
    assert link.encode() not in content
    assert Path(f"{tmp_path}/study.db").stat().st_mode & 0o077 == 0


def test_the_security_page_names_tests_that_exist() -> None:
    page = (Path(__file__).parents[2] / "docs/study-security.md").read_text(encoding="utf-8")
    tests = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    named = re.findall(r"`(test_\w+)(…?)", page)
    assert len(named) > 20
    for name, cut in named:
        assert (Path(__file__).parent / f"{name}.py").exists() or f"def {name}{'' if cut else '('}" in tests, name
