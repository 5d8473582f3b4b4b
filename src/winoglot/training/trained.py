"""Opening a trained model: its description, its vocabulary, its network."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from winoglot.corpus.reading import VOCABULARY
from winoglot.corpus.tokenisation import RULES, Tokenisation
from winoglot.corpus.vocabulary import Vocabulary, read_vocabulary
from winoglot.errors import InputError
from winoglot.training.checkpoint import CONFIG, TrainingFolder, check_tensors, interpreting, read_tensors, weights_file
from winoglot.training.recipes import LANGUAGE_MODELS, Recipe, checked, kind_module

if TYPE_CHECKING:
    from winoglot.corpus.reading import Corpus


@dataclass(frozen=True, eq=False)
class TrainedModel:
    """A model as it was trained; `config` is the content of `config.json`."""

    path: Path
    config: dict[str, Any]
    vocabulary: Vocabulary
    module: Any  # a LanguageModel or a Context2vec, in evaluation mode

    @property
    def language(self) -> str:
        """The language of the text it was trained on, as BCP 47."""
        return str(self.config["language"])

    @cached_property
    def tokenisation(self) -> Tokenisation:
        """How the text that it was trained on was cut into words; models made earlier do not say it."""
        with interpreting(self.path / CONFIG):
            return Tokenisation(self.config.get("tokenisation", RULES), self.vocabulary, self.language)

    @property
    def kind(self) -> str:
        """The kind of network: lstm, transformer or context2vec."""
        return str(self.config["kind"])

    def need_language_model(self) -> None:
        """An input error for a model that gives no probabilities of words after others."""
        if self.kind not in LANGUAGE_MODELS:
            message = f"this is a {self.kind} model, not a language model"
            raise InputError(message, remedy="Name another model.", file=str(self.path))

    def check_vocabulary(self, corpus: Corpus) -> None:
        """An input error for a corpus in which the ids mean other words."""
        if vocabulary_hash(corpus.vocabulary) != self.config["vocabulary"]["sha256"]:
            message = (
                f"the corpus {corpus.path} has another vocabulary ({len(corpus.vocabulary)} types) than the model "
                f"({len(self.vocabulary)} types)"
            )
            remedy = "Use the corpus that the model was trained on, or texts built with it: --valid, --test."
            raise InputError(message, remedy=remedy, file=str(self.path))


def load_trained(path: Path | str, device: torch.device | str = "cpu") -> TrainedModel:
    """The model in a folder; one that is unfinished, damaged or has lost its vocabulary is an input error."""
    path = Path(path)
    config = TrainingFolder(path).read()
    with interpreting(path / CONFIG):
        recipe = _read_recipe(config["recipe"], path / CONFIG)
        if config["kind"] != recipe.kind:
            raise ValueError(f"the kind is {config['kind']!r}, that of the recipe {recipe.kind!r}")
        vocabulary = read_vocabulary(path / VOCABULARY)
        if vocabulary_hash(vocabulary) != config["vocabulary"]["sha256"]:
            message = f"this is not the vocabulary of the model, which has {config['vocabulary']['types']} types"
            raise InputError(message, remedy="Copy the model's folder again.", file=str(path / VOCABULARY))
        file = weights_file(path, config)
        tensors = read_tensors(file)
        with torch.random.fork_rng(devices=[]), torch.device("meta" if recipe.kind != "context2vec" else "cpu"):
            module = kind_module(recipe.kind).make_module(recipe, vocabulary)
        check_tensors(tensors, module.state_dict(), file)
        module.load_state_dict(tensors, assign=True)
        return TrainedModel(path, config, vocabulary, module.to(device).eval().requires_grad_(False))


def vocabulary_hash(vocabulary: Vocabulary) -> str:
    """The SHA-256 of its words, in their order."""
    return hashlib.sha256("\n".join(vocabulary.words).encode()).hexdigest()


def _read_recipe(recorded: object, file: Path) -> Recipe:
    names = {field.name for field in fields(Recipe)}
    if not isinstance(recorded, dict) or set(recorded) | {"sentences"} != names:  # models of earlier versions lack it
        raise InputError(
            "its recipe is from another version of Winoglot", remedy="Train the model again.", file=str(file)
        )
    return checked(Recipe(**recorded))
