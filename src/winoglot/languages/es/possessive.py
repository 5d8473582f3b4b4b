"""Possessives: *su*, *sus* before a noun, *suyo* and its forms after one or alone.

The owner follows the noun, which takes the article: *perdió {su} llave nueva* → *perdió la llave nueva de Ana*; *a
su perro* → *al perro de Ana*; some fixed phrases have none: *en {su} nombre* → *en nombre de Ana*. *suyo*
becomes *de* with the owner: *un amigo {suyo}* → *un amigo del tío*.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.es.possessed import article, is_adjective, possessed_length
from winoglot.languages.es.words import listed
from winoglot.languages.substitution import joined, prepended
from winoglot.languages.tables import word_list
from winoglot.schemas.spans import Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.languages.base import Substitution
    from winoglot.languages.substitution import Place, Token


def before_noun(place: Place) -> Substitution:
    """*su* + phrase → article + phrase + *de* + owner."""
    text, words = place.text, place.following
    _check_locution(place)
    given = place.item.phrase
    if given is not None and given.end > place.pronoun.end:
        inside = [word for word in words if word.span.within(given)]
        end = given.end
    else:
        inside = list(words[: possessed_length(words, text)])
        end = inside[-1].span.end
        _check_predicate(place, inside)
    possessed = text[place.pronoun.end : end].lstrip()
    if not _is_bare(place, inside):
        possessed = joined(article(inside, is_plural=place.surface == "sus") + " ", possessed, "es")
    owner = prepended("de", place.phrase.text, "es")
    return place.rewrite(Span(place.pronoun.start, end), owner, lead=possessed + " ", rule="possessive")


def after_noun(place: Place) -> Substitution:
    """*suyo* → *de* + owner, after a noun, an article or *ser*."""
    last = place.preceding[0].form if place.preceding else ""
    if not last.isalpha() or last in listed("not_before_suyo.txt"):
        raise NotDerivedError(f"{place.surface!r} after {last!r} is a separate phrase")
    return place.replace(rule="possessive", preposition="de")


def _is_bare(place: Place, inside: Sequence[Token]) -> bool:
    """*En su nombre* is *en nombre de Ana*."""
    before = place.preceding[0].form if place.preceding else ""
    return len(inside) == 1 and f"{before} {inside[0].form}" in word_list("es", "bare_locutions.txt")


def _check_predicate(place: Place, inside: Sequence[Token]) -> None:
    """*Dejó su puerta abierta*: the last adjective may be a complement of the verb."""
    verb = place.preceding[0].form if place.preceding else ""
    last = inside[-1].form
    if len(inside) > 1 and is_adjective(last) and verb.startswith(tuple(listed("predicative_verbs.txt"))):
        raise NotDerivedError(f"{last!r} may be a complement of {verb!r}")


def _check_locution(place: Place) -> None:
    """Refuse *a su vez*, *por su cuenta*, which have no owner."""
    before = place.preceding[0].form if place.preceding else ""
    after = place.following[0].form if place.following else ""
    phrase = f"{before} {place.surface} {after}"
    if phrase in word_list("es", "locutions.txt"):
        raise NotDerivedError(f"{phrase!r} is a fixed phrase")
