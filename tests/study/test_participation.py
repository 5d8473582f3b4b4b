"""The steps of a participation, on SQLite and on PostgreSQL."""

from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from multiprocessing import get_context
from pathlib import Path

import pytest
from sqlalchemy import func, select, update

from study.participants import a_person, a_study, answer_all, answer_screen, given, key, small_collection
from winoglot.study.answers import read_answers
from winoglot.study.create import find_person, invite, revoke, set_state
from winoglot.study.database import open_storage
from winoglot.study.participation import answer, comment, consent, delete_person, enter, join
from winoglot.study.questions.base import RefusedError
from winoglot.study.steps import AskedProblem, Closed, Consent, Done, Feedback, Response, Revoked, Screen, step
from winoglot.study.storage import TEST, VERIFICATION, Decision, Participant, Problem, Storage, Task, now


def _screen(storage: Storage, person: int, back: int | None = None) -> Screen:
    screen = step(storage, person, back)
    assert isinstance(screen, Screen)
    return screen


def _problem(storage: Storage, person: int) -> AskedProblem:
    return _screen(storage, person).problems[0]


def _task(storage: Storage, task: int) -> tuple[Task, list[Decision]]:
    with storage.reading() as session:
        row = session.get_one(Task, task)
        return row, list(row.decisions)


def _refused(storage: Storage, person: int, task: int, one: Response) -> str:
    with pytest.raises(RefusedError) as caught:
        answer(storage, person, {task: one})
    return caught.value.why


@pytest.fixture
def begun(database: str) -> Iterator[tuple[Storage, int]]:
    """A study, and somebody who has come to its test."""
    with a_study(database) as storage:
        person = a_person(storage)
        answer_all(storage, person, until=TEST)
        yield storage, person


def test_a_whole_participation(database: str) -> None:
    with a_study(database, completion_code=True) as storage:
        person = enter(storage, join(storage) or "")
        assert person is not None
        assert step(storage, person) == Consent(expert=False)
        consent(storage, person, {"native-language": "pt", "name": "Ana"})
        parts = []
        while isinstance(screen := answer_screen(storage, person), Screen):
            parts.append((screen.part, screen.position, screen.total))
        assert isinstance(screen, Done)
        assert screen.answered == 7
        assert len(screen.code) == 14
        comment(storage, person, "Fine.")
        assert step(storage, person) == replace(screen, comment="Fine.")
        with storage.reading() as session:
            row = session.get_one(Participant, person)
    assert [part for part, _, _ in parts] == ["training"] * 2 + ["test"] * 7 + ["verification"] * 6
    assert [position for part, position, total in parts if part == TEST and total == 7] == [1, 2, 3, 4, 5, 6, 7]
    assert row.background == {"native-language": "pt"}
    assert row.tested
    assert row.finished
    assert row.tested <= row.finished <= row.seen  # also by the comment, so that the dashboard shows it


def test_a_person_goes_on_where_they_stopped(database: str) -> None:
    with a_study(database) as storage:
        token = join(storage) or ""
        person = enter(storage, token) or 0
        consent(storage, person, {})
        answer_all(storage, person, until=TEST)
        answer_screen(storage, person)
        before = step(storage, person)
    with open_storage(database) as storage:
        assert enter(storage, token) == person
        assert step(storage, person) == before
        consent(storage, person, {"native-language": "fr"})  # again, from another tab
        assert step(storage, person) == before


def test_training_shows_the_answer_once_it_is_given_and_keeps_it(database: str) -> None:
    with a_study(database) as storage:
        person = a_person(storage)
        problem = _problem(storage, person)
        right = key(storage, problem.task)
        assert problem.feedback is None
        saved = answer(storage, person, {problem.task: given(choice=1 - right)})
        assert (saved.part, saved.tasks) == ("training", (problem.task,))
        assert _refused(storage, person, problem.task, given(choice=right)) == "stays"
        shown = _screen(storage, person, back=problem.task).problems[0]
        name = dict(shown.candidates)[right]
        assert shown.feedback == Feedback(False, name, "Who is helped says thanks.")
        answer_all(storage, person, until=TEST)
        assert _screen(storage, person, back=problem.task).problems[0].feedback  # also that of the last one


