"""English: nouns have no case except the possessive, so little changes around a candidate.

In reading order:

- `wordclass`: the classes of words, by closed lists, endings and neighbouring words;
- `number`: whether a candidate is singular or plural;
- `definite`: the candidate on second mention, where the determiner alone does not decide;
- `her`: whether *her* is an object or a possessive;
- `genitive`: possessive pronouns become *'s*;
- `contraction`: verbs contracted with a pronoun are written out;
- `singular_they`: the verb of *they* agrees with a singular candidate;
- `bound`: quantifiers of *they* and *them* come before the noun; question tags and *on her own* are refused;
- `rewriting/`: a text in another tense, number, gender or voice, or with other words.
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError, Substitution
from winoglot.languages.en import bound, her
from winoglot.languages.en.contraction import contracted_verb, write_out
from winoglot.languages.en.definite import definite
from winoglot.languages.en.genitive import edit_after, possessive, without_role
from winoglot.languages.en.number import noun_number, number_of
from winoglot.languages.en.singular_they import subject
from winoglot.languages.en.wordclass import WORD, is_adverb, is_closed, is_in, is_past, opens_phrase, word_at
from winoglot.languages.lexicon import lexicon
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from winoglot.languages.substitution import Place

__all__ = ["definite", "edit_after", "noun_number", "number_of", "substitute", "without_role"]


def substitute(place: Place) -> Substitution:
    """Replace an English pronoun by the candidate."""
    form = place.surface.partition("'")[0]
    _check_pronoun(place, form)
    substitution = bound.with_quantifier(place)
    if substitution is not None:
        return substitution
    verb = contracted_verb(place)
    if verb is not None and form in ("he", "she", "it", "they"):
        return write_out(place, verb, is_singular=_is_singular(place))
    if form in ("his", "its", "their"):
        return possessive(place)
    if form in ("hers", "theirs"):
        return possessive(place, rule="possessive pronoun")
    if form == "her":
        return possessive(place) if her.role(place) == "possessive" else place.replace(rule="object")
    if form in ("him", "them"):
        return place.replace(rule="object")
    if form == "it":
        return place.replace(rule="subject or object")
    return subject(place) if form == "they" else place.replace(rule="subject")


def _check_pronoun(place: Place, form: str) -> None:
    """Refuse a pronoun that no candidate can replace, and a candidate that does not fit it."""
    if form.endswith(("self", "selves")) or word_at(place.text, place.pronoun.end) in ("self", "selves"):
        raise NotDerivedError("a reflexive pronoun refers to something in its own clause")
    words = takewhile(
        lambda word: not is_in(folded(word), "function_words", "relative"), WORD.findall(place.phrase.text)
    )
    if any(is_in(_without_initials(word), "function_words", "personal") for word in words):
        raise NotDerivedError(
            f"the candidate {place.phrase.text!r} contains a pronoun, whose form depends on its position"
        )
    if not form.startswith("the") and number_of(place) == "plural":
        raise NotDerivedError(f"number differs: {form!r} is singular, {place.phrase.text!r} is plural")
    bound.check_tag(place)
    if form in ("his", "her", "its", "their"):
        bound.check_on_her_own(place)
    if form == "they" and number_of(place) == "singular":
        bound.check_singular(place)


def _without_initials(word: str) -> str:
    """The word in lower case; empty if it is written in capitals: *the US army*."""
    return "" if word.isupper() and len(word) > 1 else folded(word)


def _is_singular(place: Place) -> bool:
    """Whether a contracted verb has a singular subject: *he's*, or *they're* for one person."""
    if not place.surface.startswith("they"):
        return True
    number = number_of(place)
    if number is None:
        raise NotDerivedError(f"cannot tell whether {place.phrase.text!r} is singular or plural")
    return number == "singular"


def word_class(form: str) -> str:
    """What the word may be in a noun phrase."""
    from winoglot.languages.en.rewriting.inflection import parts_of_speech

    if is_closed(form) or is_adverb(form) or opens_phrase(form):
        return "end"
    if is_past(form):
        return "verb"
    classes = parts_of_speech(form)
    is_listed = any(form in lexicon("en", table) for table in ("people", "things"))
    if "ADJ" in classes and not is_listed:  # main, original: rarely the last word of a phrase
        return "adjective"
    return "noun" if "NOUN" in classes else "end" if classes == {"VERB"} else ""
