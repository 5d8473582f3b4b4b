from collections import Counter

import pytest

from corpus.shard_making import make_shards, random_texts
from winoglot.corpus import encoding
from winoglot.corpus.encoding import make_vocabulary
from winoglot.corpus.settings import CorpusSettings
from winoglot.corpus.splitting import TRAIN, divide

TEXTS = random_texts(60)


def counted(texts):
    """The slow way: words by count, then by their letters."""
    counts = Counter(word for text in texts for word in text.split())
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


@pytest.mark.parametrize("most_words", [2, 5, 1000])
@pytest.mark.parametrize("limit", [{"min_count": 1}, {"min_count": 7}, {"max_vocab": 5}, {"max_vocab": 500}])
def test_the_vocabulary_is_counted_in_train_alone(tmp_path, monkeypatch, most_words, limit):
    monkeypatch.setattr(encoding, "_MOST_WORDS", most_words)
    groups = [TEXTS[start : start + 10] for start in range(0, 60, 10)]
    shards = make_shards(tmp_path, *groups)
    settings = CorpusSettings("pt", held_out=0.2, **limit)
    division = divide(shards, ["train"] * 6, settings, draw_held_out=True)
    train = [text for text, split in zip(TEXTS, division.splits, strict=True) if split == TRAIN]
    told = []
    found = make_vocabulary(
        [shard.path for shard in shards], division, settings, lambda done, total: told.append((done, total))
    )
    everything = counted(train)
    kept = (
        everything[: limit["max_vocab"]]
        if "max_vocab" in limit
        else [p for p in everything if p[1] >= limit["min_count"]]
    )
    assert list(zip(found.words, found.counts.tolist(), strict=True))[2:] == kept
    assert found.counts[0] == sum(count for _, count in everything) - sum(count for _, count in kept)
    assert found.counts[1] == sum(len(text.split("\n")) for text in train)
    assert told[-1][0] == told[-1][1] == 6 * len(told) / 6
    assert (len(told) > 6) == (most_words < len(everything))
