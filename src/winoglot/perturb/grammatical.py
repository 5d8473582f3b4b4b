"""Variants by the rules of a language: the seven kinds that word a text differently and keep the answer.

A language's `rewriting` rules (`languages/rewriting.py`) find the edits; here they become variants of a whole schema.
What the rules are not sure of is proposed, and so is a variant that has no grammatical reading although its original
has one. What a rule cannot do, or does differently for the items of one schema, is refused with the reason.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from winoglot.languages.base import NotDerivedError
from winoglot.languages.readings import readings
from winoglot.languages.rewriting import Draws, rewriting_rule
from winoglot.perturb.base import Proposed, marked_text, variant_of
from winoglot.schemas.spans import moved

if TYPE_CHECKING:
    from winoglot.languages.rewriting import Rewriting
    from winoglot.perturb.base import Context
    from winoglot.schemas.model import Item, Schema, Variant


def rewritten(
    schema: Schema, context: Context, kind: str, *, changes: str | None = None, keeps_question: bool = False
) -> tuple[Variant, ...] | Proposed:
    """The schema's variants of a kind by its language's rule; NotDerivedError if it has none.

    `changes` names the feature of the candidates that changes, so that what their author stated about it no longer
    holds. With `keeps_question`, the question and the hypotheses are true of the variant too; without, it has none,
    since a rule needs a text with marked mentions.
    """
    rule = rewriting_rule(context.collection.language, kind)
    draws = Draws(schema, context.collection.language, context.seed)
    variants: list[Variant] = []
    doubts: list[str] = []
    for item in schema.items:
        marked_text(item)
        rewriting = rule(item, draws)
        variants.append(_variant(item, kind, rewriting, changes, keeps_question=keeps_question))
        doubts += rewriting.doubts
    _check_alike(schema.items, variants)
    doubts += [f"no grammatical reading: {reason}" for reason in _without_reading(schema.items, variants)]
    made = tuple(variants)
    return Proposed(made, "; ".join(dict.fromkeys(doubts))) if doubts else made


def _variant(item: Item, kind: str, rewriting: Rewriting, changes: str | None, *, keeps_question: bool) -> Variant:
    candidates = []
    for index, candidate in enumerate(item.candidates):
        new: dict[str, Any] = {
            "mentions": rewriting.mentions[index]
            if rewriting.mentions
            else tuple(moved(mention, rewriting.edits) for mention in candidate.mentions)
        }
        if rewriting.citations:
            new["text"] = rewriting.citations[index]
        if rewriting.roles:
            new["role"] = rewriting.roles[index]
        if changes:
            new["features"] = replace(candidate.features, **{changes: None})
        candidates.append(replace(candidate, **new))
    kept: dict[str, Any] = {"question": item.question, "hypotheses": item.hypotheses} if keeps_question else {}
    if rewriting.pronoun is not None:
        kept["pronoun"] = rewriting.pronoun
    return variant_of(item, kind, "keeps", rewriting.edits, candidates=tuple(candidates), **kept)


def _check_alike(items: tuple[Item, ...], variants: list[Variant]) -> None:
    """Refuse variants that differ outside the segment although their originals do not."""
    for one, other in zip(range(len(items)), range(1, len(items)), strict=False):
        if _shared(items[one]) == _shared(items[other]) and _shared(variants[one]) != _shared(variants[other]):
            raise NotDerivedError("its items would no longer be the same outside the segment")


def _shared(item: Item) -> list[str]:
    """The text around the places of the segment, without spaces beside them, which elision removes (à eux, d'eux)."""
    text, parts, at = item.text or "", [], 0
    for place in item.segment:
        parts.append(text[at : place.start].strip())
        at = place.end
    return [*parts, text[at:].strip()]


def _without_reading(items: tuple[Item, ...], variants: list[Variant]) -> list[str]:
    """Why variants have no grammatical reading although their originals have one."""
    reasons = []
    for item, variant in zip(items, variants, strict=True):
        if all(reading.derived for reading in readings(item, "grammatical")):
            reasons += [reading.reason for reading in readings(variant, "grammatical") if not reading.derived]
    return reasons
