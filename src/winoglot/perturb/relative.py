"""The first candidate gets a relative clause that says nothing about the answer.

*Dora, who was standing by the window, sold her piano to Martha.* The clause agrees with the candidate in number and
fits a person, an animal or a thing; it separates the candidate from its verb and makes the text harder to follow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.perturb.grammatical import rewritten

if TYPE_CHECKING:
    from winoglot.perturb.base import Context, Proposed
    from winoglot.schemas.model import Schema, Variant

KIND = "relative"


def perturb(schema: Schema, context: Context) -> tuple[Variant, ...] | Proposed:
    """The schema with a relative clause; NotDerivedError says why if the rules of its language give none."""
    return rewritten(schema, context, KIND, keeps_question=True)
