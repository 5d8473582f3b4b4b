import math

import pytest
import torch

from cases import listed
from training.training_making import small
from winoglot.training.distributed import Distributed
from winoglot.training.recipes import RECIPES
from winoglot.training.trainer import (
    Averages,
    Trainer,
    TrainingState,
    after_validation,
    learning_rate,
    make_optimiser,
    update_weights,
)


def checked(name, losses):
    state = TrainingState(rate=RECIPES[name].rate)
    for loss in losses:
        state = after_validation(RECIPES[name], state, loss)
    return state


def test_the_rate_is_divided_by_four_whenever_there_is_no_new_best():
    assert checked("lstm-small", [5.0, 4.0, 4.0, 4.5, 3.9]).rate == 20 / 16


def test_the_best_and_its_step_are_kept():
    state = after_validation(RECIPES["lstm-small"], TrainingState(rate=20.0, step=70), 5.0)
    state = after_validation(RECIPES["lstm-small"], TrainingState(**(state.__dict__ | {"step": 140})), 6.0)
    assert (state.best, state.best_step, state.losses) == (5.0, 70, (5.0, 6.0))


@listed
def test_averaging_begins_when_the_best_of_all_but_the_last_five_is_missed(losses, averaging):
    state = checked("awd-lstm-large", losses)
    assert state.averaging is averaging
    assert state.rate == 30.0


def test_it_stops_after_so_many_checks_without_a_new_best():
    assert not checked("lstm-small", [3.0, *[4.0] * 7]).stopped
    assert checked("lstm-small", [3.0, *[4.0] * 8]).stopped


def test_the_cosine_rises_and_falls_to_a_tenth():
    recipe = RECIPES["transformer-small"]
    rates = [learning_rate(recipe, TrainingState(rate=1e-3, step=step), 1000) for step in range(1000)]
    assert rates[0] == pytest.approx(1e-3 / 400)
    assert max(rates) == pytest.approx(1e-3)
    assert rates[-1] == pytest.approx(1e-4, rel=0.01)
    assert rates[:400] == sorted(rates[:400])
    assert rates[400:] == sorted(rates[400:], reverse=True)


def test_a_state_survives_json():
    for state in (TrainingState(rate=3.0), checked("awd-lstm-large", [5.0, 4.0])):
        assert TrainingState.from_json(state.to_json()) == state
    assert TrainingState(rate=3.0).best == math.inf


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
