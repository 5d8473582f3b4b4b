"""The words that fit a context best, by a context2vec model."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch.nn import functional

from winoglot.errors import InputError
from winoglot.languages.tokens import words
from winoglot.training.context2vec import Context2vec
from winoglot.training.sentences import SentenceBatch

if TYPE_CHECKING:
    from winoglot.training.trained import Trained

_BLANK = re.compile(r"_+")


@dataclass(frozen=True)
class Near:
    """A word and the cosine of its vector with that of the context."""

    word: str
    cosine: float


def nearest_words(trained: Trained, text: str, count: int) -> list[Near]:
    """The words nearest to the context of the blank in a sentence, the nearest first; `<unk>` and `<eos>` never."""
    if count < 1:
        raise InputError(f"{count} words were asked for", remedy="Give a number from 1.")
    parts = _BLANK.split(text)
    if len(parts) != 2:
        found = "no blank" if len(parts) < 2 else f"{len(parts) - 1} blanks"
        raise InputError(f"the sentence has {found}: {text!r}", remedy="Write ___ in the place of one word.")
    vocabulary, model = trained.vocabulary, trained.module
    assert isinstance(model, Context2vec)
    before, behind = (vocabulary.ids(words(part, trained.language)).tolist() for part in parts)
    device = model.words.weight.device
    tokens = torch.tensor([[*before, vocabulary.unk, *behind]], device=device)
    with torch.inference_mode():
        made = model.contexts(SentenceBatch(tokens, torch.tensor([tokens.shape[1]], device=device)))[0, len(before)]
        cosines = functional.normalize(model.words.weight, dim=-1) @ functional.normalize(made, dim=-1)
        cosines[[vocabulary.unk, vocabulary.eos]] = -torch.inf
        values, ids = cosines.topk(min(count, len(vocabulary) - 2))
    return [Near(vocabulary.word(number), value) for number, value in zip(ids.tolist(), values.tolist(), strict=True)]
