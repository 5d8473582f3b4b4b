"""A text with other names in it, written as the language wants: *d'Anne* → *de Paul*, *James' bike* → *Rita's bike*.

A joint is touched only where the new name begins otherwise than the old one: an author's spelling stays.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError, function_words
from winoglot.languages.elision import begins_with_vowel, elision_fault
from winoglot.languages.fusion import apostrophe_of, fused, like, loosened
from winoglot.languages.phrases import definite_article
from winoglot.schemas.edits import Edit, shared_start
from winoglot.schemas.language_tag import primary
from winoglot.schemas.span import Span
from winoglot.schemas.words import folded

if TYPE_CHECKING:
    from winoglot.languages.name_spans import NameSpan

_ARTICLE = re.compile(r"\bl['’]$", re.IGNORECASE)
_LAST = re.compile(r"(\w+['’]?)[ \u00a0]?$")
_BARE_POSSESSIVE = re.compile(r"['’](?=[ \u00a0]\w)")
_QUOTE_OPEN = re.compile(r"(?:^|[\s(—-])'|‘")


def edits_for(text: str, place: NameSpan, new: str, gender: str, language: str) -> list[Edit]:
    """What puts the new name in the place: the name itself, and what of its neighbours depends on it.

    Raises NotDerivedError where spelling does not tell how they are written.

    >>> from winoglot.languages.name_spans import NameSpan
    >>> from winoglot.schemas.edits import edited
    >>> text = "Il parle d'Anne."
    >>> edited(text, edits_for(text, NameSpan("Anne", Span(11, 15)), "Claire", "feminine", "fr"))
    'Il parle de Claire.'
    """
    old = place.span.of(text)
    shown = new.lower() if old.islower() else new.upper() if old.isupper() and len(old) > 1 else new
    around = [
        _joint(text, place.span.start, old, shown, gender, language),
        _possessive(text, place.span, shown, language),
    ]
    return [Edit(place.span, shown), *(edit for edit in around if edit)]


def _joint(text: str, at: int, old: str, new: str, gender: str, language: str) -> Edit | None:
    """What changes right before the name."""
    left = text[:at]
    last = _LAST.search(left)
    if last is None or begins_with_vowel(old, language) is begins_with_vowel(new, language) is not None:
        return None
    written = _left_of(left, old, new, gender, language)
    word = _LAST.search(written)
    fault = word and elision_fault(word.group(1), new, language)
    if fault and not elision_fault(last.group(1), old, language):
        raise NotDerivedError(fault)  # "ma Julie", but "mon Anne"
    kept = shared_start(left, written)
    return Edit(Span(kept, at), written[kept:]) if written != left else None


def _left_of(left: str, old: str, new: str, gender: str, language: str) -> str:
    apostrophe = apostrophe_of(left)
    article = _ARTICLE.search(left)
    if article and primary(language) == "fr":
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


def _possessive(text: str, name: Span, new: str, language: str) -> Edit | None:
    """English writes *James'* or *James's*, but only *Rita's*."""
    bare = _BARE_POSSESSIVE.match(text, name.end)
    if primary(language) != "en" or not bare or not name.of(text).endswith("s") or new.endswith("s"):
        return None
    if _QUOTE_OPEN.search(text[: name.start]):
        raise NotDerivedError(f"{text[name.start : name.end + 1]!r} may close a quotation")
    return Edit(Span(name.end, name.end + 1), bare.group() + "s")
