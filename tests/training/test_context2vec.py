"""The network against a walk over single sentences with the equations of an LSTM written out."""

import numpy as np
import pytest
import torch
from torch.nn import functional

from winoglot.corpus.vocabulary import Vocabulary
from winoglot.training.context2vec import Context2vec, SentenceBatch

WORDS = ("<unk>", "<eos>", "a", "gata", "dorme", "ladra", "o", "cão", ".")


@pytest.fixture(autouse=True, scope="module")
def one_thread():
    """Tiny matrices lose more to threads than they gain, and on a busy machine very much."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


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


def test_a_context_does_not_depend_on_its_own_word():
    model = network()
    one, other = model.contexts(batch_of([2, 3, 4], [2, 7, 4])).detach()
    torch.testing.assert_close(one[1], other[1])
    assert not torch.allclose(one[0], other[0])


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


def test_counts_are_no_weights():
    assert not any("noise" in name for name in network().state_dict())
