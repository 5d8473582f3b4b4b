"""What a person does in a study, without any web: join, agree, answer, comment, delete everything.

`answer` stores what a person decides, in one transaction: an answer that was acknowledged is in the database, and what
comes next has begun. A form that is sent twice counts once; a later decision replaces the answer and is added to the
history. `steps.py` says what the person sees.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING, Any, cast

from sqlalchemy import Table, delete, exists, insert, select, update

from winoglot.errors import InputError
from winoglot.study.assignment import assign_expert, assign_test, assign_training, assign_verification
from winoglot.study.questions.base import MAX_TEXT, AnsweredTask, RefusedError
from winoglot.study.questions.table import further_questions, questions_of
from winoglot.study.settings import MAX_BACKGROUND, question_options
from winoglot.study.steps import PEOPLE, SHOWN_AGAIN, TASKS, Response, Screen, problems_per_screen, step, task_rows
from winoglot.study.storage import (
    ANSWER_COLUMNS,
    CLOSED,
    KEEP,
    MISTAKE,
    PILOT,
    REASON,
    TEST,
    TRAINING,
    VERIFICATION,
    Decision,
    Participant,
    Study,
    Task,
    new_token,
    now,
    storable_text,
    token_hash,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from winoglot.study.steps import AskedProblem
    from winoglot.study.storage import Storage

_DECISION = cast("Table", Decision.__table__)
_NO_ANSWER = {"choice": None, "verdict": None, "ambiguous": False, "unnatural": False, "comment": ""}
_LONGEST = 24 * 3600.0  # seconds that a problem may have been looked at
_CODE_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # none that look alike
_ID_LIMIT = 2**31  # of a database's integers


@dataclass(frozen=True)
class Saved:
    """The receipt for answers that are in the database."""

    part: str  # after `training`, show the feedback: step(…, back=task)
    tasks: tuple[int, ...]


def join(storage: Storage) -> str | None:
    """A new participant of a study that is open to anybody: the token of a personal link. None: it is not open."""
    token = new_token()
    with storage.writing() as session:
        if not storage.settings.open or session.scalar(select(Study.state)) == CLOSED:
            return None
        person = new_participant(token)
        person.seen = now()
        session.add(person)
    return token


def new_participant(token: str, *, expert: bool = False) -> Participant:
    """A person who has not begun, known by a random number."""
    number = "".join(secrets.choice(_CODE_LETTERS) for _ in range(8))
    return Participant(number=number, token_hash=token_hash(token), expert=expert)


def enter(storage: Storage, token: str) -> int | None:
    """The id of the person with this link; None if there is none, or the link was revoked."""
    with storage.reading() as session:
        query = select(Participant.id).where(Participant.token_hash == token_hash(token), ~Participant.revoked)
        return session.scalar(query)


def consent(storage: Storage, person: int, background: Mapping[str, str]) -> None:
    """The person agrees to take part, and may answer the optional questions. A second time changes nothing."""
    answers = {name: storable_text(background[name]) for name in storage.settings.background if background.get(name)}
    if any(len(value) > MAX_BACKGROUND for value in answers.values()):
        raise RefusedError("too-long")
    if any(value not in (question_options(question) or (value,)) for question, value in answers.items()):
        raise RefusedError("invalid")
    with storage.writing() as session:
        row = _locked(session, person)
        if row.consented is not None:
            return
        state = session.scalar(select(Study.state))
        _check_open(row, state)
        row.consented = row.seen = now()
        row.background = answers
        row.pilot = state == PILOT
        if row.expert:
            assign_expert(storage, session, row)
        else:
            assign_training(storage, session, row)
        session.flush()
        _advance(storage, session, row)


def answer(storage: Storage, person: int, answers: Mapping[int, Response]) -> Saved:
    """Store answers to problems of one screen, by their tasks: all of them or, if one is refused, none."""
    if not answers or not all(0 < task < _ID_LIMIT for task in answers):
        raise RefusedError("invalid")
    with storage.writing() as session:
        row = _locked(session, person)
        tasks = task_rows(session, Task.participant_id == person, Task.id.in_(answers))
        if len(tasks) != len(answers) or len({task.part for task in tasks}) != 1:
            raise RefusedError("not-asked")
        query = select(_DECISION).where(Decision.task_id.in_(answers)).order_by(Decision.id)
        history = session.execute(query).all()
        new = []
        for task in tasks:
            decided = _values_to_store(storage, session, task, answers[task.id])
            submission = _new_submission(history, task.id, answers[task.id].submission, decided)
            if submission is not None:
                new.append((task, decided | {"submission": submission}))
        if new:
            _check_open(row, session.scalar(select(Study.state)))
            at = now()
            for task, decided in new:
                _decide(storage, session, row, task, decided, at)
            session.execute(update(PEOPLE).where(PEOPLE.c.id == person).values(seen=at))
            if not _show_next(storage, session, tasks[-1], at):
                _advance(storage, session, row)
        return Saved(tasks[0].part, tuple(task.id for task in tasks))


def comment(storage: Storage, person: int, text: str) -> None:
    """Store what a person says at the end about the whole study; it replaces what they said before."""
    text = storable_text(text)
    if len(text) > MAX_TEXT:
        raise RefusedError("too-long")
    with storage.writing() as session:
        row = _locked(session, person)
        row.comment, row.seen = text, now()


def delete_person(storage: Storage, person: int) -> None:
    """Delete a participant and everything about them, in SQLite's journal too."""
    with storage.writing() as session:
        session.execute(delete(Participant).where(Participant.id == person))
    storage.empty_journal()


