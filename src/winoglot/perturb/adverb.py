"""Every main verb gets an adverb that says nothing about the answer.

*Dora sold her piano to Martha* → *Dora quietly sold her piano to Martha*.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.perturb.grammatical import rewritten

if TYPE_CHECKING:
    from winoglot.perturb.base import Context, Proposed
    from winoglot.schemas.model import Schema, Variant

KIND = "adverb"


def perturb(schema: Schema, context: Context) -> tuple[Variant, ...] | Proposed:
    """The schema with adverbs; NotDerivedError says why if the rules of its language give none."""
    return rewritten(schema, context, KIND, keeps_question=True)
