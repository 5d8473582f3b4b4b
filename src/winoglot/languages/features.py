"""The grammatical features of words and phrases: gender, number, animacy and case.

A table gives them to a form (`ihm = dative singular`); here they are known of a phrase, name or pronoun, each with
the evidence for it. Authors may state gender, number and animacy of a candidate (`schemas.model.Features`); its case
depends on its place in the sentence.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

FeatureName = Literal["gender", "number", "animacy", "case"]
NAMES: tuple[FeatureName, ...] = ("gender", "number", "animacy")  # in which a pronoun agrees with what it refers to
VALUES: Mapping[FeatureName, tuple[str, ...]] = MappingProxyType(
    {
        "gender": ("masculine", "feminine", "neuter", "common"),
        "number": ("singular", "dual", "plural"),
        "animacy": ("human", "animal", "thing"),
        "case": ("nominative", "genitive", "dative", "accusative", "instrumental", "prepositional"),
    }
)


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
    case: Trait = UNKNOWN

    def of(self, name: FeatureName) -> Trait:
        """The trait with this name."""
        trait: Trait = getattr(self, name)
        return trait
