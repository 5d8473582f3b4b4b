"""What a phrase, name or pronoun shows of its gender, number and animacy, and what shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

FeatureName = Literal["gender", "number", "animacy"]
NAMES: tuple[FeatureName, ...] = ("gender", "number", "animacy")


@dataclass(frozen=True)
class Trait:
    """The value of one feature, None where it cannot be told, and what shows it."""

    value: str | None = None
    evidence: str = "nothing shows it"

    def __str__(self) -> str:
        """As `feminine: determiner 'a'`."""
        return f"{self.value or 'unknown'}: {self.evidence}"


UNKNOWN = Trait()


@dataclass(frozen=True)
class Traits:
    """What a phrase or pronoun shows of each feature."""

    gender: Trait = UNKNOWN
    number: Trait = UNKNOWN
    animacy: Trait = UNKNOWN

    def of(self, name: FeatureName) -> Trait:
        """The trait of that name."""
        trait: Trait = getattr(self, name)
        return trait
