"""Clitics before their verb or after an imperative: *le, la, l', les* (direct object), *lui, leur* (indirect object).

The clitic is removed and the noun follows the verb, with *à* for an indirect object; the word before the clitic now
precedes the verb and is elided again (*il ne l'a pas vue* → *il n'a pas vu Léa*). A short direct object comes before
the recipient (*On {lui} a remis le prix.* → *On a remis le prix à Léa.*), a longer one after it. Not derived: several
clitics together, *le* for a clause or a quality (*il l'est*, *il le sait*), a subject after its verb (*comme le dit
Paul*), and owners: *{lui} serre la main*, *{lui} tombe sur la tête*, or a definite object of any verb other
than giving, taking or saying (*{lui} a sali la manche*).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.fr.grammar import FRENCH
from winoglot.languages.fr.verbs import VerbGroup, is_blank, verb_group, with_bare_complement, without_agreement
from winoglot.languages.romance.after_verb import object_end, with_verb
from winoglot.languages.romance.grammar import is_word
from winoglot.languages.romance.words import with_preposition
from winoglot.schemas.spans import Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.languages.base import Substitution
    from winoglot.languages.romance.words import Around

_BEFORE_INVERSION = frozenset({"que", "qu'", "comme", "où", "dont", "auquel", "lequel", "laquelle", "combien"})
_OBJECTS = frozenset({"me", "m'", "te", "t'", "se", "s'", "le", "la", "l'", "les", "lui", "leur", "y"})
_SUBJECT_ENDINGS = {"nous": ("ons", "mes"), "vous": ("ez", "tes")}
_PRESENTATIVES = ("voici", "voilà")
_DEFINITE = ("le", "la", "les", "l'")
_PARTICLES = ("après", "devant", "derrière", "contre", "autour")
_ALWAYS_PARTICLES = ("dessus", "dedans")
_HANDING = ("tendre", "donner", "offrir", "prêter")  # the hand may be the subject's own: "lui tend la main"


def accusative(around: Around) -> Substitution:
    """*Il {la} prend souvent.* → *Il prend souvent la lampe.*"""
    place = around.place
    mentions = [mention for candidate in place.item.candidates for mention in candidate.mentions]
    if any(around.after and mention.start == around.after[0].span.start for mention in mentions):
        raise NotDerivedError(f"{place.surface!r} is the article of a candidate")
    if around.next_form in _PRESENTATIVES:
        verb = around.after[0].span
        touched = Span(place.pronoun.start, verb.end)
        return place.rewrite(touched, place.phrase.text, rule="presentative", lead=verb.of(place.text) + " ")
    _refuse_article(around)
    group = _clitic_verb(around, dative=False)
    _refuse_clause(around, group)
    lead = _verb_before_object(around, group, agreeing=group.auxiliary == "avoir")
    touched = Span(place.pronoun.start, around.after[group.last].span.end)
    is_spelt = not is_blank(around.next_form)  # otherwise it is unknown whether "de" is elided before it
    return place.rewrite(touched, place.phrase.text, rule="proclitic", lead=lead, fuse=is_spelt)


def dative(around: Around) -> Substitution:
    """*Il ne {lui} a rien dit.* → *Il n'a rien dit à Paul.*"""
    place = around.place
    group = _clitic_verb(around, dative=True)
    verb = around.after[group.participles[-1] if group.participles else 0].form
    subject = around.before[around.previous_form in ("ne", "n'") :]
    is_body_part = bool(subject) and subject[0].form in FRENCH.table("nouns").words("body-part")
    if is_body_part and giving_verb(verb) is None and FRENCH.verb_of(verb) != "faire":
        raise NotDerivedError(f"the pronoun is the owner of {subject[0].form!r}")  # "les mains lui tremblaient"
    group = replace(group, last=_recipient_end(around, verb, group.last))
    touched = Span(place.pronoun.start, around.after[group.last].span.end)
    lead = _verb_before_object(around, group, agreeing=False)
    return place.rewrite(touched, with_preposition("à", place.phrase, FRENCH), rule="dative", lead=lead)


