"""The pages of a participation, for a browser without JavaScript."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import func, select, update

from study.attacking import MARKUP, wrong_markup
from study.visitor import HOME, Visitor, a_study
from winoglot.study.create import find_person, invite, revoke, set_state
from winoglot.study.storage import Decision, Participant, Problem, Storage, Task, now, token_hash


@pytest.fixture(scope="module")
def storage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Storage]:
    """A study that stays open; every test has its own participants."""
    with a_study(f"{tmp_path_factory.mktemp('study')}/study.db", completion_code=True) as storage:
        yield storage


@pytest.fixture
def visitor(storage: Storage) -> Visitor:
    return Visitor(storage)


def tasks_of(visitor: Visitor, storage: Storage) -> list[Task]:
    token = visitor.open("/link").html.partition("/p/")[2].partition("<")[0]
    with storage.reading() as session:
        query = select(Task).join(Participant).where(Participant.token_hash == token_hash(token)).order_by(Task.id)
        return list(session.scalars(query))


def until(visitor: Visitor, title: str, at: int = 0) -> Visitor:
    """Go on until a page whose title begins like this, always with the answer at the same place."""
    while not visitor.title.startswith(title):
        visitor.answer(at) if visitor.asks else visitor.open("/study")
    return visitor


def test_a_whole_participation(database: str) -> None:
    with a_study(database, completion_code=True) as storage:
        visitor = Visitor(storage).begin()
        titles = visitor.finish()
        assert titles[:3] == ["Practice: text 1 of 2", "Practice: text 1 of 2", "Practice: text 2 of 2"]
        assert [title for title in titles if title.startswith("Text")] == [f"Text {at} of 5" for at in range(1, 6)]
        assert titles[-1].startswith("Second look: text")
        assert "enter this code there" in visitor.text
        visitor.send("/comment", comment="Rather <b>nice</b>.")
        assert "Rather &lt;b&gt;nice&lt;/b&gt;." in visitor.html
        assert "Your comment is saved" in visitor.text


def test_a_forced_choice_and_a_second_look_at_disagreements(tmp_path: Path) -> None:
    settings = {"checks": 0, "forced_choice": True, "disagreements_only": True}
    with a_study(f"{tmp_path}/study.db", **settings) as storage:
        visitor = until(Visitor(storage).begin(), "Text 1")
        assert [*visitor.choices().values()] == [["1", "2"]]
        assert "I can’t say" not in visitor.text
        while not visitor.title.startswith("Second look"):  # until somebody is wrong at least once
            visitor = until(Visitor(storage).begin(), "Text 1") if "Thank you" in visitor.title else visitor.answer()
        assert "whatever you answered" not in visitor.text
        assert "Read each of them again, and either say" in visitor.text
        ((again, verdicts),) = visitor.choices().items()
        assert verdicts[-1] == "reason"
        assert [verdict.partition("-")[0] for verdict in verdicts] == ["change", "reason"]
        visitor.answer(1)
        assert (visitor.status, "Please explain in a few words." in visitor.text) == (422, True)
        visitor.send("/answer", **{again: "keep", again.replace("again", "comment"): "I like it."})
        assert visitor.status == 400


def test_the_boxes_have_to_be_ticked_and_what_was_written_stays(visitor: Visitor) -> None:
    visitor.open("/").send("/join").send("/consent", agreed="yes", background__0="<Welsh>")
    assert visitor.status == 422
    form = visitor.form("/consent")
    assert (form.fields["background-0"], form.fields["agreed"], "able" in form.fields) == ("<Welsh>", "yes", False)
    assert visitor.html.count("You can only take part if") == 2  # beside the box and in the summary
    assert visitor.send("/consent", able="yes").title == "Practice: text 1 of 2"


def test_flags_and_comments_are_stored_and_shown_again(visitor: Visitor, storage: Storage) -> None:
    until(visitor.begin(), "Text 1")
    task = visitor.form("/answer").fields["task"]
    said = 'Either "he"; DROP TABLE task; </textarea><script>alert(1)</script>'
    visitor.answer(2, **{f"ambiguous-{task}": "yes", f"comment-{task}": said})
    assert visitor.title == "Text 2 of 5"
    visitor.open(f"/study?at={task}")
    assert visitor.title == "Text 1 of 5"
    fields = visitor.form("/answer").fields
    assert (fields[f"answer-{task}"], fields[f"ambiguous-{task}"], fields[f"comment-{task}"]) == ("none", "yes", said)
    assert f"unnatural-{task}" not in fields
    assert "<script>alert" not in visitor.html


def test_a_form_sent_twice_counts_once_and_a_changed_one_is_another_decision(
    visitor: Visitor, storage: Storage
) -> None:
    until(visitor.begin(), "Text 1")
    form, (name, values) = visitor.form("/answer").fields, *visitor.choices().items()
    for value in (values[0], values[0], values[1], values[0], values[0]):  # a page that the browser keeps restoring
        visitor.client.post("/answer", data=form | {name: value})
    task = next(task for task in tasks_of(visitor, storage) if task.id == int(form["task"]))
    assert task.choice == task.order[int(values[0]) - 1]
    with storage.reading() as session:
        decisions = session.scalars(
            select(Decision.choice).where(Decision.task_id == task.id).order_by(Decision.id)
        ).all()
    assert decisions == [task.order[int(values[at]) - 1] for at in (0, 1, 0)]


def test_values_of_a_form_say_where_a_candidate_stands_and_not_which_it_is(storage: Storage) -> None:
    orders = set()
    for _ in range(6):
        visitor = until(Visitor(storage).begin(), "Text 1")
        while visitor.title.startswith("Text"):
            (name, values), *_ = visitor.choices().items()
            assert values[:-1] == [str(place) for place in range(1, len(values))]
            task = int(visitor.form("/answer").fields["task"])
            visitor.answer(1)
            stored = next(one for one in tasks_of(visitor, storage) if one.id == task)
            assert stored.choice == stored.order[1]
            orders.add(tuple(stored.order))
            assert visitor.open(f"/study?at={task}").form("/answer").fields.get(name, "2") == "2"
            visitor.open("/study")
        again = int(visitor.form("/answer").fields["task"])
        visitor.answer(1)
        tasks = {one.id: one for one in tasks_of(visitor, storage)}
        assert tasks[again].verdict == "mistake"
        earlier = next(one for one in tasks.values() if (one.part, one.problem_id) == ("test", tasks[again].problem_id))
        assert tasks[again].choice == next(one for one in tasks[again].order if one != earlier.choice)
    assert {(0, 1), (1, 0)} <= orders


def test_a_page_from_before_an_update_is_asked_again_and_stores_nothing(visitor: Visitor, storage: Storage) -> None:
    """It sent candidates' indices, under other names."""
    for part, name, value in (("Text 1", "choice", "0"), ("Second look", "verdict", "mistake-1")):
        until(visitor.begin() if part == "Text 1" else visitor, part)
        form = visitor.form("/answer").fields
        reply = visitor.client.post("/answer", data=form | {f"{name}-{form['task']}": value})
        assert (reply.status_code, "Choose an answer." in reply.text) == (422, True)
        stored = next(one for one in tasks_of(visitor, storage) if one.id == int(form["task"]))
        assert stored.answered is None


