"""*Seu, sua, seus, suas*: the possessed phrase with its article, then *de* and the possessor.

"limpou com sua toalha molhada" → "limpou com a toalha molhada de Davi"; "na sua frente" already has its article; "por
sua causa" never has one. If no possessed noun follows ("o seu", "é seu", "um amigo seu"), *de* and the possessor
replace it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError, Substitution, function_words
from winoglot.languages.openings import is_title
from winoglot.languages.pt.conjugation import forms_of, third_persons_of
from winoglot.languages.pt.context import context
from winoglot.languages.pt.phrase import with_preposition
from winoglot.languages.pt.possessed import possessed_length
from winoglot.languages.pt.verbs import (
    is_finite,
    is_gerund,
    is_infinitive,
    is_participle,
    looks_finite,
    opens_infinitive,
)
from winoglot.languages.pt.words import Word, is_closed, is_preposition, listed, words_in
from winoglot.languages.tables import word_list
from winoglot.schemas.spans import Span

if TYPE_CHECKING:
    from winoglot.languages.substitution import Place

_ARTICLES = {"seu": "o", "sua": "a", "seus": "os", "suas": "as"}


def possessive(place: Place) -> Substitution:
    """Place the possessor after the possessed phrase."""
    before = words_in(place.text, 0, place.pronoun.start)[::-1]
    after = words_in(place.text, place.pronoun.end, len(place.text))
    if after and is_title(place.surface, after[0].span.of(place.text), "pt"):
        raise NotDerivedError(f"{place.surface!r} before a name may be a title")
    if place.item.phrase is not None:
        length = sum(word.span.end <= place.item.phrase.end for word in after)
    elif _follows_noun(before, after):
        length = 0
    else:
        length = possessed_length(after, place.surface, context(before[_has_article(before, place) :]))
    owner = with_preposition("de", place.phrase)
    if length == 0:
        if len(after) > 1 and after[0].form in listed("degree_adverbs.txt") and not is_closed(after[1]):
            raise NotDerivedError(f"{after[1].form!r} may come before the possessed noun")  # "seu mais belo poema"
        return _alone(place, owner, before)
    lead, fuse = _lead(place, before, after, length)
    touched = Span(place.pronoun.start, after[length - 1].span.end)
    return place.rewrite(touched, owner, rule="possessive", lead=lead, fuse=fuse)


def _lead(place: Place, before: tuple[Word, ...], after: tuple[Word, ...], length: int) -> tuple[str, bool]:
    """The possessed phrase with the article it needs, and whether that contracts with the preposition before it."""
    phrase = place.text[after[0].span.start : after[length - 1].span.end]
    nearest = before[0].form if before else ""
    locution = f"{nearest} {after[0].form}"
    if locution in word_list("pt", "fixed_locutions.txt") and length == 1:
        raise NotDerivedError(f"{nearest} {place.surface} {after[0].form!r} is a fixed phrase")
    if locution in word_list("pt", "bare_locutions.txt") and length == 1:
        return phrase + " ", False
    if _has_article(before, place):
        return phrase + " ", True
    is_subject = is_preposition(nearest) and opens_infinitive(after[length:])
    return f"{_ARTICLES[place.surface]} {phrase} ", not is_subject


def _has_article(before: tuple[Word, ...], place: Place) -> bool:
    """Whether an article, alone or in a contraction, already comes before the possessive."""
    if not before or place.text[before[0].span.end : place.pronoun.start].strip():
        return False
    form = before[0].form
    if form == "a":
        return place.surface == "sua" and _is_article(before)
    return form in listed("without_article.txt") or form in function_words("pt").contractions


def _is_article(before: tuple[Word, ...]) -> bool:
    """*A sua* is article and possessive ("viu a sua mãe"), or preposition and possessive ("disse a sua mãe")."""
    if len(before) > 1 and before[1].form in listed("words_with_a.txt"):
        return False
    if _may_be_direction(before[1:]):
        raise NotDerivedError("'a' before the possessive may be an article or a preposition")
    if len(before) == 1 or is_closed(before[1]):
        return True
    verb = before[1]
    if verb.form in forms_of("dative_verbs.txt") or verb.form in forms_of("giving_verbs.txt"):
        raise NotDerivedError("'a' before the possessive may be an article or a preposition")
    if looks_finite(verb) or verb.form.endswith(("r", "ndo")):
        return True
    raise NotDerivedError("'a' before the possessive may be an article or a preposition")


def _may_be_direction(before: tuple[Word, ...]) -> bool:
    """Whether the verb before *a sua* may take a complement with *a*: *foi a sua festa*, *foi com ela a sua festa*."""
    if not before or is_preposition(before[0].form):
        return False
    for number, word in enumerate(before):
        if word.is_sign or word.form in listed("clause_openers.txt") or word.form in listed("joiners.txt"):
            return False
        verb, _, clitic = word.form.partition("-")
        if verb in forms_of("verbs_with_a.txt"):
            return True
        if looks_finite(word) or is_infinitive(verb) or is_gerund(verb) or is_participle(verb):
            previous = before[number + 1].form if number + 1 < len(before) else ""
            return "se" in (clitic, previous)  # "dirigiu-se a sua casa"
    return False


def _follows_noun(before: tuple[Word, ...], after: tuple[Word, ...]) -> bool:
    """*Um amigo seu chegou*: the possessive belongs to the noun before it if a verb or nothing follows."""
    if len(before) < 2 or before[1].form not in listed("indefinites.txt") or is_closed(before[0]):
        return False
    return not after or is_finite(after[0]) or (is_closed(after[0]) and after[0].form not in listed("nouns_too.txt"))


def _alone(place: Place, owner: str, before: tuple[Word, ...]) -> Substitution:
    nearest = before[0] if before else None
    if nearest is None or nearest.is_sign or (is_closed(nearest) and not _has_article(before, place)):
        raise NotDerivedError(f"no noun follows {place.surface!r}")
    if nearest.form not in third_persons_of("core_verbs.txt") and is_finite(nearest):
        raise NotDerivedError(f"no noun follows {place.surface!r}")
    return place.rewrite(place.pronoun, owner, rule="possessive alone")
