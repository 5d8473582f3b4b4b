"""Spanish."""

from winoglot.languages.base import NotDerivedError, Substitution
from winoglot.languages.es.euphony import euphonic
from winoglot.languages.es.exchange import check_exchange
from winoglot.languages.lexicon import lexicon
from winoglot.languages.substitution import Place
from winoglot.languages.zero import before_verb

__all__ = ["check_exchange", "euphonic", "substitute", "unspoken"]


def substitute(place: Place) -> Substitution:
    """Replace the pronoun by the candidate, according to the kind of pronoun."""
    from winoglot.languages.es import clitic, demonstrative, personal, possessive

    form = place.surface
    if form in ("él", "ella", "ellos", "ellas"):
        return personal.personal(place)
    if form in ("su", "sus"):
        return possessive.before_noun(place)
    if form in ("suyo", "suya", "suyos", "suyas"):
        return possessive.after_noun(place)
    if form in ("lo", "la", "los", "las", "le", "les"):
        return clitic.clitic(place)
    if form in ("se", "sí", "consigo"):
        raise NotDerivedError(f"{form!r} refers back to its own subject")
    if form == "ello":
        raise NotDerivedError("'ello' refers to a statement, not to a noun")
    return demonstrative.demonstrative(place)


def unspoken(place: Place) -> Substitution:
    """The candidate as a subject that is not spoken; an infinitive would have it behind: *al salir Ana*."""
    before = place.preceding[0].form if place.preceding else ""
    if before == "al" or before in lexicon("es", "function_words").words("preposition"):
        raise NotDerivedError(f"after {before!r}, the subject comes behind its infinitive")
    return before_verb(place)