def test_a_later_decision_replaces_the_answer_and_one_sent_twice_does_not(begun: tuple[Storage, int]) -> None:
    storage, person = begun
    task = _problem(storage, person).task
    first = given(choice=0, unnatural=True, comment=" Hm. ", seconds=3.0)
    assert answer(storage, person, {task: first}) == answer(storage, person, {task: first})
    following = _screen(storage, person)
    assert following.previous == task
    stored = {"choice": 0, "verdict": None, "ambiguous": False, "unnatural": True, "comment": "Hm."}
    assert _screen(storage, person, back=task).problems[0].stored == stored
    second = given(choice=None, ambiguous=True, seconds=2.0)
    for form in (second, first):  # the latter from a page that never heard that the first was stored
        answer(storage, person, {task: form})
        assert step(storage, person) == following
    row, decisions = _task(storage, task)
    assert (row.choice, row.ambiguous, row.unnatural, row.comment, row.seconds) == (None, True, False, "", 5.0)
    assert [(one.submission, one.choice) for one in decisions] == [(first.submission, 0), (second.submission, None)]


def test_ten_problems_on_a_screen_are_stored_together(database: str) -> None:
    with a_study(database, small_collection(16), training=1, problems=12, checks=0, per_screen=10) as storage:
        person = a_person(storage)
        answer_all(storage, person, until=TEST)
        screen = _screen(storage, person)
        tasks = [problem.task for problem in screen.problems]
        assert len(tasks) == 10
        answers = {task: given(choice=0) for task in tasks} | {tasks[4]: given(choice=7)}
        with pytest.raises(RefusedError) as caught:
            answer(storage, person, answers)
        assert (caught.value.why, caught.value.task) == ("invalid", tasks[4])
        assert step(storage, person) == screen
        answer(storage, person, {task: given(choice=0) for task in tasks})
        last = _screen(storage, person)
        assert (last.position, len(last.problems), last.total) == (11, 2, 12)
        assert [one.task for one in _screen(storage, person, back=last.previous).problems] == tasks


def test_answers_that_cannot_be_accepted(begun: tuple[Storage, int]) -> None:
    storage, person = begun
    other, task, good = a_person(storage), _problem(storage, person).task, given(choice=0)
    answer_all(storage, other, until=TEST)
    assert _refused(storage, other, task, good) == "not-asked"
    for unknown, why in (
        (task + 1, "not-asked"),
        (999_999, "not-asked"),
        (2**70, "invalid"),
    ):  # the first: not shown yet
        assert _refused(storage, person, unknown, good) == why
    submissions = ("", "short", "x" * 65, "'; DROP TABLE task")
    wrong = [given(choice=-1), given(choice=4), given(choice=0, verdict="keep")]
    for form in (*wrong, *(Response(submission, {"choice": 0}) for submission in submissions)):
        assert _refused(storage, person, task, form) == "invalid", form
    assert _refused(storage, person, task, given(comment="x" * 2001)) == "too-long"
    assert _task(storage, task)[0].answered is None
    answer(storage, person, {task: given(choice=0, comment=" '; DROP TABLE task; -- \0\ud800 ")})
    row, decisions = _task(storage, task)
    assert (row.comment, len(decisions)) == ("'; DROP TABLE task; -- ?", 1)
    assert step(storage, person, back=2**70) == step(storage, person)


