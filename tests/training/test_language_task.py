import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from winoglot.training.language_task import all_columns, equal_columns, step_lengths


@given(st.integers(1, 300), st.integers(1, 12), st.integers(1, 40))
def test_columns_predict_every_token_once_from_the_one_before_it(count, columns, block):
    tokens = np.arange(10, 10 + count, dtype=np.uint32)
    made = all_columns(tokens, min(columns, count), eos=1)
    lengths = np.diff(made.bounds)
    assert max(lengths) - min(lengths) <= 1
    seen = []
    for start in range(0, max(lengths), block):
        read = made.read(start, min(block, max(lengths) - start))
        given_tokens, targets = read[:-1], read[1:]
        for place in range(len(targets)):
            for column, length in enumerate(lengths):
                if start + place < length:
                    target = int(targets[place, column])
                    seen.append(target)
                    assert int(given_tokens[place, column]) == (1 if target == 10 else target - 1)
    assert sorted(seen) == tokens.tolist()


@given(st.integers(1, 500), st.integers(1, 9))
def test_equal_columns_leave_out_less_than_a_token_a_column(count, columns):
    made = equal_columns(np.arange(count, dtype=np.uint32), columns, eos=1)
    assert len(made.bounds) == columns + 1
    assert len(set(np.diff(made.bounds))) == 1
    assert count - made.bounds[-1] < columns


@given(st.integers(1, 3000), st.integers(0, 3), st.integers(0, 3))
def test_varied_steps_cover_the_columns_and_are_the_same_whenever_asked_for(total, seed, epoch):
    steps = step_lengths(total, 70, varied=True, seed=seed, epoch=epoch)
    assert [start for start, _ in steps] == [sum(length for _, length in steps[:at]) for at in range(len(steps))]
    assert sum(length for _, length in steps) == total
    assert all(length >= 5 for _, length in steps[:-1])
    assert steps == step_lengths(total, 70, varied=True, seed=seed, epoch=epoch)


def test_lengths_are_drawn_around_the_sequence_and_now_and_then_around_half_of_it():
    lengths = np.array([length for _, length in step_lengths(400_000, 70, varied=True, seed=0, epoch=0)])
    halves = lengths < 52
    assert 0.035 < halves.mean() < 0.065
    assert abs(lengths[~halves].mean() - 70) < 0.5
    assert abs(lengths[halves].mean() - 35) < 1.5
    assert 4.7 < lengths[~halves].std() < 5.3
    assert [length for _, length in step_lengths(400_000, 70, varied=True, seed=0, epoch=1)] != lengths.tolist()
