"""Who gets which problems: rules that hold for any design, and studies in a database."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from math import ceil
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import select, update

from study.participants import a_person, a_study, answer_all, answer_screen, key, small_collection
from study.participants import given as an_answer
from winoglot.study.answers import read_answers
from winoglot.study.assignment import _excluded_people, draw
from winoglot.study.create import invite, questionnaire, set_state
from winoglot.study.participation import answer, consent, enter
from winoglot.study.steps import Done, Screen, step
from winoglot.study.storage import CHECK, TEST, TRAINING, Participant, Problem, Storage, Task, now

sizes = st.lists(st.tuples(st.integers(1, 3), st.integers(1, 4)), min_size=1, max_size=12)  # versions, kinds


def _problems(sizes: list[tuple[int, int]]) -> list[Problem]:
    cells = [(s, v, k) for s, (versions, kinds) in enumerate(sizes) for v in range(versions) for k in range(kinds)]
    return [
        Problem(id=number, schema_id=f"s{schema}", version=version, kind=f"k{kind}")
        for number, (schema, version, kind) in enumerate(cells)
    ]


@given(sizes, st.integers(1, 15), st.randoms(use_true_random=False), st.data())
def test_one_problem_per_schema_and_the_neediest_first(
    sizes: list[tuple[int, int]], count: int, rng: Random, data: st.DataObject
) -> None:
    problems = _problems(sizes)
    need = {problem.id: data.draw(st.integers(-2, 3)) for problem in problems}
    chosen = draw(problems, need, count, rng)
    schemas = {problem.schema_id for problem in chosen}
    assert len(chosen) == len(schemas) == min(count, len(sizes))
    for problem in problems:
        if problem.schema_id in schemas:
            taken = next(one for one in chosen if one.schema_id == problem.schema_id)
            assert need[taken.id] >= need[problem.id]
        else:
            assert min(need[one.id] for one in chosen) >= need[problem.id]


@given(sizes, st.integers(1, 15), st.integers(1, 4), st.integers())
@settings(max_examples=50)
def test_no_more_people_are_needed_than_must_be(
    sizes: list[tuple[int, int]], count: int, judgements: int, seed: int
) -> None:
    problems = _problems(sizes)
    need = dict.fromkeys(range(len(problems)), judgements)
    largest = max(versions * kinds for versions, kinds in sizes)
    people = max(ceil(judgements * len(problems) / min(count, len(sizes))), judgements * largest)
    for person in range(people):
        for problem in draw(problems, need, count, Random(f"{seed} {person}")):
            need[problem.id] -= 1
    assert max(need.values()) <= 0


@given(st.integers(1, 12), st.integers(1, 2), st.integers(1, 4), st.integers(1, 12), st.integers())
@settings(max_examples=50)
def test_answers_are_balanced_within_one_at_any_time(
    schemas: int, versions: int, kinds: int, count: int, seed: int
) -> None:
    problems = _problems([(versions, kinds)] * schemas)
    need = dict.fromkeys(range(len(problems)), 3)
    for person in range(20):
        chosen = draw(problems, need, count, Random(f"{seed} {person}"))
        for problem in chosen:
            need[problem.id] -= 1
        assert max(need.values()) - min(need.values()) <= 1


@given(st.integers(2, 12), st.integers(1, 4), st.integers())
def test_one_person_gets_all_kinds_alike(schemas: int, kinds: int, seed: int) -> None:
    problems = _problems([(2, kinds)] * schemas)
    chosen = draw(problems, dict.fromkeys(range(len(problems)), 3), schemas, Random(seed))
    by_kind = Counter({f"k{kind}": 0 for kind in range(kinds)})
    by_kind.update(problem.kind for problem in chosen)
    assert max(by_kind.values()) - min(by_kind.values()) <= 1


@given(
    st.integers(2, 8),
    st.integers(2, 8),
    st.integers(1, 3),
    st.lists(st.floats(0, 1), min_size=1, max_size=12),
    st.integers(),
)
@settings(max_examples=50)
def test_every_item_gets_its_number_although_people_drop_out(
    schemas: int, count: int, judgements: int, stays: list[float], seed: int
) -> None:
    """People take turns in answering a share of their problems only; what they leave is given to others."""
    problems = _problems([(2, 2)] * schemas)
    answers: Counter[int] = Counter()
    people = 0
    shares = [*stays, 1.0]  # somebody finishes
    while min(answers[problem.id] for problem in problems) < judgements:
        need = {problem.id: judgements - answers[problem.id] for problem in problems}
        chosen = draw(problems, need, count, Random(f"{seed} {people}"))
        answers.update(problem.id for problem in chosen[: round(len(chosen) * shares[people % len(shares)])])
        people += 1
        assert people <= judgements * 4 * schemas * len(shares)


def _tasks(storage: Storage, part: str = TEST) -> list[tuple[Task, Problem]]:
    with storage.reading() as session:
        rows = session.execute(select(Task, Problem).join(Problem).where(Task.part == part).order_by(Task.id))
        return [(task, problem) for task, problem in rows]


def _reserved(storage: Storage) -> Counter[str]:
    """How often each item has been given to somebody."""
    given_out = Counter(problem.item_id for problem in storage.problems.values() if problem.part == TEST)
    given_out.update(problem.item_id for _, problem in _tasks(storage) if problem.part == TEST)
    return given_out


def test_what_one_person_gets(database: str) -> None:
    with a_study(database, small_collection(20), training=4, problems=10, checks=3) as storage:
        person = a_person(storage)
        answer_all(storage, person, until=TEST)
        trained = {problem.schema_id for _, problem in _tasks(storage, TRAINING)}
        test = _tasks(storage)
        schemas = [problem.schema_id for _, problem in test if problem.part == TEST]
        checks = [task.position for task, problem in test if problem.part == CHECK]
    assert len(trained) == 4
    assert len(schemas) == len(set(schemas)) == 10
    assert not trained & set(schemas)
    assert len(checks) == 3
    assert 0 not in checks
    assert sorted(task.position for task, _ in test) == list(range(13))
    assert all(sorted(task.order) == list(range(len(problem.content["candidates"]))) for task, problem in test)
    assert len({tuple(task.order) for task, problem in test if problem.part == TEST}) == 2


def test_a_person_is_asked_one_version_and_as_many_people_the_other(database: str) -> None:
    settings = {"training": 1, "problems": 9, "checks": 0, "judgements": 2, "one_version": True}
    with a_study(database, small_collection(9), **settings) as storage:
        needed = questionnaire(small_collection(9), storage.settings).people_needed
        for _ in range(needed):
            answer_all(storage, a_person(storage))
        asked = {(task.participant_id, problem.version) for task, problem in _tasks(storage)}
        answers = Counter(problem.item_id for _, problem in _tasks(storage))
    assert needed == len(asked) == 4
    assert Counter(version for _, version in asked) == {0: 2, 1: 2}
    assert [*answers.values()] == [2] * 16


def test_people_who_begin_at_the_same_time_are_balanced(database: str) -> None:
    with a_study(database, small_collection(8), training=1, problems=4, checks=0) as storage:
        people = [a_person(storage) for _ in range(7)]
        with ThreadPoolExecutor(7) as pool:
            list(pool.map(lambda person: answer_all(storage, person, until=TEST), people))
        counts = _reserved(storage)
    assert counts.total() == 14 + 7 * 4
    assert set(counts.values()) == {3}


def test_problems_of_people_who_stay_away_are_given_to_others(database: str) -> None:
    with a_study(database, small_collection(3), training=1, problems=2, checks=0, judgements=1) as storage:
        first, second, third = (a_person(storage) for _ in range(3))
        answer_all(storage, first, until=TEST)
        answer_all(storage, second, until=TEST)
        assert set(_reserved(storage).values()) == {2}
        with storage.writing() as session:  # the first has gone away yesterday
            away = update(Participant).where(Participant.id == first).values(seen=now() - timedelta(hours=25))
            session.execute(away)
        answer_all(storage, third, until=TEST)
        by_person: dict[int, set[str]] = {}
        for task, problem in _tasks(storage):
            by_person.setdefault(task.participant_id, set()).add(problem.item_id)
    assert by_person[third] == by_person[first]


def test_pilots_and_people_who_fail_the_checks_do_not_count(database: str) -> None:
    with a_study(database, small_collection(3), training=1, problems=2, checks=2, judgements=1) as storage:
        set_state(storage, "pilot")
        pilot = a_person(storage)
        answer_all(storage, pilot, until=TEST)
        set_state(storage, "open")
        careless = a_person(storage)
        answer_all(storage, careless, choose=lambda problem: None)
        first, second = a_person(storage), a_person(storage)
        answer_all(storage, first)
        answer_all(storage, second)
        asked = [problem.item_id for task, problem in _tasks(storage) if task.participant_id in (first, second)]
    assert sorted(item for item in asked if not item.startswith("check")) == sorted(
        problem.item_id for problem in storage.problems.values() if problem.part == TEST
    )


def test_two_panels(database: str) -> None:
    collection = small_collection(7, ("tense",))
    with a_study(
        database, collection, kinds=("tense",), training=1, problems=6, checks=0, judgements=1, panels=2
    ) as storage:
        for _ in range(6):  # (12 originals and 6 of 12 variants) / 6 problems = 3 people in each panel
            answer_all(storage, a_person(storage))
        with storage.reading() as session:
            rows = session.execute(
                select(Problem.item_id, Problem.kind, Problem.panel, Participant.panel)
                .join(Task, Task.problem_id == Problem.id)
                .join(Participant, Participant.id == Task.participant_id)
                .where(Task.part == TEST)
            ).all()
    originals = Counter((row[0], row[3]) for row in rows if row[1] == "original")
    variants = [row for row in rows if row[1] == "tense"]
    assert len(originals) == 24
    assert set(originals.values()) == {1}
    assert all(of_problem == of_person for _, _, of_problem, of_person in variants)
    assert len({row[0] for row in variants}) == len(variants) == 12


def test_experts_judge_what_the_majority_missed(database: str) -> None:
    with a_study(database, small_collection(3), training=1, problems=2, checks=0, verification=False) as storage:
        for _ in range(2):
            person = a_person(storage)
            answer_all(storage, person, until=TEST)
            screen = step(storage, person)
            assert isinstance(screen, Screen)
            missed = screen.problems[0].task
            answer_screen(storage, person, lambda problem: None)
            assert isinstance(answer_all(storage, person), Done)
        set_state(storage, "closed")
        (token,) = invite(storage, 1, expert=True)
        expert = enter(storage, token)
        assert expert is not None
        consent(storage, expert, {})
        wrong = {problem.item_id for task, problem in _tasks(storage) if task.choice != problem.answer}
        asked = {problem.item_id for _, problem in _tasks(storage, "expert")}
    assert missed
    assert asked == wrong
    assert len(asked) == 2


def test_the_rules_leave_out_the_same_people_as_the_results(database: str) -> None:
    ways = {"good": (14, 5.0, True), "fast": (14, 1.0, True), "careless": (14, 5.0, False), "leaves": (3, 5.0, True)}
    with a_study(database, small_collection(14), training=1, problems=12, checks=2) as storage:
        for stays, seconds, reads in (*ways.values(), (9, 5.0, True)):
            person = a_person(storage)
            answer_all(storage, person, until=TEST)
            for _ in range(stays):
                screen = step(storage, person)
                assert isinstance(screen, Screen)
                task = screen.problems[0].task
                choice = key(storage, task) if reads else None
                answer(storage, person, {task: an_answer(choice=choice, seconds=seconds)})
        people = read_answers(storage).people
        with storage.reading() as session:
            excluded = session.scalars(_excluded_people(storage.settings)).all()
    assert [number for number, person in enumerate(people, 1) if person.excluded] == sorted(excluded) == [2, 3, 4]
