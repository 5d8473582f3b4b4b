"""How many tokens go through a model at once: as many as the free memory holds, and no more than make it faster.

In inference only one layer's intermediate states live at a time, so what a batch of T tokens takes beside the weights
is

    T · (width · (12 · hidden + 4 · inner) + 12 · columns + kept)  +  T² · (heads · width + 8)    bytes

where `width` is the size of a number, `inner` the feed-forward layer's, `columns` the part of the vocabulary that is
scored at once (three copies in float32), `kept` the keys and values of a model that writes, and the square the
attention's mask and weights where a batch is one row; attention that is computed plainly (`eager`) adds two copies of
the weights in float32. It is an upper bound: on an H200, models of six shapes took 0.06 to 0.9 of it (512 to 8192
tokens, float32 and bfloat16; `benchmarks/gpu.py` prints the two side by side).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from winoglot.memory import free_memory

_SHARE = 0.5  # of the free memory: other processes, and what the libraries keep for themselves, need some too
_FEWEST = 64  # a sentence or two; with less nothing could be scored anyway


@dataclass(frozen=True)
class Need:
    """The bytes that a batch takes: so many a token, and so many a pair of tokens."""

    per_token: float
    per_pair: float = 0.0

    def of(self, tokens: int) -> float:
        """Of a batch of so many tokens."""
        return tokens * self.per_token + tokens**2 * self.per_pair

    def tokens_within(self, memory: float) -> int:
        """The largest batch that takes no more than so many bytes.

        >>> Need(100.0).tokens_within(5000), Need(1.0, 1.0).tokens_within(110)
        (50, 10)
        """
        root = math.sqrt(self.per_token**2 + 4 * self.per_pair * memory)
        return int(2 * memory / (self.per_token + root))


def batch_tokens_of(asked: int, model: Any, need: Need, *, cpu: int, gpu: int) -> int:
    """The most tokens of a batch: as asked, else what fits, up to where more were not seen to be faster."""
    if asked:
        return asked
    most = cpu if model.device.type == "cpu" else gpu
    free = free_memory(model.device)
    return most if free is None else max(_FEWEST, min(most, need.tokens_within(_SHARE * free)))


def need_of(model: Any, *, columns: int, one_row: bool = False, writes: bool = False) -> Need:
    """What a model of `transformers` takes; `columns` of its vocabulary are scored at once for each token.

    `one_row` says that a batch is one row of tokens, `writes` that keys and values are kept.
    """
    config = model.config.get_text_config()
    hidden = _number(config, "hidden_size", "d_model", "n_embd", "dim")
    inner = _number(config, "intermediate_size", "ffn_dim", "n_inner", "hidden_dim") or 4 * hidden
    heads = _number(config, "num_attention_heads", "n_head", "n_heads") or 1
    layers = _number(config, "num_hidden_layers", "n_layer", "n_layers")
    width = model.dtype.itemsize
    plain = 8 if getattr(config, "_attn_implementation", None) == "eager" else 0
    kept = 2 * layers * hidden * width if writes else 0  # fewer where heads share them
    per_pair = heads * (width + plain) + 8 if one_row else 0
    return Need(width * (12 * hidden + 4 * inner) + 12 * columns + kept, per_pair)


def _number(config: Any, *names: str) -> int:
    """The first of these fields that is set; architectures call them differently."""
    return int(next((value for name in names if (value := getattr(config, name, None))), 0))
