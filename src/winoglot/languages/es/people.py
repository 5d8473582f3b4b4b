"""The personal *a* before an object: *vio a Juan*, *vio al tío*, but *vio el tren*.

Nothing is guessed: animacy is stated by the author, shown by the lists of names and nouns, or by a verb that takes only
people (*saludar*) or only things (*abrir*) as its object. Animals that the text has mentioned take *a* too. Names in a
text about people are people: *Rosa y Luis*.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from unicodedata import normalize

from winoglot.languages.base import NotDerivedError
from winoglot.languages.es.grammar import SPANISH
from winoglot.languages.names import name_gender
from winoglot.languages.openings import split
from winoglot.languages.romance.words import joints
from winoglot.languages.substitution import prepended
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.languages.slots import Slot
    from winoglot.languages.substitution import Phrase, Place


def as_object(place: Place, verb: str) -> str:
    """The phrase as the direct object of a verb: *al tío*, *el tren*, *a Rosa y a Luis*."""
    animate = is_animate(place.phrase)
    if animate is None:
        animate = _is_among_people(place) if place.phrase.is_name else _is_beside_person(place)
    if animate is None:
        animate = _shown_by_verb(verb)
    if animate is None:
        noun = place.phrase.noun
        raise NotDerivedError(
            f"cannot tell whether {noun!r} is a person and takes 'a' as an object: state its 'features'"
        )
    return with_a(place.phrase) if animate else place.phrase.text


def with_a(phrase: Phrase) -> str:
    """The phrase with *a*, before each part of a coordination."""
    parts = joints(SPANISH).split(phrase.text)
    return "".join(part if index % 2 else prepended("a", part, phrase.language) for index, part in enumerate(parts))


def is_animate(phrase: Phrase) -> bool | None:
    """Whether the phrase is a person or an animal; None if that is unknown."""
    animacy = phrase.traits.animacy.value
    if animacy:
        return animacy != "thing"
    parts = [_is_animate(part, phrase) for part in joints(SPANISH).split(phrase.text)[::2]]
    return parts[0] if len(set(parts)) == 1 else None


def _is_animate(part: str, phrase: Phrase) -> bool | None:
    """Whether a part of a coordination is a person or an animal; None if that is unknown."""
    noun = split(part, phrase.language)[1] or part
    first = noun.partition(" ")[0]
    if first[:1].isupper():
        is_titled = SPANISH.animacy_of(folded(first)) == "human" and " " in noun
        return True if is_titled or name_gender(first, "es", widely=True).value else None
    animacy = SPANISH.animacy_of(_head(noun))
    return None if animacy is None else animacy != "thing"


def _head(noun: str) -> str:
    """The noun of a phrase after the adjectives before it."""
    words = normalize("NFC", folded(noun)).split()
    return next((word for word in words if word not in SPANISH.prenominals), words[-1] if words else "")


def _is_beside_person(place: Place) -> bool | None:
    """Whether a noun that may be a person is one, since another candidate is: *la guía y la turista*; else None."""
    if SPANISH.table("nouns").words("either-sex").isdisjoint(SPANISH.singulars(_head(place.phrase.noun))):
        return None
    heads = [_head(split(candidate.text, place.language)[1] or candidate.text) for candidate in place.item.candidates]
    return True if any(SPANISH.animacy_of(head) == "human" for head in heads) else None


def _shown_by_verb(verb: str) -> bool | None:
    """Whether the verb takes only people, or only things, as its object; None if it takes both."""
    is_of_things, is_of_people = (verb in SPANISH.verbs.forms_of(f"{kind}-object") for kind in ("thing", "human"))
    return is_of_people if is_of_things != is_of_people else None


def _is_among_people(place: Place) -> bool | None:
    """Whether a name is a person's, since another one beside it is, or one has the personal *a*; None if unknown."""
    if place.phrase.determiner:
        return None
    other_texts = [candidate.text for candidate in place.item.candidates if candidate.text != place.phrase.noun]
    is_beside = any(name_gender(other_text.partition(" ")[0], "es").value for other_text in other_texts)
    mentions = [mention for candidate in place.item.candidates for mention in candidate.mentions]
    return True if is_beside or any(_has_personal_a(place.text, mention.start) for mention in mentions) else None


def _has_personal_a(text: str, start: int) -> bool:
    """Whether the *a* before a mention is the personal one: *Unai vio a | Izan*, but not *Unai fue a | Berlín*."""
    verb, preposition = ["", "", *folded(text[:start]).split()][-2:]
    return preposition == "a" and SPANISH.is_finite(verb) and verb not in SPANISH.verbs.forms_of("motion")


def check_exchange(text: str, slots: Sequence[Sequence[Slot]], phrases: Sequence[Phrase]) -> None:
    """Raise NotDerivedError if a person and a thing are swapped and one of them may be an object.

    *El niño empujó el carro* would have to become *El carro empujó al niño*, and only the meaning of the verb
    distinguishes this *a* from the one in *miró a la pared*.
    """
    if {is_animate(phrase) for phrase in phrases} != {True, False}:
        return
    for slot in (slot for candidate_slots in slots for slot in candidate_slots):
        if _may_be_object(text, slot):
            raise NotDerivedError(f"a person takes 'a' as an object and a thing does not: {slot.span.of(text)!r}")


def _may_be_object(text: str, slot: Slot) -> bool:
    """Whether the slot may be an object: after *a*, or right after a word that is no preposition or conjunction."""
    left = text[: slot.span.start].rstrip()
    before = folded(left.split()[-1]) if left and left[-1].isalpha() else ""
    if slot.preposition:
        return slot.preposition == "a"
    return before == "a" or (bool(before) and before not in SPANISH.words("light"))
