import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from winoglot.corpus.reading import Split
from winoglot.training.context2vec import sentences_of

streams = st.lists(st.integers(0, 9), max_size=80)


def split_of(tokens):
    return Split("train", np.array(tokens, dtype=np.uint32), np.array([0, len(tokens)]))


def cut(tokens, longest):
    """Word by word: a sentence ends at 1, and a longer one is cut; those of one word are left out."""
    found = [[]]
    for token in tokens:
        if token == 1 or len(found[-1]) == longest:
            found.append([])
        if token != 1:
            found[-1].append(token)
    return [sentence for sentence in found if len(sentence) > 1]


@given(streams, st.integers(2, 12))
def test_sentences_are_those_of_a_walk_word_by_word(tokens, longest):
    made = sentences_of(split_of(tokens), 1, longest=longest)
    pairs = zip(made.starts, made.lengths, strict=True)
    assert [made.tokens[start : start + length].tolist() for start, length in pairs] == cut(tokens, longest)


@given(streams, st.integers(2, 12), st.integers(1, 40), st.one_of(st.none(), st.integers(0, 3)))
def test_every_sentence_is_in_one_batch_and_no_batch_is_too_large(tokens, longest, words, seed):
    made = sentences_of(split_of(tokens), 1, longest=longest)

    def plan():
        return made.batches(words, None if seed is None else np.random.default_rng(seed))

    numbers = plan()
    assert sorted(number for batch in numbers for number in batch) == list(range(len(made)))
    rows = []
    for some in numbers:
        batch = made.batch(some)
        assert len(some) == 1 or batch.tokens.numel() <= words
        assert batch.inside.sum(1).tolist() == batch.lengths.tolist()
        rows += [row[:length].tolist() for row, length in zip(batch.tokens, batch.lengths, strict=True)]
    assert sorted(rows) == sorted(cut(tokens, longest))
    assert [batch.tolist() for batch in plan()] == [batch.tolist() for batch in numbers]


def test_another_seed_mixes_otherwise():
    made = sentences_of(split_of([2, 3, 1] * 50), 1, longest=5)
    one, other = (made.batches(8, np.random.default_rng(seed)) for seed in (0, 1))
    assert [batch.tolist() for batch in one] != [batch.tolist() for batch in other]
