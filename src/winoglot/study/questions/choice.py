"""Who or what the pronoun refers to: the question of every study, as each of its parts asks it."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any

from winoglot.study.questions.base import MAX_TEXT, AnsweredTask, ExportedColumn, QuestionType, RefusedError, too_long
from winoglot.study.storage import (
    EXPERT,
    KEEP,
    MISTAKE,
    REASON,
    TEST,
    TOO_AMBIGUOUS,
    TRAINING,
    VERIFICATION,
    storable_text,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from gettext import GNUTranslations

    import jinja2

    from winoglot.study.steps import AskedProblem

_CANNOT_SAY = "none"
_CHANGE = "change-"  # in the second look, before the place of another candidate


class CandidateChoice(QuestionType):
    """The question of training and test: a candidate, or "cannot say".

    A form does not say to which part its problem belongs, so the questions of all parts are read from the same fields;
    whether an answer suits the problem is checked when it is stored.
    """

    name = "answer"
    parts: tuple[str, ...] = (TRAINING, TEST)
    required = True
    last_option = _CANNOT_SAY  # what can be answered besides a candidate

    @property
    def fields(self) -> tuple[str, ...]:
        """`answer` is a candidate's place or the last option; `again` is what the second look sends."""
        return ("answer", "again")

    def template(self, templates: jinja2.Environment) -> jinja2.Template:
        """The template of radio buttons, which keys can choose."""
        return templates.get_template("questions/choice.html")

    def fill(self, values: Mapping[str, Any], problem: AskedProblem) -> dict[str, Any]:
        """The form field for the button that was chosen."""
        choice, verdict = values["choice"], values["verdict"]
        place = _CANNOT_SAY if choice is None else str(problem.places[choice])
        return {
            "answer": verdict or place,
            "again": f"{_CHANGE}{place}" if verdict == MISTAKE else verdict or "",
        }

    def read(self, fields: Mapping[str, str]) -> dict[str, Any] | None:
        """A candidate's place and the verdict that the fields stand for.

        Pages of earlier versions sent candidates' indices, as `choice` and `verdict`: these fields are not read, and
        the person is asked again.
        """
        answer, second_answer = fields["answer"], fields["again"]
        if not answer and not second_answer:
            return None
        if second_answer in (KEEP, REASON):
            return {"verdict": second_answer}
        if answer in (TOO_AMBIGUOUS, _CANNOT_SAY):
            return {"verdict": TOO_AMBIGUOUS if answer == TOO_AMBIGUOUS else None}
        number = second_answer.removeprefix(_CHANGE) if second_answer else answer
        if not (number.isascii() and number.isdigit() and len(number) < 4):
            raise ValueError(number)
        return {"place": int(number), "verdict": MISTAKE if second_answer else None}

    def errors(self, fields: Mapping[str, Any], labels: GNUTranslations) -> dict[str, str]:
        """An error if nothing was chosen."""
        has_answer = fields["answer"] or fields["again"]
        return {} if has_answer else {"answers": labels.gettext("Choose an answer.")}

    def check(self, values: Mapping[str, Any], task: AnsweredTask) -> dict[str, Any]:
        """The candidate that the answer stands for, by its index: pages send its place instead."""
        choice, place, verdict = values.get("choice"), values.get("place"), values.get("verdict")
        if place is not None:
            if not 1 <= place <= len(task.order):
                raise RefusedError("invalid", task.id)
            choice = task.order[place - 1]
        return {"choice": self.decide(choice, verdict, task), "verdict": verdict}

    def decide(self, choice: int | None, verdict: str | None, task: AnsweredTask) -> int | None:
        """The choice to store, if it can be made in this part."""
        if verdict is not None or choice not in (None, *task.order):
            raise RefusedError("invalid", task.id)
        return choice

    @property
    def columns(self) -> tuple[ExportedColumn, ...]:
        """The columns about what was chosen, and whether it is right."""
        return (
            ExportedColumn(
                "order",
                list,
                "the candidates' indices in the order in which the person saw them",
                lambda answer: [*answer.order],
            ),
            ExportedColumn("choice", int, "index of the chosen candidate; empty: cannot say", attrgetter("choice")),
            ExportedColumn("right", bool, "whether it is the collection's answer", attrgetter("right")),
        )


