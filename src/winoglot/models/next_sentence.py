"""Models trained to predict whether one sentence follows another (BERT): `next-sentence:FOLDER_OR_HUB_ID`.

The text up to the candidate is the first sentence, the candidate and the rest the second; the score is the log
probability that the second follows the first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.models.scoring.framing import PairSolver

if TYPE_CHECKING:
    import torch

    from winoglot.models.base import Question

_IS_NEXT = 0  # the first of the head's two numbers


class NextSentenceSolver(PairSolver):
    """Scores a reading by whether its second part follows its first."""

    family = "next-sentence"
    kind = "AutoModelForNextSentencePrediction"
    head = "a next-sentence head"
    scorings = ("next-sentence",)

    @staticmethod
    def pairs(question: Question, scoring: str) -> list[tuple[str, str]] | str:
        """Each reading, cut before the candidate."""
        del scoring  # there is only one
        cut = [(reading.before.strip(), (reading.inserted + reading.after).strip()) for reading in question.readings]
        return cut if all(first for first, _ in cut) else "nothing stands before the candidate"

    @staticmethod
    def values(outputs: list[torch.Tensor]) -> list[float]:
        """The log probability that the second text follows."""
        return [float(output.log_softmax(dim=0)[_IS_NEXT]) for output in outputs]


check = NextSentenceSolver.check
load = NextSentenceSolver
