"""Whether an unspoken subject agrees with its verb, and with the participle or adjective after *essere*.

Italian subjects are rarely spoken, so that these endings are what shows the referent: *Anna salutò Luca perché {} era
stanca* is only about Anna.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.it.grammar import ITALIAN

if TYPE_CHECKING:
    from winoglot.languages.substitution import Place


def check_subject(place: Place) -> None:
    """Raise NotDerivedError if no finite verb follows the mark, or one that does not agree with the candidate."""
    before = place.preceding[0].form if place.preceding else ""
    if before in ITALIAN.prepositions:
        raise NotDerivedError(f"after {before!r} there is no finite verb")
    preverbal = ITALIAN.small("preverbal")
    words = [token.form for token in place.following if token.form not in preverbal]
    verb = words[0] if words else ""
    if ITALIAN.is_infinitive(verb) or ITALIAN.is_gerund(verb):
        raise NotDerivedError(f"{verb!r} has no subject of its own")
    _check(place, verb, number=_number_of(verb))
    if verb not in ITALIAN.verbs.forms_of("linking"):
        return
    rest = [form for form in words[1:6] if not ITALIAN.is_adverb(form)]
    if rest and rest[0] in ITALIAN.verbs.forms("essere"):
        rest = rest[1:]  # "era stata invitata"
    if rest:
        shown = ITALIAN.agreement_of(rest[0])
        number = None if shown.is_plural is None else "plural" if shown.is_plural else "singular"
        _check(place, rest[0], gender=shown.gender, number=number)


def _number_of(verb: str) -> str | None:
    """Third persons end in *-no* and *-ro* in the plural alone."""
    if verb == "sono" or verb not in ITALIAN.verbs.third_persons("clear"):
        return None
    return "plural" if verb.endswith(("no", "ro")) else "singular"


def _check(place: Place, word: str, *, gender: str | None = None, number: str | None = None) -> None:
    traits = place.phrase.traits
    for own, other in ((traits.gender.value, gender), (traits.number.value, number)):
        if own and other and own not in (other, "common"):
            raise NotDerivedError(f"{word!r} is {other}, {place.phrase.text!r} is {own}")
