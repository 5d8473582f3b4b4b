from itertools import takewhile

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from winoglot.models.scoring.packing import build, pack

SEQUENCES = st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=6), min_size=1, max_size=8)


@given(SEQUENCES)
def test_every_path_spells_its_sequence_and_sees_only_itself(sequences):
    tree = build(sequences)
    first, end = tree.spans()
    seen = (first <= first[:, None]) & (first[:, None] < end)
    for sequence, path in zip(sequences, tree.paths, strict=True):
        assert tree.tokens[path].tolist() == sequence
        assert tree.depths[path].tolist() == list(range(len(sequence)))
        for place, node in enumerate(path):
            assert set(np.nonzero(seen[node])[0]) == set(path[: place + 1])


@given(SEQUENCES)
def test_shared_beginnings_are_stored_once(sequences):
    beginnings = {tuple(sequence[: end + 1]) for sequence in sequences for end in range(len(sequence))}
    assert build(sequences).size == len(beginnings)


@given(SEQUENCES, st.integers(1, 12))
def test_packs_hold_every_sequence_once_and_no_more_than_they_may(sequences, most):
    packs = pack(sequences, most)
    assert sorted(number for _, numbers in packs for number in numbers) == list(range(len(sequences)))
    for tree, numbers in packs:
        columns = zip(*(sequences[number] for number in numbers), strict=False)
        beginning = len(list(takewhile(lambda column: len(set(column)) == 1, columns)))
        assert tree.size - beginning <= most or len(numbers) == 1
        for number, path in zip(numbers, tree.paths, strict=True):
            assert tree.tokens[path].tolist() == sequences[number]


def test_a_beginning_longer_than_a_pack_is_shared_by_many_sequences():
    beginning = list(range(100, 700))
    packs = pack([[*beginning, number, number] for number in range(50)], 60)
    assert [len(numbers) for _, numbers in packs] == [30, 20]
    assert sum(tree.size for tree, _ in packs) == 2 * 600 + 50 * 2
