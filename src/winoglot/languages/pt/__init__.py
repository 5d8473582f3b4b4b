"""Portuguese, Brazilian unless the region says otherwise."""

from winoglot.languages.base import NotDerivedError, Substitution
from winoglot.languages.substitution import Place
from winoglot.languages.zero import before_verb

NAMED_WITH_ARTICLE = ("pt-PT", "pt-AO", "pt-MZ")  # where a first name takes its article even if the sentence shows none


def substitute(place: Place) -> Substitution:
    """Replace the pronoun by the candidate, according to the kind of pronoun."""
    from winoglot.languages.pt import clitic, dative, demonstrative, personal, phrase, possessive

    place = phrase.settled(place)
    form = place.surface
    if form in ("ele", "ela", "eles", "elas"):
        return personal.personal(place)
    if form in ("dele", "dela", "deles", "delas"):
        return personal.of_or_in(place, "de")
    if form in ("nele", "nela", "neles", "nelas"):
        return personal.of_or_in(place, "em")
    if form in ("seu", "sua", "seus", "suas"):
        return possessive.possessive(place)
    if form in ("o", "a", "os", "as", "lo", "la", "los", "las", "no", "na", "nos", "nas"):
        return clitic.clitic(place)
    if form in ("lhe", "lhes"):
        return dative.dative(place)
    if form in ("se", "si", "consigo"):
        raise NotDerivedError(f"{form!r} refers back to its own subject")
    return demonstrative.demonstrative(place)


def unspoken(place: Place) -> Substitution:
    """The candidate as a subject that is not spoken."""
    from winoglot.languages.pt import phrase

    return before_verb(phrase.settled(place))
