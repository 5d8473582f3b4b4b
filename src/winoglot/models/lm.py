"""Language models trained with `winoglot train`: `lm:DIR`.

A reading is scored as it would appear in the corpus: word tokens of the language, with an `<eos>` before the first and
between two sentences, from a fresh state of the model. A word that the model does not know is `<unk>` to it, and
`<unk>` is a frequent word: if the readings differ in such a word, the solver abstains.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from winoglot.models.base import Question, Scores
from winoglot.models.scoring.tokens import SCORINGS, Continuation, TokenScores, continued, scores_of
from winoglot.models.scoring.words import TextOptions, TrainedSolver, WordText, differing

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class LmOptions(TextOptions):
    """Options of this family."""

    unknown: Literal["abstain", "score"] = "abstain"  # if the readings differ in a word that is not in the vocabulary


class LmSolver(TrainedSolver):
    """Scores a reading by the log probability of its words."""

    family = "lm"
    own_options = LmOptions
    chosen: LmOptions
    scorings = SCORINGS

    def score(self, questions: Sequence[Question], scorings: Sequence[str]) -> list[dict[str, Scores]]:
        """All scorings from one pass."""
        for question in questions:
            self.encoder.check_language(question.language, self.name)
        written = dict.fromkeys(reading.text for question in questions for reading in question.readings)
        texts = {text: self.encoder.encode(text) for text in written}
        faults = [self._fault([texts[reading.text] for reading in question.readings]) for question in questions]
        wanted = {
            reading.text
            for question, fault in zip(questions, faults, strict=True)
            if not fault
            for reading in question.readings
        }
        found = self._scored([text for text in texts.values() if text.text in wanted])
        result = []
        for question, fault in zip(questions, faults, strict=True):
            if fault:
                result.append(dict.fromkeys(scorings, Scores.undefined(question, fault)))
            else:
                tokens = [found[reading.text] for reading in question.readings]
                result.append({scoring: scores_of(question, tokens, scoring) for scoring in scorings})
        return result

    def _fault(self, texts: Sequence[WordText]) -> str:
        """Why these readings are not scored; empty if they are."""
        if self.chosen.rejects(texts):
            return "several sentences"
        if self.chosen.unknown == "score":
            return ""
        unknown = self.encoder.vocabulary.unk
        words = [
            text.word(place)
            for text, places in zip(texts, differing(texts), strict=True)
            for place in places
            if text.ids[place] == unknown
        ]
        return f"unknown: {', '.join(dict.fromkeys(words))}" if words else ""

    def token_scores(self, texts: Sequence[str]) -> list[TokenScores]:
        """The log probability of every word of each text, including `<eos>` between sentences."""
        found = self._scored([self.encoder.encode(text) for text in dict.fromkeys(texts)])
        return [found[text] for text in texts]

    def continuations(self, texts: Sequence[str]) -> list[Continuation]:
        """The likeliest words after the first half of each text; `<unk>` is never written."""
        return continued([self.encoder.encode(text).ids.tolist() for text in texts], self._written, self.batch_words)

    def _written(self, prompts: list[tuple[int, ...]], room: int) -> list[list[int]]:
        import torch

        module, vocabulary = self.trained.module, self.encoder.vocabulary
        tokens = torch.tensor([[vocabulary.eos, *prompt] for prompt in prompts], device=module.bias.device).T
        state: tuple[torch.Tensor, ...] = ()
        rows = []
        for _ in range(room):
            logits, state = module.next_logits(tokens, state)
            logits[:, vocabulary.unk] = -torch.inf
            tokens = logits.argmax(dim=1)[None]
            rows.append(tokens[0])
        written: list[list[int]] = torch.stack(rows, dim=1).tolist()
        return written

    def _scored(self, texts: Sequence[WordText]) -> dict[str, TokenScores]:
        """By text, the log probability of every word."""
        import torch

        module, eos = self.trained.module, self.encoder.vocabulary.eos
        device = module.bias.device
        # Texts with the same ids are the same to the model: scored separately, rounding would hide a tie.
        alike: dict[bytes, list[WordText]] = {}
        for text in texts:
            alike.setdefault(text.ids.tobytes(), []).append(text)
        firsts = [group[0] for group in alike.values()]
        found: dict[str, TokenScores] = {}
        for numbers in padded_batches([len(text.ids) for text in firsts], self.batch_words):
            some = [firsts[number] for number in numbers]
            columns = np.full((1 + len(some[-1].ids), len(some)), eos, dtype=np.int64)
            for column, text in enumerate(some):
                columns[1 : 1 + len(text.ids), column] = text.ids
            tokens = torch.from_numpy(columns).to(device)
            values, _ = module.log_probabilities(tokens[:-1], tokens[1:])
            for first, column in zip(some, values.cpu().double().numpy().T, strict=True):
                for text in alike[first.ids.tobytes()]:
                    found[text.text] = TokenScores(text.starts, text.ends, column[: len(text.ids)])
        return found


def padded_batches(lengths: Sequence[int], most: int) -> list[list[int]]:
    """The numbers of texts in batches of similar length; padded at the end, each has at most `most` words.

    What comes after a word makes no difference to its probability.

    >>> padded_batches([3, 9, 2, 3], most=9)
    [[2, 0, 3], [1]]
    """
    made: list[list[int]] = []
    for number in sorted(range(len(lengths)), key=lengths.__getitem__):
        if not made or (len(made[-1]) + 1) * lengths[number] > most:
            made.append([])
        made[-1].append(number)
    return made


check = LmSolver.check
load = LmSolver
