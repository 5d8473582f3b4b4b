"""German: phrases decline, pronouns show gender, number and case.

In reading order:

- `nouns`, `declension`: the forms of nouns, then of whole phrases;
- `candidates`: what a candidate may be in gender and number, and the phrase that returns for it;
- `clauses`: the clause around a pronoun;
- `fit`: what a pronoun may refer to;
- `expletive`: *es* without a referent;
- `personal`, `possessive`: the candidate in the pronoun's place;
- `exchange`: candidates in each other's place, for switching.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.de import personal, possessive
from winoglot.languages.de.candidates import candidate_features, definite_phrase, inflected
from winoglot.languages.de.declension import RELATIVE_CLAUSE, parsed
from winoglot.languages.de.exchange import edit_after, in_place_of, listed_name, renamed_form
from winoglot.languages.de.fit import pronoun_features, pronoun_role, sorts_of_pronoun
from winoglot.languages.lexicon import lexicon
from winoglot.languages.substitution import closed

if TYPE_CHECKING:
    from winoglot.languages.base import Substitution
    from winoglot.languages.substitution import Place
    from winoglot.schemas.model import Item

__all__ = [
    "candidate_features",
    "definite",
    "edit_after",
    "in_place_of",
    "inflected",
    "is_named",
    "listed_name",
    "pronoun_features",
    "pronoun_role",
    "renamed_form",
    "substitute",
]

NOUNS_HAVE_CAPITALS = True  # a word in lower case before a comma is no noun, but may be the verb of a relative clause


def substitute(place: Place) -> Substitution:
    """Replace the pronoun by the candidate, with a comma after its relative clause."""
    clause = RELATIVE_CLAUSE.search(place.item.candidates[place.index].text)
    return closed(_substitute(place), clause.group().rstrip(",") if clause else "")


def _substitute(place: Place) -> Substitution:
    """Replace the pronoun by the candidate, according to the kind of pronoun."""
    form, table = place.surface, lexicon("de", "pronouns")
    personal.check_address(place)
    if form in table.words("possessive", "demonstrative"):
        return possessive.demonstrative(place)
    if form in table.words("possessive") and (form != "ihr" or possessive.is_possessive(place)):
        return possessive.possessive(place)
    if form in ("er", "sie", "es", "ihn", "ihm", "ihr", "ihnen"):
        return personal.personal(place)
    if form in table.words("demonstrative", "singular"):
        return personal.demonstrative(place)
    if form in table.words("reflexive"):
        raise NotDerivedError(f"{form!r} refers back to its own subject")
    if form in table.words("prepositional-adverb"):
        raise NotDerivedError(f"{form!r} has a preposition in it")
    if form in table.words("relative"):
        raise NotDerivedError(f"{form!r} opens a relative clause, or points to the noun before it")
    raise NotDerivedError(f"there is no rule for {form!r}")


def definite(item: Item, index: int) -> str | None:
    """The candidate as something already mentioned, in the nominative."""
    description = definite_phrase(item.candidates[index], item)
    sorts = description.fits(sorts_of_pronoun(item)) or description.sorts
    forms = {description.phrase.declined(sort, "nominative") for sort in sorts}
    return forms.pop() if len(forms) == 1 else item.candidates[index].text


def is_named(phrase: str) -> bool:
    """Whether a phrase is a name; every noun has a capital."""
    try:
        return parsed(phrase).is_name
    except NotDerivedError:
        return False
