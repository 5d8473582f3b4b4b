"""Whose data it is, in Markdown: what must stand beside every copy."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from winoglot.schemas.model import Collection


def describe_origin(collection: Collection) -> str:
    """Markdown that says whose data it is: what must stand beside every copy."""
    provenance = "".join(f"\n  - {plain(step)}" for step in collection.provenance) or " not stated"
    return (
        f"- language: {collection.language}\n"
        f"- licence: {plain(collection.licence or 'not stated')}\n"
        f"- citation: {plain(collection.citation or 'not stated')}\n"
        f"- provenance:{provenance}\n"
    )


def plain(text: str) -> str:
    """A text of a collection as one line of Markdown, none of its characters a mark."""
    return re.sub(r"[\\`*\[\]<>|#&~]|(?<!\w)_|_(?!\w)", r"\\\g<0>", " ".join(text.split()))
