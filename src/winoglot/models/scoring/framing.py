"""Texts as models that read in both directions were trained on them: between an opening and a closing token.

Rows of tokens go into a model in batches of equal length, so that nothing is padded. Without padding a score cannot
depend on what it was computed beside, even in models that ignore the attention mask.
"""

from __future__ import annotations

import inspect
from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from winoglot.models.base import Scores, lazy
from winoglot.models.scoring.pretrained import PretrainedSolver, batch_tokens_of, memory_cost
from winoglot.models.scoring.tokens import check_offsets
from winoglot.perturb.controls import BLANK

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import torch

    from winoglot.models.base import Question

    Pair = tuple[str, str]

CPU_TOKENS, GPU_TOKENS = 1024, 8192  # of a batch; more were not seen to be faster
_NO_LIMIT = 10**9  # tokenizers without a limit have a number larger than this


@dataclass(frozen=True)
class TokenRow:
    """The tokens of one input, and to which of its texts each belongs; no types if the model takes none."""

    ids: tuple[int, ...]
    types: tuple[int, ...] = ()


@dataclass(frozen=True)
class FramedText:
    """The row of a text, how many tokens come before the text, and where each of the text's own begins and ends."""

    row: TokenRow
    opening: int
    starts: np.ndarray
    ends: np.ndarray

    @property
    def ids(self) -> tuple[int, ...]:
        """The text's own tokens."""
        return self.row.ids[self.opening : self.opening + len(self.starts)]


class Framer:
    """A model's tokenizer, with the special tokens and token types that the model expects."""

    def __init__(self, tokenizer: Any, model: Any, name: str) -> None:
        """A tokenizer that has special tokens but does not add them is made to."""
        self.tokenizer = tokenizer
        self.name = name
        self.longest = _longest(tokenizer, model)
        self.types = _takes_types(tokenizer, model)
        if not any(tokenizer("a", return_special_tokens_mask=True)["special_tokens_mask"]):
            _add_frame(tokenizer)
        self.frame = " … ".join(self._frame())

    def texts(self, texts: Sequence[str]) -> list[FramedText]:
        """Each text with the characters that its tokens cover."""
        check_offsets(self.tokenizer, self.name)
        encoding = self._tokenised(texts, return_offsets_mapping=True, return_special_tokens_mask=True)
        framed = []
        for number, row in enumerate(self._rows(encoding)):
            own_tokens = np.flatnonzero(np.array(encoding["special_tokens_mask"][number]) == 0)
            places = np.array(encoding["offset_mapping"][number], dtype=np.int64).reshape(-1, 2)[own_tokens]
            framed.append(FramedText(row, int(own_tokens[0]) if len(own_tokens) else 0, places[:, 0], places[:, 1]))
        return framed

    def pairs(self, pairs: Sequence[Pair]) -> list[TokenRow]:
        """Each pair of texts as one row."""
        firsts, seconds = zip(*pairs, strict=True) if pairs else ((), ())
        return self._rows(self._tokenised(firsts, list(seconds)))

    def too_long(self, rows: Sequence[TokenRow]) -> str:
        """Why these rows cannot be scored; empty if they can."""
        longest = max((len(row.ids) for row in rows), default=0)
        return f"{longest} tokens, the model takes {self.longest}" if longest > self.longest else ""

    def _tokenised(self, texts: Sequence[str], second_texts: Sequence[str] | None = None, **more: bool) -> Any:
        if not texts:
            return {"input_ids": [], "token_type_ids": []}
        return self.tokenizer(list(texts), second_texts, return_token_type_ids=self.types, **more)

    def _rows(self, encoding: Any) -> list[TokenRow]:
        kinds = encoding["token_type_ids"] if self.types else [()] * len(encoding["input_ids"])
        return [TokenRow(tuple(ids), tuple(types)) for ids, types in zip(encoding["input_ids"], kinds, strict=True)]

    def _frame(self) -> tuple[str, str]:
        """The special tokens before and after a text."""
        encoding = self.tokenizer("a", return_special_tokens_mask=True)
        words = self.tokenizer.convert_ids_to_tokens(encoding["input_ids"])
        special = encoding["special_tokens_mask"]
        start = special.index(0) if 0 in special else 0
        words_before = [word for word, is_added in zip(words[:start], special, strict=False) if is_added]
        after = [word for word, is_added in zip(words[start:], special[start:], strict=True) if is_added]
        return " ".join(words_before), " ".join(after)