def test_scripts_are_told_where_to_go_on(visitor: Visitor) -> None:
    until(visitor.begin(), "Text 1")
    form, (name, values) = visitor.form("/answer").fields, *visitor.choices().items()
    json = {"Accept": "application/json"}
    assert visitor.client.post("/answer", data=form, headers=json).status_code == 422
    reply = visitor.client.post("/answer", data=form | {name: values[0]}, headers=json)
    assert reply.json() == {"saved": True, "next": "/study"}
    refused = visitor.client.post("/answer", data=form | {"form_token": "x"}, headers=json)
    assert (refused.status_code, refused.json()) == (403, {"saved": False, "status": 403})


def test_a_reason_needs_words(visitor: Visitor, storage: Storage) -> None:
    until(visitor.begin(), "Second look")
    task = visitor.form("/answer").fields["task"]
    assert visitor.choices()[f"again-{task}"][::2] == ["keep", "reason"]
    visitor.answer(2)
    assert visitor.status == 422
    assert visitor.text.count("Please explain in a few words.") == 2
    visitor.answer(2, **{f"comment-{task}": "Both work."})
    assert visitor.status == 200
    stored = next(one for one in tasks_of(visitor, storage) if one.id == int(task))
    assert (stored.verdict, stored.comment) == ("reason", "Both work.")


def test_a_comment_that_is_too_long_is_not_lost(visitor: Visitor) -> None:
    until(visitor.begin(), "Text 1")
    task = visitor.form("/answer").fields["task"]
    visitor.answer(0, **{f"comment-{task}": "a\r\n" * 1000 + "a"})
    visitor.open(f"/study?at={task}").answer(0, **{f"comment-{task}": "a\r\n" * 999 + "aa"})
    assert visitor.status == 200
    visitor.open(f"/study?at={task}").answer(0, **{f"comment-{task}": "a" * 2001})
    assert visitor.status == 422
    assert "2000 characters are allowed" in visitor.text
    assert visitor.form("/answer").fields[f"comment-{task}"] == "a" * 2001


