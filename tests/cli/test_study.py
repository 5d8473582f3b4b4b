"""The commands with which a study is created and run."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.request import urlopen

import pytest
from sqlalchemy import update

from cases import for_each, listed
from study.answered import fill
from study.asked import TEXT
from winoglot.errors import InputError
from winoglot.study.answers import read_answers
from winoglot.study.create import set_state
from winoglot.study.database import open_storage
from winoglot.study.issues import decide_item
from winoglot.study.participation import answer, consent, enter, rehearse
from winoglot.study.settings import Exclusions
from winoglot.study.steps import Response, step
from winoglot.study.storage import Participant, Task, token_hash


@pytest.fixture
def study(tmp_path: Path, run_winoglot):
    """Call `winoglot study …` with the database of this test; a study is in it already."""
    (tmp_path / "small.yaml").write_text(TEXT, encoding="utf-8")
    (tmp_path / "consent.md").write_text("We store *nothing* about you.", encoding="utf-8")
    database = str(tmp_path / "study.db")

    def call(command: str, *arguments: str) -> tuple[int, str]:
        words = [str(tmp_path / word) if word in ("small.yaml", "consent.md") else word for word in arguments]
        code, out, err = run_winoglot("study", command, *words, "--db", database)
        return code, out + err

    call.database = database
    call.created = call("create", "small.yaml", "--name", "Knots", "--training", "1")
    return call


def test_every_option_is_stored(study, tmp_path: Path, run_winoglot) -> None:
    options = (
        "--kinds shuffled --participants 12 --judgements 2 --problems 5 --training 0 --page-language pt "
        "--per-screen 10 --panels 2 --checks 1 --no-verification --invited-only --pilot "
        "--contact me@example.org --no-ask-language --ask age --completion-code "
        "--failed-checks 1 --min-seconds 1.5 --min-answered 0.8 --seed 3"
    )
    database = f"sqlite:///{tmp_path}/other.db"
    source, text = str(tmp_path / "small.yaml"), str(tmp_path / "consent.md")
    code, out, err = run_winoglot(
        "study", "create", source, "--name", "Nós", "--db", database, *options.split(), "--consent", text
    )
    assert (code, err) == (0, "")
    assert "winoglot study invite" in out
    with open_storage(database) as storage, storage.reading() as session:
        stored = storage.study(session)
    assert stored.state == "pilot"
    assert json.loads(json.dumps(stored.stored_settings)) == {
        "page_language": "pt",
        "kinds": ["shuffled"],
        "participants": 12,
        "judgements": 2,
        "problems": 5,
        "training": 0,
        "checks": 1,
        "per_screen": 10,
        "verification": False,
        "panels": 2,
        "open": False,
        "consent": "We store *nothing* about you.",
        "contact": "me@example.org",
        "background": ["age"],
        "completion_code": True,
        "exclusions": {"failed_checks": 1, "seconds": 1.5, "answered": 0.8},
        "seed": 3,
    }


_SETTINGS = ("problems", "training", "training_items", "checks", "per_screen", "forced_choice", "one_version")
_SETTINGS += ("verification", "disagreements_only", "judgements", "kinds")


@for_each(
    ("options", "expected", "people"),
    [
        (
            ("--like", "mandarinograd"),
            (1000, 10, ("first",), 0, 10, True, True, True, True, 2, ()),
            "150 problems per person, after 10 for training; 0 attention checks\nPeople who must finish: 4; expected",
        ),
        (
            ("--training-items", "spinach-teeth.0", "--like", "mandarinograd", "--per-screen", "1"),
            (1000, 1, ("spinach-teeth.0",), 0, 1, True, True, True, True, 2, ()),
            "159 problems per person, after 1 for training",
        ),
        (
            ("--like", "abdou", "--kinds", "tense"),
            (60, 0, (), 0, 1, True, False, False, False, 3, ("tense",)),
            "60 problems per person, after 0 for training",
        ),
    ],
)
def test_a_study_like_a_published_one_but_for_what_is_given(
    tmp_path: Path, printed, options: tuple[str, ...], expected: tuple[object, ...], people: str
) -> None:
    database = str(tmp_path / f"{options[1]}.db")
    assert people in printed("study", "create", "winoglot-zh", "--name", "M", "--db", database, *options)
    with open_storage(database) as storage:
        settings = storage.settings
        assert settings.exclusions == Exclusions(failed_checks=0, seconds=0.0, answered=0.0)
        assert tuple(getattr(settings, name) for name in _SETTINGS) == expected


def test_create_says_what_was_made_and_shows_the_token_once(study) -> None:
    def check_token(shown: str) -> None:
        token = shown.partition("token: ")[2].split()[0]
        with open_storage(study.database) as storage, storage.reading() as session:
            assert storage.study(session).token_hash == token_hash(token)
        assert token.encode() not in Path(study.database).read_bytes()

    code, out = study.created
    assert code == 0
    assert "4 items of 2 schemas to test, 3 answers each" in out
    assert "2 problems per person, after 1 for training; 3 attention checks" in out
    assert "People who must finish: 6; expected: 30" in out
    check_token(out)
    check_token(study("token")[1])


def test_links_are_made_revoked_and_deleted(study) -> None:
    code, out = study("invite", "--count", "2", "--base-url", "https://study.example/")
    links = out.split()
    assert code == 0
    assert all(link.startswith("https://study.example/p/") for link in links)
    with open_storage(study.database) as storage:
        first, second = (enter(storage, link.rpartition("/")[2]) or 0 for link in links)
        with storage.reading() as session:
            number = session.get_one(Participant, second).number
    assert study("revoke", links[0])[0] == 0
    assert study("delete", number, "--yes") == (0, "Deleted.\n")
    with open_storage(study.database) as storage, storage.reading() as session:
        assert session.get_one(Participant, first).revoked
        assert session.get(Participant, second) is None
    code, out = study("delete", number, "--yes")
    assert code == 2
    assert "no participant has this number or link" in out


def test_a_study_is_a_pilot_open_or_closed(study) -> None:
    def pilot() -> bool:
        (link,) = study("invite", "--count", "1")[1].split()
        with open_storage(study.database) as storage:
            person = enter(storage, link.rpartition("/")[2]) or 0
            consent(storage, person, {})
            with storage.reading() as session:
                return session.get_one(Participant, person).pilot

    assert study("pilot")[0] == 0
    assert pilot()
    assert study("open")[0] == 0
    assert not pilot()
    code, out = study("invite", "--count", "1", "--expert")
    assert code == 2
    assert "winoglot study close" in out
    assert study("close")[0] == 0
    assert study("invite", "--count", "1", "--expert")[0] == 0


def test_robots_take_part_in_a_pilot_only(study) -> None:
    code, out = study("pilot", "--robots", "2")
    assert (code, "2 robots took part." in out) == (0, True)
    with open_storage(study.database) as storage:
        people = read_answers(storage, pilot=True).people
        assert [person.finished is not None for person in people] == [True, True]
        assert not read_answers(storage).people
        set_state(storage, "open")
        with pytest.raises(InputError, match="the study is not a pilot"):
            rehearse(storage, 1)


def test_completion_codes_can_be_checked(study, tmp_path: Path, run_winoglot) -> None:
    assert study("codes") == (
        2,
        "Error: this study shows no completion codes. Create a study with --completion-code to have them.\n",
    )
    database = str(tmp_path / "codes.db")
    source = str(tmp_path / "small.yaml")
    run_winoglot("study", "create", source, "--name", "K", "--db", database, "--training", "1", "--completion-code")
    with open_storage(database) as storage, storage.writing() as session:
        session.add_all(Participant(number=code, token_hash=code, code=code) for code in ("B-2", "", "A-1"))
    assert run_winoglot("study", "codes", "--db", database) == (0, "A-1\nB-2\n", "")


def test_issues_ask_no_more_about_items_that_are_decided_on(study) -> None:
    with open_storage(study.database) as storage:
        fill(storage, 6, problems=2)
        with storage.writing() as session:  # nobody can say anything, but everybody took the time
            session.execute(update(Task).values(seconds=5.0))
            test = [number for number, problem in storage.problems.items() if problem.part == "test"]
            session.execute(update(Task).where(Task.problem_id.in_(test)).values(choice=None))
        asked = [problem.item_id for problem in storage.problems.values() if problem.part == "test"]
        for item, decision, note in zip(asked, ("drop", "keep", "repair"), ("Both fit.", None, "Who?"), strict=False):
            decide_item(storage, item, decision, note)
    code, out = study("issues")
    assert code == 0
    assert out.startswith("2 items to look at of 4 answered, 2 missed by the majority\n")
    assert f"{asked[2]}: 0 of" in out
    assert "\n  repair: Who?\n" in out
    assert f"1 item to keep:\n  {asked[1]}\n" in out
    assert f"1 item to drop, still counted in the results:\n  {asked[0]}: Both fit.\n" in out
    decided = {one["item_id"]: (one["decision"], one["note"]) for one in json.loads(study("issues", "--json")[1])}
    assert decided == dict(zip(asked, (("drop", "Both fit."), ("keep", ""), ("repair", "Who?"), ("", "")), strict=True))
    assert "1 item is marked to drop and counted above; without, one person is right about " in study("results")[1]


def test_results_summarise_what_experts_say(study) -> None:
    with open_storage(study.database) as storage:
        fill(storage, 3, problems=2)
        test = [number for number, problem in storage.problems.items() if problem.part == "test"]
        with storage.writing() as session:  # nobody can say anything, so the majority misses every item
            session.execute(update(Task).where(Task.problem_id.in_(test)).values(choice=None, seconds=5.0))
        study("close")
        token = study("invite", "--count", "1", "--expert")[1].strip().rpartition("/")[2]
        person = enter(storage, token)
        consent(storage, person, {})
        for choice, verdict in ((0, None), (None, "too-ambiguous"), (None, "too-ambiguous")):
            task = step(storage, person).problems[0].task
            answer(storage, person, {task: Response("submission", {"choice": choice, "verdict": verdict})})
    code, out = study("results")
    assert code == 0
    summary, *items = out.partition("experts: ")[2].splitlines()
    right = int("1 as in the key" in summary)
    assert summary == (
        f"3 answers to 3 items that the majority missed: {right} as in the key, {1 - right} another answer, "
        "2 too ambiguous"
    )
    assert [line.endswith(", 1 too ambiguous") for line in items].count(True) == 2


@listed
def test_mistakes_are_explained(study, arguments: tuple[str, ...], message: str) -> None:
    code, out = study(*arguments)
    assert code == 2
    assert message in out


def test_a_plan_says_what_to_create(tmp_path: Path, printed) -> None:
    text = tmp_path / "registration.md"
    options = ("--training", "2", "--kinds", "shuffled", "--panels", "2", "--half-width", "4", "-o", str(text))
    out = printed("study", "plan", "winoglot-fr", *options)
    assert "from each of two panels" in out
    assert "Next: winoglot study create winoglot-fr --name NAME --kinds shuffled" in out
    assert "--training 2 --panels 2 --participants" in out
    assert "variants (shuffled)" in text.read_text(encoding="utf-8")


def test_without_the_libraries(study, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nh3", None)
    code, out = study("invite", "--count", "1")
    assert code == 2
    assert 'studies need nh3, which is not installed. Run: pip install "winoglot[study]"' in out


@pytest.mark.slow
def test_a_study_is_served_until_it_is_stopped(study) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    program = [sys.executable, "-c", "from winoglot.cli.main import main; main()", "study", "serve"]
    with subprocess.Popen(
        [*program, "--db", study.database, "--port", str(port)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as server:
        assert server.stdout
        first = server.stdout.readline()
        for _ in range(100):
            try:
                with urlopen(f"http://127.0.0.1:{port}/health") as reply:
                    assert reply.status == 200
                break
            except OSError:
                time.sleep(0.2)
        server.send_signal(signal.SIGINT)
        rest = server.stdout.read()
    assert first == f"Knots (open): http://127.0.0.1:{port}\n"
    assert rest == f"Researchers: http://127.0.0.1:{port}/researcher. Stop with Ctrl-C.\n"
    assert server.returncode == 0
    with open_storage(study.database) as storage:
        assert step(storage, 1)
