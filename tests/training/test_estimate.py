import pytest

from winoglot.corpus.vocabulary import Vocabulary
from winoglot.errors import InputError
from winoglot.training.estimate import check_fits, estimate
from winoglot.training.recipes import RECIPES, find_recipe, kind_module

WORDS = ("<unk>", "<eos>", *"abcdefghijk")


@pytest.mark.parametrize("name", RECIPES)
def test_parameters_are_counted_as_the_model_has_them(name):
    import numpy as np
    import torch

    vocabulary = Vocabulary(WORDS, np.ones(len(WORDS), dtype=np.uint64))
    recipe = find_recipe(name, ["embedding=24", "heads=2" if name == "transformer-small" else "hidden=36"])
    torch.manual_seed(0)
    module = kind_module(recipe.kind).make_module(recipe, vocabulary)
    assert estimate(recipe, len(WORDS)).parameters == sum(one.numel() for one in module.parameters())


def test_the_transformer_is_as_large_as_the_improved_lstm():
    sizes = [estimate(RECIPES[name], 98_242).parameters for name in ("transformer-small", "lstm-improved")]
    assert sizes[0] == pytest.approx(sizes[1], rel=0.01)


def test_what_does_not_fit_says_what_would():
    check_fits(RECIPES["awd-lstm-large"], 98_242, 8 * 10**9)
    with pytest.raises(InputError) as error:
        check_fits(RECIPES["awd-lstm-large"], 98_242, 3 * 10**9)
    assert "awd-lstm-large with 98242 types needs about" in str(error.value)
    assert "3.0 GB is free" in str(error.value)
    assert "--set batch=" in str(error.value)
    with pytest.raises(InputError, match="This would fit: the recipes lstm-small, gru-small, rnn-small, "):
        check_fits(RECIPES["lstm-french"], 98_242, 2 * 10**9)
    with pytest.raises(InputError, match="--max-vocab"):
        check_fits(RECIPES["lstm-small"], 10_000_000, 2 * 10**9)
