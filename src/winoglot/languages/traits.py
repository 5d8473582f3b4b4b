"""The gender, number and animacy of a phrase, name or pronoun, each with the evidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

FeatureName = Literal["gender", "number", "animacy"]
NAMES: tuple[FeatureName, ...] = ("gender", "number", "animacy")


@dataclass(frozen=True)
class Trait:
    """The value of one feature (None if unknown) and the evidence for it."""

    value: str | None = None
    evidence: str = "nothing shows it"

    def __str__(self) -> str:
        """For example `feminine: determiner 'a'`."""
        return f"{self.value or 'unknown'}: {self.evidence}"


UNKNOWN = Trait()


@dataclass(frozen=True)
class Traits:
    """The features of a phrase or pronoun."""

    gender: Trait = UNKNOWN
    number: Trait = UNKNOWN
    animacy: Trait = UNKNOWN

    def of(self, name: FeatureName) -> Trait:
        """The trait with this name."""
        trait: Trait = getattr(self, name)
        return trait
