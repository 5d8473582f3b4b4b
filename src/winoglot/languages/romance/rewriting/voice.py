"""Another voice: *Ana chamou Rita* → *Rita foi chamada por Ana*, and the other way round. Always proposed.

`passive.py` and `active.py` read a plain clause and write it in the other voice, as pieces of text that know where they
come from. Where several clauses have another voice, the one in which most candidates change places is taken. Whether it
is natural, and the pronoun as clear as before, is for a reader to say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.rewriting import Rewriting
from winoglot.languages.romance.rewriting.active import to_active
from winoglot.languages.romance.rewriting.passive import to_passive
from winoglot.languages.romance.rewriting.people import edits_before
from winoglot.languages.romance.rewriting.reader import clauses_of
from winoglot.languages.substitution import apostrophe_of, fused, unelided
from winoglot.schemas.spans import Edit, Span, moved

if TYPE_CHECKING:
    from winoglot.languages.rewriting import Draws
    from winoglot.languages.romance.rewriting.clauses import Clauses
    from winoglot.languages.romance.rewriting.pieces import Piece, Rephrased
    from winoglot.languages.romance.rewriting.rules import Rules
    from winoglot.schemas.model import Item, Role


def voice(item: Item, draws: Draws, rules: Rules) -> Rewriting:
    """A clause of the item in the other voice, as a proposal."""
    del draws
    clauses = clauses_of(item, rules)
    rephrased, reasons = [], []
    for verb in clauses.all_verbs():
        try:
            is_passive = clauses.group(verb).is_passive
            rephrased.append(to_active(clauses, verb) if is_passive else to_passive(clauses, verb))
        except NotDerivedError as error:
            reasons.append(str(error))
    for clause in sorted(rephrased, key=lambda clause: -clause.weight):
        try:
            return _rewriting(clauses, clause)
        except NotDerivedError as error:
            reasons.append(str(error))
    raise NotDerivedError(reasons[-1 if rephrased else 0] if reasons else "no finite verb is known")


def _rewriting(clauses: Clauses, clause: Rephrased) -> Rewriting:
    """The edits that put a clause into the other voice, with the places of mentions and pronoun."""
    text, tag = clauses.text, clauses.rules.tag
    new, offsets = _joined(clause.pieces, tag)
    new = new.replace("'", apostrophe_of(text))
    start = clause.span.start
    left, written = fused(unelided(text[:start], text[start:], tag), new, tag, apostrophe=apostrophe_of(text))
    if written != new:
        raise NotDerivedError("the word before the clause would change")
    edits = (*edits_before(text[:start], left), Edit(clause.span, new), *clause.after)
    starts = (len(left) + offset for offset in offsets)
    new_spans = [Span(start, start + len(piece.text)) for start, piece in zip(starts, clause.pieces, strict=True)]

    def new_span(span: Span) -> Span:
        """Where a mention or pronoun is afterwards."""
        if not span.overlaps(clause.span):
            return moved(span, edits)
        sources = ((piece.source, place) for piece, place in zip(clause.pieces, new_spans, strict=True))
        origin = next(((source, place) for source, place in sources if source and span.within(source)), None)
        if origin is None:
            raise NotDerivedError(f"{span.of(text)!r} would be another word")
        source, place = origin  # counted from its end, since its beginning may have been contracted
        end = place.end - (source.end - span.end)
        return Span(place.start if span.start == source.start else end - (span.end - span.start), end)

    item = clauses.item
    mentions = tuple(tuple(new_span(mention) for mention in candidate.mentions) for candidate in item.candidates)
    roles: list[Role | None] = [candidate.role for candidate in item.candidates]
    for index, role in clause.roles:
        roles[index] = role
    pronoun = new_span(item.pronoun) if item.pronoun else None
    return Rewriting(edits, clause.doubts, mentions=mentions, roles=tuple(roles), pronoun=pronoun)


def _joined(pieces: tuple[Piece, ...], tag: str) -> tuple[str, list[int]]:
    """The pieces as one text, elided where they meet, and where each begins."""
    text, offsets = "", []
    for piece in pieces:
        gap = "" if not text or text.endswith(("'", "’")) else " "
        left = text + gap
        if left:
            left = unelided(left, piece.text, tag) if left.endswith(("'", "’")) else left
            left = fused(left, piece.text, tag)[0]
        offsets.append(len(left))
        text = left + piece.text
    return text, offsets
