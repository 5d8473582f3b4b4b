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


def test_words_that_were_not_counted_have_no_counts(counts):
    assert counts.times("unheard") == 0
    assert counts.cooccurrence("unheard", "w1") == counts.cooccurrence("w1", "unheard") == counts.total("unheard") == 0


def test_counts_tell_of_no_places_that_were_not_counted(tmp_path, counts):
    with pytest.raises(InputError, match="Count with --positional"):
        counts.cooccurrence("w1", "w2", offset=1)
    placed = count(corpus_of(tmp_path / "b", drawn_articles(4)), tmp_path / "placed", Counting(2, positional=True))
    with pytest.raises(InputError, match="no offset 3"):
        placed.cooccurrence("w1", "w2", offset=3)
    with pytest.raises(InputError, match="no offset 0"):
        placed.cooccurrence("w1", "w2", offset=0)


def test_a_corpus_changed_under_its_counts_is_seen(counts):
    file = counts.path.parent / "corpus" / "corpus.json"
    info = json.loads(file.read_bytes())
    file.write_text(json.dumps(info | {"hash": "0" * 64}))
    with pytest.raises(InputError, match="the corpus corpus has changed since it was counted"):
        open_counts(counts.path)


def test_tokens_added_to_the_corpus_under_its_counts_are_seen(counts):
    with (counts.path.parent / "corpus" / "train.tokens").open("ab") as file:
        file.write(bytes(8))
    with pytest.raises(InputError, match="the corpus corpus has changed since it was counted"):
        open_counts(counts.path)


def test_counts_do_not_need_their_corpus_any_more(counts):
    shutil.rmtree(counts.path.parent / "corpus")
    assert open_counts(counts.path).cooccurrence("w1", "w2") == counts.cooccurrence("w1", "w2")


@listed
def test_what_is_no_description_is_refused(counts, written, message):
    (counts.path / "counts.json").write_text(written)
    with pytest.raises(InputError, match=message):
        open_counts(counts.path)


def test_counts_of_another_format_and_folders_without_any_are_refused(tmp_path, counts):
    (counts.path / "counts.json").write_text(json.dumps(counts.info | {"format": 9}))
    with pytest.raises(InputError, match="has format 9"):
        open_counts(counts.path)
    with pytest.raises(InputError, match="no set of counts"):
        open_counts(tmp_path)


def test_counts_answer_for_their_own_language_only(counts):
    counts.check_language("en-GB")
    with pytest.raises(InputError, match="the counts are for en, the collection is in pt-BR"):
        counts.check_language("pt-BR")
