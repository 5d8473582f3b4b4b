"""Unstressed pronouns: *lo, la, l', li, le* as direct objects, *gli, le, loro* as recipients.

The pronoun is removed and the noun follows the verb (*{lo} vede* → *vede lo zio*, *veder{lo}* → *vedere lo zio*); a
participle that agreed with the pronoun no longer does (*l'ha vista* → *ha visto Anna*). A recipient follows the object
with *a* (*{le} diede un fiore.* → *diede un fiore ad Anna.*), and only after verbs that are listed with one. Not
derived: clusters (*glielo*, *me lo*), a verb that its subject may follow (*{lo} vide il guardiano*), *lo* for a
predicate or a clause.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError, function_words
from winoglot.languages.it.grammar import ITALIAN
from winoglot.languages.romance import clitics
from winoglot.languages.romance.after_verb import check_no_subject, check_not_doubled, object_end, with_verb
from winoglot.languages.romance.predicates import check, gender_of
from winoglot.languages.romance.words import END, with_preposition
from winoglot.schemas.spans import Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.languages.base import Substitution
    from winoglot.languages.romance.words import Around
    from winoglot.languages.substitution import Token

_STRONG = ("lui", "lei", "loro")
_SHOWING = ("vedere", "sapere", "capire", "conoscere", "leggere", "assaggiare", "provare", "sentire")


def accusative(around: Around) -> Substitution:
    """Place the noun after the verb that the clitic belongs to."""
    words = _verb(around)
    last = clitics.verb_end(words, ITALIAN)
    words = _shortened(around, words, last)
    clitics.check_object(around, words, last)
    changed = _without_agreement(around, words, last)
    last = _with_adverbs(words, last + with_verb(words, last, ITALIAN))
    check_no_subject(around, words, last)
    rule = "enclitic" if clitics.is_attached(around) else "proclitic"
    return clitics.with_noun_after(around, words, last, around.place.phrase.text, rule=rule, changed=changed)


def dative(around: Around) -> Substitution:
    """*A* and the noun follow the verb and its object."""
    place = around.place
    if place.surface == "gli" and (gender_of(place.phrase), _number(around)) == ("feminine", "singular"):
        raise NotDerivedError("'gli' cannot refer to one woman")
    if around.next_form == "si":
        return _with_si(around)
    words = _verb(around)
    last = clitics.verb_end(words, ITALIAN)
    words = _shortened(around, words, last)
    check_not_doubled(around, words, last, _STRONG)
    is_concerning = words[last].form in ITALIAN.verbs.forms_of("concerning")
    if is_concerning and not clitics.is_attached(around) and _opens_clause(around):
        return _before_verb(around)
    following = words[last + 1].form if last + 1 < len(words) else ""
    if "a" in ITALIAN.table("function_words").values("governing").get(following, ()):
        last += 1  # "gli corse incontro"
    else:
        _check_recipient(words, last)
        last = _with_adverbs(words, last + with_verb(words, last, ITALIAN))
        last = object_end(around, words, last)
    return clitics.with_noun_after(around, words, last, with_preposition("a", place.phrase, ITALIAN), rule="dative")


def _with_si(around: Around) -> Substitution:
    """Before the verb if its subject follows: *{gli} si era rotta la macchina*; else after it: *{gli} si avvicinò*."""
    words = around.after
    last = 1 + clitics.verb_end(words[1:], ITALIAN)
    check_not_doubled(around, words, last, _STRONG)
    if words[last + 1 : last + 2] and words[last + 1].form in ITALIAN.determiners:
        if not _opens_clause(around):
            raise NotDerivedError(f"{words[last + 1].form!r} after the verb may open its subject")
        return _before_verb(around)
    recipient = with_preposition("a", around.place.phrase, ITALIAN)
    return clitics.with_noun_after(around, words, _with_adverbs(words, last), recipient, rule="dative")


def _opens_clause(around: Around) -> bool:
    before = around.before[around.previous_form == "non" :]
    return not before or before[0].is_punctuation or before[0].form in ITALIAN.words("light") - ITALIAN.prepositions


def _before_verb(around: Around) -> Substitution:
    """The person concerned before the verb of a clause that the pronoun opens: *non {gli} manca nulla*."""
    place = around.place
    is_negated = around.previous_form == "non"
    start = around.before[0].span.start if is_negated else place.pronoun.start
    recipient = with_preposition("a", place.phrase, ITALIAN)
    touched = Span(start, place.pronoun.end)
    return place.rewrite(touched, recipient, rule="dative", trail=" non" * is_negated)


def le(around: Around) -> Substitution:
    """Replace *le*: a recipient if the candidate is singular, a direct object if it is plural."""
    number = _number(around)
    if number is None:
        raise NotDerivedError("'le' may be a direct object or a recipient, since the candidate's number is unknown")
    words = _verb(around)
    last = clitics.verb_end(words, ITALIAN)
    if number == "plural":
        if any(words[last].form in ITALIAN.verbs.forms_of(kind) for kind in ("dative", "concerning")):
            raise NotDerivedError(f"{words[last].form!r} has no direct object, so 'le' must mean one woman")
        return accusative(around)
    contractions = function_words("it").contractions
    if last + 1 < len(words) and contractions.get(words[last + 1].form, ("",))[0] == "a":
        raise NotDerivedError(f"'le' may be a direct object, since {words[last + 1].form!r} follows the verb")
    return dative(around)


def loro(around: Around) -> Substitution:
    """*Disse {loro}* → *disse ai nonni*: a recipient after its verb."""
    return around.place.rewrite(
        around.place.pronoun, with_preposition("a", around.place.phrase, ITALIAN), rule="dative"
    )


def _with_adverbs(words: Sequence[Token], last: int) -> int:
    """The last short adverb after a verb: *{lo} loda sempre* → *loda sempre Luca*; but not in *{lo} vide più magro*."""
    forms = [word.form for word in words] + ["."]
    while forms[last + 1] in ITALIAN.words("short-adverb") and ITALIAN.ends_phrase(forms[last + 2]):
        last += 1
    return last


def _number(around: Around) -> str | None:
    """The candidate's number; a coordination of names is plural."""
    phrase = around.place.phrase
    joined = any(word in ITALIAN.words("coordinator") for word in phrase.noun.split())
    if phrase.traits.number.value or not phrase.is_name:
        return phrase.traits.number.value
    return "plural" if joined else "singular"


