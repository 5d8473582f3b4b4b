"""Pronouns in the position of a noun: subjects, after prepositions, after *que* and *c'est*.

*Il, elle, ils, elles* are simply replaced, *qu'il* and *s'il* are written in full (*que Paul*, *si Paul*). So is *lui*
after a preposition if no infinitive follows (*avec {lui}*), after *c'est*, and at the end of a comparison; before a
verb it is a dative. Not derived: *lui aussi*, *elle-même*, *lui, il*, and *et lui* + verb if both are possible.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.fr.clitics import dative
from winoglot.languages.fr.prepositions import after_preposition, repeated
from winoglot.languages.fr.words import HYPHENS, is_adverb, is_infinitive, is_word, listed, opens_sentence, verb_of
from winoglot.languages.tables import pairs
from winoglot.schemas.spans import Span

if TYPE_CHECKING:
    from winoglot.languages.base import Substitution
    from winoglot.languages.fr.words import Around
    from winoglot.languages.substitution import Place

_EMPHASIS = frozenset({"aussi", "même", "mêmes", "seul", "seule", "seuls", "seules", "tous", "toutes", "deux", "non"})
_DISJUNCTIVE = frozenset({"lui", "eux", "elle", "elles", "moi", "toi"})


def subject_or_stressed(place: Place, around: Around) -> Substitution:
    """*Il, elle, ils, elles, eux*: replace the pronoun by the phrase."""
    _refuse_emphasis(place, around)
    previous = around.previous_form()
    if previous == "," and len(around.before) > 1 and around.before[1].form in _DISJUNCTIVE:
        raise NotDerivedError(f"{place.surface!r} repeats {around.before[1].form!r}")
    if previous in ("que", "qu'") and len(around.before) > 1 and around.before[1].form == "quoi":
        raise NotDerivedError("after 'quoi que' the pronoun may refer to nothing")
    if place.surface in ("elle", "elles", "eux") and previous in listed("prepositions"):
        return _after_preposition(place, around)
    return place.rewrite(place.pronoun, place.phrase.text, rule="subject")


def lui(place: Place, around: Around) -> Substitution:
    """*Lui*: a dative before its verb, otherwise after a preposition, a comparison or *c'est*."""
    _refuse_emphasis(place, around)
    previous, following = around.previous_form(), around.next_form()
    ends = not _is_verbal(following)
    if previous in listed("subjects") or previous in ("ne", "n'", "nous", "vous"):
        return dative(place, around)
    if previous in listed("prepositions"):
        is_gerund = previous == "en" and following.endswith("ant")
        governs = is_gerund or (previous in listed("infinitive_prepositions") and _leads_to_infinitive(around))
        return dative(place, around) if governs else _after_preposition(place, around)
    if previous in ("que", "qu'", "comme", "ni", "et", "ou", "mais") and ends:
        return _masculine(place, "stressed")
    if _follows_copula(around) and ends:
        return _masculine(place, "cleft")
    if following in ("ne", "n'") or (opens_sentence(around) and following in ("et", "ou")):
        return _masculine(place, "subject")
    if is_infinitive(following):
        return dative(place, around)
    if previous in ("et", "ou", "puis"):
        return _coordinated(place, around)
    if following in listed("first_and_second_persons"):
        return dative(place, around)  # "Lui ai répondu."
    if opens_sentence(around) or previous in (",", *listed("connectives")) or ends:
        raise NotDerivedError(f"'lui' may be the subject or the indirect object of {following!r}")
    return dative(place, around)


def _follows_copula(around: Around) -> bool:
    """*C'est {lui}*, *ce n'était pas {lui}*, *c'est donc forcément {lui}*."""
    before = [token.form for token in around.before[:6]]
    close = [form for form in before[:3] if form not in listed("negations")]
    if close and verb_of(close[0]) == "être":
        return True
    while before and (is_adverb(before[0]) or before[0] in listed("negations")):
        before = before[1:]
    is_cleft = any(form in ("ce", "c'") for form in before[1:3])
    return bool(before) and verb_of(before[0]) == "être" and is_cleft


def _coordinated(place: Place, around: Around) -> Substitution:
    """*Elle l'appelle et {lui} tend la main*: a dative if it is a verb of giving or saying."""
    words = [token.form for token in around.after[:5]]
    main = next((word for word in words if verb_of(word) not in ("avoir", "être")), "")
    is_compound = verb_of(words[0]) in ("avoir", "être") if words else False
    verb = main if not is_compound else next((w for w in words if w in pairs("fr", "dative_verbs.txt")), "")
    if verb in pairs("fr", "dative_verbs.txt"):
        return dative(place, around)
    raise NotDerivedError(f"'lui' may be the subject or the indirect object of {main!r}")


def _after_preposition(place: Place, around: Around) -> Substitution:
    previous = around.before[0]
    if place.surface == "lui":
        _refuse_feminine(place)
    if previous.form == "entre" and len(around.before) > 1 and around.before[1].form == "d'":
        if place.phrase.is_name:
            raise NotDerivedError("'d'entre' cannot come before a name")
        touched = Span(around.before[1].span.start, place.pronoun.end)  # "deux d'entre eux" → "deux des voisins"
        return place.rewrite(touched, after_preposition("de", place.phrase), rule="preposition")
    form = {"d'": "de"}.get(previous.form, previous.form)
    phrase = repeated(form, place.phrase) if form in ("de", "à") else place.phrase.text
    return place.rewrite(place.pronoun, phrase, rule="preposition")


def _masculine(place: Place, rule: str) -> Substitution:
    _refuse_feminine(place)
    return place.rewrite(place.pronoun, place.phrase.text, rule=rule)


def _refuse_feminine(place: Place) -> None:
    gender = place.phrase.traits.gender
    if gender.value == "feminine":
        raise NotDerivedError(f"gender differs: masculine: stressed 'lui'; {gender}")


def _refuse_emphasis(place: Place, around: Around) -> None:
    after = around.after
    if around.previous_form() == "," and not is_word(around.next_form()):
        raise NotDerivedError(f"{place.surface!r} is set apart and repeats the subject")
    has_hyphen = len(after) > 1 and after[0].form in HYPHENS and after[0].span.start == place.pronoun.end
    following = after[1].form if has_hyphen else around.next_form()
    if following == "non" and not (len(after) > 1 and after[1].form == "plus"):
        return
    if following in _EMPHASIS:
        raise NotDerivedError(f"{place.surface!r} is emphasised by {following!r}")


def _leads_to_infinitive(around: Around) -> bool:
    """Whether an infinitive follows, possibly after another clitic."""
    forms = [token.form for token in around.after[:2]]
    if forms and forms[0] in ("en", "y"):
        forms = forms[1:]
    return bool(forms) and is_infinitive(forms[0])


def _is_verbal(form: str) -> bool:
    """Whether it may be the verb of *lui*: not punctuation, not a function word."""
    if not is_word(form):
        return False
    small = (
        listed("connectives") | listed("relatives") | listed("prepositions") | listed("determiners") | listed("adverbs")
    )
    return verb_of(form) is not None or form not in small
