"""Causal language models of `transformers`: `causal:FOLDER_OR_HUB_ID`.

- `partial`: the log probability of the tokens in the window, which comes after the candidate in every reading.
- `full`: the log probability of all tokens.
- `normalised`: the mean log probability of a token.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.models.base import loaded
from winoglot.models.scoring.pretrained import CAUSAL, PretrainedSolver, batch_tokens_of, need_of
from winoglot.models.scoring.tokens import SCORINGS, Encoder, TokenScores, scores_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.models.base import Question, Scores
    from winoglot.models.scoring.packing import PackedModel

_CPU_TOKENS, _GPU_TOKENS = 512, 4096  # of a batch; more were not seen to be faster

# The inputs by which weights are rounded to int8: any text will do, as long as it stays the same.
_SAMPLE = (
    "The baker's oldest son left the village before dawn, because the road was long and he had promised to be back by "
    "Sunday. Quando a chuva parou, os vizinhos voltaram para casa e ela ainda estava à janela. Le train de 18 h 45 "
    "n'est jamais arrivé, si bien qu'elles ont dormi dans la gare. 图书馆关门以后，他才发现自己把雨伞忘在了里面。"
)


class CausalSolver(PretrainedSolver):
    """Scores a reading by the log probability of its tokens."""

    family = "causal"
    kind = CAUSAL
    head = "an output layer"
    scorings = SCORINGS

    @loaded
    def encoder(self) -> Encoder:
        """The tokenizer, and the token that opens every text."""
        return Encoder(self.pretrained.tokenizer, self.name)

    @loaded
    def packed(self) -> PackedModel:
        """The model, which scores texts that begin alike together."""
        from winoglot.models.scoring.head import SLICE
        from winoglot.models.scoring.packing import PackedModel

        model, options = self.pretrained.model, self.options
        need = need_of(model, columns=SLICE, one_row=True)
        batch_tokens = batch_tokens_of(options.batch_tokens, model, need, cpu=_CPU_TOKENS, gpu=_GPU_TOKENS)
        sample = [self.encoder.start, *self.encoder.encode([_SAMPLE])[0].ids] if options.precision == "int8" else []
        return PackedModel(model, batch_tokens=batch_tokens, sample=sample)

    def prepare(self) -> None:
        """Load the model."""
        _ = self.packed

    def framing(self) -> dict[str, str]:
        """The token that opens every text."""
        return {"start": str(self.pretrained.tokenizer.convert_ids_to_tokens(self.encoder.start))}

    def score(self, questions: Sequence[Question], scorings: Sequence[str]) -> list[dict[str, Scores]]:
        """All scorings from one pass."""
        whole = set(scorings) != {"partial"}
        first = {
            reading.text: 0 if whole else len(reading.text) - len(question.window.text)
            for question in questions
            for reading in question.readings
        }
        found = dict(zip(first, self.token_scores(list(first), list(first.values())), strict=True))
        result = []
        for question in questions:
            tokens = [found[reading.text] for reading in question.readings]
            result.append({scoring: scores_of(question, tokens, scoring) for scoring in scorings})
        return result

    def token_scores(self, texts: Sequence[str], first: Sequence[int] | None = None) -> list[TokenScores]:
        """The log probability of every token of each text; NaN for those that end before the character `first`."""
        start = self.encoder.start
        encoded = self.encoder.encode(texts)
        sequences = [[start, *one.ids] for one in encoded]
        needed = [1 + int((one.ends <= at).sum()) for one, at in zip(encoded, first or [0] * len(texts), strict=True)]
        values = self.packed.logprobs(sequences, needed)
        return [TokenScores(one.starts, one.ends, got) for one, got in zip(encoded, values, strict=True)]


check = CausalSolver.check
load = CausalSolver
