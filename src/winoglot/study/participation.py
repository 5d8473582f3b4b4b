"""The steps of a participation, without any web: consent, training, test, verification, the end.

`step` says what a person sees next; nothing in a `Step` tells which answer is right before that is due. `answer` stores
what a person decides, in one transaction: an answer that was acknowledged is in the database. A form that is sent twice
has the same `submission` and counts once; a later decision replaces the answer and is added to the history.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from datetime import timedelta
from math import isfinite
from typing import TYPE_CHECKING, Any, Literal, cast

from sqlalchemy import Table, delete, exists, insert, select, true, update

from winoglot.study.assignment import assign_expert, assign_test, assign_training, assign_verification
from winoglot.study.settings import MAX_BACKGROUND, question_options
from winoglot.study.storage import (
    CLOSED,
    EXPERT,
    KEEP,
    MISTAKE,
    PILOT,
    REASON,
    TEST,
    TOO_AMBIGUOUS,
    TRAINING,
    VERIFICATION,
    Decision,
    Participant,
    Study,
    Task,
    new_token,
    now,
    token_hash,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from winoglot.study.storage import Problem, Storage

MAX_COMMENT = 2000  # characters
_PERSON, _TASK, _DECISION = (cast("Table", one.__table__) for one in (Participant, Task, Decision))
_PARTS = (TRAINING, TEST, VERIFICATION, EXPERT)  # in this order
_LONGEST = 24 * 3600.0  # seconds that a problem may have been looked at
_SHOWN_AGAIN = timedelta(minutes=10)  # a page asked for after this time was not the one shown before
_CODE_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # none that look alike
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")  # all but tabs and new lines
_ID_LIMIT = 2**31  # of a database's integers

Why = Literal["revoked", "closed", "not-asked", "over", "stays", "invalid", "too-long", "reason-missing"]


class RefusedError(Exception):
    """Something that cannot be stored; nothing of its request is.

    revoked: the link is not valid (any more). closed: the study is. not-asked: not a problem that this person has been
    shown. over: the test or the whole participation has ended. stays: a training answer is not changed. invalid: not an
    answer to this problem. too-long: the comment is. reason-missing: a verdict of `reason` needs a comment.
    """

    def __init__(self, why: Why, task: int | None = None) -> None:
        """`task` is the problem it is about, if it is about one."""
        super().__init__(why)
        self.why: Why = why
        self.task = task


@dataclass(frozen=True)
class Given:
    """What a person decides about one problem.

    `choice` is a candidate's index, None for "cannot say". In verification there is a verdict: `keep`, `mistake` (the
    choice is another candidate; with two it may be left out) or `reason` (in the comment). Experts choose a candidate,
    or give the verdict `too-ambiguous`.
    """

    submission: str  # random, made with the form: letters, digits, - and _
    choice: int | None = None
    verdict: str | None = None
    ambiguous: bool = False
    unnatural: bool = False
    comment: str = ""
    seconds: float | None = None  # while the page was visible; None: unknown, without JavaScript


@dataclass(frozen=True)
class Feedback:
    """After a training problem has been answered."""

    right: bool
    answer: str
    explanation: str


@dataclass(frozen=True)
class AskedProblem:
    """A problem as this person sees it."""

    task: int
    before: str
    pronoun: str  # empty if it is not spoken
    after: str
    question: str | None
    candidates: tuple[tuple[int, str], ...]  # index and text, in the order for this person
    given: Given | None  # the present answer, without its submission
    earlier: int | None = None  # in verification: the person's answer in the test; None: cannot say
    feedback: Feedback | None = None
    language: str | None = None  # if it is not the collection's: attention checks speak the language of the page

    @property
    def others(self) -> tuple[tuple[int, str], ...]:
        """In verification: what the answer becomes if the earlier one was a mistake."""
        return tuple(one for one in self.candidates if one[0] != self.earlier)


@dataclass(frozen=True)
class Consent:
    """Not yet agreed to take part."""

    expert: bool


@dataclass(frozen=True)
class Screen:
    """Problems to answer: one, or in the test as many as the settings say. Earlier screens hold the answers given.

    A training problem that has been answered has feedback; there is nothing more to send, and the next step follows.
    """

    part: str  # training, test, verification, expert
    problems: tuple[AskedProblem, ...]
    position: int  # of the first problem within its part, from 1
    total: int  # of the part
    previous: int | None  # a task of the screen before, for `step(back=…)`; None: one cannot go back


@dataclass(frozen=True)
class Done:
    """The end."""

    answered: int  # test problems
    code: str  # completion code; empty if the study has none
    comment: str


@dataclass(frozen=True)
class Closed:
    """The study has been closed before this person finished."""


@dataclass(frozen=True)
class Revoked:
    """The link is not valid any more, or the person was deleted."""


Step = Consent | Screen | Done | Closed | Revoked


@dataclass(frozen=True)
class Saved:
    """Answers are in the database."""

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


def step(storage: Storage, person: int, back: int | None = None) -> Step:
    """What the person sees next; with `back`, the screen of a task that they were shown before, if it may be seen.

    In the test one may go back until its last problem is answered, in training to see the feedback.
    """
    with storage.reading() as session:
        row, state = _person(session, person)
        if row is None or row.revoked:
            return Revoked()
        if row.finished is None and state == CLOSED and not row.expert:
            return Closed()
        if row.consented is None:
            return Consent(row.expert)
        tasks = _tasks(session, Task.participant_id == person)
    if row.finished is not None:
        answered = [task for task in tasks if task.part in (TEST, EXPERT) and task.answered]
        return Done(len(answered), row.code, row.comment)
    part = next(part for part in _PARTS if any(task.part == part and not task.answered for task in tasks))
    of_part = [task for task in tasks if task.part == part]
    size = _per_screen(storage, part)
    first = next(index for index, task in enumerate(of_part) if not task.answered) // size * size
    again = next((task for task in tasks if task.id == back and task.shown), None)
    if again is not None and again.part == TRAINING and again.answered:
        part, of_part, size, first = TRAINING, [task for task in tasks if task.part == TRAINING], 1, again.position
    elif again is not None and again.part == part and again.position < first:
        first = again.position // size * size
    else:
        _note_shown(storage, person, of_part[first : first + size])
    return Screen(
        part,
        tuple(_asked(storage, task, tasks) for task in of_part[first : first + size]),
        first + 1,
        len(of_part),
        of_part[first - 1].id if first > 0 else None,
    )


def consent(storage: Storage, person: int, background: Mapping[str, str]) -> None:
    """The person agrees to take part, and may answer the optional questions. A second time changes nothing."""
    known = {name: _text(background[name]) for name in storage.settings.background if background.get(name)}
    if any(len(value) > MAX_BACKGROUND for value in known.values()):
        raise RefusedError("too-long")
    if any(value not in (question_options(question) or (value,)) for question, value in known.items()):
        raise RefusedError("invalid")
    with storage.writing() as session:
        row = _locked(session, person)
        if row.consented is not None:
            return
        state = session.scalar(select(Study.state))
        _check_open(row, state)
        row.consented = row.seen = now()
        row.background = known
        row.pilot = state == PILOT
        if row.expert:
            assign_expert(storage, session, row)
        else:
            assign_training(storage, session, row)
        session.flush()
        _advance(storage, session, row)


def answer(storage: Storage, person: int, answers: Mapping[int, Given]) -> Saved:
    """Store answers to problems of one screen, by their tasks: all of them or, if one is refused, none."""
    if not answers or not all(0 < task < _ID_LIMIT for task in answers):
        raise RefusedError("invalid")
    with storage.writing() as session:
        row = _locked(session, person)
        tasks = _tasks(session, Task.participant_id == person, Task.id.in_(answers))
        if len(tasks) != len(answers) or len({task.part for task in tasks}) != 1:
            raise RefusedError("not-asked")
        sent = select(Decision.task_id, Decision.submission).where(Decision.task_id.in_(answers))
        known = {(task, submission) for task, submission in session.execute(sent)}
        new = [task for task in tasks if (task.id, answers[task.id].submission) not in known]
        if new:
            _check_open(row, session.scalar(select(Study.state)))
            at = now()
            for task in new:
                _decide(storage, session, row, task, answers[task.id], at)
            session.execute(update(_PERSON).where(_PERSON.c.id == person).values(seen=at))
            if not _show_next(storage, session, tasks[-1], at):
                _advance(storage, session, row)
        return Saved(tasks[0].part, tuple(task.id for task in tasks))


def comment(storage: Storage, person: int, text: str) -> None:
    """Store what a person says at the end about the whole study; it replaces what they said before."""
    text = _text(text)
    if len(text) > MAX_COMMENT:
        raise RefusedError("too-long")
    with storage.writing() as session:
        _locked(session, person).comment = text


def delete_person(storage: Storage, person: int) -> None:
    """Delete a participant and everything about them."""
    with storage.writing() as session:
        session.execute(delete(Participant).where(Participant.id == person))


def _person(session: Session, person: int) -> tuple[Participant | None, str]:
    found = session.execute(
        select(Participant, Study.state).join(Study, true()).where(Participant.id == person)
    ).first()
    return (found[0], found[1]) if found else (None, CLOSED)


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


def _tasks(session: Session, *conditions: Any) -> Sequence[Any]:
    """Tasks as plain rows, which are faster than objects: every page and every answer needs them."""
    return session.execute(select(_TASK).where(*conditions).order_by(_TASK.c.position)).all()


def _per_screen(storage: Storage, part: str) -> int:
    return storage.settings.per_screen if part == TEST else 1  # feedback and second thoughts are about one problem


def _asked(storage: Storage, task: Any, tasks: Sequence[Any]) -> AskedProblem:
    problem = storage.problems[task.problem_id]
    texts = problem.content["candidates"]
    given, earlier, feedback = None, None, None
    if task.answered:
        given = Given("", task.choice, task.verdict, task.ambiguous, task.unnatural, task.comment, task.seconds)
    if task.part == VERIFICATION:
        earlier = next(one.choice for one in tasks if one.part == TEST and one.problem_id == task.problem_id)
    if task.part == TRAINING and task.answered:
        feedback = Feedback(task.choice == problem.answer, texts[problem.answer], problem.explanation)
    return AskedProblem(
        task.id,
        problem.content["before"],
        problem.content["pronoun"],
        problem.content["after"],
        problem.content["question"],
        tuple((index, texts[index]) for index in task.order),
        given,
        earlier,
        feedback,
        problem.content.get("language"),
    )


def _note_shown(storage: Storage, person: int, tasks: Sequence[Any]) -> None:
    """Store when a screen is shown, unless the answer to the one before has just done so."""
    at = now()
    ids = [task.id for task in tasks if not task.answered and (not task.shown or at - task.shown > _SHOWN_AGAIN)]
    if ids:
        with storage.writing() as session:
            session.execute(update(_PERSON).where(_PERSON.c.id == person).values(seen=at))  # first, as `_locked` does
            session.execute(update(_TASK).where(_TASK.c.id.in_(ids), _TASK.c.answered.is_(None)).values(shown=at))


def _show_next(storage: Storage, session: Session, last: Any, at: datetime) -> bool:
    """Note that the screen after this one is being shown; False if there is none that was not shown before."""
    size = _per_screen(storage, last.part)
    start = (last.position // size + 1) * size
    done = session.connection().execute(
        update(_TASK)
        .where(_TASK.c.participant_id == last.participant_id, _TASK.c.part == last.part, _TASK.c.shown.is_(None))
        .where(_TASK.c.position.between(start, start + size - 1))
        .values(shown=at)
    )
    return done.rowcount > 0


def _decide(storage: Storage, session: Session, row: Participant, task: Any, given: Given, at: datetime) -> None:
    """Check one answer and store it, with its history."""
    problem = storage.problems[task.problem_id]
    if task.shown is None:
        raise RefusedError("not-asked", task.id)
    if task.part == TEST and row.tested is not None:
        raise RefusedError("over", task.id)
    if task.part == TRAINING and task.answered is not None:
        raise RefusedError("stays", task.id)
    text, choice = _text(given.comment), _choice(session, problem, task, given)
    if len(text) > MAX_COMMENT:
        raise RefusedError("too-long", task.id)
    if given.verdict == REASON and not text:
        raise RefusedError("reason-missing", task.id)
    if not re.fullmatch(r"[A-Za-z0-9_-]{8,64}", given.submission, re.ASCII):
        raise RefusedError("invalid", task.id)
    seconds = given.seconds
    if seconds is not None and not (isfinite(seconds) and 0 <= seconds <= _LONGEST):
        raise RefusedError("invalid", task.id)
    if seconds is None and task.answered is None and at - task.shown < _SHOWN_AGAIN:
        seconds = (at - task.shown).total_seconds() / _per_screen(storage, task.part)
    values = {
        "choice": choice,
        "verdict": given.verdict,
        "ambiguous": given.ambiguous,
        "unnatural": given.unnatural,
        "comment": text,
    }
    decision = {"task_id": task.id, "submission": given.submission, "at": at, "seconds": seconds}
    session.execute(insert(_DECISION).values(**decision, **values))
    if task.seconds is not None or seconds is not None:  # every look at the problem counts
        seconds = (task.seconds or 0.0) + (seconds or 0.0)
    session.execute(update(_TASK).where(_TASK.c.id == task.id).values(**values, answered=at, seconds=seconds))


def _choice(session: Session, problem: Problem, task: Any, given: Given) -> int | None:
    """The candidate that the answer stands for, if it is an answer to this problem."""
    candidates = range(len(problem.content["candidates"]))
    if task.part == VERIFICATION:
        query = select(Task.choice).where(
            Task.participant_id == task.participant_id, Task.part == TEST, Task.problem_id == task.problem_id
        )
        earlier = session.scalars(query).one()
        if given.verdict in (KEEP, REASON):
            return earlier
        others = [one for one in candidates if one != earlier]
        choice = others[0] if given.choice is None and len(others) == 1 else given.choice
        allowed = given.verdict == MISTAKE and choice in others
    else:
        choice = given.choice
        allowed = given.verdict is None and choice in (None, *candidates)
        if task.part == EXPERT:
            allowed = (given.verdict == TOO_AMBIGUOUS) == (choice is None) and choice in (None, *candidates)
            allowed = allowed and given.verdict in (None, TOO_AMBIGUOUS)
    if not allowed:
        raise RefusedError("invalid", task.id)
    return choice


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


def _text(text: str) -> str:
    """Text that both databases can store, and a terminal print: lines of it, without control characters."""
    return _CONTROL.sub("", text.encode(errors="replace").decode()).strip()
