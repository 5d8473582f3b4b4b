import json
import shutil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import listed
from corpus.count_making import corpus_of, counts_of, drawn_articles
from winoglot.corpus.counting import Counting, count
from winoglot.corpus.counts import Counts, open_counts, write_words
from winoglot.errors import InputError


@pytest.fixture
def counts(tmp_path):
    return counts_of(tmp_path, drawn_articles(4), window=2)


@given(words=st.sets(st.text("abzéß字", min_size=1, max_size=4), min_size=1), other=st.text("abzé", max_size=3))
def test_every_word_is_found_by_its_letters_and_no_other(tmp_path_factory, words, other):
    folder = tmp_path_factory.mktemp("words")
    import numpy as np

    from winoglot.languages.frequencies import word_key

    known = tuple({word_key(word): None for word in words})
    write_words(folder, known, np.ones(len(known), int))
    file = Counts(folder, {"words": len(known)}).words
    assert [file.number(word) for word in known] == list(range(len(known)))
    assert [file.word(number) for number in range(len(file))] == list(known)
    assert (file.number(other) is None) == (word_key(other) not in known)


def test_counts_tell_of_no_places_that_were_not_counted(tmp_path, counts):
    with pytest.raises(InputError, match="Count with --positional"):
        counts.cooccurrence("w1", "w2", offset=1)
    placed = count(corpus_of(tmp_path / "b", drawn_articles(4)), tmp_path / "placed", Counting(2, positional=True))
    with pytest.raises(InputError, match="no offset 3"):
        placed.cooccurrence("w1", "w2", offset=3)
    with pytest.raises(InputError, match="no offset 0"):
        placed.cooccurrence("w1", "w2", offset=0)


def test_counts_belong_to_their_corpus_and_do_not_need_it(counts):
    folder = counts.path.parent / "corpus"
    description = (folder / "corpus.json").read_bytes()
    changed = json.dumps(json.loads(description) | {"hash": "0" * 64}).encode()
    tokens = (folder / "train.tokens").read_bytes()
    for name, before, after in (("corpus.json", description, changed), ("train.tokens", tokens, tokens + bytes(8))):
        (folder / name).write_bytes(after)
        with pytest.raises(InputError, match="the corpus corpus has changed since it was counted"):
            open_counts(counts.path)
        (folder / name).write_bytes(before)
    shutil.rmtree(folder)
    again = open_counts(counts.path)
    assert again.cooccurrence("w1", "w2") == counts.cooccurrence("w1", "w2")
    assert (again.times("unheard"), again.total("unheard"), again.cooccurrence("unheard", "w1")) == (0, 0, 0)
    again.check_language("en-GB")
    with pytest.raises(InputError, match="the counts are for en, the collection is in pt-BR"):
        again.check_language("pt-BR")


@listed
def test_what_is_no_description_is_refused(counts, written, message):
    (counts.path / "counts.json").write_text(written)
    with pytest.raises(InputError, match=message):
        open_counts(counts.path)
    with pytest.raises(InputError, match="no set of counts"):
        open_counts(counts.path.parent)