def rehearse(storage: Storage, robots: int, seed: int = 0) -> None:
    """Let robots take part in a pilot from beginning to end, to look at the pages and tables of a study with answers.

    They choose as in the key nine times in ten, at a person's pace, and keep what the second look asks about, unless it
    shows disagreements only: then they correct half of them and explain the others.
    """
    rng = Random(seed)
    with storage.reading() as session:
        if session.scalar(select(Study.state)) != PILOT:
            raise InputError("the study is not a pilot", remedy="Make it one first: winoglot study pilot.")
    for _ in range(robots):
        person = enter(storage, join(storage) or "")
        if person is None:
            remedy = "Try it with a study created without --invited-only."
            raise InputError("only people with a personal link can take part in this study", remedy=remedy)
        consent(storage, person, {})
        while isinstance(screen := step(storage, person), Screen):
            answer(
                storage, person, {problem.task: _robot(storage, screen, problem, rng) for problem in screen.problems}
            )


def _robot(storage: Storage, screen: Screen, problem: AskedProblem, rng: Random) -> Response:
    if screen.part == VERIFICATION:
        second_thoughts: list[dict[str, Any]] = [{"verdict": KEEP}]
        if storage.settings.disagreements_only:
            mistake = {"verdict": MISTAKE, "place": problem.others[0][0]}
            second_thoughts = [mistake, {"verdict": REASON, "comment": "🤖"}]
        return Response(secrets.token_hex(), rng.choice(second_thoughts), rng.uniform(2, 6))
    with storage.reading() as session:
        problem_id = session.scalars(select(Task.problem_id).where(Task.id == problem.task)).one()
    choices = [storage.problems[problem_id].answer] * 9 + [rng.choice(problem.candidates)[0]]
    values: dict[str, Any] = {"choice": rng.choice(choices)}
    for question in further_questions(storage.settings):
        if screen.part in question.parts and question.options:
            values |= question.read({question.name: rng.choice(question.options)[0]}) or {}
    return Response(secrets.token_hex(), values, rng.uniform(4, 12))


def _locked(session: Session, person: int) -> Participant:
    """The person, whose other requests wait until this transaction ends."""
    row = session.get(Participant, person, with_for_update=True)
    if row is None or row.revoked:
        raise RefusedError("revoked")
    return row


def _check_open(row: Participant, state: str | None) -> None:
    if row.finished is not None:
        raise RefusedError("over")
    if state == CLOSED and not row.expert:  # experts are asked when the others have finished
        raise RefusedError("closed")


