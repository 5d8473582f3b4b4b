"""Every setting of a fine-tuning, full or with LoRA; each family of models says which of them it changes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from winoglot.errors import InputError, did_you_mean
from winoglot.models.base import finetuning_of
from winoglot.settings import (
    NonNegativeFloat,
    NonNegativeInt,
    PositiveFloat,
    PositiveInt,
    Share,
    change_settings,
)
from winoglot.training.recipes import Optimisation

if TYPE_CHECKING:
    from collections.abc import Iterable

CONTROLS = ("shuffled-labels", "no-contrast")
_FIXED = ("family", "optimiser", "accumulator", "schedule", "warmup")


@dataclass(frozen=True, kw_only=True)
class FinetuneRecipe(Optimisation):
    """Every setting of a fine-tuning; the defaults are those of a causal model, all of whose weights change."""

    family: str = "causal"  # of the model that comes out
    # the loss: contrast · (right reading against wrong) + language · (likelihood of the right reading)
    contrast: NonNegativeFloat = 1.0
    margin: NonNegativeFloat = 0.0  # by which the right reading must score better
    language: NonNegativeFloat = 0.3
    # the data
    batch: PositiveInt = 64  # items per step, of all processes together
    batch_tokens: PositiveInt = 8192  # that go through the model at once; halved for an epoch if memory runs out
    held_out: Share = 0.1  # share of the items, by schema, that decides when to stop and what to keep; 0: all items do
    # LoRA
    rank: NonNegativeInt = 0  # of the matrices that are added; 0: all weights change
    lora_alpha: PositiveInt = 32
    lora_dropout: Share = 0.05
    # the optimiser
    weight_decay: NonNegativeFloat = 0.01
    optimiser: Literal["sgd", "adagrad", "adamw"] = "adamw"
    rate: PositiveFloat = 1.5e-5
    clip: NonNegativeFloat = 1.0
    schedule: Literal["divide", "average", "cosine", "constant"] = "cosine"
    warmup_share: Share = 0.25  # of the first epoch, in which the rate rises
    epochs: PositiveInt = 4
    patience: PositiveInt = 3


_LORA_RATE = 2e-4
_LORA_RANK = 16


def find_finetune_recipe(
    model: str,
    changes: Iterable[str] = (),
    *,
    lora: bool = False,
    control: str | None = None,
    option: str = "--set",
) -> FinetuneRecipe:
    """The recipe of a model's family, with some of its settings changed; some families cannot be fine-tuned.

    An error names the `option` that takes settings.

    >>> find_finetune_recipe("causal:models/tiny", ["batch=8"], lora=True).rank
    16
    """
    finetuning = finetuning_of(model)
    recipe = FinetuneRecipe(family=finetuning.family, **finetuning.recipe)
    if lora:
        recipe = replace(recipe, rank=_LORA_RANK, rate=_LORA_RATE)
    if control is not None and control not in CONTROLS:
        raise InputError(f"there is no control {control!r}", remedy=did_you_mean(control, CONTROLS))
    if control == "no-contrast":
        if not recipe.language:
            message = f"a {recipe.family} head learns by contrast alone"
            raise InputError(message, remedy="Use the control shuffled-labels, or a causal or masked model.")
        recipe = replace(recipe, contrast=0.0, language=1.0)
    recipe = change_settings(recipe, changes, fixed=_FIXED, unknown="recipes have no setting", option=option)
    if recipe.rank and not lora:
        raise InputError("rank is a setting of LoRA", remedy="Add --lora, or leave out --set rank.")
    if lora and not recipe.rank:
        raise InputError("rank is 0", remedy="Use a whole number greater than 0: --set rank=…")
    if not recipe.contrast and not recipe.language:
        remedy = "Use a number greater than 0, or set language: there is nothing to learn: --set contrast=…"
        raise InputError(f"contrast is {recipe.contrast}", remedy=remedy)
    return recipe
