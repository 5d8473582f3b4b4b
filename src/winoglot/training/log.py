"""The log of a training, as others read it: no torch is needed for that."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

LOG = "log.jsonl"  # in the training's folder


def read_log(path: Path) -> list[dict[str, Any]]:
    """The lines of a training's log; a last one that was not written to its end is left out.

    Each says how far the training was (`step`, `epoch`, `tokens`, `seconds`), and the `loss` of the steps before it or
    the `valid_loss` of a check, with the `perplexity` of a language model: null where it is too large for a number.
    """
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
        return [json.loads(line) for line in lines[:-1]]
    except (OSError, ValueError) as error:
        remedy = "Only the curves need it: move it away."
        raise InputError(f"cannot be read: {error}", remedy=remedy, file=str(path)) from error
