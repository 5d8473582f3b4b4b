"""Portuguese, Brazilian unless the region says otherwise.

In reading order:

- `grammar`: what Portuguese adds to the Romance grammar, and candidates ready for insertion;
- `pronouns`: personal pronouns, alone, contracted and as clitics;
- `rewriting`: the words for a text in another tense, number or gender.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.zero import before_verb

if TYPE_CHECKING:
    from winoglot.languages.base import Substitution
    from winoglot.languages.substitution import Place

NAMED_WITH_ARTICLE = ("pt-PT", "pt-AO", "pt-MZ")  # where a first name takes its article even if the sentence shows none


def substitute(place: Place) -> Substitution:
    """Replace the pronoun by the candidate, according to the kind of pronoun."""
    from winoglot.languages.pt import pronouns
    from winoglot.languages.pt.grammar import PORTUGUESE, with_checked_phrase
    from winoglot.languages.romance.possessives import possessive
    from winoglot.languages.romance.pronouns import demonstrative
    from winoglot.languages.romance.words import around

    words = around(with_checked_phrase(place), PORTUGUESE)
    form = place.surface
    if form in ("ele", "ela", "eles", "elas"):
        return pronouns.personal(words)
    if form in ("dele", "dela", "deles", "delas"):
        return pronouns.of_or_in(words, "de")
    if form in ("nele", "nela", "neles", "nelas"):
        return pronouns.of_or_in(words, "em")
    if form in ("seu", "sua", "seus", "suas"):
        return possessive(words)
    if form in ("o", "a", "os", "as", "lo", "la", "los", "las", "no", "na", "nos", "nas"):
        return pronouns.accusative(words)
    if form in ("lhe", "lhes"):
        return pronouns.dative(words)
    if form in ("se", "si", "consigo"):
        raise NotDerivedError(f"{form!r} refers back to its own subject")
    return demonstrative(words)


def unspoken(place: Place) -> Substitution:
    """The candidate as a subject that is not spoken."""
    from winoglot.languages.pt.grammar import PORTUGUESE, with_checked_phrase
    from winoglot.languages.romance.predicates import check_subject

    check_subject(place, PORTUGUESE)
    return before_verb(with_checked_phrase(place))


def word_class(form: str) -> str:
    """What the word may be in a noun phrase."""
    from winoglot.languages.pt.grammar import PORTUGUESE

    return PORTUGUESE.word_class(form)
