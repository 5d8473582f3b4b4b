"""*Leur* is a possessive (*leur chien*) and a dative (*il leur parle*).

A possessive where it opens its sentence; a dative after *ne* or a subject pronoun, and before an auxiliary; else only
the verb or noun behind it would tell: not derived.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.fr.clitics import dative
from winoglot.languages.fr.possessive import possessive
from winoglot.languages.fr.words import listed, opens_sentence, verb_of
from winoglot.languages.tables import pairs

if TYPE_CHECKING:
    from winoglot.languages.base import Substitution
    from winoglot.languages.fr.words import Around
    from winoglot.languages.place import Place


def leur(place: Place, around: Around) -> Substitution:
    """By the words beside it."""
    previous, following = around.previous_form(), around.next_form()
    if previous in ("nous", "vous") and following.endswith(("ons", "ez")):
        return dative(place, around)  # "nous leur parlons": a verb, since its ending agrees with the subject
    if previous in ("ne", "n'") or previous in listed("subjects") or verb_of(following) in ("avoir", "être"):
        return dative(place, around)
    if opens_sentence(around):
        if following in pairs("fr", "dative_verbs.txt") and following.endswith(("r", "re")):
            return dative(place, around)  # "Leur parler …"
        return possessive(place, around)
    raise NotDerivedError("'leur' may be a possessive or an indirect object")