def test_ten_problems_on_a_screen(tmp_path: Path) -> None:
    with a_study(f"{tmp_path}/study.db", per_screen=10, problems=9, training=1, checks=2) as storage:
        visitor = until(Visitor(storage).begin(), "Texts 1 to 10 of 11")
        names = list(visitor.choices())
        visitor.send("/answer", **{names[0]: "none"})
        assert visitor.status == 422
        assert visitor.text.count("Choose an answer.") == 18
        assert "Text 2: Choose an answer." in visitor.text
        assert visitor.form("/answer").fields[names[0]] == "none"
        visitor.answer()
        assert visitor.title == "Text 11 of 11"
        assert [title for title in visitor.finish() if "Text" in title] == ["Text 11 of 11"]


def test_pause_and_go_on_elsewhere(visitor: Visitor, storage: Storage) -> None:
    until(visitor.begin(), "Text 3")
    link = visitor.open("/link").html.partition(f'id="link">{HOME}')[2].partition("<")[0]
    elsewhere = Visitor(storage).open(link)
    assert (elsewhere.url, elsewhere.title) == ("/study", "Text 3 of 5")
    visitor.send("/pause")
    assert visitor.title == "You have left the study on this device."
    assert visitor.open("/study").title == "Welcome"


def test_a_person_who_has_begun_goes_on(visitor: Visitor, storage: Storage) -> None:
    until(visitor.begin(), "Text 2").open("/")
    assert "already started" in visitor.text
    with storage.reading() as session:
        before = len(session.scalars(select(Participant.id)).all())
    visitor.client.post("/join", data={"form_token": visitor.signed_form_token()})
    with storage.reading() as session:
        assert len(session.scalars(select(Participant.id)).all()) == before


def test_a_crowd_that_joins_and_never_begins_is_turned_away(tmp_path: Path) -> None:
    with a_study(f"{tmp_path}/study.db") as storage:
        visitor = Visitor(storage).open("/")
        invite(storage, 1000)  # links that nobody has used do not count
        assert Visitor(storage).open("/").send("/join").title == "Consent"
        with storage.writing() as session:
            session.execute(update(Participant).values(seen=now()))
        assert visitor.send("/join").status == 503
        with storage.writing() as session:
            session.execute(update(Participant).where(Participant.id <= 2).values(consented=now()))
        assert visitor.open("/").send("/join").title == "Consent"


def test_links_that_do_not_work(storage: Storage) -> None:
    token = invite(storage, 1)[0]
    visitor = Visitor(storage).open(f"/p/{token}")
    assert visitor.title == "Consent"
    revoke(storage, find_person(storage, token))
    refused = visitor.client.post(
        "/consent", data=visitor.form("/consent").fields, headers={"Accept": "application/json"}
    )
    assert (refused.status_code, refused.json()) == (404, {"saved": False, "status": 404})
    for path in (f"/p/{token}", "/p/nobody", "/study"):
        assert (visitor.open(path).status, visitor.title) == (404, "This link does not work.")
    assert visitor.open("/study").url == "/"  # the cookie is forgotten


def test_somebody_elses_link_asks_before_it_takes_over(storage: Storage) -> None:
    visitor, token = until(Visitor(storage).begin(), "Text 2"), invite(storage, 1)[0]
    own = visitor.open("/link").html.partition("/p/")[2].partition("<")[0]
    assert visitor.open(f"/p/{own}").title == "Text 2 of 5"  # one's own does not ask
    asked = visitor.open(f"/p/{token}")
    assert (asked.status, asked.title) == (200, "Whose link is this?")
    assert f"/p/{own}" in asked.html  # the way back
    assert visitor.open("/study").title == "Text 2 of 5"
    refused = visitor.client.post(f"/p/{token}", data={"form_token": "0" * 64})
    assert refused.status_code == 403
    assert visitor.open(f"/p/{token}").send(f"/p/{token}").title == "Consent"
    assert visitor.open("/study").title == "Consent"
    back = visitor.open(f"/p/{own}").send(f"/p/{own}")
    assert back.title == "Text 2 of 5"
    assert visitor.open(f"/p/{token}").title == "Whose link is this?"
    form = visitor.form(f"/p/{token}").fields
    revoke(storage, find_person(storage, token))
    assert visitor.client.post(f"/p/{token}", data=form).status_code == 404
    revoke(storage, find_person(storage, own))
    assert visitor.open(f"/p/{invite(storage, 1)[0]}").title == "Consent"  # nobody is here any more


