import pytest
import torch

from training.training_making import small
from winoglot.training.optimise import Averages, make_optimiser, optimiser_tensors, restore_optimiser, take_step


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
    assert float(take_step(optimiser, parameters, 2.0, 0.25)) == pytest.approx(float(norm))
    for one, old, gradient in zip(parameters, before, gradients, strict=True):
        assert torch.allclose(one, old - 2 * (gradient * 0.25 / norm + 0.01 * old), atol=1e-5)
        assert one.grad is None


def test_a_step_of_adagrad_begins_with_its_accumulator():
    parameters = with_gradients()
    before, gradients = parameters[0].detach().clone(), parameters[0].grad.clone()
    optimiser = make_optimiser(small("lstm-french", "accumulator=0.5"), parameters)
    take_step(optimiser, parameters, 0.2, 0.0)
    expected = before - 0.2 * gradients / (0.5 + gradients.square()).sqrt()
    assert torch.allclose(parameters[0], expected, atol=1e-5)


@pytest.mark.parametrize("name", ["lstm-small", "lstm-french", "transformer-small"])
def test_an_optimiser_goes_on_from_its_tensors_exactly(name):
    recipe = small(name)
    one, other = with_gradients(), with_gradients()
    first, second = make_optimiser(recipe, one), make_optimiser(recipe, other)
    take_step(first, one, 0.1, 0.25)
    take_step(second, other, 0.1, 0.25)
    third = make_optimiser(recipe, other)
    restore_optimiser(third, optimiser_tensors(second))
    for parameters, optimiser in ((one, first), (other, third)):
        for parameter in parameters:
            parameter.grad = torch.ones_like(parameter)
        take_step(optimiser, parameters, 0.1, 0.25)
    assert all(torch.equal(a, b) for a, b in zip(one, other, strict=True))


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
