"""Replace names in a text, adapting their neighbours: *d'Anne* → *de Paul*, *James' bike* → *Rita's bike*.

The word before is changed only if the new name begins differently from the old one: the author's spelling is kept.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError, function_words, offered
from winoglot.languages.phrases import definite_article, is_definite
from winoglot.languages.substitution import apostrophe_of, begins_with_vowel, elision_fault, fused, like, loosened
from winoglot.schemas.spans import Edit, Span, shared_start
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from winoglot.languages.name_words import NameSpan

_ELIDED = re.compile(r"\b\w+['’]$")
_LAST = re.compile(r"(\w+['’]?)[ \u00a0]?$")


def edits_for(text: str, place: NameSpan, new: str, gender: str, language: str) -> list[Edit]:
    """The edits that insert the new name: the name itself, and any neighbours that depend on it.

    Raises NotDerivedError if spelling does not show how to write them.

    >>> from winoglot.languages.name_words import NameSpan
    >>> from winoglot.schemas.spans import edited
    >>> text = "Il parle d'Anne."
    >>> edited(text, edits_for(text, NameSpan("Anne", Span(11, 15)), "Claire", "feminine", "fr"))
    'Il parle de Claire.'
    """
    old = place.span.of(text)
    declined = offered(language, "renamed_form")
    written = declined(text, place.span, place.name, new, gender) if declined else new
    shown = written.lower() if old.islower() else written.upper() if old.isupper() and len(old) > 1 else written
    behind = offered(language, "behind")
    around = [
        _joint(text, place.span.start, old, shown, gender, language),
        behind(text, place.span, shown, "singular") if behind else None,
    ]
    return [Edit(place.span, shown), *(edit for edit in around if edit)]


def _joint(text: str, at: int, old: str, new: str, gender: str, language: str) -> Edit | None:
    """The edit right before the name, if any."""
    left = text[:at]
    last = _LAST.search(left)
    if last is None:
        return None
    if begins_with_vowel(old, language) is begins_with_vowel(new, language) is not None:
        euphonic = offered(language, "euphonic")
        written = euphonic(left, new) if euphonic else left
    else:
        written = _left_of(left, old, new, gender, language)
    word = _LAST.search(written)
    fault = word and elision_fault(word.group(1), new, language)
    if fault and not elision_fault(last.group(1), old, language):
        raise NotDerivedError(fault)  # "ma Julie", but "mon Anne"
    kept = shared_start(left, written)
    return Edit(Span(kept, at), written[kept:]) if written != left else None


def _left_of(left: str, old: str, new: str, gender: str, language: str) -> str:
    apostrophe = apostrophe_of(left)
    article = _ELIDED.search(left)
    if article and is_definite(folded(article.group()), language):
        full = definite_article(gender, "singular", language) or ""
        before, phrase = fused(left[: article.start()], f"{like(article.group(), full)} {new}", language)
        if begins_with_vowel(new, language):
            return left
        return before + phrase.removesuffix(new)
    last = _LAST.search(left)
    parts = function_words(language).contractions.get(folded(last.group(1)) if last else "")
    if last and parts and begins_with_vowel(new, language):
        article_there, _ = fused(parts[1] + " ", new, language, apostrophe=apostrophe)
        if article_there.endswith(apostrophe):  # "du Paul", "de l'Alain"
            return f"{left[: last.start()]}{like(last.group(1), parts[0])} {article_there}"
    return fused(loosened(left, old, language), new, language, apostrophe=apostrophe)[0]
