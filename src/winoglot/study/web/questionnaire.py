"""From a step of a participation to what its page shows, and from the form on it back to answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from winoglot.schemas.model import BLANKS
from winoglot.study.assignment import second_look
from winoglot.study.questions.table import form_questions
from winoglot.study.settings import AGE, NATIVE_LANGUAGE, question_label, question_options
from winoglot.study.steps import AskedProblem, Response
from winoglot.study.storage import EXPERT, TEST, TRAINING, VERIFICATION
from winoglot.study.web.site import value

if TYPE_CHECKING:
    from collections.abc import Sequence
    from gettext import GNUTranslations

    from winoglot.study.questions.base import QuestionType
    from winoglot.study.settings import StudySettings
    from winoglot.study.steps import Screen
    from winoglot.study.storage import Storage
    from winoglot.study.web.site import Form

_SECONDS_PER_TEXT = 13  # what readers need, more or less: people are told how long a study takes


@dataclass(frozen=True)
class FieldError:
    """Something to correct, and the element that it is about."""

    place: str
    message: str


@dataclass
class ShownProblem:
    """A problem with what its form fields contain, as the template takes it."""

    asked: AskedProblem
    number: int
    fields: dict[str, Any]  # a candidate stands there by its place: its index would tell more than people see
    errors: dict[str, str] = field(default_factory=dict)  # by the place they are about

    @property
    def task(self) -> int:
        """The task's id, which names the fields of the problem."""
        return self.asked.task

    @property
    def pronoun(self) -> str:
        """Empty if it is not spoken, or a gap to be filled."""
        return "" if self.asked.pronoun in BLANKS else self.asked.pronoun

    @property
    def earlier(self) -> str | None:
        """The person's answer in the test, shown again in verification; None: that they cannot say."""
        return next((text for index, text in self.asked.candidates if index == self.asked.earlier), None)


@dataclass
class Sent:
    """A form with answers, read: what can be stored, and what has to be corrected first."""

    answers: dict[int, Response] = field(default_factory=dict)
    fields: dict[int, dict[str, Any]] = field(default_factory=dict)  # as they were, to be shown again
    is_incomplete: bool = False


def shown_problems(screen: Screen, questions: Sequence[QuestionType]) -> list[ShownProblem]:
    """The problems of a screen with the answers stored so far."""
    problems = []
    for number, problem in enumerate(screen.problems, screen.position):
        fields: dict[str, Any] = dict.fromkeys((name for question in questions for name in question.fields), "")
        if problem.stored is not None:
            for question in questions:
                fields |= question.fill(problem.stored, problem)
        problems.append(ShownProblem(problem, number, fields | {"seconds": ""}))
    return problems


def read_answers(form: Form, settings: StudySettings) -> Sent | None:
    """What a form with answers says. None: no form of ours looks like this."""
    questions = form_questions(settings)
    names = {"seconds", *(name for question in questions for name in question.fields)}
    sent = Sent()
    for number in form.get("task", []):
        if not (number.isascii() and number.isdigit() and len(number) < 10):
            return None
        fields = sent.fields[int(number)] = {name: value(form, f"{name}-{number}") for name in names}
        values: dict[str, Any] = {}
        for question in questions:
            try:
                answer = question.read(fields)
            except ValueError:
                return None
            sent.is_incomplete |= answer is None
            values |= answer or {}
        sent.answers[int(number)] = Response(value(form, "submission"), values, _seconds(fields["seconds"]))
    return sent if sent.fields else None


def _seconds(measured: str) -> float | None:
    """The time that a script has measured; without one it is unknown."""
    try:
        return float(measured)
    except ValueError:
        return None


def shown_again(
    problems: list[ShownProblem], questions: Sequence[QuestionType], sent: Sent, labels: GNUTranslations
) -> list[FieldError]:
    """Put what was just sent into the same screen, and say what is to be corrected."""
    errors = []
    message_format = labels.gettext("Text %(number)s: %(message)s") if len(problems) > 1 else "%(message)s"
    for problem in problems:
        problem.fields |= sent.fields[problem.task]
        for question in questions:
            problem.errors |= question.errors(problem.fields, labels)
        for place, message in problem.errors.items():
            text = message_format % {"number": problem.number, "message": message}
            errors.append(FieldError(f"{place}-{problem.task}", text))
    return errors