def _show_next(storage: Storage, session: Session, last: Any, at: datetime) -> bool:
    """Note that the screen after this one is being shown; False if there is none that was not shown before."""
    size = problems_per_screen(storage, last.part)
    start = (last.position // size + 1) * size
    result = session.connection().execute(
        update(TASKS)
        .where(TASKS.c.participant_id == last.participant_id, TASKS.c.part == last.part, TASKS.c.shown.is_(None))
        .where(TASKS.c.position.between(start, start + size - 1))
        .values(shown=at)
    )
    return result.rowcount > 0


def _values_to_store(storage: Storage, session: Session, task: Any, response: Response) -> dict[str, Any]:
    """What an answer stands for, by the columns that store it, if it is an answer to this problem."""
    if not re.fullmatch(r"[A-Za-z0-9_-]{8,64}", response.submission, re.ASCII):
        raise RefusedError("invalid", task.id)
    answered_task = AnsweredTask(task.id, task.part, task.order, _choice_in_test(session, task))
    values: dict[str, Any] = {}
    for question in questions_of(storage.settings, task.part):
        values |= question.check(response.values, answered_task)
    stored = _NO_ANSWER | {name: values.pop(name) for name in ANSWER_COLUMNS if name in values}
    seconds = response.seconds
    if seconds is not None and not 0 <= seconds <= _LONGEST:
        seconds = None  # a clock that was set back, or nonsense: unknown
    return stored | {"further": values, "seconds": seconds}


def _choice_in_test(session: Session, task: Any) -> int | None:
    """The person's choice in the test, which verification shows again."""
    if task.part != VERIFICATION:
        return None
    query = select(Task.choice).where(
        Task.participant_id == task.participant_id, Task.part == TEST, Task.problem_id == task.problem_id
    )
    return session.scalars(query).one()


def _new_submission(history: Sequence[Any], task: int, form: str, decided: dict[str, Any]) -> str | None:
    """What a decision is stored under; None if its form was sent before and this is what it said last.

    A page that the browser restored may say something else, and then the first thing again: further decisions from a
    form are numbered.
    """
    earlier = [row for row in history if row.task_id == task and f"{row.submission}-".startswith(f"{form}-")]
    if earlier and all(getattr(earlier[-1], name) == decided[name] for name in ANSWER_COLUMNS):
        return None
    return f"{form}-{len(earlier) + 1}" if earlier else form


def _decide(
    storage: Storage, session: Session, row: Participant, task: Any, decided: dict[str, Any], at: datetime
) -> None:
    """Store a decision, if it can still be made: in the history, and as the present answer."""
    if task.shown is None:
        raise RefusedError("not-asked", task.id)
    if task.part == TEST and row.tested is not None:
        raise RefusedError("over", task.id)
    if task.part == TRAINING and task.answered is not None:
        raise RefusedError("stays", task.id)
    seconds = decided["seconds"]
    if seconds is None and task.answered is None and timedelta(0) <= at - task.shown < SHOWN_AGAIN:
        seconds = (at - task.shown).total_seconds() / problems_per_screen(storage, task.part)
    session.execute(insert(_DECISION).values(**decided | {"task_id": task.id, "at": at, "seconds": seconds}))
    if task.seconds is not None or seconds is not None:  # every look at the problem counts
        seconds = max(0.0, task.seconds or 0.0) + (seconds or 0.0)
    present = {name: decided[name] for name in ANSWER_COLUMNS}
    session.execute(update(TASKS).where(TASKS.c.id == task.id).values(**present, answered=at, seconds=seconds))


def _advance(storage: Storage, session: Session, row: Participant) -> None:
    """If everything has been answered, begin what comes next: the test, the verification or the end."""
    unanswered = exists().where(Task.participant_id == row.id, Task.answered.is_(None))
    if session.scalar(select(unanswered)):
        return
    if not row.expert and row.assigned is None:
        assign_test(storage, session, row)
        return
    if not row.expert and row.tested is None:
        row.tested = now()
        if storage.settings.verification and assign_verification(storage, session, row):
            return
    row.finished = now()
    if storage.settings.completion_code:
        row.code = "-".join("".join(secrets.choice(_CODE_LETTERS) for _ in range(4)) for _ in range(3))
