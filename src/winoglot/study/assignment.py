"""Which problems a person gets: for training, for the test, to look at again, and as an expert.

The test problems are drawn at once when the training is over, so that the study can be balanced and nobody gets two
items of a schema. What is needed most comes first. Everything random depends on the study's seed and on the person's
random number.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import timedelta
from math import ceil
from random import Random
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, case, func, not_, or_, select

from winoglot.study.answers import ENOUGH_TIMES, majority, read_answers
from winoglot.study.storage import (
    CHECK,
    EXPERT,
    TEST,
    TRAINING,
    VERIFICATION,
    Participant,
    Problem,
    Task,
    now,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Select
    from sqlalchemy.orm import Session

    from winoglot.study.settings import StudySettings
    from winoglot.study.storage import Storage

_ACTIVE = timedelta(hours=24)  # how long problems stay reserved for a person who does not come back
# In the second look. Being shown a problem again must not give away that the answer was wrong, nor the number of
# problems how many answers were: it is the same for everybody, and some were answered as in the key.
_AGAIN_SHARE, _FEWEST_AGAIN, _FEWEST_AGREED = (1 / 4, 10, 3)


def assign_training(storage: Storage, session: Session, person: Participant) -> None:
    """Give a person all training problems, in random order."""
    problems = [problem for problem in storage.problems.values() if problem.part == TRAINING]
    rng = _random(storage, person, TRAINING)
    rng.shuffle(problems)
    _add(session, person, TRAINING, problems, rng)


def assign_test(storage: Storage, session: Session, person: Participant) -> None:
    """Give a person the most needed problems and attention checks. Locks the study until the transaction ends.

    A person is put into the panel, and asked the version if they get only one, that needs more answers.
    """
    storage.study(session, lock=True)
    settings, rng = storage.settings, _random(storage, person, TEST)
    answers = _expected_answers(storage, session)
    test = [problem for problem in storage.problems.values() if problem.part == TEST]
    needs = {
        (panel, version): {problem.id: settings.judgements - answers[problem.id, panel] for problem in problems}
        for (panel, version), problems in groups_of_problems(test, settings).items()
    }
    group = max(needs, key=lambda group: (sum(needs[group].values()), rng.random()))
    person.panel, need = group[0], needs[group]
    problems = draw([storage.problems[number] for number in need], need, settings.problems, rng)
    checks = [problem for problem in storage.problems.values() if problem.part == CHECK]
    rng.shuffle(checks)
    _add(session, person, TEST, _mix_in_checks(problems, checks, rng), rng)
    person.assigned = now()


def groups_of_problems(test: Sequence[Problem], settings: StudySettings) -> dict[tuple[int, int | None], list[Problem]]:
    """The test problems by who may get them: by panel and, if a person is asked one version only, by version."""
    versions = sorted({problem.version for problem in test}) if settings.one_version else [None]
    return {
        (panel, version): [
            problem
            for problem in test
            if problem.panel in (None, panel) and (version is None or problem.version == version)
        ]
        for panel in range(settings.panels)
        for version in versions
    }


def assign_verification(storage: Storage, session: Session, person: Participant) -> bool:
    """Show problems again on which the person and the key disagree, with agreed ones among them; whether there are any.

    Their number depends on that of the test problems alone. Who disagrees more often sees a sample of those problems.
    If only disagreements are wanted, they are all shown. Candidates keep their order.
    """
    rng = _random(storage, person, VERIFICATION)
    query = select(Task).where(Task.participant_id == person.id, Task.part == TEST).order_by(Task.position)
    tasks = [task for task in session.scalars(query) if storage.problems[task.problem_id].part == TEST]
    missed_tasks = [task for task in tasks if task.choice != storage.problems[task.problem_id].answer]
    shown_again = missed_tasks
    if not storage.settings.disagreements_only:
        agreed_tasks = [task for task in tasks if task not in missed_tasks]
        length = second_look(len(tasks))
        most = min(len(missed_tasks), length - min(len(agreed_tasks), _FEWEST_AGREED))
        shown_again = rng.sample(missed_tasks, most)
        shown_again += rng.sample(agreed_tasks, length - len(shown_again))
    rng.shuffle(shown_again)
    for position, task in enumerate(shown_again):
        session.add(_task(person, VERIFICATION, position, task.problem_id, task.order))
    return bool(shown_again)


def second_look(problems: int) -> int:
    """How many of the test problems a person sees again.

    >>> [second_look(problems) for problems in (4, 20, 60)]
    [4, 10, 15]
    """
    return min(problems, max(_FEWEST_AGAIN, ceil(_AGAIN_SHARE * problems)))


def assign_expert(storage: Storage, session: Session, person: Participant) -> None:
    """Give an expert the items that the majority missed, whatever their schema, in random order."""
    rng = _random(storage, person, EXPERT)
    missed_items = {
        item
        for item, answers in read_answers(storage).by_item.items()
        if majority([answer.choice for answer in answers]) != answers[0].key
    }
    problems = [problem for problem in storage.problems.values() if problem.item_id in missed_items]
    rng.shuffle(problems)
    _add(session, person, EXPERT, problems, rng)


def draw(problems: Sequence[Problem], need: Mapping[int, int], count: int, rng: Random) -> list[Problem]:
    """Problems for one person: at most one of each schema, those first that most answers are missing to.

    Among schemas, the one with the neediest problem comes first, then the one that lacks most answers in all. Within a
    schema, and between equally needy problems, the person gets the kind and the version that they have fewest of.
    """
    by_schema: dict[str, list[Problem]] = defaultdict(list)
    for problem in problems:
        by_schema[problem.schema_id].append(problem)
    schemas = list(by_schema.values())
    rng.shuffle(schemas)
    schemas.sort(
        key=lambda siblings: (
            max(need[problem.id] for problem in siblings),
            sum(need[problem.id] for problem in siblings),
        ),
        reverse=True,
    )
    drawn: list[Problem] = []
    kinds: Counter[str] = Counter()
    versions: Counter[int] = Counter()
    for siblings in schemas[:count]:
        most = max(need[problem.id] for problem in siblings)
        equal = [problem for problem in siblings if need[problem.id] == most]
        problem = min(equal, key=lambda problem: (kinds[problem.kind], versions[problem.version], rng.random()))
        kinds[problem.kind] += 1
        versions[problem.version] += 1
        drawn.append(problem)
    rng.shuffle(drawn)
    return drawn


def _mix_in_checks(problems: Sequence[Problem], checks: Sequence[Problem], rng: Random) -> list[Problem]:
    """The problems with the checks among them: one at a random place in each of equally long stretches."""
    all_problems = list(problems)
    spacing = len(problems) / (len(checks) or 1)
    for number in reversed(range(len(checks))):  # from the end, so that places before stay what they are
        first = int(number * spacing)
        all_problems.insert(1 + rng.randrange(first, max(first + 1, int((number + 1) * spacing))), checks[number])
    return all_problems


def _expected_answers(storage: Storage, session: Session) -> Counter[tuple[int, int]]:
    """The answers by problem and panel: those that there are, and those that people who are taking part will give.

    Pilots do not count, nor do people who have finished or left and whom the exclusion rules leave out.
    """
    active = and_(Participant.finished.is_(None), Participant.revoked.is_(False), Participant.seen >= now() - _ACTIVE)
    query = (
        select(Task.problem_id, Participant.panel, func.count())
        .join(Participant)
        .where(
            Task.part == TEST,
            Participant.pilot.is_(False),
            or_(Task.answered.is_not(None), active),
            Participant.id.not_in(_excluded_people(storage.settings).where(not_(active))),
        )
        .group_by(Task.problem_id, Participant.panel)
    )
    return Counter({(problem, panel): count for problem, panel, count in session.execute(query)})


def _excluded_people(settings: StudySettings) -> Select[Any]:
    """The ids of people who failed attention checks, were too fast, or answered too little, as in `answers`."""
    rules = settings.exclusions

    def count_where(*conditions: Any) -> Any:
        return func.sum(case((and_(*conditions), 1), else_=0))

    in_test, answered = Problem.part == TEST, Task.answered.is_not(None)
    is_timed = and_(in_test, Task.seconds >= 0)
    timed_count, fast_count = count_where(is_timed), count_where(is_timed, Task.seconds < rules.seconds)
    failed_count = count_where(Problem.part == CHECK, answered, Task.choice.is_distinct_from(Problem.answer))
    applies = [
        and_(2 * fast_count > timed_count, timed_count >= ENOUGH_TIMES),
        count_where(in_test, answered) < rules.answered * count_where(in_test),
    ]
    if rules.failed_checks:
        applies.append(failed_count >= rules.failed_checks)
    people = select(Task.participant_id).join(Problem).join(Participant).where(Task.part == TEST)
    return people.group_by(Task.participant_id).having(or_(*applies))


def _random(storage: Storage, person: Participant, part: str) -> Random:
    return Random(f"{storage.settings.seed} {part} {person.number}")


def _add(session: Session, person: Participant, part: str, problems: Sequence[Problem], rng: Random) -> None:
    for position, problem in enumerate(problems):
        count = len(problem.content["candidates"])
        session.add(_task(person, part, position, problem.id, rng.sample(range(count), count)))


def _task(person: Participant, part: str, position: int, problem: int, order: list[int]) -> Task:
    return Task(participant_id=person.id, problem_id=problem, part=part, position=position, order=order)
