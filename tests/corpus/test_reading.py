import json

import numpy as np
import pytest

from corpus.corpus_making import build_small
from winoglot.corpus.reading import open_corpus
from winoglot.errors import InputError


@pytest.fixture
def corpus(tmp_path):
    return build_small(tmp_path)


def test_tokens_and_articles_are_mapped(corpus):
    train = corpus.split("train")
    assert isinstance(train.tokens, np.memmap)
    assert train.tokens.dtype == np.dtype("<u4")
    assert np.array_equal(np.concatenate(list(train.articles())), train.tokens)
    assert all(article[-1] == corpus.vocabulary.eos for article in train.articles())
    words = [corpus.vocabulary.word(number) for number in train.article(0).tolist()]
    assert words[:1] == ["Artigo"]


def test_a_split_that_does_not_exist_is_refused(corpus):
    with pytest.raises(InputError, match="Known: test, train, valid"):
        corpus.split("dev")


def test_a_folder_without_description_is_no_corpus(corpus):
    (corpus.path / "corpus.json").unlink()
    with pytest.raises(InputError, match="winoglot corpus build"):
        open_corpus(corpus.path)
    (corpus.path / "building").mkdir()
    with pytest.raises(InputError, match="not finished"):
        open_corpus(corpus.path)


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"format": 1}'])
def test_a_description_that_is_none_is_refused(corpus, content):
    (corpus.path / "corpus.json").write_text(content)
    with pytest.raises(InputError, match=r"corpus\.json"):
        open_corpus(corpus.path)


def test_a_later_format_is_not_guessed_at(corpus):
    file = corpus.path / "corpus.json"
    file.write_text(json.dumps(json.loads(file.read_text(encoding="utf-8")) | {"format": 2}), encoding="utf-8")
    with pytest.raises(InputError, match="has format 2; this version reads format 1"):
        open_corpus(corpus.path)


def test_a_token_that_was_changed_is_seen_when_the_corpus_is_verified(corpus):
    corpus.verify()
    file = corpus.path / "train.tokens"
    data = bytearray(file.read_bytes())
    data[0] ^= 1
    file.write_bytes(data)
    with pytest.raises(InputError, match="do not match"):
        open_corpus(corpus.path).verify()


def test_a_vocabulary_that_lacks_a_word_is_seen(corpus):
    file = corpus.path / "vocabulary.txt"
    file.write_text("\n".join(file.read_text(encoding="utf-8").split("\n")[:-2]) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match="types"):
        _ = open_corpus(corpus.path).vocabulary
