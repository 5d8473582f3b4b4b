"""Texts as a model's tokens, with the characters that each token covers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from winoglot.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Encoded:
    """The tokens of a text, and for each where it begins and ends in the text."""

    ids: list[int]
    starts: np.ndarray
    ends: np.ndarray


class Encoder:
    """A fast tokenizer, and the token that opens every sequence."""

    def __init__(self, tokenizer: Any, name: str) -> None:
        """The opening token is the one the model was trained with: BOS, else what ends a document."""
        if not getattr(tokenizer, "is_fast", False):
            raise InputError(
                f"the tokenizer of {name} does not say which characters a token covers",
                remedy="Use a model with a fast tokenizer (tokenizer.json).",
            )
        self.tokenizer = tokenizer
        self.name = name
        openers = (tokenizer.bos_token_id, tokenizer.eos_token_id)
        start: int | None = next((token for token in openers if token is not None), None)
        if start is None:
            raise InputError(
                f"{name} has no token to begin a text with, so its first word would go unscored",
                remedy="Give its tokenizer a bos_token or eos_token.",
            )
        self.start = start

    def encode(self, texts: Sequence[str]) -> list[Encoded]:
        """Each text as the model would tokenise it, no special token added."""
        made = self.tokenizer(list(texts), add_special_tokens=False, return_offsets_mapping=True)
        encoded = []
        for ids, offsets in zip(made["input_ids"], made["offset_mapping"], strict=True):
            places = np.array(offsets, dtype=np.int64).reshape(-1, 2)
            encoded.append(Encoded(list(ids), places[:, 0], places[:, 1]))
        return encoded

    def tokens(self, text: str) -> list[int]:
        """The tokens alone, known or not."""
        return list(self.tokenizer(text, add_special_tokens=False)["input_ids"])
