import pytest
import torch
from torch.nn import functional

from training.training_making import LANGUAGE_MODELS, small
from winoglot.training.distributed import Process
from winoglot.training.networks import LanguageModel

TYPES = 37
NO_DROPOUT = [f"{kind}_dropout=0" for kind in ("word", "input", "layer", "output", "weight")]


def made(name, *changes):
    torch.manual_seed(0)
    return LanguageModel(small(name, *changes), TYPES), torch.randint(TYPES, (8, 3))


@pytest.mark.parametrize("name", LANGUAGE_MODELS)
def test_the_loss_without_dropout_is_the_mean_of_the_exact_log_probabilities(name):
    model, tokens = made(name, *NO_DROPOUT)
    _, loss, _ = model.loss(tokens[:-1], tokens[1:])
    found, _ = model.log_probabilities(tokens[:-1], tokens[1:])
    assert float(loss) == pytest.approx(-float(found.mean()), rel=1e-5)


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


@pytest.mark.parametrize("name", LANGUAGE_MODELS)
def test_a_column_knows_nothing_of_the_others(name):
    model, tokens = made(name)
    whole, _ = model.log_probabilities(tokens[:-1], tokens[1:])
    alone, _ = model.log_probabilities(tokens[:-1, 1:2], tokens[1:, 1:2])
    assert torch.allclose(whole[:, 1:2], alone, atol=1e-5)


@pytest.mark.parametrize("name", LANGUAGE_MODELS)
def test_next_logits_are_those_of_the_last_place(name):
    model, tokens = made(name)
    logits, _ = model.next_logits(tokens[:-1])
    found, _ = model.log_probabilities(tokens[:-1], tokens[1:])
    assert torch.allclose(logits.log_softmax(1).gather(1, tokens[-1][:, None])[:, 0], found[-1], atol=1e-5)


def test_tied_models_have_one_table_and_others_two():
    assert made("lstm-small")[0].output is None
    untied, _ = made("lstm-french")
    assert untied.output.shape == (TYPES, 18)


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
