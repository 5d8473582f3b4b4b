"""A control that keeps the answer: the candidates' mentions become gaps.

Each mention becomes a gap, together with its determiner, which may give it away; a preposition stays: *___ does not
fit into ___ because it is too big.* Both candidates are still in the readings, so a solver that is right more often
than chance tells from the rest of the text which one is meant: it relies on an artefact. A word that goes with only one
of the candidates stays, and is part of what the control measures.

An item has no such control if its text mentions no candidate, or if a mention contains the pronoun or a part of the
segment.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.slots import slot_of
from winoglot.languages.substitution import match_case, unelided
from winoglot.perturb.base import marked_text
from winoglot.perturb.controls import BLANK, control, disturbs, merged, refusing
from winoglot.schemas.spans import Edit, Span, shared_start

if TYPE_CHECKING:
    from winoglot.schemas.model import Item, Variant

KIND = "no-candidates"


def perturb(item: Item) -> Variant:
    """The item with a blank for each mention; an input error says why if that is impossible.

    >>> from winoglot import Candidate, Item, Span
    >>> chave, gaveta = Candidate("a chave", (Span(0, 7),)), Candidate("a gaveta", (Span(13, 22),))
    >>> item = Item("a.0", "a", text="A chave caiu na gaveta e ela sumiu.", pronoun=Span(25, 28),
    ...             candidates=(chave, gaveta), answer=0, language="pt")
    >>> perturb(item).text
    '___ caiu em ___ e ela sumiu.'
    """
    with refusing(item, KIND):
        edits = _blanks(item)
    candidates = tuple(replace(candidate, mentions=()) for candidate in item.candidates)
    return control(item, KIND, "keeps", edits, candidates=candidates)


def _blanks(item: Item) -> list[Edit]:
    text, pronoun = marked_text(item)
    protected = (pronoun, *item.segment)
    slots = []
    for mention in (mention for candidate in item.candidates for mention in candidate.mentions):
        for name, spans in (("pronoun", protected[:1]), ("segment", protected[1:])):
            if any(disturbs(mention, span) for span in spans):
                raise NotDerivedError(f"the {name} is inside {mention.of(text)!r}")
        slot = slot_of(item, mention, item.language)
        reaches_out = any(disturbs(slot.span, span) for span in protected)
        slots.append((mention, "") if reaches_out else (slot.span, slot.preposition))
    if not slots:
        raise NotDerivedError("the text mentions no candidate")
    prepositions = {span.start: preposition for span, preposition in slots}
    edits = [_blank(text, span, prepositions[span.start], item.language) for span in merged(span for span, _ in slots)]
    if any(disturbs(edit.span, span) for edit in edits for span in protected):
        raise NotDerivedError("the word before a mention belongs to the segment or to the pronoun")
    return edits


def _blank(text: str, span: Span, preposition: str, language: str) -> Edit:
    """The blank, with what was contracted or elided before the mention written in full: *d'Anne* → *de ___*."""
    before = text[: span.start]
    loose = unelided(before, text[span.start :], language)
    start = shared_start(before, loose)
    if preposition:
        loose += match_case(text[span.start], preposition) + " "
    return Edit(Span(start, span.end), loose[start:] + BLANK)
