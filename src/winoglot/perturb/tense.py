"""Another tense: what happened happens now, or the other way round.

All finite verbs of the text change, or none: *the cup did not fit because it was too big* → *the cup does not fit
because it is too big*. Chinese, which has no tense, changes the time frame instead. A schema whose segment is a
difference of tense has no such variant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.perturb.grammatical import rewritten

if TYPE_CHECKING:
    from winoglot.perturb.base import Context, Proposed
    from winoglot.schemas.model import Schema, Variant

KIND = "tense"


def perturb(schema: Schema, context: Context) -> tuple[Variant, ...] | Proposed:
    """The schema in another form; NotDerivedError says why if the rules of its language do not give one."""
    return rewritten(schema, context, KIND)
