"""*Ele, ela, eles, elas* and their contractions with *de* and *em*.

As subject, after a preposition or as a colloquial object, the candidate simply replaces the pronoun. A preposition
contracts with its article ("a ela" → "à tia", "pra ele" → "pro tio"), but not if the pronoun is the subject of an
infinitive: "antes de ele sair" → "antes de o tio sair".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError, Substitution
from winoglot.languages.pt.conjugation import forms_of
from winoglot.languages.pt.phrase import with_preposition
from winoglot.languages.pt.verbs import is_infinitive, opens_infinitive
from winoglot.languages.pt.words import Word, is_closed, is_preposition, listed, words_in
from winoglot.languages.substitution import fused
from winoglot.schemas.spans import Span

if TYPE_CHECKING:
    from winoglot.languages.substitution import Place

_ELIDED = {"d'": "de", "n'": "em"}
_CONTRACTING = ("de", "em", "a", "por")


def personal(place: Place) -> Substitution:
    """*Ele, ela, eles, elas*."""
    before = words_in(place.text, 0, place.pronoun.start)[::-1]
    after = words_in(place.text, place.pronoun.end, len(place.text))
    nearest = before[0].form if before else ""
    _check_quantified(place, nearest, after)
    if nearest in _ELIDED:
        touched = Span(before[0].span.start, place.pronoun.end)
        return place.rewrite(touched, with_preposition(_ELIDED[nearest], place.phrase), rule="preposition")
    if nearest in ("de", "em") or (nearest in ("por", "a") and opens_infinitive(after)):
        return place.replace(rule="subject of infinitive", fuse=False)
    if nearest == "pra":
        return _spoken(place, before[0])
    if nearest in _CONTRACTING:
        touched = Span(before[0].span.start, place.pronoun.end)
        return place.rewrite(touched, with_preposition(nearest, place.phrase), rule="preposition")
    if is_preposition(nearest):
        return place.replace(rule="subject of infinitive" if opens_infinitive(after) else "preposition")
    return place.replace(rule="object" if _is_object(before, after) else "subject")


def of_or_in(place: Place, preposition: str) -> Substitution:
    """*Dele*, *nele* and the like: the preposition and the candidate."""
    before = words_in(place.text, 0, place.pronoun.start)[::-1]
    after = words_in(place.text, place.pronoun.end, len(place.text))
    nearest = before[0].form if before else ""
    if preposition == "de" and not place.phrase.is_name and place.surface.endswith("s"):
        if nearest in listed("quantities.txt") and not _governs_de(before):
            return place.rewrite(place.pronoun, place.phrase.noun, rule="quantity", fuse=False)
        if nearest in listed("measures.txt"):
            return place.rewrite(place.pronoun, f"de {place.phrase.noun}", rule="quantity", fuse=False)
    if preposition == "de" and nearest in listed("infinitive_heads.txt") and opens_infinitive(after):
        return place.rewrite(place.pronoun, f"de {place.phrase.text}", rule="subject of infinitive", fuse=False)
    return place.rewrite(place.pronoun, with_preposition(preposition, place.phrase), rule="preposition")


def _spoken(place: Place, preposition: Word) -> Substitution:
    """*Pra ele* → *pro tio*; *pra ela* → *pra tia*; before a name without article it does not change."""
    left, inserted = fused("para ", place.phrase.text, place.language, optional=True)
    if left:
        return place.replace(rule="preposition", fuse=False)
    return place.rewrite(Span(preposition.span.start, place.pronoun.end), inserted, rule="preposition", fuse=False)


def _governs_de(before: tuple[Word, ...]) -> bool:
    """*Gosta mais deles*: the verb takes *de*, so *mais* is not a quantity."""
    return len(before) > 1 and before[1].form in forms_of("verbs_of_de.txt")


def _check_quantified(place: Place, nearest: str, after: tuple[Word, ...]) -> None:
    following = after[0].form if after else ""
    if following in ("ambos", "ambas", "dois", "duas", "três", "quatro", "cinco"):
        raise NotDerivedError(f"{following!r} belongs to the pronoun and would come before a noun")
    if nearest in ("todos", "todas", "ambos", "ambas") and not place.phrase.determiner:
        raise NotDerivedError(f"{nearest!r} cannot come before a name")


def _is_object(before: tuple[Word, ...], after: tuple[Word, ...]) -> bool:
    """After a verb and before the end of the clause: "cercamos eles"."""
    if not before or is_closed(before[0]) or before[0].is_capital:
        return False
    return not after or after[0].is_sign or is_preposition(after[0].form) or is_infinitive(before[0].form)
