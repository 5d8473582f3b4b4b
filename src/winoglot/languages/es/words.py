"""Word classes by the lists in this folder, shared by the rules."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from winoglot.languages.base import function_words
from winoglot.languages.tables import words_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.languages.substitution import Token

_PARTICIPLES = ("ado", "ada", "ados", "adas", "ido", "ida", "idos", "idas", "ído", "ída", "ídos", "ídas")
_FINITE = ("ó", "aba", "aban", "rá", "rán", "ría", "rían", "ron")
_SHORTEST_VERB = 4


def listed(name: str) -> frozenset[str]:
    """The words of a list in this folder."""
    return words_of("es", name)


def is_determiner(form: str) -> bool:
    """Whether the form can begin a noun phrase."""
    return form in function_words("es").determiners


def is_infinitive(form: str) -> bool:
    """Whether it is an infinitive, by its ending; nouns with such an ending are listed.

    >>> is_infinitive("abrir"), is_infinitive("oír"), is_infinitive("mujer")
    (True, True, False)
    """
    return form.endswith(("ar", "er", "ir", "ír")) and form not in listed("nouns_in_r.txt")


def is_gerund(form: str) -> bool:
    """*mirando*, *viendo*, *leyendo*."""
    return form.endswith(("ando", "iendo", "yendo")) and form not in ("cuando", "bando", "mando")


def is_participle(form: str) -> bool:
    """By its ending or the list of irregular participles, also with prefixes: *deshecho*."""
    return form.endswith((*_PARTICIPLES, *_irregular_participles()))


def is_surely_finite(form: str) -> bool:
    """Whether the form can only be a finite verb: *cayó*, *miraba*, *vendrán*, or a listed one.

    >>> is_surely_finite("cayó"), is_surely_finite("es"), is_surely_finite("vacía")
    (True, True, False)
    """
    if form in listed("finite_verbs.txt"):
        return True
    return len(form) >= _SHORTEST_VERB and form.endswith(_FINITE) and form not in listed("not_finite.txt")


def is_adverb(form: str) -> bool:
    """Listed, or in *-mente*."""
    return form in listed("adverbs.txt") or form.endswith("mente")


def ends_phrase(tokens: Sequence[Token]) -> bool:
    """Whether a noun phrase certainly ends before these words: punctuation, conjunction, adverb, finite verb."""
    if not tokens:
        return True
    form = tokens[0].form
    if not form[0].isalnum():
        return form not in "-/'’&@#_+"
    joining = listed("small_words.txt") | listed("clitics.txt") | {"del", "al"}
    return (form in joining and form not in ("de", "del")) or is_adverb(form) or is_surely_finite(form)


@cache
def _irregular_participles() -> tuple[str, ...]:
    return tuple(stem + ending for stem in listed("irregular_participles.txt") for ending in ("o", "a", "os", "as"))
