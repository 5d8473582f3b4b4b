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
    with pytest.raises(InputError, match="Known: test, train, valid"):
        corpus.split("dev")


def test_a_token_or_a_vocabulary_that_was_changed_is_seen(corpus):
    corpus.verify()
    tokens, words = corpus.path / "train.tokens", corpus.path / "vocabulary.txt"
    data = bytearray(tokens.read_bytes())
    data[0] ^= 1
    tokens.write_bytes(data)
    with pytest.raises(InputError, match="do not match"):
        open_corpus(corpus.path).verify()
    words.write_text("\n".join(words.read_text(encoding="utf-8").split("\n")[:-2]) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match="types"):
        _ = open_corpus(corpus.path).vocabulary


def test_a_description_that_is_none_is_refused(corpus):
    file = corpus.path / "corpus.json"
    later = json.dumps(json.loads(file.read_text(encoding="utf-8")) | {"format": 2})
    for content, message in (
        *((text, r"corpus\.json") for text in ("[]", "{}", '{"format": 1}')),
        (later, "has format 2; this version reads format 1"),
    ):
        file.write_text(content, encoding="utf-8")
        with pytest.raises(InputError, match=message):
            open_corpus(corpus.path)
    file.unlink()
    with pytest.raises(InputError, match="winoglot corpus build"):
        open_corpus(corpus.path)
    (corpus.path / "building").mkdir()
    with pytest.raises(InputError, match="not finished"):
        open_corpus(corpus.path)
