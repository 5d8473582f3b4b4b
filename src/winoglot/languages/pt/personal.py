"""*Ele, ela, eles, elas* and their contractions with *de* and *em*.

A preposition contracts with the article ("a ela" → "à tia", "pra ele" → "pro tio"), but not if the pronoun is the
subject of an infinitive: "antes de ele sair" → "antes de o tio sair".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.phrases import definite_article, is_definite
from winoglot.languages.romance import pronouns
from winoglot.languages.romance.phrases import with_preposition
from winoglot.languages.substitution import fused
from winoglot.schemas.spans import Span

if TYPE_CHECKING:
    from winoglot.languages.base import Substitution
    from winoglot.languages.romance.words import Around

_ELIDED = {"d'": "de", "n'": "em"}


def personal(around: Around) -> Substitution:
    """*Ele, ela, eles, elas*."""
    place, grammar, nearest = around.place, around.grammar, around.previous_form
    if around.next_form in ("próprio", "própria", "próprios", "próprias"):
        return _in_person(around)
    bound = pronouns.with_bound_word(around)
    if bound is not None:
        return bound
    if nearest in _ELIDED:
        touched = Span(around.before[0].span.start, place.pronoun.end)
        return place.rewrite(touched, with_preposition(_ELIDED[nearest], place.phrase, grammar), rule="preposition")
    opens_infinitive = grammar.opens_infinitive([word.form for word in around.after])
    if nearest in ("de", "em") or (nearest in ("por", "a") and opens_infinitive):
        return place.replace(rule="subject of infinitive", fuse=False)
    if nearest == "pra":
        return _spoken(around)
    if nearest in grammar.prepositions and opens_infinitive:
        return place.replace(rule="subject of infinitive")
    return pronouns.personal(around)


def of_or_in(around: Around, preposition: str) -> Substitution:
    """*Dele*, *nele* and the like: the preposition and the candidate."""
    place, grammar, nearest = around.place, around.grammar, around.previous_form
    opens_infinitive = grammar.opens_infinitive([word.form for word in around.after])
    if preposition == "de" and not place.phrase.is_name and place.surface.endswith("s"):
        governs_de = len(around.before) > 1 and around.before[1].form in grammar.verbs.forms_of("governing:de")
        if nearest in grammar.small("quantity") and not governs_de:  # "gosta mais deles"
            return place.rewrite(place.pronoun, place.phrase.noun, rule="quantity", fuse=False)
        if nearest in grammar.prenominals and around.before[1:] and is_definite(around.before[1].form, "pt"):
            return place.rewrite(place.pronoun, place.phrase.noun, rule="quantity", fuse=False)  # "os dois deles"
        if nearest in grammar.small("measure"):
            return place.rewrite(place.pronoun, f"de {place.phrase.noun}", rule="quantity", fuse=False)
    if preposition == "de" and nearest in grammar.table("nouns").words("infinitive-head") and opens_infinitive:
        return place.rewrite(place.pronoun, f"de {place.phrase.text}", rule="subject of infinitive", fuse=False)
    inserted = with_preposition(preposition, place.phrase, grammar)
    return place.rewrite(place.pronoun, inserted, rule="preposition")


def _in_person(around: Around) -> Substitution:
    """*Ela própria* → *a própria Lia*, *a própria tia*."""
    place, phrase, word = around.place, around.place.phrase, around.next_form
    number = "plural" if word.endswith("s") else "singular"
    article = phrase.determiner or definite_article("feminine" if "a" in word else "masculine", number, "pt")
    if not is_definite(article or "", "pt") or around.previous_form in around.grammar.prepositions:
        raise NotDerivedError(f"{word!r} belongs to the pronoun and would come before a noun")
    touched = Span(place.pronoun.start, around.after[0].span.end)
    return place.rewrite(touched, f"{article} {word} {phrase.noun}", rule="in person")


def _spoken(around: Around) -> Substitution:
    """*Pra ele* → *pro tio*; *pra ela* → *pra tia*; before a name without article it does not change."""
    place = around.place
    left, inserted = fused("para ", place.phrase.text, place.language, optional=True)
    if left:
        return place.replace(rule="preposition", fuse=False)
    touched = Span(around.before[0].span.start, place.pronoun.end)
    return place.rewrite(touched, inserted, rule="preposition", fuse=False)
