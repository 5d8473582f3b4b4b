"""What figures and tables are made of: numbers with their names, and whether there are enough items behind them."""

from __future__ import annotations

from dataclasses import dataclass

from winoglot.statistics.intervals import Estimate

FEW = 20  # with fewer, the interval of a share near one half spans over 40 points: too wide to rank anything


@dataclass(frozen=True)
class Accuracy(Estimate):
    """An accuracy, and how many of its n items the solver abstained on, which do not count as right.

    >>> Accuracy.of(Estimate(0.5, 0.1, 0.9, 6, "BCa over 3 schemas"), 2).guessing(0.5)
    0.6666666666666666
    """

    abstained: int = 0

    @classmethod
    def of(cls, estimate: Estimate, abstained: int) -> Accuracy:
        """The estimate with the number of abstentions in it."""
        return cls(estimate.value, estimate.low, estimate.high, estimate.n, estimate.method, abstained)

    def guessing(self, chance: float | None) -> float | None:
        """What it would be on average if the solver had guessed instead of abstaining; None if it never abstained."""
        if self.value is None or chance is None or not self.abstained:
            return None
        return self.value + chance * self.abstained / self.n


@dataclass(frozen=True)
class Coefficient(Estimate):
    """An estimate that is not a share, so it is not shown in percent."""


@dataclass(frozen=True)
class Bar:
    """An estimate with its names: a line of a figure, a cell of a table.

    `group` makes the panels (a language, a collection), `label` the lines within (a model), `series` what is shown side
    by side for it (readings, measures; "" if there is only one). `chance` is what guessing gives, if that is
    meaningful. `note` is a further reason not to rely on the figure.

    >>> bar = Bar("gemma-3-270m", "English", Estimate(0.5, 0.1, 0.9, 6, "BCa over 3 schemas"))
    >>> bar.is_weak, bar.reason
    (True, 'n = 6, fewer than 20')
    """

    label: str
    group: str
    estimate: Estimate
    note: str = ""
    series: str = ""
    chance: float | None = None
    is_people: bool = False

    @property
    def guessing(self) -> float | None:
        """The accuracy if the solver had guessed instead of abstaining; None if it never abstained."""
        return self.estimate.guessing(self.chance) if isinstance(self.estimate, Accuracy) else None

    @property
    def is_weak(self) -> bool:
        """Whether it is drawn grey."""
        return bool(self.reason)

    @property
    def reason(self) -> str:
        """Why it is drawn grey; empty if it is not."""
        if self.estimate.value is None:
            return f"undefined: {self.estimate.method}"
        few = f"n = {self.estimate.n}, fewer than {FEW}" if self.estimate.n < FEW else ""
        return "; ".join(part for part in (few, self.note) if part)


@dataclass(frozen=True)
class Contrast:
    """Two models on the same items: accuracy of the first minus that of the second.

    If the two cannot be compared, `refused` says why and `difference` is undefined.
    """

    first: str
    second: str
    group: str
    difference: Estimate
    corrected_p: float | None = None
    is_distinguishable: bool = False
    detectable: float | None = None  # the smallest true difference that four of five such collections would show
    refused: str = ""
    is_by_abstaining: bool = False  # most of the difference is that one of them abstains more often

    @property
    def is_told_apart(self) -> bool:
        """Whether the difference is significant."""
        return self.is_distinguishable and self.difference.value is not None

    @property
    def weakness(self) -> str:
        """Why it is drawn grey although it is significant; empty if it is not grey."""
        if not self.is_told_apart:
            return ""
        few = f"n below {FEW}" if self.difference.n < FEW else ""
        return few or ("mostly by abstaining" if self.is_by_abstaining else "")


@dataclass(frozen=True)
class Reliability:
    """How often a model is right at each level of confidence: an accuracy for each mean confidence, from ½ to 1."""

    label: str
    group: str
    points: tuple[tuple[float, Estimate], ...]
    error: Estimate  # the expected calibration error
    noise: float | None = None  # the error that a perfectly calibrated model would show


@dataclass(frozen=True)
class Margins:
    """The score of the answer minus that of the other candidate, one per item: above 0 the item is right."""

    label: str
    group: str
    values: tuple[float, ...]
