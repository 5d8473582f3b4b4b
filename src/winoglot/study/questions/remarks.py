"""Whether something is wrong with a text: two flags, and what a person writes about it."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any

from winoglot.study.questions.base import (
    MAX_TEXT,
    AnsweredTask,
    ExportedColumn,
    QuestionType,
    RefusedError,
    mean_over_answers,
    too_long,
)
from winoglot.study.storage import storable_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from gettext import GNUTranslations

    import jinja2

    from winoglot.statistics.intervals import Estimate
    from winoglot.study.answers import Answer
    from winoglot.study.steps import AskedProblem

FLAGS = ("ambiguous", "unnatural")


class TextRemarks(QuestionType):
    """Optional remarks, in training, in the test and by experts."""

    name = "remarks"

    @property
    def fields(self) -> tuple[str, ...]:
        """A box per flag, and a text."""
        return (*FLAGS, "comment")

    def template(self, templates: jinja2.Environment) -> jinja2.Template:
        """The boxes, and the text below them."""
        return templates.get_template("questions/remarks.html")

    def fill(self, values: Mapping[str, Any], problem: AskedProblem) -> dict[str, Any]:  # noqa: ARG002
        """The boxes that were ticked, and the text."""
        return {flag: "yes" if values[flag] else "" for flag in FLAGS} | {"comment": values["comment"]}

    def read(self, fields: Mapping[str, str]) -> dict[str, Any]:
        """The flags of ticked boxes, and the text."""
        return {flag: fields[flag] == "yes" for flag in FLAGS} | {"comment": fields["comment"]}

    def errors(self, fields: Mapping[str, Any], labels: GNUTranslations) -> dict[str, str]:
        """An error if the text is too long."""
        return {"comment": too_long(labels)} if len(fields["comment"]) > MAX_TEXT else {}

    def check(self, values: Mapping[str, Any], task: AnsweredTask) -> dict[str, Any]:
        """The flags, and a text that databases can store."""
        comment = storable_text(values.get("comment", ""))
        if len(comment) > MAX_TEXT:
            raise RefusedError("too-long", task.id)
        return {flag: values.get(flag, False) for flag in FLAGS} | {"comment": comment}

    @property
    def columns(self) -> tuple[ExportedColumn, ...]:
        """The columns for the flags and the text."""
        return (
            *(
                ExportedColumn(flag, bool, f"whether the person called the text {flag}", attrgetter(flag))
                for flag in FLAGS
            ),
            ExportedColumn("comment", str, "the person's comment", attrgetter("comment")),
        )

    def summarise(self, answers: Sequence[Answer]) -> dict[str, Estimate]:
        """The share of answers that raise each flag."""
        return {flag: mean_over_answers(answers, [getattr(answer, flag) for answer in answers]) for flag in FLAGS}