def _verb(around: Around) -> tuple[Token, ...]:
    """The verb that the clitic belongs to, and the words after it; an article is refused."""
    words, form, surface = clitics.verb_of(around), around.next_form, around.place.surface
    if clitics.is_attached(around):
        return words
    if around.previous_form in ("se", "s'") and not _is_if(around):
        raise NotDerivedError(f"{surface!r} may be part of a cluster of clitics, with {around.previous_form!r}")
    is_described = (ITALIAN.is_listed_adjective(form) or form in ITALIAN.prenominals) and not ITALIAN.is_finite(form)
    is_described = is_described and form not in ITALIAN.table("adjectives").words("verb-too")
    is_after_preposition = around.previous_form in ITALIAN.prepositions and not ITALIAN.is_adverb(around.previous_form)
    if is_after_preposition or is_described or ITALIAN.is_infinitive(form):
        raise NotDerivedError(f"{surface!r} may be the article of {form!r}")
    return words


def _shortened(around: Around, words: tuple[Token, ...], last: int) -> tuple[Token, ...]:
    """An infinitive keeps its short form before another part of the predicate: *aver{lo} visto* → *aver visto*."""
    return (around.before[0], *words[1:]) if last and clitics.is_attached(around) else words


def _is_if(around: Around) -> bool:
    """Whether *se* is "if": it opens a sentence, or follows a comma or *anche*."""
    before = around.before[1] if len(around.before) > 1 else END
    return before.is_punctuation or before.form in ("anche", "come", "neanche", "nemmeno", "chiese", "sapeva")


def _without_agreement(around: Around, words: Sequence[Token], last: int) -> dict[Token, str]:
    """The participles after *avere* as they are before an object: *vista* → *visto*."""
    if words[0].form not in ITALIAN.verbs.forms("avere"):
        return {}
    text, changed = around.place.text, {}
    for word in words[1 : last + 1]:
        is_participle = ITALIAN.is_participle(word.form) or word.form in ITALIAN.lookalikes("participle")
        if not is_participle or ITALIAN.is_adverb(word.form):
            continue
        if not word.form.endswith("o") or around.place.surface in ("lo", "l'"):  # "li ho visto" shows nothing
            check(around.place.phrase, word.form, ITALIAN.shown_by_ending(word.form))
        surface = word.span.of(text)
        changed[word] = surface[:-1] + ("O" if surface.isupper() else "o")
    return changed


def _check_recipient(words: Sequence[Token], last: int) -> None:
    """Refuse a verb that is not listed with a recipient and has no object, and *gli piace il gelato*.

    Of these, a subject follows the one, and *le* may be the object of the other.
    """
    verb = words[last].form
    if verb in ITALIAN.verbs.forms_of("giving"):
        return
    first = words[0].form
    if last and first in ITALIAN.verbs.forms("fare") and verb in _SHOWING:
        return  # "gli fece vedere la foto"
    following = words[last + 1] if last + 1 < len(words) else None
    if verb not in ITALIAN.verbs.forms_of("concerning"):
        if following and following.form in ITALIAN.determiners:
            return  # "gli ha morso la coda"
        raise NotDerivedError(f"{verb!r} is not listed as a verb with a recipient")
    if following and not following.is_punctuation and not _is_apart(following.form):
        raise NotDerivedError(f"{following.form!r} after {verb!r} may open its subject")


def _is_apart(form: str) -> bool:
    """Whether the word opens something else than a subject."""
    joins = ("coordinator", "subordinator", "preposition", "of")
    return ITALIAN.is_adverb(form) or any(form in ITALIAN.words(feature) for feature in joins)
