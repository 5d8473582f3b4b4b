"""What people answered, read from the database as plain records: results, exports and the dashboard start from these.

Nobody's answers are dropped silently: `Respondent.excluded` says which of the rules fixed at creation applies.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache, cached_property
from statistics import median
from typing import TYPE_CHECKING, Any

from sqlalchemy import String, case, cast, select

from winoglot.schemas.model import ORIGINAL
from winoglot.study.settings import NATIVE_LANGUAGE, StudySettings, question_options
from winoglot.study.storage import (
    CHECK,
    DROP,
    EXPERT,
    MISTAKE,
    TEST,
    VERIFICATION,
    ItemDecision,
    Participant,
    Problem,
    Task,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sqlalchemy.orm import Session

    from winoglot.study.settings import Exclusions
    from winoglot.study.storage import Storage

_Task = tuple[Any, Problem]  # a row of the query below, and what was asked
ENOUGH_TIMES = 5  # answers before a median time says anything
LEAST_GROUP = 5  # people who say the same about themselves, before it is shown: one of fewer might be recognised
# Rows instead of objects: with 20,000 answers, that is five times as fast.
_TASKS = select(
    Task.participant_id,
    Task.problem_id,
    Task.part,
    cast(Task.order, String).label("order"),
    Task.answered,
    Task.choice,
    Task.verdict,
    Task.ambiguous,
    Task.unnatural,
    Task.comment,
    case((Task.seconds >= 0, Task.seconds)).label("seconds"),  # earlier versions stored negative ones: unknown
    cast(Task.further, String).label("further"),
).where(Task.part.in_((TEST, VERIFICATION, EXPERT)))
_NOTHING = "{}"  # in most studies, and not worth parsing 20,000 times
FAILED_CHECKS, TOO_FAST, TOO_FEW = RULES = ("failed-checks", "too-fast", "too-few")


@dataclass(frozen=True)
class Answer:
    """One person's answer to one problem, before verification; `final` is the choice after it."""

    person: str
    panel: int
    item_id: str
    schema_id: str
    kind: str
    version: int
    order: tuple[int, ...]
    choice: int | None  # None: cannot say, which counts as not right
    key: int
    ambiguous: bool
    unnatural: bool
    comment: str
    seconds: float | None
    at: datetime
    verdict: str | None = None  # what the person said when the problem was shown again
    final: int | None = None
    reason: str = ""  # in verification
    further: Mapping[str, Any] = field(default_factory=dict)  # answers to further questions, by their names

    @property
    def right(self) -> bool:
        """Whether it is the item's answer."""
        return self.choice == self.key

    @property
    def right_after(self) -> bool:
        """Whether the choice after verification is the item's answer."""
        return self.final == self.key


@dataclass(frozen=True)
class ExpertAnswer:
    """What an expert says about an item that the majority missed."""

    person: str
    item_id: str
    choice: int | None
    key: int
    verdict: str | None  # `too-ambiguous`, or None if there is a choice
    comment: str


@dataclass(frozen=True)
class DecidedItem:
    """What the researcher decided about an item."""

    decision: str = ""  # keep, repair, drop; empty: nothing yet
    note: str = ""


@dataclass(frozen=True)
class Respondent:
    """One participant: how far they came, and whether a rule leaves their answers out."""

    number: str
    panel: int
    consented: datetime | None
    assigned: datetime | None  # when the test began
    tested: datetime | None  # when it ended
    finished: datetime | None
    seen: datetime | None
    revoked: bool
    asked: int  # test problems, attention checks not counted
    answered: int
    checks: int
    failed_checks: int
    seconds: float | None  # median per problem
    background: dict[str, str]  # answers to the optional questions, by the question
    comment: str
    rule: str = ""  # by which the person's answers are left out; empty: included

    @property
    def native_language(self) -> str:
        """The native language as the person wrote it; empty if not answered."""
        return self.background.get(NATIVE_LANGUAGE, "")

    @property
    def excluded(self) -> str:
        """The rule in words."""
        match self.rule:
            case "failed-checks":
                return f"failed {self.failed_checks} of {self.checks} attention checks"
            case "too-fast":
                return f"took {self.seconds:.1f} seconds per problem"
            case "too-few":
                return f"answered {self.answered} of {self.asked} problems"
        return ""


@dataclass(frozen=True)
class StudyAnswers:
    """Everything that results are computed from. People of a pilot are not in it, nor those who never consented."""

    name: str
    collection: str
    language: str
    settings: StudySettings
    problems: tuple[Problem, ...]  # those of the test
    people: tuple[Respondent, ...]
    answers: tuple[Answer, ...]  # of included people
    expert: tuple[ExpertAnswer, ...] = ()
    all_answers: tuple[Answer, ...] = field(default=(), repr=False)  # of excluded people too
    decisions: dict[str, DecidedItem] = field(default_factory=dict)  # by item; no answers are left out because of them

    @cached_property
    def by_item(self) -> dict[str, list[Answer]]:
        """The answers of included people, item by item."""
        return grouped(self.answers)

    @property
    def dropped(self) -> set[str]:
        """The items that the researcher has marked to drop."""
        return {item for item, decided in self.decisions.items() if decided.decision == DROP}

    @property
    def kinds(self) -> tuple[str, ...]:
        """Originals first, then the kinds of variants."""
        return tuple(dict.fromkeys((ORIGINAL, *(problem.kind for problem in self.problems))))


def grouped(answers: Iterable[Answer]) -> dict[str, list[Answer]]:
    """Answers by the item they are about."""
    by_item: dict[str, list[Answer]] = {}
    for answer in answers:
        by_item.setdefault(answer.item_id, []).append(answer)
    return by_item


