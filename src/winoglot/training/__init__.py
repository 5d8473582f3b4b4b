"""Models trained from a corpus: one loop, and a recipe for each model of the papers.

`recipes` has every setting, `networks` and `context2vec` every layer. `loop.train` makes the folder of a model, step
by step (`trainer`) and with checkpoints (`checkpoint`); `trained.load_trained` opens it.
"""

from winoglot.errors import require_extra


def need_training() -> None:
    """An input error with the command to run, if a package is missing."""
    require_extra("trained models need", "torch", "safetensors", "accelerate", extra="train")
