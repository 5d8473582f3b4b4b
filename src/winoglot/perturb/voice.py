"""Another voice: an active clause becomes passive, or a passive one active.

*The wolf chased the fox because it was hungry* → *The fox was chased by the wolf because it was hungry*. Both
candidates stay in the text, and the pronoun's clause changes only if that leaves its answer as clear as before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.perturb.grammatical import rewritten

if TYPE_CHECKING:
    from winoglot.perturb.base import Context, Proposed
    from winoglot.schemas.model import Schema, Variant

KIND = "voice"


def perturb(schema: Schema, context: Context) -> tuple[Variant, ...] | Proposed:
    """The schema in another voice; NotDerivedError says why if the rules of its language give none."""
    return rewritten(schema, context, KIND, keeps_question=True)
