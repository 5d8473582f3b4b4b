"""Other words for both candidates: another name of the same gender, or a synonym of the same gender and number.

*The doctor called the lawyer* → *The physician called the attorney*; *Dora called Martha* → *Constance called Beryl*.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.perturb.grammatical import rewritten

if TYPE_CHECKING:
    from winoglot.perturb.base import Context, Proposed
    from winoglot.schemas.model import Schema, Variant

KIND = "synonym"


def perturb(schema: Schema, context: Context) -> tuple[Variant, ...] | Proposed:
    """The schema with synonyms or other names; NotDerivedError says why if the rules of its language give none."""
    return rewritten(schema, context, KIND)
