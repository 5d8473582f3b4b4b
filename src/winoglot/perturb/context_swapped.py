"""A control that keeps the answer: the text before the pronoun comes from another schema.

*Dora sold her piano to Martha, and now it is too big.* The text from the pronoun on and the two readings are the
item's own, but the situation belongs to a schema drawn from the collection, so nothing in it says which candidate is
meant. A solver that is right more often than chance does not need the situation: it relies on an artefact. Unlike with
`after-only`, the text is as long as others and begins as they do.

The other schema has the same pronoun, so that the text around it stays grammatical. An item has no such control if
there is no other schema with its pronoun, if its candidates are mentioned after it, or if the segment precedes it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.rewriting import Draws
from winoglot.perturb.base import marked_text
from winoglot.perturb.controls import context_end, control
from winoglot.schemas.spans import Edit, Span, moved
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from winoglot.perturb.base import Context
    from winoglot.schemas.model import Item, Schema, Variant

KIND = "context-swapped"


def perturb(schema: Schema, context: Context) -> tuple[Variant, ...]:
    """The schema's items after the context of another schema, the same for all of them."""
    draws = Draws(schema, context.collection.language, context.seed)
    candidates = {candidate.text for item in schema.items for candidate in item.candidates}
    pronoun = _pronoun(schema)
    for rival in draws.shuffled(KIND, context.collection.schemas):
        rival_candidates = (candidate.text for candidate in rival.items[0].candidates)
        if _pronoun(rival) == pronoun and candidates.isdisjoint(rival_candidates):
            try:
                new = _context(rival.items[0])
            except NotDerivedError:
                continue
            return tuple(_swapped(item, new) for item in schema.items)
    raise NotDerivedError(f"no other schema has a context for {pronoun!r}")


def _pronoun(schema: Schema) -> str:
    return folded(schema.items[0].parts[1])


def _context(item: Item) -> str:
    text, _ = marked_text(item)
    return text[: context_end(item)]


def _swapped(item: Item, new: str) -> Variant:
    end = context_end(item)
    if any(place.start < end for place in item.segment):
        raise NotDerivedError("the segment precedes the pronoun")
    edits = [Edit(Span(0, end), new)]
    candidates = []
    for candidate in item.candidates:
        mentions = (mention for mention in candidate.mentions if mention.start >= end)
        candidates.append(replace(candidate, mentions=tuple(moved(mention, edits) for mention in mentions)))
    if all(candidate.mentions for candidate in candidates):
        raise NotDerivedError("every candidate is mentioned after the pronoun")
    return control(item, KIND, "keeps", edits, candidates=tuple(candidates))
