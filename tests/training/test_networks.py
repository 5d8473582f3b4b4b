import math

import pytest
import torch
from torch.nn import functional

from training.training_making import LANGUAGE_MODELS, small
from winoglot.training.distributed import Process
from winoglot.training.networks import (
    LanguageModel,
    Recurrent,
    RecurrentLayer,
    Transformer,
    drop,
    drop_weights,
    drop_words,
)

TYPES = 37
NO_DROPOUT = [f"{kind}_dropout=0" for kind in ("word", "input", "layer", "output", "weight")]


def made(name, *changes):
    torch.manual_seed(0)
    return LanguageModel(small(name, *changes), TYPES), torch.randint(TYPES, (8, 3))


@pytest.mark.parametrize("name", LANGUAGE_MODELS)
def test_loss_and_next_logits_are_those_of_the_exact_log_probabilities_column_by_column(name):
    model, tokens = made(name, *NO_DROPOUT)
    _, loss, _ = model.loss(tokens[:-1], tokens[1:])
    found, _ = model.log_probabilities(tokens[:-1], tokens[1:])
    assert float(loss) == pytest.approx(-float(found.mean()), rel=1e-5)
    alone, _ = model.log_probabilities(tokens[:-1, 1:2], tokens[1:, 1:2])
    assert torch.allclose(found[:, 1:2], alone, atol=1e-5)
    logits, _ = model.next_logits(tokens[:-1])
    assert torch.allclose(logits.log_softmax(1).gather(1, tokens[-1][:, None])[:, 0], found[-1], atol=1e-5)
    assert (model.output is None) == (name != "lstm-french")  # tied models have one table


@pytest.mark.parametrize("name", LANGUAGE_MODELS)
def test_probabilities_sum_up_to_one_and_do_not_see_what_follows(name):
    model, tokens = made(name)
    totals = sum(model.log_probabilities(tokens, torch.full_like(tokens, word))[0].exp() for word in range(TYPES))
    assert torch.allclose(totals, torch.ones(8, 3), atol=1e-4)
    other = tokens.clone()
    other[5:] = (other[5:] + 1) % TYPES
    before, _ = model.log_probabilities(tokens, tokens)
    after, _ = model.log_probabilities(other, tokens)
    assert torch.allclose(before[:5], after[:5], atol=1e-6)
    assert not torch.allclose(before[5:], after[5:], atol=1e-6)


def test_regularisation_is_on_the_last_layer_s_dropped_and_raw_outputs():
    model, tokens = made("awd-lstm-large", *NO_DROPOUT)
    objective, loss, _ = model.loss(tokens[:-1], tokens[1:])
    with torch.no_grad():
        outputs, _ = model.body(functional.embedding(tokens[:-1], model.embedding), ())
    expected = 2 * outputs.square().mean() + (outputs[1:] - outputs[:-1]).square().mean()
    assert float((objective - loss).detach()) == pytest.approx(float(expected), rel=1e-4)
    model, tokens = made("awd-lstm-large", *NO_DROPOUT, "output_dropout=0.5", "change=0")
    torch.manual_seed(1)
    objective, loss, _ = model.loss(tokens[:-1], tokens[1:])
    torch.manual_seed(1)
    kept = (torch.rand(1, 3, 12) >= 0.5) * 2
    assert float((objective - loss).detach()) == pytest.approx(float(2 * (outputs * kept).square().mean()), rel=1e-4)


@pytest.mark.parametrize("name", LANGUAGE_MODELS)
def test_two_processes_together_make_the_loss_of_one_with_all_columns(name):
    model, _ = made(name)
    tokens = torch.randint(TYPES, (8, 6))
    torch.manual_seed(4)
    _, whole, _ = model.loss(tokens[:-1], tokens[1:])
    parts = []
    for rank in range(2):
        torch.manual_seed(4)
        own = tokens[:, 3 * rank : 3 * rank + 3]
        parts.append(float(model.loss(own[:-1], own[1:], process=Process(rank, 2))[1]))
    assert sum(parts) / 2 == pytest.approx(float(whole), rel=1e-5)


