"""Which questions a study asks: the choice and remarks on the text always, further ones if its settings name them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from winoglot import registry
from winoglot.errors import InputError
from winoglot.study.questions.base import QuestionType
from winoglot.study.questions.choice import (
    CandidateChoice,
    DisagreementLook,
    ExpertChoice,
    ForcedChoice,
    SecondLook,
)
from winoglot.study.questions.remarks import TextRemarks
from winoglot.study.storage import ANSWER_COLUMNS

if TYPE_CHECKING:
    from winoglot.study.settings import StudySettings

_CHOICE, _SECOND_LOOK, _REMARKS = CandidateChoice(), SecondLook(), TextRemarks()
_FORCED_CHOICE, _DISAGREEMENT_LOOK = ForcedChoice(), DisagreementLook()
_ALWAYS: tuple[QuestionType, ...] = (_CHOICE, _SECOND_LOOK, ExpertChoice(), _REMARKS)
_RESERVED = {*ANSWER_COLUMNS, "order", "right", "final", "reason", "seconds", "task", "submission", "form_token"} | {
    field for question in _ALWAYS for field in question.fields
}


def questions_of(settings: StudySettings, part: str) -> list[QuestionType]:
    """What a study asks about each problem of a part, in the order of the page: the choice first, remarks last."""
    choice, *remarks = (question for question in _ALWAYS if part in question.parts)
    if settings.forced_choice and choice is _CHOICE:
        choice = _FORCED_CHOICE
    elif settings.disagreements_only and choice is _SECOND_LOOK:
        choice = _DISAGREEMENT_LOOK
    further = (question for question in further_questions(settings) if part in question.parts)
    return [choice, *further, *remarks]


def form_questions(settings: StudySettings) -> list[QuestionType]:
    """How forms are read, whatever part their problems belong to: the choice is read alike in all of them."""
    return [_CHOICE, *further_questions(settings), _REMARKS]


def further_questions(settings: StudySettings) -> list[QuestionType]:
    """The questions that the settings name."""
    return [load_question(name) for name in settings.questions]


def load_question(name: str) -> QuestionType:
    """A question that settings may name; InputError if there is none, or it cannot be asked."""
    question = registry.load("study-questions", name)
    if not isinstance(question, QuestionType) or question.name != name:
        raise InputError(
            f"the study question {name!r} is no QuestionType of this name",
            remedy="See the docstring of winoglot.study.questions for what such a plug-in must offer.",
        )
    if clashes := _RESERVED & {name, *question.fields}:
        raise InputError(
            f"the study question {name!r} uses the name {sorted(clashes)[0]!r}, which every study has already",
            remedy="Give it another name.",
        )
    if not all(re.fullmatch(r"[a-z][a-z0-9_-]*", word) for word in (name, *question.fields)):
        raise InputError(
            f"the study question {name!r} has a name that forms and tables cannot use",
            remedy="Use lower-case letters, digits, - and _.",
        )
    return question
