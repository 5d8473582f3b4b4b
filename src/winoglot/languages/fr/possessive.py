"""Possessives: *son, sa, ses, leurs* + noun → article + noun + *de* + possessor.

*Il a pris {son} vélo rouge.* → *Il a pris le vélo rouge de Paul.* The article is elided (*l'ami de Paul*) and
contracted with the word before it (*de son frère* → *du frère de Paul*); `possessed` finds the end of the phrase. For
*leur* the noun's gender must be known. Fixed expressions (*à son tour*) are listed in a table.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from winoglot.languages.base import NotDerivedError
from winoglot.languages.fr.possessed import end_of_phrase, head_of
from winoglot.languages.fr.prepositions import after_preposition
from winoglot.languages.fr.words import listed
from winoglot.languages.substitution import joined, usually_begins_with_vowel
from winoglot.languages.tables import feature_table, pairs
from winoglot.schemas.spans import Span

if TYPE_CHECKING:
    from winoglot.languages.base import Substitution
    from winoglot.languages.fr.words import Around
    from winoglot.languages.substitution import Place

_ARTICLES = {"son": "le", "sa": "la", "ses": "les", "leurs": "les"}
_ALL = frozenset({"tout", "toute", "tous", "toutes"})


class _Fixed(NamedTuple):
    before: tuple[str, ...]
    after: tuple[str, ...]
    instead: str


def possessive(place: Place, around: Around) -> Substitution:
    """The possessed phrase with its article, followed by its owner."""
    fixed = _fixed_expression(place, around)
    if fixed is not None:
        return fixed
    previous = around.previous_form()
    if previous in (listed("determiners") | listed("quantifiers")) - _ALL:
        raise NotDerivedError(f"after {previous!r}, {place.surface!r} is not a possessive")
    if previous in ("chacun", "chacune"):
        raise NotDerivedError(f"after {previous!r} the possessive has its own owner")
    if previous == "en":
        raise NotDerivedError(f"'en' cannot come before an article: 'en {place.surface} {around.next_form()}'")
    end = place.item.phrase.end if place.item.phrase is not None else end_of_phrase(place, around)
    phrase = Span(place.pronoun.start, end)
    _refuse_candidates(place, phrase)
    possessed = place.text[place.pronoun.end : end].strip()
    article = _ARTICLES.get(place.surface) or _article_for_leur(place, around)
    lead = joined(article + " ", possessed, place.language) + " "
    return place.rewrite(phrase, after_preposition("de", place.phrase), rule="possessive", lead=lead)


def _article_for_leur(place: Place, around: Around) -> str:
    """*Leur* shows no gender, so an adjective before the noun, the noun itself or its ending must."""
    first, head = around.after[0].form, around.after[head_of(around)].form
    if usually_begins_with_vowel(first, place.language):
        return "le"  # elided in either gender: "leur ami" → "l'ami"
    endings = feature_table("fr", "gender_endings.txt")
    shown = [
        feature_table("fr", "prenominals.txt").get(first) if first != head else None,
        feature_table("fr", "noun_genders.txt").get(head),
        *(features for ending, features in endings.items() if head.endswith(ending)),
    ]
    gender = next((features.gender for features in shown if features is not None and features.gender), None)
    if gender is None:
        raise NotDerivedError(f"the gender of {head!r} is unknown, and its article needs it")
    return "le" if gender == "masculine" else "la"


def _refuse_candidates(place: Place, phrase: Span) -> None:
    """Refuse *son pull* if the pullover itself is a candidate."""
    for candidate in place.item.candidates:
        if any(mention.overlaps(phrase) for mention in candidate.mentions):
            raise NotDerivedError(f"{phrase.of(place.text)!r} names the candidate {candidate.text!r} itself")


def _fixed_expression(place: Place, around: Around) -> Substitution | None:
    for fixed in _fixed_expressions().get(place.surface, ()):
        before = around.before[: len(fixed.before)][::-1]
        after = around.after[: len(fixed.after)]
        if tuple(t.form for t in before) != fixed.before or tuple(t.form for t in after) != fixed.after:
            continue
        touched = Span(before[0].span.start, after[-1].span.end)
        if not fixed.instead:
            raise NotDerivedError(f"{touched.of(place.text)!r} is a fixed expression")
        owner = after_preposition("de", place.phrase)
        return place.rewrite(touched, owner, rule="possessive", lead=fixed.instead + " ")
    return None


@cache
def _fixed_expressions() -> dict[str, list[_Fixed]]:
    found: dict[str, list[_Fixed]] = {}
    for expression, instead in pairs("fr", "fixed_possessives.txt").items():
        words = expression.split()
        at = next(number for number, word in enumerate(words) if word in {*_ARTICLES, "leur"})
        found.setdefault(words[at], []).append(_Fixed(tuple(words[:at]), tuple(words[at + 1 :]), instead))
    return found
