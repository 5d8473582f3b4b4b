"""A control that keeps the answer: the words before the pronoun are in random order.

*Fit the cup into does not the case because it is too big.* Candidates and segment stay whole, punctuation stays where
it is, and the text from the pronoun on is unchanged. The text no longer says who did what to whom, so a solver that is
right more often than chance relies on which words occur together.

An item has no such control if fewer than four words precede the pronoun.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.rewriting import Draws
from winoglot.languages.text import word_spans
from winoglot.perturb.base import marked_text
from winoglot.perturb.controls import context_end, control, merged
from winoglot.schemas.spans import Edit, Span
from winoglot.schemas.text import is_unspaced, is_word_character

if TYPE_CHECKING:
    from collections.abc import Iterable

    from winoglot.perturb.base import Context
    from winoglot.schemas.model import Item, Schema, Variant

KIND = "shuffled"
_FEWEST = 4  # words
_WORD = re.compile(r"\w(?:[\w'’-]*\w)?")  # with what is elided or attached: l'amie, levá-la


def perturb(schema: Schema, context: Context) -> tuple[Variant, ...]:
    """The schema with the words before its pronoun shuffled, in the same way in all items."""
    units = [_units(item, context.collection.language) for item in schema.items]
    if len(set(map(len, units))) > 1:
        raise NotDerivedError("its items have different numbers of words before the pronoun")
    if len(units[0]) < _FEWEST:
        raise NotDerivedError("there are too few words before the pronoun")
    order = _order(len(units[0]), Draws(schema, context.collection.language, context.seed))
    return tuple(_shuffled(item, spans, order) for item, spans in zip(schema.items, units, strict=True))


def _order(count: int, draws: Draws) -> list[int]:
    """A random order other than the given one."""
    orders = (draws.shuffled(f"{KIND} {index}", range(count)) for index in range(count))
    return next((order for order in orders if order != sorted(order)), [*range(1, count), 0])


def _units(item: Item, language: str) -> list[Span]:
    """The words of the context; a mention is one, and so is a place of the segment."""
    text, _ = marked_text(item)
    end = context_end(item)
    words = [Span(*match.span()) for match in _WORD.finditer(text, 0, end)]
    if any(map(is_unspaced, text)):
        words = [word for word in word_spans(text[:end], language) if any(map(is_word_character, word.of(text)))]
    mentions = (mention for candidate in item.candidates for mention in candidate.mentions)
    kept_together = [span for span in (*mentions, *item.segment) if span.start < span.end]
    if any(span.start < end < span.end for span in kept_together):
        raise NotDerivedError("a mention or the segment is around the pronoun")
    return merged([*words, *(span for span in kept_together if span.end <= end)])


def _shuffled(item: Item, units: list[Span], order: list[int]) -> Variant:
    text, _ = marked_text(item)
    end = context_end(item)
    parts: list[str] = []
    starts: dict[int, int] = {}  # of each unit, in the new text
    index = 0
    for place, number in zip(units, order, strict=True):
        parts.append(text[index : place.start])
        starts[number] = sum(map(len, parts))
        parts.append(units[number].of(text))
        index = place.end
    new = "".join([*parts, text[index:end]])

    def moved(spans: Iterable[Span]) -> tuple[Span, ...]:
        shifted = []
        for span in spans:
            unit = next(
                (number for number, unit_span in enumerate(units) if span.within(unit_span) and span.start < end), None
            )
            shift = len(new) - end if unit is None else starts[unit] - units[unit].start
            shifted.append(Span(span.start + shift, span.end + shift))
        return tuple(sorted(shifted))

    candidates = tuple(replace(candidate, mentions=moved(candidate.mentions)) for candidate in item.candidates)
    edits = [Edit(Span(0, end), new)]
    return control(item, KIND, "keeps", edits, candidates=candidates, segment=moved(item.segment))
