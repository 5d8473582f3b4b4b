"""What a pronoun may refer to, by its gender and number; the number of *sie*, which the verb may show."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.de.candidates import described
from winoglot.languages.de.clauses import (
    clause_of,
    is_listed_verb,
    is_preposition,
    number_of_verb,
    phrase_after,
    words_with,
)
from winoglot.languages.de.declension import FEMININE, PLURAL, Sort
from winoglot.languages.features import UNKNOWN, Trait, Traits
from winoglot.languages.lexicon import lexicon
from winoglot.languages.substitution import tokens
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from winoglot.schemas.model import Candidate, Item
    from winoglot.schemas.spans import Span


def sorts_of_pronoun(item: Item, case: str | None = None) -> frozenset[Sort]:
    """What the marked pronoun may refer to, by its form, its case if that is known, and for *sie* by its verb."""
    if item.text is None or item.pronoun is None:
        return frozenset()
    surface = folded(item.pronoun.of(item.text))
    sorts = _sorts_of_form(surface, case)
    if surface == "sie":
        number = number_of_sie(item)
        return frozenset(sort for sort in sorts if number in (None, sort.number))
    return sorts


@cache
def _sorts_of_form(form: str, case: str | None) -> frozenset[Sort]:
    return frozenset(
        PLURAL if line.one_of("number") == "plural" else Sort(line.one_of("gender") or "", "singular")
        for line in lexicon("de", "pronouns").entries.get(form, ())
        if line.one_of("number") and (case is None or line.one_of("case") == case)
    )


def number_of_sie(item: Item) -> str | None:
    """The number of *sie*: by a verb that shows it, else as both candidates have it; None if nothing shows it."""
    numbers = numbers_of_candidates(item)
    by_verb, is_sure = _number_by_verb(item.text or "", item.pronoun) if item.pronoun else (None, False)
    return numbers.pop() if len(numbers) == 1 and not is_sure else by_verb


def numbers_of_candidates(item: Item) -> set[str]:
    """The numbers of the candidates; empty if one is open."""
    all_numbers: set[str] = set()
    for candidate in item.candidates:
        try:
            numbers = {sort.number for sort in described(candidate, item).sorts}
        except NotDerivedError:
            return set()
        if len(numbers) > 1:
            return set()
        all_numbers |= numbers
    return all_numbers


@lru_cache(maxsize=64)  # asked for each candidate
def _number_by_verb(text: str, pronoun: Span) -> tuple[str | None, bool]:
    """The number that the verb of *sie* shows, and whether nothing else can be its subject."""
    preceding, following = tokens(text, 0, pronoun.start)[::-1], tokens(text, pronoun.end, len(text))
    clause = clause_of(text, preceding, following)
    verb = clause.verb
    if verb is None or clause.has_subject_before:
        return None, False
    following_phrase = phrase_after(text, following)
    is_alone = following_phrase is None or not following_phrase.may_be_subject
    if clause.is_subordinate and any(word.form in ("und", "oder", "aber") for word in clause.after):
        is_alone = False
    return number_of_verb(verb), is_alone and is_listed_verb(verb)


def pronoun_role(item: Item) -> str | None:
    """Subject, object, possessive or prepositional; None if *ihr* may be more than one of them."""
    text, pronoun = item.text or "", item.pronoun
    if pronoun is None:
        return None
    form, lines = folded(pronoun.of(text)), lexicon("de", "pronouns")
    preceding = tokens(text, 0, pronoun.start)[::-1]
    clause = clause_of(text, preceding, tokens(text, pronoun.end, len(text)))
    before = preceding[0].form if preceding else ""
    if form == "ihr":  # "mit ihr", but "für ihr Kind"
        return "prepositional" if before in words_with("dative") - words_with("accusative") else None
    if form in lines.words("possessive"):
        return "possessive"
    if form in lines.words("after-preposition") and is_preposition(before) and before not in ("bis", "während"):
        return "prepositional"
    if form in lines.words("subject") and (form not in lines.words("object") or not clause.has_subject_before):
        return "subject"
    return "object" if form in lines.words("object") else None


def pronoun_features(item: Item) -> Traits:
    """Gender and number of the pronoun; where its form leaves two open (*ihm*), what the candidates can be decides."""
    surface = folded(item.pronoun.of(item.text)) if item.text and item.pronoun else ""
    allowed = sorts_of_pronoun(item)
    possible = [sorts for candidate in item.candidates if (sorts := _sorts_of_candidate(candidate, item))]
    compatible = {sort for sort in allowed if any(sort in sorts for sorts in possible)} or allowed
    numbers = {sort.number for sort in compatible}
    genders = {sort.gender for sort in compatible}
    if not compatible or (compatible == allowed and len(allowed) > 1 and allowed == {FEMININE, PLURAL}):
        return Traits()
    number = Trait(numbers.pop(), f"pronoun {surface!r}") if len(numbers) == 1 else UNKNOWN
    gender = Trait(genders.pop(), f"pronoun {surface!r}") if len(genders) == 1 and "" not in genders else UNKNOWN
    return Traits(gender, number)


def _sorts_of_candidate(candidate: Candidate, item: Item) -> frozenset[Sort]:
    try:
        return described(candidate, item).sorts
    except NotDerivedError:
        return frozenset()
