"""Pronouns that a noun phrase simply replaces: subjects, pronouns after prepositions, demonstratives without a noun."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError, function_words
from winoglot.languages.lexicon import contractions, optional_contractions
from winoglot.languages.phrases import is_definite
from winoglot.languages.romance.words import with_preposition
from winoglot.schemas.spans import Span

if TYPE_CHECKING:
    from winoglot.languages.base import Substitution
    from winoglot.languages.romance.words import Around


def personal(around: Around) -> Substitution:
    """*Ele, ela*, *él, ella* as subject, after a preposition (which contracts with the article), or as object."""
    place, grammar, previous = around.place, around.grammar, around.previous_form
    bound = with_bound_word(around)
    if bound is not None:
        return bound
    if previous in _contracting(grammar.tag):
        touched = Span(around.before[0].span.start, place.pronoun.end)
        return place.rewrite(touched, with_preposition(previous, place.phrase, grammar), rule="preposition")
    if previous in grammar.prepositions:
        return place.replace(rule="preposition")
    return place.replace(rule="object" if _is_object(around) else "subject")


@cache
def _contracting(tag: str) -> frozenset[str]:
    """The prepositions that have to be contracted with an article."""
    required = contractions(tag).keys() - optional_contractions(tag)
    return frozenset(contractions(tag)[form][0] for form in required)


def with_bound_word(around: Around) -> Substitution | None:
    """*Eles dois* → *os dois tios*, *elas todas* → *todas as tias*; None if nothing belongs to the pronoun.

    Raises NotDerivedError where a noun phrase cannot have the word: *Ana e Rui todos*, *él mismo*.
    """
    place, grammar, previous, following = around.place, around.grammar, around.previous_form, around.next_form
    if previous in grammar.predeterminers and not place.phrase.determiner:
        raise NotDerivedError(f"{previous!r} cannot come before a name")
    if following not in grammar.small("with-pronoun"):
        return None
    phrase, determiners = place.phrase, grammar.table("determiners")
    is_all = following in grammar.predeterminers
    is_number = following in determiners.words("articleless") - determiners.words("contrasting")
    is_plain = is_definite(phrase.determiner, grammar.tag) and not phrase.is_name
    if not is_plain or previous in grammar.prepositions or not (is_all or is_number):
        raise NotDerivedError(f"{following!r} belongs to the pronoun and would come before a noun")
    counted = f"{following} {phrase.text}" if is_all else f"{phrase.determiner} {following} {phrase.noun}"
    touched = Span(place.pronoun.start, around.after[0].span.end)
    return place.rewrite(touched, counted, rule="quantity")


def _is_object(around: Around) -> bool:
    """After a verb and before the end of the clause: *cercamos eles*."""
    grammar, before, following = around.grammar, around.before, around.next_form
    if not before or grammar.is_closed(before[0].form) or before[0].is_capital:
        return False
    is_last = not following or around.after[0].is_sign or following in grammar.prepositions
    return is_last or grammar.is_infinitive(before[0].form)


def demonstrative(around: Around) -> Substitution:
    """*Este, aquele*, also contracted, if no noun follows: "mas este recusou" → "mas o tio recusou"."""
    place, grammar, following = around.place, around.grammar, around.next_form
    if place.surface in grammar.small("statement"):
        raise NotDerivedError(f"{place.surface!r} may refer to a statement")
    if following in grammar.small("relative") or following in grammar.small("of"):
        raise NotDerivedError(f"{place.surface!r} begins a phrase with {following!r}")
    if following and not grammar.ends_phrase(following) and place.surface in grammar.ambiguous_demonstratives:
        raise NotDerivedError(f"{following!r} may be the noun of {place.surface!r}")
    parts = function_words(grammar.tag).contractions.get(place.surface)
    if parts is None:
        return place.replace(rule="demonstrative")
    return place.rewrite(place.pronoun, with_preposition(parts[0], place.phrase, grammar), rule="preposition")
