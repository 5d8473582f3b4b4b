"""Causal language models of `transformers`: `causal:FOLDER_OR_HUB_ID`.

- `partial`: the log probability of the tokens in the window, which comes after the candidate in every reading.
- `full`: the log probability of all tokens.
- `normalised`: the mean log probability of a token.

With `--option shots=N`, the model reads N solved examples first (`shots.py`); what is scored stays the same.
"""

from __future__ import annotations

import sys
from copy import copy
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from winoglot.errors import InputError
from winoglot.models.base import Finetuning, Scores, TokenCount, lazy
from winoglot.models.scoring.pretrained import CAUSAL, PretrainedSolver, batch_tokens_of, memory_cost
from winoglot.models.scoring.probes import ProbeRequest, ProbeResult, causal_probe, hosts_of
from winoglot.models.scoring.tokens import SCORINGS, Continuation, Encoder, TokenScores, continued, scores_of
from winoglot.models.shots import ExamplePool, ShotOptions, pool_for, read_shots

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence

    from winoglot.models.base import Options, Question
    from winoglot.models.scoring.packing import PackedModel
    from winoglot.models.scoring.probes import Distribution, Probe
    from winoglot.models.scoring.tokens import EncodedText
    from winoglot.schemas.model import Item

FINETUNING = Finetuning("causal", "winoglot.finetune.causal:CausalObjective")
_CPU_TOKENS, _GPU_TOKENS = 512, 4096  # of a batch; more were not seen to be faster
_WRITTEN_CPU_TOKENS, _WRITTEN_GPU_TOKENS = 2048, 65536  # the same when it writes
_WRITTEN_ROW = 16  # tokens of a text that is continued, at least

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
    gives_probes = True
    own_options = (ShotOptions,)

    def __init__(self, location: str, options: Options) -> None:
        """The model in a folder, or of that name on the hub."""
        self._shots = read_shots(options)
        super().__init__(location, options)
        # Rounding to int8 magnifies the last bits of a score, which depend on what else is in the batch.
        self.cacheable = options.precision != "int8"
        self._pool: ExamplePool | None = None
        self._base: CausalSolver | None = None  # the solver that has the weights, if this one shows examples

    @lazy
    def encoder(self) -> Encoder:
        """The tokenizer, and the token that opens every text."""
        return Encoder(self.pretrained.tokenizer, self.name)

    @lazy
    def packed(self) -> PackedModel:
        """The model, which scores texts that begin alike together."""
        if self._base is not None:
            return self._base.packed
        from winoglot.models.scoring.head import SLICE
        from winoglot.models.scoring.packing import PackedModel

        model, options = self.pretrained.model, self.options
        cost = memory_cost(model, columns=SLICE, one_row=True)
        batch_tokens = batch_tokens_of(options.batch_tokens, model, cost, cpu=_CPU_TOKENS, gpu=_GPU_TOKENS)
        sample = [self.encoder.start, *self.encoder.encode([_SAMPLE])[0].ids] if options.precision == "int8" else []
        return PackedModel(model, batch_tokens=batch_tokens, sample=sample)

    def prepare(self) -> None:
        """Load the model."""
        _ = self.packed

    def framing(self) -> dict[str, str]:
        """The token that opens every text."""
        return {"start": str(self.pretrained.tokenizer.convert_ids_to_tokens(self.encoder.start))}

    def for_collection(self, items: Iterable[Item], language: str) -> Self:
        """A copy that shows examples, if any are asked for; none is of the schema that it comes before."""
        del language
        if not self._shots.shots:
            return self
        solver = copy(self)
        solver._base = self
        solver._pool = pool_for(self._shots, self.options.seed, items)
        solver.settings = {**self.settings, "shots": self._shots.shots, "examples": f"sha:{solver._pool.hash[:8]}"}
        return solver

    def count_tokens(self, texts: Sequence[str]) -> list[TokenCount]:
        """The tokens of each text, which need not be tokenized again to be scored."""
        unknown = self.pretrained.tokenizer.unk_token_id
        encoded_texts = self.encoder.encode(texts)
        return [TokenCount(len(text.ids), 0 if unknown is None else text.ids.count(unknown)) for text in encoded_texts]

    def score(self, questions: Sequence[Question], scorings: Sequence[str]) -> list[dict[str, Scores]]:
        """Score the questions by all scorings in one pass."""
        first_scored = self._texts(questions, scorings)
        token_scores = self.token_scores(list(first_scored), list(first_scored.values()))
        return self._scores(questions, scorings, dict(zip(first_scored, token_scores, strict=True)))

    def score_and_probe(
        self, questions: Sequence[Question], scorings: Sequence[str], probed: Container[str]
    ) -> tuple[list[dict[str, Scores]], dict[str, Probe]]:
        """The scores, with the distribution after the text before the pronoun and the pooled states of each reading.

        The text before a pronoun is nearly always the beginning of a reading, token by token, so that the state after
        it is on the way. Otherwise (grammar contracts the words at the pronoun, or a token reaches across its edge) it
        is read by itself after the pass, whose scores thus do not depend on whether there are probes.
        """
        first_scored = self._texts(questions, scorings)
        encoded = dict(zip(first_scored, self.encoder.encode(list(first_scored)), strict=True))
        probed_questions = [question for question in questions if question.item.id in probed]
        contexts = self._contexts(probed_questions)
        sequences_by_question: list[list[tuple[int, ...]]] = []
        pooled: dict[str, int] = {}
        for question in probed_questions:
            prefix = self._shots_before(question)
            texts = [prefix + reading.text for reading in question.readings]
            sequences_by_question.append([(self.encoder.start, *encoded[text].ids) for text in texts])
            pooled |= {text: 1 + int((encoded[text].ends <= len(prefix)).sum()) for text in texts}
        hosts = hosts_of(contexts, sequences_by_question)
        lengths = {host: len(context) for context, host in hosts.items()}
        sequences = [(self.encoder.start, *encoded_text.ids) for encoded_text in encoded.values()]
        requests = [
            ProbeRequest(lengths.get(sequence), pooled.get(text))
            for text, sequence in zip(first_scored, sequences, strict=True)
        ]
        token_scores, results = self._observe(list(encoded.values()), list(first_scored.values()), requests)
        result_of = dict(zip(sequences, results, strict=True))
        distributions = {context: result_of[host].distribution for context, host in hosts.items()}
        distributions |= self._distributions([context for context in contexts if context not in hosts])
        probes = {
            question.item.id: causal_probe(
                question.item, [result_of[sequence] for sequence in sequences], distributions.get(context)
            )
            for question, sequences, context in zip(probed_questions, sequences_by_question, contexts, strict=True)
        }
        return self._scores(questions, scorings, dict(zip(first_scored, token_scores, strict=True))), probes

    def _texts(self, questions: Sequence[Question], scorings: Sequence[str]) -> dict[str, int]:
        """What the model reads, with the first character of each text that is scored."""
        is_whole = set(scorings) != {"partial"}
        return {
            prefix + reading.text: len(prefix) + (0 if is_whole else len(reading.text) - len(question.window.text))
            for question, prefix in zip(questions, map(self._shots_before, questions), strict=True)
            for reading in question.readings
        }

    def _scores(
        self, questions: Sequence[Question], scorings: Sequence[str], token_scores: Mapping[str, TokenScores]
    ) -> list[dict[str, Scores]]:
        result = []
        for question in questions:
            prefix = self._shots_before(question)
            reading_scores = [token_scores[prefix + reading.text] for reading in question.readings]
            fault = self._fault(max(len(scores.starts) + 1 for scores in reading_scores))
            if fault:
                result.append(dict.fromkeys(scorings, Scores.undefined(question, fault)))
                continue
            tokens = [scores.after(len(prefix)) for scores in reading_scores]
            result.append({scoring: scores_of(question, tokens, scoring) for scoring in scorings})
        return result

    def _contexts(self, questions: Sequence[Question]) -> list[tuple[int, ...]]:
        """The tokens before each pronoun. The space at the end belongs to the next token."""
        texts = [self._shots_before(question) + question.item.parts[0].rstrip() for question in questions]
        return [(self.encoder.start, *text.ids) for text in self.encoder.encode(texts)]

    def _distributions(self, contexts: Iterable[tuple[int, ...]]) -> dict[tuple[int, ...], Distribution | None]:
        """The distribution after each context, read by itself."""
        readable = [context for context in dict.fromkeys(contexts) if not self._fault(len(context))]
        lengths = list(map(len, readable))
        _, results = self.packed.observed(readable, lengths, [ProbeRequest(after=length) for length in lengths])
        return {context: result.distribution for context, result in zip(readable, results, strict=True)}

    def _shots_before(self, question: Question) -> str:
        """The solved examples that the model reads before a question; empty if it reads none."""
        if self._pool is not None:
            return self._pool.before(question)
        if self._shots.shots:
            message = "the examples to show depend on the collection"
            raise InputError(message, remedy="Call for_collection(items, language), and ask the solver it returns.")
        return ""

    @lazy
    def _longest(self) -> int:
        """The number of tokens that the model takes."""
        config = self.pretrained.model.config.get_text_config()
        return getattr(config, "max_position_embeddings", None) or sys.maxsize

    def _fault(self, length: int) -> str:
        """Why a sequence of that many tokens cannot be scored; empty if it can."""
        return f"{length} tokens, the model takes {self._longest}" if length > self._longest else ""

    def token_scores(self, texts: Sequence[str], first: Sequence[int] | None = None) -> list[TokenScores]:
        """The log probability of every token of each text; NaN for those that end before the character `first`.

        In a text that is longer than the model takes, all are NaN.
        """
        return self._observe(self.encoder.encode(texts), first or [0] * len(texts), [ProbeRequest()] * len(texts))[0]

    def _observe(
        self, encoded_texts: Sequence[EncodedText], first: Sequence[int], requests: Sequence[ProbeRequest]
    ) -> tuple[list[TokenScores], list[ProbeResult]]:
        """The token scores and probe results of each text; of a text that is too long, NaN and an empty result."""
        values = [np.full(len(text.ids), np.nan) for text in encoded_texts]
        results = [ProbeResult()] * len(encoded_texts)
        readable = [number for number, text in enumerate(encoded_texts) if not self._fault(len(text.ids) + 1)]
        sequences = [[self.encoder.start, *encoded_texts[number].ids] for number in readable]
        first_tokens = [1 + int((encoded_texts[number].ends <= first[number]).sum()) for number in readable]
        observed = self.packed.observed(sequences, first_tokens, [requests[number] for number in readable])
        for number, logprobs, result in zip(readable, *observed, strict=True):
            values[number], results[number] = logprobs, result
        return [
            TokenScores(text.starts, text.ends, text_logprobs)
            for text, text_logprobs in zip(encoded_texts, values, strict=True)
        ], results

    def continuations(self, texts: Sequence[str]) -> list[Continuation]:
        """The likeliest tokens after the first half of each text; none after a text that is longer than it takes."""
        model = self.pretrained.model
        config = model.config.get_text_config()
        # Of a row, the whole vocabulary is scored at its last token only.
        cost = memory_cost(model, columns=config.vocab_size // _WRITTEN_ROW, generates=True)
        most = batch_tokens_of(self.options.batch_tokens, model, cost, cpu=_WRITTEN_CPU_TOKENS, gpu=_WRITTEN_GPU_TOKENS)
        encoded = [text.ids if not self._fault(len(text.ids) + 1) else [] for text in self.encoder.encode(texts)]
        return continued(encoded, self._write, most)

    def _write(self, prompts: list[tuple[int, ...]], room: int) -> list[list[int]]:
        """What the model writes after prompts of one length; the end of a text ends what it writes."""
        import torch
        import transformers

        _ = self.packed  # which rounds the weights to int8, if they are to be
        model = self.pretrained.model
        ids = torch.tensor([[self.encoder.start, *prompt] for prompt in prompts], device=model.device)
        config_class: Any = transformers.GenerationConfig
        config = config_class(max_new_tokens=room, do_sample=False, num_beams=1, pad_token_id=self.encoder.start)
        with torch.inference_mode():
            generated = model.generate(input_ids=ids, attention_mask=torch.ones_like(ids), generation_config=config)
        tokens: list[list[int]] = generated[:, ids.shape[1] :].tolist()
        return tokens


check = CausalSolver.check
load = CausalSolver
