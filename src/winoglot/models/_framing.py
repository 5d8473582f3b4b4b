"""Texts as models that read both ways were trained on them: between an opening and a closing token."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from winoglot.errors import InputError
from winoglot.models._rows import Row, takes

if TYPE_CHECKING:
    from collections.abc import Sequence

_NO_LIMIT = 10**9  # tokenizers write a number beyond it where they know none


@dataclass(frozen=True)
class FramedText:
    """A text's row, how many tokens of it open the text, and where each of the text's own begins and ends."""

    row: Row
    opening: int
    starts: np.ndarray
    ends: np.ndarray

    @property
    def ids(self) -> tuple[int, ...]:
        """The text's own tokens."""
        return self.row.ids[self.opening : self.opening + len(self.starts)]


class Framer:
    """A model's tokenizer, with the special tokens and the types of tokens that the model wants."""

    def __init__(self, tokenizer: Any, model: Any, name: str) -> None:
        """Where the tokenizer adds no special token though it has them, it is taught to."""
        self.tokenizer = tokenizer
        self.name = name
        self.longest = _longest(tokenizer, model)
        self.types = _takes_types(tokenizer, model)
        if not any(tokenizer("a", return_special_tokens_mask=True)["special_tokens_mask"]):
            _teach_frame(tokenizer)
        self.frame = " … ".join(self._frame())

    def texts(self, texts: Sequence[str]) -> list[FramedText]:
        """Each text with the characters that its tokens cover."""
        if not getattr(self.tokenizer, "is_fast", False):
            raise InputError(
                f"the tokenizer of {self.name} does not say which characters a token covers",
                remedy="Use a model with a fast tokenizer (tokenizer.json).",
            )
        made = self._tokenised(texts, return_offsets_mapping=True, return_special_tokens_mask=True)
        framed = []
        for number, row in enumerate(self._rows(made)):
            own = np.flatnonzero(np.array(made["special_tokens_mask"][number]) == 0)
            places = np.array(made["offset_mapping"][number], dtype=np.int64).reshape(-1, 2)[own]
            framed.append(FramedText(row, int(own[0]) if len(own) else 0, places[:, 0], places[:, 1]))
        return framed

    def pairs(self, pairs: Sequence[tuple[str, str]]) -> list[Row]:
        """Each first and second text as one row."""
        firsts, seconds = zip(*pairs, strict=True) if pairs else ((), ())
        return self._rows(self._tokenised(firsts, list(seconds)))

    def too_long(self, rows: Sequence[Row]) -> str:
        """Why these rows cannot be scored; empty where they can."""
        longest = max((len(row.ids) for row in rows), default=0)
        return f"{longest} tokens, the model takes {self.longest}" if longest > self.longest else ""

    def _tokenised(self, texts: Sequence[str], others: Sequence[str] | None = None, **more: bool) -> Any:
        if not texts:
            return {"input_ids": [], "token_type_ids": []}
        return self.tokenizer(list(texts), others, return_token_type_ids=self.types, **more)

    def _rows(self, made: Any) -> list[Row]:
        kinds = made["token_type_ids"] if self.types else [()] * len(made["input_ids"])
        return [Row(tuple(ids), tuple(types)) for ids, types in zip(made["input_ids"], kinds, strict=True)]

    def _frame(self) -> tuple[str, str]:
        """What stands before and after a text, as tokens."""
        made = self.tokenizer("a", return_special_tokens_mask=True)
        words = self.tokenizer.convert_ids_to_tokens(made["input_ids"])
        special = made["special_tokens_mask"]
        own = special.index(0) if 0 in special else 0
        before = [word for word, added in zip(words[:own], special, strict=False) if added]
        after = [word for word, added in zip(words[own:], special[own:], strict=True) if added]
        return " ".join(before), " ".join(after)


def _takes_types(tokenizer: Any, model: Any) -> bool:
    """Whether the model is told which text a token belongs to.

    A tokenizer of a model's own class knows; one of no particular class only where its file says so.
    """
    from transformers import PreTrainedTokenizerFast

    if not takes(model, "token_type_ids") or getattr(model.config, "type_vocab_size", 2) < 2:
        return False
    silent = type(tokenizer) is PreTrainedTokenizerFast and "model_input_names" not in tokenizer.init_kwargs
    return silent or "token_type_ids" in tokenizer.model_input_names


def _teach_frame(tokenizer: Any) -> None:
    """Give a tokenizer that was saved without them its opening and closing tokens."""
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
    """How many tokens the model has positions for."""
    limits: list[int | None] = [tokenizer.model_max_length, getattr(model.config, "max_position_embeddings", None)]
    for name, module in model.named_modules():
        if name.endswith("position_embeddings") and hasattr(module, "num_embeddings"):
            padding = getattr(module, "padding_idx", None)  # where there is one, positions are counted from behind it
            limits.append(module.num_embeddings - (0 if padding is None else padding + 1))
    return min(limit for limit in (*limits, _NO_LIMIT) if limit)
