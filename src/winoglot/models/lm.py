"""Language models that `winoglot train` made: `lm:DIR`.

A reading is scored as the corpus would have it: word tokens of the language, an `<eos>` before the first and between
two sentences, the state of the model fresh. A word that the model does not know is `<unk>` to it, and `<unk>` is a
common word: where the readings differ in such a word, the solver abstains.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from winoglot.models._token_scores import SCORINGS, TokenScores, scores_of
from winoglot.models._trained import TextOptions, check_folder, check_word, load_folder
from winoglot.models._transformers import fingerprint
from winoglot.models._words import WordEncoder, WordText, differing
from winoglot.models.base import Options, Question, Scores, Solver, TokenCount, read_options

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


_BATCH_TOKENS = 4096
_UNKNOWN = ("abstain", "score")


@dataclass(frozen=True)
class LmOptions(TextOptions):
    """What may be chosen about scoring."""

    unknown: str = "abstain"  # where the readings differ in a word that is not in the vocabulary; or score

    def __post_init__(self) -> None:
        """Refuse words that nobody knows."""
        super().__post_init__()
        check_word("unknown", self.unknown, _UNKNOWN)


def check(location: str, options: Options) -> tuple[str, ...]:
    """Before anything is loaded."""
    read_options(options.more, LmOptions)
    check_folder(location, options, "lm")
    return LmSolver.scorings


def load(location: str, options: Options) -> Solver:
    """The model in a folder."""
    (chosen,) = read_options(options.more, LmOptions)
    return LmSolver(location, options, chosen)


class LmSolver(Solver):
    """Scores a reading by the log probability of its words."""

    scorings: tuple[str, ...] = SCORINGS

    def __init__(self, location: str, options: Options, chosen: LmOptions) -> None:
        """Load the model."""
        self.name = f"lm:{location}"
        self.trained = load_folder(location, options, "lm")
        self.encoder = WordEncoder(self.trained.vocabulary, self.trained.language)
        self.fingerprint = fingerprint(Path(location))
        self.batch_tokens = options.batch_tokens or _BATCH_TOKENS
        self.chosen = chosen
        self.settings: Mapping[str, object] = chosen.settings()

    def count_tokens(self, texts: Sequence[str]) -> list[TokenCount]:
        """The words of each text; what is unknown is told by item where it matters, and never refused as a whole."""
        return [self.encoder.count(text) for text in texts]

    def score(self, questions: Sequence[Question], scorings: Sequence[str]) -> list[dict[str, Scores]]:
        """All scorings from one pass."""
        texts = {
            reading.text: self._encoded(question, reading.text)
            for question in questions
            for reading in question.readings
        }
        refused = [self._refusal([texts[reading.text] for reading in question.readings]) for question in questions]
        wanted = {
            reading.text
            for question, why in zip(questions, refused, strict=True)
            if not why
            for reading in question.readings
        }
        found = self.token_scores([text for text in texts.values() if text.text in wanted])
        result = []
        for question, why in zip(questions, refused, strict=True):
            if why:
                result.append(dict.fromkeys(scorings, Scores.undefined(question, why)))
            else:
                tokens = [found[reading.text] for reading in question.readings]
                result.append({scoring: scores_of(question, tokens, scoring) for scoring in scorings})
        return result

    def _encoded(self, question: Question, text: str) -> WordText:
        self.encoder.check_language(question.language, self.name)
        return self.encoder.encode(text)

    def _refusal(self, texts: Sequence[WordText]) -> str:
        """Why these readings are not to be scored; empty where they are."""
        if self.chosen.refuses(texts):
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

    def token_scores(self, texts: Sequence[WordText]) -> dict[str, TokenScores]:
        """The log probability of every word of each text, `<eos>` between sentences among them."""
        import torch

        module, eos = self.trained.module, self.encoder.vocabulary.eos
        device = module.bias.device
        # Texts of the same ids are one to the model: scored apart, they would differ by rounding and hide a tie.
        alike: dict[bytes, list[WordText]] = {}
        for text in texts:
            alike.setdefault(text.ids.tobytes(), []).append(text)
        firsts = [group[0] for group in alike.values()]
        found: dict[str, TokenScores] = {}
        for numbers in filled([len(text.ids) for text in firsts], self.batch_tokens):
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


def filled(lengths: Sequence[int], most: int) -> list[list[int]]:
    """The numbers of texts in batches of about one length; filled up behind the shorter ones, at most so many words.

    What stands behind a word does not matter to its probability.

    >>> filled([3, 9, 2, 3], most=9)
    [[2, 0, 3], [1]]
    """
    made: list[list[int]] = []
    for number in sorted(range(len(lengths)), key=lengths.__getitem__):
        if not made or (len(made[-1]) + 1) * lengths[number] > most:
            made.append([])
        made[-1].append(number)
    return made
