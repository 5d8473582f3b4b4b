"""A candidate in the case of the pronoun it replaces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.ru.candidates import noun_phrases_of, without_opening
from winoglot.languages.ru.morphology import analyses
from winoglot.languages.ru.noun_phrase import table
from winoglot.languages.ru.words import words_of
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from winoglot.languages.substitution import Place


def declined(place: Place, case: str, *, is_place: bool = False) -> str:
    """The candidate in a case; raises NotDerivedError if it cannot be sure."""
    candidate = place.item.candidates[place.index]
    phrases = noun_phrases_of(candidate, place.item)
    if not phrases:
        raise NotDerivedError(f"{candidate.text!r} is not a noun phrase that can be declined")
    opening = phrases[0].parts[0].form
    is_none = folded(candidate.text).startswith("ни ")
    if is_none or (opening and opening.lemma in table("determiners").words("unrepeated")):
        raise NotDerivedError(f"{candidate.text!r} would mean something else on second mention")
    made = {without_opening(phrase, place.item).written(case, is_place=is_place) for phrase in phrases}
    word = made.pop()
    if word is None or made:
        raise NotDerivedError(f"the {case} of {candidate.text!r} is not certain")
    return _with_yo(word, place.text)


def _with_yo(made: str, text: str) -> str:
    """*ё* as the text has it: a text with *ее* or *еще* writes *семьей*."""
    if "ё" not in made or "ё" in text.lower():
        return made
    words = (token.form for token in words_of(text, 0, len(text)) if "е" in token.form)
    return made.replace("ё", "е") if any(all("ё" in f.word for f in analyses(word)) for word in words) else made