def test_verification_asks_again_and_changes_no_test_answer(database: str) -> None:
    with a_study(database, small_collection(12), problems=10, checks=1) as storage:
        person = a_person(storage)
        answer_all(storage, person, until=TEST)
        wrong = []
        while (screen := _screen(storage, person)).part == TEST:
            problem = screen.problems[0]
            if len(wrong) < 4 and len(problem.candidates) == 2:
                wrong.append(problem.task)
                choice = None if len(wrong) == 4 else 1 - key(storage, problem.task)
                answer(storage, person, {problem.task: given(choice=choice)})
            else:
                answer_screen(storage, person)
        assert screen.total == 10  # everything, in a test this short; never the attention check
        assert _refused(storage, person, wrong[0], given(choice=0)) == "over"
        verdicts = []
        while isinstance(screen := step(storage, person), Screen):
            problem = screen.problems[0]
            others = [place for place, (index, _) in enumerate(problem.candidates, 1) if index != problem.earlier]
            assert [place for place, _ in problem.others] == others
            assert _refused(storage, person, problem.task, given(choice=0)) == "invalid"
            assert _refused(storage, person, problem.task, given(verdict="reason")) == "reason-missing"
            if problem.earlier is None:
                assert _refused(storage, person, problem.task, given(verdict="mistake")) == "invalid"
                form = given(verdict="mistake", choice=1)
            elif problem.earlier != key(storage, problem.task):
                form = given(verdict="mistake") if len(verdicts) % 2 else given(verdict="reason", comment="Because.")
            else:
                form = given(verdict="keep")
            answer(storage, person, {problem.task: form})
            stored = _task(storage, problem.task)[0]
            verdicts.append((problem.earlier, stored.verdict, stored.choice))
        assert isinstance(screen, Done)
        with storage.reading() as session:
            first = [session.get_one(Task, task).choice for task in wrong]
            keys = [key(storage, task) for task in wrong]
    assert [choice for choice in first if choice is not None] == [1 - one for one in keys[:3]]
    for earlier, verdict, choice in verdicts:
        assert (choice == earlier) == (verdict in ("keep", "reason"))


def test_all_disagreements_and_no_others_are_corrected_or_explained(database: str) -> None:
    settings = {"problems": 10, "checks": 1, "forced_choice": True, "disagreements_only": True}
    with a_study(database, small_collection(12), **settings) as storage:
        faultless = a_person(storage)
        assert isinstance(answer_all(storage, faultless), Done)
        person = a_person(storage)
        assert _refused(storage, person, _problem(storage, person).task, given(choice=None)) == "invalid"
        answer_all(storage, person, until=TEST)
        assert _refused(storage, person, _problem(storage, person).task, given(choice=None)) == "invalid"
        answer_all(storage, person, until=VERIFICATION, choose=lambda problem: problem.candidates[0][0])
        with storage.reading() as session:
            query = select(Task.problem_id).join(Problem).where(Task.participant_id == person, Task.part == TEST)
            missed = {*session.scalars(query.where(Task.choice != Problem.answer, Problem.part == TEST))}
            tasks = select(Task.problem_id).where(Task.participant_id == person, Task.part == VERIFICATION)
            assert {*session.scalars(tasks)} == missed
        assert 0 < len(missed) < 10
        while isinstance(screen := step(storage, person), Screen):
            task = screen.problems[0].task
            assert _refused(storage, person, task, given(verdict="keep")) == "invalid"
            assert _refused(storage, person, task, given(verdict="reason", comment=" ")) == "reason-missing"
            form = given(verdict="mistake") if screen.position == 1 else given(verdict="reason", comment="Because.")
            answer(storage, person, {task: form})
        corrected = [one for one in read_answers(storage).answers if one.verdict == "mistake"]
    assert [(one.right, one.right_after) for one in corrected] == [(False, True)]


