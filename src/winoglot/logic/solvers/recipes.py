"""Every setting of a small model for pairs: one recipe per family."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from winoglot.errors import InputError, did_you_mean
from winoglot.settings import (
    NonNegativeFloat,
    NonNegativeInt,
    PositiveFloat,
    PositiveInt,
    Share,
    change_settings,
    setting_names,
)
from winoglot.training.recipes import Optimisation, Recipe, check_heads

if TYPE_CHECKING:
    from collections.abc import Iterable

SHALLOW = "shallow:"  # how the address of a baseline of `winoglot logic check` begins
CONTROLS = ("shuffled-labels", "premise-only", "hypothesis-only")


@dataclass(frozen=True, kw_only=True)
class PairRecipe(Optimisation):
    """Every setting of a training on pairs; the defaults are those of an LSTM."""

    family: str = "lstm"  # or rnn, gru, transformer, bag
    tokens: Literal["words", "bytes"] = "words"  # words: with name slots
    order: Literal["premise-hypothesis", "hypothesis-premise"] = "premise-hypothesis"  # as in the paper
    slots: PositiveInt = 32  # for names of each kind; 1: all names of a kind look the same, as unknown words do
    names: Literal["mention", "drawn"] = "mention"  # how slots are numbered: in the order of mention, or drawn
    # the network
    embedding: PositiveInt = 128
    hidden: PositiveInt = 256
    layers: PositiveInt = 1
    bidirectional: bool = False
    heads: PositiveInt = 4  # of attention
    dropout: Share = 0.1
    # a forest
    trees: PositiveInt = 200
    # the data
    batch: PositiveInt = 128
    batch_tokens: PositiveInt = 65_536  # per step, padding included
    curriculum: NonNegativeInt = 0  # epochs after which the next depth is added; 0: all depths from the start
    # the optimiser
    weight_decay: NonNegativeFloat = 0.01
    optimiser: Literal["sgd", "adagrad", "adamw"] = "adamw"
    rate: PositiveFloat = 2e-3
    clip: NonNegativeFloat = 1.0
    schedule: Literal["divide", "average", "cosine", "constant"] = "cosine"
    warmup: NonNegativeInt = 100
    epochs: PositiveInt = 30
    patience: PositiveInt = 8

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


def find_pair_recipe(name: str, changes: Iterable[str] = (), *, option: str = "--set") -> PairRecipe:
    """A recipe by name, with some of its settings changed; an error names the `option` that takes them.

    >>> find_pair_recipe("bilstm", ["hidden=64"]).bidirectional
    True
    """
    if name not in RECIPES:
        raise InputError(f"there is no recipe {name!r}", remedy=did_you_mean(name, RECIPES))
    fixed = (*_FIXED, *_unused(RECIPES[name].family))
    recipe = change_settings(RECIPES[name], changes, fixed=fixed, unknown=f"{name} has no setting", option=option)
    if recipe.family == "transformer":
        check_heads(recipe.embedding, recipe.heads)
    return recipe


def _unused(family: str) -> tuple[str, ...]:
    """The settings that mean nothing to a family."""
    if family == "bag":
        return tuple(setting_names(PairRecipe, fixed=_BAG))
    return (*_BAG, "bidirectional" if family == "transformer" else "heads")