def test_a_study_by_invitation(tmp_path: Path) -> None:
    with a_study(f"{tmp_path}/study.db", open=False, contact="lab@example.org") as storage:
        visitor = Visitor(storage).open("/")
        assert "You need a personal link" in visitor.text
        assert visitor.page.forms == []
        visitor.open(f"/p/{invite(storage, 1)[0]}")
        assert 'href="mailto:lab@example.org"' in visitor.html


def test_a_closed_study_takes_no_answers_but_asks_experts(tmp_path: Path) -> None:
    with a_study(f"{tmp_path}/study.db", judgements=1, checks=0) as storage:
        finished = until(Visitor(storage).begin(), "Second look", at=-1)  # cannot say
        finished.finish()
        visitor = until(Visitor(storage).begin(), "Text 1")
        set_state(storage, "closed")
        visitor.answer()
        assert visitor.title == "The study is closed."
        assert visitor.open("/").title == "The study is closed."
        assert finished.open("/study").title == "Thank you"
        assert not any(form.action == "/delete" for form in finished.page.forms)
        expert = Visitor(storage).open(f"/p/{invite(storage, 1, expert=True)[0]}")
        expert.send("/consent", able="yes", agreed="yes")
        assert expert.title == "Text 1 of 4"
        assert "Too ambiguous" in expert.text
        assert expert.answer(-1).answer(0).title == "Text 3 of 4"
        with storage.reading() as session:
            given = session.scalars(select(Task.verdict).where(Task.part == "expert").order_by(Task.position)).all()
        assert given == ["too-ambiguous", None, None, None]
        expert.finish()
        expert.send("/delete")  # for experts the study has always been closed
        assert expert.url == "/deleted"
        with storage.reading() as session:
            assert session.scalar(select(func.count()).where(Participant.expert)) == 0


CONSENT = f"""# Us

Hello *you*. [site](https://example.org) {MARKUP}
<iframe src="https://evil.example"></iframe><form action=/delete><style>*{{}}</style><svg onload=alert(1)>
<a href="javascript:alert(1)" onclick="alert(1)">x</a> ![p](https://evil.example/p.png) <!-- <script> -->
[a](javascript:alert%281%29) [b](data:text/html,x) [d](<vbscript:x> "t\\" onclick=1") &#60;script&#62;"""


def test_the_researchers_consent_is_sanitised(tmp_path: Path) -> None:
    own = {"consent": CONSENT, "contact": "lab@example.org", "background": ("Your <region>? | Here | <There>", "age")}
    with a_study(f"{tmp_path}/study.db", **own) as storage:
        visitor = Visitor(storage).open("/").send("/join")
        assert "<h2>Us</h2>" in visitor.html
        assert "<em>you</em>" in visitor.html
        assert visitor.html.count("<h1") == 1
        assert '<a href="https://example.org" rel="noopener noreferrer">site</a>' in visitor.html
        links = ["mailto:lab@example.org", "https://example.org", "https://evil.example/p.png"]  # a picture is a link
        assert sorted(wrong_markup(visitor.html)) == sorted(f"href={link}" for link in links)
        assert [form.action for form in visitor.page.forms] == ["/consent"]
        assert "Your &lt;region&gt;?" in visitor.html
        visitor.send("/consent", agreed="yes", background__0="Elsewhere")
        assert visitor.status == 400
        visitor.open("/study").send("/consent", agreed="yes", background__0="<There>", background__1="30–39")
        with storage.reading() as session:
            stored = session.scalars(select(Participant.background)).one()
        assert stored == {"Your <region>? | Here | <There>": "<There>", "age": "30–39"}


def test_texts_and_attention_checks_have_the_language_of_the_collection(tmp_path: Path) -> None:
    with a_study(f"{tmp_path}/study.db", "fr", page_language="en") as storage:
        visitor = until(Visitor(storage).begin(), "Text 1")
        assert '<html lang="en">' in visitor.html
        checks, languages = 0, set()
        while visitor.title.startswith("Text"):
            checks += "merci de choisir" in visitor.text
            languages |= set(re.findall(r'<(?:p class="text"|span)[^>]* lang="(..)', visitor.html))
            visitor.answer()
        assert (checks, languages) == (1, {"fr"})


def test_a_gap_is_shown_as_one(tmp_path: Path) -> None:
    with a_study(f"{tmp_path}/study.db") as storage:
        for pronoun in ("", "_", "[MASK]"):
            with storage.writing() as session:
                for problem in session.scalars(select(Problem)):
                    problem.content = problem.content | {"pronoun": pronoun, "question": None}
            visitor = Visitor(storage).begin()
            assert "(gap)" in visitor.text
            assert "Who or what belongs in the gap?" in visitor.text