def _takes_types(tokenizer: Any, model: Any) -> bool:
    """Whether the model is told which text a token belongs to.

    A tokenizer of the model's own class knows; a generic one knows only if its file says so.
    """
    from transformers import PreTrainedTokenizerFast

    if not _takes(model, "token_type_ids") or getattr(model.config, "type_vocab_size", 2) < 2:
        return False
    silent = type(tokenizer) is PreTrainedTokenizerFast and "model_input_names" not in tokenizer.init_kwargs
    return silent or "token_type_ids" in tokenizer.model_input_names


def _add_frame(tokenizer: Any) -> None:
    """Make a tokenizer that was saved without them add its opening and closing tokens."""
    opening, closing = tokenizer.cls_token, tokenizer.sep_token
    if opening is None or closing is None or not getattr(tokenizer, "is_fast", False):
        return
    from tokenizers.processors import TemplateProcessing

    tokenizer.backend_tokenizer.post_processor = TemplateProcessing(
        single=[opening, "$A", closing],
        pair=[opening, "$A", closing, "$B:1", f"{closing}:1"],
        special_tokens=[(opening, tokenizer.cls_token_id), (closing, tokenizer.sep_token_id)],
    )


def _longest(tokenizer: Any, model: Any) -> int:
    """The number of tokens that the model has positions for."""
    limits: list[int | None] = [tokenizer.model_max_length, getattr(model.config, "max_position_embeddings", None)]
    for name, module in model.named_modules():
        if name.endswith("position_embeddings") and hasattr(module, "num_embeddings"):
            padding = getattr(module, "padding_idx", None)  # if there is one, positions are counted from after it
            limits.append(module.num_embeddings - (0 if padding is None else padding + 1))
    return min(limit for limit in (*limits, _NO_LIMIT) if limit)


def batches(lengths: Sequence[int], most: int) -> Iterator[list[int]]:
    """The numbers of rows in batches of one length and at most `most` tokens; a longer row is a batch of its own.

    >>> list(batches([3, 2, 3, 3, 9], most=6))
    [[1], [0, 2], [3], [4]]
    """
    batch: list[int] = []
    for number in sorted(range(len(lengths)), key=lengths.__getitem__):
        length = lengths[number]
        if batch and (lengths[batch[0]] != length or (len(batch) + 1) * length > most):
            yield batch
            batch = []
        batch.append(number)
    if batch:
        yield batch


def tensors(model: Any, rows: Sequence[TokenRow]) -> dict[str, Any]:
    """The arguments of a call of the model for rows of one length."""
    import torch

    ids = torch.tensor([row.ids for row in rows], device=model.device)
    arguments = {"input_ids": ids}
    if _takes(model, "attention_mask"):
        arguments["attention_mask"] = torch.ones_like(ids)
    if rows[0].types:
        arguments["token_type_ids"] = torch.tensor([row.types for row in rows], device=model.device)
    return arguments


def _takes(model: Any, name: str) -> bool:
    return name in inspect.signature(model.forward).parameters


def with_mask(text: str, kind: str, mask: str | None) -> str:
    """The text with the model's own mask, if it has one, where a control has put a blank for the segment.

    >>> with_mask("The lamp is too ___.", "segment-masked", "[MASK]"), with_mask("Write ___.", "original", "[MASK]")
    ('The lamp is too [MASK].', 'Write ___.')
    """
    return text.replace(BLANK, mask) if mask and "segment-masked" in kind.split("+") else text


