import pytest
import torch

from training.training_making import small
from winoglot.training.networks import LSTMLayer, Recurrent, drop_weights


def torch_lstm(layer):
    made = torch.nn.LSTM(layer.inputs, layer.units)
    made.load_state_dict({f"{name}_l0": value for name, value in layer.state_dict().items()})
    return made


def padded(values, size):
    return torch.nn.functional.pad(values, (0, size - values.shape[-1]))


@pytest.mark.parametrize(("inputs", "units"), [(8, 16), (11, 13), (3, 1)])
def test_a_layer_computes_what_the_library_s_does_with_its_gradients(inputs, units):
    torch.manual_seed(0)
    layer = LSTMLayer(inputs, units)
    other = torch_lstm(layer)
    values = torch.randn(6, 4, inputs)
    outputs, (hidden, cell) = layer(padded(values, -(-inputs // 8) * 8), layer.start(4), 0.0, torch.float32)
    expected, (other_hidden, other_cell) = other(values)
    assert torch.allclose(outputs[..., :units], expected, atol=1e-6)
    assert torch.allclose(hidden[..., :units], other_hidden, atol=1e-6)
    assert torch.allclose(cell[..., :units], other_cell, atol=1e-6)
    assert not outputs[..., units:].any()
    assert not cell[..., units:].any()
    outputs[..., :units].square().sum().backward()
    expected.square().sum().backward()
    for name, parameter in layer.named_parameters():
        assert torch.allclose(parameter.grad, getattr(other, f"{name}_l0").grad, atol=1e-5), name


def test_dropped_weights_are_those_of_the_recurrence_and_their_gradients_are_masked():
    torch.manual_seed(0)
    layer = LSTMLayer(8, 16)
    torch.manual_seed(5)
    outputs, _ = layer(torch.ones(6, 4, 8), layer.start(4), 0.5, torch.float32)
    outputs.sum().backward()
    other = torch_lstm(layer)
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
        expected, _ = torch_lstm(layer)(expected)
    assert torch.allclose(outputs, expected, atol=1e-6)
    assert outputs.shape == (5, 2, 12)
    assert [tuple(one.shape) for one in state] == [(1, 2, 24)] * 4 + [(1, 2, 16)] * 2


def test_the_state_carries_a_text_over_any_cut():
    torch.manual_seed(0)
    body = Recurrent(small("lstm-small"))
    values = torch.randn(9, 2, 12)
    whole, end = body(values, ())
    first, state = body(values[:4], ())
    second, after = body(values[4:], state)
    assert torch.allclose(torch.cat([first, second]), whole, atol=1e-6)
    assert all(torch.allclose(one, other, atol=1e-6) for one, other in zip(end, after, strict=True))
