"""Another tense: past becomes present, or present past.

All finite verbs of the text change, or none: *the cup did not fit because it was too big* → *the cup does not fit
because it is too big*. In Chinese, which has no tense, the time frame changes instead. A schema whose alternatives
differ in tense has no such variant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.perturb.grammatical import rewritten

if TYPE_CHECKING:
    from winoglot.perturb.base import Context, Proposed
    from winoglot.schemas.model import Schema, Variant

KIND = "tense"


def perturb(schema: Schema, context: Context) -> tuple[Variant, ...] | Proposed:
    """The schema in another tense; NotDerivedError says why if the rules of its language give none."""
    return rewritten(schema, context, KIND)