def background_groups(people: Iterable[Respondent], question: str) -> dict[str, list[Respondent]]:
    """People by the answer they chose to an optional question; groups that are too small are left out."""
    groups: dict[str, list[Respondent]] = {option: [] for option in question_options(question)}
    for person in people:
        if person.background.get(question) in groups:
            groups[person.background[question]].append(person)
    return {option: group for option, group in groups.items() if len(group) >= LEAST_GROUP}


def majority(choices: Sequence[int | None]) -> int | None:
    """What more than half of the people chose; None if there is no such answer.

    >>> majority([0, 0, 1]), majority([0, 1]), majority([1, None, None])
    (0, None, None)
    """
    if not choices:
        return None
    choice, count = Counter(choices).most_common(1)[0]
    return choice if 2 * count > len(choices) else None


def read_answers(storage: Storage, *, pilot: bool = False) -> StudyAnswers:
    """The answers so far; with `pilot`, those of the pilot instead."""
    problems = storage.problems
    with storage.reading() as session:
        study = storage.study(session)
        people, answers, expert = _read_people(session, problems, study.settings.exclusions, pilot=pilot)
        decisions = read_decisions(storage, session)
    included_numbers = {person.number for person in people if not person.rule}
    return StudyAnswers(
        study.name,
        study.collection_name,
        study.language,
        study.settings,
        tuple(problem for problem in problems.values() if problem.part == TEST),
        tuple(people),
        tuple(answer for answer in answers if answer.person in included_numbers),
        tuple(expert),
        tuple(answers),
        decisions,
    )


def read_decisions(storage: Storage, session: Session) -> dict[str, DecidedItem]:
    """What the researcher decided about which items."""
    rows = session.execute(select(ItemDecision.problem_id, ItemDecision.decision, ItemDecision.note))
    return {storage.problems[problem].item_id: DecidedItem(decision, note) for problem, decision, note in rows}


def _read_people(
    session: Session, problems: Mapping[int, Problem], rules: Exclusions, *, pilot: bool
) -> tuple[list[Respondent], list[Answer], list[ExpertAnswer]]:
    tasks: dict[int, list[_Task]] = {}
    for task in session.execute(_TASKS.order_by(Task.id)):
        tasks.setdefault(task.participant_id, []).append((task, problems[task.problem_id]))
    people: list[Respondent] = []
    answers: list[Answer] = []
    expert: list[ExpertAnswer] = []
    query = select(Participant).where(Participant.consented.is_not(None), Participant.pilot == pilot)
    for row in session.scalars(query.order_by(Participant.id)):
        tasks_of_person = tasks.get(row.id, [])
        if row.expert:
            expert += [
                _expert_answer(row, *task) for task in tasks_of_person if task[0].part == EXPERT and task[0].answered
            ]
        else:
            people.append(_person(row, tasks_of_person, rules))
            answers += _answers(row, tasks_of_person)
    return people, answers, expert


def _answers(row: Participant, tasks: list[_Task]) -> list[Answer]:
    second_looks = {task.problem_id: task for task, _ in tasks if task.part == VERIFICATION and task.answered}
    answers = []
    for task, problem in tasks:
        if task.part != TEST or problem.part != TEST or task.answered is None:
            continue
        second_look = second_looks.get(task.problem_id)
        answers.append(
            Answer(
                person=row.number,
                panel=row.panel,
                item_id=problem.item_id,
                schema_id=problem.schema_id,
                kind=problem.kind,
                version=problem.version,
                order=_order(task.order),
                choice=task.choice,
                key=problem.answer,
                ambiguous=task.ambiguous,
                unnatural=task.unnatural,
                comment=task.comment,
                seconds=task.seconds,
                at=task.answered,
                verdict=second_look.verdict if second_look else None,
                final=second_look.choice if second_look and second_look.verdict == MISTAKE else task.choice,
                reason=second_look.comment if second_look else "",
                further=json.loads(task.further) if task.further != _NOTHING else {},
            )
        )
    return answers


@cache
def _order(stored: str) -> tuple[int, ...]:
    """The candidates' order; there are few, so each is read once."""
    return tuple(json.loads(stored))


def _expert_answer(row: Participant, task: Any, problem: Problem) -> ExpertAnswer:
    return ExpertAnswer(row.number, problem.item_id, task.choice, problem.answer, task.verdict, task.comment)


def _person(row: Participant, tasks: list[_Task], rules: Exclusions) -> Respondent:
    test = [(task, problem) for task, problem in tasks if task.part == TEST]
    problems = [task for task, problem in test if problem.part == TEST]
    answered = [task for task in problems if task.answered]
    checks = [(task, problem) for task, problem in test if problem.part == CHECK and task.answered]
    failed_count = sum(task.choice != problem.answer for task, problem in checks)
    times = [task.seconds for task in answered if task.seconds is not None]
    seconds = median(times) if len(times) >= ENOUGH_TIMES else None
    rule = ""
    if failed_count >= rules.failed_checks > 0:
        rule = FAILED_CHECKS
    elif seconds is not None and seconds < rules.seconds:
        rule = TOO_FAST
    elif len(answered) < rules.answered * len(problems):
        rule = TOO_FEW
    return Respondent(
        number=row.number,
        panel=row.panel,
        consented=row.consented,
        assigned=row.assigned,
        tested=row.tested,
        finished=row.finished,
        seen=row.seen,
        revoked=row.revoked,
        asked=len(problems),
        answered=len(answered),
        checks=len(checks),
        failed_checks=failed_count,
        seconds=seconds,
        background=row.background,
        comment=row.comment,
        rule=rule,
    )
