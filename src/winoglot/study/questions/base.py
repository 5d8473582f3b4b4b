"""A question type: everything that a study has to know about one question, in one class."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from winoglot.study.storage import EXPERT, TEST, TRAINING, storable_text

if TYPE_CHECKING:
    from collections.abc import Mapping
    from gettext import GNUTranslations

    import jinja2

    from winoglot.statistics.intervals import Estimate
    from winoglot.study.answers import Answer
    from winoglot.study.steps import AskedProblem

MAX_TEXT = 2000  # characters of a comment, or of any other text that people write about a problem

Why = Literal["revoked", "closed", "not-asked", "over", "stays", "invalid", "too-long", "reason-missing"]


class RefusedError(Exception):
    """A request that is refused; nothing in it is stored.

    revoked: the link is not valid (any more). closed: the study is closed. not-asked: this person was not shown the
    problem. over: the test or the whole participation has ended. stays: a training answer cannot be changed. invalid:
    not an answer to this problem. too-long: the text is. reason-missing: a verdict of `reason` needs a comment.
    """

    def __init__(self, why: Why, task: int | None = None) -> None:
        """`task` is the problem it is about, if it is about one."""
        super().__init__(why)
        self.why: Why = why
        self.task = task


@dataclass(frozen=True)
class AnsweredTask:
    """What a question has to know about the problem that an answer is for."""

    id: int
    part: str
    order: Sequence[int]  # the candidates' indices, as the person sees them
    earlier: int | None = None  # in verification: the person's choice in the test


@dataclass(frozen=True)
class ExportedColumn:
    """A column of a table: what it is called, of which type, what it means, and its value in a row."""

    name: str
    dtype: type
    meaning: str
    value: Callable[[Any], Any]


class QuestionType:
    """A question about a problem, from the form to the results. The defaults suit an optional question with one value.

    Such a question needs a `name`, a `label`, a `meaning` and, unless people write the answer, `options`; its value is
    stored under its name. A question with several values, or with a page of its own, overrides the methods.
    """

    name = ""  # of the question, its form field, its stored value and its exported column
    description = ""  # what `winoglot list study-questions` says
    label = ""  # what people are asked, in English: catalogues of the pages may translate it
    options: tuple[tuple[str, str], ...] = ()  # what the form sends, and the words for it; none: people write
    parts: tuple[str, ...] = (TRAINING, TEST, EXPERT)  # of the study in which it is asked
    required = False
    dtype: type = str  # of the value
    meaning = ""  # of the exported column

    @property
    def fields(self) -> tuple[str, ...]:
        """The form fields that it reads."""
        return (self.name,)

    def template(self, templates: jinja2.Environment) -> jinja2.Template:
        """A template with a macro `question(question, problem)`, which draws the question below a problem."""
        return templates.get_template("questions/field.html")

    def fill(self, values: Mapping[str, Any], problem: AskedProblem) -> dict[str, Any]:  # noqa: ARG002
        """What its form fields show when stored values are shown again."""
        value = values.get(self.name)
        return {self.name: "" if value is None else next(self._option(value), value)}

    def read(self, fields: Mapping[str, str]) -> dict[str, Any] | None:
        """The values of form fields; None if an answer is missing, ValueError if no page sends such fields."""
        text = fields[self.name]
        if not text:
            return None if self.required else {self.name: None}
        if self.options and text not in dict(self.options):
            raise ValueError(text)
        return {self.name: self.dtype(text)}

    def errors(self, fields: Mapping[str, Any], labels: GNUTranslations) -> dict[str, str]:
        """What has to be corrected in fields that cannot be stored: messages by the place they are about."""
        text = fields[self.name]
        if self.required and not text:
            return {self.name: labels.gettext("Choose an answer.")}
        return {self.name: too_long(labels)} if len(text) > MAX_TEXT else {}

    def check(self, values: Mapping[str, Any], task: AnsweredTask) -> dict[str, Any]:
        """What to store, by column or by a name of its own; RefusedError if it is no answer to this problem."""
        value = values.get(self.name)
        if isinstance(value, str):
            value = storable_text(value) or None
        if value is None and not self.required:
            return {self.name: None}
        if not isinstance(value, self.dtype) or (self.options and not any(self._option(value))):
            raise RefusedError("invalid", task.id)
        if isinstance(value, str) and len(value) > MAX_TEXT:
            raise RefusedError("too-long", task.id)
        return {self.name: value}

    @property
    def columns(self) -> tuple[ExportedColumn, ...]:
        """What `study export` writes about each answer."""
        return (ExportedColumn(self.name, self.dtype, self.meaning, lambda answer: answer.further.get(self.name)),)

    def summarise(self, answers: Sequence[Answer]) -> dict[str, Estimate]:  # noqa: ARG002
        """What the results say about the answers to one kind of items: shares, or means between 0 and 1, by name."""
        return {}

    def _option(self, value: Any) -> Any:
        """The options that stand for a value: one at most."""
        return (option for option, _ in self.options if self.dtype(option) == value)


def too_long(labels: GNUTranslations) -> str:
    """What is wrong with a text that is too long."""
    return labels.gettext("The comment is too long: at most %(most)s characters are allowed.") % {"most": MAX_TEXT}


def mean_over_answers(answers: Sequence[Answer], values: Sequence[float]) -> Estimate:
    """The mean of one value between 0 and 1 per answer, for people and schemas like these."""
    from winoglot.statistics.crossed import crossed_mean

    people, schemas = [answer.person for answer in answers], [answer.schema_id for answer in answers]
    return crossed_mean(values, people, schemas, undefined="no answers yet")
