"""Determiners and adjectives whose form changes before a vowel: *ma sœur* but *mon amie*, *ce chat* but *cet ours*.

The table `vowel_forms.txt` of a language's folder lists them (`ma = mon`); what loses its vowel (*l'*, *d'*) is in
`elisions.txt`. A form is touched only where the new noun begins otherwise than the old one; one that `plural_too.txt`
lists, only where a determiner shows that it is no plural.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError, function_words
from winoglot.languages.elision import begins_with_vowel, usually_begins_with_vowel
from winoglot.languages.fusion import like
from winoglot.languages.tables import feature_table, pairs, words_of
from winoglot.languages.traits import UNKNOWN, Trait
from winoglot.schemas.spans import Edit, Span
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from winoglot.languages.slots import Slot

_FIRST = re.compile(r"\w+")
_LAST_TWO = re.compile(r"(?:(\w+)[ \u00a0])?(\w+)[ \u00a0]$")


def resounded(word: str, old: str, new: str, gender: str | None, language: str) -> str:
    """The word that stood before the old noun as it stands before the new one, which has the gender.

    Raises NotDerivedError where spelling does not tell how the noun begins, or nothing shows a gender that is needed.

    >>> resounded("ma", "sœur", "amie", None, "fr"), resounded("mon", "amie", "sœur", "feminine", "fr")
    ('mon', 'ma')
    >>> resounded("cet", "ours", "chat", None, "fr"), resounded("cette", "ourse", "chatte", None, "fr")
    ('ce', 'cette')
    """
    forms = pairs(language, "vowel_forms.txt")
    if word not in forms and word not in forms.values():
        return word
    was_vowel, is_vowel = (usually_begins_with_vowel(_first(noun), language) for noun in (old, new))
    if is_vowel is None:
        raise NotDerivedError(f"spelling does not tell whether {new!r} begins with a vowel after {word!r}")
    if is_vowel == was_vowel:
        return word
    if is_vowel:
        return forms.get(word, word)
    full = next((form for form, before_vowel in forms.items() if before_vowel == word), word)
    if full == word or word in words_of(language, "before_vowels.txt"):
        return full
    if gender not in ("masculine", "feminine"):
        raise NotDerivedError(f"nothing shows the gender that decides between {full!r} and {word!r} before {new!r}")
    return full if feature_table(language, "determiner_features.txt")[full].gender == gender else word


def shown_gender(slot: Slot, text: str, language: str) -> Trait:
    """What a determiner shows that both genders have before a vowel, but one has before a consonant: *mon frère*."""
    forms = pairs(language, "vowel_forms.txt")
    noun = slot.noun.of(text)
    is_both = slot.determiner in forms.values() and slot.determiner not in words_of(language, "before_vowels.txt")
    if not is_both or begins_with_vowel(_first(noun), language) is not False:
        return UNKNOWN
    full = next(form for form, before_vowel in forms.items() if before_vowel == slot.determiner)
    other = feature_table(language, "determiner_features.txt")[full].gender
    gender = "masculine" if other == "feminine" else "feminine"
    return Trait(gender, f"{slot.determiner!r} before the consonant of {noun!r}")


def adjective_edit(text: str, slot: Slot, new: str, language: str) -> Edit | None:
    """What changes in the adjective right before a bare slot that the new noun fills: *le nouvel élève*.

    Raises NotDerivedError where the adjective could be a plural, which does not change: *de vieux amis*.
    """
    before = _LAST_TWO.search(text[: slot.span.start])
    if before is None or slot.determiner or slot.preposition:
        return None
    adjective = before.group(2)
    made = resounded(folded(adjective), slot.noun.of(text), new, None, language)
    if made == folded(adjective):
        return None
    if folded(adjective) in words_of(language, "plural_too.txt"):
        number = _number(folded(before.group(1) or ""), language)
        if number is None:
            raise NotDerivedError(f"nothing shows whether {adjective!r} is one or several")
        if number == "plural":
            return None
    return Edit(Span(*before.span(2)), like(adjective, made))


def _number(determiner: str, language: str) -> str | None:
    article = function_words(language).contractions.get(determiner, ("", determiner))[1]
    features = feature_table(language, "determiner_features.txt").get(article)
    return features.number if features else None


def _first(noun: str) -> str:
    found = _FIRST.match(noun)
    return found.group() if found else noun
