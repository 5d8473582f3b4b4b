"""The word of the predicate after which an object is placed: *lo vio |*, *lo ha visto |*, *lo quería volver a ver |*.

An auxiliary is followed by its participle, infinitive or gerund, sometimes with a word between (*va a ver*), as listed
in `auxiliaries.txt`. Other verbs end the predicate, but a bare infinitive belongs to it: *la oyó cantar |*.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.es.words import is_adverb, is_determiner, is_gerund, is_infinitive, is_participle, listed
from winoglot.languages.tables import pairs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.languages.substitution import Token


def landing(words: Sequence[Token], text: str) -> int:
    """The index of the last word of the predicate at the start of the words."""
    first = words[0] if words else None
    if first is None or not _can_be_verb(first, text):
        raise NotDerivedError(
            f"expected a verb after the pronoun, found {first.span.of(text) if first else 'the end'!r}"
        )
    at = 0
    while True:
        step = _step(words[at:])
        if step == 0:
            return at
        at += step


def _step(words: Sequence[Token]) -> int:
    """How many more words belong to the predicate; 0 if it ends here."""
    forms = [word.form for word in words[:3]] + [""] * 3
    wanted = pairs("es", "auxiliaries.txt").get(forms[0], "").split()
    if "participle" in wanted:
        if not is_participle(forms[1]):
            raise NotDerivedError(f"no participle follows {forms[0]!r}")
        return 1
    if "gerund" in wanted and is_gerund(forms[1]):
        return 1
    if forms[1] in wanted and is_infinitive(forms[2]):
        return 2
    return int(is_infinitive(forms[1]))


def _can_be_verb(word: Token, text: str) -> bool:
    """Not the words after an article: *los de Ana*, *lo importante*."""
    if not word.form.isalpha() or word.span.of(text)[0].isupper():
        return False
    is_small = word.form in listed("small_words.txt") or is_determiner(word.form) or is_adverb(word.form)
    is_noun = word.form.endswith(("ción", "dad", "ible", "able", "ante", "ivo", "oso", "ico", "mo"))
    return not (is_small or is_noun or is_infinitive(word.form) or word.form in listed("adjective_list.txt"))
