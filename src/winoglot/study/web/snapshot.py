"""A study at one moment: its items, people and comments as rows, its course, and the results.

Everything that the researcher's pages show of the answers is taken from a `Snapshot`. `Snapshots` keeps the latest one,
since computing results takes time that participants need.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from itertools import pairwise
from statistics import median
from threading import Lock
from time import monotonic, thread_time
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from winoglot.statistics.intervals import wilson
from winoglot.study.answers import (
    Answer,
    DecidedItem,
    Respondent,
    StudyAnswers,
    majority,
    read_answers,
    read_decisions,
)
from winoglot.study.results import StudyResults, dropped_items, study_results
from winoglot.study.storage import Decision, Participant, Problem, now

if TYPE_CHECKING:
    from winoglot.statistics.intervals import Estimate
    from winoglot.study.storage import Storage

_AGREED = 0.8  # share of answers to an item that are as in the key; with fewer, the item is listed to be checked
_AWAY = timedelta(days=1)  # after which somebody who has not finished counts as having left
_SECONDS = (0, 1, 2, 4, 8, 16, 32, 64)  # from which the bars of the figure of times begin
_MOST_STEPS = 48  # of the line of progress
_LONGEST_FORECAST = 400  # days
_FRESH = 5.0  # seconds: results are computed at most so often,
_SHARE = 0.05  # and take at most this share of the processor's time: participants come first
_Signature = tuple[str, int, int | None, datetime | None, int | None]  # state, people, the last, when seen, decisions


@dataclass(frozen=True)
class ItemRow:
    """An item, what people answered, and what the researcher decided about it."""

    problem: Problem
    answers: tuple[Answer, ...]
    decided: DecidedItem

    @cached_property
    def right(self) -> int:
        """How many chose the answer of the key."""
        return sum(answer.right for answer in self.answers)

    @cached_property
    def unsure(self) -> int:
        """How many could not say."""
        return sum(answer.choice is None for answer in self.answers)

    @property
    def other(self) -> int:
        """How many chose another answer."""
        return len(self.answers) - self.right - self.unsure

    @cached_property
    def split(self) -> list[tuple[str, int, str, str]]:
        """The bars of right, other and unsure answers: class, number, where each begins and how wide it is."""
        bars, begin, total = [], 0, len(self.answers)
        for name, number in (("right", self.right), ("other", self.other), ("unsure", self.unsure)):
            if number:
                bars.append((name, number, f"{100 * begin / total:.1f}%", f"{100 * number / total:.1f}%"))
            begin += number
        return bars

    @property
    def flags(self) -> int:
        """How many called it ambiguous or unnatural."""
        return sum(answer.ambiguous or answer.unnatural for answer in self.answers)

    @property
    def comments(self) -> int:
        """How many wrote something about it."""
        return sum(bool(answer.comment or answer.reason) for answer in self.answers)

    @property
    def to_check(self) -> bool:
        """Whether too few answer as in the key; one answer alone says little."""
        return len(self.answers) > 1 and self.right < _AGREED * len(self.answers)

    @property
    def is_missed(self) -> bool:
        """Whether the majority does not give the answer of the key."""
        return bool(self.answers) and majority([answer.choice for answer in self.answers]) != self.problem.answer

    @cached_property
    def accuracy(self) -> Estimate:
        """The share of right answers, for people like these."""
        return wilson(self.right, len(self.answers))

    @property
    def seconds(self) -> float | None:
        """The median time per answer, in seconds."""
        times = [answer.seconds for answer in self.answers if answer.seconds is not None]
        return median(times) if times else None


@dataclass(frozen=True)
class PersonRow:
    """A person and how they are doing."""

    person: Respondent
    right: int
    now: datetime

    @cached_property
    def accuracy(self) -> Estimate:
        """The share of right answers, for items like these: nobody has two of a schema."""
        return wilson(self.right, self.person.answered)

    @property
    def step(self) -> str:
        """How far the person has come."""
        person = self.person
        if person.finished:
            return "finished"
        if person.tested:
            return "verification"
        return "test" if person.assigned else "training"

    @property
    def has_left(self) -> bool:
        """Whether the person stopped before the end, it seems."""
        return not self.person.finished and (self.person.seen is None or self.person.seen < self.now - _AWAY)


@dataclass(frozen=True)
class StudyComment:
    """Something that a person wrote, about an item or about the study."""

    person: str
    at: datetime
    text: str
    item_id: str = ""
    flags: tuple[str, ...] = ()  # ambiguous, unnatural, reason


@dataclass(frozen=True)
class Progress:
    """How the answers grew: segments of a line, and when the goal will be reached."""

    lines: tuple[tuple[str, str, str, str], ...]
    goal: str  # its height
    present: tuple[str, str]
    begun: datetime
    ends: datetime
    complete: datetime | None  # if people go on like this


@dataclass(frozen=True)
class Snapshot:
    """A study at one moment, with everything that its pages show."""

    at: datetime
    state: str
    pilot: bool  # whether these are the answers of the pilot
    study: StudyAnswers
    results: StudyResults
    unused: int  # links with which nobody has agreed to take part yet

    @cached_property
    def items(self) -> list[ItemRow]:
        """All items, the hardest first, then those without answers.

        Hard is what few people can be expected to answer as in the key, by the upper end of the interval: one wrong
        answer alone shows little.
        """
        by_item, decisions = self.study.by_item, self.study.decisions
        rows = [
            ItemRow(problem, tuple(by_item.get(problem.item_id, ())), decisions.get(problem.item_id, DecidedItem()))
            for problem in self.study.problems
        ]
        return sorted(rows, key=lambda row: (not row.answers, row.accuracy.high or 0.0, -row.flags, row.problem.id))

    @cached_property
    def to_check(self) -> list[ItemRow]:
        """Items that fewer than 80% answer as in the key."""
        return [row for row in self.items if row.to_check]

    @cached_property
    def people(self) -> list[PersonRow]:
        """Everybody who agreed to take part, the last first."""
        right = Counter(answer.person for answer in self.study.all_answers if answer.right)
        return [PersonRow(person, right[person.number], self.at) for person in reversed(self.study.people)]

    @cached_property
    def remarks(self) -> list[StudyComment]:
        """Everything that people wrote, the latest first."""
        comments = []
        for answer in self.study.all_answers:
            flags = tuple(name for name in ("ambiguous", "unnatural") if getattr(answer, name))
            if answer.comment:
                comments.append(StudyComment(answer.person, answer.at, answer.comment, answer.item_id, flags))
            if answer.reason:
                comments.append(StudyComment(answer.person, answer.at, answer.reason, answer.item_id, ("reason",)))
        comments += [
            StudyComment(person.number, person.finished or self.at, person.comment)
            for person in self.study.people
            if person.comment
        ]
        return sorted(comments, key=lambda remark: remark.at, reverse=True)

    @cached_property
    def counted(self) -> int:
        """Answers that count towards the goal: those beyond an item's number do not."""
        judgements, panels = self.study.settings.judgements, range(self.study.settings.panels)
        by_place = Counter((answer.item_id, answer.panel) for answer in self.study.answers)
        return sum(min(judgements, by_place[row.problem.item_id, panel]) for row in self.items for panel in panels)

    @property
    def missed(self) -> int:
        """Items of which the majority does not give the answer of the key."""
        return sum(row.is_missed for row in self.items)

    @property
    def answered_items(self) -> int:
        """Items with at least one answer."""
        return sum(bool(row.answers) for row in self.items)

    @property
    def left(self) -> int:
        """People who stopped before the end, it seems."""
        return sum(row.has_left for row in self.people)

    @property
    def checks(self) -> Estimate:
        """Failed attention checks, of those answered by anybody."""
        check_count, failure_count = (
            sum(getattr(person, name) for person in self.study.people) for name in ("checks", "failed_checks")
        )
        return wilson(failure_count, check_count)

    @property
    def funnel(self) -> list[tuple[str, int]]:
        """The number of people who reached each stage of the study."""
        people = self.study.people
        return [
            ("invited", len(people) + self.unused),
            ("consented", len(people)),
            ("assigned", sum(person.assigned is not None for person in people)),
            ("tested", sum(person.tested is not None for person in people)),
            ("finished", sum(person.finished is not None for person in people)),
        ]

    @cached_property
    def times(self) -> list[tuple[int, int | None, int]]:
        """Answers by their time: seconds from, seconds to, how many."""
        seconds = [answer.seconds for answer in self.study.answers if answer.seconds is not None]
        places = Counter(bisect_right(_SECONDS, time) - 1 for time in seconds)
        ends = (*_SECONDS[1:], None)
        return [(begin, end, places[index]) for index, (begin, end) in enumerate(zip(_SECONDS, ends, strict=True))]

    @cached_property
    def progress(self) -> Progress | None:
        """The line of answers so far."""
        moments = sorted(answer.at for answer in self.study.answers)
        if not moments:
            return None
        begun, goal, total = moments[0], self.results.wanted, len(moments)
        reached = self.counted
        elapsed = max(self.at - begun, timedelta(minutes=1))
        complete = None
        if 0 < reached < goal and elapsed > timedelta(hours=1) and self.state != "closed":
            days = elapsed / timedelta(days=1) * (goal - reached) / reached
            complete = self.at + timedelta(days=days) if days < _LONGEST_FORECAST else None
        ends = max(self.at, complete) if complete else self.at
        top = 1.08 * max(goal, total)
        steps = min(_MOST_STEPS, total)
        points = [
            (begun, 0),
            *(
                (moments[round((total - 1) * step / steps)], round(total * step / steps))
                for step in range(1, steps + 1)
            ),
        ]
        points.append((self.at, total))
        span = max(ends - begun, timedelta(minutes=1))
        places = [
            (f"{100 * ((moment - begun) / span):.1f}%", f"{100 * (1 - count / top):.1f}%") for moment, count in points
        ]
        lines = tuple((*start, *end) for start, end in pairwise(places))
        return Progress(lines, f"{100 * (1 - goal / top):.1f}%", places[-1], begun, ends, complete)


