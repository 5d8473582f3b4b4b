"""How the dashboard tells numbers: as people write them, as places in figures, and in sentences.

Figures are drawn in percent of their width and height, so that they fit every screen and need no inline style.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor
from typing import TYPE_CHECKING

from winoglot.schemas.model import ORIGINAL
from winoglot.study.answers import FAILED_CHECKS, TOO_FAST, TOO_FEW, Respondent

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime
    from gettext import GNUTranslations

    from winoglot.statistics.intervals import Estimate
    from winoglot.study.web.snapshot import Snapshot


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
        """A share in whole percent, without the sign, for the ticks of an axis."""
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
    """The axis of shares around chance, which begins at 40% or less and ends at 100%."""
    lows = [estimate.low for estimate in estimates if estimate.low is not None]
    low = max(0.0, floor(10 * min([0.4, *lows])) / 10)
    return Scale(low, 1.0, tuple(tick for tick in (0.0, 0.25, 0.5, 0.75, 1.0) if tick >= low))


def alpha_axis(estimates: Iterable[Estimate]) -> Scale:
    """The axis of agreement, which ends at 1, the highest value."""
    lows = [estimate.low for estimate in estimates if estimate.low is not None]
    low = max(-1.0, floor(5 * min([0.6, *lows])) / 5)
    step = 0.1 if low >= 0.6 else 0.2 if low >= 0 else 0.5
    count = round((1 - low) / step)
    return Scale(low, 1.0, tuple(round(1 - step * number, 1) for number in range(count, -1, -1)))


def seconds_axis(estimates: Iterable[Estimate]) -> Scale:
    """The axis of times, which begins at 0."""
    highs = [estimate.high for estimate in estimates if estimate.high is not None]
    step = next((step for step in (2, 5, 10, 20, 50) if max([1.0, *highs]) <= 5 * step), 100)
    high = step * ceil(max([1.0, *highs]) / step)
    return Scale(0.0, high, tuple(float(tick) for tick in range(0, high + 1, step)))


def verdict(snapshot: Snapshot, texts: GNUTranslations, show: Numbers) -> tuple[str, list[str]]:
    """What the answers say so far, in one sentence, and the evidence for it."""
    results = snapshot.results
    figures = _figures(results.originals.accuracy, show)
    evidence: list[str] = []
    if not results.answers:
        title = texts.gettext("Nobody has answered yet")
    elif figures is None:
        title = texts.gettext("Too few answers for a first figure")
    else:
        title = texts.gettext("A single reader is right %(share)s of the time") % figures
        people = len({answer.person for answer in snapshot.study.answers if answer.kind == ORIGINAL})
        interval = texts.ngettext(
            "95%% interval %(low)s to %(high)s; n = %(n)s answers by %(num)s person to originals, before verification.",
            "95%% interval %(low)s to %(high)s; n = %(n)s answers by %(num)s people to originals, before verification.",
            people,
        )
        evidence.append(interval % {**figures, "num": show.count(people)})
        items = snapshot.answered_items
        right = {"right": show.count(items - snapshot.missed), "num": show.count(items)}
        majority_right = texts.ngettext(
            "The majority gets %(right)s of %(num)s item right.",
            "The majority gets %(right)s of %(num)s items right.",
            items,
        )
        evidence.append(majority_right % right)
    dropped = results.dropped
    figures = _figures(dropped.accuracy, show) if dropped else None
    if dropped and figures:
        without_dropped = texts.ngettext(
            "%(num)s item is marked to drop but still counted; without it, a single reader is right %(share)s of the "
            "time (95%% interval %(low)s to %(high)s).",
            "%(num)s items are marked to drop but still counted; without them, a single reader is right %(share)s of "
            "the time (95%% interval %(low)s to %(high)s).",
            dropped.items,
        )
        evidence.append(without_dropped % {**figures, "num": show.count(dropped.items)})
    number = sum(not row.decided.decision for row in snapshot.to_check)
    if number:
        to_check = texts.ngettext("%(num)s item needs a look.", "%(num)s items need a look.", number)
        evidence.append(to_check % {"num": show.count(number)})
    return title, evidence


def _figures(share: Estimate, show: Numbers) -> dict[str, str] | None:
    """A share with its interval and n, for a sentence; None if there is no interval yet."""
    if share.value is None or share.low is None or share.high is None:
        return None
    interval = {"low": show.percent(share.low), "high": show.percent(share.high)}
    return {"share": show.percent(share.value), **interval, "n": show.count(share.n)}


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
