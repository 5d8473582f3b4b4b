"""What the dashboard shows of a study's answers: numbers as people write them, rows of tables, places in figures.

Figures are drawn in percent of their width and height, so that they fit every screen and need no inline style.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from itertools import pairwise
from math import ceil, floor
from statistics import median
from typing import TYPE_CHECKING, Any

from winoglot.schemas.model import ORIGINAL
from winoglot.statistics.intervals import wilson
from winoglot.study.answers import FAILED_CHECKS, TOO_FAST, TOO_FEW, Answer, Respondent, StudyAnswers, majority
from winoglot.study.results import StudyResults
from winoglot.study.storage import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable
    from gettext import GNUTranslations

    from winoglot.statistics.intervals import Estimate

_AGREED = 0.8  # of the answers to an item are as in the key; with fewer, it is one to look at
_AWAY = timedelta(days=1)  # after which somebody who has not finished counts as having left
_SECONDS = (0, 1, 2, 4, 8, 16, 32, 64)  # from which the bars of the figure of times begin
_MOST_STEPS = 48  # of the line of progress
_LONGEST_FORECAST = 400  # days


class Numbers:
    """Numbers, times and days in the language of the page."""

    def __init__(self, language: str) -> None:
        """Take the language of the page."""
        from babel import Locale

        self._locale = Locale.parse("en_GB" if language == "en" else language)

    def count(self, number: int) -> str:
        """A whole number."""
        from babel.numbers import format_decimal

        return format_decimal(number, format="#,##0", locale=self._locale)

    def decimal(self, number: float, places: int = 1) -> str:
        """A number with decimals."""
        from babel.numbers import format_decimal

        return format_decimal(number, format=f"#,##0.{'0' * places}", locale=self._locale).replace("-", "−")

    def percent(self, share: float) -> str:
        """A share, with its sign of percent."""
        from babel.numbers import format_percent

        pattern = self._locale.percent_formats[None].pattern.replace("0%", "0.0%").replace("0\xa0%", "0.0\xa0%")
        return format_percent(share, format=pattern, locale=self._locale)

    def points(self, share: float) -> str:
        """A share in percent, without the sign."""
        return self.decimal(100 * share)

    def points_short(self, share: float) -> str:
        """The same, for the ticks of an axis."""
        return self.count(round(100 * share))

    def hundredths(self, number: float) -> str:
        """A number with two decimals."""
        return self.decimal(number, 2)

    def day(self, at: datetime, month: str = "MMMM") -> str:
        """A day of this year; with "MMM", in short, for the ticks of an axis."""
        from babel.dates import format_skeleton

        return format_skeleton(f"{month}d", at, locale=self._locale)

    def clock(self, at: datetime) -> str:
        """A time of day, in UTC: browsers of researchers may be anywhere."""
        from babel.dates import format_time

        return f"{format_time(at, 'medium', locale=self._locale)} UTC"


@dataclass(frozen=True)
class Scale:
    """What lies between the left and the right edge of a figure."""

    low: float
    high: float
    ticks: tuple[float, ...]

    def at(self, number: float) -> str:
        """A place, as SVG has it.

        >>> Scale(0.4, 1.0, ()).at(0.7), Scale(0.4, 1.0, ()).at(0.1)
        ('50.0%', '0.0%')
        """
        share = (number - self.low) / (self.high - self.low)
        return f"{100 * min(1.0, max(0.0, share)):.1f}%"


def share_axis(estimates: Iterable[Estimate]) -> Scale:
    """For shares around chance: from 40% at most to 100%."""
    lows = [one.low for one in estimates if one.low is not None]
    low = max(0.0, floor(10 * min([0.4, *lows])) / 10)
    return Scale(low, 1.0, tuple(tick for tick in (0.0, 0.25, 0.5, 0.75, 1.0) if tick >= low))


def alpha_axis(estimates: Iterable[Estimate]) -> Scale:
    """For agreement: 1 is the most there can be."""
    lows = [one.low for one in estimates if one.low is not None]
    low = max(-1.0, floor(5 * min([0.6, *lows])) / 5)
    step = 0.1 if low >= 0.6 else 0.2 if low >= 0 else 0.5
    count = round((1 - low) / step)
    return Scale(low, 1.0, tuple(round(1 - step * number, 1) for number in range(count, -1, -1)))


def seconds_axis(estimates: Iterable[Estimate]) -> Scale:
    """For times: from 0."""
    highs = [one.high for one in estimates if one.high is not None]
    step = next((step for step in (2, 5, 10, 20, 50) if max([1.0, *highs]) <= 5 * step), 100)
    high = step * ceil(max([1.0, *highs]) / step)
    return Scale(0.0, high, tuple(float(tick) for tick in range(0, high + 1, step)))


@dataclass(frozen=True)
class ItemRow:
    """An item and what people answered."""

    problem: Problem
    answers: tuple[Answer, ...]

    @cached_property
    def right(self) -> int:
        """How many chose the answer of the key."""
        return sum(one.right for one in self.answers)

    @cached_property
    def unsure(self) -> int:
        """How many could not say."""
        return sum(one.choice is None for one in self.answers)

    @property
    def other(self) -> int:
        """How many chose another answer."""
        return len(self.answers) - self.right - self.unsure

    @cached_property
    def split(self) -> list[tuple[str, int, str, str]]:
        """Bars: class, number, where it begins and how wide it is."""
        bars, begin, total = [], 0, len(self.answers)
        for name, number in (("right", self.right), ("other", self.other), ("unsure", self.unsure)):
            if number:
                bars.append((name, number, f"{100 * begin / total:.1f}%", f"{100 * number / total:.1f}%"))
            begin += number
        return bars

    @property
    def flags(self) -> int:
        """How many called it ambiguous or unnatural."""
        return sum(one.ambiguous or one.unnatural for one in self.answers)

    @property
    def comments(self) -> int:
        """How many wrote something about it."""
        return sum(bool(one.comment or one.reason) for one in self.answers)

    @property
    def to_check(self) -> bool:
        """Whether too few answer as in the key; one answer alone says little."""
        return len(self.answers) > 1 and self.right < _AGREED * len(self.answers)

    @property
    def is_missed(self) -> bool:
        """Whether the majority does not give the answer of the key."""
        return bool(self.answers) and majority([one.choice for one in self.answers]) != self.problem.answer

    @cached_property
    def accuracy(self) -> Estimate:
        """The share of right answers, for people like these."""
        return wilson(self.right, len(self.answers))

    @property
    def seconds(self) -> float | None:
        """The median time."""
        times = [one.seconds for one in self.answers if one.seconds is not None]
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
        """All items: those first that fewest people answered as in the key, then those without answers."""
        rows = [ItemRow(one, tuple(self.study.by_item.get(one.item_id, ()))) for one in self.study.problems]
        return sorted(
            rows, key=lambda row: (not row.answers, row.right / (len(row.answers) or 1), -row.flags, row.problem.id)
        )

    @cached_property
    def to_check(self) -> list[ItemRow]:
        """Items that fewer than 80% answer as in the key."""
        return [row for row in self.items if row.to_check]

    @cached_property
    def people(self) -> list[PersonRow]:
        """Everybody who agreed to take part, the last first."""
        right = Counter(one.person for one in self.study.all_answers if one.right)
        return [PersonRow(one, right[one.number], self.at) for one in reversed(self.study.people)]

    @cached_property
    def remarks(self) -> list[StudyComment]:
        """Everything that people wrote, the latest first."""
        found = []
        for one in self.study.all_answers:
            flags = tuple(name for name in ("ambiguous", "unnatural") if getattr(one, name))
            if one.comment:
                found.append(StudyComment(one.person, one.at, one.comment, one.item_id, flags))
            if one.reason:
                found.append(StudyComment(one.person, one.at, one.reason, one.item_id, ("reason",)))
        found += [
            StudyComment(one.number, one.finished or self.at, one.comment) for one in self.study.people if one.comment
        ]
        return sorted(found, key=lambda remark: remark.at, reverse=True)

    @cached_property
    def counted(self) -> int:
        """Answers that count towards the goal: those beyond an item's number do not."""
        judgements, panels = self.study.settings.judgements, range(self.study.settings.panels)
        by_place = Counter((one.item_id, one.panel) for one in self.study.answers)
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
        asked, failed = (sum(getattr(one, name) for one in self.study.people) for name in ("checks", "failed_checks"))
        return wilson(failed, asked)

    @property
    def funnel(self) -> list[tuple[str, int]]:
        """How many people came how far."""
        people = self.study.people
        return [
            ("invited", len(people) + self.unused),
            ("consented", len(people)),
            ("assigned", sum(one.assigned is not None for one in people)),
            ("tested", sum(one.tested is not None for one in people)),
            ("finished", sum(one.finished is not None for one in people)),
        ]

    @cached_property
    def times(self) -> list[tuple[int, int | None, int]]:
        """Answers by their time: seconds from, seconds to, how many."""
        seconds = [one.seconds for one in self.study.answers if one.seconds is not None]
        places = Counter(bisect_right(_SECONDS, one) - 1 for one in seconds)
        ends = (*_SECONDS[1:], None)
        return [(begin, end, places[at]) for at, (begin, end) in enumerate(zip(_SECONDS, ends, strict=True))]

    @cached_property
    def progress(self) -> Progress | None:
        """The line of answers so far."""
        moments = sorted(one.at for one in self.study.answers)
        if not moments:
            return None
        begun, wanted, total = moments[0], self.results.wanted, len(moments)
        done = self.counted
        passed = max(self.at - begun, timedelta(minutes=1))
        complete = None
        if 0 < done < wanted and passed > timedelta(hours=1) and self.state != "closed":
            days = passed / timedelta(days=1) * (wanted - done) / done
            complete = self.at + timedelta(days=days) if days < _LONGEST_FORECAST else None
        ends = max(self.at, complete) if complete else self.at
        most = 1.08 * max(wanted, total)
        steps = min(_MOST_STEPS, total)
        points = [
            (begun, 0),
            *((moments[round((total - 1) * n / steps)], round(total * n / steps)) for n in range(1, steps + 1)),
        ]
        points.append((self.at, total))
        span = max(ends - begun, timedelta(minutes=1))
        places = [(f"{100 * ((at - begun) / span):.1f}%", f"{100 * (1 - count / most):.1f}%") for at, count in points]
        lines = tuple((*one, *other) for one, other in pairwise(places))
        return Progress(lines, f"{100 * (1 - wanted / most):.1f}%", places[-1], begun, ends, complete)


