"""Studies in which people have answered already: rows as a participation leaves them, written at once."""

from collections import Counter
from datetime import datetime, timedelta
from math import exp
from random import Random
from uuid import uuid4

from sqlalchemy import insert

from winoglot.study.storage import (
    CHECK,
    KEEP,
    MISTAKE,
    REASON,
    TEST,
    VERIFICATION,
    Decision,
    Participant,
    Problem,
    Storage,
    Task,
    now,
    token_hash,
)

COMMENTS = (
    "Both of them could have said that.",
    "Had to read it three times.",
    "Nobody would put it like this, would they?",
    "<script>alert('not run')</script>",
    "It depends on who paid for the tickets.",
)


def fill(storage: Storage, people: int, *, problems: int = 60, days: float = 12, seed: int = 0) -> list[str]:
    """People with known habits take part: the numbers of all of them.

    Every tenth stops half-way, one in twelve answers at once and at random, and some problems are hard for everybody.
    """
    rng = Random(seed)
    test = [one for one in storage.problems.values() if one.part == TEST]
    checks = [one for one in storage.problems.values() if one.part == CHECK]
    ease = {one.id: rng.gauss(3.0, 1.2) for one in test}
    asked: Counter[int] = Counter()
    begin = now() - timedelta(days=days)
    rows: dict[type, list[dict]] = {Participant: [], Task: [], Decision: []}
    for number in range(1, people + 1):
        at = begin + timedelta(days=days * ((number - 0.5) / people) ** 1.3)
        panel = number % storage.settings.panels
        chosen: list[Problem] = []
        for one in sorted(test, key=lambda one: (asked[one.id], rng.random())):
            if len(chosen) == problems:
                break
            if one.panel in (None, panel) and one.schema_id not in {other.schema_id for other in chosen}:
                chosen.append(one)
        asked.update(one.id for one in chosen)
        person = _Someone(number, panel, at, careless=number % 12 == 7, leaves=number % 10 == 4, rng=rng)
        person.take_part([*chosen, *checks], ease, rows, verification=storage.settings.verification)
    with storage.writing() as session:
        for table, values in rows.items():
            session.execute(insert(table), values)
    return [row["number"] for row in rows[Participant]]


class _Someone:
    def __init__(self, number: int, panel: int, at: datetime, *, careless: bool, leaves: bool, rng: Random) -> None:
        self.id, self.panel, self.at, self.careless, self.leaves, self.rng = number, panel, at, careless, leaves, rng
        self.skill, self.pace = rng.gauss(0, 0.5), rng.uniform(5, 11)

    def take_part(self, problems: list[Problem], ease: dict[int, float], rows: dict, *, verification: bool) -> None:
        rng, begun = self.rng, self.at
        rng.shuffle(problems)
        stop = len(problems) // 2 if self.leaves else len(problems)
        disagreed = []
        for position, problem in enumerate(problems, 1):
            task = _task(self, problem, TEST, position)
            if position <= stop:
                right = problem.id not in ease or rng.random() < 1 / (1 + exp(-self.skill - ease[problem.id]))
                others = [at for at in task["order"] if at != problem.answer]
                task["choice"] = problem.answer if right else rng.choice([*others, *others, None])
                task["seconds"] = self.pace * rng.lognormvariate(0, 0.5)
                if self.careless:
                    task["choice"], task["seconds"] = rng.choice(task["order"]), rng.uniform(0.6, 2.2)
                elif not right:
                    task["ambiguous"], task["unnatural"] = rng.random() < 0.4, rng.random() < 0.15
                if task["ambiguous"] or task["unnatural"]:
                    task["comment"] = rng.choice(("", *COMMENTS))
                self.at += timedelta(seconds=task["seconds"])
                task["answered"] = self.at
                if task["choice"] != problem.answer and problem.part == TEST:
                    disagreed.append(problem)
                rows[Decision].append(_decision(task, len(rows[Task]) + 1))
            rows[Task].append(task)
        tested = self.at if stop == len(problems) else None
        for position, problem in enumerate(disagreed if verification and tested else [], 1):
            task = _task(self, problem, VERIFICATION, position)
            task["verdict"] = rng.choice((KEEP, MISTAKE, MISTAKE, REASON))
            task["choice"] = problem.answer if task["verdict"] == MISTAKE else None
            task["comment"] = "The first sentence says so." if task["verdict"] == REASON else ""
            task["answered"] = self.at = self.at + timedelta(seconds=9)
            rows[Decision].append(_decision(task, len(rows[Task]) + 1))
            rows[Task].append(task)
        rows[Participant].append(
            {
                "id": self.id,
                "number": f"P{uuid4().hex[:7].upper()}",
                "token_hash": token_hash(uuid4().hex),
                "panel": self.panel,
                "created": begun,
                "consented": begun,
                "background": {"native-language": "en", "age": "18–29" if self.id % 3 else "30–39"},
                "assigned": begun,
                "seen": self.at,
                "tested": tested,
                "finished": self.at if tested else None,
                "comment": "Fun, but a little long." if self.id % 6 == 0 else "",
            }
        )


def _task(person: _Someone, problem: Problem, part: str, position: int) -> dict:
    order = list(range(len(problem.content["candidates"])))
    person.rng.shuffle(order)
    empty = dict.fromkeys(("answered", "choice", "verdict", "seconds"))
    said = {"ambiguous": False, "unnatural": False, "comment": "", "shown": person.at}
    ids = {"participant_id": person.id, "problem_id": problem.id, "part": part, "position": position, "order": order}
    return ids | empty | said


def _decision(task: dict, number: int) -> dict:
    names = ("choice", "verdict", "ambiguous", "unnatural", "comment", "seconds")
    return {name: task[name] for name in names} | {
        "task_id": number,
        "submission": uuid4().hex,
        "at": task["answered"],
    }
