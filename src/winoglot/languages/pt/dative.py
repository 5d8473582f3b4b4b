"""*Lhe, lhes*: *a* and the noun behind a verb that wants a person: "disse-lhe que" → "disse ao tio que".

Before an object (*roubou-lhe a carteira*) it may say whose the thing is, and nothing is derived.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError, Substitution
from winoglot.languages.pt.clitic import before_verb, behind, hangs, host_of, verb_after
from winoglot.languages.pt.conjugation import forms_of
from winoglot.languages.pt.landing import landing
from winoglot.languages.pt.phrase import with_preposition
from winoglot.languages.pt.words import Word, is_closed, listed, words_in

if TYPE_CHECKING:
    from winoglot.languages.place import Place


def dative(place: Place) -> Substitution:
    """Put the person behind the verb that wants it."""
    person = with_preposition("a", place.phrase)
    if hangs(place):
        host, verb = host_of(place)
        rest = words_in(place.text, place.pronoun.end, len(place.text))
        words = (Word(verb, host, is_capital=False), *rest)
        _check(words, landing(words))
        return behind(place, host, verb, person, rule="dative")
    words = verb_after(place)
    last = landing(words)
    _check(words, last)
    return before_verb(place, words, last, person, rule="dative")


def _check(words: tuple[Word, ...], last: int) -> None:
    verb = words[last].form
    if verb not in forms_of("dative_verbs.txt"):
        raise NotDerivedError(f"{verb!r} is not known to want a person with 'a'")
    following = words[last + 1] if last + 1 < len(words) else None
    if following is None or following.is_sign or following.form in listed("dative_followers.txt"):
        return
    if is_closed(following) and following.form.endswith("mente"):
        return
    raise NotDerivedError(f"{following.form!r} follows the verb: 'lhe' may say whose it is")
