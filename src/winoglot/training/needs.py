"""What training needs beyond the core."""

from importlib.util import find_spec

from winoglot.errors import InputError


def need_training() -> None:
    """An input error with the command to run, where torch, safetensors or accelerate is not installed."""
    missing = [name for name in ("torch", "safetensors", "accelerate") if find_spec(name) is None]
    if missing:
        message = (
            f"trained models need {' and '.join(missing)}, which {'are' if len(missing) > 1 else 'is'} not installed"
        )
        raise InputError(message, remedy='Run: pip install "winoglot[train]"')
