"""Models fine-tuned to choose one of several options: `choice:FOLDER_OR_HUB_ID`.

A model must be asked in the way it was fine-tuned, so the way is the scoring. Every option is a pair of texts:

- `ending`: the text up to the candidate; the candidate and the rest. This is how WinoGrande's own code presents its
  items, to which most published models of this kind were fine-tuned.
- `context`: the text up to and including the candidate; the rest. This is how WinoGrande's paper describes its models.
- `pronoun`: the whole text with its pronoun or gap; the candidate's citation form.

The score is the log probability of the candidate among those of the item.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.models.base import Finetuning
from winoglot.models.scoring.framing import PairSolver

if TYPE_CHECKING:
    import torch

    from winoglot.models.base import Question

# Sakaguchi and others (2020)
FINETUNING = Finetuning(
    "choice",
    "winoglot.finetune.losses:ChoiceObjective",
    {"language": 0.0, "rate": 1e-5, "batch": 16, "epochs": 8, "patience": 3},
    bodies=("masked",),
)


class ChoiceSolver(PairSolver):
    """Scores a candidate by the probability of its option among the item's options."""

    family = "choice"
    kind = "AutoModelForMultipleChoice"
    head = "a multiple-choice head"
    scorings = ("ending", "context", "pronoun")
    choices = True

    @staticmethod
    def pairs(question: Question, scoring: str) -> list[tuple[str, str]] | str:
        """The option of each candidate, presented in one of the three ways."""
        if scoring == "pronoun":
            item = question.item
            if item.text is None:
                return "the item has no text with a pronoun"
            return [(item.text, item.candidates[reading.candidate].text) for reading in question.readings]
        if scoring == "context":
            cut = [(reading.before + reading.inserted, reading.after) for reading in question.readings]
        else:
            cut = [(reading.before, reading.inserted + reading.after) for reading in question.readings]
        return [(first.strip(), second.strip()) for first, second in cut]

    @staticmethod
    def values(outputs: list[torch.Tensor]) -> list[float]:
        """The log probability of each option."""
        import torch

        logs: list[float] = torch.cat(outputs).log_softmax(dim=0).tolist()
        return logs


check = ChoiceSolver.check
load = ChoiceSolver
