"""How collections are asked: the settings that `evaluate`, `analyse`, their commands and experiment files share.

A setting is one field here. It is then a keyword of the Python calls, an option of the commands and a key of experiment
files; `spec` checks it, and `questions` or `session` acts on it. Importing this module imports neither pydantic nor a
model, so that `winoglot --help` can list the options quickly.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

STYLES = ("grammatical", "naive")
FALLBACKS = ("naive", "abstain")


def setting(description: str, default: Any, option: str = "") -> Any:
    """A field with its description and, if it is not the field's name, its option on the command line."""
    return field(default=default, metadata={"description": description, "option": option})


@dataclass(frozen=True)
class RunSettings:
    """The settings by which collections are asked."""

    scorings: tuple[str, ...] = setting(
        "partial, full, … or several: partial,full; by default the model's first, or all its prompts.", (), "--scoring"
    )
    readings: tuple[str, ...] = setting("naive, grammatical (the default) or both: naive,grammatical.", STYLES[:1])
    fallback: str = setting(
        "naive or abstain: what to do if the grammar cannot derive every reading of an item.", FALLBACKS[0]
    )
    kinds: tuple[str, ...] = setting("Ask these variants too: switched,after-only, or all (winoglot list kinds).", ())
    renamed: int = setting("Ask items that name people N more times, with other names: mean accuracy and spread.", 0)
    limit: int | None = setting("Sample N schemas per collection.", None)
    seed: int = setting("Random seed for sampling and for models that guess.", 0)
    allow_overlap: bool = setting("Evaluate a model on what it was trained on, too; the report will say so.", False)