class ForcedChoice(CandidateChoice):
    """The question of training and test if the study wants a candidate in any case."""

    last_option = ""

    def decide(self, choice: int | None, verdict: str | None, task: AnsweredTask) -> int | None:
        """A candidate."""
        if choice is None:
            raise RefusedError("invalid", task.id)
        return super().decide(choice, verdict, task)


class SecondLook(CandidateChoice):
    """The question of verification: keep the earlier answer, correct it, or explain it."""

    parts = (VERIFICATION,)
    verdicts: tuple[str, ...] = (KEEP, MISTAKE, REASON)

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields of a choice, and the comment that explains it."""
        return ("answer", "again", "comment")

    def template(self, templates: jinja2.Environment) -> jinja2.Template:
        """The earlier answer, the verdicts on it, and a field for the explanation."""
        return templates.get_template("questions/second_look.html")

    def fill(self, values: Mapping[str, Any], problem: AskedProblem) -> dict[str, Any]:
        """The form fields for the verdict with its explanation."""
        return super().fill(values, problem) | {"comment": values["comment"]}

    def errors(self, fields: Mapping[str, Any], labels: GNUTranslations) -> dict[str, str]:
        """Errors if nothing was chosen, or if the explanation is too long or missing."""
        errors = super().errors(fields, labels)
        if len(fields["comment"]) > MAX_TEXT:
            errors["comment"] = too_long(labels)
        elif fields["again"] == REASON and not fields["comment"].strip():
            errors["comment"] = labels.gettext("Please explain in a few words.")
        return errors

    def check(self, values: Mapping[str, Any], task: AnsweredTask) -> dict[str, Any]:
        """The verdict, its explanation, and the choice after it."""
        decided, comment = super().check(values, task), storable_text(values.get("comment", ""))
        if len(comment) > MAX_TEXT:
            raise RefusedError("too-long", task.id)
        if decided["verdict"] == REASON and not comment:
            raise RefusedError("reason-missing", task.id)
        return decided | {"comment": comment}

    def decide(self, choice: int | None, verdict: str | None, task: AnsweredTask) -> int | None:
        """Another candidate if the earlier choice was a mistake; with two candidates it need not be named."""
        if verdict not in self.verdicts:
            raise RefusedError("invalid", task.id)
        if verdict != MISTAKE:
            return task.earlier
        other_candidates = [index for index in task.order if index != task.earlier]
        if choice is None and len(other_candidates) == 1:
            choice = other_candidates[0]
        if choice not in other_candidates:
            raise RefusedError("invalid", task.id)
        return choice

    @property
    def columns(self) -> tuple[ExportedColumn, ...]:
        """The columns about what became of the answer."""
        return (
            ExportedColumn(
                "verdict",
                str,
                "in verification: keep, mistake or reason; empty: not shown again",
                attrgetter("verdict"),
            ),
            ExportedColumn("final", int, "the choice after verification", attrgetter("final")),
            ExportedColumn("reason", str, "the reason given in verification", attrgetter("reason")),
        )


class DisagreementLook(SecondLook):
    """The question of verification about a disagreement: correct the earlier answer, or explain it."""

    verdicts = (MISTAKE, REASON)


class ExpertChoice(CandidateChoice):
    """The question for experts about what the majority missed: a candidate, or that the text is too ambiguous."""

    parts = (EXPERT,)
    last_option = TOO_AMBIGUOUS

    def decide(self, choice: int | None, verdict: str | None, task: AnsweredTask) -> int | None:
        """A candidate, or none with the verdict that the text is too ambiguous."""
        allowed = choice is None if verdict == TOO_AMBIGUOUS else verdict is None and choice in task.order
        if not allowed:
            raise RefusedError("invalid", task.id)
        return choice
