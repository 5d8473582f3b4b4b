from dataclasses import replace

import pytest

from cases import listed
from winoglot.errors import InputError
from winoglot.training.recipes import RECIPES, checked, find_recipe


def test_all_recipes_that_others_rely_on_are_there():
    assert set(RECIPES) == {
        "lstm-small",
        "lstm-improved",
        "lstm-french",
        "awd-lstm-small",
        "awd-lstm-medium",
        "awd-lstm-large",
        "transformer-small",
        "context2vec",
    }


def test_numbers_can_be_changed():
    recipe = find_recipe("lstm-small", ["batch=40", "rate=1e-2", "varied=true", "schedule=constant"])
    assert (recipe.batch, recipe.rate, recipe.varied, recipe.schedule) == (40, 0.01, True, "constant")


@listed
def test_other_numbers_are_refused(changes, message):
    with pytest.raises(InputError, match=message):
        find_recipe("lstm-small", changes)


def test_an_unknown_recipe_names_those_there_are():
    with pytest.raises(InputError, match="Did you mean 'lstm-small'"):
        find_recipe("lstm-smal")


def test_a_number_that_a_kind_of_model_does_not_have_is_not_passed_over():
    with pytest.raises(InputError, match="context2vec does not use layers"):
        find_recipe("context2vec", ["layers=2"])
    assert find_recipe("context2vec", ["layers=1"]) == RECIPES["context2vec"]


def test_the_numbers_are_those_of_the_papers():
    small, improved, french = (RECIPES[f"lstm-{name}"] for name in ("small", "improved", "french"))
    for recipe, sizes in ((small, (2, 200, 200, 20)), (improved, (3, 400, 400, 40))):
        assert (recipe.layers, recipe.hidden, recipe.embedding, recipe.batch) == sizes
        assert (recipe.sequence, recipe.rate, recipe.schedule, recipe.clip) == (35, 20, "divide", 0.25)
        assert (recipe.tied, recipe.epochs, recipe.layer_dropout) == (True, 40, 0.2)
    assert (french.embedding, french.hidden, french.optimiser, french.rate) == (1024, 2048, "adagrad", 0.2)
    assert french.output_dropout == 0.25
    for name, sizes in (("small", (2, 200, 200)), ("medium", (3, 400, 400)), ("large", (3, 1150, 400))):
        recipe = RECIPES[f"awd-lstm-{name}"]
        assert (recipe.layers, recipe.hidden, recipe.embedding) == sizes
        assert (recipe.batch, recipe.sequence, recipe.varied, recipe.tied) == (80, 70, True, True)
        assert (recipe.output_dropout, recipe.layer_dropout, recipe.input_dropout) == (0.4, 0.2, 0.65)
        assert (recipe.word_dropout, recipe.weight_dropout, recipe.locked) == (0.1, 0.5, True)
        assert (recipe.activation, recipe.change, recipe.weight_decay) == (2, 1, 1.2e-6)
        assert (recipe.rate, recipe.clip, recipe.schedule) == (30, 0.25, "average")
    context = RECIPES["context2vec"]
    assert (context.embedding, context.hidden, context.negatives, context.power) == (300, 300, 10, 0.75)
    assert (context.optimiser, context.rate) == ("adagrad", 0.001)


def test_heads_must_divide_the_units():
    with pytest.raises(InputError, match="cannot be divided into 5 heads"):
        find_recipe("transformer-small", ["heads=5"])


@pytest.mark.parametrize("change", [{"heads": 0}, {"rate": float("nan")}, {"tied": "perhaps"}, {"optimiser": "adam"}])
def test_a_recorded_recipe_is_checked_like_a_new_one(change):
    recipe = RECIPES["transformer-small"]
    assert checked(recipe) == recipe
    with pytest.raises(InputError, match=next(iter(change))):
        checked(replace(recipe, **change))
