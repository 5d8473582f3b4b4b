"""Clitics before their verb: *le, la, l', les* (direct object) and *lui, leur* (indirect object).

The clitic is removed and the noun follows the verb, with *à* for an indirect object (`giving` says where exactly); the
word before the clitic now precedes the verb and is elided again (*il ne l'a pas vue* → *il n'a pas vu Léa*). Not
derived: several clitics together, *le* for a clause or a quality (*il l'est*, *il le sait*), a subject after its verb
(*comme le dit Paul*), causatives.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.fr.giving import with_short_object
from winoglot.languages.fr.participles import without_agreement
from winoglot.languages.fr.prepositions import after_preposition
from winoglot.languages.fr.verbs import VerbGroup, verb_group
from winoglot.languages.fr.words import is_blank, is_infinitive, listed
from winoglot.schemas.spans import Span

if TYPE_CHECKING:
    from winoglot.languages.base import Substitution
    from winoglot.languages.fr.words import Around
    from winoglot.languages.substitution import Place

_BEFORE_INVERSION = frozenset({"que", "qu'", "comme", "où", "dont", "auquel", "lequel", "laquelle", "combien"})
_OBJECTS = frozenset({"me", "m'", "te", "t'", "se", "s'", "le", "la", "l'", "les", "lui", "leur", "y"})
_SUBJECT_ENDINGS = {"nous": ("ons", "mes"), "vous": ("ez", "tes")}
_PRESENTATIVES = ("voici", "voilà")


def accusative(place: Place, around: Around) -> Substitution:
    """*Il {la} prend souvent.* → *Il prend souvent la lampe.*"""
    if any(around.after and mention.start == around.after[0].span.start for mention in _all_mentions(place)):
        raise NotDerivedError(f"{place.surface!r} is the article of a candidate")
    if around.next_form() in _PRESENTATIVES:
        verb = around.after[0].span
        touched = Span(place.pronoun.start, verb.end)
        return place.rewrite(touched, place.phrase.text, rule="presentative", lead=verb.of(place.text) + " ")
    _refuse_article(place, around)
    group = _group(around, dative=False)
    _refuse_clause(place, around, group)
    lead = _lead(place, around, group, agreeing=group.auxiliary == "avoir")
    touched = Span(place.pronoun.start, around.after[group.last].span.end)
    is_spelt = not is_blank(around.next_form())  # otherwise it is unknown whether "de" is elided before it
    return place.rewrite(touched, place.phrase.text, rule="proclitic", lead=lead, fuse=is_spelt)


def dative(place: Place, around: Around) -> Substitution:
    """*Il ne {lui} a rien dit.* → *Il n'a rien dit à Paul.*"""
    group = _group(around, dative=True)
    verb = around.after[group.participles[-1] if group.participles else 0].form
    group = replace(group, last=with_short_object(around.after, verb, group.last))
    touched = Span(place.pronoun.start, around.after[group.last].span.end)
    lead = _lead(place, around, group, agreeing=False)
    return place.rewrite(touched, after_preposition("à", place.phrase), rule="dative", lead=lead)


def _group(around: Around, *, dative: bool) -> VerbGroup:
    previous = around.previous_form()
    following = around.next_form()
    if previous in _BEFORE_INVERSION and not is_infinitive(following):
        raise NotDerivedError(f"after {previous!r} the subject follows its verb")
    is_subject = following.endswith(_SUBJECT_ENDINGS.get(previous, ()))
    if previous in _OBJECTS or (previous in _SUBJECT_ENDINGS and not is_subject):
        raise NotDerivedError(f"there are several clitics in a row, {previous!r} among them")
    return verb_group(around.after, negated=previous in ("ne", "n'"), dative=dative)


def _refuse_article(place: Place, around: Around) -> None:
    """After a preposition, a clitic precedes an infinitive or a gerund; otherwise it is an article."""
    previous, following = around.previous_form(), around.next_form()
    is_uncontracted = previous in ("de", "à") and place.surface in ("le", "les")  # an article would contract
    is_verbal = is_infinitive(following) or (previous == "en" and following.endswith("ant"))
    is_verbal = is_verbal or (is_uncontracted and is_blank(following))
    is_name = bool(around.after) and place.text[around.after[0].span.start].isupper()
    if (previous in listed("prepositions") and not is_verbal) or is_name:
        raise NotDerivedError(f"{place.surface!r} is an article before {following!r}")


def _refuse_clause(place: Place, around: Around, group: VerbGroup) -> None:
    if group.infinitive == "être" or group.auxiliary == "être":
        raise NotDerivedError(f"{place.surface!r} refers to a quality")
    if place.surface not in ("le", "l'"):
        return
    if around.previous_form() == "sans" and around.next_form() in ("vouloir", "savoir"):
        raise NotDerivedError(f"'sans le {around.next_form()}' is a fixed expression")
    before = [token.form for token in around.before[:3]]
    if "comme" in before or _is_comparison(before, [token.form for token in around.after[: group.last + 1]]):
        raise NotDerivedError(f"after 'comme' or a comparison, {place.surface!r} refers to a clause")
    participles = [around.after[at].form for at in group.participles]
    if group.infinitive in listed("propositional_verbs") or set(participles) & listed("propositional_participles"):
        verb = participles[0] if participles else around.next_form()
        raise NotDerivedError(f"before {verb!r}, {place.surface!r} refers to a clause")


def _is_comparison(before: list[str], verb: list[str]) -> bool:
    """*plus tard qu'il ne {l'}avait prévu*: this *ne* is not a negation."""
    is_after_que = len(before) == 3 and before[1] in listed("subjects") and before[2] in ("que", "qu'")
    return is_after_que and before[0] in ("ne", "n'") and not listed("negations") & set(verb)


def _lead(place: Place, around: Around, group: VerbGroup, *, agreeing: bool) -> str:
    """The verb as written before its object, with a trailing space."""
    text, start = place.text, around.after[0].span.start
    written = ""
    for at in group.participles if agreeing else ():
        participle = around.after[at]
        bare = without_agreement(participle.span.of(text), participle.form, plural=place.surface == "les")
        gender = place.phrase.traits.gender
        if gender.value in ("masculine", "feminine") and gender.value != bare.gender:
            raise NotDerivedError(f"gender differs: {bare.gender}: participle {participle.form!r}; {gender}")
        written += text[start : participle.span.start] + bare.masculine
        start = participle.span.end
    return written + text[start : around.after[group.last].span.end] + " "


def _all_mentions(place: Place) -> list[Span]:
    return [mention for candidate in place.item.candidates for mention in candidate.mentions]
