"""Adjectives that look like verbs, after a possessed noun: *son chien calme*, but *car son frère calme le chien*."""

from __future__ import annotations

from itertools import dropwhile, takewhile
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.fr.words import SENTENCE_ENDS, is_adverb, is_boundary, is_word, listed, verb_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.languages.fr.words import Around

FINITE_ENDINGS = ("e", "t", "d", "a", "c")


def acts(forms: Sequence[str], at: int, around: Around, *, opens: bool | None) -> bool:
    """Whether the listed adjective at `at` is the verb; raises NotDerivedError if it may be either.

    `forms` are the words after the possessive; `opens`: whether it begins its clause, None if unknown.

    >>> from winoglot.languages.fr.words import Around
    >>> forms = ["frère", "calme", "le", "chien"]
    >>> acts(forms, 1, Around((), ()), opens=True), acts(forms, 1, Around((), ()), opens=False)
    (True, False)
    """
    form, following = forms[at], forms[at + 1] if at + 1 < len(forms) else ""
    is_object = following in listed("determiners") or following in ("du", "aux", "au")
    if opens is True and is_object and form.endswith(FINITE_ENDINGS):
        return True
    if opens is False or form not in listed("adjectives_like_verbs") or not is_boundary(following):
        return False
    is_clitic = following in listed("clitics") and following not in listed("determiners")
    if verb_of(following) is not None or is_clitic:
        return False  # the verb follows: "son chien calme dort"
    if opens is None and (not is_word(following) or following in ("et", "ou")):
        return False  # "il a pris son sac et sa robe sèche."
    if opens is True and not _is_compared(around) and _is_last_verb(forms[at + 1 :]):
        return True
    raise NotDerivedError(f"{form!r} after the possessed noun may be an adjective or a verb")


def _is_compared(around: Around) -> bool:
    """Whether the word before may take just a noun phrase: "plus claire que sa robe sèche"."""
    before = [token.form for token in around.before[:2]]
    return before[:1] in (["que"], ["qu'"], ["comme"]) and before[1:] != ["parce"]


def _is_last_verb(following: Sequence[str]) -> bool:
    """Whether adverbs, a complement or the end of the sentence follow, and no other possible verb."""
    rest = list(takewhile(is_word, following))
    closing = following[len(rest)] if len(rest) < len(following) else ""
    others = list(dropwhile(is_adverb, rest))
    if not others:
        return closing in SENTENCE_ENDS or closing in ("", ":", ";")
    opens_phrase = others[0] in listed("determiners") or others[0] in listed("prepositions")
    return opens_phrase and not any(verb_of(form) is not None for form in others)
