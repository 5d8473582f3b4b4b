"""Possessives: article, possessed phrase, then *de* and the possessor.

"limpou com sua toalha molhada" → "limpou com a toalha molhada de Davi"; "na sua frente" has its article already; "por
sua causa" never has one. Where a language uses the possessive alone ("o seu", "é seu", "um amigo seu"), *de* and the
possessor replace it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.openings import is_title
from winoglot.languages.romance.possessed import PossessedPhrase
from winoglot.languages.romance.words import QUOTES, with_preposition
from winoglot.languages.substitution import joined
from winoglot.schemas.spans import Span

if TYPE_CHECKING:
    from winoglot.languages.base import Substitution
    from winoglot.languages.romance.words import Around

_LONGEST_LOCUTION = 3  # words after the possessive: "sur son trente et un"


def possessive(around: Around) -> Substitution:
    """Place the possessor after the possessed phrase."""
    place, grammar = around.place, around.grammar
    if around.after and is_title(place.surface, around.written(0, 0), grammar.tag):
        raise NotDerivedError(f"{place.surface!r} before a name may be a title")
    if around.next_form in grammar.table("adjectives").words("same"):
        raise NotDerivedError(f"{around.next_form!r} belongs to the possessive")  # "su misma casa"
    owner = with_preposition(grammar.of, place.phrase, grammar)
    fixed = _locution(around, owner)
    if fixed is not None:
        return fixed
    grammar.check_possessive(around)
    marked = place.item.phrase
    has_article = grammar.has_article(around)
    if marked is None and grammar.possessive_alone and (_follows_noun(around) or _stands_alone(around)):
        return _possessor_alone(around, owner, has_article=has_article)
    phrase = PossessedPhrase(around, around.before[has_article:], marked=marked)
    end = around.after[phrase.length - 1].span.end
    touched = Span(place.pronoun.start, end)
    for candidate in place.item.candidates:
        if any(mention.overlaps(touched) for mention in candidate.mentions):
            raise NotDerivedError(f"{touched.of(place.text)!r} names the candidate {candidate.text!r} itself")
    possessed = around.written(0, phrase.length - 1)
    if not has_article:
        possessed = joined(grammar.article(phrase) + " ", possessed, place.language)
    rest = [word.form for word in around.after[phrase.length :]]
    is_subject = grammar.personal_infinitive and around.previous_form in grammar.prepositions
    fuse = has_article or not (is_subject and grammar.opens_infinitive(rest))
    return place.rewrite(touched, owner, rule="possessive", lead=possessed + " ", fuse=fuse)


def after_noun(around: Around) -> Substitution:
    """Replace *suyo* after a noun, an article or *ser* by *de* and the possessor."""
    grammar, last = around.grammar, around.previous_form
    is_apart = grammar.is_closed(last) and last not in grammar.determiners and not grammar.is_adverb(last)
    if is_apart or last in grammar.words("not-before-suyo"):
        raise NotDerivedError(f"{around.place.surface!r} after {last!r} is a separate phrase")
    return around.place.replace(rule="possessive", preposition=around.grammar.of)


def _locution(around: Around, owner: str) -> Substitution | None:
    """Replace a possessive in a locution: *por sua causa* is *por causa de Ana*, *en son nom* is *au nom de Paul*."""
    place, grammar = around.place, around.grammar
    if not around.before:
        return None
    phrases = grammar.table("phrases")
    for length in range(min(_LONGEST_LOCUTION, len(around.after)), 0, -1):
        words = " ".join(word.form for word in around.after[:length])
        locution = f"{around.previous_form} {words}"
        if locution not in phrases or not grammar.ends_phrase(around.at(length).form):
            continue
        if locution in phrases.words("fixed"):
            raise NotDerivedError(f"'{around.previous_form} {place.surface} {words}' is a fixed expression")
        end = around.after[length - 1].span.end
        replacement = phrases.values("instead").get(locution)
        if replacement is not None:
            touched = Span(around.before[0].span.start, end)
            return place.rewrite(touched, owner, rule="possessive", lead=replacement[0] + " ")
        if locution in phrases.words("without-article"):
            lead = around.written(0, length - 1) + " "
            return place.rewrite(Span(place.pronoun.start, end), owner, rule="possessive", lead=lead, fuse=False)
    return None


def _follows_noun(around: Around) -> bool:
    """Whether the possessive belongs to the noun before it, since a verb or nothing follows: *um amigo seu chegou*."""
    grammar, before, following = around.grammar, around.before, around.next_form
    if len(before) < 2 or before[1].form not in grammar.words("possessive-after") or grammar.is_closed(before[0].form):
        return False
    return not following or (grammar.ends_phrase(following) and not grammar.is_noun_too(following))


def _stands_alone(around: Around) -> bool:
    """Whether no noun can follow the possessive: *é seu*, *o seu*."""
    grammar, form = around.grammar, around.next_form
    if not form or (around.after[0].is_punctuation and form not in QUOTES):
        return True
    may_be_noun = grammar.is_noun_too(form) and grammar.can_agree(form, grammar.shown_by(around.place.surface))
    if may_be_noun or form in grammar.prenominals or form in grammar.words("degree") or form in QUOTES:
        return False
    return grammar.is_closed(form) or form in grammar.verbs.third_persons("core")


def _possessor_alone(around: Around, owner: str, *, has_article: bool) -> Substitution:
    """The possessor alone, where no noun follows the possessive: *é seu* → *é de Ana*."""
    grammar, nearest = around.grammar, around.previous_form
    is_verb = grammar.is_finite(nearest) and nearest not in grammar.verbs.third_persons("core")
    if not nearest or (grammar.is_closed(nearest) and not has_article) or is_verb:
        raise NotDerivedError(f"no noun follows {around.place.surface!r}")
    return around.place.rewrite(around.place.pronoun, owner, rule="possessive alone")
