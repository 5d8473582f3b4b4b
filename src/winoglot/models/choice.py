"""Models fine-tuned to choose one of several options: `choice:FOLDER_OR_HUB_ID`.

A model must be asked in the way it was fine-tuned, so the way is the scoring. Every option is a pair of texts:

- `ending`: the text up to the candidate; the candidate and the rest. This is how WinoGrande's own code presents its
  items, to which most published models of this kind were fine-tuned.
- `context`: the text up to and including the candidate; the rest. This is how WinoGrande's paper describes its models.
- `pronoun`: the whole text with its pronoun or gap; the candidate's citation form.

The score is the log probability of the candidate among those of the item.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from winoglot.models.base import Options, Question, Scores, Solver, read_options
from winoglot.models.scoring.framing import Framer, PairModel
from winoglot.models.scoring.pretrained import PretrainedSolver, check_pretrained, load_pretrained

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def check(location: str, options: Options) -> tuple[str, ...]:
    """Reject a wrong location or option before anything is loaded."""
    read_options(options.more)  # it has none of its own
    check_pretrained(location, options)
    return ChoiceSolver.scorings


def load(location: str, options: Options) -> Solver:
    """The model in a folder, or of that name on the hub."""
    read_options(options.more)
    model, tokenizer, mark = load_pretrained("AutoModelForMultipleChoice", location, options, "a multiple-choice head")
    return ChoiceSolver(f"choice:{location}", model, tokenizer, mark, options)


def option_pairs(question: Question, scoring: str) -> list[tuple[str, str]]:
    """The pair of texts that presents each candidate; empty if the item has no text that `pronoun` could show."""
    if scoring == "pronoun":
        item = question.item
        if item.text is None:
            return []
        return [(item.text, item.candidates[reading.candidate].text) for reading in question.readings]
    if scoring == "context":
        cut = [(reading.before + reading.inserted, reading.after) for reading in question.readings]
    else:
        cut = [(reading.before, reading.inserted + reading.after) for reading in question.readings]
    return [(first.strip(), second.strip()) for first, second in cut]


class ChoiceSolver(PretrainedSolver):
    """Scores a candidate by the probability of its option among the item's options."""

    scorings = ("ending", "context", "pronoun")

    def __init__(self, name: str, model: Any, tokenizer: Any, mark: str, options: Options) -> None:
        """Wrap a loaded model."""
        super().__init__(name, tokenizer, mark)
        framer = Framer(tokenizer, model, name)
        self.model = PairModel(model, framer, batch_tokens=options.batch_tokens, choices=True)
        self.settings = {"precision": options.precision, "frame": framer.frame}

    def score(self, questions: Sequence[Question], scorings: Sequence[str]) -> list[dict[str, Scores]]:
        """Each scoring has its own pairs."""
        pairs = [{scoring: option_pairs(question, scoring) for scoring in scorings} for question in questions]
        found = self.model.outputs(pair for ways in pairs for own in ways.values() for pair in own)
        return [
            {scoring: _scores(question, own, found) for scoring, own in ways.items()}
            for question, ways in zip(questions, pairs, strict=True)
        ]


def _scores(question: Question, pairs: Sequence[tuple[str, str]], found: Mapping[tuple[str, str], Any]) -> Scores:
    import torch

    if not pairs:
        return Scores.undefined(question, "the item has no text with a pronoun")
    outputs = [found[pair] for pair in pairs]
    faults = [output for output in outputs if isinstance(output, str)]
    if faults:
        return Scores.undefined(question, faults[0])
    return Scores(tuple(torch.cat(outputs).log_softmax(dim=0).tolist()))
