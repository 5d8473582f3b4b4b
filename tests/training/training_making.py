"""Small recipes for tests: a few units, a few columns, all the rest as in the real ones."""

from winoglot.training.recipes import find_recipe

SMALL = ["embedding=12", "hidden=18", "batch=3", "sequence=7"]
SMALL_TRANSFORMER = ["embedding=12", "heads=2", "inner=16", "batch=3", "sequence=7", "rate=0.01", "warmup=3"]
LANGUAGE_MODELS = ("lstm-small", "lstm-improved", "lstm-french", "awd-lstm-large", "transformer-small")


def small(name, *changes):
    """A recipe with few units and columns."""
    sizes = SMALL_TRANSFORMER if name == "transformer-small" else SMALL
    return find_recipe(name, [*sizes, "epochs=2", *changes])