def torch_layer(layer):
    made = {"lstm": torch.nn.LSTM, "gru": torch.nn.GRU, "rnn": torch.nn.RNN}[layer.kind](layer.inputs, layer.units)
    made.load_state_dict({f"{name}_l0": value for name, value in layer.state_dict().items()})
    return made


def pad(values, size):
    return torch.nn.functional.pad(values, (0, size - values.shape[-1]))


@pytest.mark.parametrize("kind", ["lstm", "gru", "rnn"])
@pytest.mark.parametrize(("inputs", "units"), [(8, 16), (11, 13), (3, 1)])
def test_a_layer_computes_what_the_library_s_does_with_its_gradients(inputs, units, kind):
    torch.manual_seed(0)
    layer = RecurrentLayer(inputs, units, kind)
    other = torch_layer(layer)
    values = torch.randn(6, 4, inputs)
    outputs, state = layer(pad(values, -(-inputs // 8) * 8), layer.start(4), 0.0, torch.float32)
    expected, other_state = other(values)
    assert torch.allclose(outputs[..., :units], expected, atol=1e-6)
    for part, other_part in zip(state, other_state if kind == "lstm" else (other_state,), strict=True):
        assert torch.allclose(part[..., :units], other_part, atol=1e-6)
        assert not part[..., units:].any()
    assert not outputs[..., units:].any()
    outputs[..., :units].square().sum().backward()
    expected.square().sum().backward()
    for name, parameter in layer.named_parameters():
        assert torch.allclose(parameter.grad, getattr(other, f"{name}_l0").grad, atol=1e-5), name


def test_dropped_weights_are_those_of_the_recurrence_and_their_gradients_are_masked():
    torch.manual_seed(0)
    layer = RecurrentLayer(8, 16)
    torch.manual_seed(5)
    outputs, _ = layer(torch.ones(6, 4, 8), layer.start(4), 0.5, torch.float32)
    outputs.sum().backward()
    other = torch_layer(layer)
    torch.manual_seed(5)
    dropped = drop_weights(layer.weight_hh.detach(), 0.5)
    with torch.no_grad():
        other.weight_hh_l0.copy_(dropped)
        assert torch.allclose(outputs, other(torch.ones(6, 4, 8))[0], atol=1e-6)
    assert 0.4 < float((dropped == 0).float().mean()) < 0.6
    assert bool((layer.weight_hh.grad[dropped == 0] == 0).all())
    kept = dropped != 0
    assert torch.allclose(dropped[kept], 2 * layer.weight_hh.detach()[kept])


def test_layers_stand_one_upon_the_other_and_the_last_has_the_embedding_s_size():
    torch.manual_seed(0)
    body = Recurrent(small("lstm-improved"))
    values = torch.randn(5, 2, 12)
    outputs, state = body(values, ())
    expected = values
    for layer in body.layers:
        expected, _ = torch_layer(layer)(expected)
    assert torch.allclose(outputs, expected, atol=1e-6)
    assert outputs.shape == (5, 2, 12)
    assert [tuple(one.shape) for one in state] == [(1, 2, 24)] * 4 + [(1, 2, 16)] * 2


def test_the_state_of_an_lstm_carries_a_text_over_any_cut():
    torch.manual_seed(0)
    body = Recurrent(small("lstm-small"))
    values = torch.randn(9, 2, 12)
    whole, end = body(values, ())
    first, state = body(values[:4], ())
    second, after = body(values[4:], state)
    assert torch.allclose(torch.cat([first, second]), whole, atol=1e-6)
    assert all(torch.allclose(one, other, atol=1e-6) for one, other in zip(end, after, strict=True))


def by_loops(body, values):
    """The same network written out for one column, place by place and head by head."""
    recipe = body.recipe
    size = recipe.embedding // recipe.heads

    def norm(vector, weight):
        return weight * vector / torch.sqrt(vector.square().mean() + 1e-6)

    def turned(vector, place):
        half = size // 2
        out = vector.clone()
        for pair in range(half):
            angle = place * 10_000 ** (-2 * pair / size)
            left, right = vector[pair], vector[pair + half]
            out[pair] = left * math.cos(angle) - right * math.sin(angle)
            out[pair + half] = left * math.sin(angle) + right * math.cos(angle)
        return out

    rows = list(values)
    for block in body.blocks:
        parts = [block.attend.weight @ norm(row, block.before_attention.weight) for row in rows]
        mixed = []
        for place in range(len(rows)):
            heads = []
            for head in range(recipe.heads):
                at = slice(head * size, (head + 1) * size)
                query = turned(parts[place][: recipe.embedding][at], place)
                seen = range(max(0, place - recipe.sequence + 1), place + 1)
                keys = [turned(parts[one][recipe.embedding : 2 * recipe.embedding][at], one) for one in seen]
                scores = torch.stack([query @ key for key in keys]) / math.sqrt(size)
                values_seen = torch.stack([parts[one][2 * recipe.embedding :][at] for one in seen])
                heads.append(scores.softmax(0) @ values_seen)
            mixed.append(block.attended.weight @ torch.cat(heads))
        rows = [row + one for row, one in zip(rows, mixed, strict=True)]
        fed = []
        for row in rows:
            gate, up = (block.gate_and_up.weight @ norm(row, block.before_feed.weight)).chunk(2)
            fed.append(block.down.weight @ (gate * torch.sigmoid(gate) * up))
        rows = [row + one for row, one in zip(rows, fed, strict=True)]
    return torch.stack([norm(row, body.norm.weight) for row in rows])


def transformer():
    torch.manual_seed(0)
    body = Transformer(small("transformer-small", "layers=2", "sequence=4"))
    with torch.no_grad():
        for parameter in body.parameters():
            parameter.mul_(10) if parameter.dim() > 1 else parameter.uniform_(0.5, 2)
    return body


def test_a_transformer_computes_what_the_loops_say():
    body = transformer()
    values = torch.randn(9, 2, 12)
    with torch.no_grad():
        outputs, _ = body(values, ())
        for column in range(2):
            assert torch.allclose(outputs[:, column], by_loops(body, values[:, column]), atol=1e-4)


def test_the_state_of_a_transformer_carries_a_text_over_any_cut():
    body = transformer()
    values = torch.randn(25, 2, 12)
    with torch.no_grad():
        whole, _ = body(values, ())
        parts, state = [], ()
        for start, end in ((0, 1), (1, 9), (9, 14), (14, 25)):
            found, state = body(values[start:end], state)
            parts.append(found)
    assert torch.allclose(torch.cat(parts), whole, atol=1e-4)


def test_locked_dropout_drops_the_same_units_at_all_places_and_other_dropout_keeps_the_mean():
    torch.manual_seed(0)
    found = drop(torch.ones(20, 3, 50), 0.4, locked=True)
    assert bool((found == found[:1]).all())
    assert not bool((found[:, :1] == found[:, 1:2]).all())
    assert set(found.unique().tolist()) == {0.0, float(torch.tensor(1.0) / 0.6)}
    found = drop(torch.ones(200, 3, 50), 0.4, locked=False)
    assert not bool((found == found[:1]).all())
    assert abs(float(found.mean()) - 1) < 0.02


def test_a_dropped_word_is_dropped_wherever_it_occurs():
    torch.manual_seed(0)
    words = torch.randint(10, (30, 4))
    found = drop_words(torch.ones(30, 4, 5), words, 10, 0.5)
    for word in range(10):
        assert len(found[words == word].unique()) == 1
    assert 0.0 in found


def test_processes_together_drop_what_one_would():
    values = torch.randn(4, 6, 5)
    torch.manual_seed(3)
    whole = drop(values, 0.5, locked=True)
    parts = []
    for rank in range(2):
        torch.manual_seed(3)
        parts.append(drop(values[:, 3 * rank : 3 * rank + 3], 0.5, locked=True, process=Process(rank, 2)))
    assert torch.equal(torch.cat(parts, 1), whole)
