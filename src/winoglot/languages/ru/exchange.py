"""Candidates in each other's place, and names in the place of others: the newcomer takes the case of the old one."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.names import name_gender
from winoglot.languages.ru.candidates import cases_at, noun_phrase_of, pronoun_features
from winoglot.languages.ru.morphology import analyses, words_of
from winoglot.languages.ru.noun_phrase import phrase_readings, table
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from winoglot.schemas.model import Item
    from winoglot.schemas.spans import Span

_PERSONS = frozenset({"masculine", "feminine"})


def in_place_of(item: Item, incoming: int, mention: Span) -> str:
    """The candidate in the case in which the text mentions the other one, spelt as inside a sentence."""
    text = item.text or ""
    phrase, outgoing = (noun_phrase_of(item.candidates[index], item) for index in (incoming, 1 - incoming))
    if phrase is None or outgoing is None:
        raise NotDerivedError("a candidate is not a noun phrase that can be declined")
    if phrase.is_animate != outgoing.is_animate:
        raise NotDerivedError("one candidate is a being and the other a thing, which decline differently")
    _check_neighbours(text, mention)
    surface = folded(item.pronoun.of(text)) if item.pronoun else ""
    genders = frozenset(gender for gender, _ in pronoun_features(surface) if gender)
    cases = _cases(text, mention, outgoing.written("nominative") or "", genders)
    forms = {phrase.written(case) for case in cases}
    if len(forms) != 1 or None in forms:
        raise NotDerivedError(f"the case of {mention.of(text)!r} is not certain")
    return forms.pop() or ""


def _cases(text: str, mention: Span, nominative: str, genders: frozenset[str]) -> frozenset[str]:
    """The cases in which the text may mention a phrase here."""
    allowed = cases_at(text, mention)
    surface = mention.of(text)
    return frozenset(
        reading.case
        for reading in phrase_readings(surface, genders)
        if reading.case in allowed and folded(reading.written("nominative") or "") == folded(nominative)
    )


def _check_neighbours(text: str, mention: Span) -> None:
    """Refuse a mention with an owner before it, or with a genitive after it that belongs to it: *своего сына*."""
    before = words_of(text, 0, mention.start)[-1:]
    after = words_of(text, mention.end, len(text))[:1]
    for token in before:
        if any(line.has("possessive") for line in table("pronouns").entries.get(token.form, ())):
            raise NotDerivedError(f"{token.form!r} before {mention.of(text)!r} says whose it is")
    for token in after:
        best = analyses(token.form)[0]
        if best.part == "NOUN" and best.case == "genitive" and token.form[:1].isalpha():
            raise NotDerivedError(f"{token.form!r} belongs to {mention.of(text)!r}")


@lru_cache(maxsize=10_000)
def listed_name(word: str) -> str:
    """The first name of which the word is a form, as the lists have it; else the word itself.

    >>> listed_name("Олегу"), listed_name("Ольгой"), listed_name("Столом")
    ('Олег', 'Ольга', 'Столом')
    """
    if name_gender(word, "ru").value:
        return word
    nominatives = [
        nominative
        for reading in phrase_readings(word, _PERSONS)
        if reading.number == "singular" and (nominative := reading.written("nominative")) and nominative != word
    ]
    return next((name for name in nominatives if name_gender(name, "ru").value), word)


def renamed_form(text: str, place: Span, name: str, new: str, gender: str) -> str:
    """The new name in the case of the old one, which the text has here."""
    surface = place.of(text)
    cases = _cases(text, place, name, frozenset({gender}))
    readings = [
        reading
        for reading in phrase_readings(new, frozenset({gender}))
        if reading.case == "nominative" and reading.is_name
    ]
    forms = {readings[0].written(case) for case in cases} if readings else set()
    if len(forms) != 1 or None in forms:
        raise NotDerivedError(f"the case of {surface!r} is not certain")
    return forms.pop() or ""
