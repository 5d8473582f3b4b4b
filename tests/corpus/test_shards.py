from collections import Counter

import numpy as np
import pytest

from corpus.shard_making import make_shards
from winoglot.corpus.build import build
from winoglot.corpus.settings import CorpusSettings
from winoglot.corpus.shards import Shard, Tally, simplifier, write_shard
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


def test_nothing_half_written_is_left_when_an_article_fails(tmp_path):
    def articles():
        yield Article("", "chove")
        raise InputError("bad")

    with pytest.raises(InputError):
        write_shard(tmp_path / "a.npz", articles(), take_tokens, Tally())
    assert list(tmp_path.iterdir()) == []


def test_an_empty_shard_is_read_and_a_damaged_one_says_how_to_go_on(tmp_path):
    empty, shard = make_shards(tmp_path, [], ["chove muito"])
    assert (empty.words(), empty.tokens.tolist(), empty.records()) == ([], [], [])
    shard.path.write_bytes(shard.path.read_bytes()[:100])
    with pytest.raises(InputError, match="Delete this file"):
        Shard(shard.path).words()


def test_an_article_is_known_by_its_id_else_by_its_text(tmp_path):
    articles = [Article("", "a", "1"), Article("", "b", "1"), Article("x", "c"), Article("y", "c")]
    (shard,) = make_shards(tmp_path, articles)
    keys = [bytes(row) for row in shard.identities()]
    assert keys[0] == keys[1] != keys[2] == keys[3]


LINES = "他兒子的書在這裡。\n我們喝了頭髮水。\n他兒子喜歡書。\n"


def text_of(corpus):
    return "".join(map(corpus.vocabulary.word, corpus.split("train").tokens.tolist())).replace("<eos>", "")


@pytest.fixture
def source(tmp_path):
    (tmp_path / "a.txt").write_text(LINES, encoding="utf-8")
    return str(tmp_path / "a.txt")


def test_chinese_becomes_simplified_unless_that_is_not_wanted(tmp_path, source):
    pytest.importorskip("opencc")
    made = build([source], tmp_path / "c", CorpusSettings("zh", min_count=1, held_out=0))
    assert text_of(made) == "他儿子的书在这里。我们喝了头发水。他儿子喜欢书。"
    for language, more in (("zh-TW", {}), ("zh", {"simplified": False})):
        settings = CorpusSettings(language, min_count=1, held_out=0, **more)
        assert text_of(build([source], tmp_path / language, settings)) == LINES.replace("\n", "")


def test_without_the_library_the_error_says_how_to_get_it(tmp_path, source, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "opencc", None)
    simplifier.cache_clear()
    with pytest.raises(InputError, match=r'pip install "winoglot\[corpus\]"'):
        build([source], tmp_path / "c", CorpusSettings("zh"))
    simplifier.cache_clear()
    assert not (tmp_path / "c").exists()
