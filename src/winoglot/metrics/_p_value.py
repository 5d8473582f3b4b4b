"""How often chance alone does at least this well."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PValue:
    """The outcome of a test: `value` is the probability, under the hypothesis tested, of data at least as extreme.

    `error` is the Monte-Carlo standard error of `value`, 0 where it was computed exactly; `n` counts the units of the
    test that carry information (schemas with a difference, discordant items).

    >>> print(PValue(0.0312, 0.0017, 48, "10,000 random flips of 131 schemas"))
    p=0.031±0.0017, n=48, 10,000 random flips of 131 schemas
    >>> print(PValue(0.5, 0.0, 3, "exact McNemar, items taken as independent"))
    p=0.500, n=3, exact McNemar, items taken as independent
    """

    value: float
    error: float
    n: int
    method: str

    def __post_init__(self) -> None:
        """Refuse what is no probability."""
        if not 0 <= self.value <= 1:
            raise ValueError(f"a p-value lies between 0 and 1, not at {self.value}")
        if not self.error >= 0:
            raise ValueError(f"a standard error is not negative: {self.error}")

    def __str__(self) -> str:
        """The value, its Monte-Carlo error if it has one, what it rests on."""
        value = f"{self.value:.3f}" if self.value >= 0.001 else f"{self.value:.1e}"
        error = f"±{self.error:.1e}" if 0 < self.error < 0.0001 else f"±{self.error:.4f}" if self.error else ""
        return f"p={value}{error}, n={self.n}, {self.method}"
