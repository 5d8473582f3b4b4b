"""Models trained with `winoglot train context2vec`: `context2vec:DIR`.

A candidate's score is how close its word is to the vector of all other words of the sentence: their cosine, or the
logarithm of the sigmoid of their product. The solver abstains if that word is not in the vocabulary or not in the
reading, and if two candidates have the same word.

The word that represents a candidate is chosen as Seminck, Segonne and Amsili (2019) did for French: the head of the
candidate, with three exceptions. Below a word of a closed class, the head of what it governs (*du jardinier*:
*jardinier*); if heads are the same, a word that the other candidates lack (*la lampe verte*, *la lampe rouge*: *verte*,
*rouge*); if several words may be the head, as in a name, the first (*Mme Delorme*: *Mme*). The head is found by word
order, as in `winoglot.corpus.terms`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from winoglot.corpus.terms import head
from winoglot.languages.frequencies import content_words, word_key
from winoglot.models.base import Question, Scores
from winoglot.models.scoring.framing import batches
from winoglot.models.scoring.words import TrainedSolver, WordText, differing

if TYPE_CHECKING:
    from collections.abc import Sequence

_COSINE, _LOG_SIGMOID = "cosine", "log-sigmoid"


@dataclass(frozen=True)
class _Target:
    """A word to be scored: the ids of its sentence, and its place there."""

    sentence: tuple[int, ...]
    at: int


class Context2vecSolver(TrainedSolver):
    """Scores a candidate by its word and the words around it."""

    family = "context2vec"
    scorings = (_COSINE, _LOG_SIGMOID)

    def score(self, questions: Sequence[Question], scorings: Sequence[str]) -> list[dict[str, Scores]]:
        """Score the questions by all scorings in one pass."""
        targets_by_question = [self._targets(question) for question in questions]
        targets = list(
            dict.fromkeys(
                target
                for question_targets in targets_by_question
                if not isinstance(question_targets, str)
                for target in question_targets
            )
        )
        similarities = dict(zip(targets, self._similarities(targets), strict=True))
        result = []
        for question, question_targets in zip(questions, targets_by_question, strict=True):
            if isinstance(question_targets, str):
                result.append(dict.fromkeys(scorings, Scores.undefined(question, question_targets)))
            else:
                result.append(
                    {
                        scoring: Scores(tuple(similarities[target][scoring] for target in question_targets))
                        for scoring in scorings
                    }
                )
        return result

    def _targets(self, question: Question) -> list[_Target] | str:
        """What is scored for each candidate, or why nothing is."""
        self.encoder.check_language(question.language, self.name)
        texts = [self.encoder.encode(reading.text) for reading in question.readings]
        if self.chosen.rejects(texts):
            return "several sentences"
        words = target_words(_phrases(question, texts), question.language)
        if not all(words):
            return "a candidate has no word of its own"
        targets = []
        unknown = []
        for reading, text, word in zip(question.readings, texts, words, strict=True):
            start = len(reading.before)
            place = place_of(word, text, start, start + len(reading.inserted))
            if place is None:
                return f"{word} is not in the reading"
            if text.ids[place] == self.encoder.vocabulary.unk:
                unknown.append(text.word(place))
            targets.append(_in_its_sentence(text, place))
        return f"unknown: {', '.join(unknown)}" if unknown else targets

    def _similarities(self, targets: Sequence[_Target]) -> list[dict[str, float]]:
        import torch
        from torch.nn import functional

        from winoglot.training.sentences import SentenceBatch

        module = self.trained.module
        device = module.words.weight.device
        result: list[dict[str, float]] = [{}] * len(targets)
        for numbers in batches([len(target.sentence) for target in targets], self.batch_words):
            batch = [targets[number] for number in numbers]
            tokens = torch.tensor([target.sentence for target in batch], device=device)
            places = torch.tensor([target.at for target in batch], device=device)
            rows = torch.arange(len(batch), device=device)
            with torch.inference_mode():
                contexts = module.contexts(SentenceBatch(tokens, torch.full_like(places, tokens.shape[1])))[
                    rows, places
                ]
                contexts, words = contexts.cpu().double(), module.words(tokens[rows, places]).cpu().double()
                cosines = functional.cosine_similarity(contexts, words).tolist()
                logs = functional.logsigmoid((contexts * words).sum(-1)).tolist()
            for number, cosine, log in zip(numbers, cosines, logs, strict=True):
                result[number] = {_COSINE: cosine, _LOG_SIGMOID: log}
        return result


def _phrases(question: Question, texts: Sequence[WordText]) -> list[str]:
    """The candidates; if the item does not name them, what differs between its readings."""
    if question.item.candidates:
        return [question.item.candidates[reading.candidate].text for reading in question.readings]
    return [" ".join(map(text.word, places)) for text, places in zip(texts, differing(texts), strict=True)]


def _in_its_sentence(text: WordText, place: int) -> _Target:
    same_sentence = np.flatnonzero((text.sentences == text.sentences[place]) & (text.ends > text.starts))
    return _Target(tuple(text.ids[same_sentence].tolist()), int(np.searchsorted(same_sentence, place)))


def target_words(phrases: Sequence[str], language: str) -> list[str]:
    """The word that represents each phrase; empty if it has none of its own.

    >>> target_words(["the tall oak tree", "the rusty iron gate"], "en")
    ['tree', 'gate']
    >>> target_words(["du jardin clos", "Mme Roux"], "fr"), target_words(["the old car", "the new car"], "en")
    (['jardin', 'Mme'], ['old', 'new'])
    """
    heads = [_head(phrase, language) for phrase in phrases]
    keys = [word_key(word) for word in heads]
    if len(set(keys)) == len(keys):
        return heads
    distinctive = []
    for number, phrase in enumerate(phrases):
        other_keys = {
            word_key(word)
            for other in (*phrases[:number], *phrases[number + 1 :])
            for word in content_words(other, language)
        }
        distinctive.append(
            next((word for word in content_words(phrase, language) if word_key(word) not in other_keys), "")
        )
    return distinctive


def _head(phrase: str, language: str) -> str:
    words = content_words(phrase, language)
    if len(words) > 1 and all(word[0].isupper() for word in words):
        return words[0]
    heads = [word for word in head(phrase, language) if word in words]  # a lone l' may be taken for a word
    return next(iter(heads or words), "")


def place_of(word: str, text: WordText, start: int, end: int) -> int | None:
    """The place of a word in the text between two characters; the last if it occurs twice."""
    places = [
        place
        for place in range(len(text.ids))
        if text.starts[place] >= start and text.ends[place] <= end and word_key(text.word(place)) == word_key(word)
    ]
    return places[-1] if places else None


check = Context2vecSolver.check
load = Context2vecSolver
