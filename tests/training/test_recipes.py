import pytest

from winoglot.errors import InputError
from winoglot.training.recipes import RECIPES, find_recipe


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


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (["bach=2"], "Did you mean 'batch'"),
        (["batch=many"], "batch is 'many'. Give a whole number"),
        (["batch=0"], "batch is 0. It must be more than 0"),
        (["varied=maybe"], "Give true or false"),
        (["output_dropout=1"], "from 0 to less than 1"),
        (["schedule=linear"], "there is no schedule 'linear'"),
        (["kind=gru"], "a recipe has no number 'kind'"),
    ],
)
def test_other_numbers_are_refused(changes, message):
    with pytest.raises(InputError, match=message):
        find_recipe("lstm-small", changes)


def test_an_unknown_recipe_names_those_there_are():
    with pytest.raises(InputError, match="Did you mean 'lstm-small'"):
        find_recipe("lstm-smal")


def test_heads_must_divide_the_units():
    with pytest.raises(InputError, match="do not make 5 heads"):
        find_recipe("transformer-small", ["heads=5"])
