"""French: how a candidate replaces each pronoun. *En*, *y*, reflexives and *cela* are not derived.

In reading order:

- `grammar`: what French adds to the Romance grammar;
- `pronouns`: subjects, stressed pronouns, *lui*, *leur*, *ce* and *celui-ci*;
- `verbs`: the verb that a clitic belongs to, with the agreement of its participle;
- `clitics`: objects before their verb or after an imperative;
- `rewriting`: the words for a text in another tense, number or gender.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError

if TYPE_CHECKING:
    from winoglot.languages.base import Substitution
    from winoglot.languages.substitution import Place
    from winoglot.schemas.model import Item

INITIALS_LIKE_WORDS = True  # l'ONU, le FMI: pronounced as words or by first letter, not by the letter's name


def definite(item: Item, index: int) -> str | None:
    """Refuse a member of a group, which has no definite phrase of its own: *une des caissières … elle*."""
    from winoglot.languages.fr.pronouns import refuse_one_of_several

    refuse_one_of_several(item, index)
    return None


def substitute(place: Place) -> Substitution:
    """The reading of a French item."""
    from winoglot.languages.fr import clitics, pronouns
    from winoglot.languages.fr.grammar import FRENCH
    from winoglot.languages.romance.possessives import possessive
    from winoglot.languages.romance.words import around

    pronouns.refuse_single_name(place.phrase, place.item)
    form, words = place.surface, around(place, FRENCH)
    if words.is_hyphenated:
        return clitics.enclitic(words)
    if form in ("il", "elle", "ils", "elles", "eux"):
        return pronouns.subject_or_stressed(words)
    if form == "lui":
        return pronouns.lui(words)
    if form in ("le", "la", "l'", "les"):
        return clitics.accusative(words)
    if form in ("son", "sa", "ses", "leurs"):
        return possessive(words)
    if form == "leur":
        return pronouns.leur(words)
    if form in ("ce", "c'"):
        return pronouns.ce(words)
    if form.endswith(("-ci", "-là")) or " derni" in form:
        return pronouns.demonstrative(words)
    raise NotDerivedError(f"there is no rule for {form!r}")


def word_class(form: str) -> str:
    """What the word may be in a noun phrase."""
    from winoglot.languages.fr.grammar import FRENCH

    return FRENCH.word_class(form)
