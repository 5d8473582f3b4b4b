"""What figures and tables are made of: numbers with the names they stand under, and when one rests on too little."""

from __future__ import annotations

from dataclasses import dataclass

from winoglot.metrics.base import Estimate

FEW = 20  # of fewer, the interval of a share near one half spans over 40 points: too wide to rank anything by


@dataclass(frozen=True)
class Bar:
    """An estimate with its names: a line of a figure, a cell of a table.

    `group` makes the panels (a language, a collection), `label` the lines within (a model), `series` what is set
    side by side for it (readings, measures; "" where there is one). `chance` is what guessing gives, where that means
    something. `note` is a further reason not to lean on the figure.

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
    def is_weak(self) -> bool:
        """Whether it is drawn grey."""
        return bool(self.reason)

    @property
    def reason(self) -> str:
        """Why it is drawn grey; nothing where it is not."""
        if self.estimate.value is None:
            return f"undefined: {self.estimate.method}"
        few = f"n = {self.estimate.n}, fewer than {FEW}" if self.estimate.n < FEW else ""
        return "; ".join(part for part in (few, self.note) if part)


@dataclass(frozen=True)
class Contrast:
    """Two models on the same items: accuracy of the first less that of the second.

    Where the two may not be compared, `refused` says why and `difference` is undefined.
    """

    first: str
    second: str
    group: str
    difference: Estimate
    corrected_p: float | None = None
    is_distinguishable: bool = False
    detectable: float | None = None  # the smallest true difference that four of five such collections would show
    refused: str = ""


@dataclass(frozen=True)
class Reliability:
    """How often a model is right when it is so sure: an accuracy for each mean confidence, from ½ to 1."""

    label: str
    group: str
    points: tuple[tuple[float, Estimate], ...]
    error: Estimate  # the expected calibration error
    noise: float | None = None  # what a perfectly calibrated model would show of it


@dataclass(frozen=True)
class Margins:
    """The score of the answer less that of the other candidate, an item each: above 0 the item is right."""

    label: str
    group: str
    values: tuple[float, ...]
