"""What controls share. A control takes away something that a solver should need, to see what it does without."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError
from winoglot.languages.base import NotDerivedError
from winoglot.languages.readings import readings
from winoglot.perturb.base import COMPOSED, marked_text, variant_of
from winoglot.perturb.renamed.draws import is_draw
from winoglot.schemas.model import Terms, WrittenReading
from winoglot.schemas.spans import Edit, Span, carried, edited, moved, shared_end, shared_start
from winoglot.schemas.text import starts_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from winoglot.schemas.model import Effect, Item, Reading, Variant

# Kinds that show something other than how a solver responds to another wording: what it makes of names, of positions,
# of capitals, or of a text without its situation. The last three are further columns of the published perturbed set.
_CONTROLS = (
    *("renamed", "switched", "lower-case"),
    *("segment-masked", "no-candidates", "after-only", "shuffled", "context-swapped"),
    *("random-context", "scrambled", "freqnoun"),
)
BLANK = "___"  # replaces words that a control takes away, in every language


def is_control(kind: str) -> bool:
    """Whether variants of this kind, or a kind they are composed of, are a control; draws of names are one too.

    >>> [is_control(kind) for kind in ("tense", "renamed", "renamed-7", "tense+segment-masked")]
    [False, True, True, True]
    """
    return is_draw(kind) or any(step in _CONTROLS for step in kind.split(COMPOSED))


@contextmanager
def refusing(item: Item, kind: str) -> Iterator[None]:
    """Turn the reason why a control cannot be derived into an input error about the item."""
    try:
        yield
    except NotDerivedError as reason:
        message = f"{item.id} has no {kind} variant: {reason}"
        raise InputError(message, remedy="Leave the schema out of this control.") from reason


def control(item: Item, kind: str, effect: Effect, edits: Sequence[Edit], **changes: Any) -> Variant:
    """A variant without the question and hypotheses, which would say what the text no longer says."""
    text, _ = marked_text(item)
    derived = [reading for reading in readings(item, "grammatical") if reading.derived] if item.language else []
    changes["readings"] = _edited_readings(item, derived, text, edits)
    if item.phrase is not None and any(edit.span.overlaps(item.phrase) for edit in edits):
        changes["phrase"] = None
    if effect == "removes":
        changes["terms"] = Terms(item.terms.candidates)
    variant = variant_of(item, kind, effect, edits, **changes)
    if derived and not variant.readings and not all(reading.derived for reading in readings(variant, "grammatical")):
        with refusing(item, kind):
            raise NotDerivedError("a candidate has no place among the words that are left")
    return variant


def _edited_readings(
    item: Item, derived: Sequence[Reading], text: str, edits: Sequence[Edit]
) -> tuple[WrittenReading | None, ...]:
    """The item's own readings, written or derived, with the same edits; None for one that cannot be edited.

    Candidates should read in the control as they do in the item, and grammar may need the words that are gone: *her
    ___* does not show that *her* is a possessive. An item without readings leaves them to the control's own text.
    """
    edited = {reading.candidate: _edited_reading(reading, text, edits) for reading in derived}
    return tuple(edited.get(index) for index in range(len(item.candidates))) if any(edited.values()) else ()


def _edited_reading(reading: Reading, text: str, edits: Sequence[Edit]) -> WrittenReading | None:
    """A reading with the same edits; None if one of them lies in what was changed to make it and cannot be found."""
    inserted = Span(len(reading.before), len(reading.before) + len(reading.inserted))
    differs = Span(shared_start(reading.text, text), len(reading.text) - shared_end(reading.text, text))
    places = []
    for edit in edits:
        place = carried(edit, text, reading.text)
        if place is None:
            surface = edit.span.of(text)
            if not surface or reading.text.count(surface, differs.start, differs.end) != 1:
                return None
            start = reading.text.index(surface, differs.start)
            place = Edit(Span(start, start + len(surface)), edit.new)
        places.append(place)
    spans = [inserted, *(edit.span for edit in places)]
    if merged(spans) != sorted(spans):
        return None
    return WrittenReading(edited(reading.text, places), moved(inserted, places))


def context_end(item: Item) -> int:
    """Where the context ends: before the pronoun's word, or the segment around it; NotDerivedError if it is empty."""
    text, pronoun = marked_text(item)
    start = min([pronoun.start, *(place.start for place in item.segment if pronoun.within(place))])
    while start < len(text) and not starts_word(text, start):
        start -= 1
    start += len(text[start:]) - len(text[start:].lstrip())
    if not text[:start].strip():
        raise NotDerivedError("nothing precedes the pronoun")
    return start


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


def disturbs(span: Span, marked: Span) -> bool:
    """Whether editing the first span would change the second, which may be empty.

    >>> disturbs(Span(2, 6), Span(4, 4)), disturbs(Span(2, 6), Span(6, 6))
    (True, False)
    """
    return span.overlaps(marked) or span.start < marked.start < span.end