def enclitic(around: Around) -> Substitution:
    """*Regarde-{la}.* → *Regarde la lune.*; *Parle-{lui}.* → *Parle à Paul.*"""
    place, before = around.place, around.before
    if place.surface not in ("le", "la", "les", "lui", "leur"):
        raise NotDerivedError("the subject follows its verb")
    verb = before[1] if len(before) > 1 else None
    is_alone = len(before) < 3 or before[2].form != "-"
    is_host = verb is not None and is_word(verb.form) and verb.span.end == before[0].span.start
    is_followed = around.next_form == "-" and around.after[0].span.start == place.pronoun.end
    if verb is None or not is_host or not is_alone or is_followed:
        raise NotDerivedError("there are several clitics in a row")
    if FRENCH.is_infinitive(around.next_form):
        raise NotDerivedError(f"{verb.form!r} governs an infinitive, and the pronoun may be its subject or its object")
    is_dative = place.surface in ("lui", "leur")
    phrase = with_preposition("à", place.phrase, FRENCH) if is_dative else place.phrase.text
    lead, end = verb.span.of(place.text) + " ", place.pronoun.end
    last = -1
    if is_dative:
        last = with_bare_complement(around.after, VerbGroup(None, None, -1)).last
        last = _recipient_end(around, verb.form, last)
    if last >= 0:  # "dis-lui bonjour", "donne-lui la clé"
        end = around.after[last].span.end
        lead += around.written(0, last) + " "
    return place.rewrite(Span(verb.span.start, end), phrase, rule="enclitic", lead=lead)


def _clitic_verb(around: Around, *, dative: bool) -> VerbGroup:
    """The verb of a clitic; refused among several clitics and where the subject follows its verb."""
    previous, following = around.previous_form, around.next_form
    if previous in _BEFORE_INVERSION and not FRENCH.is_infinitive(following):
        raise NotDerivedError(f"after {previous!r} the subject follows its verb")
    is_subject = following.endswith(_SUBJECT_ENDINGS.get(previous, ()))
    if previous in _OBJECTS or (previous in _SUBJECT_ENDINGS and not is_subject):
        raise NotDerivedError(f"there are several clitics in a row, {previous!r} among them")
    return verb_group(around.after, negated=previous in ("ne", "n'"), dative=dative)


def _refuse_article(around: Around) -> None:
    """Refuse an article: after a preposition, a clitic would precede an infinitive or a gerund."""
    surface, previous, following = around.place.surface, around.previous_form, around.next_form
    is_uncontracted = previous in ("de", "à") and surface in ("le", "les")  # an article would contract
    is_verbal = FRENCH.is_infinitive(following) or (previous == "en" and following.endswith("ant"))
    is_verbal = is_verbal or (is_uncontracted and is_blank(following))
    is_name = bool(around.after) and around.after[0].is_capital
    if (previous in FRENCH.prepositions and not is_verbal) or is_name:
        raise NotDerivedError(f"{surface!r} is an article before {following!r}")


def _refuse_clause(around: Around, group: VerbGroup) -> None:
    """Refuse *le* for a quality or a clause: *il l'est*, *il le sait*."""
    surface, following = around.place.surface, around.next_form
    if group.infinitive == "être" or group.auxiliary == "être":
        raise NotDerivedError(f"{surface!r} refers to a quality")
    if surface not in ("le", "l'"):
        return
    if around.previous_form == "sans" and following in ("vouloir", "savoir"):
        raise NotDerivedError(f"'sans le {following}' is a fixed expression")
    before = [token.form for token in around.before[:3]]
    if "comme" in before or _is_comparison(before, [token.form for token in around.after[: group.last + 1]]):
        raise NotDerivedError(f"after 'comme' or a comparison, {surface!r} refers to a clause")
    participles = [around.after[index].form for index in group.participles]
    clausal = FRENCH.verbs.table.words("clausal")
    if group.infinitive in clausal or not clausal.isdisjoint(participles):
        verb = participles[0] if participles else following
        raise NotDerivedError(f"before {verb!r}, {surface!r} refers to a clause")


