"""Another number: both candidates become plural, or both singular, with every word that agrees with them.

Names become plural by conjunction: *Dora sold her piano to Martha* → *Dora and Edith sold their piano to Martha and
Mabel*. Both candidates change, since one alone would give the answer away by its pronoun.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.perturb.grammatical import rewritten

if TYPE_CHECKING:
    from winoglot.perturb.base import Context, Proposed
    from winoglot.schemas.model import Schema, Variant

KIND = "number"


def perturb(schema: Schema, context: Context) -> tuple[Variant, ...] | Proposed:
    """The schema in another number; NotDerivedError says why if the rules of its language give none."""
    return rewritten(schema, context, KIND, changes="number")
