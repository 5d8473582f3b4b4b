"""Small recipes for tests: a few units, a few columns, all the rest as in the real ones."""

from winoglot.training.checkpoint import TrainingFolder, read_tensors
from winoglot.training.recipes import find_recipe

SMALL = ["embedding=12", "hidden=18", "batch=3", "sequence=7"]
SMALL_TRANSFORMER = ["embedding=12", "heads=2", "inner=16", "batch=3", "sequence=7", "rate=0.01", "warmup=3"]
LANGUAGE_MODELS = ("lstm-small", "lstm-improved", "lstm-french", "awd-lstm-large", "transformer-small")


def small(name, *changes):
    """A recipe with few units and columns."""
    sizes = SMALL_TRANSFORMER if name == "transformer-small" else SMALL
    return find_recipe(name, [*sizes, "epochs=2", *changes])


def last_step(folder):
    """The step of the last checkpoint."""
    return TrainingFolder(folder).read_state()["course"]["step"]


def last_checkpoint(folder):
    """The last checkpoint: its description and its tensors."""
    state = TrainingFolder(folder).read_state()
    return state, read_tensors(TrainingFolder(folder).last / state["weights"])
