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

if TYPE_CHECKING:
    from winoglot.languages.base import Substitution
    from winoglot.languages.features import Traits
    from winoglot.languages.substitution import Place
    from winoglot.schemas.model import Candidate, Item
    from winoglot.schemas.spans import Edit, Span

NOUNS_HAVE_CAPITALS = True  # a word in lower case before a comma is no noun, but may be the verb of a relative clause


def substitute(place: Place) -> Substitution:
    """Replace the pronoun by the candidate, with a comma after its relative clause."""
    from winoglot.languages.de.declension import RELATIVE_CLAUSE
    from winoglot.languages.substitution import closed

    clause = RELATIVE_CLAUSE.search(place.item.candidates[place.index].text)
    return closed(_substitute(place), clause.group().rstrip(",") if clause else "")


def _substitute(place: Place) -> Substitution:
    """Replace the pronoun by the candidate, according to the kind of pronoun."""
    from winoglot.languages.de import personal, possessive
    from winoglot.languages.lexicon import lexicon

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
    from winoglot.languages.de.candidates import definite_phrase
    from winoglot.languages.de.fit import sorts_of_pronoun

    description = definite_phrase(item.candidates[index], item)
    sorts = description.fits(sorts_of_pronoun(item)) or description.sorts
    forms = {description.phrase.declined(sort, "nominative") for sort in sorts}
    return forms.pop() if len(forms) == 1 else item.candidates[index].text


def inflected(phrase: str) -> frozenset[str]:
    """The other forms of a phrase in a text."""
    from winoglot.languages.de import candidates

    return candidates.inflected(phrase)


def candidate_features(candidate: Candidate, item: Item) -> Traits:
    """What a candidate's determiner, noun and mentions show."""
    from winoglot.languages.de import candidates

    return candidates.candidate_features(candidate, item)


def pronoun_features(item: Item) -> Traits:
    """What the pronoun and its verb show."""
    from winoglot.languages.de import fit

    return fit.pronoun_features(item)


def in_place_of(item: Item, incoming: int, mention: Span) -> str:
    """A candidate in the case in which the other is mentioned."""
    from winoglot.languages.de import exchange

    return exchange.in_place_of(item, incoming, mention)


def edit_after(text: str, noun: Span, new: str, number: str | None) -> Edit | None:
    """The apostrophe after the genitive of a name."""
    from winoglot.languages.de import exchange

    return exchange.edit_after(text, noun, new, number)


def is_named(phrase: str) -> bool:
    """Whether a phrase is a name; every noun has a capital."""
    from winoglot.languages.de import declension

    try:
        return declension.parsed(phrase).is_name
    except NotDerivedError:
        return False


def pronoun_role(item: Item) -> str | None:
    """The pronoun's role in its clause."""
    from winoglot.languages.de import fit

    return fit.pronoun_role(item)


def listed_name(word: str) -> str:
    """The first name of which a word is the genitive."""
    from winoglot.languages.de import exchange

    return exchange.listed_name(word)


def renamed_form(text: str, place: Span, name: str, new: str, gender: str) -> str:
    """A new name in the case of the old one."""
    from winoglot.languages.de import exchange

    return exchange.renamed_form(text, place, name, new, gender)