class Snapshots:
    """The latest results. They are computed when somebody looks, if anything has changed, and not too often."""

    def __init__(self, storage: Storage) -> None:
        """Start without results."""
        self._storage = storage
        self._lock = Lock()
        self._latest_by_pilot: dict[bool, tuple[Snapshot, _Signature, float]] = {}  # what of, and until when it is good

    def get(self, *, pilot: bool) -> Snapshot:
        """The study as it is, or was some seconds ago. What was deleted or decided shows at once."""
        with self._lock:  # requests that come meanwhile wait for the same results
            snapshot, signature, until = self._latest_by_pilot[pilot] = self._latest(pilot=pilot)
            with self._storage.reading() as session:
                decisions = read_decisions(self._storage, session)
            if decisions != snapshot.study.decisions:  # they change one figure: all others need not be computed again
                study = replace(snapshot.study, decisions=decisions)
                results = replace(snapshot.results, dropped=dropped_items(study))
                snapshot = replace(snapshot, study=study, results=results)
                self._latest_by_pilot[pilot] = (snapshot, signature, until)
            return snapshot

    def _latest(self, *, pilot: bool) -> tuple[Snapshot, _Signature, float]:
        signature = self._signature()
        if pilot in self._latest_by_pilot:
            _, earlier, until = self._latest_by_pilot[pilot]
            if signature == earlier or (monotonic() < until and not self._is_outdated(signature, earlier)):
                return self._latest_by_pilot[pilot]
        begin = thread_time()
        snapshot = self._snapshot(signature[0], pilot=pilot)
        wait = max(_FRESH, (thread_time() - begin) / _SHARE)
        return snapshot, signature, monotonic() + wait

    def forget(self) -> None:
        """The researcher has changed something and wants to see it."""
        with self._lock:
            self._latest_by_pilot.clear()

    def _signature(self) -> _Signature:
        people = select(func.count(), func.max(Participant.id), func.max(Participant.seen))
        with self._storage.reading() as session:
            state = self._storage.study(session).state
            return state, *session.execute(people).one(), session.scalar(select(func.max(Decision.id)))

    def _is_outdated(self, signature: _Signature, earlier: _Signature) -> bool:
        """Whether the state is another, or somebody was deleted, perhaps by another process."""
        _, count, last, *_ = earlier
        with self._storage.reading() as session:
            present = session.scalar(select(func.count()).where(Participant.id <= (last or 0)))
        return signature[0] != earlier[0] or present != count

    def _snapshot(self, state: str, *, pilot: bool) -> Snapshot:
        study = read_answers(self._storage, pilot=pilot)
        with self._storage.reading() as session:
            links = select(func.count()).where(Participant.expert.is_(False), Participant.consented.is_(None))
            unused = session.scalar(links.where(Participant.revoked.is_(False))) or 0
        return Snapshot(now(), state, pilot, study, study_results(study), unused)
