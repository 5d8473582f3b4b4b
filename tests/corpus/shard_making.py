"""Shards and texts for tests of the passes behind them."""

import random
from functools import partial

from winoglot.corpus.shards import Shard, Tally, write_shard
from winoglot.corpus.sources import Article
from winoglot.corpus.vocabulary import take_tokens

WORDS = [*"abcdefghijklmnop", "água", "小雯", "𝔸"]


def make_shards(folder, *groups):
    """A shard a group; a group is a list of tokenised texts, or of articles."""
    shards = []
    for number, group in enumerate(groups):
        path = folder / f"train-{number:06d}.npz"
        articles = (Article("", one) if isinstance(one, str) else one for one in group)
        write_shard(path, articles, partial(take_tokens), Tally())
        shards.append(Shard(path))
    return shards


def random_texts(count, seed=0, longest=30):
    """Tokenised texts with few words, some of them rare; no two alike."""
    draw = random.Random(seed)
    weights = [1 / (rank + 1) ** 1.5 for rank in range(len(WORDS))]
    texts = [
        "\n".join(" ".join(draw.choices(WORDS, weights, k=draw.randint(1, 8))) for _ in range(draw.randint(1, longest)))
        for _ in range(count)
    ]
    return [f"nr{number} {text}" for number, text in enumerate(texts)]
