from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import for_each
from corpus.shard_making import make_shards, random_texts
from winoglot.corpus.encoding import make_vocabulary
from winoglot.corpus.settings import CorpusSettings
from winoglot.corpus.splitting import NONE, TEST, TRAIN, VALID, divide, reduce_tokens, reduce_types
from winoglot.errors import InputError


def divided(folder, *groups, roles=None, **settings):
    shards = make_shards(folder, *groups)
    return divide(
        shards, roles or ["train"] * len(groups), CorpusSettings("pt", **settings), draw_held_out=roles is None
    )


def by_text(groups, division):
    texts = [text for group in groups for text in group]
    return dict(zip(texts, division.splits.tolist(), strict=True))


def test_valid_and_test_get_their_share_and_one_article_at_least(tmp_path):
    division = divided(tmp_path, random_texts(200), held_out=0.1)
    assert np.bincount(division.splits).tolist() == [160, 20, 20]
    assert sorted(division.order.tolist()) == np.flatnonzero(division.splits == TRAIN).tolist()
    assert sorted(divided(tmp_path, random_texts(3)).splits.tolist()) == [TRAIN, VALID, TEST]
    assert divided(tmp_path, random_texts(2)).splits.tolist() == [TRAIN, TRAIN]
    assert divided(tmp_path, random_texts(9), held_out=0).splits.tolist() == [TRAIN] * 9


def test_the_split_depends_on_the_seed_and_the_article_not_on_its_place(tmp_path):
    texts = random_texts(100)
    whole, turned = [texts], [texts[60:], texts[:60]]
    first = by_text(whole, divided(tmp_path, *whole, held_out=0.2))
    assert by_text(turned, divided(tmp_path, *turned, held_out=0.2)) == first
    assert by_text(whole, divided(tmp_path, *whole, held_out=0.2, seed=1)) != first


def test_the_first_of_several_copies_is_kept_unless_all_are_wanted(tmp_path):
    division = divided(tmp_path, ["a", "b", "a"], ["c", "b", "a"], held_out=0)
    assert division.splits.tolist() == [TRAIN, TRAIN, NONE, TRAIN, NONE, NONE]
    assert division.duplicates == {"train": 3, "valid": 0, "test": 0}
    division = divided(tmp_path, ["a", "a", "a"], held_out=0, keep_duplicates=True)
    assert (division.splits.tolist(), division.duplicates["train"]) == ([TRAIN] * 3, 0)


def test_of_copies_in_given_splits_the_asked_one_is_kept(tmp_path):
    division = divided(tmp_path, ["a", "b", "c"], ["b", "d"], ["a", "d"], roles=["train", "valid", "test"])
    assert division.splits.tolist() == [NONE, NONE, TRAIN, VALID, NONE, TEST, TEST]
    assert division.duplicates == {"train": 2, "valid": 1, "test": 0}


@given(st.integers(1, 2000))
def test_a_reduced_corpus_is_nearest_to_the_tokens_asked_for(tmp_path_factory, tokens):
    division = divided(tmp_path_factory.mktemp("s"), random_texts(30, longest=4), held_out=0.1)
    sums = np.cumsum(division.lengths[division.order]).tolist()
    if tokens > sums[-1]:
        with pytest.raises(InputError, match=f"the training text has {sums[-1]}"):
            reduce_tokens(division, tokens)
        return
    reduced = reduce_tokens(division, tokens)
    found = int(division.lengths[reduced.splits == TRAIN].sum())
    assert abs(found - tokens) == min(abs(total - tokens) for total in sums)
    assert (reduced.splits[division.splits != TRAIN] == division.splits[division.splits != TRAIN]).all()


def test_a_smaller_reduced_corpus_is_part_of_a_larger_one(tmp_path):
    division = divided(tmp_path, random_texts(40))
    small, large = (set(reduce_tokens(division, tokens).order.tolist()) for tokens in (500, 1500))
    assert small < large


TEXTS = random_texts(40, longest=3)


def types_of(texts, min_count):
    counts = Counter(word for text in texts for word in text.split())
    return 2 + sum(count >= min_count for count in counts.values())


def reduced(folder, types, min_count):
    groups = [TEXTS[:15], TEXTS[15:16], TEXTS[16:]]
    shards = make_shards(folder, *groups)
    settings = CorpusSettings("pt", min_count=min_count, held_out=0.1)
    division = divide(shards, ["train"] * 3, settings, draw_held_out=True)
    paths = [shard.path for shard in shards]
    vocabulary = make_vocabulary(paths, division, settings, lambda done, total: None)
    return division, reduce_types(paths, division, vocabulary, min_count, types)


@for_each(("types", "min_count"), product((6, 8, 11, 14), (1, 2, 3)))
def test_train_is_the_longest_beginning_with_no_more_types(tmp_path, types, min_count):
    division, found = reduced(tmp_path, types, min_count)
    fitting = [
        length
        for length in range(len(division.order) + 1)
        if types_of([TEXTS[number] for number in division.order[:length]], min_count) <= types
    ]
    assert len(found.order) == max(fitting)


def test_only_as_many_types_as_there_are_can_be_had(tmp_path):
    for types, message in ((10_000, r"the whole training text has \d+"), (3, "Ask for more")):
        with pytest.raises(InputError, match=message):
            reduced(tmp_path, types, 1)
