"""*Lhe, lhes*: *a* and the noun after a verb with a person as indirect object: "disse-lhe que" → "disse ao tio que".

Verbs of giving and saying may have an object as well: "deu-lhe o livro da Ana" → "deu ao tio o livro da Ana". With
others (*roubou-lhe a carteira*) it may be the owner, and nothing is derived.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError, Substitution
from winoglot.languages.pt.clitic import before_verb, behind, from_host, hangs, host_of, verb_after
from winoglot.languages.pt.conjugation import forms_of
from winoglot.languages.pt.landing import landing
from winoglot.languages.pt.phrase import with_preposition
from winoglot.languages.pt.verbs import is_infinitive
from winoglot.languages.pt.words import Word, determiners, is_closed, listed

if TYPE_CHECKING:
    from winoglot.languages.substitution import Place

_SIGNS = (".", "!", "?", ";", ":", "…")
_AFTER_OBJECT = (*_SIGNS, "porque", "pois", "quando", "enquanto", "mas", "embora", "porém")


def dative(place: Place) -> Substitution:
    """Place the person after its verb."""
    person = with_preposition("a", place.phrase)
    if hangs(place):
        words = from_host(place, *host_of(place))
        return behind(place, words, _landing(words), person, rule="dative")
    words = verb_after(place)
    return before_verb(place, words, _landing(words), person, rule="dative")


def _landing(words: tuple[Word, ...]) -> int:
    """The index of the word after which the person is placed: the verb, or a short object of a verb of giving."""
    last = landing(words)
    short = _short_object(words, last) if words[last].form in forms_of("recipient_verbs.txt") else last
    if short != last:
        return short
    _check(words, last)
    adverb, after = ["", "", *(word.form for word in words[last + 1 : last + 3])][-2:]
    return last + (adverb in listed("degree_adverbs.txt") and after in _SIGNS)  # "agradou muito ao tio."


def _short_object(words: tuple[Word, ...], last: int) -> int:
    """The index of the last word of a one-word object with its determiner, if nothing more can belong to it.

    "deu-lhe tudo", "deu-lhe razão.", "deu-lhe o mapa." → "deu tudo ao tio", "deu razão ao tio.", "deu o mapa ao tio."
    """
    forms = [word.form for word in words[last + 1 : last + 3]]
    if forms and forms[0] in listed("object_pronouns.txt"):
        return last if len(forms) == 2 and _goes_on(words[last + 2]) else last + 1
    noun = last + 1 + (len(forms) == 2 and forms[0] in determiners())
    if noun + 1 >= len(words) or is_closed(words[noun]) or words[noun].is_capital or is_infinitive(words[noun].form):
        return last
    return noun if words[noun + 1].form in _AFTER_OBJECT else last


def _goes_on(word: Word) -> bool:
    """Whether it belongs to *tudo* or *nada* before it: "tudo o que sabia", "nada de novo", "nada bom"."""
    is_partner = word.form in ("que", "mesmo", "mais", "menos")
    return is_partner or not is_closed(word) or word.form in determiners() | listed("de_forms.txt")


def _check(words: tuple[Word, ...], last: int) -> None:
    verb = words[last].form
    has_recipient = verb in forms_of("recipient_verbs.txt")
    if not has_recipient and verb not in forms_of("dative_verbs.txt"):
        raise NotDerivedError(f"with {verb!r}, 'lhe' may mean 'to', 'from' or 'of' the person")
    following = words[last + 1] if last + 1 < len(words) else None
    if following is None or following.is_sign:
        return
    if following.form in ("a", "ao") and _is_person(words[last + 2 : last + 3]):
        raise NotDerivedError(f"'lhe' may double {following.form!r} and the person that follows")
    if following.form in listed("dative_followers.txt") or (has_recipient and following.form in determiners()):
        return
    if is_closed(following) and following.form.endswith("mente"):
        return
    if has_recipient:
        raise NotDerivedError(
            f"it is unclear where the object of {verb!r} ends, after which the person would be placed"
        )
    raise NotDerivedError(f"with {verb!r} before {following.form!r}, 'lhe' may mean 'to' or 'of' the person")


def _is_person(words: tuple[Word, ...]) -> bool:
    """*Deu-lhe a ele*, *deu-lhe a Maria*."""
    return any(word.is_capital or word.form in ("ele", "ela", "eles", "elas") for word in words)