class PairSolver(PretrainedSolver):
    """Scores each candidate by a pair of texts: whether the second follows the first, or how well it fits."""

    choices: ClassVar[bool] = False  # whether the model takes several; it gets one per row, since it scores each alone

    @lazy
    def framer(self) -> Framer:
        """The tokenizer, with the special tokens that the model expects."""
        return Framer(self.pretrained.tokenizer, self.pretrained.model, self.name)

    @lazy
    def batch_tokens(self) -> int:
        """The most tokens of a batch."""
        model = self.pretrained.model
        cost = memory_cost(model, columns=0)
        return batch_tokens_of(self.options.batch_tokens, model, cost, cpu=CPU_TOKENS, gpu=GPU_TOKENS)

    def prepare(self) -> None:
        """Load the model."""
        _ = self.framer

    def framing(self) -> dict[str, str]:
        """The special tokens around a pair of texts."""
        return {"frame": self.framer.frame}

    @abstractmethod
    def pairs(self, question: Question, scoring: str) -> list[Pair] | str:
        """The pair of texts that presents each candidate, or why there is none."""

    @abstractmethod
    def values(self, outputs: list[torch.Tensor]) -> list[float]:
        """The score of each candidate, from the numbers that the model's head gives for its pair."""

    def score(self, questions: Sequence[Question], scorings: Sequence[str]) -> list[dict[str, Scores]]:
        """Score the pairs of all scorings at once."""
        pairs_by_question = [
            {scoring: self._masked(question, self.pairs(question, scoring)) for scoring in scorings}
            for question in questions
        ]
        pair_lists = (
            pairs for by_scoring in pairs_by_question for pairs in by_scoring.values() if not isinstance(pairs, str)
        )
        outputs = self.outputs(pair for pairs in pair_lists for pair in pairs)
        return [
            {scoring: self._scores(question, pairs, outputs) for scoring, pairs in by_scoring.items()}
            for question, by_scoring in zip(questions, pairs_by_question, strict=True)
        ]

    def _masked(self, question: Question, pairs: list[Pair] | str) -> list[Pair] | str:
        """The pairs with the model's own mask for a masked segment."""
        if isinstance(pairs, str):
            return pairs
        kind, mask = question.item.kind, self.framer.tokenizer.mask_token
        return [(with_mask(first, kind, mask), with_mask(second, kind, mask)) for first, second in pairs]

    def _scores(
        self, question: Question, pairs: list[Pair] | str, results: Mapping[Pair, torch.Tensor | str]
    ) -> Scores:
        if isinstance(pairs, str):
            return Scores.undefined(question, pairs)
        outputs = []
        for pair in pairs:
            output = results[pair]
            if isinstance(output, str):
                return Scores.undefined(question, output)
            outputs.append(output)
        return Scores(tuple(self.values(outputs)))

    def outputs(self, pairs: Iterable[Pair]) -> dict[Pair, torch.Tensor | str]:
        """The numbers that the head gives for each pair, or why there are none."""
        distinct = list(dict.fromkeys(pairs))
        rows = dict(zip(distinct, self.framer.pairs(distinct), strict=True))
        results: dict[Pair, torch.Tensor | str] = {pair: self.framer.too_long([rows[pair]]) for pair in distinct}
        readable = [pair for pair in distinct if not results[pair]]
        for batch in batches([len(rows[pair].ids) for pair in readable], self.batch_tokens):
            batch_pairs = [readable[number] for number in batch]
            results.update(zip(batch_pairs, self._run([rows[pair] for pair in batch_pairs]), strict=True))
        return results

    def _run(self, rows: list[TokenRow]) -> torch.Tensor:
        import torch

        inputs = tensors(self.pretrained.model, rows)
        if self.choices:
            inputs = {name: value[:, None] for name, value in inputs.items()}
        with torch.inference_mode():
            logits: torch.Tensor = self.pretrained.model(**inputs).logits
            return logits.cpu().double()
