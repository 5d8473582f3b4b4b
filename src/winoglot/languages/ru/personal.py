"""Personal pronouns: the candidate in the pronoun's case, in its place.

*У {него}* → *у Ивана*, *дал {ей}* → *дал Анне*; the preposition is written as the new word wants it: *о {ней}* →
*об Анне*. Not derived: what a noun phrase cannot take over (*его самого*, *они оба*, *все они* of names).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.ru import government
from winoglot.languages.ru.candidates import are_things, cases_at, declined, noun_phrase_of, pronoun_features
from winoglot.languages.ru.morphology import analyses, words_of
from winoglot.languages.ru.noun_phrase import table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.languages.base import Substitution
    from winoglot.languages.substitution import Place, Token

_COUNTING = frozenset({"оба", "двое", "трое", "четверо", "вдвоём", "втроём"})


def personal(place: Place) -> Substitution:
    """Replace a pronoun that is not possessive."""
    _check_bound(place)
    case, preposition = pronoun_case(place)
    is_place = preposition in ("в", "во", "на")
    phrase = declined(place, case, is_place=is_place)
    if preposition is None and case != "nominative" and phrase == declined(place, "genitive"):
        _check_owner(place, phrase)
    rule = "preposition" if preposition else "subject" if case == "nominative" else "object"
    keeps = preposition == "об"  # "об него" is an accusative, which keeps its "об": "об стол"
    return place.rewrite(place.pronoun, phrase, rule=rule, fuse=not keeps)


def pronoun_case(place: Place) -> tuple[str, str | None]:
    """The case of the pronoun, and the preposition before it."""
    preposition = government.preposition_of(place)
    cases = government.cases_of(place, preposition)
    if not cases and preposition:  # "благодаря" is also a gerund, and "после" an adverb
        preposition, cases = None, government.cases_of(place, None)
    if preposition and len(cases) > 1:
        return government.case_after(place, preposition, cases), preposition
    if len(cases) == 1:
        return next(iter(cases)), preposition
    if cases == {"genitive", "accusative"}:
        return _object_case(place), None
    if cases == {"dative", "instrumental"}:
        return _dative_or_instrumental(place), None
    raise NotDerivedError(f"{place.surface!r} does not show its case")


def _object_case(place: Place) -> str:
    """Genitive or accusative; where nothing decides, either, if the candidate has one form for both."""
    try:
        return government.object_case(place)
    except NotDerivedError:
        if declined(place, "genitive") != declined(place, "accusative"):
            raise
        return "accusative"


def _dative_or_instrumental(place: Place) -> str:
    """*Ей* by what governs it; *им*, a plural dative or singular instrumental, by the candidates if they agree."""
    if place.surface == "ей":
        return "instrumental" if government.is_instrumental(place, are_things=are_things(place)) else "dative"
    phrases = (noun_phrase_of(candidate, place.item) for candidate in place.item.candidates)
    numbers = {phrase.number for phrase in phrases if phrase}
    if len(numbers) == 1:
        return "dative" if numbers == {"plural"} else "instrumental"
    case = "instrumental" if government.is_instrumental(place, are_things=are_things(place)) else "dative"
    number = "singular" if case == "instrumental" else "plural"
    phrase_number = place.phrase.traits.number
    if phrase_number.value not in (None, number):
        raise NotDerivedError(f"number differs: {number}: {place.surface!r} is {case} here; {phrase_number}")
    return case


def _check_owner(place: Place, phrase: str) -> None:
    """Refuse an object like a genitive where it would read as one: *мать {его} обняла*, *боялись {его} разбудить*."""
    clause = government.clause_of(place)
    if not clause.before:
        return
    before = clause.before[0]
    form = analyses(before.form)[0]
    may_be_subject = "nominative" in cases_at(place.text, before.span) and any(
        noun.part == "NOUN" and noun.case == "nominative" for noun in analyses(before.form)
    )
    is_owned = form.part == "NOUN" and not form.is_personal and form.lemma not in table("nouns").words("time")
    if is_owned and may_be_subject:
        raise NotDerivedError(f"in '{before.form} {phrase}', the object would read as an owner")
    infinitives = [verb for token in clause.after if (verb := government.verb_of(token)) and verb.part == "INFN"]
    if infinitives and form.lemma in table("verbs").words("genitive") and "Impe" not in form.marks:
        raise NotDerivedError(f"{phrase!r} would read as the object of {before.form!r}")


def _check_bound(place: Place) -> None:
    """Refuse what a noun phrase cannot take over from the pronoun."""
    text = place.text
    pronoun_cases = government.cases_of(place, None)
    before = _beside(words_of(text, 0, place.pronoun.start)[::-1])
    after = _beside(words_of(text, place.pronoun.end, len(text)))
    for word in (*before, *after):
        forms = analyses(word)
        lemmas = {form.lemma for form in forms}
        if any(form.lemma == "сам" and form.case in pronoun_cases - {"nominative"} for form in forms):
            raise NotDerivedError(f"{word!r} beside {place.surface!r} stresses the pronoun and would have to move")
        if lemmas & _COUNTING:
            raise NotDerivedError(f"{word!r} beside {place.surface!r} gives a number, which would not refer back")
    numbers = {number for _, number in pronoun_features(place.surface)}
    for word, is_before in ((before[0] if before else "", True), (after[0] if after else "", False)):
        whole = [form for form in analyses(word) if form.lemma == "весь" and form.number in numbers] if word else []
        cases = {"nominative"} if word == "все" else {form.case for form in whole}
        if not whole or not cases & pronoun_cases:
            continue
        if whole[0].number == "plural" and is_before and not place.phrase.is_name:
            continue  # "все они", "всех их"
        if whole[0].number == "singular" and not is_before:
            continue  # "он весь дрожал"
        raise NotDerivedError(f"{word!r} beside {place.surface!r} would have to move or does not go with a name")


def check_alone(place: Place) -> None:
    """Refuse *тот сосед*, *тот, кто ушёл* and *тот же*."""
    words = [token.form for token in words_of(place.text, place.pronoun.end, len(place.text))[:2]]
    after = next(iter(words), "")
    described = {"NOUN", "ADJF", "PRTF", "NUMR"}
    is_relative = words[:1] == [","] and any(
        "Apro" in form.marks or form.part == "NPRO" for form in analyses(words[-1])
    )
    if after == "же" or is_relative or (after[:1].isalpha() and analyses(after)[0].part in described):
        raise NotDerivedError(f"{after!r} after {place.surface!r} may belong to it")


def _beside(tokens: Sequence[Token]) -> list[str]:
    """The first word, leaving out those that decide nothing: *он ведь и сам*."""
    skipped = table("function_words").words("floating") - {"все", "всё"} | {"и", "не"}
    return next(([token.form] for token in tokens[:3] if token.form not in skipped), [])
