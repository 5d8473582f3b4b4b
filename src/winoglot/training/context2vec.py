"""context2vec: a vector for the context of a word, in the space of the words that may stand there.

One LSTM reads what stands before the word, another, with embeddings of its own, what stands behind it, from the end;
a small network makes one vector of both. It learns to be near the word that stands there and far from words drawn at
random, in proportion to a power of their counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch.nn import functional

if TYPE_CHECKING:
    from winoglot.corpus.vocabulary import Vocabulary
    from winoglot.training.sentences import SentenceBatch


class Context2vec(torch.nn.Module):
    """The network. The marks `<unk>` and `<eos>` are neither learned as words nor drawn."""

    noise: torch.Tensor

    def __init__(self, vocabulary: Vocabulary, *, embedding: int = 300, units: int = 300, power: float = 0.75) -> None:
        """With weights from torch's generator; `embedding` is the size of the words' vectors, `units` an LSTM's."""
        super().__init__()
        self.unk, self.eos = vocabulary.unk, vocabulary.eos
        size = len(vocabulary)
        self.before = torch.nn.Embedding(size, embedding)
        self.behind = torch.nn.Embedding(size, embedding)
        self.forwards = torch.nn.LSTM(embedding, units, batch_first=True)
        self.backwards = torch.nn.LSTM(embedding, units, batch_first=True)
        self.hidden = torch.nn.Linear(2 * units, 2 * units)
        self.output = torch.nn.Linear(2 * units, embedding)
        self.words = torch.nn.Embedding(size, embedding)
        for table in (self.before, self.behind, self.words):
            torch.nn.init.normal_(table.weight, std=table.embedding_dim**-0.5)
        shares = torch.from_numpy(vocabulary.counts.astype("float64")) ** power
        shares[[self.unk, self.eos]] = 0
        # 64 bits: the share of a rare word is smaller than the rounding of a sum near 1 in 32. Not a weight of the
        # model, since the vocabulary beside it has the counts.
        self.register_buffer("noise", torch.cumsum(shares / shares.sum().clamp_min(1e-300), 0), persistent=False)

    def contexts(self, batch: SentenceBatch) -> torch.Tensor:
        """For every place of every row the vector of what stands around it: [rows, places, embedding]."""
        tokens = batch.tokens
        border = tokens.new_full((len(tokens), 1), self.eos)
        left, _ = self.forwards(self.before(torch.cat([border, tokens[:, :-1]], 1)))
        # A row turned round begins with its last word; what stands behind the end stays where it is.
        places = torch.arange(tokens.shape[1], device=tokens.device).expand_as(tokens)
        turned = torch.where(batch.inside, batch.lengths[:, None] - 1 - places, places)
        backwards = tokens.gather(1, turned)
        right, _ = self.backwards(self.behind(torch.cat([border, backwards[:, :-1]], 1)))
        right = right.gather(1, turned[..., None].expand_as(right))
        found: torch.Tensor = self.output(functional.relu(self.hidden(torch.cat([left, right], -1))))
        return found

    def draw(self, *shape: int, generator: torch.Generator | None = None) -> torch.Tensor:
        """Words at random, in proportion to the power of their counts."""
        places = torch.rand(*shape, dtype=torch.float64, device=self.noise.device, generator=generator)
        drawn = torch.searchsorted(self.noise, places, right=True)
        return drawn.clamp_(max=len(self.noise) - 1)

    def known(self, batch: SentenceBatch) -> torch.Tensor:
        """Where a batch has a word to learn from."""
        return batch.inside & (batch.tokens != self.unk)

    def forward(self, batch: SentenceBatch, drawn: torch.Tensor) -> torch.Tensor:
        """The sum, over the known words of the batch, of the negative log likelihood of telling them from those drawn.

        `drawn` has some words for each place: [rows, places, words].
        """
        contexts = self.contexts(batch)
        right = (contexts * self.words(batch.tokens)).sum(-1).float()
        wrong = torch.einsum("rpe,rpke->rpk", contexts, self.words(drawn)).float()
        losses = functional.logsigmoid(right) + functional.logsigmoid(-wrong).sum(-1)
        # Others get no weight rather than no row: to pick rows, the processor would have to wait for the device.
        return -(losses * self.known(batch)).sum()
