"""Russian: candidates take the case of the pronoun.

In reading order:

- `morphology`: what a written word may be, and its form in another case;
- `noun_phrase`: whole phrases in any case;
- `candidates`: candidates that are cited or mentioned in any case;
- `government`: the case of a pronoun, from its form and its place;
- `personal`, `possessive`: the candidate in the pronoun's place, or after what it owns;
- `exchange`: candidates and names in the place of others, for switching and renaming.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.lexicon import lexicon
from winoglot.languages.ru import personal, possessive
from winoglot.languages.ru.candidates import features_of as candidate_features
from winoglot.languages.ru.candidates import features_of_pronoun as pronoun_features
from winoglot.languages.ru.candidates import forms_of as inflected
from winoglot.languages.ru.candidates import nominative, noun_phrase_of
from winoglot.languages.ru.exchange import in_place_of, listed_name, renamed_form
from winoglot.languages.substitution import closed, match_case

if TYPE_CHECKING:
    from winoglot.languages.base import Substitution
    from winoglot.languages.substitution import Place
    from winoglot.schemas.model import Item

__all__ = [
    "candidate_features",
    "definite",
    "euphonic",
    "in_place_of",
    "inflected",
    "listed_name",
    "pronoun_features",
    "renamed_form",
    "substitute",
]

# The parts of `euphonic`: a preposition before the seam, and the sounds that follow it.
_LAST = re.compile(r"(?<!\w)(с|со|о|об|в|во|к|ко)(\s)$", re.IGNORECASE)
_FIRST = re.compile(r"\W*(\w+)")
_VOWELS = "аиоуэ"  # not е, ё, ю, я, which begin with a consonant sound: "о ёлке"
_CONSONANTS = "бвгджзйклмнпрстфхцчшщ"
# Words with a fleeting vowel after which the preposition takes its own: "ко Льву", "со льдом", "ко дну".
_FLEETING = re.compile(r"(?:ль?в|льд|льн|дн[ая]\b|двор|вс[её]|всяк|втор|мн[еоу]|мног|рт[аоуе]|рв|лб|лж|зл)")
_BEFORE_KO = re.compile(r"(?:льв|льд|дн[уюая]\b|двор|вс[её]м|всяк|втор|мне|мног|рту|лбу|зл)")


def substitute(place: Place) -> Substitution:
    """Replace the pronoun by the candidate, with a comma after its relative clause or participle."""
    phrase = noun_phrase_of(place.item.candidates[place.index], place.item)
    return closed(_substitute(place), "," if phrase and phrase.clause else "")


def _substitute(place: Place) -> Substitution:
    """Replace the pronoun by the candidate in its case, or an owner by a genitive after what it owns."""
    lines = lexicon("ru", "pronouns").entries[place.surface]
    if any(line.has("reflexive") for line in lines):
        raise NotDerivedError(f"{place.surface!r} refers back to its own subject")
    if any(line.has("demonstrative") for line in lines):
        personal.check_alone(place)
    if any(line.has("possessive") for line in lines):
        owned = possessive.possessed(place)
        if owned is not None and possessive.is_owner(place, owned):
            return possessive.owner(place, owned)
        if owned is None:
            possessive.check_object(place)
    return personal.personal(place)


def definite(item: Item, index: int) -> str | None:
    """The candidate in the nominative, as it is mentioned again."""
    return nominative(item.candidates[index], item)


def euphonic(left: str, right: str) -> str:
    """The left text, with its last preposition as written before the right one: *со стола*, *об окне*, *ко Льву*.

    >>> euphonic("Говорили о ", "Анне"), euphonic("Шёл с ", "Светой"), euphonic("Думал об ", "Марии")
    ('Говорили об ', 'Шёл со ', 'Думал о ')
    """
    last, first = _LAST.search(left), _FIRST.match(right)
    if last is None or first is None:
        return left
    form = _written_before(last.group(1).lower(), first.group(1).lower())
    return left[: last.start()] + match_case(last.group(1), form) + last.group(2)


def _written_before(preposition: str, word: str) -> str:
    """A preposition as it is written before a word."""
    first, second = word[:1], word[1:2]
    has_cluster = second in _CONSONANTS and second != ""
    if preposition in ("о", "об"):
        return "об" if first in _VOWELS else "о"
    if preposition in ("с", "со"):
        is_hard = (first in "сзшж" and has_cluster) or first == "щ" or bool(_FLEETING.match(word))
        return "со" if is_hard else "с"
    if preposition in ("в", "во"):
        is_hard = (first in "вф" and has_cluster) or bool(re.match(r"льв|льд|лбу|рту|рву|мн[ое]|тьм|двор|сне\b", word))
        return "во" if is_hard else "в"
    return "ко" if _BEFORE_KO.match(word) else "к"
