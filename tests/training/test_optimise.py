import pytest
import torch

from training.training_making import small
from winoglot.training.distributed import Distributed
from winoglot.training.trainer import Averages, Trainer, make_optimiser, update_weights


def with_gradients(seed=0):
    torch.manual_seed(seed)
    parameters = [torch.nn.Parameter(torch.randn(4, 3)), torch.nn.Parameter(torch.randn(5))]
    for parameter in parameters:
        parameter.grad = torch.randn_like(parameter)
    return parameters


def test_a_step_of_sgd_is_clipped_and_decays():
    parameters = with_gradients()
    before = [one.detach().clone() for one in parameters]
    gradients = [one.grad.clone() for one in parameters]
    norm = torch.cat([one.flatten() for one in gradients]).norm()
    optimiser = make_optimiser(small("lstm-small", "weight_decay=0.01"), parameters)
    assert float(update_weights(optimiser, parameters, 2.0, 0.25)) == pytest.approx(float(norm))
    for one, old, gradient in zip(parameters, before, gradients, strict=True):
        assert torch.allclose(one, old - 2 * (gradient * 0.25 / norm + 0.01 * old), atol=1e-5)
        assert one.grad is None


def test_a_step_of_adagrad_begins_with_its_accumulator():
    parameters = with_gradients()
    before, gradients = parameters[0].detach().clone(), parameters[0].grad.clone()
    optimiser = make_optimiser(small("lstm-french", "accumulator=0.5"), parameters)
    update_weights(optimiser, parameters, 0.2, 0.0)
    expected = before - 0.2 * gradients / (0.5 + gradients.square()).sqrt()
    assert torch.allclose(parameters[0], expected, atol=1e-5)


@pytest.mark.parametrize("name", ["lstm-small", "lstm-french", "transformer-small"])
def test_an_optimiser_continues_from_a_checkpoint_exactly(name, tmp_path):
    def trainer():
        return Trainer(small(name), torch.nn.ParameterList(with_gradients()), None, Distributed("cpu"), 0)

    first, second = trainer(), trainer()
    update_weights(first.optimiser, first.parameters, 0.1, 0.25)
    second.restore({name: tensor.clone() for name, tensor in first.tensors().items()}, 0, tmp_path)
    for one in (first, second):
        for parameter in one.parameters:
            parameter.grad = torch.ones_like(parameter)
        update_weights(one.optimiser, one.parameters, 0.1, 0.25)
    assert all(torch.equal(a, b) for a, b in zip(first.parameters, second.parameters, strict=True))


def test_averages_are_means_of_the_weights_since_they_began():
    parameters = with_gradients()
    averages = Averages(parameters)
    seen = []
    for step in range(4):
        with torch.no_grad():
            parameters[0].add_(step)
        averages.update()
        seen.append(parameters[0].detach().clone())
    now = parameters[0].detach().clone()
    with averages.in_place():
        assert torch.allclose(parameters[0], torch.stack(seen).mean(0), atol=1e-6)
    assert torch.equal(parameters[0], now)
