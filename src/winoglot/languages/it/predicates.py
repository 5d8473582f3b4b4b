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
    features = ITALIAN.table("pronouns").features().get(place.surface)
    if features is not None:
        check(place.phrase, place.surface, Inflection(features.gender))


def check_subject(place: Place) -> None:
    """Raise NotDerivedError if no finite verb follows the mark, or one that does not agree with the candidate."""
    before = place.preceding[0].form if place.preceding else ""
    if before in ITALIAN.prepositions:
        raise NotDerivedError(f"after {before!r} there is no finite verb")
    preverbal = ITALIAN.words("preverbal")
    words = [token.form for token in place.following if token.form not in preverbal]
    verb = words[0] if words else ""
    if ITALIAN.is_infinitive(verb) or ITALIAN.is_gerund(verb):
        raise NotDerivedError(f"{verb!r} has no subject of its own")
    _check_personal([token.form for token in place.following], words)
    check(place.phrase, verb, Inflection(None, _is_plural(verb)))
    if verb not in ITALIAN.verbs.forms_of("linking"):
        return
    rest = [form for form in words[1:6] if not ITALIAN.is_adverb(form)]
    if rest and rest[0] in ITALIAN.verbs.forms("essere"):
        rest = rest[1:]  # "era stata invitata"
    if rest:
        check(place.phrase, rest[0], ITALIAN.agreement_of(rest[0]))


def _check_personal(following: list[str], words: list[str]) -> None:
    """Refuse what has no subject, or a clause as its subject: *pioveva*, *c'era*, *era tardi*, *è chiaro che*."""
    verb = words[0] if words else ""
    rest = [form for form in words[1:6] if form not in ITALIAN.words("degree")]
    state, after = [*rest, "", ""][:2]
    is_being = verb in ITALIAN.verbs.forms("essere")
    has_none = verb in ITALIAN.verbs.forms_of("impersonal") or (is_being and following[0] in ("c'", "ci", "v'", "vi"))
    is_adjective = ITALIAN.is_listed_adjective(state)  # "il tè era freddo", but "faceva freddo"
    is_time = (is_being and not is_adjective) or verb in ITALIAN.verbs.forms("fare")
    is_time = is_time and state in ITALIAN.words("impersonal")
    is_clause = is_being and is_adjective and (after == "che" or ITALIAN.is_infinitive(after))
    if has_none or (is_time and ITALIAN.is_closed(after or ".")) or is_clause:
        raise NotDerivedError(f"{verb!r} may have no subject")


def _is_plural(verb: str) -> bool | None:
    """Whether a third person is plural: *-no* and *-ro* end the plural alone; None if the form is not listed."""
    if verb == "sono" or verb not in ITALIAN.verbs.third_persons("clear"):
        return None
    return verb.endswith(("no", "ro"))


def check(phrase: Phrase, word: str, inflection: Inflection) -> None:
    """Raise NotDerivedError if a word of the predicate does not agree with the candidate."""
    number = None if inflection.is_plural is None else "plural" if inflection.is_plural else "singular"
    for phrase_value, word_value in ((gender_of(phrase), inflection.gender), (phrase.traits.number.value, number)):
        if phrase_value and word_value and phrase_value not in (word_value, "common"):
            raise NotDerivedError(f"{word!r} is {word_value}, {phrase.text!r} is {phrase_value}")


def gender_of(phrase: Phrase) -> str | None:
    """The candidate's gender; that of a name is the Italian one, even if *Luca* and *Simone* differ elsewhere."""
    name_value = name_gender(phrase.noun, "it").value if phrase.is_name else None
    return name_value or phrase.traits.gender.value
