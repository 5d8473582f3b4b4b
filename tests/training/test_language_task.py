import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from corpus.corpus_making import build_small
from training.training_making import small
from winoglot.errors import InputError
from winoglot.training.distributed import SINGLE, Process
from winoglot.training.language_task import all_columns, equal_columns, make_module, make_task, step_lengths
from winoglot.training.loop import train
from winoglot.training.perplexity import measure
from winoglot.training.trained import load_trained

NO_DROPOUT = ["input_dropout=0", "layer_dropout=0", "output_dropout=0"]


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


def sentence_task(corpus, *changes, process=SINGLE):
    torch.manual_seed(0)
    recipe = small("lstm-small", "sentences=true", *NO_DROPOUT, *changes)
    module = make_module(recipe, corpus.vocabulary)
    return make_task(module, recipe, corpus, 0, process, torch.float32)


def read_alone(module, sentence, eos):
    """The loss of a sentence and of the `<eos>` after it, word by word from an empty state."""
    state, last, total = (), eos, 0.0
    for token in [*sentence, eos]:
        logits, state = module.next_logits(torch.tensor([[last]]), state)
        total -= float(logits[0].double().log_softmax(0)[token])
        last = token
    return total


def test_sentences_are_read_by_themselves(corpus):
    task = sentence_task(corpus)
    eos = corpus.vocabulary.eos
    tokens = corpus.split("train").tokens.astype(np.int64)
    sentences = [part[:-1].tolist() for part in np.split(tokens, np.flatnonzero(tokens == eos) + 1) if len(part)]
    plan = task.plan(0)
    assert sorted(int(number) for step in plan for number in step) == list(range(len(sentences)))
    for step in plan[:3]:
        result = task.train(step, ())
        loss = sum(read_alone(task.module, sentences[number], eos) for number in step)
        assert result.tokens == sum(len(sentences[number]) + 1 for number in step)
        assert float(result.loss) == pytest.approx(loss / result.tokens, rel=1e-4)
        assert result.state == ()


def test_a_model_of_sentences_is_measured_by_sentences(corpus, tmp_path):
    train(small("gru-small", "sentences=true", "epochs=1"), corpus, tmp_path / "m")
    trained = load_trained(tmp_path / "m")
    tokens, eos = corpus.split("test").tokens.astype(np.int64), corpus.vocabulary.eos
    parts = [part[:-1].tolist() for part in np.split(tokens, np.flatnonzero(tokens == eos) + 1) if len(part)]
    found = measure(trained, corpus, "test")
    assert found.tokens == len(tokens)
    expected = sum(read_alone(trained.module, part, eos) for part in parts) / len(tokens)
    assert found.loss == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("processes", [2, 3])
def test_processes_share_the_sentences_of_a_step(corpus, processes):
    together = [sentence_task(corpus, process=Process(rank, processes)) for rank in range(processes)]
    step = next(step for step in together[0].plan(0) if len(step) % processes == 0)
    alone = sentence_task(corpus).train(step, ())
    results = [task.train(step, ()) for task in together]
    mean = sum(float(result.loss) for result in results) / processes
    assert mean == pytest.approx(float(alone.loss), rel=1e-4)
    sums = [task.validate() for task in together]
    total, count = sentence_task(corpus).validate()
    assert sum(share for share, _ in sums) == pytest.approx(total, rel=1e-4)
    assert sum(tokens for _, tokens in sums) == count


def test_sentences_need_validation_text(tmp_path):
    with pytest.raises(InputError, match="valid is empty"):
        sentence_task(build_small(tmp_path, held_out=0))
