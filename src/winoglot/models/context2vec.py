"""Models that `winoglot train context2vec` made: `context2vec:DIR`.

A candidate's score is how near its word is to the vector of all other words of the sentence: their cosine, or the
logarithm of the sigmoid of their product. Its word is the head, with a few exceptions. Where that is not in the
vocabulary or not in the reading, and where two candidates have the same, the solver abstains.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from winoglot.models._rows import batches
from winoglot.models._target import place_of, target_words
from winoglot.models._trained import TextOptions, check_folder, load_folder
from winoglot.models._transformers import fingerprint
from winoglot.models._words import WordEncoder, differing
from winoglot.models.base import Options, Question, Scores, Solver, TokenCount, read_options

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from winoglot.models._words import WordText

_COSINE, _LOG_SIGMOID = "cosine", "log-sigmoid"
_BATCH_WORDS = 4096


def check(location: str, options: Options) -> tuple[str, ...]:
    """Before anything is loaded."""
    read_options(options.more, TextOptions)
    check_folder(location, options, "context2vec")
    return Context2vecSolver.scorings


def load(location: str, options: Options) -> Solver:
    """The model in a folder."""
    (chosen,) = read_options(options.more, TextOptions)
    return Context2vecSolver(location, options, chosen)


@dataclass(frozen=True)
class _Place:
    """A word of a sentence to be scored: the sentence's ids, and where in it the word is."""

    sentence: tuple[int, ...]
    at: int


class Context2vecSolver(Solver):
    """Scores a candidate by its word and the words around it."""

    scorings: tuple[str, ...] = (_COSINE, _LOG_SIGMOID)

    def __init__(self, location: str, options: Options, chosen: TextOptions) -> None:
        """Load the model."""
        self.name = f"context2vec:{location}"
        self.trained = load_folder(location, options, "context2vec")
        self.encoder = WordEncoder(self.trained.vocabulary, self.trained.language)
        self.fingerprint = fingerprint(Path(location))
        self.batch_words = options.batch_tokens or _BATCH_WORDS
        self.chosen = chosen
        self.settings: Mapping[str, object] = chosen.settings()

    def count_tokens(self, texts: Sequence[str]) -> list[TokenCount]:
        """The words of each text; what is unknown is told by item where it matters, and never refused as a whole."""
        return [self.encoder.count(text) for text in texts]

    def score(self, questions: Sequence[Question], scorings: Sequence[str]) -> list[dict[str, Scores]]:
        """All scorings from one pass."""
        asked = [self._places(question) for question in questions]
        places = list(dict.fromkeys(place for one in asked if not isinstance(one, str) for place in one))
        found = dict(zip(places, self._similarities(places), strict=True))
        result = []
        for question, one in zip(questions, asked, strict=True):
            if isinstance(one, str):
                result.append(dict.fromkeys(scorings, Scores.undefined(question, one)))
            else:
                result.append({scoring: Scores(tuple(found[place][scoring] for place in one)) for scoring in scorings})
        return result

    def _places(self, question: Question) -> list[_Place] | str:
        """What is to be scored, a candidate each; or why nothing is."""
        self.encoder.check_language(question.language, self.name)
        texts = [self.encoder.encode(reading.text) for reading in question.readings]
        if self.chosen.refuses(texts):
            return "several sentences"
        phrases = _phrases(question, texts)
        targets = target_words(phrases, question.language)
        if not all(targets):
            return "a candidate has no word of its own"
        places = []
        unknown = []
        for reading, text, target in zip(question.readings, texts, targets, strict=True):
            start = len(reading.before)
            place = place_of(target, text, start, start + len(reading.inserted))
            if place is None:
                return f"{target} is not in the reading"
            if text.ids[place] == self.encoder.vocabulary.unk:
                unknown.append(text.word(place))
            places.append(_in_its_sentence(text, place))
        return f"unknown: {', '.join(unknown)}" if unknown else places

    def _similarities(self, places: Sequence[_Place]) -> list[dict[str, float]]:
        import torch
        from torch.nn import functional

        from winoglot.training.context2vec import SentenceBatch

        module = self.trained.module
        device = module.words.weight.device
        result: list[dict[str, float]] = [{}] * len(places)
        for numbers in batches([len(place.sentence) for place in places], self.batch_words):
            some = [places[number] for number in numbers]
            tokens = torch.tensor([place.sentence for place in some], device=device)
            at = torch.tensor([place.at for place in some], device=device)
            rows = torch.arange(len(some), device=device)
            with torch.inference_mode():
                made = module.contexts(SentenceBatch(tokens, torch.full_like(at, tokens.shape[1])))[rows, at]
                made, words = made.cpu().double(), module.words(tokens[rows, at]).cpu().double()
                cosines = functional.cosine_similarity(made, words).tolist()
                logs = functional.logsigmoid((made * words).sum(-1)).tolist()
            for number, cosine, log in zip(numbers, cosines, logs, strict=True):
                result[number] = {_COSINE: cosine, _LOG_SIGMOID: log}
        return result


def _phrases(question: Question, texts: Sequence[WordText]) -> list[str]:
    """The candidates; of an item that does not name them, what differs between its readings."""
    if question.item.candidates:
        return [question.item.candidates[reading.candidate].text for reading in question.readings]
    return [" ".join(map(text.word, places)) for text, places in zip(texts, differing(texts), strict=True)]


def _in_its_sentence(text: WordText, place: int) -> _Place:
    mine = np.flatnonzero((text.sentences == text.sentences[place]) & (text.ends > text.starts))
    return _Place(tuple(text.ids[mine].tolist()), int(np.searchsorted(mine, place)))
