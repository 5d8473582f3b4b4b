"""Determiners and adjectives whose form changes before a vowel: *ma sœur* but *mon amie*, *ce chat* but *cet ours*.

A language's table `spelling` lists them (`ma = vowel-form:mon`), beside the words that lose their vowel
(`le = elided:l'`). A form changes only if one of the two nouns begins with a vowel and the other does not; an adjective
of either number (*vieux*), only if a determiner shows that it is singular.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError, function_words
from winoglot.languages.features import UNKNOWN, Trait
from winoglot.languages.lexicon import lexicon
from winoglot.languages.substitution import begins_with_vowel, match_case, usually_begins_with_vowel
from winoglot.schemas.spans import Edit, Span
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from winoglot.languages.slots import Slot

_FIRST = re.compile(r"\w+")
_LAST_TWO = re.compile(r"\b(?:(\w+)[ \u00a0])?(\w+)[ \u00a0]$")


def before_noun(word: str, old: str, new: str, gender: str | None, language: str) -> str:
    """The form that a word before the old noun takes before the new noun, whose gender is `gender`.

    Raises NotDerivedError if the spelling does not show how the noun begins, or if a gender it needs is unknown.

    >>> before_noun("ma", "sœur", "amie", None, "fr"), before_noun("mon", "amie", "sœur", "feminine", "fr")
    ('mon', 'ma')
    >>> before_noun("cet", "ours", "chat", None, "fr"), before_noun("cette", "ourse", "chatte", None, "fr")
    ('ce', 'cette')
    >>> before_noun("quell'", "uomo", "ragazzo", "masculine", "it"), before_noun("quel", "cane", "orso", None, "it")
    ('quel', "quell'")
    """
    forms = _vowel_forms(language)
    if word not in forms and word not in forms.values():
        return word
    was_vowel, is_vowel = (usually_begins_with_vowel(_first(noun), language) for noun in (old, new))
    if is_vowel is None:
        raise NotDerivedError(f"spelling does not show whether {new!r} begins with a vowel after {word!r}")
    if is_vowel == was_vowel:
        return word
    if is_vowel:
        return forms.get(word, word)
    full_forms = [form for form, before_vowel in forms.items() if before_vowel == word]
    if not full_forms or word in lexicon(language, "spelling").words("before-vowel"):
        return next(iter(full_forms), word)
    if gender not in ("masculine", "feminine"):
        raise NotDerivedError(f"the gender of {new!r} is unknown, which decides how {word!r} is written before it")
    genders = lexicon(language, "determiners").features()
    return next((form for form in full_forms if genders[form].gender == gender), word)


def shown_gender(slot: Slot, text: str, language: str) -> Trait:
    """The gender shown by a determiner that both genders share only before a vowel: *mon frère* is masculine."""
    forms = _vowel_forms(language)
    noun = slot.noun.of(text)
    is_both = slot.determiner in forms.values() and slot.determiner not in lexicon(language, "spelling").words(
        "before-vowel"
    )
    if not is_both or begins_with_vowel(_first(noun), language) is not False:
        return UNKNOWN
    full_form = next(form for form, before_vowel in forms.items() if before_vowel == slot.determiner)
    full_gender = lexicon(language, "determiners").features()[full_form].gender
    gender = "masculine" if full_gender == "feminine" else "feminine"
    return Trait(gender, f"{slot.determiner!r} before the consonant of {noun!r}")


def adjective_edit(text: str, slot: Slot, new: str, language: str) -> Edit | None:
    """How the adjective right before a slot without determiner changes with the new noun: *le nouvel élève*.

    Raises NotDerivedError if the adjective could be a plural, which does not change: *de vieux amis*.
    """
    before = _LAST_TWO.search(text[: slot.span.start])
    if before is None or slot.determiner or slot.preposition:
        return None
    adjective = before.group(2)
    form = before_noun(folded(adjective), slot.noun.of(text), new, None, language)
    if form == folded(adjective):
        return None
    if folded(adjective) in lexicon(language, "adjectives").words("either-number"):
        number = _number(folded(before.group(1) or ""), language)
        if number is None:
            raise NotDerivedError(f"nothing shows whether {adjective!r} is singular or plural")
        if number == "plural":
            return None
    return Edit(Span(*before.span(2)), match_case(adjective, form))


def _number(determiner: str, language: str) -> str | None:
    article = function_words(language).contractions.get(determiner, ("", determiner))[1]
    features = lexicon(language, "determiners").features().get(article)
    return features.number if features else None


@cache
def _vowel_forms(language: str) -> dict[str, str]:
    return {form: before_vowel for form, (before_vowel,) in lexicon(language, "spelling").values("vowel-form").items()}


def _first(noun: str) -> str:
    match = _FIRST.match(noun)
    return match.group() if match else noun
