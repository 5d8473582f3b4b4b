"""What a study is: everything that is fixed when it is created, so that nothing is decided after seeing the answers."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from winoglot.errors import InputError, did_you_mean
from winoglot.study.web.texts import PAGE_LANGUAGES

NATIVE_LANGUAGE, AGE = ("native-language", "age")  # optional questions that we know by their names
_AGES = ("18–29", "30–39", "40–49", "50–59", "60–69", "70+")
_BAR = re.compile(r"[|｜]")  # before each answer of a question; keyboards for Chinese and Japanese write the wide one
FIRST = ("first",)  # training items: those of the first schemas, in the order of the collection
MAX_BACKGROUND = 100  # characters of an optional question, and of an answer to it


# Settings that earlier versions do not know, and those that JSON stores as lists.
_LATER = ("questions", "training_items", "forced_choice", "one_version", "disagreements_only")
_TUPLES = ("kinds", "background", "questions", "training_items")


def question_label(question: str) -> str:
    """An optional question without its answers, or its name."""
    return _BAR.split(question)[0].strip()


def question_options(question: str) -> tuple[str, ...]:
    """The answers that an optional question offers; none for the native language, which people write.

    >>> question_options("Where did you grow up? | north | south")
    ('north', 'south')
    """
    return _AGES if question == AGE else tuple(option.strip() for option in _BAR.split(question)[1:])


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
    # The ids of the items to train on, or FIRST; otherwise they are drawn.
    training_items: tuple[str, ...] = ()
    checks: int = 3  # attention checks per person: who never reads fails two or more of three in 84% of cases
    per_screen: int = 1  # 1 or 10
    forced_choice: bool = False  # whether people have to choose a candidate: no "cannot say"
    one_version: bool = False  # whether a person is asked the same version of all schemas, others the other one
    verification: bool = True  # whether people see some problems again at the end
    disagreements_only: bool = False  # all on which they and the key disagree, and no others; explained or corrected
    panels: int = 1  # 2: every original is judged by two groups of people, to measure how stable people are
    open: bool = True  # anybody with the study's address may take part; False: only those with a personal link
    consent: str = ""  # Markdown; empty: the page's own text
    contact: str = ""
    # Optional questions: the native language, age, or the researcher's own with its answers, "Where? | north | south".
    background: tuple[str, ...] = (NATIVE_LANGUAGE,)
    questions: tuple[str, ...] = ()  # what is asked about every problem besides the choice, such as `confidence`
    completion_code: bool = False
    exclusions: Exclusions = field(default_factory=Exclusions)
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse values that make no sense by themselves; whether a collection is large enough is checked later."""
        if self.page_language not in PAGE_LANGUAGES:
            raise InputError(
                f"there are no pages in {self.page_language!r}", remedy=did_you_mean(self.page_language, PAGE_LANGUAGES)
            )
        least = {"participants": 1, "judgements": 1, "problems": 1, "training": 0, "checks": 0}
        for name, lowest in least.items():
            if getattr(self, name) < lowest:
                raise InputError(f"{name} is {getattr(self, name)}", remedy=f"Give at least {lowest}.")
        if self.per_screen not in (1, 10):
            raise InputError(f"a screen cannot show {self.per_screen} problems", remedy="Give 1 or 10.")
        if self.panels not in (1, 2):
            raise InputError(f"a study cannot have {self.panels} panels", remedy="Give 1 or 2.")
        if self.training_items not in ((), FIRST) and len(self.training_items) != self.training:
            raise InputError(
                f"training takes {self.training} items, but {len(self.training_items)} are named",
                remedy="Name as many items as training takes.",
            )
        if self.disagreements_only and not self.verification:
            raise InputError(
                "disagreements cannot be shown again in a study without verification",
                remedy="Leave out --no-verification or --disagreements-only.",
            )
        for question in self.background:
            _check_question(question)
        if self.questions:
            from winoglot.study.questions.table import load_question  # which stands above the settings

            for name in self.questions:
                load_question(name)
        if len(set(self.questions)) < len(self.questions):
            raise InputError("a question about the problems is asked twice", remedy="Ask each of them once.")
        if len(set(map(question_label, self.background))) < len(self.background):
            raise InputError("a background question is asked twice", remedy="Ask each of them once.")

    def as_json(self) -> dict[str, Any]:
        """What the database stores; a study that uses no later setting is stored as by earlier versions."""
        return {name: value for name, value in asdict(self).items() if value or name not in _LATER}

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> StudySettings:
        """The settings that `as_json` stored."""
        values = {setting.name: stored[setting.name] for setting in fields(cls) if setting.name in stored}
        values |= {name: tuple(values[name]) for name in _TUPLES if name in values}
        return cls(**(values | {"exclusions": Exclusions(**stored["exclusions"])}))


def _check_question(question: str) -> None:
    """Own questions offer their answers: what people write freely may say who they are."""
    if question in (NATIVE_LANGUAGE, AGE):
        return
    label, options = question_label(question), question_options(question)
    remedy = 'Give age, or a question with its answers: --ask "Where did you grow up? | north | south".'
    if len(set(options)) < 2 or len(set(options)) < len(options):
        raise InputError(f"the question {label!r} does not have two or more different answers", remedy=remedy)
    if not all(0 < len(text) <= MAX_BACKGROUND for text in (label, *options)):
        raise InputError(
            f"the question {label!r} or one of its answers is longer than {MAX_BACKGROUND} characters, or empty",
            remedy=remedy,
        )
