"""Rename people in all texts of a schema, adjusting every span."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from winoglot.languages.name_spans import places_of
from winoglot.languages.named_candidates import unmentioned
from winoglot.languages.renamed_text import edits_for
from winoglot.schemas.model import Inference, Item, Terms, Variant, WrittenReading
from winoglot.schemas.spans import Edit, Span, edited, moved

if TYPE_CHECKING:
    from winoglot.schemas.model import Schema

Kind = TypeVar("Kind", Item, Variant)
_NOWHERE = Span(0, 0)


@dataclass(frozen=True)
class NewNames:
    """The new name and the gender for each old name, and the names that are kept."""

    new: Mapping[str, str]
    genders: Mapping[str, str]
    others: frozenset[str] = frozenset()


def renamed_schema(schema: Schema, names: NewNames, language: str) -> Schema:
    """The schema with the new names; its note lists the replacements.

    >>> import winoglot
    >>> schema = winoglot.load("winoglot-en").schema("train-wave")
    >>> renamed = renamed_schema(schema, NewNames({"Rosa": "Ida"}, {"Rosa": "feminine"}), "en")
    >>> renamed.items[0].text, renamed.note
    ('From the platform, Ida waved to Lena until the train carried her away.', 'Names: Ida for Rosa.')
    """
    line = f"Names: {', '.join(f'{new} for {old}' for old, new in names.new.items())}."
    return replace(
        schema,
        items=tuple(_item(item, names, language) for item in schema.items),
        variants=tuple(_item(variant, names, language) for variant in schema.variants),
        impossible=tuple(replace(one, reason=_text(one.reason, names, language)) for one in schema.impossible),
        explanation=schema.explanation and _text(schema.explanation, names, language),
        note=f"{schema.note}\n{line}" if schema.note else line,
    )


def _item(item: Kind, names: NewNames, language: str) -> Kind:
    text = item.text
    staying = [item.pronoun or _NOWHERE, *(span for name in names.new for span in unmentioned(item, name, language))]
    edits = [] if text is None else _edits(text, names, language, staying=staying)
    candidates = tuple(
        replace(
            candidate,
            text=_text(candidate.text, names, language, is_sentence=False),
            mentions=tuple(moved(mention, edits) for mention in candidate.mentions),
        )
        for candidate in item.candidates
    )
    return replace(
        item,
        text=text and edited(text, edits),
        pronoun=item.pronoun and moved(item.pronoun, edits),
        candidates=candidates,
        segment=tuple(moved(place, edits) for place in item.segment),
        phrase=item.phrase and moved(item.phrase, edits),
        question=item.question and _text(item.question, names, language),
        hypotheses=tuple(_text(hypothesis, names, language) for hypothesis in item.hypotheses),
        readings=tuple(reading and _reading(reading, names, language) for reading in item.readings),
        inferences=tuple(_inference(inference, names, language) for inference in item.inferences),
        terms=_terms(item.terms, names, language),
    )


def _edits(
    text: str, names: NewNames, language: str, *, staying: Sequence[Span] = (), is_sentence: bool = True
) -> list[Edit]:
    """The edits that insert the new names; the pronoun and kept names are never changed."""
    places = places_of(text, names.new, language, others=names.others, is_sentence=is_sentence)
    return [
        edit
        for place in places
        if not any(place.span.overlaps(span) for span in staying)
        for edit in edits_for(text, place, names.new[place.name], names.genders[place.name], language)
        if not any(edit.span.overlaps(span) for span in staying)
    ]


def _text(text: str, names: NewNames, language: str, *, is_sentence: bool = True) -> str:
    return edited(text, _edits(text, names, language, is_sentence=is_sentence))


def _reading(reading: WrittenReading, names: NewNames, language: str) -> WrittenReading:
    edits = _edits(reading.text, names, language)
    return WrittenReading(edited(reading.text, edits), reading.inserted and moved(reading.inserted, edits))


def _inference(inference: Inference, names: NewNames, language: str) -> Inference:
    premise, hypothesis = (_text(text, names, language) for text in (inference.premise, inference.hypothesis))
    return replace(inference, premise=premise, hypothesis=hypothesis)


def _terms(terms: Terms, names: NewNames, language: str) -> Terms:
    candidates = tuple(_text(term, names, language, is_sentence=False) for term in terms.candidates)
    return Terms(candidates, terms.segment and _text(terms.segment, names, language, is_sentence=False))
