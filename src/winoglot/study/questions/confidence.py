"""How sure people are of their answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.study.questions.base import QuestionType, mean_over_answers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.statistics.intervals import Estimate
    from winoglot.study.answers import Answer


def N_(message: str) -> str:  # noqa: N802 (the name by which catalogues find messages that are translated later)
    """Mark a message for translation."""
    return message


class Confidence(QuestionType):
    """A number from 0 to 1, as in judgements."""

    name = "confidence"
    description = "How sure the person is of the answer."
    label = N_("How sure are you?")
    options = (
        ("0", N_("I guessed")),
        ("0.25", N_("Not very sure")),
        ("0.5", N_("Somewhat sure")),
        ("0.75", N_("Fairly sure")),
        ("1", N_("Certain")),
    )
    dtype = float
    meaning = "how sure the person was, from 0 (guessed) to 1 (certain); empty: not answered"

    def summarise(self, answers: Sequence[Answer]) -> dict[str, Estimate]:
        """The mean over the answers that say it."""
        with_confidence = [answer for answer in answers if answer.further.get(self.name) is not None]
        return {
            self.name: mean_over_answers(with_confidence, [answer.further[self.name] for answer in with_confidence])
        }


PLUGINS = {"confidence": Confidence()}