def _is_comparison(before: list[str], verb: list[str]) -> bool:
    """Whether *ne* is that of a comparison and negates nothing: *plus tard qu'il ne {l'}avait prévu*."""
    is_after_que = len(before) == 3 and before[1] in FRENCH.words("subject") and before[2] in ("que", "qu'")
    return is_after_que and before[0] in ("ne", "n'") and FRENCH.words("negation").isdisjoint(verb)


def _verb_before_object(around: Around, group: VerbGroup, *, agreeing: bool) -> str:
    """The verb as written before its object, with a trailing space."""
    place = around.place
    text, start = place.text, around.after[0].span.start
    lead = ""
    for index in group.participles if agreeing else ():
        participle = around.after[index]
        bare = without_agreement(participle.span.of(text), participle.form, plural=place.surface == "les")
        gender = place.phrase.traits.gender
        if gender.value in ("masculine", "feminine") and gender.value != bare.gender:
            raise NotDerivedError(f"gender differs: {bare.gender}: participle {participle.form!r}; {gender}")
        lead += text[start : participle.span.start] + bare.masculine
        start = participle.span.end
    return lead + text[start : around.after[group.last].span.end] + " "


# Word order after a verb with an indirect object


def _recipient_end(around: Around, verb: str, last: int) -> int:
    """The index of the last word before the recipient: the end of an object that ends the clause, or of the verb.

    Raises NotDerivedError if the pronoun owns what follows.
    """
    last += with_verb(around.after, last, FRENCH)  # "ne lui sert à rien"
    forms = [token.form for token in around.after[last + 1 :]]
    _refuse_particle(forms)
    infinitive = giving_verb(verb)
    if infinitive not in _HANDING:
        _refuse_owner(forms)
    determiner, noun = [*forms, "", ""][:2]
    if determiner in FRENCH.words("short-object"):
        return object_end(around, around.after, last)  # "lui rendre tout"
    if determiner not in FRENCH.determiners or not is_word(noun) or FRENCH.is_infinitive(noun):
        return last  # "il lui a dit le connaître"
    is_causative = last > 0 and FRENCH.is_infinitive(around.after[last].form)  # "lui fit payer l'entrée"
    if infinitive is None and determiner in _DEFINITE and not is_causative:
        raise NotDerivedError(f"the pronoun may own {noun!r}, since {verb!r} is not listed as a verb of giving")
    takes_object = is_causative or infinitive in FRENCH.verbs.table.words("giving")
    return object_end(around, around.after, last) if takes_object else last


def _refuse_particle(forms: Sequence[str]) -> None:
    """*Il lui court après*, *elle lui saute dessus*: the noun would follow them without *à*."""
    particle, following = [*forms, "", ""][:2]
    stands_alone = not is_word(following) or following in ("quand", "et", "mais", "car", "parce")
    if particle in _ALWAYS_PARTICLES or (particle in _PARTICLES and stands_alone):
        raise NotDerivedError(f"the noun would go with {particle!r}, without 'à'")


def _refuse_owner(forms: Sequence[str]) -> None:
    """Refuse a clitic that is the owner of a body part: *a serré fort la main*, *saute au cou*, *tombe sur la tête*."""
    rest = [form for form in forms[:4] if not FRENCH.is_adverb(form)]
    is_opened = False
    for opening in (FRENCH.prepositions, {*_DEFINITE, "un", "une"}):
        if rest and rest[0] in opening:
            rest, is_opened = rest[1:], True
    if is_opened and rest and rest[0] in FRENCH.table("nouns").words("body-part"):
        raise NotDerivedError(f"the pronoun is the owner of {rest[0]!r}, not the recipient")


def giving_verb(form: str) -> str | None:
    """The infinitive of a form of a verb of giving, taking or saying, in any person.

    >>> giving_verb("donnerai"), giving_verb("envoyons"), giving_verb("salit")
    ('donner', 'envoyer', None)
    """
    verbs = FRENCH.givers
    if form in verbs:
        return verbs[form]
    endings = FRENCH.verbs.table.values("person").items()
    third_persons = (form[: 1 - len(ending)] + third[0] for ending, third in endings if form.endswith(ending[1:]))
    return next((verbs[form_of_third] for form_of_third in third_persons if form_of_third in verbs), None)
