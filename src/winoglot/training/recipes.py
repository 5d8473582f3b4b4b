"""Every setting of a training: one recipe per model of the papers, and a modern one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

from winoglot.errors import InputError, did_you_mean
from winoglot.settings import (
    NonNegativeFloat,
    NonNegativeInt,
    PositiveFloat,
    PositiveInt,
    Share,
    change_settings,
    check_settings,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

# Each kind of model is a module with `make_module(recipe, vocabulary)` and
# `make_task(module, recipe, corpus, seed, process, precision)`.
KINDS = {
    "lstm": "winoglot.training.language_task",
    "gru": "winoglot.training.language_task",
    "rnn": "winoglot.training.language_task",
    "transformer": "winoglot.training.language_task",
    "context2vec": "winoglot.training.context2vec",
}
LANGUAGE_MODELS = ("lstm", "gru", "rnn", "transformer")
SEEDS = 2**63  # accepted by all generators


def kind_module(kind: str) -> Any:
    """The module of a kind of model."""
    return import_module(KINDS[kind])


@dataclass(frozen=True, kw_only=True)
class Optimisation:
    """How weights change from step to step and when a training ends, whatever is trained."""

    weight_decay: NonNegativeFloat = 0.0
    optimiser: Literal["sgd", "adagrad", "adamw"] = "sgd"
    rate: PositiveFloat = 20.0
    accumulator: NonNegativeFloat = 0.0  # what Adagrad's sums of squares start with
    clip: NonNegativeFloat = 0.25  # the largest norm of the gradients; 0: no limit
    schedule: Literal["divide", "average", "cosine", "constant"] = "divide"
    warmup: NonNegativeInt = 0  # steps in which the rate rises, with the cosine schedule
    epochs: PositiveInt = 40  # at most
    patience: PositiveInt = 8  # stop after this many validations without a new best; by eight, the rate is near 0


@dataclass(frozen=True)
class Recipe(Optimisation):
    """Every setting of a training; the defaults are those of a plain LSTM."""

    name: str
    kind: Literal["lstm", "gru", "rnn", "transformer", "context2vec"] = "lstm"
    # the network
    embedding: PositiveInt = 200
    hidden: PositiveInt = 200
    layers: PositiveInt = 2
    tied: bool = True  # the output layer uses the embeddings; the last layer then has their size
    heads: PositiveInt = 1  # of attention
    inner: NonNegativeInt = 0  # units of the feed-forward layer of a transformer
    # the data
    batch: PositiveInt = 20  # columns of text, in each process
    sequence: PositiveInt = 35  # tokens per column and step
    sentences: bool = False  # each sentence by itself, from an empty state; a step has at most batch · sequence tokens
    varied: bool = False  # lengths drawn around `sequence` or, once in twenty, half of it; rate in proportion
    # regularisation: shares dropped, and factors
    word_dropout: Share = 0.0  # whole words of the embedding
    input_dropout: Share = 0.2
    layer_dropout: Share = 0.2  # between layers
    output_dropout: Share = 0.2
    weight_dropout: Share = 0.0  # recurrent weights
    locked: bool = False  # drop the same units at all positions of a sequence
    activation: NonNegativeFloat = 0.0  # AR: on the squares of the last layer's output after dropout
    change: NonNegativeFloat = 0.0  # TAR: on the squared differences of its raw output between positions
    # negative sampling
    negatives: NonNegativeInt = 0  # words drawn for each word of the text
    power: NonNegativeFloat = 0.0  # of their counts, in drawing them


_SMALL = Recipe("lstm-small")  # Melo (2020), 4.2.2.2; "between layers": the embedding and output layers too
_IMPROVED = replace(_SMALL, name="lstm-improved", embedding=400, hidden=400, layers=3, batch=40)  # Melo, table 1
_AWD = Recipe(
    "awd-lstm-large",  # Melo, 4.2.2.3; what it does not say is as in the paper it follows
    embedding=400,
    hidden=1150,
    layers=3,
    batch=80,
    sequence=70,
    varied=True,
    word_dropout=0.1,
    input_dropout=0.65,
    layer_dropout=0.2,  # "between recurrent layers"
    output_dropout=0.4,  # "between layers": the last recurrent one and the output layer
    weight_dropout=0.5,
    locked=True,
    activation=2.0,
    change=1.0,
    weight_decay=1.2e-6,
    rate=30.0,
    schedule="average",
    epochs=50,  # the paper planned 750 and ran 50
    patience=20,  # averaging starts after five validations without progress and takes time to show
)
_ALL = (
    _SMALL,
    replace(_SMALL, name="gru-small", kind="gru"),
    replace(_SMALL, name="rnn-small", kind="rnn", rate=5.0),  # at 20 its loss rises
    _IMPROVED,
    Recipe(
        "lstm-french",  # Seminck et al. (2019) state sizes, optimiser, rate and output dropout; the rest is ours
        embedding=1024,
        hidden=2048,
        tied=False,
        batch=80,
        input_dropout=0.0,
        layer_dropout=0.0,
        output_dropout=0.25,
        optimiser="adagrad",
        rate=0.2,
        accumulator=1 / 35**2,  # 1 if losses were summed over 35 positions; from 0, the first step would be too large
        schedule="constant",
        epochs=10,
        patience=3,
    ),
    replace(_AWD, name="awd-lstm-small", embedding=200, hidden=200, layers=2),
    replace(_AWD, name="awd-lstm-medium", embedding=400, hidden=400, layers=3),
    _AWD,
    Recipe(
        "transformer-small",  # with 98k types it has as many parameters as lstm-improved: 43 million
        kind="transformer",
        embedding=384,
        hidden=384,
        layers=3,
        heads=6,
        inner=1024,
        batch=32,
        sequence=256,
        input_dropout=0.1,
        layer_dropout=0.1,
        output_dropout=0.1,
        weight_decay=0.1,
        optimiser="adamw",
        rate=1e-3,  # this and the rest are usual values for this size, from no paper
        clip=1.0,
        schedule="cosine",
        warmup=400,
        epochs=20,
        patience=4,
    ),
    Recipe(
        "context2vec",  # Seminck et al. (2019) state units, optimiser and rate; the rest is ours
        kind="context2vec",
        embedding=300,
        hidden=300,
        layers=1,
        tied=False,
        batch=100,
        sequence=64,
        input_dropout=0.0,
        layer_dropout=0.0,
        output_dropout=0.0,
        optimiser="adagrad",
        rate=0.001,
        clip=5.0,
        schedule="constant",
        epochs=10,
        patience=3,
        negatives=10,
        power=0.75,
    ),
)
RECIPES = {recipe.name: recipe for recipe in _ALL}
_DROPOUTS = ("word_dropout", "input_dropout", "layer_dropout", "output_dropout", "weight_dropout")
_UNUSED = {  # by the models of a kind
    **{kind: {"heads", "inner", "negatives", "power"} for kind in ("lstm", "gru", "rnn")},
    "transformer": {"hidden", "weight_dropout", "negatives", "power"},
    "context2vec": {
        "layers",
        "tied",
        "heads",
        "inner",
        "sentences",
        "varied",
        "locked",
        "activation",
        "change",
        *_DROPOUTS,
    },
}


def find_recipe(name: str, changes: Iterable[str] = ()) -> Recipe:
    """A recipe by name, with some of its fields changed.

    >>> find_recipe("lstm-small", ["batch=40", "locked=true"]).batch
    40
    """
    if name not in RECIPES:
        raise InputError(f"there is no recipe {name!r}", remedy=did_you_mean(name, RECIPES))
    recipe = change_settings(RECIPES[name], changes, fixed=("name", "kind"), unknown="recipes have no setting")
    for key in sorted(_UNUSED[recipe.kind]):
        if getattr(recipe, key) != getattr(RECIPES[name], key):
            raise InputError(f"{name} does not use {key}", remedy=f"Leave out --set {key}.")
    return checked(recipe)


def checked(recipe: Recipe) -> Recipe:
    """The recipe, if a training can follow it."""
    check_settings(recipe)
    if recipe.sentences and recipe.varied:
        message = f"{recipe.name} draws the lengths of sequences; sentences have their own"
        raise InputError(message, remedy="Add --set varied=false, or leave out --set sentences=true.")
    if recipe.kind == "transformer":
        check_heads(recipe.embedding, recipe.heads)
    return recipe


def check_heads(embedding: int, heads: int) -> None:
    """An input error unless the units of a transformer can be divided into heads of even size."""
    if embedding % (2 * heads):
        message = f"{embedding} units cannot be divided into {heads} heads of even size"
        raise InputError(message, remedy=f"Use a multiple of {2 * heads} for embedding, or change heads.")


def check_seed(seed: int) -> None:
    """An input error for a seed that not all generators accept."""
    if not 0 <= seed < SEEDS:
        raise InputError(f"the seed is {seed}", remedy=f"Use a whole number from 0 to {SEEDS - 1}.")
