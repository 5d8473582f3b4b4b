"""What a person sees in a study, without any web: consent, problem after problem, the end.

`step` says what comes next. Nothing in a `Step` tells which answer is right before that is due.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, cast

from sqlalchemy import Table, select, true, update

from winoglot.study.storage import (
    ANSWER_COLUMNS,
    CLOSED,
    EXPERT,
    TEST,
    TRAINING,
    VERIFICATION,
    Participant,
    Study,
    Task,
    now,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.orm import Session

    from winoglot.study.storage import Storage

SHOWN_AGAIN = timedelta(minutes=10)  # a page asked for after this time was not the one shown before
PEOPLE, TASKS = (cast("Table", table.__table__) for table in (Participant, Task))
_PARTS = (TRAINING, TEST, VERIFICATION, EXPERT)  # in this order


@dataclass(frozen=True)
class Response:
    """What a person decides about one problem.

    `values` are what the questions of the part read: `choice` is a candidate's index, None for "cannot say"; a page
    sends `place` instead, from 1, which is where this person sees the candidate. In verification there is a `verdict`:
    `keep`, `mistake` (the choice is another candidate; with two it may be left out) or `reason` (in the `comment`).
    Experts choose a candidate, or give the verdict `too-ambiguous`.
    """

    submission: str  # random, made with the form: letters, digits, - and _
    values: Mapping[str, Any]
    seconds: float | None = None  # while the page was visible; None: unknown, without JavaScript


@dataclass(frozen=True)
class Feedback:
    """What is said after a training problem has been answered."""

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
    stored: Mapping[str, Any] | None  # the present answer, by the names of its values; None: not answered yet
    earlier: int | None = None  # in verification: the person's answer in the test; None: cannot say
    feedback: Feedback | None = None
    language: str | None = None  # if it is not the collection's: attention checks may be in that of the pages

    @property
    def places(self) -> dict[int, int]:
        """Where this person sees each candidate, from 1, by its index."""
        return {index: place for place, (index, _) in enumerate(self.candidates, 1)}

    @property
    def others(self) -> tuple[tuple[int, str], ...]:
        """The other candidates, by place: what the answer becomes if the earlier one was a mistake."""
        return tuple((self.places[index], text) for index, text in self.candidates if index != self.earlier)


@dataclass(frozen=True)
class Consent:
    """The person has not yet agreed to take part."""

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
    """The person has reached the end."""

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
        tasks = task_rows(session, Task.participant_id == person)
    if row.finished is not None:
        answered = [task for task in tasks if task.part in (TEST, EXPERT) and task.answered]
        return Done(len(answered), row.code, row.comment)
    part = next(part for part in _PARTS if any(task.part == part and not task.answered for task in tasks))
    of_part = [task for task in tasks if task.part == part]
    size = problems_per_screen(storage, part)
    first = next(index for index, task in enumerate(of_part) if not task.answered) // size * size
    earlier_task = next((task for task in tasks if task.id == back and task.shown), None)
    if earlier_task is not None and earlier_task.part == TRAINING and earlier_task.answered:
        part, of_part, size, first = (
            TRAINING,
            [task for task in tasks if task.part == TRAINING],
            1,
            earlier_task.position,
        )
    elif earlier_task is not None and earlier_task.part == part and earlier_task.position < first:
        first = earlier_task.position // size * size
    else:
        _note_shown(storage, person, of_part[first : first + size])
    return Screen(
        part,
        tuple(_asked_problem(storage, task, tasks) for task in of_part[first : first + size]),
        first + 1,
        len(of_part),
        of_part[first - 1].id if first > 0 else None,
    )


def _person(session: Session, person: int) -> tuple[Participant | None, str]:
    row = session.execute(select(Participant, Study.state).join(Study, true()).where(Participant.id == person)).first()
    return (row[0], row[1]) if row else (None, CLOSED)


def task_rows(session: Session, *conditions: Any) -> Sequence[Any]:
    """Tasks as plain rows, which are faster than objects: every page and every answer needs them."""
    return session.execute(select(TASKS).where(*conditions).order_by(TASKS.c.position)).all()


def problems_per_screen(storage: Storage, part: str) -> int:
    """How many problems a person sees at once."""
    return storage.settings.per_screen if part == TEST else 1  # feedback and second thoughts are about one problem


def _asked_problem(storage: Storage, task: Any, tasks: Sequence[Any]) -> AskedProblem:
    problem = storage.problems[task.problem_id]
    texts = problem.content["candidates"]
    stored, earlier, feedback = None, None, None
    if task.answered:
        stored = {name: getattr(task, name) for name in ANSWER_COLUMNS if name != "further"} | task.further
    if task.part == VERIFICATION:
        earlier = next(
            other_task.choice
            for other_task in tasks
            if other_task.part == TEST and other_task.problem_id == task.problem_id
        )
    if task.part == TRAINING and task.answered:
        feedback = Feedback(task.choice == problem.answer, texts[problem.answer], problem.explanation)
    return AskedProblem(
        task.id,
        problem.content["before"],
        problem.content["pronoun"],
        problem.content["after"],
        problem.content["question"],
        tuple((index, texts[index]) for index in task.order),
        stored,
        earlier,
        feedback,
        problem.content.get("language"),
    )


def _note_shown(storage: Storage, person: int, tasks: Sequence[Any]) -> None:
    """Store when a screen is shown, unless the answer to the one before has just done so."""
    at = now()
    ids = [task.id for task in tasks if not task.answered and (not task.shown or at - task.shown > SHOWN_AGAIN)]
    if ids:
        with storage.writing() as session:
            session.execute(update(PEOPLE).where(PEOPLE.c.id == person).values(seen=at))  # first, as `_locked` does
            session.execute(update(TASKS).where(TASKS.c.id.in_(ids), TASKS.c.answered.is_(None)).values(shown=at))
