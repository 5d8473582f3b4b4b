"""Masked language models of `transformers`: `masked:FOLDER_OR_HUB_ID`.

- `candidate`: the candidate's tokens are hidden all at once; the score is their mean log probability. All readings of
  an item show the model the same rest.
- `candidate-mean`: the same with the logarithm of their mean probability, which one improbable token changes less.
- `pll`: the sum over all tokens of their log probability with only that token hidden (pseudo-log-likelihood, Salazar
  and others 2020).
- `pll-word`: the same with the later tokens of the token's word hidden too, so that a rare word of many pieces is not
  given away by its end (Kauf and Ivanova 2023). Words are those of the language, even if it does not write spaces.

A masked segment shows the model its own mask.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from winoglot.errors import InputError
from winoglot.models.base import Finetuning, Question, Scores, lazy
from winoglot.models.scoring.framing import CPU_TOKENS, GPU_TOKENS, FramedText, Framer, with_mask
from winoglot.models.scoring.masking import Cloze, Mask, MaskedModel, candidate_clozes, token_clozes, word_clozes
from winoglot.models.scoring.pretrained import PretrainedSolver, batch_tokens_of, memory_cost
from winoglot.models.scoring.probes import NO_PRONOUN, Probe, masked_text

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    from winoglot.models.scoring.probes import ProbeResult
    from winoglot.schemas.model import Item

# Kocijan and others (2019): −log p(right) + α · max(0, log p(wrong) − log p(right) + β)
FINETUNING = Finetuning(
    "masked",
    "winoglot.finetune.losses:MaskedObjective",
    {"contrast": 10.0, "margin": 0.2, "language": 1.0, "rate": 1e-5},
)


class MaskedSolver(PretrainedSolver):
    """Scores a reading by how well a model that reads in both directions predicts what is hidden in it."""

    family = "masked"
    kind = "AutoModelForMaskedLM"
    head = "a masked-token head"
    scorings = ("candidate", "candidate-mean", "pll", "pll-word")
    gives_probes = True

    @lazy
    def framer(self) -> Framer:
        """The tokenizer, with the special tokens that the model expects."""
        tokenizer = self.pretrained.tokenizer
        if tokenizer.mask_token_id is None:
            raise InputError(
                f"the tokenizer of {self.name} has no mask token to hide a word with",
                remedy="Name a masked language model, or give its tokenizer a mask_token.",
            )
        return Framer(tokenizer, self.pretrained.model, self.name)

    @lazy
    def model(self) -> MaskedModel:
        """The model, which fills gaps."""
        model, mask = self.pretrained.model, self.framer.tokenizer.mask_token_id
        cost = memory_cost(model, columns=model.config.vocab_size)
        batch_tokens = batch_tokens_of(self.options.batch_tokens, model, cost, cpu=CPU_TOKENS, gpu=GPU_TOKENS)
        return MaskedModel(model, mask=mask, batch_tokens=batch_tokens)

    def prepare(self) -> None:
        """Load the model."""
        _ = self.model

    def framing(self) -> dict[str, str]:
        """The special tokens around a text."""
        return {"frame": self.framer.frame}

    def score(self, questions: Sequence[Question], scorings: Sequence[str]) -> list[dict[str, Scores]]:
        """Score by all scorings at once: a gap that two of them share is filled once."""
        return self._answers(questions, scorings, [])[0]

    def score_and_probe(
        self, questions: Sequence[Question], scorings: Sequence[str], probed: Container[str]
    ) -> tuple[list[dict[str, Scores]], dict[str, Probe]]:
        """The scores, with the distribution and the pooled states if one mask replaces the whole pronoun."""
        masks = self._masks([question.item for question in questions if question.item.id in probed])
        scores, results = self._answers(
            questions, scorings, [mask for mask in masks.values() if isinstance(mask, Mask)]
        )
        return scores, {
            item: Probe(note=mask, sees_after=True) if isinstance(mask, str) else _probe(results[mask])
            for item, mask in masks.items()
        }

    def _answers(
        self, questions: Sequence[Question], scorings: Sequence[str], masks: Sequence[Mask]
    ) -> tuple[list[dict[str, Scores]], dict[Mask, ProbeResult]]:
        questions = [self._with_mask(question) for question in questions]
        texts = list(dict.fromkeys(reading.text for question in questions for reading in question.readings))
        framed = dict(zip(texts, self.framer.texts(texts), strict=True))
        clozes_by_question = [
            {scoring: self._clozes(question, framed, scoring) for scoring in scorings} for question in questions
        ]
        clozes = (
            cloze
            for by_scoring in clozes_by_question
            for reading_clozes in by_scoring.values()
            if not isinstance(reading_clozes, str)
            for gap_clozes in reading_clozes
            for cloze in gap_clozes
        )
        probabilities, results = self.model.observed(clozes, masks)
        scores = [
            {
                scoring: Scores.undefined(question, reading_clozes)
                if isinstance(reading_clozes, str)
                else _scores(reading_clozes, probabilities, scoring)
                for scoring, reading_clozes in by_scoring.items()
            }
            for question, by_scoring in zip(questions, clozes_by_question, strict=True)
        ]
        return scores, results

    def _with_mask(self, question: Question) -> Question:
        """The question with the model's own mask for a masked segment."""
        parts = partial(with_mask, kind=question.item.kind, mask=self.framer.tokenizer.mask_token)
        readings = (
            replace(reading, before=parts(reading.before), after=parts(reading.after)) for reading in question.readings
        )
        return replace(question, readings=tuple(readings))

    def _masks(self, items: Sequence[Item]) -> dict[str, Mask | str]:
        """The mask of each item, by id, or why it has none."""
        texts = [masked_text(item, self.framer.tokenizer.mask_token) for item in items]
        masks: dict[str, Mask | str] = {}
        for item, text in zip(items, self.framer.texts(texts), strict=True):
            fault = NO_PRONOUN if item.pronoun is None else self.framer.too_long([text.row])
            places = [place for place, token in enumerate(text.row.ids) if token == self.model.mask]
            masks[item.id] = fault or Mask(text.row, places[0], text.opening, text.opening + len(text.ids))
        return masks

    def _clozes(
        self, question: Question, framed: Mapping[str, FramedText], scoring: str
    ) -> tuple[tuple[Cloze, ...], ...] | str:
        """The clozes of each reading, or why they cannot be scored."""
        readings = question.readings
        texts = [framed[reading.text] for reading in readings]
        fault = self.framer.too_long([text.row for text in texts])
        if fault:
            return fault
        if scoring.startswith("candidate"):
            reading_clozes = candidate_clozes(readings, texts, self.model.mask)
        elif scoring == "pll":
            reading_clozes = tuple(map(token_clozes, texts))
        else:
            reading_clozes = tuple(word_clozes(framed[r.text], r.text, question.language) for r in readings)
        reading_clozes = tuple(
            tuple(cloze for cloze in clozes if cloze.token != self.model.mask) for clozes in reading_clozes
        )
        return reading_clozes if all(reading_clozes) else "nothing to hide: the readings do not differ"


def _scores(clozes: Sequence[Sequence[Cloze]], probabilities: Mapping[Cloze, float], scoring: str) -> Scores:
    """The score of each reading, from the log probabilities of its hidden tokens."""
    logs = [np.array([probabilities[cloze] for cloze in reading_clozes]) for reading_clozes in clozes]
    if scoring == "candidate":
        values = [row.mean() for row in logs]
    elif scoring == "candidate-mean":
        values = [np.logaddexp.reduce(row) - np.log(len(row)) for row in logs]
    else:
        values = [row.sum() for row in logs]
    return Scores(tuple(map(float, values)), tokens=tuple(map(len, clozes)))


def _probe(result: ProbeResult) -> Probe:
    assert result.distribution is not None
    pooled = np.empty((0, 0)) if result.pooled is None else result.pooled[None]
    return Probe(result.distribution, pooled, sees_after=True)


check = MaskedSolver.check
load = MaskedSolver
