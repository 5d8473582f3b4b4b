"""Candidates in each other's place, and names in the place of others: the newcomer takes the case of the old one."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.names import name_gender
from winoglot.languages.ru.candidates import cases_at, noun_phrase_of, pronoun_features
from winoglot.languages.ru.government import clause_around, verb_of
from winoglot.languages.ru.morphology import analyses, words_of
from winoglot.languages.ru.noun_phrase import genders_agree, may_modify, phrase_readings, table
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.languages.ru.morphology import Form
    from winoglot.languages.ru.noun_phrase import NounPhrase
    from winoglot.languages.substitution import Token
    from winoglot.schemas.model import Item
    from winoglot.schemas.spans import Span

_PERSONS = frozenset({"masculine", "feminine"})
_SEVERAL = 2


def in_place_of(item: Item, incoming: int, mention: Span) -> str:
    """The candidate in the case in which the text mentions the other one, spelt as inside a sentence."""
    text = item.text or ""
    phrase, outgoing = (noun_phrase_of(item.candidates[index], item) for index in (incoming, 1 - incoming))
    if phrase is None or outgoing is None:
        raise NotDerivedError("a candidate is not a noun phrase that can be declined")
    if phrase.is_animate != outgoing.is_animate:
        raise NotDerivedError("one candidate is a being and the other a thing, which decline differently")
    if bool(phrase.clause) != bool(outgoing.clause):
        raise NotDerivedError("only one candidate has a clause after a comma, which needs a second one")
    _check_neighbours(text, mention)
    surface = folded(item.pronoun.of(text)) if item.pronoun else ""
    genders = frozenset(gender for gender, _ in pronoun_features(surface) if gender)
    readings = [
        reading
        for reading in _readings_at(text, mention, outgoing.written("nominative") or "", genders)
        if (reading.is_animate, reading.number, reading.is_name)
        == (outgoing.is_animate, outgoing.number, outgoing.is_name)
    ]
    forms = {phrase.written(case) for case in _cases(text, mention, readings)}
    if len(forms) != 1 or None in forms:
        raise NotDerivedError(f"the case of {mention.of(text)!r} is not certain")
    return forms.pop() or ""


def _readings_at(text: str, mention: Span, nominative: str, genders: frozenset[str]) -> list[NounPhrase]:
    """What a mention may be, of all that is cited like this."""
    allowed = cases_at(text, mention)
    return [
        reading
        for reading in phrase_readings(mention.of(text), genders)
        if reading.case in allowed and folded(reading.written("nominative") or "") == folded(nominative)
    ]


def _cases(text: str, mention: Span, readings: Sequence[NounPhrase]) -> frozenset[str]:
    """The cases of the readings, or that one of them which the verb wants: *обогнала Марию*, *помогла Марии*."""
    cases = frozenset(reading.case for reading in readings)
    if len(cases) < _SEVERAL:
        return cases
    clause = clause_around(text, mention)
    verbs = [(token, form) for token in clause.before if (form := verb_of(token))]
    if not verbs:
        is_owner = any(analyses(token.form)[0].part == "NOUN" for token in clause.before[-1:])  # *сын Энн пришёл*
        is_subject = "nominative" in cases and not is_owner and not any(map(_is_subject, clause.after))
        following = (form for token in clause.after if (form := verb_of(token)) and form.part == "VERB")
        is_agreeing = next((_agrees(form, readings[0]) for form in following), False)
        return frozenset({"nominative"}) if is_subject and is_agreeing else cases
    before = next((token for token in clause.before if not may_modify(token.form)), None)
    if before is None or before != verbs[0][0] or any(token.form == "не" for token in clause.before):
        return cases
    return _governed(verbs[0][1], cases, has_subject=any(map(_is_subject, clause.before)))


def _agrees(verb: Form, subject: NounPhrase) -> bool:
    """Whether a verb may have this subject: *Мод следовало бы* has none."""
    return verb.number in (None, subject.number) and (not verb.gender or genders_agree(verb.gender, subject.gender))


def _governed(verb: Form, cases: frozenset[str], *, has_subject: bool) -> frozenset[str]:
    """The case that a verb wants right after it, if it is one of these."""
    lines = table("verbs").entries.get(verb.lemma, ())
    governed = {case for case in ("genitive", "dative", "instrumental") for line in lines if line.has(case)}
    if any(line.has("giving") for line in lines):
        governed |= {"dative"}
    if verb.is_transitive and not governed and has_subject:
        governed = {"accusative"}
    return cases & governed or cases


def _is_subject(token: Token) -> bool:
    """Whether a word can only be a nominative."""
    forms = analyses(token.form)
    return forms[0].part in ("NOUN", "NPRO") and {form.case for form in forms} == {"nominative"}


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
    """The new name in the case of the old one, which the text has here; a name alone is cited in the nominative."""
    surface = place.of(text)
    named = [reading for reading in _readings_at(text, place, name, frozenset({gender})) if reading.is_name]
    cases = _cases(text, place, named)
    cases = cases & {"nominative"} or cases if surface == text else cases
    nominatives = [
        reading
        for reading in phrase_readings(new, frozenset({gender}))
        if reading.case == "nominative" and reading.is_name
    ]
    forms = {nominatives[0].written(case) for case in cases} if nominatives else set()
    if len(forms) != 1 or None in forms:
        raise NotDerivedError(f"the case of {surface!r} is not certain")
    return forms.pop() or ""
