"""Small models in folders, as `winoglot train` leaves them, with weights that nobody trained."""

from dataclasses import asdict

import numpy as np
import torch

from winoglot.corpus.vocabulary import Vocabulary
from winoglot.training.checkpoint import CONFIG, FORMAT, WEIGHTS, save
from winoglot.training.recipes import find_recipe, kind_module
from winoglot.training.trained import vocabulary_hash

SMALL = {
    "lstm": ("lstm-small", ["embedding=12", "hidden=20"]),
    "gru": ("gru-small", ["embedding=12", "hidden=20"]),
    "rnn": ("rnn-small", ["embedding=12", "hidden=20"]),
    "untied": ("lstm-french", ["embedding=9", "hidden=13"]),
    "transformer": ("transformer-small", ["embedding=16", "heads=2", "inner=24", "sequence=8"]),
    "context2vec": ("context2vec", ["embedding=10", "hidden=7"]),
}


def vocabulary_of(words, ends=100):
    """These words behind the two marks, the first the most frequent; `ends` is how often a sentence ends."""
    counts = [3, ends, *range(len(words) + 1, 1, -1)]
    return Vocabulary(("<unk>", "<eos>", *words), np.array(counts, dtype=np.uint64))


def small_model(folder, kind, vocabulary, language="pt", seed=0):
    """A model of a kind in a folder; its weights are large enough to tell texts apart."""
    recipe = find_recipe(*SMALL[kind])
    torch.manual_seed(seed)
    module = kind_module(recipe.kind).make_module(recipe, vocabulary)
    for parameter in module.parameters():
        torch.nn.init.uniform_(parameter, -0.8, 0.8)
    about = {"sha256": vocabulary_hash(vocabulary), "types": len(vocabulary)}
    info = {"kind": recipe.kind, "recipe": asdict(recipe), "language": language, "vocabulary": about}
    save(folder, CONFIG, WEIGHTS, module.state_dict(), info | {"format": FORMAT})
    (folder / "vocabulary.txt").write_text(vocabulary.to_text(), encoding="utf-8")
    return folder
