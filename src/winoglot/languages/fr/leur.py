"""*Leur* is a possessive (*leur chien*) and a dative (*il leur parle*).

A possessive at the start of its sentence, and after a preposition if no infinitive follows (*de {leur} plafond*); a
dative after *ne* or a subject pronoun, and before an auxiliary. Otherwise only the next word could decide, and nothing
is derived.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.fr.clitics import dative
from winoglot.languages.fr.possessive import possessive
from winoglot.languages.fr.words import is_infinitive, listed, opens_sentence, verb_of
from winoglot.languages.tables import pairs

if TYPE_CHECKING:
    from winoglot.languages.base import Substitution
    from winoglot.languages.fr.words import Around
    from winoglot.languages.substitution import Place


def leur(place: Place, around: Around) -> Substitution:
    """Decide by the neighbouring words."""
    previous, following = around.previous_form(), around.next_form()
    if previous in ("nous", "vous") and following.endswith(("ons", "ez")):
        return dative(place, around)  # "nous leur parlons": a verb, since its ending agrees with the subject
    if previous in ("ne", "n'") or previous in listed("subjects") or verb_of(following) in ("avoir", "être"):
        return dative(place, around)
    if opens_sentence(around):
        if is_infinitive(following) and following in pairs("fr", "dative_verbs.txt"):
            return dative(place, around)  # "Leur parler …"
        return possessive(place, around)
    if previous in listed("prepositions"):
        return _after_preposition(place, around)
    raise NotDerivedError("'leur' may be a possessive or an indirect object")


def _after_preposition(place: Place, around: Around) -> Substitution:
    """*de {leur} plafond*, *pour {leur} parler*; a word like *dîner* may be either."""
    previous, following = around.previous_form(), around.next_form()
    is_verbal = previous in listed("infinitive_prepositions") and is_infinitive(following)
    is_giving = is_verbal and (following == "avoir" or following in pairs("fr", "dative_verbs.txt"))
    if is_giving or (previous == "en" and following.endswith("ant")):
        return dative(place, around)
    if is_verbal:
        raise NotDerivedError(f"{following!r} may be an infinitive or the possessed noun")
    return possessive(place, around)
