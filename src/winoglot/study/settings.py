"""What a study is: everything that is fixed when it is created, so that nothing is decided after seeing the answers."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from typing import Any

from winoglot.errors import InputError, nearest

PAGE_LANGUAGES = ("en", "fr", "pt", "zh")


@dataclass(frozen=True)
class Exclusions:
    """Rules by which a person's answers are left out of the results. None of them looks at right or wrong answers."""

    failed_checks: int = 2  # at least this number of attention checks failed
    seconds: float = 2.0  # a median time per problem below this
    answered: float = 0.5  # less than this share of their problems answered


@dataclass(frozen=True)
class StudySettings:
    """The choices of the researcher. They are stored with the study and cannot be changed afterwards."""

    page_language: str = "en"
    kinds: tuple[str, ...] = ()  # variants that are asked besides the originals
    participants: int = 30  # how many people are expected
    judgements: int = 3  # how many answers every item gets, from each panel if there are two
    problems: int = 60  # how many problems one person is tested on, at most
    training: int = 10  # problems with an explanation at the beginning, from schemas that are then not tested
    checks: int = 3  # attention checks per person: who never reads fails two or more of three in 84% of cases
    per_screen: int = 1  # 1 or 10
    verification: bool = True  # whether people see some problems again at the end
    panels: int = 1  # 2: every original is judged by two groups of people, to measure how stable people are
    open: bool = True  # anybody with the study's address may take part; False: only those with a personal link
    consent: str = ""  # Markdown; empty: the page's own text
    contact: str = ""
    background: tuple[str, ...] = ("native-language",)  # optional questions
    completion_code: bool = False
    exclusions: Exclusions = field(default_factory=Exclusions)
    seed: int = 0

    def __post_init__(self) -> None:
        """Each number makes sense on its own; whether the collection is large enough is checked with it."""
        if self.page_language not in PAGE_LANGUAGES:
            raise InputError(
                f"there are no pages in {self.page_language!r}", remedy=nearest(self.page_language, PAGE_LANGUAGES)
            )
        least = {"participants": 1, "judgements": 1, "problems": 1, "training": 0, "checks": 0}
        for name, lowest in least.items():
            if getattr(self, name) < lowest:
                raise InputError(f"{name} is {getattr(self, name)}", remedy=f"Give at least {lowest}.")
        if self.per_screen not in (1, 10):
            raise InputError(f"there are {self.per_screen} problems on a screen", remedy="Give 1 or 10.")
        if self.panels not in (1, 2):
            raise InputError(f"the study has {self.panels} panels", remedy="Give 1 or 2.")

    def as_json(self) -> dict[str, Any]:
        """As the database stores it."""
        return asdict(self)

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> StudySettings:
        """As it was stored."""
        values = {one.name: stored[one.name] for one in fields(cls) if one.name in stored}
        values |= {name: tuple(values[name]) for name in ("kinds", "background") if name in values}
        return cls(**(values | {"exclusions": Exclusions(**stored["exclusions"])}))