def test_the_length_of_the_second_look_does_not_tell_the_number_of_mistakes(database: str) -> None:
    with a_study(database, small_collection(26), problems=24, checks=0) as storage:
        lengths, again = set(), {}
        for mistakes in (0, 1, 5, 7, 12, 24):
            person, left = a_person(storage), [mistakes]

            def choose(problem: AskedProblem, left: list[int] = left) -> int:
                right = key(storage, problem.task)
                left[0] -= 1
                return 1 - right if left[0] >= 0 else right

            answer_all(storage, person, until=TEST)
            answer_all(storage, person, until=VERIFICATION, choose=choose)
            lengths.add(_screen(storage, person).total)
            with storage.reading() as session:
                asked = session.execute(
                    select(Task.part, Task.choice, Problem.answer, Task.problem_id)
                    .join(Problem)
                    .where(Task.participant_id == person, Problem.part == TEST)
                ).all()
            missed = {row.problem_id for row in asked if row.part == TEST and row.choice != row.answer}
            assert len(missed) == mistakes
            again[mistakes] = sum(row.part == VERIFICATION and row.problem_id in missed for row in asked)
    assert lengths == {10}
    assert again == {0: 0, 1: 1, 5: 5, 7: 7, 12: 7, 24: 10}  # all of them, as long as three others fit in


def test_the_time_is_the_pages_or_else_the_servers_if_it_can_be(begun: tuple[Storage, int]) -> None:
    storage, person = begun

    def stored_time(minutes: float, seconds: float | None = None) -> float | None:
        """Of an answer to a page that was shown so many minutes ago."""
        task = _problem(storage, person).task
        with storage.writing() as session:
            at = now() - timedelta(minutes=minutes)
            session.execute(update(Task).where(Task.id == task).values(shown=at))
        answer(storage, person, {task: given(choice=0, seconds=seconds)})
        row, decisions = _task(storage, task)
        assert row.seconds == decisions[0].seconds
        return row.seconds

    assert stored_time(1) == pytest.approx(60, abs=20)
    assert stored_time(30) is None  # a page left open that long says nothing
    for seconds in (-1.0, float("nan"), float("inf"), 1e9):
        assert stored_time(-1, seconds) is None  # the clock was set back since
    assert stored_time(-1, 2.0) == 2.0
    with storage.writing() as session:  # as earlier versions did
        session.execute(update(Task).where(Task.answered.is_not(None)).values(seconds=-3.0))
    assert {one.seconds for one in read_answers(storage).all_answers} == {None}


def test_what_was_deleted_is_not_in_the_journal_either(tmp_path: Path) -> None:
    with a_study(f"{tmp_path}/study.db") as storage:
        person = a_person(storage)
        answer_all(storage, person, until=TEST)
        answer(storage, person, {_problem(storage, person).task: given(choice=0, comment="Schnabeltier")})
        journal = tmp_path / "study.db-wal"
        assert b"Schnabeltier" in journal.read_bytes()
        delete_person(storage, person)
        assert not journal.read_bytes()
        assert b"Schnabeltier" not in (tmp_path / "study.db").read_bytes()


def test_after_the_end(database: str) -> None:
    with a_study(database, verification=False) as storage:
        person = a_person(storage)
        answer_all(storage, person, until=TEST)
        form: dict[int, Response] = {}
        while isinstance(screen := step(storage, person), Screen):
            form = {screen.problems[0].task: given(choice=0)}
            answer(storage, person, form)
        assert isinstance(screen, Done)
        (task,) = form
        assert _refused(storage, person, task, given(choice=1)) == "over"
        assert answer(storage, person, form)  # the connection was lost before the reply: it is stored
        assert step(storage, person, back=task) == screen


