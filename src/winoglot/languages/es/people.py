"""The personal *a* before an object: *vio a Juan*, *vio al tío*, but *vio el tren*.

Nothing is guessed: animacy is stated by the author or shown by the lists of names and nouns. Animals that the text has
mentioned take *a* too.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from unicodedata import normalize

from winoglot.languages.base import NotDerivedError
from winoglot.languages.es.words import listed
from winoglot.languages.substitution import prepended
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from winoglot.languages.substitution import Phrase


def as_object(phrase: Phrase) -> str:
    """The phrase as a direct object.

    >>> from winoglot.languages.substitution import Phrase
    >>> from winoglot.languages.features import Traits
    >>> as_object(Phrase("el", "tío", Traits(), False, "es")), as_object(Phrase("el", "tren", Traits(), False, "es"))
    ('al tío', 'el tren')
    """
    if is_animate(phrase):
        return prepended("a", phrase.text, "es")
    return phrase.text


def is_common_noun(form: str) -> bool:
    """Whether the form is a listed noun for a person or a thing."""
    return any(_is_listed(form, listed(name)) for name in ("animate_nouns.txt", "thing_nouns.txt"))


def is_animate(phrase: Phrase) -> bool:
    """Whether the phrase is a person or an animal; raises NotDerivedError if that is unknown."""
    stated = phrase.traits.animacy.value
    if stated:
        return stated != "thing"
    head = next(
        (word for word in normalize("NFC", folded(phrase.noun)).split() if word not in listed("prenominals.txt")), ""
    )
    person, thing = (_is_listed(head, listed(name)) for name in ("animate_nouns.txt", "thing_nouns.txt"))
    if person == thing or (phrase.is_name and not person):
        raise NotDerivedError(
            f"cannot tell whether {phrase.noun!r} is a person and takes 'a' as an object: state its 'features'"
        )
    return person


def _is_listed(noun: str, nouns: frozenset[str]) -> bool:
    """Whether the noun is a form of a listed one: *pintora* of *pintor*, *vecinas* of *vecino*, *luces* of *luz*."""
    singular = {noun, noun.removesuffix("s"), noun.removesuffix("es"), re.sub("ces$", "z", noun)}
    masculine = {form.removesuffix("a") + ending for form in singular if form.endswith("a") for ending in ("o", "")}
    return bool((singular | masculine) & nouns)
