"""Whether a candidate agrees with a verb, and with the participle or adjective after it.

Italian subjects are rarely spoken, so that these endings are what shows the referent: *Anna salutò Luca perché {} era
stanca* is only about Anna, and so is *l'ha vista*.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.it.grammar import ITALIAN
from winoglot.languages.names import name_gender
from winoglot.languages.romance.grammar import Inflection

if TYPE_CHECKING:
    from winoglot.languages.substitution import Phrase, Place


def check_pronoun(place: Place) -> None:
    """Raise NotDerivedError if the pronoun's gender is not that of an Italian name, which other lists may give both."""
    shown = ITALIAN.table("pronouns").features().get(place.surface)
    if shown is not None:
        check(place.phrase, place.surface, Inflection(shown.gender))


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
    check(place.phrase, verb, Inflection(None, _is_plural(verb)))
    if verb not in ITALIAN.verbs.forms_of("linking"):
        return
    rest = [form for form in words[1:6] if not ITALIAN.is_adverb(form)]
    if rest and rest[0] in ITALIAN.verbs.forms("essere"):
        rest = rest[1:]  # "era stata invitata"
    if rest:
        check(place.phrase, rest[0], ITALIAN.agreement_of(rest[0]))


def _is_plural(verb: str) -> bool | None:
    """Third persons end in *-no* and *-ro* in the plural alone."""
    if verb == "sono" or verb not in ITALIAN.verbs.third_persons("clear"):
        return None
    return verb.endswith(("no", "ro"))


def check(phrase: Phrase, word: str, shown: Inflection) -> None:
    """Raise NotDerivedError if a word of the predicate does not agree with the candidate."""
    number = None if shown.is_plural is None else "plural" if shown.is_plural else "singular"
    for own, other in ((gender_of(phrase), shown.gender), (phrase.traits.number.value, number)):
        if own and other and own not in (other, "common"):
            raise NotDerivedError(f"{word!r} is {other}, {phrase.text!r} is {own}")


def gender_of(phrase: Phrase) -> str | None:
    """The candidate's gender; that of a name is the Italian one, whatever *Luca* and *Simone* are elsewhere."""
    own = name_gender(phrase.noun, "it").value if phrase.is_name else None
    return own or phrase.traits.gender.value
