"""From a step of a participation to what its page shows, and from the form on it back to answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from winoglot.schemas.model import BLANKS
from winoglot.study.assignment import second_look
from winoglot.study.participation import MAX_COMMENT
from winoglot.study.settings import AGE, NATIVE_LANGUAGE, question_label, question_options
from winoglot.study.steps import AskedProblem, Response
from winoglot.study.storage import EXPERT, KEEP, MISTAKE, REASON, TEST, TOO_AMBIGUOUS, TRAINING, VERIFICATION
from winoglot.study.web.site import value

if TYPE_CHECKING:
    from gettext import GNUTranslations

    from winoglot.study.steps import Screen
    from winoglot.study.storage import Storage
    from winoglot.study.web.site import Form

_SECONDS_PER_TEXT = 13  # what readers need, more or less: people are told how long a study takes
_CANNOT_SAY = "none"
_CHANGE = "change-"  # in the second look, before the place of another candidate
_FIELDS = ("answer", "again", "ambiguous", "unnatural", "comment", "seconds")  # of one problem


@dataclass(frozen=True)
class FieldError:
    """Something to correct, and the element that it is about."""

    place: str
    message: str


@dataclass
class ShownProblem:
    """A problem with what was chosen, as the template takes it."""

    asked: AskedProblem
    number: int
    answer: str = ""  # the place of a candidate, from 1: its index in the collection would tell more than people see
    again: str = ""  # in the second look
    ambiguous: bool = False
    unnatural: bool = False
    comment: str = ""
    seconds: str = ""
    error: str = ""
    comment_error: str = ""

    @property
    def task(self) -> int:
        """Names the fields of the problem."""
        return self.asked.task

    @property
    def pronoun(self) -> str:
        """Empty if it is not spoken, or a gap to be filled."""
        return "" if self.asked.pronoun in BLANKS else self.asked.pronoun

    @property
    def earlier(self) -> str | None:
        """In verification: what the person answered in the test; None: that they cannot say."""
        return next((text for index, text in self.asked.candidates if index == self.asked.earlier), None)

    def show(self, given: Response) -> None:
        """What was answered before."""
        place = _CANNOT_SAY if given.choice is None else str(self.asked.places[given.choice])
        self.answer = given.verdict or place
        self.again = f"{_CHANGE}{place}" if given.verdict == MISTAKE else given.verdict or ""
        self.ambiguous, self.unnatural, self.comment = given.ambiguous, given.unnatural, given.comment


@dataclass
class Sent:
    """A form with answers, read: what can be stored, and what has to be corrected first."""

    answers: dict[int, Response] = field(default_factory=dict)
    fields: dict[int, dict[str, Any]] = field(default_factory=dict)  # as they were, to be shown again
    missing: list[int] = field(default_factory=list)


def shown_problems(screen: Screen) -> list[ShownProblem]:
    """The problems of a screen with the answers given so far."""
    problems = [ShownProblem(asked, screen.position + at) for at, asked in enumerate(screen.problems)]
    for problem in problems:
        if problem.asked.given is not None:
            problem.show(problem.asked.given)
    return problems


def read_answers(form: Form) -> Sent | None:
    """What a form with answers says. None: no form of ours looks like this."""
    sent = Sent()
    for name in form.get("task", []):
        if not (name.isascii() and name.isdigit() and len(name) < 10):
            return None
        task = int(name)
        given = sent.fields[task] = {key: value(form, f"{key}-{name}") for key in _FIELDS}
        given |= {key: given[key] == "yes" for key in ("ambiguous", "unnatural")}
        if not given["answer"] and not given["again"]:
            sent.missing.append(task)
            continue
        decision = _decision(given["answer"], given["again"])
        if decision is None:
            return None
        place, verdict = decision
        sent.answers[task] = Response(
            value(form, "submission"),
            verdict=verdict,
            ambiguous=given["ambiguous"],
            unnatural=given["unnatural"],
            comment=given["comment"],
            seconds=_seconds(given["seconds"]),
            place=place,
        )
    return sent if sent.fields else None


def _decision(answer: str, again: str) -> tuple[int | None, str | None] | None:
    """A candidate's place and the verdict that two fields stand for. Whether they answer the problem is checked later.

    Pages of earlier versions sent candidates' indices, as `choice` and `verdict`: these fields are not read, and the
    person is asked again.
    """
    if again in (KEEP, REASON):
        return None, again
    if answer == TOO_AMBIGUOUS:
        return None, TOO_AMBIGUOUS
    if answer == _CANNOT_SAY:
        return None, None
    number = again.removeprefix(_CHANGE) if again else answer
    if not (number.isascii() and number.isdigit() and len(number) < 4):
        return None
    return int(number), MISTAKE if again else None


def _seconds(given: str) -> float | None:
    """The time that a script has measured; without one it is unknown."""
    try:
        return float(given)
    except ValueError:
        return None


def shown_again(problems: list[ShownProblem], sent: Sent, labels: GNUTranslations) -> list[FieldError]:
    """Put what was just sent into the same screen, and say what is to be corrected."""
    found = []
    for problem in problems:
        for name, content in sent.fields[problem.task].items():
            setattr(problem, name, content)
        problem.error = labels.gettext("Choose an answer.") if problem.task in sent.missing else ""
        problem.comment_error = _comment_error(problem, labels)
        for place, message in (("answers", problem.error), ("comment", problem.comment_error)):
            numbered = labels.gettext("Text %(number)s: %(message)s") if len(problems) > 1 else "%(message)s"
            if message:
                said = numbered % {"number": problem.number, "message": message}
                found.append(FieldError(f"{place}-{problem.task}", said))
    return found


def _comment_error(problem: ShownProblem, labels: GNUTranslations) -> str:
    if len(problem.comment) > MAX_COMMENT:
        return too_long(labels)
    if problem.again == REASON and not problem.comment.strip():
        return labels.gettext("Please explain in a few words.")
    return ""


def too_long(labels: GNUTranslations) -> str:
    """What is wrong with a comment that is too long."""
    return labels.gettext("The comment is too long: at most %(most)s characters are allowed.") % {"most": MAX_COMMENT}


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


def introduction(screen: Screen, labels: GNUTranslations) -> tuple[str, str] | None:
    """What is said at the beginning of a part: title and text."""
    if screen.position > 1:
        return None
    said = {
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
    return said[screen.part]


@dataclass(frozen=True)
class BackgroundQuestion:
    """An optional question about the person, with options or for free text."""

    label: str
    options: tuple[str, ...] = ()
    given: str = ""


def background_question(question: str, given: str, labels: GNUTranslations) -> BackgroundQuestion:
    """A question that we know by its name, or the researcher's own."""
    known = {
        NATIVE_LANGUAGE: labels.gettext("What is your native language?"),
        AGE: labels.gettext("How old are you?"),
    }
    return BackgroundQuestion(known.get(question) or question_label(question), question_options(question), given)


def length(storage: Storage) -> tuple[int, int]:
    """How many texts a person reads, and about how many minutes that takes."""
    problems = storage.problems.values()
    schemas = {problem.schema_id for problem in problems if problem.part == TEST}
    others = sum(problem.part != TEST for problem in problems)
    tested = min(len(schemas), storage.settings.problems)
    count = tested + others
    again = second_look(tested) if storage.settings.verification else 0
    minutes = ceil((count + again) * _SECONDS_PER_TEXT / 60)
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
    cleaned = nh3.clean(
        parser.renderer.render(tokens, parser.options, {}),
        tags=tags,
        attributes={"a": {"href"}},
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer",
    )
    return Markup(cleaned)
