"""A trained model, opened: what it is, its vocabulary, its network."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from winoglot.corpus.reading import VOCABULARY
from winoglot.corpus.vocabulary import Vocabulary, read_vocabulary
from winoglot.errors import InputError
from winoglot.training.base import kind_module
from winoglot.training.checkpoint import check_tensors, following, read_description, read_tensors
from winoglot.training.recipes import Recipe, checked

if TYPE_CHECKING:
    from winoglot.corpus.reading import Corpus

CONFIG, WEIGHTS, CHECKPOINTS = "config.json", "model.safetensors", "checkpoints"
LANGUAGE_MODELS = ("lstm", "transformer")


@dataclass(frozen=True, eq=False)
class Trained:
    """A model as it was trained; `config` is the content of `config.json`."""

    path: Path
    config: dict[str, Any]
    vocabulary: Vocabulary
    module: Any  # of its kind: a LanguageModel, a Context2vec; in evaluation mode

    @property
    def language(self) -> str:
        """Of the text it was trained on, as BCP 47."""
        return str(self.config["language"])

    @property
    def kind(self) -> str:
        """lstm, transformer or context2vec."""
        return str(self.config["kind"])

    def need_language_model(self) -> None:
        """An input error for a model that gives no probabilities of words after others."""
        if self.kind not in LANGUAGE_MODELS:
            raise InputError(f"is a {self.kind}, no language model", remedy="Name another model.", file=str(self.path))

    def check_vocabulary(self, corpus: Corpus) -> None:
        """An input error for a corpus whose ids mean other words."""
        if vocabulary_hash(corpus.vocabulary) != self.config["vocabulary"]["sha256"]:
            message = (
                f"the corpus {corpus.path} has another vocabulary ({len(corpus.vocabulary)} types) than the model "
                f"({len(self.vocabulary)} types)"
            )
            remedy = "Take the corpus that the model was trained on, or texts built with it: --valid, --test."
            raise InputError(message, remedy=remedy, file=str(self.path))


def load_trained(path: Path | str, device: torch.device | str = "cpu") -> Trained:
    """The model in a folder; one that is not whole, or fits its vocabulary no more, is an input error."""
    path = Path(path)
    config = read_config(path)
    with following(path / CONFIG):
        return _opened(path, config, device)


def read_config(path: Path) -> dict[str, Any]:
    """What the model in a folder is; a folder without one is an input error."""
    if not (path / CONFIG).is_file():
        raise _absent(path)
    return read_description(path / CONFIG, {"kind", "recipe", "language", "vocabulary"})


def _opened(path: Path, config: dict[str, Any], device: torch.device | str) -> Trained:
    recipe = read_recipe(config["recipe"], path / CONFIG)
    if config["kind"] != recipe.kind:
        raise ValueError(f"the kind is {config['kind']!r}, that of the recipe {recipe.kind!r}")
    vocabulary = read_vocabulary(path / VOCABULARY)
    if vocabulary_hash(vocabulary) != config["vocabulary"]["sha256"]:
        message = f"is not the vocabulary that the model was trained with ({config['vocabulary']['types']} types)"
        remedy = "Copy the model's folder anew."
        raise InputError(message, remedy=remedy, file=str(path / VOCABULARY))
    file = path / str(config["weights"])
    tensors = read_tensors(file)
    with torch.random.fork_rng(devices=[]), torch.device("meta" if recipe.kind != "context2vec" else "cpu"):
        module = kind_module(recipe.kind).make_module(recipe, vocabulary)
    check_tensors(tensors, module.state_dict(), file)
    module.load_state_dict(tensors, assign=True)
    return Trained(path, config, vocabulary, module.to(device).eval().requires_grad_(False))


def read_recipe(found: object, file: Path) -> Recipe:
    """The recipe of a description."""
    names = {field.name for field in fields(Recipe)}
    if not isinstance(found, dict) or set(found) != names:
        raise InputError("its recipe is of another version", remedy="Train the model again.", file=str(file))
    return checked(Recipe(**found))


def vocabulary_hash(vocabulary: Vocabulary) -> str:
    """The SHA-256 of its words, in their order."""
    return hashlib.sha256("\n".join(vocabulary.words).encode()).hexdigest()


def _absent(path: Path) -> InputError:
    if (path / CHECKPOINTS / "best" / CONFIG).is_file():
        remedy = f"Go on with --resume, or take the best so far: {path / CHECKPOINTS / 'best'}."
        return InputError("the training is not finished", remedy=remedy, file=str(path))
    if (path / CHECKPOINTS).is_dir():
        return InputError("the training is not finished", remedy="Go on: winoglot train … --resume.", file=str(path))
    return InputError(f"no model: there is no {CONFIG}", remedy="Make one: winoglot train … -o DIR.", file=str(path))
