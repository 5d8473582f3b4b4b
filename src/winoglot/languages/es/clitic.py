"""Clitics: *lo*, *la*, *los*, *las* and *le*, *les*, before a finite verb or written with an infinitive or gerund.

An accusative clitic is removed, and the noun follows the verb, with *a* before a person: *{lo} vio ayer* → *vio a Juan
ayer*, *antes de abrir{la}* → *antes de abrir la caja*, *viéndo{lo}* → *viendo a Juan*. A dative one stays, since
Spanish doubles it: *{le} dio pan* → *le dio a Juan pan*. Not derived: clusters (*se {lo} dio*, *dárse{lo}*), a doubled
clitic (*a Juan {lo} vio*), a subject after the verb (*{lo} vio Ana*), *lo* for a predicate (*{lo} es*) or for a
clause (*no {lo} digas*).
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from unicodedata import normalize

from winoglot.languages.base import NotDerivedError
from winoglot.languages.es.landing import landing
from winoglot.languages.es.people import as_object, is_common_noun
from winoglot.languages.es.words import (
    ends_phrase,
    is_determiner,
    is_gerund,
    is_infinitive,
    is_participle,
    listed,
)
from winoglot.languages.substitution import prepended
from winoglot.schemas.spans import Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.languages.base import Substitution
    from winoglot.languages.substitution import Place, Token

_DATIVE = ("le", "les")
_PLAIN = str.maketrans("áéíóúÁÉÍÓÚ", "aeiouAEIOU")


def clitic(place: Place) -> Substitution:
    """Place the noun after the verb that the clitic belongs to."""
    before = place.preceding
    if before and before[0].span.end == place.pronoun.start and before[0].form.isalpha():
        return _enclitic(place)
    return _proclitic(place)


def _proclitic(place: Place) -> Substitution:
    text, words = place.text, place.following
    before = place.preceding[0].form if place.preceding else ""
    after = words[0].form if words else ""
    if before in listed("clitics.txt") or after in listed("clitics.txt"):
        raise NotDerivedError(f"{place.surface!r} is part of a cluster of clitics")
    if _is_doubled_before(place):
        raise NotDerivedError(f"{place.surface!r} doubles an earlier phrase with 'a'")
    if place.surface == "lo" and after in listed("copulas.txt") and not (words[1:] and is_gerund(words[1].form)):
        raise NotDerivedError(f"in 'lo {after}' the pronoun replaces a predicate")
    if before in listed("prepositions.txt") or (after and is_common_noun(after)):
        raise NotDerivedError(f"{place.surface!r} is the article of {after!r}")
    last = landing(words, text)
    _check_clause(place, words[last].form)
    verbs = Span(words[0].span.start, words[last].span.end).of(text)
    _check_after(place, words[last + 1 :])
    region = Span(place.pronoun.start, words[last].span.end)
    if place.surface in _DATIVE:
        lead = f"{place.pronoun.of(text).lower()} {verbs} "
        return place.rewrite(region, _dative(place), lead=lead, rule="dative")
    return place.rewrite(region, as_object(place.phrase), lead=f"{verbs} ", rule="proclitic")


def _enclitic(place: Place) -> Substitution:
    verb = place.preceding[0]
    _check_clause(place, verb.form)
    rest = place.following[_has_participle(verb.form, place.following) :]
    _check_after(place, rest)
    written = verb.span.of(place.text)
    bare = _without_clitic(verb.form)
    end = place.following[0].span.end if len(rest) < len(place.following) else place.pronoun.end
    region = Span(verb.span.start, end)
    participle = place.text[place.pronoun.end : end]
    if place.surface in _DATIVE:
        lead = written + place.pronoun.of(place.text) + participle + " "
        return place.rewrite(region, _dative(place), lead=lead, rule="dative")
    lead = written
    if bare != verb.form:  # the accent was due to the clitic
        lead = normalize("NFC", written).translate(_PLAIN)
    return place.rewrite(region, as_object(place.phrase), lead=f"{lead}{participle} ", rule="enclitic")


def _has_participle(verb: str, rest: Sequence[Token]) -> bool:
    """*Haberlo visto*, *habiéndole dicho*."""
    return verb in ("haber", "habiéndo") and bool(rest) and is_participle(rest[0].form)


def _check_clause(place: Place, verb: str) -> None:
    """Refuse *no lo digas*, which may refer to a statement."""
    if place.surface == "lo" and verb.translate(_PLAIN) in listed("clause_verbs.txt"):
        raise NotDerivedError(f"with {verb!r}, 'lo' may refer to a whole clause")


def _without_clitic(form: str) -> str:
    """The verb by itself: *ver*, *viéndo* → *viendo*, *míra* → *mira*; refused if there may be a second clitic.

    >>> _without_clitic("viéndo"), _without_clitic("oír"), _without_clitic("ábre")
    ('viendo', 'oír', 'abre')
    """
    plain = form.translate(_PLAIN)
    if is_infinitive(form) or form in listed("short_imperatives.txt"):
        return form
    if is_gerund(plain) and plain != form:
        return plain
    is_imperative = plain != form and plain.endswith(("a", "e", "an", "en"))
    if is_imperative and not plain.endswith(("me", "te", "se")) and not is_infinitive(plain):
        return plain
    raise NotDerivedError(f"{form!r} does not look like a verb with one clitic")


def _dative(place: Place) -> str:
    return prepended("a", place.phrase.text, "es")


def _is_doubled_before(place: Place) -> bool:
    """*A Juan lo vi*: the clause begins with a phrase with *a*."""
    clause = []
    for token in place.preceding:
        if not token.form[0].isalnum() or token.form in listed("conjunctions.txt") | {"pero", "porque", "que"}:
            break
        clause.append(token.form)
    return bool(clause) and clause[-1] in ("a", "al")


def _check_after(place: Place, rest: Sequence[Token]) -> None:
    """Refuse if a subject or a doubled phrase may follow the verb."""
    text = place.text
    for at, word in enumerate(rest):
        if not word.form[0].isalnum():
            break
        partner = rest[at + 1] if at + 1 < len(rest) else None
        is_person = word.form == "al" or (partner is not None and _opens_phrase(partner, text))
        if place.surface in _DATIVE and word.form in ("a", "al") and is_person:
            raise NotDerivedError(f"{place.surface!r} may double '{word.form} …'")
    if place.surface in _DATIVE or not rest or ends_phrase(rest) or rest[0].form == "de":
        return
    if is_participle(rest[0].form) or is_gerund(rest[0].form):
        return
    raise NotDerivedError(f"{rest[0].span.of(text)!r} after the verb may be its subject")


def _opens_phrase(word: Token, text: str) -> bool:
    strong = ("él", "ella", "ellos", "ellas", "usted", "ustedes", "mí", "ti")
    return is_determiner(word.form) or word.form in strong or word.span.of(text)[0].isupper()
