"""What a program may pass to `evaluate` and the command line cannot: refused with words that help."""

from __future__ import annotations

from collections.abc import Collection

from winoglot.errors import InputError


def kinds_of(given: object) -> tuple[str, ...]:
    """One name, several or none.

    >>> kinds_of("switched"), kinds_of(["switched", "after-only"]), kinds_of(None)
    (('switched',), ('switched', 'after-only'), ())
    """
    if given is None or isinstance(given, str):
        return () if given is None else (given,)
    names = tuple(given) if isinstance(given, Collection) else (given,)
    if not all(isinstance(name, str) for name in names):
        raise InputError(f"{given!r} names no kinds of variants", remedy='Write kinds=["switched"].')
    return names


def check_arguments(model: object, scoring: object, readings: object) -> None:
    """Refuse what is no model, no scoring or no style of readings."""
    if not isinstance(model, str) and not all(hasattr(model, name) for name in ("score", "scorings", "fingerprint")):
        remedy = 'Give one, as "gemma-3-270m" or "causal:FOLDER"; of several, evaluate each.'
        raise InputError(f"{model!r} is no model", remedy=remedy)
    if scoring is not None and not isinstance(scoring, str):
        remedy = 'Give one, as "full", or None for the model\'s usual one; each scoring is a run of its own.'
        raise InputError(f"{scoring!r} is no scoring", remedy=remedy)
    if not isinstance(readings, str):
        raise InputError(f"{readings!r} are no readings", remedy='Write "grammatical" or "naive".')
