"""Models trained from a corpus: one loop, and a recipe for each model of the papers.

`recipes` has every setting, `networks` and `context2vec` every layer. `loop.train` makes the folder of a model, step
by step (`trainer`) and with checkpoints (`checkpoint`); `trained.load_trained` opens it.
"""

from importlib.util import find_spec

from winoglot.errors import InputError


def need_training() -> None:
    """An input error with the command to run, if torch, safetensors or accelerate is not installed."""
    missing = [name for name in ("torch", "safetensors", "accelerate") if find_spec(name) is None]
    if missing:
        message = f"not installed: {', '.join(missing)}, which trained models need"
        raise InputError(message, remedy='Run: pip install "winoglot[train]"')
