"""A relative clause after the first candidate that says nothing about the answer.

*Dora, who was standing by the window, sold her piano to Martha.* The clause fits the candidate's number and whether it
is a person, an animal or a thing; it comes between the candidate and its verb, and makes the text harder to follow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.perturb.grammatical import rewritten

if TYPE_CHECKING:
    from winoglot.perturb.base import Context, Proposed
    from winoglot.schemas.model import Schema, Variant

KIND = "relative"


def perturb(schema: Schema, context: Context) -> tuple[Variant, ...] | Proposed:
    """The schema in another form; NotDerivedError says why if the rules of its language do not give one."""
    return rewritten(schema, context, KIND, keeps_question=True)
