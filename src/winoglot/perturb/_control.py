"""What the controls share: kinds that take away what a solver should need, to see what it does without."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.languages.base import NotDerivedError
from winoglot.languages.readings import readings
from winoglot.schemas.model import Effect, Item, Terms, Variant, WrittenReading
from winoglot.schemas.spans import Edit, Span, carried, edited, moved, shared_end, shared_start

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from winoglot.schemas.model import Candidate, Reading

BLANK = "___"  # what stands for words that were taken away, the same for all and in every language


def refusal(item: Item, kind: str, reason: object) -> InputError:
    """Why a control cannot be made of an item."""
    return InputError(f"{item.id} has no {kind} variant: {reason}", remedy="Leave the schema out of this control.")


def marked_text(item: Item) -> tuple[str, Span]:
    """The text and its pronoun; what is known only by its readings is refused."""
    if item.text is None or item.pronoun is None:
        raise NotDerivedError("it has no text")
    return item.text, item.pronoun


def merged(spans: Iterable[Span]) -> list[Span]:
    """The stretches that the spans cover together, in order.

    >>> merged([Span(5, 9), Span(0, 3), Span(7, 12)])
    [Span(start=0, end=3), Span(start=5, end=12)]
    """
    result: list[Span] = []
    for span in sorted(spans):
        if result and span.start < result[-1].end:
            result[-1] = Span(result[-1].start, max(result[-1].end, span.end))
        else:
            result.append(span)
    return result


def disturbs(span: Span, other: Span) -> bool:
    """Whether a change of the first would change the second, which may be empty.

    >>> disturbs(Span(2, 6), Span(4, 4)), disturbs(Span(2, 6), Span(6, 6))
    (True, False)
    """
    return span.overlaps(other) or span.start < other.start < span.end


def control(
    item: Item,
    kind: str,
    effect: Effect,
    edits: Sequence[Edit],
    candidates: Sequence[Candidate],
    segment: Sequence[Span],
) -> Variant:
    """The item with its text edited; candidates and segment are those of the new text.

    Question and hypotheses stay behind: they would say what the text no longer says.
    """
    text, pronoun = marked_text(item)
    phrase = item.phrase
    if phrase is not None and any(edit.span.overlaps(phrase) for edit in edits):
        phrase = None
    removes = effect == "removes"
    return Variant(
        id=f"{item.id}~{kind}",
        schema_id=item.schema_id,
        parallel_id=f"{item.parallel_id}~{kind}",
        text=edited(text, edits),
        pronoun=moved(pronoun, edits),
        candidates=tuple(candidates),
        answer=None if removes else item.answer,
        segment=tuple(segment),
        phrase=phrase and moved(phrase, edits),
        readings=_readings(item, text, edits),
        terms=Terms(item.terms.candidates) if removes else item.terms,
        tags=item.tags,
        source=item.source,
        language=item.language,
        kind=kind,
        variant_of=item.id,
        effect=effect,
    )


def _readings(item: Item, text: str, edits: Sequence[Edit]) -> tuple[WrittenReading | None, ...]:
    """The item's own readings, written or derived, with the same edits.

    The candidates shall stand in the control as they do in the item, whose words grammar may need to put them there:
    *her ___* does not show that *her* is a possessive. Where there is no reading, the control's own text must do.
    """
    made = readings(item, "grammatical") if item.language else []
    found = tuple(_edited(reading, text, edits) if reading.derived else None for reading in made)
    return found if any(found) else ()


def _edited(reading: Reading, text: str, edits: Sequence[Edit]) -> WrittenReading | None:
    """A reading with the same edits; None where one lies in what was changed to make it, and cannot be found there."""
    inserted = Span(len(reading.before), len(reading.before) + len(reading.inserted))
    differs = Span(shared_start(reading.text, text), len(reading.text) - shared_end(reading.text, text))
    there = []
    for edit in edits:
        place = carried(edit, text, reading.text)
        if place is None:
            surface = edit.span.of(text)
            if not surface or reading.text.count(surface, differs.start, differs.end) != 1:
                return None
            start = reading.text.index(surface, differs.start)
            place = Edit(Span(start, start + len(surface)), edit.new)
        there.append(place)
    spans = [inserted, *(edit.span for edit in there)]
    if merged(spans) != sorted(spans):
        return None
    return WrittenReading(edited(reading.text, there), moved(inserted, there))
