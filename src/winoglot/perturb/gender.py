"""Another gender: both candidates change gender, with every word that agrees with them.

*Dora sold her piano to Martha* → *David sold his piano to Arthur*. Things have no such variant; people have one only
if both are called by a name, or by a noun with a counterpart of the other gender (*aunt*, *uncle*). New names change
more than the gender, so compare with `renamed`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.perturb.grammatical import rewritten

if TYPE_CHECKING:
    from winoglot.perturb.base import Context, Proposed
    from winoglot.schemas.model import Schema, Variant

KIND = "gender"


def perturb(schema: Schema, context: Context) -> tuple[Variant, ...] | Proposed:
    """The schema in another gender; NotDerivedError says why if the rules of its language give none."""
    return rewritten(schema, context, KIND, changes="gender")
