"""The network against a walk over single sentences with the equations of an LSTM written out."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn import functional

from corpus.corpus_making import build_small
from winoglot.corpus.reading import Split
from winoglot.corpus.vocabulary import Vocabulary
from winoglot.errors import InputError
from winoglot.training.context2vec import Context2vec, make_module, make_task
from winoglot.training.distributed import SINGLE, Process
from winoglot.training.loop import TrainingSettings, train
from winoglot.training.recipes import find_recipe
from winoglot.training.sentences import SentenceBatch, sentences_of
from winoglot.training.trained import load_trained

WORDS = ("<unk>", "<eos>", "a", "gata", "dorme", "ladra", "o", "cão", ".")


def vocabulary(counts=(4, 9, 20, 5, 6, 3, 16, 7, 9)):
    return Vocabulary(WORDS, np.array(counts, dtype=np.uint64))


def network(**sizes):
    torch.manual_seed(3)
    return Context2vec(vocabulary(), **({"embedding": 4, "units": 5} | sizes))


def batch_of(*sentences):
    width = max(map(len, sentences))
    rows = [[*sentence, *[0] * (width - len(sentence))] for sentence in sentences]
    return SentenceBatch(torch.tensor(rows), torch.tensor([len(sentence) for sentence in sentences]))


def last_state(vectors, lstm):
    """What an LSTM holds after these vectors."""
    weights = {name: value.detach() for name, value in lstm.named_parameters()}
    hidden = cell = torch.zeros(lstm.hidden_size)
    for vector in vectors:
        gates = weights["weight_ih_l0"] @ vector + weights["bias_ih_l0"]
        gates = gates + weights["weight_hh_l0"] @ hidden + weights["bias_hh_l0"]
        enter, forget, new, out = gates.chunk(4)
        cell = torch.sigmoid(forget) * cell + torch.sigmoid(enter) * torch.tanh(new)
        hidden = torch.sigmoid(out) * torch.tanh(cell)
    return hidden


def context(model, sentence, place):
    """The vector of one place, from what stands on either side."""
    before = [1, *sentence[:place]]
    behind = [1, *reversed(sentence[place + 1 :])]
    left = last_state([model.before.weight[token].detach() for token in before], model.forwards)
    right = last_state([model.behind.weight[token].detach() for token in behind], model.backwards)
    both = model.hidden.weight @ torch.cat([left, right]) + model.hidden.bias
    return (model.output.weight @ both.clamp(min=0) + model.output.bias).detach()


SENTENCES = [[2, 3, 4, 8], [6, 7], [6, 7, 5, 0, 6, 7, 8]]


def test_a_context_is_what_the_two_lstms_hold_on_either_side():
    model = network()
    made = model.contexts(batch_of(*SENTENCES)).detach()
    for row, sentence in enumerate(SENTENCES):
        for place in range(len(sentence)):
            torch.testing.assert_close(made[row, place], context(model, sentence, place), atol=1e-6, rtol=1e-5)


def test_the_loss_is_that_of_a_walk_over_the_known_words():
    model = network()
    batch = batch_of(*SENTENCES)
    drawn = model.draw(3, 7, 3)
    found = model(batch, drawn).item()
    losses = []
    for row, sentence in enumerate(SENTENCES):
        for place, word in enumerate(sentence):
            if word == 0:
                continue
            vector = context(model, sentence, place)
            loss = -functional.logsigmoid(vector @ model.words.weight[word].detach())
            for other in drawn[row, place]:
                loss -= functional.logsigmoid(-(vector @ model.words.weight[other].detach()))
            losses.append(loss.item())
    assert len(losses) == 12
    assert found == pytest.approx(np.sum(losses), abs=1e-5)


def test_words_are_drawn_by_the_power_of_their_counts():
    model = network(power=0.5)
    shares = np.bincount(model.draw(200_000).numpy(), minlength=len(WORDS)) / 200_000
    wanted = np.sqrt([0, 0, 20, 5, 6, 3, 16, 7, 9])
    np.testing.assert_allclose(shares, wanted / wanted.sum(), atol=0.005)
    assert shares[0] == shares[1] == 0


def test_a_batch_of_unknown_words_teaches_nothing():
    model = network()
    loss = model(batch_of([0, 0, 0]), model.draw(1, 3, 2))
    loss.backward()
    assert loss.item() == 0
    assert all(not parameter.grad.any() for parameter in model.parameters())


def test_it_learns_which_word_stands_where():
    model = network(embedding=12, units=12)
    batch = batch_of([2, 3, 4, 8], [6, 7, 5, 8])
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for _ in range(150):
        optimizer.zero_grad()
        (model(batch, model.draw(2, 4, 10)) / 8).backward()
        optimizer.step()
    made = model.contexts(batch).detach()
    near = functional.normalize(made, dim=-1) @ functional.normalize(model.words.weight.detach(), dim=-1).T
    assert near[:, :, 2:].argmax(-1).add(2).tolist() == batch.tokens.tolist()


CPU = TrainingSettings(device="cpu")
SIZES = ["embedding=6", "hidden=6", "sequence=8", "negatives=3"]
RECIPE = find_recipe("context2vec", [*SIZES, "batch=2"])


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    return build_small(tmp_path_factory.mktemp("corpus"), min_count=1)


def task_of(corpus, process=SINGLE, recipe=RECIPE, seed=5):
    torch.manual_seed(1)
    return make_task(make_module(recipe, corpus.vocabulary), recipe, corpus, seed, process, torch.float32)


def test_a_plan_is_the_same_whenever_it_is_asked_for_and_another_in_another_epoch(corpus):
    first, again, other = (task_of(corpus).plan(epoch) for epoch in (3, 3, 4))
    assert [step.tolist() for step in first] == [step.tolist() for step in again]
    assert [step.tolist() for step in first] != [step.tolist() for step in other]
    assert sorted(np.concatenate(first).tolist()) == sorted(np.concatenate(other).tolist())
    reseeded = task_of(corpus, seed=6).plan(3)
    assert [step.tolist() for step in first] != [step.tolist() for step in reseeded]


@pytest.mark.parametrize("processes", [2, 3])
def test_the_mean_of_several_processes_is_what_one_finds_with_a_larger_batch(corpus, processes):
    larger = find_recipe("context2vec", [*SIZES, f"batch={2 * processes}"])
    alone = task_of(corpus, recipe=larger)
    together = [task_of(corpus, Process(rank, processes)) for rank in range(processes)]
    for step in alone.plan(0):
        assert any(np.array_equal(step, other) for other in together[0].plan(0))
        outcomes = []
        for task in (alone, *together):
            torch.manual_seed(7)
            task.module.zero_grad()
            outcomes.append(task.train(step, ()))
            outcomes[-1].objective.backward()
        mean = np.mean([outcome.loss.item() for outcome in outcomes[1:]])
        assert outcomes[0].loss.item() == pytest.approx(mean, rel=1e-5)
        assert {outcome.tokens for outcome in outcomes} == {outcomes[0].tokens}
        for name, parameter in alone.module.named_parameters():
            others = [task.module.get_parameter(name).grad for task in together]
            torch.testing.assert_close(parameter.grad, sum(others) / processes, atol=1e-6, rtol=1e-4)


def test_validation_draws_the_same_words_each_time_and_leaves_the_generator_alone(corpus):
    task = task_of(corpus)
    torch.manual_seed(7)
    wanted = torch.rand(3)
    torch.manual_seed(7)
    first, again = task.validate(), task.validate()
    assert first == again
    assert torch.equal(torch.rand(3), wanted)
    assert first[1] == sum(article.size for article in corpus.split("valid").articles()) - unscored(corpus)


def unscored(corpus):
    """Ends of sentences and unknown words; no sentence of the corpus has one word alone."""
    tokens = corpus.split("valid").tokens
    return int(((tokens == 0) | (tokens == 1)).sum())


def test_processes_share_the_validation_text_and_there_must_be_one(corpus, tmp_path):
    whole = task_of(corpus, recipe=find_recipe("context2vec", [*SIZES, "batch=4"]))
    parts = [task_of(corpus, Process(rank, 2)).validate() for rank in (0, 1)]
    total, count = whole.validate()
    assert sum(part[1] for part in parts) == count
    assert sum(part[0] for part in parts) == pytest.approx(total, rel=1e-5)
    with pytest.raises(InputError, match="there is no validation text"):
        task_of(build_small(tmp_path, min_count=1, held_out=0))


def test_a_resumed_training_ends_as_an_undisturbed_one(corpus, tmp_path):
    small = [*SIZES, "batch=6", "rate=0.05"]
    ends = [train(find_recipe("context2vec", [*small, "epochs=3"]), corpus, tmp_path / "whole", CPU)]
    train(find_recipe("context2vec", [*small, "epochs=1"]), corpus, tmp_path / "parts", CPU)
    ends.append(train(find_recipe("context2vec", [*small, "epochs=3"]), corpus, tmp_path / "parts", CPU, resume=True))
    losses = ends[0].config["losses"]["checks"]
    assert losses == ends[1].config["losses"]["checks"]
    assert losses[0] > losses[1] > losses[2]
    one, other = (load_trained(tmp_path / name).module.state_dict() for name in ("whole", "parts"))
    assert all(torch.equal(one[name], other[name]) for name in one)


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
    made = sentences_of(split_of(tokens), 1, longest=longest, shortest=2)
    pairs = zip(made.starts, made.lengths, strict=True)
    assert [made.tokens[start : start + length].tolist() for start, length in pairs] == cut(tokens, longest)


@given(streams, st.integers(2, 12), st.integers(1, 40), st.one_of(st.none(), st.integers(0, 3)))
def test_every_sentence_is_in_one_batch_and_no_batch_is_too_large(tokens, longest, words, seed):
    made = sentences_of(split_of(tokens), 1, longest=longest, shortest=2)

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
