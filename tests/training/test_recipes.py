from dataclasses import replace

import pytest

from cases import for_each, listed
from winoglot.errors import InputError
from winoglot.training.recipes import RECIPES, checked, find_recipe


def test_numbers_can_be_changed():
    recipe = find_recipe("lstm-small", ["batch=40", "rate=1e-2", "varied=true", "schedule=constant"])
    assert (recipe.batch, recipe.rate, recipe.varied, recipe.schedule) == (40, 0.01, True, "constant")


@listed
def test_other_numbers_are_refused(changes, message):
    with pytest.raises(InputError, match=message):
        find_recipe("lstm-small", changes)


def test_what_does_not_fit_a_kind_of_model_is_not_passed_over():
    with pytest.raises(InputError, match="Did you mean 'lstm-small'"):
        find_recipe("lstm-smal")
    with pytest.raises(InputError, match="cannot be divided into 5 heads"):
        find_recipe("transformer-small", ["heads=5"])
    with pytest.raises(InputError, match="context2vec does not use layers"):
        find_recipe("context2vec", ["layers=2"])
    assert find_recipe("context2vec", ["layers=1"]) == RECIPES["context2vec"]


@listed
def test_the_numbers_are_those_of_the_papers(recipes, numbers):
    for name in recipes:
        assert {setting: getattr(RECIPES[name], setting) for setting in numbers} == numbers, name


@for_each("change", [{"heads": 0}, {"rate": float("nan")}, {"tied": "perhaps"}, {"optimiser": "adam"}])
def test_a_recorded_recipe_is_checked_like_a_new_one(change):
    recipe = RECIPES["transformer-small"]
    assert checked(recipe) == recipe
    with pytest.raises(InputError, match=next(iter(change))):
        checked(replace(recipe, **change))
