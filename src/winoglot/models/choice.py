"""Models fine-tuned to choose one of several options: `choice:FOLDER_OR_HUB_ID`.

A model must be asked in the way it was fine-tuned, so the way is the scoring. Every option is a pair of texts:

- `ending`: the text up to the candidate; the candidate and the rest. So WinoGrande's own code presents its items, to
  which most published models of this kind were fitted.
- `context`: the text up to and with the candidate; the rest. So WinoGrande's models are described in print.
- `pronoun`: the whole text with its pronoun or blank; the candidate as it is cited.

The score is the log probability of the candidate among the item's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from winoglot.models._framing import Framer
from winoglot.models._transformers import check_pretrained, load_pretrained
from winoglot.models._unknown import count_known
from winoglot.models.base import Options, Question, Scores, Solver, TokenCount, read_options

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def check(location: str, options: Options) -> tuple[str, ...]:
    """Before anything is loaded."""
    read_options(options.more)  # it has none of its own
    check_pretrained(location, options)
    return ChoiceSolver.scorings


def load(location: str, options: Options) -> Solver:
    """The model in a folder, or of that name on the hub."""
    check(location, options)
    model, tokenizer, mark = load_pretrained("AutoModelForMultipleChoice", location, options, "a multiple-choice head")
    return ChoiceSolver(f"choice:{location}", model, tokenizer, mark, options)


def option_pairs(question: Question, scoring: str) -> list[tuple[str, str]]:
    """The pair of texts that presents each candidate; none where the item has no text that `pronoun` could show."""
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


class ChoiceSolver(Solver):
    """Scores a candidate by how its option fares among the item's."""

    scorings: tuple[str, ...] = ("ending", "context", "pronoun")

    def __init__(self, name: str, model: Any, tokenizer: Any, mark: str, options: Options) -> None:
        """Wrap a loaded model."""
        from winoglot.models._pairs import PairModel

        self.name = name
        self.fingerprint = mark
        framer = Framer(tokenizer, model, name)
        self.model = PairModel(model, framer, batch_tokens=options.batch_tokens, choices=True)
        self.settings: Mapping[str, object] = {"precision": options.precision, "frame": framer.frame}

    def count_tokens(self, texts: Sequence[str]) -> list[TokenCount]:
        """Of each text of a run; too many unknown ones are an input error."""
        return count_known(self.model.framer.tokenizer, texts, self.name)

    def score(self, questions: Sequence[Question], scorings: Sequence[str]) -> list[dict[str, Scores]]:
        """Each way of asking has pairs of its own."""
        pairs = [{scoring: option_pairs(question, scoring) for scoring in scorings} for question in questions]
        found = self.model.outputs(pair for ways in pairs for own in ways.values() for pair in own)
        return [
            {scoring: _scores(len(question.readings), own, found) for scoring, own in ways.items()}
            for question, ways in zip(questions, pairs, strict=True)
        ]


def _scores(count: int, pairs: Sequence[tuple[str, str]], found: Mapping[tuple[str, str], Any]) -> Scores:
    import torch

    undefined = (None,) * count
    if not pairs:
        return Scores(undefined, note="the item has no text with a pronoun")
    outputs = [found[pair] for pair in pairs]
    faults = [output for output in outputs if isinstance(output, str)]
    if faults:
        return Scores(undefined, note=faults[0])
    return Scores(tuple(torch.cat(outputs).log_softmax(dim=0).tolist()))
