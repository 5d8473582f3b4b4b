"""Candidates that are people's names, and other names in their place, with the words beside them that depend on them.

*d'Anne* becomes *de Paul*, *a Rita* becomes *o Rui*, *à Rita* becomes *ao Rui*.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from winoglot.languages.agreement import features_of, features_of_pronoun
from winoglot.languages.base import NotDerivedError
from winoglot.languages.name_evidence import named_people
from winoglot.languages.names import famous_full_names, famous_names, name_gender
from winoglot.languages.openings import split
from winoglot.languages.phrases import definite_article
from winoglot.languages.substitution import apostrophe_of, fused, match_case, unelided
from winoglot.schemas.spans import Edit, Span, shared_start

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.languages.rewriting import Draws
    from winoglot.languages.romance.rewriting.rules import Rules
    from winoglot.schemas.model import Item

_CAPITAL_AFTER = re.compile(r"[ \u00a0](?:d[aeo]s? )?[^\W\d_a-z]\w")
_CAPITAL_BEFORE = re.compile(r"\b[^\W\d_a-z][\w.]+[ \u00a0]$")
_WORD_BEFORE = re.compile(r"(?<![^\W\d_])([^\W\d_]+['’]?)[ \u00a0]?$")


@dataclass(frozen=True)
class NamedCandidate:
    """A candidate that is a first name."""

    name: str
    gender: str
    places: tuple[Span, ...]  # all of the text
    determiner: str  # of its citation: "a" of "a Ana"


def people_among(item: Item, language: str) -> dict[int, NamedCandidate]:
    """The candidates that are first names, by index; NotDerivedError if the gender of one is unknown."""
    return {index: _named_candidate(item, index, language) for index in named_people(item, language)}


def _named_candidate(item: Item, index: int, language: str) -> NamedCandidate:
    """A candidate's name with its gender and places; NotDerivedError if it is more than a first name."""
    text, candidate = item.text or "", item.candidates[index]
    determiner, name = split(candidate.text, language)
    if " " in name or name in famous_names() or candidate.text in famous_full_names():
        raise NotDerivedError(f"{name!r} is more than a first name, or famous")
    gender = features_of(candidate, item, language).gender.value
    pronoun = features_of_pronoun(item, language).gender.value
    listed_gender = name_gender(name, language).value
    if listed_gender in ("masculine", "feminine"):
        gender, pronoun = listed_gender, None  # "Anne a appelé Paul parce qu'il": she is still a woman
    elif gender not in ("masculine", "feminine"):
        gender = pronoun
    if gender not in ("masculine", "feminine") or pronoun not in (None, gender):
        raise NotDerivedError(f"the gender of {name!r} is unknown")
    places = tuple(Span(*match.span()) for match in re.finditer(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text))
    if not candidate.mentions or not places:
        raise NotDerivedError(f"{candidate.text!r} is not mentioned in the text")
    other_mentions = [mention for other in item.candidates if other is not candidate for mention in other.mentions]
    for place in places:
        if any(place.within(mention) for mention in other_mentions):
            raise NotDerivedError(f"{name!r} is part of another candidate")
        if _CAPITAL_AFTER.match(text, place.end):
            raise NotDerivedError(f"{name!r} is part of a longer name")
        before = _CAPITAL_BEFORE.search(text[: place.start])
        if before and not _opens(text, before.start()):
            raise NotDerivedError(f"{name!r} is part of a longer name or has a title")
    return NamedCandidate(name, gender, places, determiner)


def _opens(text: str, index: int) -> bool:
    return not text[:index].strip() or text[:index].rstrip()[-1] in '.!?…:«“"'


def drawn_names(people: Sequence[NamedCandidate], draws: Draws, gender: str | None = None) -> list[str]:
    """A new name for each person, of the person's gender unless `gender` is given."""
    genders = [gender or person.gender for person in people]
    drawn = {
        gender_wanted: draws.names(gender_wanted, genders.count(gender_wanted))
        for gender_wanted in dict.fromkeys(genders)
    }
    return [drawn[gender_wanted].pop(0) for gender_wanted in genders]


def name_edits(item: Item, person: NamedCandidate, new: str, gender: str, rules: Rules) -> list[Edit]:
    """The edits that put a new name in all places of a person, with the article and the elided word before it."""
    return [edit for place in person.places for edit in _edits(item, person, place, new, gender, rules)]


def _edits(item: Item, person: NamedCandidate, place: Span, new: str, gender: str, rules: Rules) -> list[Edit]:
    """The edits in one place: the name, and the article or elided word before it."""
    text = item.text or ""
    left = text[: place.start]
    new_left = unelided(left, text[place.start :], rules.tag)
    if gender != person.gender:
        new_left = _with_article(item, person, new_left, gender, rules)
    new_left = fused(new_left, new, rules.tag, apostrophe=apostrophe_of(text))[0]
    return [*edits_before(left, new_left), Edit(place, new)]


def edits_before(left: str, written: str) -> list[Edit]:
    """The edit of the words before a name or noun, as a separate edit, so that the mention stays a whole phrase."""
    shared_length = shared_start(left, written)
    return [] if written == left else [Edit(Span(shared_length, len(left)), written[shared_length:])]


def _with_article(item: Item, person: NamedCandidate, left: str, gender: str, rules: Rules) -> str:
    """The text before a name with its article in the other gender: *viu a*, *disse à*, *falou da*."""
    from winoglot.languages.base import function_words
    from winoglot.languages.name_evidence import is_preposition

    last = _WORD_BEFORE.search(left)
    if last is None:
        return left
    form = last.group(1).lower()
    articles = {
        definite_article(article_gender, "singular", rules.tag): article_gender
        for article_gender in ("masculine", "feminine")
    }
    new = definite_article(gender, "singular", rules.tag) or ""
    parts = function_words(rules.tag).contractions.get(form)
    if parts and parts[1] in articles:
        contracted = fused(f"{parts[0]} ", f"{new} ", rules.tag, optional=True)
        return left[: last.start()] + match_case(last.group(1), "".join(contracted).strip()) + " "
    if form not in articles or articles[form] != person.gender:
        return left
    index = next(
        position
        for position, article_gender in enumerate(item.candidates)
        if split(article_gender.text, item.language)[1] == person.name
    )
    if form in rules.grammar.prepositions and is_preposition(item, index, item.language):
        return left
    return left[: last.start()] + match_case(last.group(1), new) + " "
