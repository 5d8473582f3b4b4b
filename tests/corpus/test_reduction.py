from collections import Counter

import pytest

from corpus.shard_making import make_shards, random_texts
from winoglot.corpus.encoding import make_vocabulary
from winoglot.corpus.settings import CorpusSettings
from winoglot.corpus.splitting import divide, reduce_types
from winoglot.errors import InputError

TEXTS = random_texts(40, longest=3)


def types_of(texts, min_count):
    counts = Counter(word for text in texts for word in text.split())
    return 2 + sum(count >= min_count for count in counts.values())


def reduced(folder, types, min_count):
    groups = [TEXTS[:15], TEXTS[15:16], TEXTS[16:]]
    shards = make_shards(folder, *groups)
    settings = CorpusSettings("pt", min_count=min_count, held_out=0.1)
    division = divide(shards, ["train"] * 3, settings, own=True)
    paths = [shard.path for shard in shards]
    vocabulary = make_vocabulary(paths, division, settings, lambda done, total: None)
    return division, reduce_types(paths, division, vocabulary, min_count, types)


@pytest.mark.parametrize("min_count", [1, 2, 3])
@pytest.mark.parametrize("types", [6, 8, 11, 14])
def test_train_is_the_longest_beginning_with_no_more_types(tmp_path, types, min_count):
    division, found = reduced(tmp_path, types, min_count)
    fitting = [
        length
        for length in range(len(division.order) + 1)
        if types_of([TEXTS[number] for number in division.order[:length]], min_count) <= types
    ]
    assert len(found.order) == max(fitting)


def test_the_whole_has_its_own_number_of_types(tmp_path):
    with pytest.raises(InputError, match=r"the whole training text has \d+"):
        reduced(tmp_path, 10_000, 1)


def test_fewer_types_than_one_article_has_cannot_be_had(tmp_path):
    with pytest.raises(InputError, match="Ask for more"):
        reduced(tmp_path, 3, 1)
