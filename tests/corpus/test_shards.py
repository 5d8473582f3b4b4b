from collections import Counter

import numpy as np
import pytest

from corpus.shard_making import make_shards
from winoglot.corpus.shards import Shard, Tally, write_shard
from winoglot.corpus.sources import Article
from winoglot.corpus.vocabulary import take_tokens
from winoglot.errors import InputError


def test_what_is_written_is_read(tmp_path):
    tally = Tally(Counter({"redirect": 2}), Counter({"Info": 1}))
    articles = [Article("Chuva", "chove .\nchove", "7", "8"), Article("nada", " "), Article("", "neva", "", "")]
    path = tmp_path / "a.npz"
    write_shard(path, iter(articles), take_tokens, tally, "digest")
    shard = Shard(path)
    assert shard.words() == ["chove", ".", "neva"]
    assert shard.tokens.tolist() == [2, 3, 1, 2, 1, 4, 1]
    assert shard.ends.tolist() == [5, 7]
    assert shard.records() == [["Chuva", "7", "8"], ["", "", ""]]
    assert shard.tally() == Tally(Counter({"redirect": 2, "empty": 1}), Counter({"Info": 1}))
    assert shard.digest() == "digest"
    assert shard.word_counts(np.array([True, False])).tolist() == [0, 2, 2, 1, 0]


def test_a_shard_may_be_empty(tmp_path):
    (shard,) = make_shards(tmp_path, [])
    assert (shard.words(), shard.tokens.tolist(), shard.records()) == ([], [], [])


def test_nothing_half_written_is_left_when_an_article_fails(tmp_path):
    def articles():
        yield Article("", "chove")
        raise InputError("bad")

    with pytest.raises(InputError):
        write_shard(tmp_path / "a.npz", articles(), take_tokens, Tally())
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_shard_says_how_to_go_on(tmp_path):
    (shard,) = make_shards(tmp_path, ["chove muito"])
    shard.path.write_bytes(shard.path.read_bytes()[:100])
    with pytest.raises(InputError, match="Delete this file"):
        Shard(shard.path).words()


def test_an_article_is_known_by_its_id_else_by_its_text(tmp_path):
    (shard,) = make_shards(
        tmp_path, [Article("", "a", "1"), Article("", "b", "1"), Article("x", "c"), Article("y", "c")]
    )
    keys = [bytes(row) for row in shard.identities()]
    assert keys[0] == keys[1] != keys[2] == keys[3]
