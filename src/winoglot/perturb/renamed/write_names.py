"""Write new names in all texts of a schema, adjusting every span and the words beside them.

*d'Anne* becomes *de Paul*, *James' bike* becomes *Rita's bike*. The word before is changed only if the new name begins
differently from the old one: the author's spelling is kept. A name before which *l'* or *du* would change is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from winoglot.languages.base import NotDerivedError, language_hook
from winoglot.languages.substitution import apostrophe_of, begins_with_vowel, elision_fault, fused, unelided
from winoglot.perturb.renamed.finding import places_of
from winoglot.schemas.model import Item, Terms, Variant, WrittenReading
from winoglot.schemas.spans import Edit, Span, edited, moved, shared_start

if TYPE_CHECKING:
    from winoglot.perturb.renamed.finding import Name
    from winoglot.schemas.model import Schema

ItemOrVariant = TypeVar("ItemOrVariant", Item, Variant)
_NOWHERE = Span(0, 0)
_LAST = re.compile(r"\b(\w+['’]?)[ \u00a0]?$")


@dataclass(frozen=True)
class NewNames:
    """The new name and the gender for each old name, in texts of a language.

    >>> import winoglot
    >>> names = NewNames({"Rosa": "Ida"}, {"Rosa": "feminine"}, "en")
    >>> renamed = names.in_schema(winoglot.load("winoglot-en").schema("train-wave"))
    >>> renamed.items[0].text, renamed.note
    ('From the platform, Ida waved to Lena until the train carried her out of sight.', 'Names: Ida for Rosa.')
    """

    new: Mapping[str, str]
    genders: Mapping[str, str]
    language: str

    def in_schema(self, schema: Schema) -> Schema:
        """The schema with the new names; its note lists the replacements."""
        line = f"Names: {', '.join(f'{new} for {old}' for old, new in self.new.items())}."
        return replace(
            schema,
            items=tuple(map(self._in_item, schema.items)),
            variants=tuple(map(self._in_item, schema.variants)),
            impossible=tuple(replace(each, reason=self._in_text(each.reason)) for each in schema.impossible),
            explanation=schema.explanation and self._in_text(schema.explanation),
            note=f"{schema.note}\n{line}" if schema.note else line,
        )

    def _in_item(self, item: ItemOrVariant) -> ItemOrVariant:
        edits = self.edits(item.text or "", pronoun=item.pronoun or _NOWHERE)
        candidates = tuple(
            replace(
                candidate,
                text=self._in_phrase(candidate.text),
                mentions=tuple(moved(mention, edits) for mention in candidate.mentions),
            )
            for candidate in item.candidates
        )
        terms = item.terms
        return replace(
            item,
            text=item.text and edited(item.text, edits),
            pronoun=item.pronoun and moved(item.pronoun, edits),
            candidates=candidates,
            segment=tuple(moved(place, edits) for place in item.segment),
            phrase=item.phrase and moved(item.phrase, edits),
            question=item.question and self._in_text(item.question),
            hypotheses=tuple(map(self._in_text, item.hypotheses)),
            readings=tuple(reading and self._in_reading(reading) for reading in item.readings),
            inferences=tuple(
                replace(each, premise=self._in_text(each.premise), hypothesis=self._in_text(each.hypothesis))
                for each in item.inferences
            ),
            terms=Terms(
                tuple(map(self._in_phrase, terms.candidates)), terms.segment and self._in_phrase(terms.segment)
            ),
        )

    def _in_reading(self, reading: WrittenReading) -> WrittenReading:
        edits = self.edits(reading.text)
        return WrittenReading(edited(reading.text, edits), reading.inserted and moved(reading.inserted, edits))

    def _in_text(self, text: str) -> str:
        return edited(text, self.edits(text))

    def _in_phrase(self, phrase: str) -> str:
        return edited(phrase, self.edits(phrase, is_sentence=False))

    def edits(self, text: str, *, pronoun: Span = _NOWHERE, is_sentence: bool = True) -> list[Edit]:
        """The edits that insert the new names; the pronoun is never changed."""
        return [
            edit
            for place in places_of(text, self.new, self.language, is_sentence=is_sentence)
            if not place.span.overlaps(pronoun)
            for edit in edits_for(text, place, self.new[place.name], self.genders[place.name], self.language)
            if not edit.span.overlaps(pronoun)
        ]


def edits_for(text: str, place: Name, new: str, gender: str, language: str) -> list[Edit]:
    """The edits that insert the new name: the name itself, and any neighbours that depend on it.

    Raises NotDerivedError if spelling does not show how to write them.

    >>> from winoglot.perturb.renamed.finding import Name
    >>> from winoglot.schemas.spans import edited
    >>> text = "Il parle d'Anne."
    >>> edited(text, edits_for(text, Name("Anne", Span(11, 15)), "Claire", "feminine", "fr"))
    'Il parle de Claire.'
    """
    old = place.span.of(text)
    declined = language_hook(language, "renamed_form")
    form = declined(text, place.span, place.name, new, gender) if declined else new
    cased = form.lower() if old.islower() else form.upper() if old.isupper() and len(old) > 1 else form
    edit_after = language_hook(language, "edit_after")
    around = [
        _edit_before(text, place.span.start, old, cased, language),
        edit_after(text, place.span, cased, "singular") if edit_after else None,
    ]
    return [Edit(place.span, cased), *(edit for edit in around if edit)]


def _edit_before(text: str, index: int, old: str, new: str, language: str) -> Edit | None:
    """The edit right before the name, if any."""
    left = text[:index]
    last = _LAST.search(left)
    if last is None:
        return None
    if begins_with_vowel(old, language) is begins_with_vowel(new, language) is not None:
        euphonic = language_hook(language, "euphonic")
        new_left = euphonic(left, new) if euphonic else left
    else:
        new_left = fused(unelided(left, old, language), new, language, apostrophe=apostrophe_of(left))[0]
    word = _LAST.search(new_left)
    fault = word and elision_fault(word.group(1), new, language)
    if fault and not elision_fault(last.group(1), old, language):
        raise NotDerivedError(fault)  # "ma Julie", but "mon Anne"
    shared_length = shared_start(left, new_left)
    return Edit(Span(shared_length, index), new_left[shared_length:]) if new_left != left else None