def test_a_closed_study_and_a_revoked_link_take_no_answers(database: str) -> None:
    with a_study(database, open=False) as storage:
        assert join(storage) is None
        first, second = invite(storage, 2)
        person = enter(storage, first) or 0
        consent(storage, person, {})
        screen = _screen(storage, person)
        set_state(storage, "closed")
        assert step(storage, person) == Closed()
        assert _refused(storage, person, screen.problems[0].task, given(choice=0)) == "closed"
        set_state(storage, "open")
        assert step(storage, person) == screen
        revoke(storage, find_person(storage, f"https://example.org/p/{first}"))
        assert [enter(storage, token) for token in (first, first[:-1], "\0\ud800")] == [None] * 3
        assert step(storage, person) == Revoked()
        assert _refused(storage, person, screen.problems[0].task, given(choice=0)) == "revoked"
        assert enter(storage, second)


def test_experts_choose_or_say_that_it_is_too_ambiguous(database: str) -> None:
    with a_study(database, small_collection(3), training=1, problems=2, checks=0, verification=False) as storage:
        answer_all(storage, a_person(storage), choose=lambda problem: None)
        set_state(storage, "closed")
        person = enter(storage, invite(storage, 1, expert=True)[0]) or 0
        assert step(storage, person) == Consent(expert=True)
        consent(storage, person, {})
        first = _problem(storage, person).task
        assert _refused(storage, person, first, given()) == "invalid"
        assert _refused(storage, person, first, given(choice=0, verdict="too-ambiguous")) == "invalid"
        assert _refused(storage, person, first, given(choice=0, verdict="keep")) == "invalid"
        answer(storage, person, {first: given(verdict="too-ambiguous")})
        answer(storage, person, {_problem(storage, person).task: given(choice=1)})
        assert step(storage, person) == Done(2, "", "")
        assert _task(storage, first)[0].verdict == "too-ambiguous"


def test_many_requests_at_once_leave_one_answer_and_its_whole_history(begun: tuple[Storage, int]) -> None:
    storage, person = begun
    task = _problem(storage, person).task
    forms = [given(choice=number % 2, comment=str(number)) for number in range(8)]
    with ThreadPoolExecutor(8) as pool:  # two tabs, double clicks, resent forms
        list(pool.map(lambda form: answer(storage, person, {task: form}), forms * 3))
    row, decisions = _task(storage, task)
    assert sorted(one.submission for one in decisions) == sorted(form.submission for form in forms)
    assert (row.choice, row.comment) == (decisions[-1].choice, decisions[-1].comment)


def _serve(database: str, name: str, people: list[int]) -> list[str]:
    """Let people answer everything through a server of their own; what was acknowledged."""
    acknowledged = []
    with open_storage(database) as storage:
        for person in people:
            while isinstance(screen := step(storage, person), Screen):
                verdict = "keep" if screen.part == VERIFICATION else None
                for problem in screen.problems:
                    submission = f"{name}-{problem.task:06}"
                    try:
                        answer(storage, person, {problem.task: Response(submission, {"choice": 0, "verdict": verdict})})
                    except RefusedError as refused:
                        if refused.why not in ("stays", "over"):  # the other server was first
                            raise
                    else:
                        acknowledged.append(submission)
    return acknowledged


@pytest.mark.parametrize("pool", [ThreadPoolExecutor, pytest.param(ProcessPoolExecutor, marks=pytest.mark.slow)])
def test_the_same_people_on_two_servers(database: str, pool: type[Executor]) -> None:
    with a_study(database, small_collection(5), training=1, problems=4, checks=0) as storage:
        people = [a_person(storage) for _ in range(3)]
        context = {"mp_context": get_context("spawn")} if pool is ProcessPoolExecutor else {}
        with pool(2, **context) as servers:
            acknowledged = [*servers.map(_serve, [database] * 2, ["first", "second"], [people] * 2)]
        with storage.reading() as session:
            stored = session.scalars(select(Decision.submission)).all()
            finished = session.scalars(select(Participant.finished)).all()
            query = select(func.count()).where(Task.part == TEST).group_by(Task.participant_id)
            asked = session.scalars(query).all()
    assert sorted(stored) == sorted(acknowledged[0] + acknowledged[1])
    assert all(finished)
    assert asked == [4, 4, 4]
