"""Optional packages that only logic data needs."""

from __future__ import annotations

from importlib.util import find_spec

from winoglot.errors import InputError

_PACKAGES = {"z3": "z3-solver", "sklearn": "scikit-learn", "pyarrow": "pyarrow"}


def require(module: str, what: str) -> None:
    """Raise an error with the install command if an optional package is missing.

    >>> require("z3", "proving labels")
    """
    if find_spec(module) is None:
        raise InputError(
            f"{what} needs {_PACKAGES[module]}, which is not installed", remedy='Run: pip install "winoglot[logic]"'
        )
