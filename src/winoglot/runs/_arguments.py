"""What a program may pass to `evaluate` and the command line cannot: refused with words that help."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError, describe
from winoglot.schemas.model import Collection

if TYPE_CHECKING:
    from winoglot.models.base import Solver


def kinds_of(given: object) -> tuple[str, ...]:
    """One name, several or none.

    >>> kinds_of("switched"), kinds_of(["switched", "after-only"]), kinds_of(None)
    (('switched',), ('switched', 'after-only'), ())
    """
    if given is None or isinstance(given, str):
        return () if given is None else (given,)
    names = tuple(given) if isinstance(given, Iterable) else (given,)
    if not all(isinstance(name, str) for name in names):
        raise InputError(f"expected names of kinds, found {describe(given)}", remedy='Write kinds=["switched"].')
    return names


def collections_of(given: object) -> list[Collection]:
    """One collection or several, as a list; what is refused is named by its type and not printed."""
    found = [given] if isinstance(given, Collection) else _several(given)
    for one in found:
        if not isinstance(one, Collection):
            remedy = 'Load it first: winoglot.load("winoglot-pt").'
            raise InputError(f"expected a collection, found {describe(one)}", remedy=remedy)
    return found


def models_of(given: object) -> list[str | Solver]:
    """One model or several, each a name or a solver, as a list."""
    found: list[Any] = [given] if _is_model(given) else _several(given)
    for one in found:
        if not _is_model(one):
            remedy = 'Give a name such as "gemma-3-270m" or "causal:FOLDER", a solver, or a list of them.'
            raise InputError(f"expected a model, found {describe(one)}", remedy=remedy)
    return found


def _several(given: object) -> list[Any]:
    return list(given) if isinstance(given, Iterable) and not isinstance(given, str | bytes) else [given]


def _is_model(given: object) -> bool:
    return isinstance(given, str) or all(hasattr(given, name) for name in ("score", "scorings", "fingerprint"))


def check_arguments(scoring: object, readings: object) -> None:
    """Refuse what is not a scoring or a style of readings."""
    if scoring is not None and not isinstance(scoring, str):
        remedy = 'Give one, such as "full", or None for the model\'s default; each scoring is a run of its own.'
        raise InputError(f"expected one scoring, found {describe(scoring)}", remedy=remedy)
    if not isinstance(readings, str):
        raise InputError(
            f"expected a style of readings, found {describe(readings)}", remedy='Write "grammatical" or "naive".'
        )
