"""How the parts of a schema look everywhere: the colours of `palette.css`, also for notebooks and terminals."""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path

PALETTE = Path(__file__).with_name("palette.css")
CANDIDATES = ("candidate-a", "candidate-b", "candidate-more")
_COLOUR = re.compile(r"--([\w-]+): (#[0-9a-f]{6});")
_LIGHT_BACKGROUNDS = {"7", "15"}  # of terminals, as COLORFGBG numbers them
_FORMS = {"pronoun": "font-weight: 600", "segment": "border: 1px solid", "candidate": "text-decoration: underline 2px"}
_TERMINAL_FORMS = {"pronoun": "bold", "segment": "", "candidate": "underline"}


@cache
def palette() -> str:
    """The style sheet that every page with schemas contains."""
    return PALETTE.read_text("utf-8")


@cache
def colours() -> tuple[dict[str, str], dict[str, str]]:
    """The colours by name, on light pages and on dark ones."""
    light, dark = palette().split("@media", 1)
    return dict(_COLOUR.findall(light)), dict(_COLOUR.findall(dark))


def letter(index: int) -> str:
    """What a candidate is called wherever people see it.

    >>> letter(0), letter(1), letter(26)
    ('A', 'B', '27')
    """
    return chr(ord("A") + index) if index < 26 else str(index + 1)


def candidate_colour(index: int) -> str:
    """The name of a candidate's colour: after the second, all have the same."""
    return CANDIDATES[min(index, 2)]


def inline_style(name: str) -> str:
    """A colour as CSS inside an element, for a page that may be light or dark."""
    light, dark = colours()
    shades = {"color": name, "background-color": f"{name}-pale"}
    fallback = [f"{use}: {light[shade]}" for use, shade in shades.items()]
    both = [f"{use}: light-dark({light[shade]}, {dark[shade]})" for use, shade in shades.items()]
    return "; ".join([*fallback, *both, _FORMS.get(name, _FORMS["candidate"]), "border-radius: 3px; padding: 0 0.15em"])


def terminal_style(name: str) -> str:
    """A colour as a style of rich for terminals; it sets both the text and the background."""
    background = os.environ.get("COLORFGBG", "").rpartition(";")[2]
    scheme = colours()[background not in _LIGHT_BACKGROUNDS]
    form = _TERMINAL_FORMS.get(name, _TERMINAL_FORMS["candidate"])
    return f"{form} {scheme[name]} on {scheme[f'{name}-pale']}".strip()
