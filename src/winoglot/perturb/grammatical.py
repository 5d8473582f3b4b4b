"""Variants by the rules of a language: the seven kinds that word a text differently and keep the answer.

A language's `rewriting` rules (`languages/rewriting.py`) find the edits; here they become variants of a whole schema.
What the rules are not sure of is proposed, and so is a variant that has no grammatical reading although its original
has one. What a rule cannot do, or does differently for the items of one schema, is refused with the reason.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from winoglot.languages.base import NotDerivedError
from winoglot.languages.lexicon import lexicon
from winoglot.languages.readings import misfit, readings
from winoglot.languages.rewriting import Draws, rewriting_rule
from winoglot.languages.slots import opens_sentence
from winoglot.perturb.base import Proposed, edited_text, marked_text, variant_of
from winoglot.schemas.spans import Edit, Span, moved

if TYPE_CHECKING:
    from winoglot.languages.rewriting import Rewriting
    from winoglot.perturb.base import Context
    from winoglot.schemas.model import Features, Item, Schema, Variant


@dataclass(frozen=True)
class Rewording:
    """One of the kinds.

    `changes` names the feature of the candidates that changes, so that what their author stated about it no longer
    holds. With `keeps_question`, the question and the hypotheses are true of the variant too; without, it has none,
    since a rule needs a text with marked mentions.
    """

    kind: str
    description: str
    changes: str | None = None
    keeps_question: bool = False

    def perturb(self, schema: Schema, context: Context) -> tuple[Variant, ...] | Proposed:
        """The schema's variants by its language's rule; NotDerivedError says why if the rule gives none."""
        if any(item.pronoun_form == "blank" for item in schema.items):
            return self._around_gap(schema, context)
        return self._reworded(schema, context)

    def _around_gap(self, schema: Schema, context: Context) -> tuple[Variant, ...] | Proposed:
        """The variants with the gap kept, if every pronoun that may fill it leads to the same ones.

        Nothing shows which case it has; a form about which the rule is sure is taken for the right one.
        """
        outcomes: dict[tuple[str | None, ...], Proposed] = {}
        for forms in _fillings(schema, context.collection.language):
            attempts = [self._filled(schema, form, context) for form in forms]
            proposals = [attempt for attempt in attempts if isinstance(attempt, Proposed)]
            if not proposals:
                raise next(attempt for attempt in attempts if isinstance(attempt, NotDerivedError))
            for proposal in [proposal for proposal in proposals if not proposal.reason] or proposals:
                outcomes[tuple(variant.text for variant in proposal.variants)] = proposal
        if not outcomes:
            raise NotDerivedError("no pronoun that may fill its gap agrees with all candidates")
        if len(outcomes) > 1:
            raise NotDerivedError("its variants depend on the pronoun that fills its gap")
        [proposal] = outcomes.values()
        return proposal if proposal.reason else proposal.variants

    def _filled(self, schema: Schema, form: str, context: Context) -> Proposed | NotDerivedError:
        """The variants if this form fills the gap, with the gap in its place again; or why there are none."""
        filled = replace(schema, items=tuple(_without_gap(item, form) for item in schema.items))
        try:
            variants = self._reworded(filled, context)
        except NotDerivedError as refusal:
            return refusal
        proposal = variants if isinstance(variants, Proposed) else Proposed(variants, "")
        return replace(proposal, variants=tuple(map(_with_gap, schema.items, proposal.variants)))

    def _reworded(self, schema: Schema, context: Context) -> tuple[Variant, ...] | Proposed:
        rule = rewriting_rule(context.collection.language, self.kind)
        draws = Draws(schema, context.collection.language, context.seed)
        variants: list[Variant] = []
        doubts: list[str] = []
        for item in schema.items:
            marked_text(item)
            rewriting = rule(item, draws)
            variants.append(self._variant(item, rewriting))
            doubts += rewriting.doubts
        _check_alike(schema.items, variants)
        doubts += [f"no grammatical reading: {reason}" for reason in _without_reading(schema.items, variants)]
        if doubts:
            return Proposed(tuple(variants), "; ".join(dict.fromkeys(doubts)))
        return tuple(variants)

    def _variant(self, item: Item, rewriting: Rewriting) -> Variant:
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
            if self.changes:
                new["features"] = replace(candidate.features, **{self.changes: None})
            candidates.append(replace(candidate, **new))
        unchanged: dict[str, Any] = {}
        if self.keeps_question:
            unchanged = {"question": item.question, "hypotheses": item.hypotheses}
        if rewriting.pronoun is not None:
            unchanged["pronoun"] = rewriting.pronoun
        return variant_of(item, self.kind, "keeps", rewriting.edits, candidates=tuple(candidates), **unchanged)


_KINDS = (
    # All finite verbs of the text change, or none: *the cup did not fit because it was too big* → *the cup does not fit
    # because it is too big*. In Chinese, which has no tense, the time frame changes instead. A schema whose
    # alternatives differ in tense has no such variant.
    Rewording("tense", "Another tense: past becomes present, or present past."),
    # Names become plural by conjunction: *Dora sold her piano to Martha* → *Dora and Edith sold their piano to Martha
    # and Mabel*. Both candidates change, since one alone would give the answer away by its pronoun.
    Rewording(
        "number",
        "Another number: both candidates become plural, or both singular, with every word that agrees with them.",
        changes="number",
    ),
    # *Dora sold her piano to Martha* → *David sold his piano to Arthur*. Things have no such variant; people have one
    # only if both are called by a name, or by a noun with a counterpart of the other gender (*aunt*, *uncle*). New
    # names change more than the gender, so compare with `renamed`.
    Rewording(
        "gender",
        "Another gender: both candidates change gender, with every word that agrees with them.",
        changes="gender",
    ),
    # *The wolf chased the fox because it was hungry* → *The fox was chased by the wolf because it was hungry*. Both
    # candidates stay in the text, and the pronoun's clause changes only if that leaves its answer as clear as before.
    Rewording(
        "voice", "Another voice: an active clause becomes passive, or a passive one active.", keeps_question=True
    ),
    # *Dora, who was standing by the window, sold her piano to Martha.* The clause agrees with the candidate in number
    # and fits a person, an animal or a thing; it separates the candidate from its verb and makes the text harder to
    # follow.
    Rewording(
        "relative",
        "The first candidate gets a relative clause that says nothing about the answer.",
        keeps_question=True,
    ),
    # *Dora sold her piano to Martha* → *Dora quietly sold her piano to Martha*.
    Rewording("adverb", "Every main verb gets an adverb that says nothing about the answer.", keeps_question=True),
    # *The doctor called the lawyer* → *The physician called the attorney*; *Dora called Martha* → *Constance called
    # Beryl*.
    Rewording(
        "synonym",
        "Other words for both candidates: another name of the same gender, or a synonym of the same gender and number.",
    ),
)
PLUGINS = {kind.kind: kind for kind in _KINDS}


def _fillings(schema: Schema, language: str) -> list[list[str]]:
    """The pronouns that may fill the schema's gap, by gender and number; *they* only if nothing clearer may.

    Words written with an apostrophe (*he's*) and reflexives are left out.
    """
    table = lexicon(language, "pronouns")
    groups: defaultdict[Features, list[str]] = defaultdict(list)
    for form, features in table.features().items():
        if form.isalpha() and form not in table.words("reflexive"):
            items = [_without_gap(item, form) for item in schema.items]
            if not any(misfit(item, index, language) for item in items for index in range(len(item.candidates))):
                groups[features].append(form)
    clear = [forms for features, forms in groups.items() if features.number]
    return clear or list(groups.values())


def _without_gap(item: Item, form: str) -> Item:
    """The item with a pronoun in its gap."""
    text, gap = item.text or "", item.pronoun or Span(0, 0)
    edit = Edit(gap, form[0].upper() + form[1:] if opens_sentence(text, gap.start) else form)
    return replace(item, **edited_text(item, [edit]))


def _with_gap(item: Item, variant: Variant) -> Variant:
    """The variant of an item without its gap, with the gap in the pronoun's place again."""
    return replace(variant, **edited_text(variant, [Edit(variant.pronoun or Span(0, 0), item.parts[1])]))


def _check_alike(items: tuple[Item, ...], variants: list[Variant]) -> None:
    """Refuse variants that differ outside the segment although their originals do not."""
    for index, following in zip(range(len(items)), range(1, len(items)), strict=False):
        if _shared(items[index]) == _shared(items[following]) and _shared(variants[index]) != _shared(
            variants[following]
        ):
            raise NotDerivedError("its items would no longer be the same outside the segment")


def _shared(item: Item) -> list[str]:
    """The text around the places of the segment, without spaces beside them, which elision removes (à eux, d'eux)."""
    text, parts, index = item.text or "", [], 0
    for place in item.segment:
        parts.append(text[index : place.start].strip())
        index = place.end
    return [*parts, text[index:].strip()]


def _without_reading(items: tuple[Item, ...], variants: list[Variant]) -> list[str]:
    """Why variants have no grammatical reading although their originals have one."""
    reasons = []
    for item, variant in zip(items, variants, strict=True):
        if all(reading.derived for reading in readings(item, "grammatical")):
            reasons += [reading.reason for reading in readings(variant, "grammatical") if not reading.derived]
    return reasons