def heading(screen: Screen, labels: GNUTranslations) -> tuple[str, str]:
    """A screen's title, and the short form that stands beside the progress bar."""
    last = screen.position + len(screen.problems) - 1
    numbers = {"number": screen.position, "last": last, "total": screen.total}
    titles = {
        TRAINING: (
            labels.gettext("Practice: text %(number)s of %(total)s"),
            labels.gettext("Practice %(number)s of %(total)s"),
        ),
        TEST: (labels.gettext("Text %(number)s of %(total)s"), labels.gettext("%(number)s of %(total)s")),
        VERIFICATION: (
            labels.gettext("Second look: text %(number)s of %(total)s"),
            labels.gettext("Second look %(number)s of %(total)s"),
        ),
        EXPERT: (labels.gettext("Text %(number)s of %(total)s"), labels.gettext("%(number)s of %(total)s")),
    }
    title, place = titles[screen.part]
    if len(screen.problems) > 1:
        title = labels.gettext("Texts %(number)s to %(last)s of %(total)s")
        place = labels.gettext("%(number)s–%(last)s of %(total)s")
    return title % numbers, place % numbers


def introduction(
    screen: Screen, labels: GNUTranslations, *, disagreements_only: bool = False
) -> tuple[str, str] | None:
    """What is said at the beginning of a part: title and text."""
    if screen.position > 1:
        return None
    introductions = {
        TRAINING: (
            labels.gettext("First, some practice"),
            labels.gettext(
                "Read the text and choose who or what the highlighted word refers to. Go by what you would "
                "understand if somebody said this to you. After each text, you will see the correct answer and why it "
                "is right."
            ),
        ),
        TEST: (
            labels.gettext("Now for the study itself"),
            labels.gettext(
                "From here on, you will not see whether an answer is right. If a text can be understood both ways or "
                "sounds wrong, say so below the answers."
            ),
        ),
        VERIFICATION: (
            labels.gettext("Some of the texts again"),
            labels.gettext(
                "You will see again the texts for which your answer was not the one that their author expected. Read "
                "each of them again, and either say that your answer was a mistake or explain why you chose it."
            )
            if disagreements_only
            else labels.gettext(
                "You will see some of the texts a second time, whatever you answered. Read each of them again and "
                "decide whether to keep your answer."
            ),
        ),
        EXPERT: (
            labels.gettext("Texts that many readers got wrong"),
            labels.gettext(
                "Decide who or what the highlighted word refers to, or that the text is too ambiguous to tell. You "
                "will not see the answer its author had in mind."
            ),
        ),
    }
    return introductions[screen.part]


@dataclass(frozen=True)
class BackgroundQuestion:
    """An optional question about the person, with options or for free text."""

    label: str
    options: tuple[str, ...] = ()
    answer: str = ""


def background_question(question: str, answer: str, labels: GNUTranslations) -> BackgroundQuestion:
    """A question that we know by its name, or the researcher's own."""
    own_words = {
        NATIVE_LANGUAGE: labels.gettext("What is your native language?"),
        AGE: labels.gettext("How old are you?"),
    }
    return BackgroundQuestion(own_words.get(question) or question_label(question), question_options(question), answer)


def length(storage: Storage) -> tuple[int, int]:
    """How many texts a person reads, and about how many minutes that takes."""
    problems = storage.problems.values()
    schemas = {problem.schema_id for problem in problems if problem.part == TEST}
    not_test = sum(problem.part != TEST for problem in problems)
    tested_count = min(len(schemas), storage.settings.problems)
    count = tested_count + not_test
    shown_twice = second_look(tested_count) if storage.settings.verification else 0
    minutes = ceil((count + shown_twice) * _SECONDS_PER_TEXT / 60)
    return count, minutes if minutes < 10 else 5 * ceil(minutes / 5)


def sanitised(markdown: str) -> Markup:
    """The researcher's Markdown as HTML: no HTML of their own, no pictures, headings below that of the page."""
    import nh3
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False}).disable("image")
    tokens = parser.parse(markdown)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(4, int(token.tag[1]) + 1)}"
    tags = {"a", "blockquote", "br", "code", "em", "h2", "h3", "h4", "hr", "li", "ol", "p", "pre", "strong", "ul"}
    cleaned_html = nh3.clean(
        parser.renderer.render(tokens, parser.options, {}),
        tags=tags,
        attributes={"a": {"href"}},
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer",
    )
    return Markup(cleaned_html)
