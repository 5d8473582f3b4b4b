"""Every setting of a small model for pairs: one recipe per family."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

from winoglot.errors import InputError, did_you_mean
from winoglot.training.recipes import Optimisation, Recipe, check_heads, check_values, read_changes

if TYPE_CHECKING:
    from collections.abc import Iterable

TOKENS = ("words", "bytes")
ORDERS = ("premise-hypothesis", "hypothesis-premise")
NAMES = ("mention", "drawn")
CONTROLS = ("shuffled-labels", "premise-only", "hypothesis-only")


@dataclass(frozen=True, kw_only=True)
class PairRecipe(Optimisation):
    """Every setting of a training on pairs; the defaults are those of an LSTM."""

    family: str = "lstm"  # or rnn, gru, transformer, bag
    tokens: str = "words"  # with name slots; or bytes
    order: str = "premise-hypothesis"  # as in the paper; or hypothesis-premise: the question first
    slots: int = 32  # for names of each kind; 1: all names of a kind look the same, as unknown words do
    names: str = "mention"  # how slots are numbered: in the order of mention, or drawn
    # the network
    embedding: int = 128
    hidden: int = 256
    layers: int = 1
    bidirectional: bool = False
    heads: int = 4  # of attention
    dropout: float = 0.1
    # a forest
    trees: int = 200
    # the data
    batch: int = 128
    batch_tokens: int = 65_536  # per step, padding included
    curriculum: int = 0  # epochs after which the next depth is added; 0: all depths from the start
    # the optimiser
    weight_decay: float = 0.01
    optimiser: str = "adamw"
    rate: float = 2e-3
    clip: float = 1.0
    schedule: str = "cosine"
    warmup: int = 100
    epochs: int = 30
    patience: int = 8

    def transformer(self) -> Recipe:
        """The recipe of the transformer that reads the pairs."""
        return replace(
            Recipe("pairs", kind="transformer"),
            embedding=self.embedding,
            hidden=self.embedding,
            layers=self.layers,
            heads=self.heads,
            inner=self.hidden,
            sequence=2**20,  # every position attends to all before it
            layer_dropout=self.dropout,
        )


_LSTM = PairRecipe()
_TRANSFORMER = replace(_LSTM, family="transformer", embedding=256, hidden=768, layers=4, rate=1e-3, warmup=200)
RECIPES = {
    "bag": replace(_LSTM, family="bag"),
    "rnn": replace(_LSTM, family="rnn", rate=1e-3),
    "gru": replace(_LSTM, family="gru"),
    "lstm": _LSTM,
    "birnn": replace(_LSTM, family="rnn", rate=1e-3, bidirectional=True),
    "bigru": replace(_LSTM, family="gru", bidirectional=True),
    "bilstm": replace(_LSTM, bidirectional=True),
    "transformer": _TRANSFORMER,
}
_FIXED = ("family", "optimiser", "accumulator", "schedule")
_BAG = ("trees",)
_CHOICES = {"tokens": TOKENS, "order": ORDERS, "names": NAMES}
_POSITIVE = (
    *("slots", "embedding", "hidden", "layers", "heads", "trees", "batch", "batch_tokens"),
    *("rate", "epochs", "patience"),
)
_NOT_NEGATIVE = ("curriculum", "weight_decay", "clip", "warmup")


def find_pair_recipe(name: str, changes: Iterable[str] = (), *, option: str = "--set") -> PairRecipe:
    """A recipe by name, with some of its settings changed; an error names the `option` that takes them.

    >>> find_pair_recipe("bilstm", ["hidden=64"]).bidirectional
    True
    """
    if name not in RECIPES:
        raise InputError(f"there is no recipe {name!r}", remedy=did_you_mean(name, RECIPES))
    recipe = RECIPES[name]
    fixed = (*_FIXED, *_unused(recipe.family))
    recipe = replace(recipe, **read_changes(recipe, changes, fixed, owner=f"{name} has", option=option))
    check_values(recipe, _CHOICES, _POSITIVE, _NOT_NEGATIVE, ("dropout",), option=option)
    if recipe.family == "transformer":
        check_heads(recipe.embedding, recipe.heads)
    return recipe


def _unused(family: str) -> tuple[str, ...]:
    """The settings that mean nothing to a family."""
    if family == "bag":
        return tuple(one.name for one in fields(PairRecipe) if one.name not in _BAG)
    return (*_BAG, "bidirectional" if family == "transformer" else "heads")
