"""Every setting of a fine-tuning: one recipe per family of models, full or with LoRA."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from winoglot.errors import InputError, did_you_mean
from winoglot.training.recipes import Optimisation, check_values, read_changes

if TYPE_CHECKING:
    from collections.abc import Iterable

CONTROLS = ("shuffled-labels", "no-contrast")
_POSITIVE = ("rate", "epochs", "patience", "batch", "lora_alpha", "batch_tokens")
_NOT_NEGATIVE = ("weight_decay", "clip", "margin", "contrast", "language", "rank")
_SHARES = ("warmup_share", "held_out", "lora_dropout")


@dataclass(frozen=True, kw_only=True)
class FinetuneRecipe(Optimisation):
    """Every setting of a fine-tuning; the defaults are those of a causal model, all of whose weights change."""

    family: str = "causal"  # or masked, choice
    # the loss: contrast · (right reading against wrong) + language · (likelihood of the right reading)
    contrast: float = 1.0
    margin: float = 0.0  # by which the right reading must score better
    language: float = 0.3
    # the data
    batch: int = 64  # items per step, of all processes together
    batch_tokens: int = 8192  # that go through the model at once; halved for an epoch if memory runs out
    held_out: float = 0.1  # share of the items, by schema, that decides when to stop and what to keep; 0: all items do
    # LoRA
    rank: int = 0  # of the matrices that are added; 0: all weights change
    lora_alpha: int = 32
    lora_dropout: float = 0.05
    # the optimiser
    weight_decay: float = 0.01
    optimiser: str = "adamw"
    rate: float = 1.5e-5
    clip: float = 1.0
    schedule: str = "cosine"
    warmup_share: float = 0.25  # of the first epoch, in which the rate rises
    epochs: int = 4
    patience: int = 3


_RECIPES = {
    "causal": FinetuneRecipe(),
    # Kocijan and others (2019): −log p(right) + α · max(0, log p(wrong) − log p(right) + β)
    "masked": FinetuneRecipe(family="masked", contrast=10.0, margin=0.2, language=1.0, rate=1e-5),
    # Sakaguchi and others (2020)
    "choice": FinetuneRecipe(family="choice", language=0.0, rate=1e-5, batch=16, epochs=8, patience=3),
}
_LORA_RATE = 2e-4
_LORA_RANK = 16


def find_finetune_recipe(
    family: str, changes: Iterable[str] = (), *, lora: bool = False, control: str | None = None
) -> FinetuneRecipe:
    """The recipe of a family, with some of its settings changed.

    >>> find_finetune_recipe("causal", ["batch=8"], lora=True).rank
    16
    """
    recipe = _RECIPES[family]
    if lora:
        recipe = replace(recipe, rank=_LORA_RANK, rate=_LORA_RATE)
    if control is not None and control not in CONTROLS:
        raise InputError(f"there is no control {control!r}", remedy=did_you_mean(control, CONTROLS))
    if control == "no-contrast":
        if family == "choice":
            message = "a choice head learns by contrast alone"
            raise InputError(message, remedy="Use the control shuffled-labels, or a causal or masked model.")
        recipe = replace(recipe, contrast=0.0, language=1.0)
    values = read_changes(recipe, changes, fixed=("family", "optimiser", "accumulator", "schedule", "warmup"))
    if values.get("rank") and not lora:
        raise InputError("rank is a setting of LoRA", remedy="Add --lora, or leave out --set rank.")
    recipe = replace(recipe, **values)
    check_values(recipe, {}, (*_POSITIVE, "rank") if lora else _POSITIVE, _NOT_NEGATIVE, _SHARES, option="--set")
    if not recipe.contrast and not recipe.language:
        remedy = "Use a number greater than 0, or set language: there is nothing to learn: --set contrast=…"
        raise InputError(f"contrast is {recipe.contrast}", remedy=remedy)
    return recipe
