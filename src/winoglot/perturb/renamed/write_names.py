"""Write new names in all texts of a schema, adjusting every span and the words beside them.

*d'Anne* becomes *de Paul*, *James' bike* becomes *Rita's bike*. The word before is changed only if the new name begins
differently from the old one: the author's spelling is kept.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from winoglot.languages.base import NotDerivedError, function_words, language_hook
from winoglot.languages.phrases import definite_article, is_definite
from winoglot.languages.substitution import apostrophe_of, begins_with_vowel, elision_fault, fused, match_case, unelided
from winoglot.perturb.renamed.finding import places_of
from winoglot.schemas.model import Inference, Item, Terms, Variant, WrittenReading
from winoglot.schemas.spans import Edit, Span, edited, moved, shared_start
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from winoglot.perturb.renamed.finding import Name
    from winoglot.schemas.model import Schema

Kind = TypeVar("Kind", Item, Variant)
_NOWHERE = Span(0, 0)
_ELIDED = re.compile(r"\b\w+['’]$")
_LAST = re.compile(r"\b(\w+['’]?)[ \u00a0]?$")


@dataclass(frozen=True)
class NewNames:
    """The new name and the gender for each old name."""

    new: Mapping[str, str]
    genders: Mapping[str, str]


def renamed_schema(schema: Schema, names: NewNames, language: str) -> Schema:
    """The schema with the new names; its note lists the replacements.

    >>> import winoglot
    >>> schema = winoglot.load("winoglot-en").schema("train-wave")
    >>> renamed = renamed_schema(schema, NewNames({"Rosa": "Ida"}, {"Rosa": "feminine"}), "en")
    >>> renamed.items[0].text, renamed.note
    ('From the platform, Ida waved to Lena until the train carried her out of sight.', 'Names: Ida for Rosa.')
    """
    line = f"Names: {', '.join(f'{new} for {old}' for old, new in names.new.items())}."
    return replace(
        schema,
        items=tuple(_item(item, names, language) for item in schema.items),
        variants=tuple(_item(variant, names, language) for variant in schema.variants),
        impossible=tuple(
            replace(impossible, reason=_text(impossible.reason, names, language)) for impossible in schema.impossible
        ),
        explanation=schema.explanation and _text(schema.explanation, names, language),
        note=f"{schema.note}\n{line}" if schema.note else line,
    )


def _item(item: Kind, names: NewNames, language: str) -> Kind:
    text = item.text
    edits = [] if text is None else _edits(text, names, language, pronoun=item.pronoun or _NOWHERE)
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
    text: str, names: NewNames, language: str, *, pronoun: Span = _NOWHERE, is_sentence: bool = True
) -> list[Edit]:
    """The edits that insert the new names; the pronoun is never changed."""
    return [
        edit
        for place in places_of(text, names.new, language, is_sentence=is_sentence)
        if not place.span.overlaps(pronoun)
        for edit in edits_for(text, place, names.new[place.name], names.genders[place.name], language)
        if not edit.span.overlaps(pronoun)
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


# In one text


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
        _joint(text, place.span.start, old, cased, gender, language),
        edit_after(text, place.span, cased, "singular") if edit_after else None,
    ]
    return [Edit(place.span, cased), *(edit for edit in around if edit)]


def _joint(text: str, index: int, old: str, new: str, gender: str, language: str) -> Edit | None:
    """The edit right before the name, if any."""
    left = text[:index]
    last = _LAST.search(left)
    if last is None:
        return None
    if begins_with_vowel(old, language) is begins_with_vowel(new, language) is not None:
        euphonic = language_hook(language, "euphonic")
        new_left = euphonic(left, new) if euphonic else left
    else:
        new_left = _left_of(left, old, new, gender, language)
    word = _LAST.search(new_left)
    fault = word and elision_fault(word.group(1), new, language)
    if fault and not elision_fault(last.group(1), old, language):
        raise NotDerivedError(fault)  # "ma Julie", but "mon Anne"
    shared_length = shared_start(left, new_left)
    return Edit(Span(shared_length, index), new_left[shared_length:]) if new_left != left else None


def _left_of(left: str, old: str, new: str, gender: str, language: str) -> str:
    apostrophe = apostrophe_of(left)
    article = _ELIDED.search(left)
    if article and is_definite(folded(article.group()), language):
        full = definite_article(gender, "singular", language) or ""
        before, phrase = fused(left[: article.start()], f"{match_case(article.group(), full)} {new}", language)
        if begins_with_vowel(new, language):
            return left
        return before + phrase.removesuffix(new)
    last = _LAST.search(left)
    parts = function_words(language).contractions.get(folded(last.group(1)) if last else "")
    if last and parts and begins_with_vowel(new, language):
        article_there, _ = fused(parts[1] + " ", new, language, apostrophe=apostrophe)
        if article_there.endswith(apostrophe):  # "du Paul", "de l'Alain"
            return f"{left[: last.start()]}{match_case(last.group(1), parts[0])} {article_there}"
    return fused(unelided(left, old, language), new, language, apostrophe=apostrophe)[0]
