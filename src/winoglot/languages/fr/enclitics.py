"""Clitics after an imperative: *Regarde-{la}.* → *Regarde la lune.*; *Parle-{lui}.* → *Parle à Paul.*

Subjects after the verb (*dit-{il}*) and several clitics (*donne-{le}-lui*) are not derived.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.fr.giving import with_short_object
from winoglot.languages.fr.prepositions import after_preposition
from winoglot.languages.fr.verbs import VerbGroup, with_bare_complement
from winoglot.languages.fr.words import HYPHENS, is_infinitive, is_word
from winoglot.schemas.spans import Span

if TYPE_CHECKING:
    from winoglot.languages.base import Substitution
    from winoglot.languages.fr.words import Around
    from winoglot.languages.substitution import Place


def is_enclitic(place: Place, around: Around) -> bool:
    """Whether a hyphen joins the pronoun to the word before it."""
    return around.previous_form() in HYPHENS and around.before[0].span.end == place.pronoun.start


def enclitic(place: Place, around: Around) -> Substitution:
    """Place the noun after its imperative."""
    if place.surface not in ("le", "la", "les", "lui", "leur"):
        raise NotDerivedError("the subject follows its verb")
    hyphen = around.before[0]
    verb = around.before[1] if len(around.before) > 1 else None
    is_alone = len(around.before) < 3 or around.before[2].form not in HYPHENS
    if verb is None or not is_word(verb.form) or verb.span.end != hyphen.span.start or not is_alone:
        raise NotDerivedError("there are several clitics in a row")
    if place.text[place.pronoun.end : place.pronoun.end + 1] in HYPHENS:
        raise NotDerivedError("there are several clitics in a row")
    if is_infinitive(around.next_form()):
        raise NotDerivedError(f"{verb.form!r} governs an infinitive, and the pronoun may be its subject or its object")
    is_dative = place.surface in ("lui", "leur")
    phrase = after_preposition("à", place.phrase) if is_dative else place.phrase.text
    lead, end = verb.span.of(place.text) + " ", place.pronoun.end
    last = -1
    if is_dative:
        last = with_bare_complement(around.after, VerbGroup(None, None, -1)).last
        last = with_short_object(around.after, verb.form, last)
    if last >= 0:  # "dis-lui bonjour", "donne-lui la clé"
        end = around.after[last].span.end
        lead += Span(around.after[0].span.start, end).of(place.text) + " "
    return place.rewrite(Span(verb.span.start, end), phrase, rule="enclitic", lead=lead)