def verdict(snapshot: Snapshot, texts: GNUTranslations, show: Numbers) -> tuple[str, list[str]]:
    """What the answers say so far, in one sentence, and the evidence for it."""
    results, accuracy = snapshot.results, snapshot.results.originals.accuracy
    said: list[str] = []
    if not results.answers:
        title = texts.gettext("Nobody has answered yet")
    elif accuracy.value is None or accuracy.low is None or accuracy.high is None:
        title = texts.gettext("Too few answers for a first figure")
    else:
        title = texts.gettext("A single reader is right %(share)s of the time") % {
            "share": show.percent(accuracy.value)
        }
        people = len({one.person for one in snapshot.study.answers if one.kind == ORIGINAL})
        values: dict[str, Any] = {"low": show.percent(accuracy.low), "high": show.percent(accuracy.high)}
        values |= {"n": show.count(accuracy.n), "num": show.count(people)}
        interval = texts.ngettext(
            "95%% interval %(low)s to %(high)s; n = %(n)s answers by %(num)s person to originals, before verification.",
            "95%% interval %(low)s to %(high)s; n = %(n)s answers by %(num)s people to originals, before verification.",
            people,
        )
        said.append(interval % values)
        items = snapshot.answered_items
        right = {"right": show.count(items - snapshot.missed), "num": show.count(items)}
        majority_right = texts.ngettext(
            "The majority gets %(right)s of %(num)s item right.",
            "The majority gets %(right)s of %(num)s items right.",
            items,
        )
        said.append(majority_right % right)
    if snapshot.to_check:
        number = len(snapshot.to_check)
        look = texts.ngettext("%(num)s item needs a look.", "%(num)s items need a look.", number)
        said.append(look % {"num": show.count(number)})
    return title, said


def why_excluded(person: Respondent, texts: GNUTranslations, show: Numbers) -> str:
    """The rule by which a person's answers are left out, in the language of the page."""
    match person.rule:
        case rule if rule == FAILED_CHECKS:
            text = texts.gettext("failed %(failed)s of %(checks)s attention checks")
            return text % {"failed": show.count(person.failed_checks), "checks": show.count(person.checks)}
        case rule if rule == TOO_FAST:
            return texts.gettext("took %(seconds)s s per item") % {"seconds": show.decimal(person.seconds or 0.0)}
        case rule if rule == TOO_FEW:
            text = texts.gettext("answered %(answered)s of %(asked)s items")
            return text % {"answered": show.count(person.answered), "asked": show.count(person.asked)}
    return ""
