"""Models trained to predict whether one sentence follows another (BERT): `next-sentence:FOLDER_OR_HUB_ID`.

The text up to the candidate is the first sentence, the candidate and the rest the second; the score is the log
probability that the second follows the first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from winoglot.models.base import Options, Question, Scores, Solver, read_options
from winoglot.models.scoring.framing import Framer, PairModel
from winoglot.models.scoring.pretrained import PretrainedSolver, check_pretrained, load_pretrained

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from winoglot.schemas.model import Reading

_IS_NEXT = 0  # the first of the head's two numbers


def check(location: str, options: Options) -> tuple[str, ...]:
    """Reject a wrong location or option before anything is loaded."""
    read_options(options.more)  # it has none of its own
    check_pretrained(location, options)
    return NextSentenceSolver.scorings


def load(location: str, options: Options) -> Solver:
    """The model in a folder, or of that name on the hub."""
    read_options(options.more)
    kind, head = "AutoModelForNextSentencePrediction", "a next-sentence head"
    model, tokenizer, mark = load_pretrained(kind, location, options, head)
    return NextSentenceSolver(f"next-sentence:{location}", model, tokenizer, mark, options)


def sentences(reading: Reading) -> tuple[str, str]:
    """The two sentences that a reading is cut into.

    >>> from winoglot import Reading
    >>> sentences(Reading("lamp.0", 1, "It fell because ", "the vase", " shook.", "naive", "replace"))
    ('It fell because', 'the vase shook.')
    """
    return reading.before.strip(), (reading.inserted + reading.after).strip()


class NextSentenceSolver(PretrainedSolver):
    """Scores a reading by whether its second part follows its first."""

    scorings = ("next-sentence",)

    def __init__(self, name: str, model: Any, tokenizer: Any, mark: str, options: Options) -> None:
        """Wrap a loaded model."""
        super().__init__(name, tokenizer, mark)
        framer = Framer(tokenizer, model, name)
        self.model = PairModel(model, framer, batch_tokens=options.batch_tokens)
        self.settings = {"precision": options.precision, "frame": framer.frame}

    def score(self, questions: Sequence[Question], scorings: Sequence[str]) -> list[dict[str, Scores]]:
        """There is only one scoring."""
        pairs = [[sentences(reading) for reading in question.readings] for question in questions]
        found = self.model.outputs(pair for own in pairs for pair in own if all(pair))
        return [
            dict.fromkeys(scorings, _scores(question, own, found))
            for question, own in zip(questions, pairs, strict=True)
        ]


def _scores(question: Question, pairs: Sequence[tuple[str, str]], found: Mapping[tuple[str, str], Any]) -> Scores:
    if not all(first for first, _ in pairs):
        return Scores.undefined(question, "nothing stands before the candidate")
    outputs = [found[pair] for pair in pairs]
    faults = [output for output in outputs if isinstance(output, str)]
    if faults:
        return Scores.undefined(question, faults[0])
    return Scores(tuple(float(output.log_softmax(dim=0)[_IS_NEXT]) for output in outputs))
