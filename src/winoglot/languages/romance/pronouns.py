"""Pronouns that a noun phrase simply replaces: subjects, pronouns after prepositions, demonstratives without a noun."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError, function_words
from winoglot.languages.lexicon import contractions, optional_contractions
from winoglot.languages.phrases import is_definite
from winoglot.languages.romance.words import joints, with_preposition
from winoglot.languages.substitution import prepended
from winoglot.schemas.spans import Span
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from winoglot.languages.base import Substitution
    from winoglot.languages.romance.grammar import Grammar
    from winoglot.languages.romance.words import Around


def personal(around: Around) -> Substitution:
    """Replace *ele, ela*, *él, ella* as subject, after a preposition (contracted with the article), or as object."""
    place, grammar, previous = around.place, around.grammar, around.previous_form
    bound = with_bound_word(around)
    if bound is not None:
        return bound
    check_part(around)
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


def with_bound_word(around: Around, preposition: str = "", *, fuse: bool = True) -> Substitution | None:
    """Replace a pronoun with a bound word: *eles dois* → *os dois tios*, *elas todas* → *todas as tias*; else None.

    The pronoun may include a preposition (*deles dois*). Raises NotDerivedError where a noun phrase cannot have the
    word: *Ana e Rui todos*, *él mismo*.
    """
    place, grammar, following = around.place, around.grammar, around.next_form
    before = _with_word_before(around) if not preposition else None
    if before is not None or following not in grammar.words("with-pronoun") or _opens_other_phrase(around):
        return before
    touched = Span(place.pronoun.start, around.after[0].span.end)
    counted = _with_number_word(around)
    inserted = prepended(preposition, counted, place.language) if preposition else counted
    return place.rewrite(touched, inserted, rule="quantity", fuse=fuse)


def _opens_other_phrase(around: Around) -> bool:
    """Whether the word after the pronoun opens another phrase: *repartiu por elas todos os vestidos*, *ele duas vezes*.

    Raises NotDerivedError if it may do either: *falou com elas duas horas*.
    """
    grammar, word, after = around.grammar, around.next_form, around.form(1)
    determiners = grammar.table("determiners").features()
    pronoun, following_features = grammar.table("pronouns").features().get(around.place.surface), determiners.get(word)
    is_counting = word in grammar.predeterminers or word in _numerals(grammar)
    if not is_counting or pronoun is None:
        return False
    differs = (
        following_features is not None
        and None not in (following_features.gender, pronoun.gender)
        and following_features.gender != pronoun.gender
    )
    if pronoun.number == "singular" or differs or (word in grammar.predeterminers and after in grammar.determiners):
        return True
    if word in _numerals(grammar) and after and not grammar.ends_phrase(after) and not grammar.looks_finite(after):
        raise NotDerivedError(f"{word!r} may belong to the pronoun or to {after!r}")
    return False


def _with_number_word(around: Around) -> str:
    """The phrase with the number or quantifier that follows the pronoun."""
    phrase, grammar, word = around.place.phrase, around.grammar, around.next_form
    is_all = word in grammar.predeterminers
    is_plain = is_definite(phrase.determiner, grammar.tag) and not phrase.is_name
    if not is_plain or not (is_all or word in _numerals(grammar)):
        raise NotDerivedError(f"{word!r} belongs to the pronoun and would come before a noun")
    numeral = folded(phrase.noun.partition(" ")[0])
    if numeral in _numerals(grammar) and numeral != word and not is_all:
        raise NotDerivedError(f"{word!r} and {phrase.text!r} differ in number")
    if is_all:
        return f"{word} {phrase.text}"
    return phrase.text if numeral == word else f"{phrase.determiner} {word} {phrase.noun}"


def _with_word_before(around: Around) -> Substitution | None:
    """*Ambos eles*, which leaves no place for a number: *ambos os tios*; None for any other word, *todos eles*."""
    place, grammar, previous = around.place, around.grammar, around.previous_form
    if previous not in grammar.predeterminers:
        return None
    phrase = place.phrase
    if not phrase.determiner or joints(grammar).search(phrase.text):
        raise NotDerivedError(f"{previous!r} cannot come before a name")
    numeral, _, noun = phrase.noun.partition(" ")
    if previous not in grammar.words("both") or folded(numeral) not in _numerals(grammar):
        return None
    return place.rewrite(place.pronoun, f"{phrase.determiner} {noun}", rule="quantity")


def check_part(around: Around) -> None:
    """Refuse *um deles*, *l'un d'eux* for a coordination of names, which has no parts: *um de Ana e Rui*."""
    grammar, phrase = around.grammar, around.place.phrase
    skipped = grammar.words("of") | {"d'", "entre"}
    word = next((token.form for token in around.before[:3] if token.form not in skipped), "")
    parts = grammar.table("determiners").values("part-of")
    if word in parts and phrase.is_name and joints(grammar).search(phrase.text):
        raise NotDerivedError(f"{word!r} names one of several, which {phrase.text!r} cannot follow")


@cache
def _numerals(grammar: Grammar) -> frozenset[str]:
    determiners = grammar.table("determiners")
    return determiners.words("articleless") - determiners.words("contrasting")


def _is_object(around: Around) -> bool:
    """Whether the pronoun is an object: after a verb and before the end of the clause, *cercamos eles*."""
    grammar, before, following = around.grammar, around.before, around.next_form
    if not before or grammar.is_closed(before[0].form) or before[0].is_capital:
        return False
    is_last = not following or around.after[0].is_punctuation or following in grammar.prepositions
    return is_last or grammar.is_infinitive(before[0].form)


def demonstrative(around: Around) -> Substitution:
    """*Este, aquele*, also contracted, if no noun follows: "mas este recusou" → "mas o tio recusou"."""
    place, grammar, following = around.place, around.grammar, around.next_form
    if place.surface in grammar.words("propositional"):
        raise NotDerivedError(f"{place.surface!r} may refer to a statement")
    if following in grammar.words("relative") or following in grammar.words("of"):
        raise NotDerivedError(f"{place.surface!r} begins a phrase with {following!r}")
    if following and not grammar.ends_phrase(following) and place.surface in grammar.ambiguous_demonstratives:
        raise NotDerivedError(f"{following!r} may be the noun of {place.surface!r}")
    parts = function_words(grammar.tag).contractions.get(place.surface)
    if parts is None:
        return place.replace(rule="demonstrative")
    return place.rewrite(place.pronoun, with_preposition(parts[0], place.phrase, grammar), rule="preposition")
